"""The ways to install that the pages show bring what the pages promise."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]


def shown(page: str) -> list[str]:
    """What each ``pip install`` of a page installs."""
    return re.findall(r"pip install '([^']+)'", (ROOT / page).read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", ["README.md", "docs/research.md", "docs/server.md"])
def test_a_page_installs_from_the_checkout_and_names_extras_that_there_are(page: str) -> None:
    assert shown(page)
    for what in shown(page):
        found = re.fullmatch(r"\.\[([a-z,]+)\]", what)
        assert found, what
        assert set(found[1].split(",")) <= set(EXTRAS)


def test_who_installs_as_the_pages_say_plays_with_nets() -> None:
    for page in ("README.md", "docs/server.md", "docs/research.md"):
        assert any("net" in re.split(r"[\[\],]", what) for what in shown(page)), page
