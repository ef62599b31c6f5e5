"""Petrify's disks, Pilo's stacks, and the blocks of both.

Blue men have a smooth face with a ring; Orange men are notched round the edge, like a gaming chip.
So they stay apart without colour.
"""

from __future__ import annotations

from math import tau

from ..rules.board import Square
from ..rules.pieces import Block, Disk, Piece, Stack
from ..rules.seats import Colour
from .canvas import Canvas
from .geometry import Board

DISK = 18.5
STACKED = 17.2
"""The radius of a disk on its own, and of one in a stack, which needs room to rise."""
LIFT = 3.6
MOST_RIMS = 4
"""A higher stack shows as many rims; its number tells the rest."""
NOTCHES = 8
BLOCK = 41.0


def draw_men(canvas: Canvas, board: Board, pieces: tuple[Piece, ...]) -> None:
    """Everything that stands on a Petrify or a Pilo board, the upper rows first: stacks rise over what is behind."""
    for piece in reversed(pieces):
        x, y = board.centre(piece.at)
        match piece:
            case Disk(_, colour):
                draw_disk(canvas, x, y, colour)
            case Stack(_, colour, height):
                draw_stack(canvas, x, y, colour, height)
            case Block(at):
                draw_block(canvas, x, y, at)


# -- disks --------------------------------------------------------------------------------------


def draw_disk(canvas: Canvas, x: float, y: float, colour: Colour) -> None:
    """A disk seen from above."""

    def disk() -> None:
        canvas.circle(0, 1.8, DISK + 0.4, fill="shadow", opacity=0.22)
        face(canvas, 0, DISK, colour)
        centre_sign(canvas, 0, DISK, colour)

    canvas.stamp(f"disk-{colour.value}", x, y, disk)


def face(canvas: Canvas, y: float, r: float, colour: Colour) -> None:
    """The upper face of a disk: Blue's has a ring, Orange's notches."""
    name = colour.value
    canvas.circle(0, y, r, fill=name, stroke=f"{name}-edge", stroke_width=1.4)
    if colour is Colour.BLUE:
        canvas.circle(0, y, r * 0.76, fill="none", stroke=f"{name}-sign", stroke_width=r * 0.085, opacity=0.85)
    else:
        notches(canvas, y, r, f"{name}-sign")


def notches(canvas: Canvas, y: float, r: float, paint: str) -> None:
    """Light marks round the edge."""
    depth = r * 0.24
    middle = r - depth / 2 - 0.5
    pitch = tau * middle / NOTCHES
    dash = pitch * 0.36
    canvas.circle(
        *(0, y, middle),
        fill="none",
        stroke=paint,
        stroke_width=depth,
        stroke_dasharray=f"{dash:.3f} {pitch - dash:.3f}",
        stroke_dashoffset=dash / 2,
    )


def centre_sign(canvas: Canvas, y: float, r: float, colour: Colour) -> None:
    """A dot on a blue face, a cross on an orange one."""
    sign = f"{colour.value}-sign"
    if colour is Colour.BLUE:
        canvas.circle(0, y, r * 0.2, fill=sign)
    else:
        arm = r * 0.27
        d = f"M{-arm:.2f} {y - arm:.2f}L{arm:.2f} {y + arm:.2f}M{-arm:.2f} {y + arm:.2f}L{arm:.2f} {y - arm:.2f}"
        canvas.path(d, stroke=sign, stroke_width=r * 0.17, stroke_linecap="round")


# -- stacks -------------------------------------------------------------------------------------


def draw_stack(canvas: Canvas, x: float, y: float, colour: Colour, height: int) -> None:
    """A stack: up to four rims, and from two disks on the height in figures."""

    def stack() -> None:
        rims = min(height, MOST_RIMS)
        lowest = (rims - 1) * LIFT / 2 + 0.6
        canvas.circle(0, lowest + 2, STACKED + 0.6, fill="shadow", opacity=0.24)
        for rim in range(rims - 1):
            edge(canvas, lowest - rim * LIFT, colour)
        top = lowest - (rims - 1) * LIFT
        face(canvas, top, STACKED, colour)
        if height == 1:
            centre_sign(canvas, top, STACKED, colour)
        else:
            figure(canvas, top, colour, height)

    canvas.stamp(f"stack-{colour.value}-{height}", x, y, stack)


def edge(canvas: Canvas, y: float, colour: Colour) -> None:
    """A disk that carries another: only its lower edge shows."""
    name = colour.value
    canvas.circle(0, y, STACKED, fill=f"{name}-side", stroke=f"{name}-edge", stroke_width=1.4)
    if colour is Colour.ORANGE:
        notches(canvas, y, STACKED, f"{name}-sign")
    canvas.circle(0, y - LIFT + 1.1, STACKED, fill="none", stroke=f"{name}-edge", stroke_width=1.2, opacity=0.55)


def figure(canvas: Canvas, y: float, colour: Colour, height: int) -> None:
    """The height, in the middle of the upper face."""
    canvas.text(
        str(height),
        0,
        y,
        19,
        fill=f"{colour.value}-sign",
        font_weight=600,
        stroke=f"{colour.value}-edge",
        stroke_width=2.4,
        stroke_linejoin="round",
        paint_order="stroke",
    )


# -- blocks -------------------------------------------------------------------------------------

HATCHES = (
    "M-14 -3L-4 -13M-13 9L-7 3M-3 -1L9 -13M-4 12L3 5M7 1L13 -5M8 13L13 8",
    "M-13 -8L-8 -13M-14 4L-1 -9M-8 10L-3 5M2 0L13 -11M-2 13L4 7M8 3L13 -2M9 13L13 9",
    "M-13 -2L-9 -6M-5 -10L-2 -13M-13 11L2 -4M6 -8L11 -13M-4 13L6 3M10 -1L13 -4M6 13L13 6",
    "M-14 -5L-6 -13M-13 6L-8 1M-4 -3L6 -13M-10 13L-5 8M-1 4L11 -8M1 13L7 7M11 3L13 1",
)
"""Chisel strokes; neighbouring blocks are cut differently."""


def draw_block(canvas: Canvas, x: float, y: float, at: Square) -> None:
    """A stone: bevelled, with chisel strokes."""
    cut = (at.column * 7 + at.row * 5) % len(HATCHES)

    def block() -> None:
        out, inn = BLOCK / 2, BLOCK / 2 - 4.2
        canvas.rect(-out, -out + 1.8, BLOCK, BLOCK, rx=4.5, fill="shadow", opacity=0.26)
        canvas.rect(-out, -out, BLOCK, BLOCK, rx=4.5, fill="stone-shade")
        canvas.path(
            f"M{-out} {out - 4.5}V{4.5 - out}Q{-out} {-out} {4.5 - out} {-out}H{out - 4.5}L{inn} {-inn}H{-inn}V{inn}Z",
            fill="stone-lit",
        )
        canvas.rect(-inn, -inn, inn * 2, inn * 2, rx=1.5, fill="stone")
        canvas.path(HATCHES[cut], stroke="stone-hatch", stroke_width=1.7, stroke_linecap="round", fill="none")
        canvas.rect(-out, -out, BLOCK, BLOCK, rx=4.5, fill="none", stroke="stone-shade", stroke_width=1.2)

    canvas.stamp(f"block-{cut}", x, y, block)
