"""How often a net finds a move that is proved best, and knows who wins.

    python -m benchmarks.strength.endgames [SET…]

The positions are those of `tests/data/endgames` (`scripts/proved_endgames.py`). Asked are the net's policy and value
alone, and the search with the net at 64 and 800 visits; beside them the search by playouts (`full`) for as long as the
net took, on average, which solves such ends exactly where it can. Shares of best moves are over the positions in which
some move gives the result away; who wins is asked in all but draws. Intervals are Wilson's, 95 %.

Answers are kept in build/proved_endgames.jsonl, so that a run that was broken off goes on. `--net FILE` asks another
net.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

from benchmarks.common import ROOT, machine
from benchmarks.strength.solved_positions import share
from purlieu.core import core
from purlieu.nets import Net, load, net_for
from purlieu.rules import PurlieuError
from purlieu.solver.endgames import Endgame, read_endgames

FOLDER = ROOT / "tests" / "data" / "endgames"
KEPT = ROOT / "build" / "proved_endgames.jsonl"
SETS = ("petrify6", "petrify8", "pilo6", "pilo8", "pentwall10", "pyloff6")


class Answer(NamedTuple):
    """What a player says of a position: a move, and its chance to win."""

    move: str
    win_chance: float


Player = Callable[[Endgame], Answer]


@dataclass(frozen=True, slots=True)
class Marks:
    """How a player's answers to a set fared. Of moves, counted are the positions in which one gives the result away."""

    choices: int
    keeps_result: int
    keeps_margin: int
    with_winner: int
    knows_winner: int
    seconds: float
    """For a position, on average."""


def main() -> None:
    """Print three tables: one row for each set, one column for each player."""
    parser = argparse.ArgumentParser(description="How often a net finds a move that is proved best.")
    parser.add_argument("sets", nargs="*", metavar="SET", help=f"of {', '.join(SETS)}; all that the net plays without")
    parser.add_argument("--net", type=Path, metavar="FILE", help="another net than the one shipped")
    parser.add_argument("--visits", type=int, nargs="+", default=[64, 800], metavar="N")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="sets at a time, on a core each [1]")
    options = parser.parse_args()
    if unknown := [name for name in options.sets if name not in SETS]:
        parser.error(f"there is no set {unknown[0]}; the sets are {', '.join(SETS)}")
    try:
        other = load(options.net) if options.net else None
    except PurlieuError as error:
        parser.error(str(error))
    names = [name for name in options.sets or SETS if other is None or name.startswith(other.game)]
    if not names:
        parser.error(f"{options.net} plays none of these sets; it is a net of {other.game if other else 'no game'}")
    with ProcessPoolExecutor(options.workers) as pool:
        asked = {name: pool.submit(measure, name, options.net, options.visits) for name in names}
        results = {name: found.result() for name, found in asked.items()}
    print(f"{machine()}; {options.net.name if options.net else 'the nets shipped'}\n")
    for title, cell in TABLES.items():
        columns = list(results[names[0]])
        print(f"{title}:\n\n| positions | {' | '.join(columns)} |")
        print("| --- |" + " --- |" * len(columns))
        for name, found in results.items():
            print(f"| {name} | {' | '.join(cell(marks) for marks in found.values())} |")
        print()


TABLES: dict[str, Callable[[Marks], str]] = {
    "Moves that keep the result": lambda marks: share(marks.keeps_result, marks.choices),
    "Moves that keep result and margin": lambda marks: share(marks.keeps_margin, marks.choices),
    "Who wins": lambda marks: share(marks.knows_winner, marks.with_winner) if marks.with_winner else "",
    "Milliseconds a position": lambda marks: f"{1000 * marks.seconds:.0f}",
}


def net_of(name: str, file: Path | None) -> Net:
    """The net for a set."""
    net = load(file) if file else net_for(name.rstrip("0123456789"))
    if net is None:
        raise SystemExit("what runs nets is not installed: pip install 'purlieu[net]'")
    return net


def measure(name: str, file: Path | None, visits: list[int]) -> dict[str, Marks]:
    """Every player's marks on a set, by the player's name."""
    net = net_of(name, file)
    endgames = list(read_endgames(FOLDER / f"{name}.jsonl"))
    number = sum(end.has_a_choice for end in endgames)
    chance = f"a move by chance keeps the result in {100 * by_chance(endgames):.0f} % of these"
    print(f"{name}: {len(endgames)} positions, {number} with a choice; {chance}", flush=True)
    found = {"the net alone": kept(name, "alone", net, endgames, lambda end: at_first_sight(net, end))}
    for number in visits:
        found[f"{number} visits"] = kept(name, f"{number} visits", net, endgames, by_visits(net, number))
    for number in visits:
        seconds = found[f"{number} visits"].seconds
        title = f"`full`, the time of {number}"
        found[title] = kept(name, f"full as long as {number}", net, endgames, by_playouts(seconds))
    return found


def at_first_sight(net: Net, end: Endgame) -> Answer:
    """The net's likeliest move and its value. Its policy knows no pass, which is legal only where nothing else is."""
    position = core().Position.parse(end.position)
    seen = net.judge(position)
    move = max(seen.policy, key=seen.policy.__getitem__) if seen.policy else position.legal_moves()[0]
    return Answer(move, seen.win_chance)


def by_visits(net: Net, visits: int) -> Player:
    """The search with the net."""

    def ask(end: Endgame) -> Answer:
        search = core().Search(core().Position.parse(end.position), net=net.ask)
        report = search.run(simulations=visits)
        return Answer(report.best_move, report.win_chance)

    return ask


def by_playouts(seconds: float) -> Player:
    """The search by playouts."""

    def ask(end: Endgame) -> Answer:
        report = core().Search(core().Position.parse(end.position)).run(seconds=seconds)
        return Answer(report.best_move, report.win_chance)

    return ask


def kept(name: str, player: str, net: Net, endgames: list[Endgame], ask: Player) -> Marks:
    """A player's marks: those of an earlier run with the same net, core and positions, or new ones, which are kept."""
    asked = "".join(end.to_json() for end in endgames).encode() + net.path.read_bytes()
    asked += Path(sys.modules[core().Search.__module__].__file__ or "").read_bytes()
    key = f"{name} {player} {hashlib.sha256(asked).hexdigest()[:16]}"
    KEPT.parent.mkdir(exist_ok=True)
    lines = KEPT.read_text(encoding="utf-8").splitlines() if KEPT.exists() else []
    known = {line["key"]: line["marks"] for line in map(json.loads, lines)}
    if key in known:
        return Marks(**known[key])
    marks = mark(endgames, ask)
    with KEPT.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"key": key, "marks": asdict(marks)}) + "\n")
    return marks


def mark(endgames: list[Endgame], ask: Player) -> Marks:
    """Ask a player about every position."""
    begun = time.perf_counter()
    answers = [ask(end) for end in endgames]
    seconds = (time.perf_counter() - begun) / len(endgames)
    choices = [(end, answer) for end, answer in zip(endgames, answers, strict=True) if end.has_a_choice]
    decisive = [(end, answer) for end, answer in zip(endgames, answers, strict=True) if end.value != "draw"]
    return Marks(
        choices=len(choices),
        keeps_result=sum(answer.move in end.moves("o*") for end, answer in choices),
        keeps_margin=sum(answer.move in end.moves("*") for end, answer in choices),
        with_winner=len(decisive),
        knows_winner=sum((answer.win_chance > 0.5) == (end.value == "win") for end, answer in decisive),
        seconds=seconds,
    )


def by_chance(endgames: list[Endgame]) -> float:
    """How often a random move keeps the result, where not every move does."""
    choices = [end for end in endgames if end.has_a_choice]
    return sum(1 - end.marks.count(".") / len(end.marks) for end in choices) / len(choices)


if __name__ == "__main__":
    main()
