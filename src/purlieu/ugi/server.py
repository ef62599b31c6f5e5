"""``purlieu engine``: our engine, driven through UGI.

One thread reads and answers; the search runs in another, so that ``stop``, ``isready`` and ``quit`` are
answered at once. Whatever comes in, the engine lives: what it cannot do is answered by an ``error`` line.
"""

from __future__ import annotations

import secrets
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, BinaryIO, TextIO

from purlieu import __version__
from purlieu.engine import LEVELS
from purlieu.engine.clock import seconds_for_move
from purlieu.engine.plan import Settings
from purlieu.engine.thinker import Limit, Line, Thinker
from purlieu.kit.streams import BROKEN_PIPE, ignore_interrupts, silence_output
from purlieu.rules import GAMES, Position, PurlieuError, Seat, parse, start
from purlieu.rules.notation import shown

from .options import NONE, Options
from .protocol import NO_MOVE, Go, UgiError, info_lines, parse_go, parse_position, parse_setoption

if TYPE_CHECKING:
    from purlieu.engine import Analysis

LONGEST_LINE = 1_000_000
"""The most bytes of a line that are read; a longer one is refused whole."""
INFO_INTERVAL = 0.25
"""The fewest seconds between two reports of one search."""


class Server:
    """One engine and its conversation."""

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write
        self._writing = threading.Lock()
        self._options = Options()
        self._thinker: Thinker | None = None
        self._search: _Running | None = None
        self._set_up(start(self._options.game, self._options.size))

    def handle(self, line: str) -> bool:
        """Answer one line; False once it was ``quit``."""
        words = line.split()
        if not words:
            return True
        if words[0] == "quit":
            self.close()
            return False
        command = self._COMMANDS.get(words[0])
        try:
            if command is None:
                raise UgiError(f"{shown(words[0])} is no command; the commands are {', '.join(self._COMMANDS)}, quit")
            command(self, words[1:])
        except PurlieuError as error:
            self.say(f"error {error}")
        except Exception as error:  # a fault of ours must not end the game of whoever drives us
            self.say(f"error a fault in the engine, please report it: {type(error).__name__}: {error}")
        return True

    def close(self) -> None:
        """Stop the search, if one runs, and let it have its last word."""
        self.stop()
        if self._search:
            self._search.wait()

    def stop(self) -> None:
        """Let the search, if one runs, come to its end now, from any thread."""
        if self._search:
            self._search.stop()

    def finish(self) -> None:
        """Let a search that has a limit come to its end."""
        if self._search and self._search.endless:
            self._search.stop()
        if self._search:
            self._search.wait()

    def say(self, *lines: str) -> None:
        """Write lines, whole, whichever thread they come from."""
        with self._writing:
            self._write("".join(f"{_one_line(line)}\n" for line in lines))

    def _ugi(self, words: Sequence[str]) -> None:
        sizes = "; ".join(f"{game.name} {game.sizes[0]} to {game.sizes[-1]}" for game in GAMES.values())
        self.say(
            f"id name purlieu {__version__}",
            "id author the purlieu team",
            f"info string sizes: {sizes}",
            *(option.text() for option in self._options.declared()),
            "ugiok",
        )

    def _is_ready(self, words: Sequence[str]) -> None:
        self.say("readyok")

    def _set_option(self, words: Sequence[str]) -> None:
        self._require_idle("setoption")
        old, new = self._options, self._options.with_value(*parse_setoption(words))
        self._options = new
        self._thinker = None
        if (old.game, old.size) != (new.game, new.size):
            self._set_up(start(new.game, new.size))

    def _new_game(self, words: Sequence[str]) -> None:
        self._require_idle("uginewgame")
        self._thinker = None
        self._set_up(start(self._options.game, self._options.size))

    def _set_position(self, words: Sequence[str]) -> None:
        self._require_idle("position")
        self._refused = True
        setup = parse_position(words)
        position = start(self._options.game, self._options.size) if setup.text is None else parse(setup.text)
        moves = []
        begin = position
        for text in setup.moves:
            move = position.read_move(text)
            position = position.play(move)
            moves.append(str(move))
        self._set_up(begin, tuple(moves), position)

    def _set_up(self, begin: Position, moves: tuple[str, ...] = (), position: Position | None = None) -> None:
        self._line = Line(begin.text(), moves)
        self._position = begin if position is None else position
        self._refused = False

    def _go(self, words: Sequence[str]) -> None:
        self._require_idle("go")
        try:
            go = parse_go(words)
            if self._refused:
                raise UgiError("there is no position to search: the last one was refused")
            if self._position.is_over:
                raise UgiError("the game is over, so there is no move to find")
        except PurlieuError as error:
            self.say(f"error {error}", f"bestmove {NO_MOVE}")
            return
        self._thinker = self._thinker or self._new_thinker()
        self._search = _Running(
            self._thinker, self._line, self._limit(go), go.is_endless, self._options.several, self.say
        )
        self._search.begin()

    def _new_thinker(self) -> Thinker:
        options = self._options
        net = None if options.net == NONE else options.net
        settings = Settings(LEVELS[options.level], net=net, threads=options.threads, memory_mb=options.hash_mb)
        return Thinker(settings, options.seed or secrets.randbits(48))

    def _limit(self, go: Go) -> Limit:
        """The limits in simulations and seconds; our own clock decides how much of it a move may take."""
        if go.is_endless:
            return Limit(seconds=1e9)
        seconds = None if go.movetime is None else go.movetime / 1000
        left, more = (go.p1time, go.p1inc) if self._position.to_move is Seat.FIRST else (go.p2time, go.p2inc)
        if left is not None:
            position = self._position
            clock = seconds_for_move(
                position.game,
                position.size,
                position.ply,
                left=left / 1000,
                increment=(more or 0) / 1000,
                turns=go.movestogo,
            )
            seconds = clock if seconds is None else min(seconds, clock)
        return Limit(go.nodes, seconds)

    def _stop(self, words: Sequence[str]) -> None:
        self.stop()

    def _query(self, words: Sequence[str]) -> None:
        position = self._position
        if self._refused:
            raise UgiError("there is no position to ask about: the last one was refused")
        match list(words):
            case ["gameover"]:
                answer = _truth(position.is_over)
            case ["p1turn"]:
                answer = _truth(position.to_move is Seat.FIRST)
            case ["result"]:
                answer = _result(position)
            case ["moves"]:
                answer = " ".join(map(str, position.legal_moves()))
            case ["position"]:
                answer = position.text()
            case ["sizes"]:
                answer = " ".join(map(str, GAMES[self._options.game].sizes))
            case _:
                asked = shown(" ".join(words))
                raise UgiError(f"{asked} is no question; expected gameover, p1turn, result, moves, position or sizes")
        self.say(f"response {answer}".rstrip())

    def _require_idle(self, command: str) -> None:
        """A search that has its move, or was told to stop, is waited for; any other is in the way."""
        if self._search:
            if not self._search.is_ending:
                raise UgiError(f"{command}: a search is running; stop it first")
            self._search.wait()
            self._search = None

    _COMMANDS: dict[str, Callable[[Server, Sequence[str]], None]] = {  # noqa: RUF012
        "ugi": _ugi,
        "isready": _is_ready,
        "setoption": _set_option,
        "uginewgame": _new_game,
        "position": _set_position,
        "go": _go,
        "stop": _stop,
        "query": _query,
    }


class _Running:
    """One search and the thread it runs in."""

    def __init__(
        self, thinker: Thinker, line: Line, limit: Limit, endless: bool, several: int, say: Callable[..., None]
    ) -> None:
        self.endless = endless
        self._thinker, self._line, self._limit, self._several, self._say = thinker, line, limit, several, say
        self._stop, self._ending = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="search", daemon=True)
        self._told_at = 0.0

    def begin(self) -> None:
        self._thread.start()

    @property
    def is_ending(self) -> bool:
        """Whether it will be done in a moment, if it is not already."""
        return self._stop.is_set() or self._ending.is_set()

    def stop(self) -> None:
        self._stop.set()
        self._thinker.stop()

    def wait(self) -> None:
        self._thread.join()

    def _run(self) -> None:
        try:
            analysis = self._thinker.think(self._line, self._limit, self._tell)
            self._say(*info_lines(analysis, self._several))
            if self.endless:
                self._stop.wait()  # the protocol wants no move before `stop`, even from one who has seen it all
            move = self._thinker.choose(self._line, analysis)
            self._ending.set()
            self._say(f"bestmove {move}")
        except Exception as error:
            self._ending.set()
            self._say(f"error the search failed: {type(error).__name__}: {error}", f"bestmove {NO_MOVE}")

    def _tell(self, analysis: Analysis) -> None:
        if self._stop.is_set():
            self._thinker.stop()
        elif analysis.seconds - self._told_at >= INFO_INTERVAL and analysis.moves:
            self._told_at = analysis.seconds
            self._say(*info_lines(analysis, self._several))


def main(source: BinaryIO | None = None, sink: TextIO | None = None) -> None:
    """Talk UGI on standard input and output until ``quit``, the end of the input, or nobody reads what is said.

    However it ends, Ctrl-C among others, no search runs on: it is in the native core, which outlives no interpreter.
    """
    source = source or sys.stdin.buffer
    out = sink or sys.stdout

    def write(text: str) -> None:
        try:
            out.write(text)
            out.flush()
        except (OSError, ValueError):
            unheard.set()
            server.stop()

    unheard = threading.Event()
    server = Server(write)
    try:
        for line in _lines(source):
            if line is None:
                server.say(f"error this line is longer than {LONGEST_LINE} bytes, and was not read")
            elif not server.handle(line):
                break
            if unheard.is_set():
                break
        else:
            server.finish()
    except KeyboardInterrupt:
        ignore_interrupts()
        raise
    finally:
        server.close()
        if unheard.is_set():
            silence_output()
    if unheard.is_set():
        sys.exit(BROKEN_PIPE)


def _lines(source: BinaryIO) -> Iterator[str | None]:
    """The lines of the input; None stands for one that is too long."""
    while raw := source.readline(LONGEST_LINE + 1):
        if len(raw) <= LONGEST_LINE or raw.endswith(b"\n"):
            yield raw.decode("utf-8", "replace")
            continue
        while raw and not raw.endswith(b"\n"):
            raw = source.readline(LONGEST_LINE)
        yield None


def _one_line(text: str) -> str:
    return " ".join(text.splitlines())


def _truth(value: bool) -> str:
    return "true" if value else "false"


def _result(position: Position) -> str:
    outcome = position.outcome
    if outcome is None:
        return "none"
    return {Seat.FIRST: "p1win", Seat.SECOND: "p2win", None: "draw"}[outcome.winner]


if __name__ == "__main__":
    main()
