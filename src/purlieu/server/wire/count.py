"""The ledger as it is sent: the whole count of a position, entry by entry."""

from __future__ import annotations

from typing import Literal

from purlieu.rules import Ledger
from purlieu.rules.ledger import Entry, Marbles, Patch, Territory

from .plain import TypedDict, as_sent, names


@as_sent
class GroupView(TypedDict):
    """Connected disks or stacks of one colour."""

    colour: str
    squares: list[str]


@as_sent
class PatchView(TypedDict):
    """Petrify and Pilo: a region without blocks. `struck_out` and `left` are indices into `groups`."""

    kind: Literal["patch"]
    squares: list[str]
    groups: list[GroupView]
    struck_out: list[list[int]]
    left: list[int]
    owner: str | None
    points: int


@as_sent
class TerritoryView(TypedDict):
    """Pentwall: a region of unpainted squares, and the painted squares of each colour that touch it."""

    kind: Literal["territory"]
    squares: list[str]
    touching: dict[str, list[str]]
    owner: str | None
    points: int


@as_sent
class MarblesView(TypedDict):
    """Pyloff: the marbles of one colour on one level."""

    kind: Literal["marbles"]
    level: int
    squares: list[str]
    buried: list[str]
    owner: str
    points: int


EntryView = PatchView | TerritoryView | MarblesView


@as_sent
class LedgerView(TypedDict):
    """All entries of a count, and what they add up to."""

    entries: list[EntryView]
    totals: dict[str, int]


def ledger_view(ledger: Ledger) -> LedgerView:
    """The count as it is sent."""
    return {
        "entries": [entry_view(entry) for entry in ledger.entries],
        "totals": {colour.value: points for colour, points in ledger.totals.items()},
    }


def entry_view(entry: Entry) -> EntryView:
    """One entry as it is sent."""
    squares = names(entry.squares)
    owner = entry.owner.value if entry.owner else None
    match entry:
        case Patch():
            number = {id(group): at for at, group in enumerate(entry.groups)}
            return {
                "kind": "patch",
                "squares": squares,
                "groups": [{"colour": group.colour.value, "squares": names(group.squares)} for group in entry.groups],
                "struck_out": [[number[id(one)], number[id(other)]] for one, other in entry.struck_out],
                "left": [number[id(group)] for group in entry.left],
                "owner": owner,
                "points": entry.points,
            }
        case Territory():
            touching = {colour.value: names(at) for colour, at in entry.touching.items()}
            return {
                "kind": "territory",
                "squares": squares,
                "touching": touching,
                "owner": owner,
                "points": entry.points,
            }
        case Marbles():
            return {
                "kind": "marbles",
                "level": entry.level,
                "squares": squares,
                "buried": names(entry.buried),
                "owner": entry.owner.value,
                "points": entry.points,
            }
