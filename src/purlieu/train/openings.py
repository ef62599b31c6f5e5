"""What a net knows of how games begin: many games with itself after each first move, or after none.

``python -m purlieu.train.openings GAME --net NET.onnx --out FILE.json [--sizes 6,8] [--games N] [--simulations N]
[--freely] [--device cpu|cuda] [--threads N] [--seed N]``

Moves that a symmetry of the board turns into each other are played once. The file is written after every size, by one
run at a time, and sizes that it has already are told and not played again. Nobody swaps: the colour that began stays
with who began.
"""

from __future__ import annotations

if __name__ == "__main__":
    from purlieu.train.running.options import end_without_packages

    end_without_packages()

import argparse
import hashlib
import json
import os
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Any

from purlieu.core import core
from purlieu.core.symmetry import Cell, first_cells, name_of
from purlieu.kit.files import require_folder, write_whole
from purlieu.kit.interrupts import Interrupts, Worker
from purlieu.kit.locks import hold
from purlieu.kit.progress import StatusLine
from purlieu.nets import Net as PlayingNet
from purlieu.nets.check import read_checked
from purlieu.rules import GAMES, PurlieuError
from purlieu.rules.registry import game as find_game

from .data.game_records import records_in
from .data.metadata import fact
from .data.settings import MOST_SIMULATIONS
from .network.evaluation import Evaluator, evaluator, find_device, usable_cores
from .network.weights import read_onnx_net
from .running.options import Show, exit_code

PARTS = 3
"""Batches that take turns on the host and on the device."""
NOISE = 0.3
"""Of the Gumbel root: enough that games differ, little enough that a move gives away about a hundredth of the game."""
CONSIDERED = 16

Record = tuple[int, int, tuple[int, ...]]
"""Result and margin for the colour that began, and the codes of the moves: what is counted, of many games."""
Make = Callable[[], tuple[Any, Any, int]]
"""Makes a batch of games, a lane to ask about them, and says how many games there are."""


@dataclass(slots=True)
class Tally:
    """The games that began with one move, as the colour that began sees them."""

    moves: list[str]
    """The first move and all that are the same to the board's symmetries; none if games began freely."""
    wins: int = 0
    draws: int = 0
    losses: int = 0
    turns: int = 0
    seen: tuple[float, float] | None = None
    """What the net says of the first move before any search: chance and margin of the colour that began."""
    margins: Counter[int] = field(default_factory=Counter)
    lines: set[tuple[int, ...]] = field(default_factory=set)

    def add(self, record: Record) -> None:
        """Count a game."""
        result, margin, line = record
        self.wins += result > 0
        self.draws += result == 0
        self.losses += result < 0
        self.turns += len(line)
        self.margins[margin] += 1
        self.lines.add(line)

    def plain(self) -> dict[str, Any]:
        """As JSON holds it."""
        counts = {"wins": self.wins, "draws": self.draws, "losses": self.losses, "turns": self.turns}
        margins = {str(margin): number for margin, number in sorted(self.margins.items())}
        seen = {"seen": [round(each, 5) for each in self.seen]} if self.seen else {}
        return {"moves": self.moves, **seen, **counts, "different": len(self.lines), "margins": margins}


class Games:
    """A batch of games, one for each place, played to their ends by a thread of its own."""

    def __init__(self, make: Make, stop: Callable[[], bool], failed: Callable[[], object]) -> None:
        self.records: list[Record] = []
        self.failure: BaseException | None = None
        self._make, self._stop, self._failed = make, stop, failed
        self.thread = Worker(self._run)
        self.thread.start()

    def _run(self) -> None:
        try:
            games, lane, places = self._make()
            while len(self.records) < places and not self._stop():
                if games.step(lane.policy, lane.value, lane.planes):
                    self.records += [(game.result, game.margin, game.line) for game in records_in(games.take())]
                lane.run()
        except BaseException as error:
            self.failure = error
            self._failed()


def played(makes: Sequence[Make], show: Callable[[int], object]) -> list[Record]:
    """The games of several batches, and now and then how many are over. When one fails the others end, too."""
    over = threading.Event()
    parts: list[Games] = []
    with Interrupts() as interrupts:
        try:
            for make in makes:
                parts.append(Games(make, lambda: interrupts.wanted or over.is_set(), over.set))
            while any(part.thread.is_alive() for part in parts):
                for part in parts:
                    part.thread.join(2)
                show(sum(len(part.records) for part in parts))
        finally:  # no thread may be left in the core when an error or a second Ctrl-C ends the process
            over.set()
            for part in parts:
                part.thread.join()
        for part in parts:
            if part.failure:
                raise part.failure
        if interrupts.wanted:
            raise KeyboardInterrupt
    return [record for part in parts for record in part.records]


def play_size(
    game: str,
    size: int,
    groups: list[list[Cell]],
    net: Evaluator,
    options: argparse.Namespace,
    show: Show,
) -> list[Tally]:
    """`options.games` games, or a few more, for each group of cells that are alike; without groups, from the start."""
    openings = [[name_of(group[0])] for group in groups] or [[]]
    places = -(-options.games // PARTS) * len(openings)

    def make(part: int) -> tuple[Any, Any, int]:
        games = core().SelfPlay(
            game,
            size,
            places,
            seed=options.seed + 1_000 * part + size,
            threads=max(1, options.threads // PARTS),
            full_simulations=options.simulations,
            considered=CONSIDERED,
            gumbel_scale=NOISE,
            openings=openings,
            games=1,
        )
        return games, net.lane(size, places), places

    records = played(
        [partial(make, part) for part in range(PARTS)],
        lambda done: show(f"{GAMES[game].title} {size}×{size}: {done:,} of {PARTS * places:,} games"),
    )
    # A record begins with the code of its first move: row × width + column, the width as docs/selfplay.md says.
    width = size if game == "pyloff" else 8 if size <= 8 else 11
    number = {group[0][1] * width + group[0][0]: at for at, group in enumerate(groups)}
    tallies = [Tally([name_of(cell) for cell in group]) for group in groups or [[]]]
    for record in records:
        tallies[number[record[2][0]] if number else 0].add(record)
    return tallies


def first_sight(net: PlayingNet, game: str, size: int, moves: list[str]) -> tuple[float, float]:
    """The chance and the margin of the colour that began with one of these moves: the mean over all of them."""
    empty = core().Position.start(game, size)
    seen = [net.judge(empty.play(move)) for move in moves]
    return 1 - mean(each.win_chance for each in seen), -mean(each.margin for each in seen)


def arguments() -> argparse.ArgumentParser:
    """What can be asked."""
    parser = argparse.ArgumentParser(prog="python -m purlieu.train.openings", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--net", type=Path, required=True, help="in full precision, such as runs/petrify/net.onnx")
    parser.add_argument("--sizes", help="such as 6,8; all that the net was trained on if left out")
    parser.add_argument("--games", type=int, default=200, help="for each first move")
    parser.add_argument("--simulations", type=int, default=64, help="a move")
    parser.add_argument("--freely", action="store_true", help="from the start, not after each first move")
    parser.add_argument("--device")
    parser.add_argument("--threads", type=int, default=usable_cores())
    parser.add_argument("--seed", type=int, default=1)
    return parser


def main() -> int:
    """Read the options and play what the file lacks."""
    options = arguments().parse_args()
    return exit_code(lambda: play_all(options))


def play_all(options: argparse.Namespace) -> None:
    """Play all that is asked for and that the file lacks."""
    game = find_game(options.game).name
    net = read_onnx_net(options.net)
    if net.shape.game != game:
        raise PurlieuError(f"{options.net.name} is a net of {net.shape.game}, not of {game}")
    sizes = read_sizes(options.sizes, game) if options.sizes else trained_sizes(options.net)
    enough = 0 < options.games <= 10**6 and 2 <= options.simulations <= MOST_SIMULATIONS
    if not (enough and 0 <= options.seed < 2**53):
        simulations = f"2 to {MOST_SIMULATIONS} simulations a move"
        raise PurlieuError(f"expected a game or more for each first move, {simulations}, and a seed of 0 or more")
    if options.threads < 1:
        raise PurlieuError(f"--threads is {options.threads}; expected 1 or more")
    if game == "pentwall" and not options.freely:
        raise PurlieuError("Pentwall begins with placements of pentominoes; --freely plays from the empty sheet")
    digest = hashlib.sha256(options.net.read_bytes()).hexdigest()[:16]
    asked = {"game": game, "net": digest, "simulations": options.simulations, "noise": NOISE, "seed": options.seed}
    require_folder(options.out)
    with exclusive(options.out):
        found = read_results(options.out, asked, freely=options.freely)
        try:
            play_lacking(found, sizes, evaluator(net, find_device(options.device)), PlayingNet(options.net), options)
        except ValueError as error:  # the core's own
            raise PurlieuError(str(error)) from None


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Keep others from a file for as long as it takes to do what it is to hold, or say that they are at it."""
    busy = f"{path} is being written by another run; wait for its end, or give another file"
    beside = path.with_name(path.name + ".lock")
    with beside.open("ab") as lock:
        hold(lock, busy)
        if not beside.exists() or not os.path.samestat(os.fstat(lock.fileno()), beside.stat()):
            raise PurlieuError(busy)  # whoever held it has just removed it
        try:
            yield
        finally:
            beside.unlink(missing_ok=True)


def play_lacking(
    found: dict[str, Any], sizes: list[int], playing: Evaluator, seeing: PlayingNet, options: argparse.Namespace
) -> None:
    """Play the sizes that a file lacks, and write it after each of them."""
    game, status = seeing.game, StatusLine()
    for size in sizes:
        if there := found["sizes"].get(str(size)):
            sys.stderr.write(skipped(f"{GAMES[game].title} {size}×{size}", there, options) + "\n")
            continue
        groups = [] if options.freely else first_cells(size)
        try:
            tallies = play_size(game, size, groups, playing, options, status.show)
        finally:
            status.clear()
        for tally in tallies:
            if tally.moves:
                tally.seen = first_sight(seeing, game, size, tally.moves)
        found["sizes"][str(size)] = [tally.plain() for tally in tallies]
        write_whole(options.out, (json.dumps(found, separators=(",", ":")) + "\n").encode())


def read_sizes(text: str, game: str) -> list[int]:
    """Sizes as they were written, such as 6,8."""
    words = [word.strip() for word in text.split(",")]
    if not all(word.isdecimal() for word in words):
        raise PurlieuError(f"--sizes is {text!r}; expected sizes such as 6,8")
    return [GAMES[game].start(int(word)).size for word in words]


def trained_sizes(net: Path) -> list[int]:
    """The sizes that a net was trained on, as it says itself."""
    try:
        return sorted(int(size) for size in fact(read_checked(net)[1], "sizes", list))
    except (ValueError, TypeError, OverflowError):
        raise PurlieuError(f"{net} does not say which sizes it was trained on; --sizes names them") from None


def read_results(path: Path, asked: dict[str, Any], *, freely: bool) -> dict[str, Any]:
    """What a file has so far; it must have been asked the same, and its games have begun the same way."""
    if not path.exists():
        return {**asked, "sizes": {}}
    try:
        found: dict[str, Any] = json.loads(path.read_text())
        tallies = [tally for tallies in found["sizes"].values() for tally in tallies]
        began = {bool(tally["moves"]) for tally in tallies if tally["wins"] + tally["draws"] + tally["losses"] > 0}
    except (ValueError, AttributeError, KeyError, TypeError):
        raise PurlieuError(f"{path} holds no results of ours; give another file") from None
    if {name: found.get(name) for name in asked} != asked:
        raise PurlieuError(f"{path} was played with other settings; give another file")
    if freely in began:
        way, mend = ("after each first move", "leave out") if freely else ("from the start", "add")
        raise PurlieuError(f"{path} has games {way}; {mend} --freely, or give another file")
    return found


def skipped(board: str, tallies: list[dict[str, Any]], options: argparse.Namespace) -> str:
    """What to say of a size that a file has already: how many games, and what to do if more were asked for."""
    games = min(tally["wins"] + tally["draws"] + tally["losses"] for tally in tallies)
    each = "" if options.freely else " for each first move"
    told = f"{board} is in {options.out} already, {games:,} games{each}"
    if games >= options.games:
        return f"{told}; it is not played again"
    asked = f"fewer than the {options.games:,} asked for"
    return f"{told}, {asked}; another --out, or the file without that size, plays it anew"


if __name__ == "__main__":
    sys.exit(main())
