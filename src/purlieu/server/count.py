"""The ledger as it is sent: the whole count of a position, entry by entry."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from purlieu.rules import Ledger
from purlieu.rules.ledger import Entry, Marbles, Patch, Territory

from .model import Model, name_of


class GroupView(Model):
    """Connected disks or stacks of one colour."""

    colour: str
    squares: list[str]


class PatchView(Model):
    """Petrify and Pilo: a region without blocks. `struck_out` and `left` are indices into `groups`."""

    kind: Literal["patch"] = "patch"
    squares: list[str]
    groups: list[GroupView]
    struck_out: list[list[int]]
    left: list[int]
    owner: str | None
    points: int


class TerritoryView(Model):
    """Pentwall: a region of unpainted squares, and the painted squares of each colour that touch it."""

    kind: Literal["territory"] = "territory"
    squares: list[str]
    touching: dict[str, list[str]]
    owner: str | None
    points: int


class MarblesView(Model):
    """Pyloff: the marbles of one colour on one level."""

    kind: Literal["marbles"] = "marbles"
    level: int
    squares: list[str]
    buried: list[str]
    owner: str
    points: int


EntryView = Annotated[PatchView | TerritoryView | MarblesView, Field(discriminator="kind")]


class LedgerView(Model):
    """All entries of a count, and what they add up to."""

    entries: list[EntryView]
    totals: dict[str, int]


def ledger_view(ledger: Ledger) -> LedgerView:
    """The count as it is sent."""
    return LedgerView(
        entries=[entry_view(entry) for entry in ledger.entries],
        totals={colour.value: points for colour, points in ledger.totals.items()},
    )


def entry_view(entry: Entry) -> EntryView:
    """One entry as it is sent."""
    squares = [name_of(square) for square in entry.squares]
    owner = entry.owner.value if entry.owner else None
    match entry:
        case Patch():
            number = {id(group): at for at, group in enumerate(entry.groups)}
            return PatchView(
                squares=squares,
                groups=[
                    GroupView(colour=group.colour.value, squares=[name_of(square) for square in group.squares])
                    for group in entry.groups
                ],
                struck_out=[[number[id(one)], number[id(other)]] for one, other in entry.struck_out],
                left=[number[id(group)] for group in entry.left],
                owner=owner,
                points=entry.points,
            )
        case Territory():
            touching = {colour.value: [name_of(square) for square in at] for colour, at in entry.touching.items()}
            return TerritoryView(squares=squares, touching=touching, owner=owner, points=entry.points)
        case Marbles():
            return MarblesView(
                level=entry.level,
                squares=squares,
                buried=[name_of(point) for point in entry.buried],
                owner=entry.owner.value,
                points=entry.points,
            )
