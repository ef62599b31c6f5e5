"""The walk through a count: patch by patch, pair by pair, as one would do it aloud at the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.text import Text

from purlieu.rules import Colour, Ledger, Message, Position, Square
from purlieu.rules.ledger import Group, Marbles, Patch, Territory, marbles_of, score_text
from purlieu.rules.messages import listed, semicolons
from purlieu.rules.pentwall import PentwallPosition
from purlieu.rules.pieces import Painted

from .board import QUIET, STYLES, WORDS, Cell, grid_lines, name_width, piece_cell, side_glyph
from .screen import Glyphs, Screen, beside, padded, said, styled

_BLANK = Cell(" ")


def walk(position: Position, screen: Screen) -> Iterator[list[Text]]:
    """The count in steps, each a few lines: every patch, territory or level, and then what it adds up to."""
    ledger = position.ledger()
    patches = [entry for entry in ledger.entries if isinstance(entry, Patch)]
    for number, patch in enumerate(patches, start=1):
        title = Message("count.patch_number", "Patch {number} of {count}", number=number, count=len(patches))
        yield _patch_step(patch, title, screen)
    territories = [entry for entry in ledger.entries if isinstance(entry, Territory)]
    for number, territory in enumerate(territories, start=1):
        assert isinstance(position, PentwallPosition)
        title = Message(
            "count.territory_number", "Territory {number} of {count}", number=number, count=len(territories)
        )
        yield _territory_step(position, territory, title, screen)
    marbles = [entry for entry in ledger.entries if isinstance(entry, Marbles)]
    table = [*_marbles_step(marbles, ledger.colours), Text()] if marbles else []
    yield [*table, *total_lines(ledger), *verdict(position)]


def total_lines(ledger: Ledger) -> list[Text]:
    """What each colour's entries add up to, written out as a sum."""
    lines = []
    width = name_width(ledger.colours, 8)
    for colour in ledger.colours:
        points = [entry.points for entry in ledger.entries if entry.owner is colour and entry.points]
        total = sum(points)
        asum = f"{' + '.join(map(str, points))} = " if 1 < len(points) <= 16 else ""
        lines.append(Text.assemble((padded(colour.title, width), WORDS[colour]), f" {asum}", (str(total), "bold")))
    return lines


def verdict(position: Position) -> list[Text]:
    """Who has won and why, tie rule included; nothing while the game goes on."""
    outcome = position.outcome
    if outcome is None:
        return []
    if outcome.winner is None:
        draw = Message("count.draw", "A draw: {reason}.", reason=outcome.reason)
        return [Text(said(draw), style="bold")]
    won = Message(
        "count.won",
        "{colour} ({seat} seat) wins: {reason}.",
        colour=position.colour_of(outcome.winner).title,
        seat=outcome.winner.word,
        reason=outcome.reason,
    )
    return [Text(said(won), style="bold")]


def summary(position: Position) -> Iterator[Text]:
    """The count in a line an entry, for a quick look in the middle of a game."""
    for entry in position.ledger().entries:
        result = Message("count.nobody", "nobody")
        if entry.owner:
            result = Message("count.owner", "{owner} {points}", owner=entry.owner.title, points=entry.points)
        style = STYLES[entry.owner] if entry.owner else QUIET
        match entry:
            case Patch(squares, _, struck_out, left):
                groups = [*_struck(struck_out), *_sizes_by_colour(left)]
                line = Message(
                    "count.patch_line",
                    "patch at {square}, {size}: {groups}: {result}",
                    square=squares[0],
                    size=_squares(len(squares)),
                    groups=semicolons(groups) if groups else Message("count.no_groups", "no groups"),
                    result=result,
                )
                yield styled(line, result=style)
            case Territory(squares, touching):
                line = Message(
                    "count.territory_line",
                    "territory at {square}, {size}: touched by {counts}: {result}",
                    square=squares[0],
                    size=_squares(len(squares)),
                    counts=score_text({colour: len(touching[colour]) for colour in touching}),
                    result=result,
                )
                yield styled(line, result=style)
            case Marbles(level, _, buried, colour):
                told = {"level": level, "colour": colour.title, "points": entry.points}
                line = Message("count.level_line", "level {level}, {colour}: {points}", **told)
                if buried:
                    line = Message(
                        "count.buried_line",
                        "level {level}, {colour}: {points} ({buried} buried)",
                        **told,
                        buried=len(buried),
                    )
                yield Text(said(line))


# -- Petrify and Pilo -----------------------------------------------------------------------------


def _patch_step(patch: Patch, title: Message, screen: Screen) -> list[Text]:
    told = [_titled(title, len(patch.squares))]
    width = name_width((Colour.BLUE, Colour.ORANGE), 7)
    for colour in (Colour.BLUE, Colour.ORANGE):
        sizes = [group.size for group in patch.groups if group.colour is colour]
        if sizes:
            told.append(Text.assemble((padded(colour.title, width), STYLES[colour]), f" {_tally(sizes)}"))
    for blue, orange in patch.struck_out:
        pair = Message(
            "count.strike_out",
            "strike out {blue} and {orange}: {blue_at} and {orange_at}",
            blue=blue.size,
            orange=orange.size,
            blue_at=blue.squares[0],
            orange_at=orange.squares[0],
        )
        told.append(Text(said(pair)))
    if patch.owner is None:
        none_left = Message("count.no_group_left", "No group is left: nobody owns it.")
        none = Message("count.no_group", "No groups: nobody owns it.")
        told.append(Text(said(none_left if patch.groups else none)))
    else:
        group = patch.left[0]
        biggest = Message(
            "count.biggest",
            "biggest left: {colour}'s {size}, at {square}",
            colour=group.colour.title,
            size=group.size,
            square=group.squares[0],
        )
        told += [Text(said(biggest)), _owned(patch.owner, patch.points)]
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


def _sizes_by_colour(groups: Sequence[Group]) -> Iterator[Message]:
    found = []
    for colour in (Colour.BLUE, Colour.ORANGE):
        sizes = [group.size for group in groups if group.colour is colour]
        if sizes:
            found.append(Message("count.sizes", "{colour} {sizes}", colour=colour.title, sizes=_tally(sizes)))
    if len(found) == 2:
        yield Message("count.both_sizes", "{first} | {second}", first=found[0], second=found[1])
    else:
        yield from found


def _struck(pairs: Sequence[tuple[Group, Group]]) -> Iterator[Message]:
    if pairs:
        yield Message("count.struck_out", "pairs struck out {sizes}", sizes=_tally([blue.size for blue, _ in pairs]))


# -- Pentwall -------------------------------------------------------------------------------------


def _territory_step(position: PentwallPosition, territory: Territory, title: Message, screen: Screen) -> list[Text]:
    told = [_titled(title, len(territory.squares))]
    width = name_width(position.colours, 8)
    for colour, squares in territory.touching.items():
        touches = Message(
            "count.touches",
            "{colour} touches it with {size}",
            colour=padded(colour.title, width),
            size=_squares(len(squares)),
        )
        told.append(styled(touches, colour=STYLES[colour]))
    if territory.owner is None:
        told.append(Text(said(Message("count.as_many", "As many each: nobody owns it."))))
    else:
        told.append(_owned(territory.owner, territory.points))
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
    width = name_width(colours, 7) + 1
    heading = said(Message("count.level", "level"))
    names = ((f"{' ' * (width - cell_len(name))}{name}", "bold") for name in (said(colour.title) for colour in colours))
    lines = [Text.assemble((heading, QUIET), *names)]
    for level in range(max(entry.level for entry in entries), 0, -1):
        found = {entry.owner: entry for entry in entries if entry.level == level}
        buried = [marbles_of(colour, len(entry.buried)) for colour, entry in found.items() if entry.buried]
        counts = "".join(f"{found[colour].points if colour in found else 0:>{width}}" for colour in colours)
        note = Message("count.buried", "of which buried: {marbles}", marbles=listed(buried)) if buried else ""
        lines.append(
            Text.assemble(f"{level:>{cell_len(heading)}}{counts}", (f"   {said(note)}" if note else "", QUIET))
        )
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


def _titled(title: Message, squares: int) -> Text:
    """How a step begins."""
    return styled(Message("count.title", "{title}: {size}", title=title, size=_squares(squares)), title="bold")


def _owned(owner: Colour, points: int) -> Text:
    """How a step ends."""
    owns = Message.many(
        "count.owns",
        "{owner} owns it: {count} point",
        "{owner} owns it: {count} points",
        owner=owner.title,
        count=points,
    )
    return styled(owns, owner=STYLES[owner])


def _squares(number: int) -> Message:
    return Message.many("count.squares", "{count} square", "{count} squares", count=number)
