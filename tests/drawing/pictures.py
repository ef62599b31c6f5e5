"""Positions to draw, and a look at what was drawn."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET
from functools import cache

from purlieu import GAMES, Position, start
from purlieu.rules.moves import Move

SVG = "{http://www.w3.org/2000/svg}"

Turn = tuple[Move, Position, Position]
"""A move, the position before it, and the one after."""


def random_game(name: str, size: int, seed: int, turns: int | None = None) -> list[Turn]:
    """The turns of a random game, to its end or as many as asked for."""
    chance, position, played = random.Random(seed), start(name, size), list[Turn]()
    while not position.is_over and (turns is None or len(played) < turns):
        move = chance.choice(position.legal_moves())
        played.append((move, position, position.after(move)))
        position = played[-1][2]
    return played


@cache
def positions() -> tuple[Turn, ...]:
    """The last turn of a short and of a long random game, for every game and several sizes of it."""
    return tuple(
        random_game(name, size, seed=size, turns=turns)[-1]
        for name, game in GAMES.items()
        for size in sorted({game.sizes[0], game.default_size, game.sizes[-1]})
        for turns in (4, 60)
    )


def read(drawing: str) -> ET.Element:
    """The drawing as a tree; fails if it is no well-formed XML."""
    return ET.fromstring(drawing)


def layer(drawing: str, name: str) -> ET.Element:
    """One named part of a drawing."""
    found = read(drawing).find(f".//{SVG}g[@data-layer='{name}']")
    assert found is not None, f"no {name} in this drawing"
    return found


def has_layer(drawing: str, name: str) -> bool:
    """Whether the drawing has that part."""
    return read(drawing).find(f".//{SVG}g[@data-layer='{name}']") is not None


def stamps(element: ET.Element, name: str) -> list[tuple[float, float]]:
    """Where copies of what is called `name` (or begins with it) were put."""
    return [
        (float(use.get("x", 0)), float(use.get("y", 0)))
        for use in element.iter(f"{SVG}use")
        if use.get("href", "").partition("-")[2].startswith(name)
    ]


def words(element: ET.Element) -> list[str]:
    """Every text drawn in an element."""
    return [text.text or "" for text in element.iter(f"{SVG}text")]


def form(drawing: str, name: str) -> str:
    """What is called `name`, without its colours: only its shape is left."""
    found = [element for element in read(drawing).iter() if element.get("id", "").partition("-")[2] == name]
    assert len(found) == 1, f"{len(found)} definitions of {name}"
    parts = []
    for element in found[0].iter():
        parts.append(element.tag)
        parts += [f"{key}={value}" for key, value in element.attrib.items() if key not in ("id", "fill", "stroke")]
    return " ".join(parts)
