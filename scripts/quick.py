"""Check what changed in about a minute: format, lint, types, layers, and the tests nearest to the changed files.

    python scripts/quick.py [--seconds 40] [--list] [FILE …]

Without files: all that differ from where this branch left `main`, uncommitted and new ones too. The tests run nearest
first, and those that have no more time are counted, not run: `make test` runs everything.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parent.parent
TWINS = {"rules": ("conformance",), "core": ("conformance",)}
"""Rooms that more than one folder tests."""


@dataclass(frozen=True)
class Plan:
    """What is worth running after a change."""

    tests: tuple[str, ...] = ()
    """Test files, and modules with examples, nearest first."""
    web: bool = False
    core: bool = False


def changed_files(root: Path = ROOT) -> list[str]:
    """The files that differ from where this branch left main, and those that git does not know yet."""
    fork = _git(root, "merge-base", "HEAD", "main") or ["HEAD"]
    differing = _git(root, "diff", "--name-only", "--no-renames", fork[0])
    return sorted({*differing, *_git(root, "ls-files", "--others", "--exclude-standard")})


def make_plan(changed: Iterable[str], root: Path = ROOT) -> Plan:
    """The tests of these files."""
    files = list(changed)
    texts = {str(path.relative_to(root)): path.read_text() for path in sorted((root / "tests").rglob("test_*.py"))}
    ranks: dict[str, int] = {}
    for file in files:
        for test, rank in _tests_of(file, texts, root):
            ranks[test] = min(rank, ranks.get(test, rank))
    return Plan(
        tests=tuple(sorted(ranks, key=lambda test: (ranks[test], test))),
        web=any(file.startswith(("web/", "src/purlieu/languages/")) for file in files),
        core=any(file.startswith("cpp/") or file == "CMakeLists.txt" for file in files),
    )


def _tests_of(file: str, texts: dict[str, str], root: Path) -> Iterator[tuple[str, int]]:
    """Test files and how far they are from a file: from 0, the file itself, to 3, any test of its room."""
    path = Path(file)
    if path.parts[0] in {"cpp", "web"}:
        return  # They have tests of their own.
    folders: set[str] = set()
    named = rf"\b{re.escape(path.name)}\b|[\"'/]{re.escape(path.parent.name or path.name)}[\"'/]"
    if path.suffix == ".py" and path.parts[:2] == ("src", "purlieu"):
        room = path.parts[2].removesuffix(".py")
        module = ".".join(path.with_suffix("").parts[1:]).removesuffix(".__init__")
        home, _, last = module.rpartition(".")
        named = rf"{re.escape(module)}\b|from {re.escape(home)} import .*\b{last}\b"
        folders = {room, *TWINS.get(room, ())} if (root / "tests" / room).is_dir() else _rooms_above(module)
        if (root / path).exists() and ">>> " in (root / path).read_text():
            yield file, 1
    elif path.parts[0] == "tests":
        named = named if path.parts[1:2] == ("data",) else "(?!)"
        folders = set() if path.name.startswith("test_") else set(path.parts[1:2])
    words = set(re.findall(r"[^\W_]{3,}", path.stem.removesuffix("s")))
    for test, text in texts.items():
        here = Path(test).parts[1] in folders
        if test == file:
            yield test, 0
        elif here and any(word in Path(test).stem for word in words):
            yield test, 1
        elif re.search(named, text):
            yield test, 2
        elif here:
            yield test, 3


def _rooms_above(module: str) -> set[str]:
    """The rooms that use a module which has no folder of tests: theirs are its tests."""
    graph = grimp.build_graph("purlieu")
    users = graph.find_modules_that_directly_import(module) if module in graph.modules else set()
    return {user.split(".")[1] for user in users if "." in user}


class TimeBox:
    """Stops pytest after some seconds, and then says how much it left out."""

    def __init__(self, seconds: float) -> None:
        self.end = time.monotonic() + seconds
        self.session: pytest.Session | None = None

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Keeps hold of what can be told to stop."""
        self.session = session

    def pytest_runtest_logreport(self) -> None:
        """Looks at the clock after each step of a test."""
        if self.session and time.monotonic() > self.end:
            self.session.shouldstop = "out of time: 'make test' runs the rest"


def run_tests(tests: Iterable[str], seconds: float, *options: str) -> bool:
    """Whether no test failed among those for which there was time."""
    box = TimeBox(seconds)
    code = pytest.main(["-q", "-x", "-m", "not deep", *options, *tests], plugins=[box])
    stopped = box.session is not None and bool(box.session.shouldstop)
    failed = box.session is not None and box.session.testsfailed
    return code in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED} or (stopped and not failed)


def _git(root: Path, *words: str) -> list[str]:
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    return done.stdout.splitlines() if done.returncode == 0 else []


def _make(*targets: str) -> bool:
    # As installed: the tests nearest to a change of C++ need not wait until Python's core is built again.
    command = ["make", "--no-print-directory", "--assume-old=.venv/.dev", *targets]
    return subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--seconds", type=float, default=40, help="for the Python tests")
    parser.add_argument("--list", action="store_true", help="say what would run, and run nothing")
    args = parser.parse_args()
    plan = make_plan(args.files or changed_files())
    if args.list:
        print(*plan.tests, *["the page"] * plan.web, *["the C++ core"] * plan.core, sep="\n")
        return 0
    steps = ["check", *["test-web"] * plan.web, *["quick-core"] * plan.core]
    if not _make(*steps):
        return 1
    if not plan.tests:
        return 0
    print("== the tests nearest to the change", flush=True)
    return not run_tests(plan.tests, args.seconds, "-n", "2")


if __name__ == "__main__":
    sys.exit(main())
