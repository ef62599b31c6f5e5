"""Who thinks about a position, and how much: the net or playouts, a level's fixed work or the time that is given."""

from __future__ import annotations

from dataclasses import dataclass, replace

from purlieu.nets import Net, load, net_for
from purlieu.nets.shipped import serves
from purlieu.rules import PurlieuError

from .ladder import BIG_PYRAMID, EFFORTS, WITH_NETS, WITHOUT_NETS, Effort, Work
from .levels import Level


@dataclass(frozen=True, slots=True)
class Settings:
    """How to search."""

    level: Level | None = None
    """With a level, its work is the most that is done, on one thread, so that it is the same everywhere."""
    effort: Effort | None = None
    """Work for the level that otherwise takes its time, to look without playing."""
    preset: str = "best"
    """``full`` searches by playouts, ``net`` with the game's net, ``best`` with whichever plays better there;
    ``uct`` is a plain tree search to compare with."""
    net: str | None = None
    """The file of a net to use instead of the one that is shipped."""
    threads: int = 1
    memory_mb: int = 256
    extra: tuple[tuple[str, float], ...] = ()
    """Settings of the search itself, by name."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What the settings come to on one game's boards of one size."""

    net: Net | None = None
    """None for playouts."""
    work: Work | None = None
    """None where the limits that are given decide."""


def plan_of(settings: Settings, game: str, size: int) -> Plan:
    """What these settings come to. Raises PurlieuError if they ask for a net that cannot be had."""
    net = _net_of(settings, game, size)
    level = settings.level
    if level is None or level.takes_time:
        return Plan(net, _effort(settings.effort, net is not None, game, size) if settings.effort else None)
    work = (WITH_NETS[game] if net else WITHOUT_NETS)[level.number - 1]
    return Plan(None if work.by == "playouts" else net, work)


def _effort(effort: Effort, by_net: bool, game: str, size: int) -> Work:
    with_net, without = EFFORTS[effort]
    if by_net:
        return with_net
    return (
        replace(without, simulations=without.simulations // 3) if game == "pyloff" and size > BIG_PYRAMID else without
    )


def _net_of(settings: Settings, game: str, size: int) -> Net | None:
    if settings.preset not in ("net", "best"):
        return None
    if settings.net:
        given = load(settings.net)
        if given.game != game:
            raise PurlieuError(
                "engine.net_of_other_game",
                "{net} is a net of {game}, not of {wanted}",
                net=settings.net,
                game=given.game,
                wanted=game,
            )
        return given
    net = net_for(game)
    if settings.preset == "best":
        # Every level alike: a net that was not measured on a size might beat the playouts of level 9 there from below.
        return net if serves(game, size) else None
    if net is None:
        raise PurlieuError(
            "engine.no_net",
            "there is no net for {game} here; pip install 'purlieu[net]' brings what runs them",
            game=game,
        )
    return net
