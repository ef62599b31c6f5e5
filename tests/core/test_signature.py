"""The signature of the search: a commit that changes what the search does says so here."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from purlieu.core import signature as signatures
from purlieu.core.signature import signature

SIGNATURE = "d82ae3d9072ddf10"


@pytest.mark.parametrize("build", ["plain", ""])
def test_the_search_does_what_it_did_on_every_build_of_the_core(build: str) -> None:
    asked = [sys.executable, "-m", "purlieu", "bench", "--signature"]
    done = subprocess.run(asked, env={**os.environ, "PURLIEU_CORE": build}, capture_output=True, text=True, check=True)
    assert done.stdout == f"{SIGNATURE}\n"


def test_the_signature_changes_with_what_the_search_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(signatures.SIMULATIONS, "net", 121)
    assert signature() != SIGNATURE
