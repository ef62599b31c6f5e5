"""Where a run is, in one line, as its log says."""

from __future__ import annotations

from .log import Line, latest
from .strength import in_words

PARTS = ("policy_gap", "value", "own")
"""Of the loss, as the log calls them."""


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
        told.append(in_words(game, checks[-1]))
    if gains := [line for line in latest(lines, "gain") if line["against_steps"] == first_step]:
        gain = gains[-1]
        steps = gain["steps"] - first_step
        low, high = (f"{100 * gain[end]:.0f}" for end in ("low", "high"))
        told.append(f"{100 * gain['score']:.0f} % ({low} to {high}) against itself {steps:,} steps before")
    return told
