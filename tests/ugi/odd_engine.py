"""A tiny UGI engine for the tests: it plays the first legal move, and misbehaves on demand.

odd_engine.py [HOW [PLY [FILE]]] misbehaves when it is to move at that ply or later (0 if not given); with a
FILE only once, whatever became of the process in between: the file is its memory.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

import purlieu


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def misbehave(how: str, memory: Path | None) -> bool:
    """True once the odd thing was done instead of moving."""
    if memory and memory.exists():
        return False
    if memory:
        memory.touch()
    if how == "crash":
        sys.stderr.write("my last words\n")
        sys.stderr.flush()
        os.kill(os.getpid(), signal.SIGSEGV)
    elif how == "murder":
        os.kill(os.getppid(), signal.SIGKILL)
        return True
    elif how == "leave":
        sys.exit(3)
    elif how == "hang":
        signal.pause()
    elif how in ("heir", "loud-heir", "deaf-heir"):
        then = "signal.pause()"
        if how == "loud-heir":
            then = "any(print('info string and another thing') for _ in iter(int, 1))"
        heir = f"import signal; signal.alarm(8); {then}"
        subprocess.Popen([sys.executable, "-c", heir], start_new_session=True)
        if how == "deaf-heir":
            signal.pause()
        return True
    elif how == "silent":
        return True
    elif how == "illegal":
        say("bestmove j10")
        return True
    elif how == "nonsense":
        say("bestmove \x1b[2J§§")
        return True
    elif how == "nothing":
        say("error I do not know this one")
        say("bestmove (none)")
        return True
    elif how == "flood":
        while True:
            say("info string and another thing")
    elif how == "gush":
        say("bestmove a1")
        assert memory, "it notes there how many lines it got rid of"
        with memory.open("a") as note:
            for _ in range(30):
                say("x" * 1_000_000)
                note.write("x")
                note.flush()
        return True
    return False


def main(how: str = "well", ply: str = "0", memory: str = "") -> None:
    game, size, moves = "petrify", 3, list[str]()
    for line in sys.stdin:
        words = line.split()
        match words[:1]:
            case ["ugi"] if how == "mute":
                signal.pause()
            case ["ugi"]:
                say("id name odd engine")
                say("id author the tests")
                say("option name Game type combo default petrify var petrify")
                say("option name Size type spin default 3 min 3 max 10")
                say("ugiok")
            case ["isready"]:
                say("readyok")
            case ["setoption"]:
                if words[2] == "Game":
                    game = words[4]
                elif words[2] == "Size":
                    size = int(words[4])
            case ["uginewgame"] if how == "refuse":
                say("error I do not play this")
            case ["position"]:
                moves = words[3:]
            case ["go"]:
                if len(moves) < int(ply) or not misbehave(how, Path(memory) if memory else None):
                    position = purlieu.start(game, size)
                    for move in moves:
                        position = position.play(move)
                    best = position.legal_moves()[0]
                    say(f"info nodes 1 time 0 score cp 0 wdl 500 0 500 pv {best}")
                    say(f"bestmove {best}")
            case ["query"]:
                say("response true")
            case ["quit"]:
                return


if __name__ == "__main__":
    main(*sys.argv[1:])
