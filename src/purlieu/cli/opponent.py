"""Who plays against the person at the keyboard: somebody beside them, a simple player, or the engine at a level."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from purlieu.rules import Message, PurlieuError

from .options import one_of

if TYPE_CHECKING:
    from purlieu.engine import Level
    from purlieu.players import Choose
    from purlieu.terminal.thinking import Thinking

OPPONENTS = ("person", "random", "greedy")
SEATS = ("first", "second")
LONGEST_TURN = 3600


@dataclass(frozen=True)
class Opponent:
    """The opponent, and the seat that is left to the person."""

    versus: str = "person"
    """``person``, ``random`` or ``greedy``; it does not matter where there is a level."""
    level: Level | None = None
    seconds: float | None = None
    """What the strongest level may take for a move."""
    net: str | None = None
    """The file of a net that a level plays with in place of the one that is shipped."""
    seat: str = "first"
    """The person's seat."""

    @property
    def name(self) -> str | None:
        """As the board and the record name it; none for a person."""
        if self.level:
            file = Path(self.net).name if self.net else ""
            return (
                Message("level.with_net", "{level}, with {file}", level=self.level.title, file=file)
                if file
                else self.level.title
            )
        return self.versus if self.versus != "person" else None

    def player(self, thinking: Thinking) -> Choose | None:
        """What picks its moves; none for a person."""
        from purlieu.players import PLAYERS

        return thinking.player(self.level, self.seconds, self.net) if self.level else PLAYERS.get(self.versus)

    def options(self) -> list[str]:
        """The options of ``purlieu play`` that seat it again; two people at one keyboard need none."""
        if self.name is None:
            return []
        who = ["--level", str(self.level.number)] if self.level else ["--versus", self.versus]
        time = ["--time", f"{self.seconds:g}"] if self.seconds else []
        net = ["--net", self.net] if self.net else []
        return [*who, *time, *net, *(["--seat", self.seat] if self.seat != "first" else [])]


def opponent_of(
    versus: str | None, level: str | None, seconds: float | None, seat: str, net: str | None = None
) -> Opponent:
    """The opponent that the options ask for; without any, a person, and with a net alone, the strongest level."""
    versus = versus and one_of(versus, OPPONENTS, "--versus")
    seat = one_of(seat, SEATS, "--seat")
    if versus and level:
        raise typer.BadParameter("--versus and --level both name an opponent; give one.", param_hint="--level")
    if versus and net:
        raise typer.BadParameter(f"{versus} plays without a net; give --level, or nothing.", param_hint="--net")
    level = "9" if net and not level else level
    found = _level(level) if level else None
    if seconds and (found is None or not found.takes_time):
        raise typer.BadParameter(
            "only level 9 takes a time; the others do the same work on every machine.", param_hint="--time"
        )
    return Opponent(versus or "person", found, seconds, net, seat)


def require_net_of(net: str, game: str) -> None:
    """A net that can be played with, and of this game."""
    from purlieu.nets import load

    if (found := load(net)).game != game:
        raise typer.BadParameter(f"{net} is a net of {found.game}, not of {game}.", param_hint="--net")


def read_seconds(value: Any) -> float:
    """Reads the option of a time for every move."""
    try:
        seconds = float(str(value))
    except ValueError:
        seconds = 0
    if not 0 < seconds <= LONGEST_TURN:
        raise typer.BadParameter(f"{str(value)[:20]!r} is no time; expected seconds, above 0 and up to {LONGEST_TURN}.")
    return seconds


def _level(text: str) -> Level:
    from purlieu.engine.levels import find_level

    try:
        return find_level(text)
    except PurlieuError as error:
        raise typer.BadParameter(f"{error}.".replace("?.", "?"), param_hint="--level") from None
