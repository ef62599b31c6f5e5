"""Hints and analyses: the engine's word on a position, in a sentence, a line or a table."""

import re
from random import Random

import pytest

import purlieu
from purlieu import GAMES, Position, Seat
from purlieu.engine import LEVELS, Engine
from purlieu.rules import petrify
from purlieu.terminal.opinions import chance, opinion_table
from purlieu.terminal.session import Session
from purlieu.terminal.table import Table
from purlieu.terminal.thinking import Thinking

from .desk import Paper, ascii_paper, played_out

WON = petrify.draw("b b b\nb b b\nb b .")
LOST = purlieu.parse("petrify b1b/bbb/bb1 ply=3 blue=first passes=0 last=first")
NOT_TO_SWAP = purlieu.parse("petrify 6/6/3o2/6/6/b5 ply=1 blue=first passes=0 last=first")
"""Orange has a disk to begin with, so whoever judges, and with whatever net, prefers it."""


def answer(position: Position, *typed: str, paper: Paper | None = None) -> str:
    """What the last line typed was answered with, in a game of two people."""
    paper = paper or Paper()
    session = Session(Table(position, random=Random(1)), paper)
    for line in typed[:-1]:
        session.enter(line)
    before = len(paper.text)
    session.enter(typed[-1])
    return paper.text[before:]


def in_one_line(text: str) -> str:
    return " ".join(text.split())


# -- hints ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_is_the_engines_move_with_its_chance_and_score(game: str) -> None:
    position = played_out(game, seed=3)[3][0]
    told = in_one_line(answer(position, "hint"))
    found = re.fullmatch(
        r"Hint: (\S+)\. (\w+) then has (\d\d?)% to win, and should end about (even|\d+ points? (ahead|behind))\.", told
    )
    assert found, told
    assert found[1] == str(Engine(effort="thorough", seed=1).analyse(position).best_move)
    assert found[2] == position.colour_to_move.title


def test_the_same_position_always_gets_the_same_hint() -> None:
    position = purlieu.start("pentwall").play("Wc3d3d4e4e5")
    assert answer(position, "hint") == answer(position, "hint") == answer(position, "hint", "hint")


def test_a_hint_does_not_change_what_the_computer_plays() -> None:
    replies = []
    for typed in (["move", "move"], ["hint", "move", "analyse", "analysis on", "move"]):
        paper = Paper()
        computers = {Seat.SECOND: Thinking(paper).player(LEVELS[1])}
        session = Session(Table(purlieu.start("pentwall"), computers=computers, random=Random(3)), paper)
        for line in typed:
            session.enter(str(session.table.position.legal_moves()[0]) if line == "move" else line)
        replies.append(session.table.moves)
    assert len(replies[0]) == 4
    assert replies[0] == replies[1]


def test_a_hint_on_the_pie_rule_says_whether_to_swap_and_the_chances_of_both() -> None:
    told = in_one_line(answer(purlieu.start("pilo", 4).play("a1"), "hint"))
    found = re.fullmatch(
        r"Hint: swap\. Blue has (\d+)% to win, .* ahead; staying Orange you would have (\d+)% with \w\d\.", told
    )
    assert found, told
    assert int(found[1]) > 90, "Blue's win is proved (docs/solved.md)"
    assert int(found[1]) + int(found[2]) == 100


def test_a_hint_on_a_first_move_that_may_be_swapped_says_what_it_leaves_to_both() -> None:
    told = in_one_line(answer(purlieu.start("pilo", 6), "hint"))
    found = re.fullmatch(
        r"Hint: \w\d, as the other side may swap: with the better colour it has (\d\d)%, and you (\d\d)%\.", told
    )
    assert found, told
    assert int(found[1]) >= 50
    assert int(found[1]) + int(found[2]) == 100


def test_a_hint_against_a_swap_says_so() -> None:
    told = in_one_line(answer(NOT_TO_SWAP, "hint"))
    assert re.fullmatch(r"Hint: \w\d, and no swap\. Orange has \d\d% .*; after a swap you would have \d\d%\.", told), (
        told
    )


def test_where_a_swap_is_expected_the_line_under_the_board_names_the_colour_that_one_will_have() -> None:
    first = purlieu.start("pilo", 6)
    assert re.search(r"\nOrange █*·* [234]\d%, -.*; best \w\d swap\n", answer(first, "analysis on"))
    assert re.search(r"\nBlue █*·* [67]\d%, \+.*; best swap ", answer(first.play("b2"), "analysis on"))
    assert re.search(r"\nOrange █*·* [23]\d%, -.*; best \w\d", answer(first.play("b2").play("swap"), "analysis on"))


def test_what_is_proven_is_said_to_be_proven() -> None:
    assert answer(WON, "hint") == "Hint: c1. It wins against any defence: that is proven.\n"
    table = answer(WON, "analyse")
    assert "c1     100%  wins, proven\n" in table
    assert "Blue wins against best play: that is proven." in table
    assert "Blue ██████████ wins, proven; best c1" in answer(WON, "analysis on")
    lost = answer(LOST, "hint")
    assert re.fullmatch(r"Hint: (c1|b3)\. But every move loses against best play: that is proven\.\n", lost)
    assert answer(LOST, "analyse").count("loses, proven\n") == 2
    assert "Orange ·········· loses, proven; best " in answer(LOST, "analysis on")


def test_what_is_not_proven_is_never_called_certain() -> None:
    assert (chance(0.9999), chance(0.0001), chance(0.5)) == ("99%", "1%", "50%")


# -- the line after every turn --------------------------------------------------------------------


def test_analysis_adds_a_line_after_every_turn_until_it_is_switched_off() -> None:
    paper = Paper()
    session = Session(Table(purlieu.start("petrify", 6).play("a1").play("f6")), paper)
    line = re.compile(r"^(Blue|Orange) [█·]{10} \d\d?%, [+-]\d+\.\d; best \w\d.*$", re.MULTILINE)
    told = []
    for typed in ("b2", "analysis on", "e5", "b5", "undo", "analysis off", "c4"):
        before = len(paper.text)
        session.enter(typed)
        told.append([found[1] for found in line.finditer(paper.text[before:])])
    assert told == [[], ["Orange"], ["Blue"], ["Orange"], ["Blue"], [], []]


def test_analysis_alone_switches_to_and_fro() -> None:
    assert "Analysis is on." in answer(WON, "analysis")
    assert answer(WON, "analysis", "analysis") == "Analysis is off.\n"
    assert "it is analysis on or analysis off" in answer(WON, "analysis maybe")


@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize("game", GAMES)
def test_nothing_the_engine_says_is_wider_than_the_screen(game: str, width: int) -> None:
    line = played_out(game, seed=2)
    for position, _ in line[:: len(line) // 4]:
        paper = Paper(width=width)
        answer(position, "analysis on", "analyse", "hint", "help", paper=paper)
        assert max(map(len, paper.text.splitlines())) <= width


def test_in_ascii_the_bar_is_ascii_too() -> None:
    assert re.search(r"\nSolid #+\.+ \d\d%, ", answer(purlieu.start("pentwall"), "analysis on", paper=ascii_paper()))


# -- the table ------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["analyse", "analyze", "an", "analyse 0.2", "an 0.2s"])
def test_analyse_lists_five_moves_with_sight_share_chance_and_score(typed: str) -> None:
    position = purlieu.start("pyloff", 4).play("b2")
    head, *rows = answer(position, typed).splitlines()
    assert head.split() == ["move", "sight", "share", "wins", "score"]
    cells = [re.fullmatch(r"  (\S+) +\d+% +(\d+)% +(\d+)% +[+-]\d+\.\d", row) for row in rows[:5]]
    assert all(found and position.explain(found[1]) is None for found in cells)
    shares = [int(found[2]) for found in cells if found]
    assert shares == sorted(shares, reverse=True)
    best = str(cells[0] and cells[0][1])
    assert rows[5].startswith(f"Best line: {best} ")
    assert "White's" in rows[6]


@pytest.mark.parametrize(
    ("position", "place"),
    [(NOT_TO_SWAP, 5), (purlieu.start("pilo", 4).play("a1"), 0)],
    ids=["stay", "swap"],
)
def test_the_table_always_tells_what_a_swap_is_worth(position: purlieu.Position, place: int) -> None:
    rows = answer(position, "analyse").splitlines()[1:7]
    assert re.fullmatch(r"  swap +\d\d% +[+-]\d+\.\d", rows[place])
    chances = [int(re.findall(r"(\d+)%", row)[-1]) for row in rows]
    best_move = chances[0] if place else chances[1]
    assert chances[place] == pytest.approx(100 - best_move, abs=1)


@pytest.mark.parametrize(
    ("moves", "whose"), [("", "yours"), ("c3", "yours"), ("c3 d4", "Blue's"), ("c3 swap", "Orange's")]
)
def test_while_a_swap_may_come_the_table_tells_chances_of_persons_and_later_of_colours(moves: str, whose: str) -> None:
    position = purlieu.start("petrify", 6)
    for move in moves.split():
        position = position.play(move)
    assert f"Chances and scores are {whose}" in in_one_line(answer(position, "analyse 0.1"))


def test_a_first_move_that_only_games_have_told_of_has_no_share_of_the_search() -> None:
    head, *rows = opinion_table(Engine(seed=1).analyse(purlieu.start("pilo", 6), simulations=2))
    shares = [row.split()[2] for row in rows[:5]]
    assert head.split()[2] == "share"
    assert shares.count("–") >= 3


@pytest.mark.parametrize("typed", ["0", "-1", "nan", "inf", "soon", "1e9", "5 6"])
def test_a_time_that_is_none_is_refused_in_a_sentence(typed: str) -> None:
    assert in_one_line(answer(WON, f"analyse {typed}")) == "analyse takes seconds, up to 3600, as in analyse 5."


@pytest.mark.parametrize("typed", ["hint", "analyse"])
def test_a_finished_game_has_no_best_move(typed: str) -> None:
    assert answer(WON, "c1", typed) == "The game is over.\n"


def test_a_finished_game_gets_no_line() -> None:
    assert "proven" not in answer(WON, "analysis on", "c1")


def test_where_a_net_plays_the_table_tells_how_likely_each_move_looked_at_first_sight() -> None:
    position = played_out("petrify", seed=3)[6][0]
    rows = answer(position, "analyse").splitlines()[1:]
    cells = [re.fullmatch(r"  (\S+) +(\d+)% +\d+% +\d+% +[+-]\d+\.\d", row) for row in rows[:5]]
    policy = Engine(effort="quick", seed=1).analyse(position).policy
    assert policy is not None
    for found in cells:
        assert found
        assert int(found[2]) == pytest.approx(100 * policy[found[1]], abs=0.51)
    assert any(row.startswith("Sight: how likely the net thought") for row in rows)


# -- who will own what ----------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_an_analysis_draws_who_will_own_what(game: str) -> None:
    position = played_out(game, seed=3)[6][0]
    told = answer(position, "analyse").splitlines()
    at = next(number for number, line in enumerate(told) if line.startswith("Who will own what"))
    if game == "pyloff":
        between = told[at + 3 : at + 1 + 2 * position.size : 2]  # the lines of level 2, after a sentence about them
        assert [len(line.split()) for line in between] == [position.size - 1] * (position.size - 1)
        told = told[: at + 1] + [line for line in told[at + 2 :] if line not in between]
    rows = told[at + 1 : at + 1 + position.size]
    assert [int(row.split()[0]) for row in rows] == list(range(position.size, 0, -1))
    assert all(len(row.split()) == 1 + position.size and set("".join(row.split()[1:])) <= set("#+=-.") for row in rows)
    assert told[at + 1 + position.size].split() == [chr(ord("a") + column) for column in range(position.size)]


@pytest.mark.parametrize("game", GAMES)
def test_before_the_second_move_it_is_too_early_to_say_who_will_own_what(game: str) -> None:
    position = purlieu.start(game)
    for _ in range(2):
        told = answer(position, "analyse").splitlines()
        assert told[-1] == "It is too early to say who will own what."
        assert not any(line.startswith("Who will own what") for line in told)
        position = position.play(position.legal_moves()[0])
    assert any(line.startswith("Who will own what") for line in answer(position, "analyse").splitlines())


def test_land_that_is_as_good_as_owned_is_drawn_so() -> None:
    """Near the end of a game, where any net of ours is sure: the ends of the board are Blue's."""
    told = answer(
        purlieu.parse("petrify 1o1oob/bb##bb/b##1#b/oboo#o/b###bo/2ooob ply=40 blue=first passes=0 last=second"),
        "analyse",
    )
    assert "# Blue, + rather; = Orange, - rather." in told
    assert "   6 # # # # # #\n" in told
    assert "   4 . . . = . #\n" in told
    assert "   1 # # # # # #\n" in told
