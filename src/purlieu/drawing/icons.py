"""Small signs of the six colours, for use within a line of text."""

from __future__ import annotations

from ..rules.seats import Colour
from .canvas import Canvas
from .men import face
from .sheet import paint

ICON = 13.0
"""A sign's width."""


def draw_icon(canvas: Canvas, x: float, y: float, colour: Colour) -> None:
    """The colour's sign round (x, y), told by its shape too."""
    half = ICON / 2

    def icon() -> None:
        match colour:
            case Colour.BLUE | Colour.ORANGE:
                face(canvas, 0, half, colour)
            case Colour.SOLID | Colour.STRIPED:
                canvas.rect(
                    -half, -half, ICON, ICON, fill=paint(canvas, colour, pitch=5), stroke="ink", stroke_width=1.2
                )
            case Colour.BLACK:
                canvas.circle(0, 0, half, fill="black1", stroke="black-line", stroke_width=1.2)
                canvas.circle(-half * 0.32, -half * 0.36, half * 0.24, fill="glint")
            case Colour.WHITE:
                canvas.circle(0, 0, half, fill="white6", stroke="white-line", stroke_width=1.4)
                canvas.circle(0, 0, half * 0.55, fill="none", stroke="white-line", stroke_width=1)

    canvas.stamp(f"icon-{colour.value}", x, y, icon)
