"""Installing from a clone: the page is built where npm is there, and its absence is said where it is not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BACKEND = Path(__file__).parent.parent / "scripts" / "build_backend.py"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    (tmp_path / "scripts").mkdir()
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "package.json").write_text("{}")
    shutil.copy(BACKEND, tmp_path / "scripts")
    (tmp_path / "bin").mkdir()
    return tmp_path


def make_client(clone: Path) -> str:
    """What is said when the page of a clone is made with the programs in its folder `bin` alone."""
    done = subprocess.run(
        [sys.executable, "-c", "import build_backend; build_backend.make_client()"],
        cwd=clone / "scripts",
        env={**os.environ, "PATH": str(clone / "bin")},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stderr


def program(clone: Path, text: str) -> None:
    """A program called npm that does that."""
    npm = clone / "bin" / "npm"
    npm.write_text(f"#!/bin/sh\n{text}\n")
    npm.chmod(0o755)


def test_without_npm_one_sentence_says_what_is_missing(clone: Path) -> None:
    said = make_client(clone)
    assert said == (
        "purlieu is installed without the page for the browser: npm is not there; with it, pip install . again.\n"
    )


def test_an_npm_that_fails_is_no_reason_to_install_nothing(clone: Path) -> None:
    program(clone, "exit 1")
    assert "npm ci failed" in make_client(clone)


def test_the_page_is_installed_and_built_with_npm_unless_it_is_there(clone: Path) -> None:
    program(clone, f'echo "$3" >> {clone}/asked')
    assert make_client(clone) == ""
    assert (clone / "asked").read_text() == "ci\nrun\n"
    page = clone / "src" / "purlieu" / "web" / "index.html"
    page.parent.mkdir(parents=True)
    page.touch()
    make_client(clone)
    assert (clone / "asked").read_text() == "ci\nrun\n"
