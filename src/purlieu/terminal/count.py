"""The walk through a count: patch by patch, pair by pair, as one would do it aloud at the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.text import Text

from purlieu.rules import Colour, Ledger, Position, Square
from purlieu.rules.ledger import Group, Marbles, Patch, Territory
from purlieu.rules.messages import listed
from purlieu.rules.pentwall import PentwallPosition
from purlieu.rules.pieces import Painted

from .board import QUIET, STYLES, WORDS, Cell, grid_lines, piece_cell, side_glyph
from .screen import Glyphs, Screen, beside

_BLANK = Cell(" ")


def walk(position: Position, screen: Screen) -> Iterator[list[Text]]:
    """The count in steps, each a few lines: every patch, territory or level, and then what it adds up to."""
    ledger = position.ledger()
    patches = [entry for entry in ledger.entries if isinstance(entry, Patch)]
    for number, patch in enumerate(patches, start=1):
        yield _patch_step(patch, f"Patch {number} of {len(patches)}", screen)
    territories = [entry for entry in ledger.entries if isinstance(entry, Territory)]
    for number, territory in enumerate(territories, start=1):
        assert isinstance(position, PentwallPosition)
        yield _territory_step(position, territory, f"Territory {number} of {len(territories)}", screen)
    marbles = [entry for entry in ledger.entries if isinstance(entry, Marbles)]
    table = [*_marbles_step(marbles, ledger.colours), Text()] if marbles else []
    yield [*table, *total_lines(ledger), *verdict(position)]


def total_lines(ledger: Ledger) -> list[Text]:
    """What each colour's entries add up to, written out as a sum."""
    lines = []
    for colour in ledger.colours:
        points = [entry.points for entry in ledger.entries if entry.owner is colour and entry.points]
        total = sum(points)
        asum = f"{' + '.join(map(str, points))} = " if 1 < len(points) <= 16 else ""
        lines.append(Text.assemble((f"{colour.title:<8}", WORDS[colour]), f" {asum}", (str(total), "bold")))
    return lines


def verdict(position: Position) -> list[Text]:
    """Who has won and why, tie rule included; nothing while the game goes on."""
    outcome = position.outcome
    if outcome is None:
        return []
    if outcome.winner is None:
        return [Text(f"A draw: {outcome.reason}.", style="bold")]
    colour = position.colour_of(outcome.winner)
    return [Text(f"{colour.title} ({outcome.winner.value} seat) wins: {outcome.reason}.", style="bold")]


def summary(position: Position) -> Iterator[Text]:
    """The count in a line an entry, for a quick look in the middle of a game."""
    for entry in position.ledger().entries:
        owner = entry.owner.title if entry.owner else "nobody"
        style = STYLES[entry.owner] if entry.owner else QUIET
        match entry:
            case Patch(squares, _, struck_out, left):
                groups = "; ".join(filter(None, [_struck(struck_out), _sizes_by_colour(left)])) or "no groups"
                text = f"patch at {squares[0]}, {_squares(len(squares))}: {groups}"
            case Territory(squares, touching):
                counts = ", ".join(f"{colour.title} {len(touching[colour])}" for colour in touching)
                text = f"territory at {squares[0]}, {_squares(len(squares))}: touched by {counts}"
            case Marbles(level, _, buried, colour):
                under = f" ({len(buried)} buried)" if buried else ""
                text = f"level {level}, {colour.title}: {entry.points}{under}"
                yield Text(text)
                continue
        yield Text.assemble(f"{text}: ", (owner, style), f" {entry.points}" if entry.owner else "")


# -- Petrify and Pilo -----------------------------------------------------------------------------


def _patch_step(patch: Patch, title: str, screen: Screen) -> list[Text]:
    told = [Text.assemble((title, "bold"), f": {_squares(len(patch.squares))}")]
    for colour in (Colour.BLUE, Colour.ORANGE):
        sizes = [group.size for group in patch.groups if group.colour is colour]
        if sizes:
            told.append(Text.assemble((f"{colour.title:<7}", STYLES[colour]), f" {_tally(sizes)}"))
    for blue, orange in patch.struck_out:
        told.append(Text(f"strike out {blue.size} and {orange.size}: {blue.squares[0]} and {orange.squares[0]}"))
    if patch.owner is None:
        told.append(Text("No group is left: nobody owns it." if patch.groups else "No groups: nobody owns it."))
    else:
        biggest = patch.left[0]
        told.append(Text(f"biggest left: {biggest.colour.title}'s {biggest.size}, at {biggest.squares[0]}"))
        told.append(Text.assemble((patch.owner.title, STYLES[patch.owner]), f" owns it: {_points(patch.points)}"))
    return _board_and_words(_patch_board(patch, screen.glyphs), told, screen)


def _patch_board(patch: Patch, glyphs: Glyphs) -> list[Text]:
    """The patch alone: every group shows its size, and struck-out ones are struck through."""
    struck = {square for pair in patch.struck_out for group in pair for square in group.squares}
    faces = {
        square: Cell(
            f"{side_glyph(group.colour, glyphs)}{group.size}",
            f"{STYLES[group.colour]}{' strike' if square in struck else ''}",
            "-" if square in struck else " ",
            QUIET,
        )
        for group in patch.groups
        for square in group.squares
    }
    width = max([2, *(len(cell.face) for cell in faces.values())])
    faces.update({square: Cell(glyphs.empty, QUIET) for square in patch.squares if square not in faces})
    columns, rows = _box(patch.squares)
    return grid_lines(columns, rows, lambda square: faces.get(square, _BLANK), width=width)


def _tally(sizes: Sequence[int]) -> str:
    """``5, 2, 1 ×3``: sizes from the biggest down, equal ones together."""
    counts = Counter(sizes)
    return ", ".join(f"{size}" if counts[size] == 1 else f"{size} ×{counts[size]}" for size in sorted(counts)[::-1])


def _sizes_by_colour(groups: Sequence[Group]) -> str:
    found = []
    for colour in (Colour.BLUE, Colour.ORANGE):
        sizes = [group.size for group in groups if group.colour is colour]
        if sizes:
            found.append(f"{colour.title} {_tally(sizes)}")
    return " | ".join(found)


def _struck(pairs: Sequence[tuple[Group, Group]]) -> str:
    return f"pairs struck out {_tally([blue.size for blue, _ in pairs])}" if pairs else ""


# -- Pentwall -------------------------------------------------------------------------------------


def _territory_step(position: PentwallPosition, territory: Territory, title: str, screen: Screen) -> list[Text]:
    told = [Text.assemble((title, "bold"), f": {_squares(len(territory.squares))}")]
    for colour, squares in territory.touching.items():
        told.append(Text.assemble((f"{colour.title:<8}", STYLES[colour]), f" touches it with {_squares(len(squares))}"))
    if territory.owner is None:
        told.append(Text("As many each: nobody owns it."))
    else:
        told.append(
            Text.assemble((territory.owner.title, STYLES[territory.owner]), f" owns it: {_points(territory.points)}")
        )
    return _board_and_words(_territory_board(position, territory, screen.glyphs), told, screen)


def _territory_board(position: PentwallPosition, territory: Territory, glyphs: Glyphs) -> list[Text]:
    """The territory and the painted squares that touch it, nothing else."""
    painted = position.painted
    around = [square for squares in territory.touching.values() for square in squares]
    cells = {square: piece_cell(Painted(square, *painted[square]), glyphs, 1) for square in around}
    cells.update({square: Cell(glyphs.empty) for square in territory.squares})
    columns, rows = _box([*territory.squares, *around])
    return grid_lines(columns, rows, lambda square: cells.get(square, _BLANK))


# -- Pyloff ---------------------------------------------------------------------------------------


def _marbles_step(entries: Sequence[Marbles], colours: tuple[Colour, Colour]) -> list[Text]:
    """A table of levels, the highest on top as it stands."""
    lines = [Text.assemble(("level", QUIET), *((f"{colour.title:>8}", "bold") for colour in colours))]
    for level in range(max(entry.level for entry in entries), 0, -1):
        found = {entry.owner: entry for entry in entries if entry.level == level}
        buried = [f"{len(entry.buried)} {colour.value}" for colour, entry in found.items() if entry.buried]
        counts = "".join(f"{found[colour].points if colour in found else 0:>8}" for colour in colours)
        note = f"   of which buried: {listed(buried)}" if buried else ""
        lines.append(Text.assemble(f"{level:>5}{counts}", (note, QUIET)))
    return lines


# -- shared ---------------------------------------------------------------------------------------


def _board_and_words(board: list[Text], words: list[Text], screen: Screen) -> list[Text]:
    """Side by side where the screen is wide enough, else one below the other."""
    gap = 3
    room = screen.width - max(line.cell_len for line in board) - gap
    if room >= 24:
        wrapped = [part for line in words for part in line.wrap(screen.console, room)]
        return beside(board, wrapped, gap)
    return [*board, *(part for line in words for part in line.wrap(screen.console, screen.width))]


def _box(squares: Sequence[Square]) -> tuple[range, range]:
    columns = [square.column for square in squares]
    rows = [square.row for square in squares]
    return range(min(columns), max(columns) + 1), range(min(rows), max(rows) + 1)


def _squares(number: int) -> str:
    return "1 square" if number == 1 else f"{number} squares"


def _points(number: int) -> str:
    return "1 point" if number == 1 else f"{number} points"
