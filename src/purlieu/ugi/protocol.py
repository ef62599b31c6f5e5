"""The words of UGI: reading commands, writing answers. docs/protocol.md describes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from purlieu.rules import PurlieuError
from purlieu.rules.notation import shown

if TYPE_CHECKING:
    from purlieu.engine import Analysis, MoveAnalysis

NO_MOVE = "(none)"
"""What `bestmove` names when there is no move to play."""


class UgiError(PurlieuError):
    """A line that the protocol does not know; its text is the error line's."""


@dataclass(frozen=True, slots=True)
class Go:
    """The limits of a search, in milliseconds and simulations; all of them None: the engine's own measure."""

    movetime: int | None = None
    nodes: int | None = None
    p1time: int | None = None
    p2time: int | None = None
    p1inc: int | None = None
    p2inc: int | None = None
    movestogo: int | None = None
    infinite: bool = False

    @property
    def is_endless(self) -> bool:
        """Whether only ``stop`` ends the search: it is infinite, and nothing else limits it."""
        return self.infinite and self.movetime is None and self.nodes is None and self.p1time is None

    def text(self) -> str:
        """The command, as `parse_go` reads it."""
        parts = ["go"]
        for name in _NUMBERS:
            if (value := getattr(self, name)) is not None:
                parts += [name, str(value)]
        return " ".join([*parts, "infinite"] if self.infinite else parts)


_NUMBERS = ("movetime", "nodes", "p1time", "p2time", "p1inc", "p2inc", "movestogo")
_LARGEST = 10**12


def parse_go(words: Sequence[str]) -> Go:
    """The limits after the word ``go``."""
    found: dict[str, int] = {}
    infinite = False
    rest = iter(words)
    for word in rest:
        if word == "infinite":
            infinite = True
        elif word in _NUMBERS:
            if word in found:
                raise UgiError(f"go: {word} is given twice")
            found[word] = _number(word, next(rest, ""))
        elif word in ("depth", "mate", "ponder", "searchmoves"):
            raise UgiError(f"go {word} is not spoken here; expected movetime, nodes, p1time and p2time, or infinite")
        else:
            raise UgiError(f"go: {shown(word)} is no limit; expected one of {', '.join(_NUMBERS)}, infinite")
    if ("p1time" in found) != ("p2time" in found):
        raise UgiError("go: p1time and p2time belong together")
    return Go(**found, infinite=infinite)


def _number(name: str, text: str) -> int:
    least = 0 if name.endswith(("time", "inc")) else 1
    digits = text.removeprefix("-") if name in ("p1time", "p2time") else text  # a clock may have run out on the way
    if not (digits.isascii() and digits.isdigit() and len(digits) < 16 and least <= int(digits) <= _LARGEST):
        raise UgiError(f"go: {name} needs a whole number from {least}, not {shown(text)}")
    return max(0, int(text))


@dataclass(frozen=True, slots=True)
class Setup:
    """A position to set up: ``startpos`` if the text is None, and moves."""

    text: str | None
    moves: tuple[str, ...] = ()

    def line(self) -> str:
        """The command, as `parse_position` reads it."""
        base = "position startpos" if self.text is None else f"position fen {self.text}"
        return f"{base} moves {' '.join(self.moves)}" if self.moves else base


def parse_position(words: Sequence[str]) -> Setup:
    """What follows the word ``position``."""
    head, moves = list(words), list[str]()
    if "moves" in head:
        at = head.index("moves")
        head, moves = head[:at], head[at + 1 :]
    if head == ["startpos"]:
        return Setup(None, tuple(moves))
    if len(head) > 1 and head[0] == "fen":
        return Setup(" ".join(head[1:]), tuple(moves))
    raise UgiError("expected: position startpos [moves …] or position fen TEXT [moves …]")


def parse_setoption(words: Sequence[str]) -> tuple[str, str]:
    """The name and the value after the word ``setoption``."""
    if len(words) < 4 or words[0] != "name" or "value" not in words[2:]:
        raise UgiError("expected: setoption name NAME value VALUE")
    at = words.index("value", 2)
    return " ".join(words[1:at]), " ".join(words[at + 1 :])


@dataclass(frozen=True, slots=True)
class Option:
    """An option as an engine declares it."""

    name: str
    kind: str
    default: str
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()

    def text(self) -> str:
        """The line that declares it."""
        parts = [f"option name {self.name} type {self.kind} default {self.default}"]
        if self.least is not None:
            parts.append(f"min {self.least} max {self.most}")
        parts += [f"var {choice}" for choice in self.choices]
        return " ".join(parts)


def info_lines(analysis: Analysis, several: int = 1) -> list[str]:
    """What a search has found, one line for each of its best moves."""
    milliseconds = round(1000 * analysis.seconds)
    rate = round(analysis.simulations / analysis.seconds) if analysis.seconds > 0 else 0
    head = f"nodes {analysis.simulations} time {milliseconds} nps {rate}"
    if several <= 1 or not analysis.moves:
        line = " ".join(map(str, analysis.line or [analysis.best_move]))
        return [f"info {head} {_score(analysis)} pv {line}"]
    lines = []
    for number, found in enumerate(analysis.moves[:several], start=1):
        line = " ".join(map(str, analysis.line)) if number == 1 and analysis.line else str(found.move)
        lines.append(f"info multipv {number} {head} {_score(found)} pv {line}")
    return lines


def _score(found: Analysis | MoveAnalysis) -> str:
    """``score cp`` is in hundredths of a point; ``wdl`` in thousandths, a draw half to each side."""
    if found.proven:
        wdl = {"win": "1000 0 0", "draw": "0 1000 0", "loss": "0 0 1000"}[found.proven]
        return f"score solved {found.proven} wdl {wdl}"
    wins = min(1000, max(0, round(1000 * found.win_chance)))
    return f"score cp {round(100 * found.expected_score)} wdl {wins} 0 {1000 - wins}"


@dataclass(frozen=True, slots=True)
class Info:
    """What an engine told on the way to its move, as far as it did."""

    nodes: int | None = None
    time: int | None = None
    wdl: tuple[int, int, int] | None = None
    solved: str | None = None
    pv: tuple[str, ...] = ()
    other: Mapping[str, str] = field(default_factory=dict)


def parse_info(words: Sequence[str]) -> Info:
    """What follows the word ``info``; what is not understood is kept in `other` or left out, never refused."""
    numbers: dict[str, int] = {}
    other: dict[str, str] = {}
    wdl: tuple[int, int, int] | None = None
    solved: str | None = None
    pv: tuple[str, ...] = ()
    at = 0
    while at < len(words):
        word, rest = words[at], words[at + 1 :]
        at += 2
        if word == "pv":
            pv, at = tuple(rest), len(words)
        elif word == "string":
            other["string"], at = " ".join(rest), len(words)
        elif word == "score":
            if rest[:1] == ["solved"] and len(rest) > 1:
                solved = rest[1]
            at += 1
        elif word == "wdl":
            if len(rest) >= 3 and all(map(_is_number, rest[:3])):
                wdl = int(rest[0]), int(rest[1]), int(rest[2])
            at += 2
        elif rest and _is_number(rest[0]):
            numbers[word] = int(rest[0])
        elif rest:
            other[word] = rest[0]
    return Info(numbers.get("nodes"), numbers.get("time"), wdl, solved, pv, other)


def _is_number(text: str) -> bool:
    """Whether it is one of bearable length: Python refuses to read those of thousands of digits."""
    return text.isdecimal() and len(text) < 16
