"""The walk through the count adds up to what the rules say, and every line fits."""

import pytest

import purlieu
from purlieu import GAMES
from purlieu.rules import pentwall, petrify, pyloff
from purlieu.terminal.count import summary, verdict, walk

from .desk import Paper, played_out, text_of


def test_pairs_are_struck_out_and_the_biggest_group_left_owns_the_patch() -> None:
    position = petrify.draw("""
        b b o # o
        b o o # o
        o o b # b
        b o b # b
        b b b # o
    """)
    steps = [text_of(step) for step in walk(position, Paper())]
    assert steps[0] == (
        "    a   b   c       Patch 1 of 2: 15 squares\n"
        " 5  ●3  ●3 -○6- 5   Blue    6, 3\n"
        " 4  ●3 -○6--○6- 4   Orange  6\n"
        " 3 -○6--○6--●6- 3   strike out 6 and 6: a1 and b2\n"
        " 2 -●6--○6--●6- 2   biggest left: Blue's 3, at a4\n"
        " 1 -●6--●6--●6- 1   Blue owns it: 15 points\n"
        "    a   b   c"
    )  # fmt: skip
    assert "strike out 2 and 2: e2 and e4" in steps[1]
    assert steps[2].split("\n")[:2] == ["Blue     15", "Orange   5"]


def test_a_patch_without_a_group_left_is_nobodys() -> None:
    position = petrify.draw("b o .\n. . .\n. . .")
    assert "No group is left: nobody owns it." in text_of(next(walk(position, Paper())))
    assert [line.plain for line in summary(position)] == ["patch at a1, 9 squares: pairs struck out 1: nobody"]


def test_a_territory_shows_who_touches_it() -> None:
    position = pentwall.draw(
        ". . . . . . . . . .\n" * 6
        + """
        l l l l . . . . . .
        . . . l P . . . . .
        . . . P P . . . . .
        . . . P P . . . . .
    """
    )
    first = text_of(next(walk(position, Paper())))
    assert "Striped  touches it with 4 squares" in first
    assert "Striped owns it: 9 points" in first
    assert " 3  ·  ·  · ╱l╱ 3" in first


def test_marbles_are_counted_level_by_level_buried_ones_told() -> None:
    position = pyloff.draw("b w b\nw b w\nb w b", "b w\nw b", "b")
    assert text_of(next(walk(position, Paper()))) == (
        "level   Black   White\n"
        "    3       1       0\n"
        "    2       2       2\n"
        "    1       5       4   of which buried: 1 black\n"
        "\n"
        "Black    5 + 2 + 1 = 8\n"
        "White    4 + 2 = 6"
    )  # fmt: skip


def test_the_tie_rule_is_told() -> None:
    tie = purlieu.parse("petrify bbb/###/oob ply=15 passes=2 last=first")
    assert text_of(verdict(tie)) == (
        "Orange (second seat) wins: the totals are equal and Blue made the last board play."
    )


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", [1, 2])
def test_every_finished_game_is_walked_through_within_80_columns(game: str, seed: int) -> None:
    size = {"petrify": 8, "pilo": 10, "pentwall": 10, "pyloff": 5}[game]
    position, move = played_out(game, size, seed)[-1]
    end = position.play(move)
    assert end.outcome
    steps = list(walk(end, Paper()))
    assert max(line.cell_len for step in steps for line in step) <= 80
    for colour, total in end.score().items():
        assert any(line.plain.startswith(colour.title) and line.plain.endswith(str(total)) for line in steps[-1])
    assert end.outcome.reason in steps[-1][-1].plain
