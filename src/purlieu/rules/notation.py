"""Reading squares, moves and the rows of a board.

Reading is generous where it can't mislead: spaces between the parts of a move, upper case, a
pentomino's squares in any order. It is strict otherwise: ``c1 2`` is not ``c12``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from .board import BIGGEST_SIDE, Point, Square, column_letter
from .errors import BadNotation
from .messages import Message
from .moves import PASS, SWAP, Capture, Move, Paint, Place

_SQUARE = r"([a-zA-Z])([1-9][0-9]?)"
_ONE_SQUARE = re.compile(_SQUARE)
_POINT = re.compile(r"(?:([1-9][0-9]?)\s*)?" + _SQUARE)
_CAPTURE = re.compile(_SQUARE + r"\s*[xX]\s*" + _SQUARE)
_PAINT = re.compile(r"([a-zA-Z])\s*((?:[a-zA-Z][1-9][0-9]?\s*)+)")
_WORDS: dict[str, Move] = {"pass": PASS, "swap": SWAP}
LONGEST_MOVE = 80
FLAT_MOVES = Message("expected.flat_moves", "c3, c3xf6, pass or swap")
A_PAINT = Message("expected.paint", "a pentomino's letter and its five squares, as in Wc3d3d4e4e5")
MARBLE_MOVES = Message("expected.marble_moves", "c3, 2c3 or pass")


def parse_square(text: str) -> Square:
    """``c4`` as a square; the inverse of ``str(square)`` for squares on a board.

    >>> parse_square("C4")
    Square(column=3, row=4)
    """
    match = _ONE_SQUARE.fullmatch(text.strip())
    if not match:
        raise BadNotation(
            "text.names_no_square_square",
            "{text} names no square: a square is a column letter and a row number, as in c4",
            text=shown(text),
        )
    return _square(match[1], match[2])


def parse_point(text: str) -> Point:
    """``2c3`` as a point of level 2, ``c3`` or ``1c3`` as one of level 1."""
    match = _POINT.fullmatch(text.strip())
    if not match:
        raise BadNotation(
            "text.names_no_point_point",
            "{text} names no point: a point is a level (none on level 1) and a square, as in 2c3",
            text=shown(text),
        )
    level = int(match[1] or 1)
    if level > BIGGEST_SIDE:
        raise BadNotation(
            "text.names_no_point_there",
            "{text} names no point: there are at most {biggest_side} levels",
            text=shown(text),
            biggest_side=BIGGEST_SIDE,
        )
    return Point(*_square(match[2], match[3]), level)


def parse_flat_move(text: str) -> Move:
    """A move of Petrify or Pilo: ``c3``, ``c3xf6``, ``pass``, ``swap``."""
    text = _trimmed(text)
    if word := _WORDS.get(text.lower()):
        return word
    if match := _ONE_SQUARE.fullmatch(text):
        return Place(_square(*match.groups()))
    if match := _CAPTURE.fullmatch(text):
        return Capture(_square(match[1], match[2]), _square(match[3], match[4]))
    raise no_move(shown(text), FLAT_MOVES)


def parse_paint(text: str) -> Move:
    """A move of Pentwall: ``Wc3d3d4e4e5``. ``pass`` and ``swap`` are read too, to be refused by the rules."""
    text = _trimmed(text)
    if word := _WORDS.get(text.lower()):
        return word
    match = _PAINT.fullmatch(text)
    if not match:
        raise no_move(shown(text), A_PAINT)
    letter = match[1].upper()
    if letter not in LETTERS:
        raise BadNotation(
            "text.is_no_move_no",
            "{text} is no move: no pentomino is called {letter}; they are {known}",
            text=shown(text),
            letter=letter,
            known=" ".join(LETTERS),
        )
    squares = [_square(*parts) for parts in _ONE_SQUARE.findall(match[2])]
    if len(squares) != 5:
        raise BadNotation(
            "text.is_no_move_pentomino",
            "{text} is no move: a pentomino has five squares, and this names {count}",
            text=shown(text),
            count=len(squares),
        )
    for square in squares:
        if squares.count(square) > 1:
            raise BadNotation(
                "text.is_no_move_it_names",
                "{text} is no move: it names {square} twice",
                text=shown(text),
                square=square,
            )
    return Paint(letter, tuple(squares))


def parse_marble_move(text: str) -> Move:
    """A move of Pyloff: ``c3``, ``2c3``, ``pass``."""
    text = _trimmed(text)
    if word := _WORDS.get(text.lower()):
        return word
    if _POINT.fullmatch(text):
        return Place(parse_point(text))
    raise no_move(shown(text), MARBLE_MOVES)


LETTERS = "FILNPTUVWXYZ"
"""The twelve pentominoes by their usual letters, in the order of every list of them."""


def rows_text(rows: Sequence[Sequence[str | None]]) -> str:
    """Rows from the top, joined by ``/``; in each, a number stands for that many empty squares."""
    return "/".join(map(_row_text, rows))


def _row_text(row: Sequence[str | None]) -> str:
    parts: list[str] = []
    gap = 0
    for token in row:
        if token is None:
            gap += 1
            continue
        if gap:
            parts.append(str(gap))
            gap = 0
        parts.append(token)
    return "".join(parts) + (str(gap) if gap else "")


def parse_rows(text: str, token: re.Pattern[str], expected: str) -> list[list[str | None]]:
    """The inverse of `rows_text`. `token` matches what may stand on a square, said in words by `expected`."""
    rows = text.split("/")
    if len(rows) > BIGGEST_SIDE:
        raise BadNotation(
            "text.this_board_has_rows",
            "this board has {count} rows, more than any board: at most {biggest_side}",
            count=len(rows),
            biggest_side=BIGGEST_SIDE,
        )
    return [_parse_row(row, len(rows) - at, token, expected) for at, row in enumerate(rows)]


def _parse_row(row: str, number: int, token: re.Pattern[str], expected: str) -> list[str | None]:
    squares: list[str | None] = []
    at = 0
    while at < len(row):
        if match := token.match(row, at):
            squares.append(match[0])
        elif match := _GAP.match(row, at):
            squares.extend([None] * int(match[0]))
        else:
            raise BadNotation(
                "text.row_character_stands_for",
                "row {number}, {row}: character {at}, {row2}, stands for nothing; expected {expected}",
                number=number,
                row=shown(row),
                at=at + 1,
                row2=shown(row[at]),
                expected=expected,
            )
        at = match.end()
        if len(squares) > BIGGEST_SIDE:
            raise BadNotation(
                "text.row_is_longer_than",
                "row {number}, {row}, is longer than any board: at most {biggest_side} squares",
                number=number,
                row=shown(row),
                biggest_side=BIGGEST_SIDE,
            )
    return squares


_GAP = re.compile(r"1[0-9]|[1-9]")


def picture_rows(picture: str, token: re.Pattern[str], expected: str) -> list[list[str | None]]:
    """The rows of a drawn board: one line a row from the top, ``.`` for an empty square, spaces between."""
    rows: list[list[str | None]] = []
    for line in picture.split("\n"):
        names = line.split()
        for name in names:
            if name != "." and not token.fullmatch(name):
                raise BadNotation(
                    "text.stands_for_nothing_on",
                    "{name} stands for nothing on a drawn board; expected . or {expected}",
                    name=shown(name),
                    expected=expected,
                )
        if names:
            rows.append([None if name == "." else name for name in names])
    return rows


THE_BOARD = Message("the_board", "the board")


def require_square_board(rows: Sequence[Sequence[object]], what: str = THE_BOARD) -> int:
    """The side of a square board given by its rows; says which row is amiss otherwise."""
    side = len(rows)
    for number, row in zip(range(side, 0, -1), rows, strict=True):
        if len(row) != side:
            raise BadNotation(
                "text.has_rows_so_row",
                "{what} has {side} rows, so row {number} needs {side} places, and it has {count}",
                what=what,
                side=side,
                number=number,
                count=len(row),
            )
    return side


def parse_settings(parts: Sequence[str], known: dict[str, Callable[[str], object]]) -> dict[str, object]:
    """``key=value`` parts of a position text, each read by its own function."""
    found: dict[str, object] = {}
    for part in parts:
        key, equals, value = part.partition("=")
        if not equals or key not in known:
            raise BadNotation(
                "text.says_nothing_here_expected",
                "{part} says nothing here; expected one of {known}",
                part=shown(part),
                known=", ".join(f"{k}=…" for k in known),
            )
        if key in found:
            raise BadNotation("text.is_given_twice", "{key}= is given twice", key=key)
        found[key] = known[key](value)
    return found


def parse_count(most: int) -> Callable[[str], int]:
    """A reader of whole numbers from 0 to `most`."""

    def read(text: str) -> int:
        if not re.fullmatch(r"0|[1-9][0-9]{0,5}", text) or int(text) > most:
            raise BadNotation(
                "text.is_not_whole_number", "{text} is not a whole number from 0 to {most}", text=shown(text), most=most
            )
        return int(text)

    return read


def shown(text: str) -> str:
    """A foreign text fit to stand in a sentence: quoted, printable, and short."""
    quoted = repr(text if len(text) <= 40 else text[:37] + "…")
    return quoted if quoted.isprintable() else ascii(text[:37])


def _trimmed(text: str) -> str:
    if len(text) > LONGEST_MOVE:
        raise BadNotation(
            "text.is_no_move_it", "{text} is no move: it is {count} characters long", text=shown(text), count=len(text)
        )
    return text.strip()


def _square(letter: str, number: str) -> Square:
    column, row = ord(letter.lower()) - ord("a") + 1, int(number)
    if column > BIGGEST_SIDE or row > BIGGEST_SIDE:
        last = f"{column_letter(BIGGEST_SIDE)}{BIGGEST_SIDE}"
        raise BadNotation(
            "text.names_no_square_largest",
            "{letter}{number} names no square: the largest board ends at {last}",
            letter=letter,
            number=number,
            last=last,
        )
    return Square(column, row)


def no_move_here(text: str, expected: str) -> BadNotation:
    """The refusal of an object that is no move of the game."""
    return BadNotation("text.no_move_here", "{text} is no move here; expected {expected}", text=text, expected=expected)


def no_move(text: str, expected: str) -> BadNotation:
    """The refusal of what is no move of any kind; `text` is fit to be shown."""
    return BadNotation("text.no_move", "{text} is no move; expected {expected}", text=text, expected=expected)
