"""Pyloff's marbles, seen from above: each level lies half a point further in, larger and lighter than the one below.

Black marbles carry a bright glint, white ones a dark line and a thin ring, so greyscale and dark paper tell them apart.
"""

from __future__ import annotations

from collections.abc import Container

from ..rules.board import Point
from ..rules.pieces import Marble, Piece
from ..rules.seats import Colour
from .canvas import Canvas
from .geometry import Board
from .theme import TONES

LARGEST_WITH_FIGURES = 12
"""Beyond this size the levels' figures would be too small to read and too many."""


def radius(level: int) -> float:
    """A marble's radius: higher ones are nearer to the eye."""
    return 22.0 * (1 + 0.035 * min(level - 1, TONES))


def draw_marbles(canvas: Canvas, board: Board, pieces: tuple[Piece, ...]) -> None:
    """All marbles from the lowest level up, so that the upper ones hide what they bury."""
    marbles = {piece.at: piece for piece in pieces if isinstance(piece, Marble)}
    for at, marble in marbles.items():
        x, y = board.centre(at)
        draw_marble(canvas, x, y, marble.colour, at.level)
        if shows_level(board.size, at, marbles):
            draw_level(canvas, x, y, marble.colour, at.level)


def shows_level(size: int, at: Point, marbles: Container[Point]) -> bool:
    """Whether a marble's level is written on it: it is raised, and no other marble rests on it."""
    if at.level == 1 or size > LARGEST_WITH_FIGURES:
        return False
    resting = (Point(at.column - across, at.row - up, at.level + 1) for across in (0, 1) for up in (0, 1))
    return not any(point in marbles for point in resting)


def draw_marble(canvas: Canvas, x: float, y: float, colour: Colour, level: int) -> None:
    """One marble and its shadow."""
    name, tone, r = colour.value, min(level, TONES), radius(level)
    steps = f"{name}{tone}"

    def shading() -> None:
        canvas.draw("stop", offset=0, stop_color=f"{steps}-lit")
        canvas.draw("stop", offset=0.5, stop_color=steps)
        canvas.draw("stop", offset=1, stop_color=f"{steps}-shade")

    def falling() -> None:
        canvas.draw("stop", offset=0.72, stop_color="shadow", stop_opacity=0.5)
        canvas.draw("stop", offset=1, stop_color="shadow", stop_opacity=0)

    def marble() -> None:
        shadow = canvas.define("shadow", "radialGradient", falling)
        light = canvas.define(steps, "radialGradient", shading, cx=0.42, cy=0.38, r=0.66)
        canvas.circle(1.6, 3.2, r * 1.16, fill=f"url({shadow})")
        canvas.circle(0, 0, r, fill=f"url({light})", stroke=f"{name}-line", stroke_width=1.3)
        if colour is Colour.BLACK:
            turn = f"translate({-r * 0.36:.2f} {-r * 0.46:.2f}) rotate(-38)"
            canvas.draw("ellipse", rx=r * 0.27, ry=r * 0.13, fill="glint", opacity=0.62, transform=turn)
        else:
            canvas.circle(0, 0, r * 0.72, fill="none", stroke="white-line", stroke_width=1, opacity=0.28)

    canvas.stamp(f"marble-{name}-{level}", x, y, marble)


def draw_level(canvas: Canvas, x: float, y: float, colour: Colour, level: int) -> None:
    """The level in figures, small, in the middle of the marble."""
    canvas.text(str(level), x, y, 15, fill=f"{colour.value}-sign", font_weight=600)


def draw_holes(canvas: Canvas, board: Board) -> None:
    """The points of level 1: a hole to rest a marble in, and faint lines between neighbours."""
    first, last = board.centre(Point(1, board.size, 1)), board.centre(Point(board.size, 1, 1))
    middles = [board.centre(Point(at, board.size + 1 - at, 1)) for at in range(1, board.size + 1)]
    across = "".join(f"M{first[0]:g} {y:g}H{last[0]:g}" for _, y in middles)
    down = "".join(f"M{x:g} {first[1]:g}V{last[1]:g}" for x, _ in middles)
    canvas.path(across + down, stroke="grid", stroke_width=1.2, fill="none")

    def hole() -> None:
        canvas.circle(0, 0, 6.2, fill="hole", stroke="hole-edge", stroke_width=1.2)
        canvas.path("M-4.3 -1.2A4.5 4.5 0 0 1 4.3 -1.2", stroke="hole-edge", stroke_width=1.6, fill="none", opacity=0.8)

    for _, y in middles:
        for x, _ in middles:
            canvas.stamp("hole", x, y, hole)
