"""`make quick`: which tests a change calls for, nearest first, and no longer than it may take."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / "scripts" / "quick.py"


@pytest.fixture(scope="module")
def quick() -> ModuleType:
    spec = importlib.util.spec_from_file_location("quick", SCRIPT)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["quick"] = module  # Dataclasses look their module up.
    spec.loader.exec_module(module)
    return module


def test_a_change_in_a_room_runs_its_tests_and_its_namesake_first(quick: ModuleType) -> None:
    plan = quick.make_plan(["src/purlieu/ugi/protocol.py"])
    assert plan.tests[0] == "tests/ugi/test_protocol.py"
    assert {"tests/ugi/test_client.py", "tests/ugi/test_server.py"} <= set(plan.tests)
    assert not plan.web
    assert not plan.core


def test_a_test_that_names_the_module_runs_wherever_it_stands(quick: ModuleType) -> None:
    plan = quick.make_plan(["src/purlieu/ugi/client.py"])
    users = [str(path.relative_to(ROOT)) for path in ROOT.glob("tests/arena/*.py") if "ugi.client" in path.read_text()]
    assert set(users) & set(plan.tests)


def test_the_rules_and_the_core_are_held_to_what_every_game_promises(quick: ModuleType) -> None:
    for changed in ("src/purlieu/rules/pilo.py", "src/purlieu/core/perft.py"):
        assert "tests/conformance/test_conformance.py" in quick.make_plan([changed]).tests


def test_no_module_is_without_a_test(quick: ModuleType) -> None:
    rooms = {
        path for path in (ROOT / "src/purlieu").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    rooms -= {ROOT / "src/purlieu/__main__.py"}
    for room in rooms:
        changed = room if room.suffix else room / "__init__.py"
        assert quick.make_plan([str(changed.relative_to(ROOT))]).tests, room


def test_a_changed_test_runs_alone_and_a_helper_of_tests_runs_its_folder(quick: ModuleType) -> None:
    assert quick.make_plan(["tests/ugi/test_client.py"]).tests == ("tests/ugi/test_client.py",)
    helped = quick.make_plan(["tests/ugi/talk.py"]).tests
    assert set(helped) == {str(path.relative_to(ROOT)) for path in ROOT.glob("tests/ugi/test_*.py")}


def test_tables_pages_and_scripts_run_the_tests_that_read_them(quick: ModuleType) -> None:
    for changed, test in {
        "tests/data/perft/pilo.perft": "tests/conformance/test_perft.py",
        "README.md": "tests/test_readme.py",
        "scripts/draw_docs.py": "tests/test_readme.py",
        "examples/new.py": "tests/test_examples.py",
    }.items():
        assert test in quick.make_plan([changed]).tests


def test_the_page_and_the_core_have_tests_of_their_own(quick: ModuleType) -> None:
    assert quick.make_plan(["web/src/texts.ts"]) == quick.Plan(web=True)
    assert quick.make_plan(["src/purlieu/languages/en/rules/pilo.md"]).web
    assert quick.make_plan(["cpp/games/pilo.cpp"]) == quick.Plan(core=True)
    assert quick.make_plan([]) == quick.Plan()


def test_what_changed_is_all_since_main_committed_or_not(quick: ModuleType, tmp_path: Path) -> None:
    def git(*words: str) -> None:
        named = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *named, *words], cwd=tmp_path, check=True, capture_output=True)

    for name in ("kept", "edited", "moved"):
        (tmp_path / name).write_text(name)
    git("init", "--initial-branch", "main")
    git("add", ".")
    git("commit", "--message", "one")
    git("switch", "--create", "branch")
    git("mv", "moved", "there")
    git("commit", "--message", "two")
    (tmp_path / "edited").write_text("otherwise")
    (tmp_path / "new").write_text("new")
    assert quick.changed_files(tmp_path) == ["edited", "moved", "new", "there"]


@pytest.mark.parametrize(
    ("seconds", "name", "options", "well"),
    [
        (0, "test_many.py", [], True),
        (0, "test_many.py", ["-n", "2"], True),
        (60, "test_wrong.py", [], False),
    ],
)
def test_tests_for_which_there_is_no_time_are_left_out_and_that_is_no_failure(
    tmp_path: Path, seconds: int, name: str, options: list[str], well: bool
) -> None:
    (tmp_path / "test_many.py").write_text("".join(f"def test_{i}(): assert True\n" for i in range(500)))
    (tmp_path / "test_wrong.py").write_text("def test_wrong(): assert False\n")
    ask = f"import quick; print(quick.run_tests({[name]!r}, {seconds}, '--rootdir=.', *{options!r}))"
    environment = {"PYTHONPATH": str(SCRIPT.parent)}
    command = [sys.executable, "-c", ask]
    run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert run.stdout.splitlines()[-1] == str(well), run.stdout + run.stderr
    assert ("out of time" in run.stdout) == (seconds == 0)
    assert options or "500 passed" not in run.stdout  # Workers may have been faster than their controller's clock.
