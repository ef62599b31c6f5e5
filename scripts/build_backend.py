"""What `pip install .` runs: scikit-build-core, after the page was built with npm where it is not there yet.

Without npm the package is whole but for the page, and one sentence says so. `make` builds the page itself.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import scikit_build_core.build as core
from scikit_build_core.build import (  # the hooks that stay as they are
    build_editable,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

ROOT = Path(__file__).parent.parent
CLIENT = ROOT / "src" / "purlieu" / "web" / "index.html"
SECONDS = 600
INSTALL = ("ci", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries", "1")


def build_wheel(
    wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    """A wheel, with the page in it if it can be built."""
    make_client()
    return core.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory: str, config_settings: dict[str, Any] | None = None) -> str:
    """The sources, with the built page, so that whoever builds from them needs no npm."""
    make_client()
    return core.build_sdist(sdist_directory, config_settings)


def make_client() -> None:
    """Build the page unless it is there; a missing page is no reason to install nothing."""
    web = ROOT / "web"
    if CLIENT.is_file() or not (web / "package.json").is_file():
        return
    npm = shutil.which("npm")
    if npm is None:
        say("npm is not there; with it, pip install . again")
        return
    for words in (INSTALL, ("run", "--silent", "build", "--", "--logLevel", "error")):
        try:
            subprocess.run([npm, "--prefix", str(web), *words], check=True, timeout=SECONDS, stdin=subprocess.DEVNULL)
        except (OSError, subprocess.SubprocessError) as error:
            say(f"npm {words[0]} failed ({error.__class__.__name__}); npm --prefix web {words[0]} says why")
            return


def say(why: str) -> None:
    """One sentence; pip shows it with -v."""
    sys.stderr.write(f"purlieu is installed without the page for the browser: {why}.\n")
