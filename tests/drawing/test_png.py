from __future__ import annotations

import struct
import sys

import pytest

from purlieu import PurlieuError, start
from purlieu.drawing import png, svg
from purlieu.drawing.raster import FONTS

from .pictures import positions, random_game


def size_of(image: bytes) -> tuple[int, int]:
    assert image.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", image[16:24])
    return width, height


@pytest.mark.parametrize("width", [200, 360, 1000])
def test_png_has_the_asked_width(width: int) -> None:
    tall = svg(random_game("pentwall", 10, seed=1)[-1][2], ledger=True)
    assert size_of(png(tall, width))[0] == width
    assert size_of(png(tall, width))[1] > width


def test_every_game_becomes_a_png() -> None:
    for _, _, position in positions():
        assert size_of(png(svg(position, theme="auto", ledger=True), 120))[0] == 120


def test_text_is_drawn_with_the_fonts_that_come_along() -> None:
    board = start("petrify", 3)
    with_text, same_without = svg(board), svg(board).replace("<text", "<g").replace("</text", "</g")
    assert png(with_text, 200) != png(same_without, 200)


def test_the_fonts_are_small_and_come_with_their_licence() -> None:
    assert sum(font.stat().st_size for font in FONTS.glob("*.otf")) < 60_000
    assert "SIL OPEN FONT LICENSE" in (FONTS / "OFL.txt").read_text(encoding="utf-8")


def test_without_resvg_one_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)  # Python's own way to say: not installed
    with pytest.raises(
        PurlieuError, match=r"PNG needs resvg-py: pip install resvg-py \(or install purlieu with its extra png\)"
    ):
        png(svg(start("petrify")))
