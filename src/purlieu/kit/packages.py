"""Packages that purlieu can do without."""

from __future__ import annotations

from importlib.util import find_spec


def is_there(name: str) -> bool:
    """Whether a package can be imported."""
    try:
        return find_spec(name) is not None
    except ValueError:  # it was taken away on purpose
        return False
