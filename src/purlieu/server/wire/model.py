"""The base of every body that is read: strict types, no unknown fields; and the words that bodies share."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class Model(BaseModel):
    """Plain data. ``true`` is no number, ``"1"`` is none either, and a field that we do not know is refused."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


MoveText = Annotated[str, Field(min_length=1, max_length=40)]
"""A move as the rules write it: ``c3``, ``c3xf6``, ``2c3``, ``Wc3d3d4e4e5``, ``pass``, ``swap``."""
GameName = Annotated[str, Field(min_length=1, max_length=40, description="petrify, pilo, pentwall or pyloff")]
Size = Annotated[int, Field(ge=0, le=1000, description="The board's side.")]
