from __future__ import annotations

import os
import re
import string
import subprocess
import sys

import pytest

from purlieu import GAMES, PurlieuError, parse, start
from purlieu.drawing import svg
from purlieu.drawing.geometry import Board, outline
from purlieu.rules import Square

from .pictures import SVG, positions, random_game, read, words

COLOUR = re.compile(r"none|#[0-9a-f]{6}|url\(#[\w-]+\)")


@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
@pytest.mark.parametrize("ledger", [False, True])
def test_every_drawing_is_well_formed_and_every_paint_a_colour(theme: str, ledger: bool) -> None:
    for move, before, position in positions():
        root = read(svg(position, last_move=move, before=before, ledger=ledger, theme=theme))
        for element in root.iter():
            for paint in ("fill", "stroke", "stop-color"):
                assert COLOUR.fullmatch(element.get(paint, "none")), element.attrib


@pytest.mark.parametrize("name", GAMES)
def test_every_size_of_every_game_can_be_drawn(name: str) -> None:
    for size in GAMES[name].sizes:
        read(svg(start(name, size)))


def test_every_address_within_a_drawing_leads_somewhere() -> None:
    for move, before, position in positions():
        drawing = svg(position, last_move=move, before=before, ledger=True)
        ids = re.findall(r' id="([^"]+)"', drawing)
        assert len(ids) == len(set(ids))
        addresses = set(re.findall(r'href="#([^"]+)"', drawing)) | set(re.findall(r"url\(#([^)]+)\)", drawing))
        assert addresses <= set(ids)


def test_two_drawings_on_one_page_share_no_ids() -> None:
    drawings = [
        svg(position, ledger=True, theme=theme) for _, _, position in positions() for theme in ("light", "auto")
    ]
    names = [set(" ".join(re.findall(r' (?:id|class)="([^"]+)"', drawing)).split()) for drawing in drawings]
    seen: set[str] = set()
    for own in names:
        assert not own & seen
        seen |= own


def test_the_same_position_draws_the_same_bytes() -> None:
    code = (
        "import sys, purlieu; from purlieu.drawing import svg; read = purlieu.parse\n"
        "for text in sys.stdin: print(ascii(svg(read(text), ledger=True, theme='auto')))"
    )
    texts = [position.text() for _, _, position in positions()]
    here = "".join(f"{svg(parse(text), ledger=True, theme='auto')!a}\n" for text in texts)
    for seed in ("1", "2"):  # of the hashes that order a set
        there = subprocess.run(
            [sys.executable, "-c", code],
            input="\n".join(texts),
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        )
        assert there.stdout == here


def test_a_notebook_shows_the_plain_drawing() -> None:
    position = start("petrify").play("c3")
    assert position._repr_svg_() == svg(position)


def test_a_screen_reader_hears_game_size_turn_and_score() -> None:
    drawing = read(svg(start("petrify", 6).play("c3")))
    assert drawing.findtext(f"{SVG}title") == "Petrify 6×6, Orange to move"
    assert drawing.findtext(f"{SVG}desc") == "Score: Blue 36, Orange 0. Turns taken: 1."
    move, _, over = random_game("pentwall", 10, seed=1)[-1]
    drawing = read(svg(over, last_move=move))
    assert drawing.findtext(f"{SVG}title") == "Pentwall 10×10, game over"
    assert "wins: " in (drawing.findtext(f"{SVG}desc") or "")
    assert f"Last move: {move}." in (drawing.findtext(f"{SVG}desc") or "")


def test_a_drawing_that_follows_its_reader_is_light_until_the_screen_is_dark() -> None:
    position = start("petrify").play("c3")
    light, dark, auto = (svg(position, theme=theme) for theme in ("light", "dark", "auto"))
    assert "prefers-color-scheme" in auto
    assert "<style" not in light + dark
    plain = re.sub(r"<style>.*?</style>| class=\"[^\"]*\"", "", auto)
    own = re.compile(r"p[0-9a-f]{10}")
    assert own.sub("", plain) == own.sub("", light)
    assert set(re.findall(r"fill:(#\w+)", auto)) <= set(re.findall(r'fill="(#\w+)"', dark))


def test_the_scale_is_the_width_of_a_square() -> None:
    position = start("petrify", 4)
    small, large = (float(read(svg(position, scale=scale)).get("width", 0)) for scale in (24, 48))
    assert large == pytest.approx(small * 2, abs=0.02)
    with pytest.raises(PurlieuError, match="at least 1 pixel"):
        svg(position, scale=0)


def test_an_unknown_theme_is_told_the_known_ones() -> None:
    with pytest.raises(PurlieuError, match="no theme called 'sepia'; the themes are light, dark, auto"):
        svg(start("petrify"), theme="sepia")


def test_every_letter_drawn_is_in_the_fonts_that_come_along() -> None:
    held = set(string.ascii_letters + string.digits + " ,×")
    for move, before, position in positions():
        assert set("".join(words(read(svg(position, last_move=move, before=before, ledger=True))))) <= held


def squares(*names: str) -> list[Square]:
    return [Square(ord(name[0]) - ord("a") + 1, int(name[1])) for name in names]


def test_an_outline_has_corners_only_and_goes_round_holes() -> None:
    board = Board(4, 0, 0)
    assert outline(board, squares("a1", "b1", "c1")) == "M0 192L0 144L144 144L144 192Z"
    ring = squares("a1", "b1", "c1", "a2", "c2", "a3", "b3", "c3")
    assert outline(board, ring).count("M") == 2
    assert outline(board, squares("a1", "b2")).count("M") == 2


def test_the_count_of_pentwall_speaks_of_territories_as_the_rules_do() -> None:
    drawn = svg(random_game("pentwall", 10, seed=1)[-1][2], ledger=True)
    assert ">territory</text>" in drawn
    assert ">area</text>" not in drawn
