"""What the engine thinks of a position, in words: a hint, a line under the board, and a table of the best moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rich.text import Text

from purlieu.rules import Message
from purlieu.rules.moves import SWAP, Swap

from .board import QUIET, WORDS
from .screen import Glyphs, said

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from purlieu.core import Proven
    from purlieu.engine import Analysis

MOST_MOVES = 5
LONGEST_LINE = 8
_EARLY = 2
"""Before this many moves nobody can say who will own what: a net then leans to some edge of an empty board."""
_BAR = 10
_PROVEN = {
    "win": Message("chance.wins", "wins"),
    "loss": Message("chance.loses", "loses"),
    "draw": Message("chance.draws", "draws"),
}
_COLUMNS = {
    "move": Message("column.move", "move"),
    "sight": Message("column.sight", "sight"),
    "share": Message("column.share", "share"),
    "chance": Message("column.wins", "wins"),
    "score": Message("column.score", "score"),
}


def hint_text(analysis: Analysis) -> Message:
    """The best move, and why. Where the pie rule offers a swap, whether to take it."""
    best, position = analysis.best_move, analysis.position
    match analysis.proven:
        case "win":
            return Message("hint.wins", "Hint: {move}. It wins against any defence: that is proven.", move=best)
        case "draw":
            return Message("hint.draws", "Hint: {move}. It draws, and nothing does better: that is proven.", move=best)
        case "loss":
            return Message(
                "hint.loses", "Hint: {move}. But every move loses against best play: that is proven.", move=best
            )
    mine = position.colour_to_move.title
    told = {
        "move": best,
        "mine": mine,
        "theirs": position.colour_to_move.other.title,
        "chance": chance(analysis.win_chance),
        "otherwise": chance(1 - analysis.win_chance),
        "ahead": _ahead(analysis.expected_score),
    }
    if isinstance(best, Swap):
        if stay := next((found.move for found in analysis.moves if not isinstance(found.move, Swap)), None):
            return Message(
                "hint.swap_or",
                "Hint: swap. {theirs} has {chance} to win, and should end {ahead}; staying {mine} you would have "
                "{otherwise} with {stay}.",
                **told,
                stay=stay,
            )
        return Message(
            "hint.swap",
            "Hint: swap. {theirs} has {chance} to win, and should end {ahead}; staying {mine} you would have "
            "{otherwise}.",
            **told,
        )
    if position.explain(SWAP) is None:
        return Message(
            "hint.no_swap",
            "Hint: {move}, and no swap. {mine} has {chance} to win, and should end {ahead}; after a swap you would "
            "have {otherwise}.",
            **told,
        )
    if _swap_may_come(analysis):
        return Message(
            "hint.fair",
            "Hint: {move}, as the other side may swap: with the better colour it has {otherwise}, and you {chance}.",
            **told,
        )
    return Message("hint", "Hint: {move}. {mine} then has {chance} to win, and should end {ahead}.", **told)


def opinion_line(analysis: Analysis, glyphs: Glyphs, width: int) -> Text:
    """One line: the chance of the side to move as a bar, the score to expect, and as much of the best line as fits.

    It goes by the colour that it will have: the other one, if a swap is expected.
    """
    colour = analysis.position.colour_to_move
    if SWAP in analysis.line:
        colour = colour.other
    full = round(analysis.win_chance * _BAR)
    outlook = Message("opinion.best", "{outlook}; best", outlook=_outlook(analysis))
    line = Text.assemble(
        (said(colour.title), WORDS[colour]),
        " ",
        (glyphs.block * full, WORDS[colour]),
        (glyphs.empty * (_BAR - full), QUIET),
        f" {said(outlook)}",
    )
    for move in analysis.line:
        if line.cell_len + 1 + len(str(move)) > width:
            break
        line.append(f" {move}")
    return line


def opinion_table(analysis: Analysis) -> list[str]:
    """The best moves, a line each, and under them the best line and what the answer rests on."""
    sighted = analysis.policy is not None
    lines = _table(_rows(analysis), sighted=sighted)
    more = " …" if len(analysis.line) > LONGEST_LINE else ""
    moves = f"{' '.join(map(str, analysis.line[:LONGEST_LINE]))}{more}"
    lines.append(Message("analysis.line", "Best line: {moves}", moves=moves))
    mine = analysis.position.colour_to_move.title
    if analysis.proven:
        lines.append(_proof(mine, analysis.proven))
    told = {"colour": mine, "lines": f"{analysis.simulations:,}"}
    if _swap_may_come(analysis):
        lines.append(
            Message(
                "analysis.yours",
                "Chances and scores are yours, whatever colour you then have; shares are of {lines} lines tried out.",
                **told,
            )
        )
    else:
        lines.append(
            Message(
                "analysis.whose",
                "Chances and scores are {colour}'s; shares are of {lines} lines tried out.",
                **told,
            )
        )
    if sighted:
        lines.append(
            Message("analysis.sight", "Sight: how likely the net thought a move the best before it tried anything.")
        )
    return lines + owner_lines(analysis)


def _table(rows: Sequence[_Row], *, sighted: bool) -> list[str]:
    """The moves under the names of their columns. What is proven is said across the last two."""
    names = {column: said(name) for column, name in _COLUMNS.items() if sighted or column != "sight"}
    wide = max(len(names["move"]), *(len(row.move) for row in rows))
    lines = [f"  {names.pop('move'):<{wide}}  {'  '.join(names.values())}"]
    for row in rows:
        told = {"sight": row.sight, "share": row.share, "chance": said(chance(row.chance)), "score": _signed(row.score)}
        cells = [f"{told[column]:>{len(name)}}" for column, name in names.items()]
        if row.proven:
            cells[-2:] = [said(_outlook_of(row.proven))]
        lines.append(f"  {row.move:<{wide}}  {'  '.join(cells)}")
    return lines


def _proof(colour: str, proven: Proven) -> Message:
    match proven:
        case "win":
            return Message("analysis.wins", "{colour} wins against best play: that is proven.", colour=colour)
        case "loss":
            return Message("analysis.loses", "{colour} loses against best play: that is proven.", colour=colour)
    return Message("analysis.draws", "{colour} draws against best play: that is proven.", colour=colour)


def _swap_may_come(analysis: Analysis) -> bool:
    """Now, or in answer to the best move: chances are then a person's, not a colour's."""
    position = analysis.position
    return position.explain(SWAP) is None or position.play(analysis.best_move).explain(SWAP) is None


def owner_lines(analysis: Analysis) -> list[str]:
    """A small map of who will own what, as a net sees it; in Pyloff, whose marble will top each vertical line."""
    if analysis.owners is None:
        return []
    position = analysis.position
    if position.ply < _EARLY:
        return [Message("owners.early", "It is too early to say who will own what.")]
    mine, theirs = position.colour_to_move.title, position.colour_to_move.other.title
    lines: list[str] = [
        Message(
            "owners.signs",
            "Who will own what, at first sight: # {mine}, + rather; = {theirs}, - rather.",
            mine=mine,
            theirs=theirs,
        )
    ]
    if "2a1" in analysis.owners:
        lines.append(
            Message("owners.levels", "Each sign is a line, by its lowest point; level 2 stands between level 1.")
        )
    columns = [chr(ord("a") + column) for column in range(position.size)]
    for row in range(position.size, 0, -1):
        lines.append(f"  {row:>2} {_owners(analysis.owners, '', columns, row)}")
        if "2a1" in analysis.owners and row > 1:
            lines.append(f"      {_owners(analysis.owners, '2', columns[:-1], row - 1)}")
    return [*lines, f"     {' '.join(columns)}"]


def _owners(owners: Mapping[str, float], level: str, columns: list[str], row: int) -> str:
    """The signs of a row; level 1 has no number in the names of its points."""
    return " ".join(_owner(owners[f"{level}{column}{row}"]) for column in columns)


def _owner(lead: float) -> str:
    """A letter for how sure it is: the side to move's from 1, the other's from -1."""
    if abs(lead) < 0.2:
        return "."
    return ("#" if lead > 0.6 else "+") if lead > 0 else ("=" if lead < -0.6 else "-")


def chance(win_chance: float, proven: Proven | None = None) -> str:
    """In percent. What is not proven is neither 0 nor 100."""
    return _PROVEN[proven] if proven else f"{min(max(round(100 * win_chance), 1), 99)}%"


class _Row(NamedTuple):
    move: str
    sight: str
    share: str
    chance: float
    score: float
    proven: Proven | None


def _rows(analysis: Analysis) -> list[_Row]:
    """The moves of the table. A swap is always among them: it is to sit on the other side of the best other move."""
    moves = [found for found in analysis.moves if not isinstance(found.move, Swap)][:MOST_MOVES]
    total = sum(found.visits for found in analysis.moves if not isinstance(found.move, Swap)) or 1
    sight = analysis.policy or {}
    rows = [
        _Row(
            f"{found.move!s:<4}",
            f"{sight.get(str(found.move), 0):.0%}",
            f"{found.visits / total:.0%}" if found.visits else "–",
            found.win_chance,
            found.expected_score,
            found.proven,
        )
        for found in moves
    ]
    if analysis.position.explain(SWAP) is not None:
        return rows
    swaps = isinstance(analysis.best_move, Swap)
    turn = 1 if swaps else -1
    swap = _Row("swap", "", "", 0.5 + turn * (analysis.win_chance - 0.5), turn * analysis.expected_score, None)
    if analysis.proven:
        turned: dict[Proven, Proven] = {"win": "loss", "loss": "win", "draw": "draw"}
        swap = swap._replace(proven=analysis.proven if swaps else turned[analysis.proven])
    return [swap, *rows] if swaps else [*rows, swap]


def _outlook(analysis: Analysis) -> str:
    if analysis.proven:
        return _outlook_of(analysis.proven)
    return f"{chance(analysis.win_chance)}, {_signed(analysis.expected_score)}"


def _outlook_of(proven: Proven) -> Message:
    return Message("opinion.proven", "{wins}, proven", wins=_PROVEN[proven])


def _signed(score: float) -> str:
    return f"{round(score, 1) + 0.0:+.1f}"  # + 0.0 turns -0.0 into 0.0


def _ahead(score: float) -> Message:
    points = round(abs(score))
    if points == 0:
        return Message("score.even", "about even")
    if score > 0:
        return Message.many("score.ahead", "about {count} point ahead", "about {count} points ahead", count=points)
    return Message.many("score.behind", "about {count} point behind", "about {count} points behind", count=points)
