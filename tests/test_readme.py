"""What the README and the docs show is true."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

import purlieu
from purlieu import GAMES

ROOT = Path(__file__).parent.parent
LANGUAGES = ROOT / "src" / "purlieu" / "languages"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES += sorted(LANGUAGES.rglob("*.md"))


def test_the_readmes_python_does_what_it_shows() -> None:
    results = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert results.attempted >= 5
    assert results.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_and_picture_of_a_page_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_the_pictures_are_what_the_code_draws() -> None:
    script = ROOT / "scripts" / "draw_docs.py"
    result = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_a_rules_page_credits_the_designer_and_shows_a_position_that_parses(game: purlieu.rules.Game) -> None:
    page = (LANGUAGES / "en" / "rules" / f"{game.name}.md").read_text(encoding="utf-8")
    assert game.designer in page.split("## ")[0]
    shown = re.findall(rf"^{game.name} \S.*$", page, flags=re.MULTILINE)
    assert shown
    for text in shown:
        assert purlieu.parse(text).text() == text


def test_the_readme_names_the_two_commands_that_the_makefile_has() -> None:
    readme, makefile = (ROOT / "README.md").read_text(), (ROOT / "Makefile").read_text()
    for command in ("play", "test"):
        assert f"\nmake {command}\n" in readme
        assert f"\n{command}: " in makefile
