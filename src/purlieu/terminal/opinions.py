"""What the engine thinks of a position, in words: a hint, a line under the board, and a table of the best moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rich.text import Text

from purlieu.rules.moves import SWAP, Swap

from .board import QUIET, WORDS
from .screen import Glyphs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from purlieu.engine import Analysis

MOST_MOVES = 5
LONGEST_LINE = 8
_EARLY = 2
"""Before this many moves nobody can say who will own what: a net then leans to some edge of an empty board."""
_BAR = 10
_PROVEN = {"win": "wins", "loss": "loses", "draw": "draws"}


def hint_text(analysis: Analysis) -> str:
    """The best move, and why. Where the pie rule offers a swap, whether to take it."""
    best, position = analysis.best_move, analysis.position
    match analysis.proven:
        case "win":
            return f"Hint: {best}. It wins against any defence: that is proven."
        case "draw":
            return f"Hint: {best}. It draws, and nothing does better: that is proven."
        case "loss":
            return f"Hint: {best}. But every move loses against best play: that is proven."
    mine = position.colour_to_move.title
    outlook = f"has {chance(analysis.win_chance)} to win, and should end {_ahead(analysis.expected_score)}"
    otherwise = chance(1 - analysis.win_chance)
    if isinstance(best, Swap):
        theirs = position.colour_to_move.other.title
        stay = next((found.move for found in analysis.moves if not isinstance(found.move, Swap)), None)
        instead = f" with {stay}" if stay else ""
        return f"Hint: swap. {theirs} {outlook}; staying {mine} you would have {otherwise}{instead}."
    if position.explain(SWAP) is None:
        return f"Hint: {best}, and no swap. {mine} {outlook}; after a swap you would have {otherwise}."
    if _swap_may_come(analysis):
        left = chance(analysis.win_chance)
        return f"Hint: {best}, as the other side may swap: with the better colour it has {otherwise}, and you {left}."
    return f"Hint: {best}. {mine} then {outlook}."


def opinion_line(analysis: Analysis, glyphs: Glyphs, width: int) -> Text:
    """One line: the chance of the side to move as a bar, the score to expect, and as much of the best line as fits.

    It goes by the colour that it will have: the other one, if a swap is expected.
    """
    colour = analysis.position.colour_to_move
    if SWAP in analysis.line:
        colour = colour.other
    full = round(analysis.win_chance * _BAR)
    line = Text.assemble(
        (colour.title, WORDS[colour]),
        " ",
        (glyphs.block * full, WORDS[colour]),
        (glyphs.empty * (_BAR - full), QUIET),
        f" {_outlook(analysis)}; best",
    )
    for move in analysis.line:
        if line.cell_len + 1 + len(str(move)) > width:
            break
        line.append(f" {move}")
    return line


def opinion_table(analysis: Analysis) -> list[str]:
    """The best moves, a line each, and under them the best line and what the answer rests on."""
    rows = _rows(analysis)
    wide = max(len(row.move) for row in rows)
    sighted = analysis.policy is not None
    lines = [f"  {'move':<{wide}}{'  sight' * sighted}  share  wins  score"]
    for row in rows:
        known = f"  {_PROVEN[row.proven]}, proven" if row.proven else f"{chance(row.chance):>6}{_signed(row.score):>7}"
        lines.append(f"  {row.move:<{wide}}{f'{row.sight:>7}' * sighted}  {row.share:>5}{known}")
    more = " …" if len(analysis.line) > LONGEST_LINE else ""
    lines.append(f"Best line: {' '.join(map(str, analysis.line[:LONGEST_LINE]))}{more}")
    mine = analysis.position.colour_to_move.title
    if analysis.proven:
        lines.append(f"{mine} {_PROVEN[analysis.proven]} against best play: that is proven.")
    whose = "are yours, whatever colour you then have" if _swap_may_come(analysis) else f"are {mine}'s"
    lines.append(f"Chances and scores {whose}; shares are of {analysis.simulations:,} lines tried out.")
    if sighted:
        lines.append("Sight: how likely the net thought a move the best before it tried anything.")
    return lines + owner_lines(analysis)


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
        return ["It is too early to say who will own what."]
    mine, theirs = position.colour_to_move.title, position.colour_to_move.other.title
    lines = [f"Who will own what, at first sight: # {mine}, + rather; = {theirs}, - rather."]
    if "2a1" in analysis.owners:
        lines.append("Each sign is a line, by its lowest point; level 2 stands between level 1.")
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


def chance(win_chance: float, proven: str | None = None) -> str:
    """In percent. What is not proven is neither 0 nor 100."""
    return _PROVEN[proven] if proven else f"{min(max(round(100 * win_chance), 1), 99)}%"


class _Row(NamedTuple):
    move: str
    sight: str
    share: str
    chance: float
    score: float
    proven: str | None


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
        turned = {"win": "loss", "loss": "win", "draw": "draw"}
        swap = swap._replace(proven=analysis.proven if swaps else turned[analysis.proven])
    return [swap, *rows] if swaps else [*rows, swap]


def _outlook(analysis: Analysis) -> str:
    if analysis.proven:
        return f"{_PROVEN[analysis.proven]}, proven"
    return f"{chance(analysis.win_chance)}, {_signed(analysis.expected_score)}"


def _signed(score: float) -> str:
    return f"{round(score, 1) + 0.0:+.1f}"  # + 0.0 turns -0.0 into 0.0


def _ahead(score: float) -> str:
    points = round(abs(score))
    if points == 0:
        return "about even"
    return f"about {points} point{'s' if points > 1 else ''} {'ahead' if score > 0 else 'behind'}"
