"""The base of every body that is read: strict types, no unknown fields; and the form of what is sent."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, with_config
from pydantic_core import to_json

from purlieu.rules import Point, Square


class Model(BaseModel):
    """Plain data. ``true`` is no number, ``"1"`` is none either, and a field that we do not know is refused."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


as_sent = with_config(ConfigDict(extra="forbid"))
"""Marks a TypedDict that is only ever sent. Such parts are plain data, made anew for every move: mypy holds them to
their types, and the API's description has them, at no cost while the server runs."""


def json_text(value: object) -> str:
    """Plain data as we send it."""
    return to_json(value).decode()  # a third of the time that the standard library takes


name_of = functools.cache(str)
"""The text of a square or a point. There are few of them, and a view names hundreds."""


def names(squares: Iterable[Square | Point]) -> list[str]:
    """The texts of squares or points."""
    return list(map(name_of, squares))


MoveText = Annotated[str, Field(min_length=1, max_length=40)]
"""A move as the rules write it: ``c3``, ``c3xf6``, ``2c3``, ``Wc3d3d4e4e5``, ``pass``, ``swap``."""
GameName = Annotated[str, Field(min_length=1, max_length=40, description="petrify, pilo, pentwall or pyloff")]
Size = Annotated[int, Field(ge=0, le=1000, description="The board's side.")]
