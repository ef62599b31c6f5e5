"""A whole moment of a game: the board, and beside or below it the scores, the turn and the last move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.text import Text

from purlieu.rules import GAMES, Colour, Message, Position, Seat
from purlieu.rules.notation import LETTERS
from purlieu.rules.pentwall import PentwallPosition

from .board import NO_MARKS, QUIET, STYLES, Marks, flat_board, name_width, side_glyph
from .levels import legend, pyramid_board
from .screen import Glyphs, Screen, beside, padded, said

LAST_MOVE = Message("status.last_move", "last move:")
POOL = Message("status.pool", "pool")

LEAST_ROOM = 24
"""With fewer columns than this beside the board, the scores stand below it."""

Names = Mapping[Seat, str]
"""Who sits where, beyond the seat itself: ``greedy``, or a player's name. Empty for an unnamed person."""


def board(position: Position, screen: Screen, marks: Marks = NO_MARKS) -> list[Text]:
    """The board of any game, as it is printed on that screen."""
    if position.game == "pyloff":
        return pyramid_board(position, screen.glyphs, marks, screen.width)
    return flat_board(position, screen.glyphs, marks)


def moment(
    position: Position,
    screen: Screen,
    marks: Marks = NO_MARKS,
    *,
    names: Names | None = None,
    last: str | None = None,
    extra: Sequence[Text] = (),
) -> list[Text]:
    """The board with its scores beside it, or below it where it leaves too little room, as Pyloff's marbles do."""
    drawn = board(position, screen, marks)
    told = scores(position, screen.glyphs, names or {}, last)
    if isinstance(position, PentwallPosition):
        told = [*told, Text(), pool(position, screen.glyphs), *legend_lines(position.game, screen)]
    room = screen.width - max(line.cell_len for line in drawn) - 3
    below = position.game == "pyloff" or room < LEAST_ROOM
    panel = [part for line in (*told, *extra) for part in _folded(line, screen.width if below else room, screen)]
    if not below:
        return beside(drawn, panel)
    return [*drawn, *(legend_lines(position.game, screen) if position.game == "pyloff" else []), Text(), *panel]


def legend_lines(game: str, screen: Screen) -> list[Text]:
    """What the characters on a board mean."""
    if game == "pyloff":
        return legend(screen.glyphs, screen.width)
    if game == "pentwall":
        letters = Message("legend.letters", "capitals Solid, small letters Striped")
        return [Text(said(line), style=QUIET) for line in (letters, Message("legend.last_move", "[ the last move"))]
    men = Message(
        "legend.men",
        "{blue} Blue  {orange} Orange  {block} block",
        blue=side_glyph(Colour.BLUE, screen.glyphs),
        orange=side_glyph(Colour.ORANGE, screen.glyphs),
        block=screen.glyphs.block,
    )
    return [Text(said(men), style=QUIET)]


def _folded(line: Text, width: int, screen: Screen) -> list[Text]:
    """A line, on several lines if it is wider than that; a long name then stands under its colour."""
    if line.cell_len <= width:
        return [line]
    first = line.wrap(screen.console, width)[0]
    rest = line[len(first.plain) :]
    rest = rest[len(rest.plain) - len(rest.plain.lstrip()) :]
    return [first, *(Text("    ").append_text(part) for part in rest.wrap(screen.console, width - 4))]


def scores(position: Position, glyphs: Glyphs, names: Names, last: str | None) -> list[Text]:
    """The game, both scores, whose turn it is, and the last move."""
    title = f"{GAMES[position.game].title} {position.size}×{position.size}"
    turn_of = Message("status.turn", "turn {number}", number=position.ply + 1)
    when = Message("status.over", "over") if position.is_over else turn_of
    lines = [Text.assemble((title, "bold"), (f"  {said(when)}", QUIET))]
    score = position.score()
    width = name_width(position.colours, 8)
    for seat in Seat:
        colour = position.colour_of(seat)
        turn = not position.is_over and seat is position.to_move
        shape = {"solid": glyphs.block, "striped": glyphs.stripe}.get(colour.value) or side_glyph(colour, glyphs)
        name = f", {said(names[seat])}" if names.get(seat) else ""
        lines.append(
            Text.assemble(
                (f"{glyphs.here if turn else ' '} ", "bold"),
                (shape, STYLES[colour]),
                " ",
                (f"{padded(colour.title, width)}{score[colour]:>3}", "bold" if turn else ""),
                (f"  {said(seat.word)}{name}", QUIET),
            )
        )
    if last:
        lines.append(Text.assemble((f"  {said(LAST_MOVE)} ", QUIET), last))
    return lines


def pool(position: PentwallPosition, glyphs: Glyphs) -> Text:
    """The twelve letters; where a pentomino is used, an empty place."""
    line = Text.assemble((f"{said(POOL)} ", QUIET))
    for letter in LETTERS:
        free = letter in position.pool
        line.append(f" {letter if free else glyphs.empty}", "bold" if free else QUIET)
    return line
