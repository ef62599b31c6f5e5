"""The rooms of the code: CONTRIBUTING's table is the contract that `make check` holds it to."""

from __future__ import annotations

import pydoc
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_table_of_rooms_is_the_contract() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = [set(layer.split(" | ")) for layer in reversed(contracts[0]["layers"])]
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| ", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE)
    assert [set(re.findall(r"\w+", row)) for row in rows] == layers


def test_the_storeys_of_training_are_told_as_the_contract_has_them() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (contract,) = (each for each in contracts if each.get("containers") == ["purlieu.train"])
    _, *storeys = (sorted(layer.split(" | ")) for layer in contract["layers"])
    (line,) = re.findall(
        r"^`train` has storeys too: (.*); and the programs", (ROOT / "CONTRIBUTING.md").read_text(), re.M
    )
    assert [re.findall(r"`(\w+)`", part) for part in line.split(";")] == storeys[::-1]


def test_every_file_of_training_that_its_page_names_is_there() -> None:
    page = (ROOT / "docs/training.md").read_text().split("### In the code")[1].split("\n## ")[0]
    named = re.findall(r"`(\w+/\w+\.py)`", page)
    assert len(named) > 10
    assert all((ROOT / "src/purlieu/train" / name).is_file() for name in named)


def test_the_settings_of_a_server_are_read_without_loading_an_engine() -> None:
    ask = "import sys, purlieu.server.settings; print([name for name in sys.modules if name.startswith('purlieu.')])"
    loaded = subprocess.run([sys.executable, "-c", ask], check=True, capture_output=True, text=True).stdout
    assert "purlieu.server.settings" in loaded
    assert "purlieu.engine" not in loaded
    assert "purlieu.core" not in loaded


def test_every_name_in_the_glossary_is_there() -> None:
    glossary = (ROOT / "docs/glossary.md").read_text()
    named = re.findall(r"\| `([\w.]+)(?:\(\))?` \|", glossary)
    assert len(named) > 25
    for name in named:
        homes = ("purlieu.", "purlieu.rules.", "purlieu.engine.")
        assert any(pydoc.locate(home + name.removeprefix("purlieu.")) for home in homes), name
    files = re.findall(r"`(\w+/[\w./]+)`", glossary)
    assert len(files) > 5
    for path in files:
        assert (ROOT / "web/src" / path).is_file(), path


def test_no_source_file_is_longer_than_500_lines() -> None:
    kinds = {".py", ".h", ".cpp", ".ts", ".svelte", ".css"}
    made = {"web/src/api/schema.ts"}
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    sources = [name for name in tracked if name.startswith(("src/", "cpp/", "web/src/", "benchmarks/", "scripts/"))]
    long = [name for name in sources if Path(name).suffix in kinds and name not in made and lines_of(name) > 500]
    assert not long, f"{', '.join(long)}: more than 500 lines; divide it by what it says"


def lines_of(name: str) -> int:
    return len((ROOT / name).read_text(encoding="utf-8").splitlines())
