"""The card of a net: what it learned from, how, what came of it, and what it cannot do."""

from __future__ import annotations

import json
from typing import Any

from purlieu import __version__
from purlieu.rules import GAMES

from .log import latest
from .net import Net
from .settings import Settings, plain


def card(
    settings: Settings, net: Net, done: dict[str, float], lines: list[dict[str, Any]], *, commit: str, device: str
) -> str:
    """The card as Markdown."""
    game = GAMES[settings.game]
    weights = sum(each.numel() for each in net.parameters())
    sizes = ", ".join(f"{n}×{n} {100 * share:.0f} %" for n, share in settings.sizes.items())
    planes = net.shape.fingerprint
    smallest, largest = min(settings.sizes), max(settings.sizes)
    learned = f"{smallest}×{smallest} to {largest}×{largest}" if smallest < largest else f"{largest}×{largest} alone"
    return f"""# A net for {game.title}

Made by `purlieu train {settings.game}` (purlieu {__version__}, commit {commit}, rules version {game.rules_version})
on {device}{_starts(lines)}.

## Data

{_origin(lines)}: {done["games"]:,.0f} games, {done["rows"]:,.0f} rows and
{done["evaluations"]:,.0f} evaluations in {done["seconds"] / 60:.1f} minutes; boards: {sizes}.

## The net

{settings.blocks} residual blocks of {settings.channels} channels, {weights:,} weights, {net.shape.inputs} planes in,
{net.shape.policy} planes of moves out (fingerprint of the planes `{planes}`). {done["steps"]:,.0f} steps of
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


def _starts(lines: list[dict[str, Any]]) -> str:
    """How often the run was gone on with: each start may have had a commit and settings of its own."""
    starts = sum(line.get("kind") == "start" for line in lines)
    return (
        f", in {starts} starts; this is the last one's commit, settings and machine, and log.jsonl has the others'"
        if starts > 1
        else ""
    )


def _origin(lines: list[dict[str, Any]]) -> str:
    """What the run began with."""
    source = next((line["begun_from"] for line in lines if "begun_from" in line), None)
    if source is None:
        return "Its own games, from nothing but the rules"
    return f"Its own games, beginning with the weights of {source}"


def _results(lines: list[dict[str, Any]]) -> str:
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


def _gains(lines: list[dict[str, Any]]) -> list[str]:
    """What each start gained over the net that it began with, as far as that was played."""
    last = {line["against_steps"]: line for line in latest(lines, "gain")}
    return [
        f"After {line['steps']:,} steps it scored {100 * line['score']:.1f} % ({100 * line['low']:.1f} to "
        f"{100 * line['high']:.1f}) of {line['wins'] + line['draws'] + line['losses']:,} games against "
        f"{f'itself after {before:,}' if before else 'the net that it began with'}, "
        f"with {line['simulations']} simulations each."
        for before, line in last.items()
    ]


def _settings(settings: Settings) -> str:
    def toml(value: Any) -> str:
        if isinstance(value, dict):
            return "{" + ", ".join(f'"{name}" = {toml(each)}' for name, each in value.items()) + "}"
        return json.dumps(value)

    return "\n".join(f"{name} = {toml(value)}" for name, value in plain(settings).items())
