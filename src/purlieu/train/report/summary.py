"""A run in words: the card of its net, and one line of progress."""

from __future__ import annotations

import json
from typing import Any

from purlieu import __version__
from purlieu.nets.shape import Shape
from purlieu.rules import GAMES

from ..data.run_folder import Line, latest
from ..data.settings import TrainingSettings, plain
from .strength import describe_check

PARTS = ("policy_gap", "value", "own")
"""Of the loss, as the log calls them."""


def card(
    settings: TrainingSettings,
    shape: Shape,
    weights: int,
    done: dict[str, float],
    lines: list[Line],
    *,
    commit: str,
    device: str,
) -> str:
    """The card of a net, as Markdown: what it learned from, how, what came of it, and what it cannot do."""
    game = GAMES[settings.game]
    sizes = ", ".join(f"{n}×{n} {100 * share:.0f} %" for n, share in settings.sizes.items())
    smallest, largest = min(settings.sizes), max(settings.sizes)
    learned = f"{smallest}×{smallest} to {largest}×{largest}" if smallest < largest else f"{largest}×{largest} alone"
    return f"""# A net for {game.title}

Made by `purlieu train {settings.game}` (purlieu {__version__}, commit {commit}, rules version {game.rules_version})
on {device}{_starts(lines)}.

## Data

{_origin(lines)}: {done["games"]:,.0f} games, {done["rows"]:,.0f} rows and
{done["evaluations"]:,.0f} evaluations in {done["seconds"] / 60:.1f} minutes; boards: {sizes}.

## The net

{settings.blocks} residual blocks of {settings.channels} channels, {weights:,} weights, {shape.inputs} planes in,
{shape.policy} planes of moves out (fingerprint of the planes `{shape.fingerprint}`). {done["steps"]:,.0f} steps of
training, {done["samples"]:,.0f} rows seen; the averaged weights are the ones exported.

## Results

{_results(lines)}

## Limits

It was trained on {learned}; on other boards it runs, and nothing is known of its strength. It never
sees a swap or a pass: both are left to whoever uses it.

## Settings

As `--settings` takes them:

```toml
{_settings(settings)}
```
"""


def _starts(lines: list[Line]) -> str:
    """How often the run was gone on with: each start may have had a commit and settings of its own."""
    starts = sum(line.get("kind") == "start" for line in lines)
    return (
        f", in {starts} starts; this is the last one's commit, settings and machine, and log.jsonl has the others'"
        if starts > 1
        else ""
    )


def _origin(lines: list[Line]) -> str:
    """What the run began with."""
    source = next((line["begun_from"] for line in lines if "begun_from" in line), None)
    if source is None:
        return "Its own games, from nothing but the rules"
    return f"Its own games, beginning with the weights of {source}"


def _results(lines: list[Line]) -> str:
    """The last check against each opponent: once a net wins nearly all against one, it meets the next."""
    last = {line["opponent"]: line for line in latest(lines, "check")}
    if not last:
        return "No games against other players were played."
    rows = [
        "| after steps | plain search of | board | net's simulations | won–drawn–lost | score (95 %) |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for opponent, line in sorted(last.items()):
        rows.append(
            f"| {line['steps']:,} | {opponent} simulations | {line['size']}×{line['size']} | {line['simulations']} | "
            f"{line['wins']}–{line['draws']}–{line['losses']} | "
            f"{100 * line['score']:.1f} % ({100 * line['low']:.1f} to {100 * line['high']:.1f}) |"
        )
    return "\n".join([*rows, "", "Played at fixed simulations, not at equal time.", *_gains(lines)])


def _gains(lines: list[Line]) -> list[str]:
    """What each start gained over the net that it began with, as far as that was played."""
    last = {line["against_steps"]: line for line in latest(lines, "gain")}
    return [
        f"After {line['steps']:,} steps it scored {100 * line['score']:.1f} % ({100 * line['low']:.1f} to "
        f"{100 * line['high']:.1f}) of {line['wins'] + line['draws'] + line['losses']:,} games against "
        f"{f'itself after {before:,}' if before else 'the net that it began with'}, "
        f"with {line['simulations']} simulations each."
        for before, line in last.items()
    ]


def _settings(settings: TrainingSettings) -> str:
    def toml(value: Any) -> str:
        if isinstance(value, dict):
            return "{" + ", ".join(f'"{name}" = {toml(each)}' for name, each in value.items()) + "}"
        return json.dumps(value)

    return "\n".join(f"{name} = {toml(value)}" for name, value in plain(settings).items())


def progress(game: str, device: str, lines: list[Line], first_step: int) -> str:
    """After a line about training; the run's start began at that step."""
    now = lines[-1]
    told = [
        f"{now['seconds'] / 60:.1f} min",
        f"{now['games']:,} games ({now['games_per_s']:.1f}/s)",
        f"{now['evals_per_s'] / 1000:.1f}k evals/s",
        f"{'GPU' if device != 'cpu' else 'net'} {100 * now['device_share']:.0f} %",
    ]
    if "loss" in now:
        parts = " ".join(f"{name} {now[name]:.3f}" for name in PARTS)
        told.append(f"step {now['steps']:,}, loss {now['loss']:.3f} ({parts})")
    return "; ".join(told + _strength(game, lines, first_step))


def ending(game: str, lines: list[Line], first_step: int) -> str:
    """After a start's last check, which comes after its last line about training."""
    return "; ".join([f"{lines[-1]['steps']:,} steps", *_strength(game, lines, first_step)])


def _strength(game: str, lines: list[Line], first_step: int) -> list[str]:
    """How the net fared in the last check, against plain search and against itself as the start found it."""
    told = []
    if checks := latest(lines, "check"):
        told.append(describe_check(game, checks[-1]))
    if gains := [line for line in latest(lines, "gain") if line["against_steps"] == first_step]:
        gain = gains[-1]
        steps = gain["steps"] - first_step
        low, high = (f"{100 * gain[end]:.0f}" for end in ("low", "high"))
        told.append(f"{100 * gain['score']:.0f} % ({low} to {high}) against itself {steps:,} steps before")
    return told
