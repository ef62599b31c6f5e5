"""Boards as text: aligned, readable without colour, and never wider than 80 columns."""

import pytest
from rich.text import Text

import purlieu
from purlieu import GAMES
from purlieu.rules import Colour, Square, petrify, pilo, pyloff
from purlieu.terminal.board import NO_MARKS, Marks, flat_board, last_move_marks
from purlieu.terminal.levels import pyramid_board
from purlieu.terminal.screen import ASCII, UNICODE, Glyphs
from purlieu.terminal.status import moment

from .desk import Paper, ascii_paper, drawn, played_out, text_of

# The margin of these pictures is one space: rows from 10 on need the column.


def test_petrify_shows_disks_blocks_and_the_last_move_in_brackets() -> None:
    before = petrify.draw("""
        . . . o
        . . . .
        # b . .
        . . . .
    """)
    move = before.read_move("b2xd4")
    after = before.play(move)
    assert text_of(flat_board(after, UNICODE, last_move_marks(before, move, after))) == (
        "    a  b  c  d\n"
        " 4  ·  ·  · [●] 4\n"
        " 3  ·  ·  ·  ·  3\n"
        " 2 ███[█] ·  ·  2\n"
        " 1  ·  ·  ·  ·  1\n"
        "    a  b  c  d"
    )  # fmt: skip


def test_pilo_shows_heights() -> None:
    position = pilo.draw("""
        . b2 o1
        # . .
        o3 . .
    """)
    assert text_of(flat_board(position, UNICODE)) == (
        "    a   b   c\n"
        " 3  ·   ●2  ○1  3\n"
        " 2 ████ ·   ·   2\n"
        " 1  ○3  ·   ·   1\n"
        "    a   b   c"
    )  # fmt: skip


def test_ascii_boards_say_b_o_and_hash() -> None:
    position = pilo.draw("""
        . b2 o1
        # . .
        o3 . .
    """)
    board = text_of(flat_board(position, ASCII))
    assert board.isascii()
    assert " 3  .   b2  o1  3" in board
    assert " 2 #### .   .   2" in board


def test_a_mound_against_the_edge_is_pointed_at_on_the_ring() -> None:
    position = petrify.draw("""
        . . o .
        . . . .
        . . . .
        . # b .
    """)
    refusal = position.explain("c1xc4")
    assert refusal
    assert text_of(flat_board(position, UNICODE, Marks(pointed=frozenset(refusal.squares)))) == (
        "       a  b  c  d\n"
        "   ██████████████████\n"
        " 4 ███ ·  ·  ○  · ███ 4\n"
        " 3 ███ ·  ·  ·  · ███ 3\n"
        " 2 ███ ·  ·  ·  · ███ 2\n"
        " 1 ███ · >█<>●< · ███ 1\n"
        "   ██████>█<>█<██████\n"
        "       a  b  c  d"
    )  # fmt: skip


def test_pentwall_tells_the_colours_apart_by_case_and_texture() -> None:
    position = purlieu.start("pentwall").play("Wc3d3d4e4e5").play("If6f7f8f9f10")
    board = text_of(flat_board(position, UNICODE, NO_MARKS))
    assert " 4  ·  ·  · █W██W█ ·  ·  ·  ·  ·  4" in board
    assert "10  ·  ·  ·  ·  · ╱i╱ ·  ·  ·  ·  10" in board


@pytest.mark.parametrize(("glyphs", "solid", "striped"), [(UNICODE, "[W█", "[i╱"), (ASCII, "[W#", "[i/")])
def test_the_last_move_of_pentwall_keeps_its_texture(glyphs: Glyphs, solid: str, striped: str) -> None:
    start = purlieu.start("pentwall")
    one = start.play("Wc3d3d4e4e5")
    two = one.play("If6f7f8f9f10")
    for before, after, move, seen in ((start, one, "Wc3d3d4e4e5", solid), (one, two, "If6f7f8f9f10", striped)):
        marks = last_move_marks(before, before.read_move(move), after)
        assert text_of(flat_board(after, glyphs, marks)).count(seen) == 5


def test_the_signs_on_the_board_are_explained_below_or_beside_it() -> None:
    pyramid = text_of(moment(purlieu.start("pyloff"), Paper()))
    assert "\n● Black  ○ White  ▪▫ buried  · valid point  [●] last move  × just captured\n" in pyramid
    assert "  [X] last move  * just captured\n" in text_of(moment(purlieu.start("pyloff"), ascii_paper()))
    sheet = text_of(moment(purlieu.start("pentwall"), Paper()))
    assert "capitals Solid, small letters Striped" in sheet
    assert "[ the last move" in sheet


def test_pyloff_shows_levels_side_by_side_valid_points_dotted_buried_marbles_small() -> None:
    position = pyloff.draw(
        """
        b w b .
        w b w .
        b w b w
        . . b w
        """,
        """
        b w .
        w b .
        . . b
        """,
        """
        w .
        . .
        """,
    )
    assert text_of(pyramid_board(position, UNICODE)) == drawn("""
      level 1
    4  ● ○ ● ·     L2
    3  ○ ▪ ○ ·   3  ● ○       L3
    2  ● ○ ● ○   2  ○ ●     2  ○
    1  · · ● ○   1      ●   1
       a b c d      a b c      a b
    """)


def test_captured_marbles_stay_as_ghosts_for_one_turn() -> None:
    before = pyloff.draw("""
        . . . .
        . b . .
        b w b .
        . . . .
    """)
    move = before.read_move("b1")
    after = before.play(move)
    marks = last_move_marks(before, move, after)
    assert "2  ● × ● ·" in text_of(pyramid_board(after, UNICODE, marks))
    assert "1  ·[●]· ·" in text_of(pyramid_board(after, UNICODE, marks))
    assert "×" not in text_of(pyramid_board(after, UNICODE))


def test_a_pentomino_held_over_painted_squares_shows_where_it_cannot_lie() -> None:
    position = purlieu.start("pentwall").play("Wc3d3d4e4e5")
    ghost = {Square(5, 3): "I", Square(5, 4): "I"}
    board = text_of(flat_board(position, UNICODE, Marks(ghost=ghost)))
    assert "▒I▒" in board
    assert "▒!▒" in board


SIZES = [(name, size) for name, game in GAMES.items() for size in game.sizes if size <= (8 if name == "pyloff" else 10)]


@pytest.mark.parametrize(("game", "size"), SIZES)
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_every_line_of_every_board_fits_80_columns(game: str, size: int, glyphs: Glyphs) -> None:
    paper = Paper(glyphs)
    names = dict.fromkeys(purlieu.Seat, "somebody with a very long name indeed")
    line = played_out(game, size, most=120)
    for position, move in line[:: max(1, len(line) // 6)]:
        after = position.play(move)
        marks = last_move_marks(position, move, after)
        for text in moment(after, paper, marks, names=names, last=str(move)):
            assert text.cell_len <= 80, text.plain


@pytest.mark.parametrize("game", GAMES)
def test_ascii_screens_print_nothing_but_ascii_boards(game: str) -> None:
    paper = ascii_paper()
    position, move = played_out(game, GAMES[game].sizes[0], most=9)[-1]
    after = position.play(move)
    body = text_of(moment(after, paper, last_move_marks(position, move, after)))
    assert body.replace("×", "x").isascii()


def test_a_pyramid_of_side_19_wraps_its_levels() -> None:
    line = played_out("pyloff", 19, most=30)
    lines = pyramid_board(line[-1][0], UNICODE)
    assert max(text.cell_len for text in lines) <= 80
    assert lines[0] == Text.assemble("   ", ("level 1", "bold"))


def test_both_colours_of_a_game_never_share_a_glyph() -> None:
    for glyphs in (UNICODE, ASCII):
        for game in ("petrify", "pilo"):
            picture = "b o ." + "\n. . ." * 2
            row = text_of(flat_board(GAMES[game].draw(picture), glyphs)).split("\n")[1]
            assert len(set(row) - set("0123456789 ") - {glyphs.empty}) == 2
    assert Colour.BLUE.other is Colour.ORANGE
