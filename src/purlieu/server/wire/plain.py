"""What every form of plain data that we send is made with. It needs the rules and the standard library alone."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable
from typing import TypeVar

from purlieu.rules import Point, Square

if sys.version_info >= (3, 12):
    from typing import NotRequired as NotRequired
    from typing import TypedDict as TypedDict
else:  # pydantic reads no older ones
    from typing import NotRequired as NotRequired

    from typing_extensions import TypedDict as TypedDict

Sent = TypeVar("Sent", bound=type)


def as_sent(form: Sent) -> Sent:
    """Mark a TypedDict that is only ever sent: plain data, made for every move, at no cost while the server runs.

    mypy holds what is made to its types. pydantic, which never sees the data, describes the form for OpenAPI: the
    docstrings of the fields are their descriptions, and there are no other fields.
    """
    form.__pydantic_config__ = {"extra": "forbid", "use_attribute_docstrings": True}  # type: ignore[attr-defined]
    return form


name_of = functools.cache(str)
"""The text of a square or a point. There are few of them, and a view names hundreds."""


def names(squares: Iterable[Square | Point]) -> list[str]:
    """The texts of squares or points."""
    return list(map(name_of, squares))
