"""What the table answers to what is typed."""

from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import purlieu
from purlieu import GAMES, Seat
from purlieu.players import choose_greedy
from purlieu.rules import petrify, pilo, pyloff
from purlieu.terminal.commands import EVERYWHERE, PENTWALL
from purlieu.terminal.session import Session
from purlieu.terminal.table import Table

from .desk import Paper, sit_at


def after_typing(game: str, *typed: str, size: int | None = None) -> str:
    """What the last line typed was answered with."""
    paper = Paper()
    session = Session(Table(purlieu.start(game, size), random=Random(1)), paper)
    session.begin()
    for line in typed[:-1]:
        session.enter(line)
    before = len(paper.text)
    session.enter(typed[-1])
    return paper.text[before:]


def test_a_mistyped_command_is_told_the_right_one() -> None:
    assert after_typing("petrify", "udno") == "udno: did you mean undo?\n"
    assert after_typing("pentwall", "filp") == "filp: did you mean flip?\n"


@pytest.mark.parametrize("typed", ["b2xd4", "B2 X D4", "b2-d4", "b2 d4", "b2d4", "b2 takes d4"])
def test_a_capture_may_be_typed_in_many_ways(typed: str) -> None:
    session, _ = sit_at(petrify.draw(". . . o\n. . . .\n. b . .\n. . . ."), typed)
    assert str(session.table.last_move) == "b2xd4"


@pytest.mark.parametrize("typed", ["Wc3d3d4e4e5", "w c3 d3 d4 e4 e5", "W: e5, e4, d4, d3, c3"])
def test_a_pentomino_may_be_typed_in_many_ways(typed: str) -> None:
    session, _ = sit_at(purlieu.start("pentwall"), typed)
    assert str(session.table.last_move) == "Wc3d3d4e4e5"


@pytest.mark.parametrize("typed", ["c3", "1c3", "1 c3", "1-c3", "C3"])
def test_a_point_may_be_typed_in_many_ways(typed: str) -> None:
    session, _ = sit_at(purlieu.start("pyloff"), typed)
    assert str(session.table.last_move) == "c3"


def test_the_swap_is_explained_when_it_is_offered_and_only_then() -> None:
    assert "Pie rule" not in after_typing("petrify", "help")
    assert "may type swap" in after_typing("petrify", "c3")
    assert "Pie rule" not in after_typing("petrify", "c3", "d4")
    assert "Pie rule" not in after_typing("pyloff", "c3")


def test_a_swap_says_who_plays_what() -> None:
    answer = after_typing("petrify", "c3", "swap", size=6)
    assert "who was Orange now plays Blue" in answer
    assert "▸ ○ Orange    0  first" in answer


def test_forced_passes_are_announced() -> None:
    _, text = sit_at(petrify.draw("b b b\nb b b\nb b ."), "c1")
    assert "Orange has no board play and passes." in text
    assert "Blue has no board play and passes." in text


def test_an_illegal_capture_is_drawn() -> None:
    position = petrify.draw(". . . . .\n. . . # .\n. . b . o\n. # . . .\n. . . . .")
    session, text = sit_at(position, "c3xe3")
    assert "the block left on c3 would complete a barricade with b2 and d4." in text
    assert ">●<" in text
    assert session.refused == 1


def test_why_names_the_rule_or_says_what_a_legal_move_would_do() -> None:
    position = pilo.draw(". . . .\nb1 . b2 o1\n. . . .\n. . . .")
    _, text = sit_at(position, "why c3xd3", "why a3xd3")
    assert "The rule: unequal heights." in text
    assert "a3xd3 is legal: it takes d3 and leaves a block on a3. The score would be Blue 15, Orange 0." in " ".join(
        text.split()
    )


def test_superko_shows_the_board_that_would_return() -> None:
    ko = pyloff.draw(". b w .\nb w . w\n. b w .\n. . . .")
    session, text = sit_at(ko, "c3", "b3")
    assert "superko" in text, text
    assert "The board after turn" in text
    assert session.table.position.ply == ko.ply + 1


def test_captures_are_listed_on_request() -> None:
    _, text = sit_at(petrify.draw(". . . o\n. . . .\n. b . .\n. . . ."), "captures", "captures a1")
    assert "1 legal capture:\n  b2xd4\n" in text
    assert "No legal capture from a1." in text
    _, text = sit_at(pyloff.draw(". . . .\n. b . .\nb w b .\n. . . ."), "captures")
    assert "b1 (takes 1)" in text


def test_moves_of_pentwall_are_counted_by_letter() -> None:
    assert "4096 legal moves: F 512" in after_typing("pentwall", "moves")
    answer = after_typing("pentwall", "moves I")
    assert answer.startswith("120 legal moves that begin with i:\n  Ia1b1c1d1e1  Ia1a2a3a4a5")


def test_pentwall_is_played_by_picking_turning_flipping_and_painting() -> None:
    session, text = sit_at(purlieu.start("pentwall"), "pick L", "turn", "flip", "at c3", "up", "right", "paint")
    assert str(session.table.last_move) == "Lg4d5e5f5g5"
    assert "in hand L at c3" in text
    assert "▒L▒" in text
    assert session.refused == 0


def test_a_letter_alone_picks_a_pentomino_and_paint_can_name_the_square() -> None:
    session, _ = sit_at(purlieu.start("pentwall"), "u", "paint a1")
    assert str(session.table.last_move) == "Ua1b1c1a2c2"


def test_nothing_can_be_turned_with_an_empty_hand_and_a_used_pentomino_cannot_be_picked() -> None:
    assert "no pentomino is in hand" in after_typing("pentwall", "turn")
    assert "W is used already" in after_typing("pentwall", "Wc3d3d4e4e5", "pick W")
    assert "pick one by its letter" in after_typing("pentwall", "pick Q")


def test_the_computer_replies_at_once_and_says_so() -> None:
    table = Table(purlieu.start("pyloff", 4), computers={Seat.SECOND: choose_greedy}, names={Seat.SECOND: "greedy"})
    session, text = sit_at(table.position, "b2", table=table)
    assert "White plays" in text
    assert "second, greedy" in text
    assert session.table.position.ply == 2


def test_the_end_is_counted_and_the_table_stays_open_for_questions() -> None:
    position = petrify.draw("b b b\nb b b\nb b .")
    session, text = sit_at(position, "c1", "a1", "undo")
    assert "The game is over. The count:" in text
    assert "the game is over: both sides have passed" in text
    assert "Taken back: c1, pass, pass." in text
    assert not session.table.is_finished


def test_leaving_an_unfinished_game_prints_its_position() -> None:
    session, _ = sit_at(purlieu.start("petrify", 6), "c3", "quit")
    session.farewell()
    assert session.done
    assert isinstance(session.screen, Paper)
    assert session.screen.text.endswith(f"\n  purlieu play '{session.table.position.text()}'\n")


def test_control_characters_are_never_echoed() -> None:
    assert "\x1b" not in after_typing("petrify", "\x1b[31mred")
    assert "\x1b" not in after_typing("petrify", "why \x1b]0;title\x07")


@pytest.mark.parametrize("game", GAMES)
def test_every_command_answers_something(game: str) -> None:
    for word in (PENTWALL if game == "pentwall" else {}) | EVERYWHERE:
        if word != "quit":
            assert after_typing(game, word).strip(), word


WORDS = [
    word
    for word in (*PENTWALL, *EVERYWHERE, "pass", "swap", "?")
    if word not in ("save", "analyse")  # with a number that one may take minutes
]
SQUARES = st.builds(lambda letter, row: f"{letter}{row}", st.sampled_from("abcjkz"), st.integers(0, 12))
LINES = st.one_of(
    st.text(max_size=40).filter(lambda text: not text.strip().lower().startswith("save")),
    st.builds(" ".join, st.lists(st.one_of(st.sampled_from(WORDS), SQUARES, st.text(max_size=5)), max_size=4)),
    SQUARES,
    st.builds(lambda one, two: f"{one}x{two}", SQUARES, SQUARES),
    st.builds(lambda level, square: f"{level}{square}", st.integers(0, 20), SQUARES),
)


@given(game=st.sampled_from([*GAMES]), lines=st.lists(LINES, max_size=12))
@example(game="pentwall", lines=["at", "pick", "pick W", "at", "paint", "at j10", "paint", "undo", "undo"])
@example(game="pyloff", lines=["save \0.pur", "why", "why \0", "moves \x1b", "captures " + "x" * 900])
@settings(max_examples=60)
def test_no_junk_typed_at_the_table_ever_raises_or_prints_a_control_character(game: str, lines: list[str]) -> None:
    paper = Paper()
    session = Session(Table(purlieu.start(game, GAMES[game].sizes[0]), random=Random(0)), paper)
    session.begin()
    for line in lines:
        session.enter(line)
    session.farewell()
    assert all(char.isprintable() or char == "\n" for char in paper.text)
