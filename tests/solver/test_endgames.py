"""The proved ends of games in `tests/data/endgames`, and that the shipped nets find most of what is proved there.

`python -m benchmarks.strength.endgames` gives the shares over all positions; the floors here are well below them.
"""

from __future__ import annotations

from pathlib import Path
from statistics import mean

import pytest

import purlieu
from purlieu.cli.solve_pyloff import state_of
from purlieu.core import core
from purlieu.nets import net_for
from purlieu.rules.pyloff import BLACK, WHITE
from purlieu.solver.endgames import MARKS, Endgame, read_endgames
from purlieu.solver.pyloff import KoFreeGraph, best_margin
from purlieu.solver.solve import solve_position

FOLDER = Path(__file__).parent.parent / "data" / "endgames"
SETS = ("petrify6", "petrify8", "pilo6", "pilo8", "pentwall10", "pyloff6")
SOLVED_SETS = [name for name in SETS if name != "pyloff6"]


def endgames(name: str) -> list[Endgame]:
    return list(read_endgames(FOLDER / f"{name}.jsonl"))


@pytest.mark.parametrize("name", SETS)
def test_every_proved_position_is_one_of_the_game_with_a_mark_for_each_move(name: str) -> None:
    found = endgames(name)
    assert sum(end.has_a_choice for end in found) == 200
    assert len({end.position for end in found}) == len(found)
    for end in found:
        position = core().Position.parse(end.position)
        assert f"{position.game}{position.size}" == name
        assert purlieu.parse(end.position).text() == end.position
        assert not position.is_over
        assert len(end.moves("".join(MARKS))) == len(position.legal_moves()) > 1
        assert "*" in end.marks


@pytest.mark.parametrize("name", SOLVED_SETS)
def test_the_solver_confirms_what_is_proved_of_them(name: str) -> None:
    for end in sorted(endgames(name), key=lambda end: len(end.marks))[::40]:
        solution = solve_position(end.position, every_move=True)
        scored = solve_position(end.position, score=True, every_move=True)
        assert solution
        assert scored
        assert (solution.value, scored.margin) == (end.value, end.margin), end.position
        assert sorted(solution.best_moves) == end.moves("o*"), end.position
        assert sorted(scored.best_moves) == end.moves("*"), end.position


def test_in_pyloff_both_sides_force_the_margin_without_ko() -> None:
    for end in endgames("pyloff6")[::80]:
        state = state_of(purlieu.parse(end.position))
        graph = KoFreeGraph(6, state)
        forced = [best_margin(graph, colour, state) for colour in (BLACK, WHITE)]
        sign = 1 if state[1] == BLACK else -1
        assert [each.margin if each else None for each in forced] == [sign * end.margin, -sign * end.margin]


def test_where_only_the_winner_is_proved_the_expected_score_is_a_likely_one() -> None:
    net = net_for("pentwall")
    assert net
    off = []
    for end in endgames("pentwall10")[::10]:
        found = core().Search(core().Position.parse(end.position), net=net.ask).run(simulations=64)
        if found.proven in ("win", "loss"):
            off.append(abs(found.expected_score - end.margin))
    assert len(off) >= 12
    assert mean(off) < 8, "as the land lies now, before the last pentominoes, it would be more than 20"


@pytest.mark.parametrize("name", SETS)
def test_the_nets_find_most_of_the_moves_that_keep_the_result(name: str) -> None:
    net = net_for(name.rstrip("0123456789"))
    assert net
    sample = [end for end in endgames(name) if end.has_a_choice][::8]
    searches = [core().Search(core().Position.parse(end.position), net=net.ask) for end in sample]
    found = [search.run(simulations=64).best_move for search in searches]
    right = sum(move in end.moves("o*") for move, end in zip(found, sample, strict=True))
    assert right >= 0.7 * len(sample), f"{right} of {len(sample)}"
