"""The colours of the drawings, by the part they play. Each has a light and a dark tone."""

from __future__ import annotations

from dataclasses import dataclass

from ..rules.errors import PurlieuError

THEMES = ("light", "dark", "auto")
FONT = "Inter, 'DejaVu Sans', system-ui, sans-serif"

TONES = 6
"""Marbles grow lighter level by level, up to this one."""


@dataclass(frozen=True, slots=True)
class Theme:
    """What a colour's name stands for; `auto` is light with the dark tones in a media query."""

    name: str

    @property
    def follows_reader(self) -> bool:
        """Whether the drawing turns dark where its reader's screen is."""
        return self.name == "auto"

    def colour(self, role: str) -> str | None:
        """The tone to write down for a role; None for what is no role: ``none``, ``url(#…)``."""
        tones = PALETTE.get(role)
        return tones and tones[self.name == "dark"]


def theme_named(name: str) -> Theme:
    """The theme of that name."""
    if name not in THEMES:
        raise PurlieuError(
            "drawing.no_theme",
            "there is no theme called {name}; the themes are {themes}",
            name=repr(name),
            themes=", ".join(THEMES),
        )
    return Theme(name)


def mix(one: str, other: str, share: float) -> str:
    """A colour between two, with that share of the other."""
    pairs = [(int(one[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def _marble_tones(name: str, low: str, high: str) -> dict[str, tuple[str, str]]:
    """``black1`` to ``black6``, and the light and the shade on each: ``black1-lit``, ``black1-shade``."""
    tones: dict[str, tuple[str, str]] = {}
    for tone in range(1, TONES + 1):
        base = mix(low, high, (tone - 1) / (TONES - 1))
        lit, shade = (
            mix(base, "#ffffff", 0.38 if name == "black" else 0.8),
            mix(base, "#000000", 0.34 if name == "black" else 0.3),
        )
        tones |= {f"{name}{tone}": (base, base), f"{name}{tone}-lit": (lit, lit), f"{name}{tone}-shade": (shade, shade)}
    return tones


PALETTE: dict[str, tuple[str, str]] = {
    # the sheet
    "card": ("#fcfaf5", "#1d2026"),
    "card-edge": ("#e4dccb", "#343a45"),
    "board": ("#f5eee0", "#282c34"),
    "grid": ("#d8ccb4", "#424955"),
    "frame": ("#8c7f67", "#79828f"),
    "ink": ("#26241f", "#f1ede4"),
    "muted": ("#857b69", "#9aa1ac"),
    "hole": ("#d3c5a8", "#171a1f"),
    "hole-edge": ("#b3a27f", "#4b5360"),
    "shadow": ("#4a3f2a", "#000000"),
    # the men
    "blue": ("#2f6fb5", "#3f86d2"),
    "blue-edge": ("#1c4a7f", "#1b4470"),
    "blue-side": ("#235890", "#2a649f"),
    "blue-sign": ("#e3effb", "#eaf4ff"),
    "orange": ("#e8902a", "#eb9836"),
    "orange-edge": ("#97560a", "#7d4708"),
    "orange-side": ("#bf7011", "#b8701a"),
    "orange-sign": ("#fff6e6", "#fff6e6"),
    "stone": ("#a29b8e", "#7d7f84"),
    "stone-lit": ("#c5bfb3", "#a2a5ab"),
    "stone-shade": ("#6d675c", "#4c4f55"),
    "stone-hatch": ("#7f786c", "#5f6268"),
    # the painted squares
    "solid": ("#2f6fb5", "#3f86d2"),
    "striped": ("#e08a22", "#eb9836"),
    "striped-ground": ("#fff3de", "#4a3617"),
    # the ledger and the marks
    "first-tint": ("#d5e5f5", "#22405f"),
    "first-tint-sign": ("#7fa9d6", "#5f97d3"),
    "second-tint": ("#fbe5c4", "#57401c"),
    "second-tint-sign": ("#e3ab5c", "#c98a35"),
    "halo": ("#fffdf8", "#14161a"),
    "refusal": ("#b8261b", "#ff8f80"),
    "white-line": ("#3c372d", "#15171a"),
    "black-line": ("#0a0c10", "#aab1bd"),
    "black-sign": ("#f4f1ea", "#f4f1ea"),
    "white-sign": ("#26241f", "#26241f"),
    "glint": ("#ffffff", "#ffffff"),
    **_marble_tones("black", "#20242c", "#565d6a"),
    **_marble_tones("white", "#dcd5c5", "#fdfbf6"),
}
"""Role, then its light and its dark tone. No meaning hangs on these alone: shape or texture always tells it too."""
