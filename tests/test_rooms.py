"""The rooms of the code: CONTRIBUTING's table is the contract that `make check` holds it to."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_table_of_rooms_is_the_contract() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = [set(layer.split(" | ")) for layer in reversed(contracts[0]["layers"])]
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| ", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE)
    assert [set(re.findall(r"\w+", row)) for row in rows] == layers
