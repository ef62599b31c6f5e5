"""Everything about a run that can be set, each game's defaults, and the numbers that follow while a run goes on."""

from __future__ import annotations

import dataclasses
import json
import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from purlieu.kit.suggestions import nearest
from purlieu.rules import GAMES, PurlieuError
from purlieu.rules.registry import game as find_game

BLOCKS_SIZES = {4: 0.05, 5: 0.10, 6: 0.20, 7: 0.10, 8: 0.30, 9: 0.10, 10: 0.15}
SIZES: dict[str, dict[int, float]] = {
    "petrify": BLOCKS_SIZES,
    "pilo": BLOCKS_SIZES,
    "pentwall": {10: 1.0},
    "pyloff": {3: 0.02, 4: 0.06, 5: 0.18, 6: 0.38, 7: 0.15, 8: 0.11, 9: 0.07, 10: 0.03},
}
RANDOM_PLIES = {"petrify": (1, 4), "pilo": (1, 4), "pentwall": (0, 2), "pyloff": (0, 3)}
"""Where there is a pie rule the first turn is never the net's: it does not know that the other may swap."""


MOST_SIMULATIONS = 2**16
"""That the core's self-play makes for a move."""
MOST_OPPONENT = 100_000
"""Simulations a move of the strongest plain search in a check: a step plays a move in every place, and hears no Ctrl-C
meanwhile."""


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """A run's settings. Times are in seconds; 0 for a number that depends on the machine means: as suits it."""

    game: str
    sizes: dict[int, float] = field(default_factory=dict)
    """Board sizes and their shares of the games and of the rows."""
    seed: int = 1
    """Of the first weights and of all chances. It does not repeat a run: threads and the clock decide which weights
    choose a move, and which games a step learns from."""

    blocks: int = 6
    channels: int = 64

    slots: int = 0
    """Games at a time, over all sizes."""
    threads: int = 0
    """Of the host, for self-play and for reading games."""
    groups: int = 0
    """Batches of games that take turns on the host and on the device, at least."""
    full_simulations: int = 32
    fast_simulations: int = 8
    full_share: float = 1.0
    """The part of the moves that get a full search, and so teach the policy."""
    considered: int = 16
    """Moves at the root that a search begins with."""
    value_scale: float = 0.5
    """How much a search's values weigh against the net's policy."""
    random_plies: tuple[int, ...] = ()
    """Turns at random at the beginning of a game: the fewest and the most."""
    noise: float = 1.0
    """How much chance there is in moves: 1 plays each as often as the search thinks it the best, 0 only the best. With
    much of it a net learns who wins when both sides err."""
    noisy_plies: int = 0
    """So many turns at the beginning of a game, random ones among them, have a noise of 1 all the same, so that games
    differ."""

    end_nodes: float = 1_300
    """Ends of games that are likely to take so many nodes to prove, or fewer, are proved: then no move gives the result
    away, so that a net learns who wins, not who errs last. That is from four pentominoes on, or four empty squares in
    Petrify and two in Pilo; in Pyloff, whose games may repeat, nothing. Proofs of more than some 12,000 nodes are given
    up. 0: none."""

    batch: int = 0
    lr: float = 2e-3
    warm_up: int = 200
    """Steps until the learning rate is reached."""
    weight_decay: float = 1e-2
    clip: float = 1.0
    """The greatest norm of a gradient."""
    reuse: float = 4.0
    """How often a row is trained on, on average."""
    value_mix: float = 0.25
    """How much of the value's target is the search's opinion; the rest is the result."""
    ema: float = 0.999
    """The share of the averaged weights, which play and are exported, that a step leaves as it is."""
    final_share: float = 0.1
    """The last part of the time: no more games, and the learning rate falls to a hundredth."""

    first_rows: int = 20_000
    """Training begins with so many."""
    window_base: float = 250_000
    window_exponent: float = 0.75
    window_slope: float = 0.4
    keep_replay: bool = False
    """Whether games that lie outside the window stay on disk."""

    gate_plies: int = 2_000
    """Turns in which core and rules are compared before a run begins: over all sizes, by their shares, and a whole game
    of each at least."""
    log_seconds: float = 15
    checkpoint_seconds: float = 60
    check_seconds: float = 300
    check_size: int = 0
    check_games: int = 128
    check_simulations: int = 32
    """The net's, a move, in the games of a check."""
    gain_games: int = 0
    """Against itself as it was when a start began, in each check: an even number, or one more is left out."""
    ladder: tuple[int, ...] = (100, 1_000)
    """Simulations of the plain searches it meets, weakest first."""

    def __post_init__(self) -> None:
        sizes = self.sizes or SIZES[self.game]
        object.__setattr__(self, "sizes", dict(sorted(sizes.items())))
        object.__setattr__(self, "random_plies", self.random_plies or RANDOM_PLIES[self.game])
        object.__setattr__(self, "check_size", self.check_size or min(GAMES[self.game].default_size, max(self.sizes)))
        _check(self)

    def on(self, device: str, cores: int) -> TrainingSettings:
        """The same with every 0 that depends on the machine decided."""
        gpu = device != "cpu"
        threads = self.threads or cores
        return dataclasses.replace(
            self,
            slots=self.slots or (16_384 if gpu else 256),
            threads=threads,
            groups=self.groups or (3 if gpu else threads),
            batch=self.batch or (2_048 if gpu else 256),
            gain_games=self.gain_games or (512 if gpu else 32),
        )


TINY: dict[str, Any] = {
    **{"blocks": 2, "channels": 16, "slots": 128, "batch": 256, "first_rows": 500, "warm_up": 50},
    **{"full_simulations": 16, "fast_simulations": 8, "considered": 8},
    **{"window_base": 20_000, "gate_plies": 300, "log_seconds": 2, "checkpoint_seconds": 10, "check_seconds": 120},
    **{"check_games": 64, "ladder": [100, 1_000], "ema": 0.995},
}
"""A net that a laptop trains in minutes, on the smallest board worth a game."""
TINY_OF: dict[str, dict[str, Any]] = {
    "petrify": {"sizes": {4: 1.0}},
    "pilo": {"sizes": {4: 1.0}, "channels": 32, "check_simulations": 100},
    "pentwall": {"sizes": {10: 1.0}},
    "pyloff": {"sizes": {4: 1.0}},
}
"""What a game has of its own: plain search of 1,000 nearly plays Pilo's 4×4 out, so a net must be wider to beat it."""


def make_settings(
    game: str, *, tiny: bool = False, file: Path | None = None, overrides: Mapping[str, Any] | None = None
) -> TrainingSettings:
    """A game's settings; a file's go before the defaults, and overrides before both."""
    name = find_game(game).name
    values: dict[str, Any] = {"game": name}
    if tiny:
        values |= TINY | TINY_OF[name]
    values |= (read_file(file) if file else {}) | dict(overrides or {})
    if values["game"] != name:
        raise PurlieuError(f"these are settings for {values['game']}, and the game is {name}")
    return settings_of(values)


def settings_of(values: Mapping[str, Any]) -> TrainingSettings:
    """Settings from plain values, as a file or a checkpoint holds them."""
    fields = {each.name: each for each in dataclasses.fields(TrainingSettings)}
    made: dict[str, Any] = {}
    if values.get("sizes") == {}:
        raise PurlieuError('the setting sizes names no board; expected sizes and shares, such as {"6": 1}')
    for name, value in values.items():
        if name not in fields:
            near = nearest(name, fields)
            raise PurlieuError(f"there is no setting {name!r}" + (f"; did you mean {near}?" if near else ""))
        made[name] = _read(name, str(fields[name].type), value)
    return TrainingSettings(**made)


def plain(settings: TrainingSettings) -> dict[str, Any]:
    """The inverse of `settings_of`: values that JSON can hold."""
    values = {name: list(v) if isinstance(v, tuple) else v for name, v in dataclasses.asdict(settings).items()}
    return values | {"sizes": {str(n): share for n, share in settings.sizes.items()}}


def read_file(path: Path) -> dict[str, Any]:
    """The settings in a TOML or JSON file."""
    try:
        text = path.read_text()
        values = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except (ValueError, UnicodeDecodeError) as error:
        raise PurlieuError(f"{path} holds no settings: {error}") from None
    if not isinstance(values, dict):
        raise PurlieuError(f"{path} holds no settings; expected lines such as: channels = 64")
    return values


def parse_override(text: str) -> tuple[str, Any]:
    """``name=value`` of the command line; the value as JSON or TOML has it, or as a word."""
    name, equals, value = text.partition("=")
    if not equals:
        raise PurlieuError(f"{text!r} sets nothing; expected something such as channels=64")
    return name.strip(), _value(value)


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        found = tomllib.loads(f"value = {text}")
    except ValueError:
        return text
    return found["value"] if len(found) == 1 else text


def _read(name: str, kind: str, value: Any) -> Any:
    """A value of a setting of that type."""
    try:
        if kind == "int" and not isinstance(value, bool):
            return _whole(value)
        if kind == "float" and not isinstance(value, bool) and math.isfinite(float(value)):
            return float(value)
        if kind in ("str", "bool") and type(value).__name__ == kind:
            return value
        if kind.startswith("tuple") and isinstance(value, list | tuple):
            return tuple(map(_whole, value))
        if kind.startswith("dict") and all(math.isfinite(float(share)) for share in value.values()):
            return {int(size): float(share) for size, share in value.items()}
    except (TypeError, ValueError, AttributeError, OverflowError):
        pass
    raise PurlieuError(f"the setting {name} cannot be {value!r}; expected {_KINDS[kind.split('[')[0]]}")


def _whole(value: Any) -> int:
    """A whole number, however it is written; anything else raises ValueError."""
    if not isinstance(value, int) and int(value) != float(value):
        raise ValueError
    return int(value)


_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a word",
    "bool": "true or false",
    "tuple": "whole numbers",
    "dict": 'sizes and shares, such as {"4": 0.5, "6": 0.5}',
}


def _in_full(bound: float) -> str:
    return f"{bound:.0f}" if float(bound).is_integer() else f"{bound:g}"


def _check(settings: TrainingSettings) -> None:
    """Bounds outside of which nothing would work."""
    least: dict[str, float] = {
        **{
            "blocks": 1,
            "channels": 8,
            "full_simulations": 2,
            "fast_simulations": 2,
            "considered": 1,
            "value_scale": 0.01,
        },
        **{"seed": 0, "slots": 0, "threads": 0, "groups": 0, "batch": 0},
        **{"lr": 1e-7, "warm_up": 0, "weight_decay": 0, "clip": 1e-3, "reuse": 0.1, "first_rows": 1},
        **{"window_base": 100, "window_exponent": 0.05, "window_slope": 0, "gate_plies": 1},
        **{"log_seconds": 0.1, "checkpoint_seconds": 0.1, "check_seconds": 1, "check_games": 2, "check_simulations": 2},
    }
    most: dict[str, float] = {
        **{"blocks": 100, "channels": 1024, "full_share": 1, "value_mix": 1, "window_exponent": 1, "lr": 1},
        **{"full_simulations": MOST_SIMULATIONS, "fast_simulations": MOST_SIMULATIONS, "considered": 4096},
        **{"check_simulations": MOST_SIMULATIONS, "value_scale": 100, "seed": 2**53, "slots": 2**20, "threads": 1024},
        **{"groups": 2**10, "batch": 2**20, "first_rows": 2**40, "window_base": 2**40, "check_games": 2**20},
        **{"gain_games": 2**20, "noise": 100, "noisy_plies": 1000, "end_nodes": 1e6},
    }
    for name, bound in least.items():
        if getattr(settings, name) < bound:
            raise PurlieuError(f"the setting {name} is {getattr(settings, name)}; the least is {_in_full(bound)}")
    for name, bound in (most | {"ema": 0.99999, "final_share": 0.9}).items():
        if not 0 <= getattr(settings, name) <= bound:
            raise PurlieuError(
                f"the setting {name} is {getattr(settings, name)}; it lies between 0 and {_in_full(bound)}"
            )
    for size in (*settings.sizes, settings.check_size):
        GAMES[settings.game].start(size)
    if any(share <= 0 for share in settings.sizes.values()):
        raise PurlieuError("the setting sizes gives a size no share; expected numbers above 0")
    if not settings.ladder or not all(1 <= each <= MOST_OPPONENT for each in settings.ladder):
        raise PurlieuError(
            f"the setting ladder is {settings.ladder}; expected numbers of simulations, 1 to {MOST_OPPONENT}"
        )
    plies = settings.random_plies
    if len(plies) != 2 or not 0 <= plies[0] <= plies[1] <= 1000:
        raise PurlieuError(f"the setting random_plies is {plies}; expected the fewest and the most turns")


def window_rows(settings: TrainingSettings, total: float) -> int:
    """How many of the newest rows are trained on, of so many ever made: KataGo's formula."""
    base, a = settings.window_base, settings.window_exponent
    if total <= base:
        return round(base)
    return int(base * (1 + settings.window_slope * ((total / base) ** a - 1) / a))


def learning_rate(settings: TrainingSettings, step: int, fall: float = 0.0) -> float:
    """The rate of a step; `fall` goes from 0 to 1 in the last part of a run, where the rate falls to a hundredth."""
    warm = min(1.0, (step + 1) / max(1, settings.warm_up))
    return settings.lr * warm * (0.01 + 0.99 * (1 + math.cos(math.pi * min(1.0, max(0.0, fall)))) / 2)


def averaging(settings: TrainingSettings, step: int, *, taught: bool = False) -> float:
    """The share of the averaged weights that a step keeps; at first little, since they know nothing yet, unless they
    came from a net."""
    return settings.ema if taught else min(settings.ema, (1 + step) / (10 + step))


def final_steps(settings: TrainingSettings, rows: int) -> float:
    """The most steps of the last part of a run: twice through all rows is enough."""
    return max(10.0, 2 * rows / settings.batch)


def final_seconds(settings: TrainingSettings, seconds: float, rows: int, step_seconds: float | None) -> float:
    """How much of the time that a run is given its last part needs: its share, or less if its steps take less."""
    share = settings.final_share * seconds
    return share if step_seconds is None else min(share, step_seconds * final_steps(settings, rows))
