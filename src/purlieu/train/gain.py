"""``python -m purlieu.train.gain NET.onnx BEFORE.onnx``: what a net has gained on an earlier one, at equal simulations.

The games that a run plays in its checks, for nets in full precision that are there already, such as those of another
commit. A GPU, if there is one, plays a thousand games in ten seconds. With ``--log RUN/log.jsonl`` the result is put
into that run's log, so that its curves show it.
"""

from __future__ import annotations

if __name__ == "__main__":
    from purlieu.train.running.options import end_without_packages

    end_without_packages()

import argparse
import sys
from pathlib import Path
from typing import Any

from purlieu.kit.files import write_whole
from purlieu.kit.interrupts import Interrupts
from purlieu.kit.progress import StatusLine
from purlieu.nets.check import read_checked
from purlieu.rules import GAMES, PurlieuError

from .data.metadata import counters_of
from .data.run_folder import RunFolder, as_json_line, line_of, read_log
from .data.settings import make_settings
from .network.evaluation import evaluator, find_device, usable_cores
from .network.weights import read_onnx_net
from .report.strength import MatchResult
from .running.options import exit_code
from .selfplay.matches import gain_slots, play_gain


def played(options: argparse.Namespace) -> dict[str, Any]:
    """The games, as a line of a log."""
    net, before = read_onnx_net(options.net), read_onnx_net(options.before)
    if net.shape.game != before.shape.game:
        raise PurlieuError(
            f"{options.net} is a net of {net.shape.game} and {options.before} one of {before.shape.game}"
        )
    device = find_device(options.device)
    size = GAMES[net.shape.game].start(options.size).size
    wishes = {"check_size": size, "check_simulations": options.simulations, "gain_games": options.games}
    wishes |= {"considered": options.considered, "threads": options.threads}
    settings = make_settings(net.shape.game, overrides=wishes).on(device, options.threads)
    lanes = [evaluator(each, device).lane(size, gain_slots(settings)) for each in (net, before)]
    status = StatusLine()

    def show(games: int) -> None:
        status.show(f"{games:,} of {options.games:,} games are over")

    with Interrupts() as interrupts:
        try:
            check, took = play_gain(settings, *lanes, seed=options.seed, stop=lambda: interrupts.wanted, show=show)
        finally:
            status.clear()
        if interrupts.wanted:
            raise KeyboardInterrupt
    return as_line(check, counters(options.net), counters(options.before), options.simulations, took)


def as_line(
    check: MatchResult, now: dict[str, float], then: dict[str, float], simulations: int, took: float
) -> dict[str, Any]:
    """What a run would have written."""
    return line_of(
        "gain",
        seconds=now["seconds"],
        games=int(now["games"]),
        evals=int(now["evaluations"]),
        steps=int(now["steps"]),
        simulations=simulations,
        **check.outcome,
        against_steps=int(then["steps"]),
        took=took,
        played_again="later, by python -m purlieu.train.gain",
    )


def counters(path: Path) -> dict[str, float]:
    """What the run that made a net had done."""
    try:
        found = counters_of(read_checked(path)[1])
        return {name: found[name] for name in ("seconds", "games", "evaluations", "steps")}
    except (KeyError, ValueError):
        raise PurlieuError(
            f"{path} does not say what its run had done; expected a net that `purlieu train` wrote"
        ) from None


def require_log_of(log: Path, *nets: dict[str, float]) -> None:
    """A log must be that of the run that had done all this when it made its nets."""
    lines = read_log(log)
    for net in nets:
        steps, games = int(net["steps"]), int(net["games"])
        if not any((each.get("steps"), each.get("games")) == (steps, games) for each in lines):
            done = f"{steps:,} steps and {games:,} games"
            raise PurlieuError(f"{log} has no line of {done}; expected the log of the run that made both nets")


def put(log: Path, line: dict[str, Any]) -> None:
    """Into a log, where the run would have written it: before all that came later. Not while the run is at work."""
    folder = RunFolder(log.parent)
    try:
        lines = read_log(log)
        starts = ((at, each["resumed_at"]) for at, each in enumerate(lines) if each.get("kind") == "start")
        at = next((at for at, steps in starts if steps >= line["steps"]), len(lines))
        if at and lines[at - 1].get("kind") == "end":  # which stays the last line of a start that came to its end
            at -= 1
        lines.insert(at, line)
        write_whole(log, "".join(map(as_json_line, lines)).encode())
    finally:
        folder.close()


def play_and_keep(options: argparse.Namespace) -> None:
    """Play the games that were asked for, put the result into the run's log if one was given, and print it."""
    if options.games < 2 or options.games % 2:
        raise PurlieuError(f"--games is {options.games}; expected an even number, as each opening is played twice")
    if options.threads < 1:
        raise PurlieuError(f"--threads is {options.threads}; expected 1 or more")
    if not 0 <= options.seed < 2**53:
        raise PurlieuError(f"--seed is {options.seed}; expected a number from 0 to 2**53")
    if options.log:
        require_log_of(options.log, counters(options.net), counters(options.before))
    line = played(options)
    if options.log:
        put(options.log, line)
    score, low, high = (100 * line[name] for name in ("score", "low", "high"))
    sys.stdout.write(
        f"{line['wins']} won, {line['draws']} drawn, {line['losses']} lost: {score:.1f} % ({low:.1f} to {high:.1f})\n"
    )


def main(arguments: list[str]) -> int:
    """Read the options and run it."""
    parser = argparse.ArgumentParser(prog="python -m purlieu.train.gain", description=__doc__)
    parser.add_argument("net", type=Path)
    parser.add_argument("before", type=Path)
    parser.add_argument("--games", type=int, default=256, help="an even number [256]")
    parser.add_argument("--simulations", type=int, default=32, help="a move, of both [32]")
    parser.add_argument("--considered", type=int, default=16, help="moves at the root [16]")
    parser.add_argument("--size", type=int, help="the game's usual one if left out")
    parser.add_argument("--device", help="cpu or cuda")
    parser.add_argument("--threads", type=int, default=usable_cores())
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", type=Path, help="of the run that made both nets")
    options = parser.parse_args(arguments)
    return exit_code(lambda: play_and_keep(options))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
