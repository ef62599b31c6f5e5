"""Long proofs: limits, and files from which the next run goes on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

import purlieu
from purlieu import PurlieuError
from purlieu.solver.notebook import Notebook
from purlieu.solver.openings import distinct_openings
from purlieu.solver.prover import Progress, Prover
from purlieu.solver.solve import Solution

COSTLY = "pentwall 3L6/3Lppp3/3Lpp4/I2LL3nn/I5nnn1/I9/I7y1/ITTT2ZZy1/2T3Zyy1/2T2ZZ1y1"
"""Five pentominoes are left: some 250,000 nodes."""


@contextmanager
def keeping(out: Path, game: str, size: int, **options: Any) -> Iterator[Prover]:
    with closing(Notebook(out, game, size)) as notebook:
        yield Prover(notebook, **{"memory_mb": 16, **options})


def proved(out: Path, positions: Mapping[str, purlieu.Position], **options: Any) -> dict[str, Solution]:
    first = next(iter(positions.values()))
    with keeping(out, first.game, first.size, **options) as prover:
        return dict(prover.prove(positions))


@pytest.mark.parametrize("game", ["petrify", "pilo"])
def test_openings_of_3_are_solved_and_not_proved_again(game: str, tmp_path: Path) -> None:
    out = tmp_path / "openings.jsonl"
    openings = distinct_openings(game, 3)
    found = proved(out, openings)
    assert {move: solution.value for move, solution in found.items()} == {"a1": "loss", "b1": "loss", "b2": "loss"}
    lines = out.read_text()
    with keeping(out, game, 3) as again:
        assert dict(again.prove(openings)) == found
        assert again.nodes == 0
    assert out.read_text() == lines


def test_a_proof_without_the_margin_is_not_taken_for_one_with_it(tmp_path: Path) -> None:
    out = tmp_path / "openings.jsonl"
    openings = distinct_openings("petrify", 3)
    proved(out, openings)
    with_score = proved(out, openings, score=True)
    assert [solution.margin for solution in with_score.values()] == [0, -6, -6]
    with keeping(out, "petrify", 3, score=True) as again:
        assert dict(again.prove(openings)) == with_score
        assert again.nodes == 0


def test_a_run_that_was_cut_short_goes_on_where_it_was(tmp_path: Path) -> None:
    position = {"end": purlieu.parse(COSTLY)}
    whole = Prover(memory_mb=64, score=True)
    found = dict(whole.prove(position))
    out = tmp_path / "end.jsonl"
    with keeping(out, "pentwall", 10, memory_mb=64, score=True, nodes=whole.nodes * 3 // 4) as cut:
        assert dict(cut.prove(position)) == {}
        cut.save()
    with keeping(out, "pentwall", 10, memory_mb=64, score=True) as resumed:
        assert resumed.loaded > 0
        assert dict(resumed.prove(position))["end"].margin == found["end"].margin
        assert resumed.nodes < whole.nodes / 3


def test_a_run_that_is_killed_has_kept_four_fifths_of_its_work_on_a_single_position(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "b2.jsonl"
    position = {"b2": distinct_openings("petrify", 4)["b2"]}
    kept: list[int] = []
    with keeping(out, "petrify", 4, nodes=1_500_000) as killed:
        save = killed.save

        def noted() -> None:
            save()
            kept.append(killed.nodes)

        monkeypatch.setattr(killed, "save", noted)
        assert dict(killed.prove(position)) == {}  # and nobody saves what is in hand: as if it had been killed there
        assert kept
        assert kept[-1] > 0.79 * killed.nodes
        assert len(kept) < 20
    with keeping(out, "petrify", 4) as again:
        assert again.loaded > 10_000


def test_limits_hold_for_all_positions_together() -> None:
    openings = distinct_openings("petrify", 6)
    by_nodes = Prover(memory_mb=16, nodes=10_000)
    assert dict(by_nodes.prove(openings)) == {}
    assert 10_000 <= by_nodes.nodes < 15_000
    by_time = Prover(memory_mb=16, seconds=0.2)
    assert dict(by_time.prove(openings)) == {}
    assert by_time.seconds < 5


def test_easy_positions_are_proved_before_a_hard_one_takes_all() -> None:
    positions = {"hard": purlieu.start("pentwall"), "easy": purlieu.parse(COSTLY)}
    found = dict(Prover(memory_mb=64, nodes=1_000_000).prove(positions))
    assert list(found) == ["easy"]


def test_progress_names_the_position_and_counts_on() -> None:
    told: list[Progress] = []
    dict(Prover(memory_mb=16, seconds=2.0, on_progress=told.append).prove(distinct_openings("petrify", 6)))
    assert told
    assert {progress.name for progress in told} <= set(distinct_openings("petrify", 6))
    assert [progress.nodes for progress in told] == sorted(progress.nodes for progress in told)


def test_a_line_that_a_crash_cut_off_is_dropped(tmp_path: Path) -> None:
    out = tmp_path / "openings.jsonl"
    openings = distinct_openings("petrify", 3)
    proved(out, openings)
    whole = out.read_bytes()
    for kept, lines in [(len(whole) - 20, 2), (whole.index(b"\n") - 1, 0), (30, 0), (5, 0)]:
        out.write_bytes(whole[:kept])
        with closing(Notebook(out, "petrify", 3)) as notebook:
            assert len(notebook.known) == lines
            assert len(out.read_text().splitlines()) == lines
        proved(out, openings)
        assert len(out.read_text().splitlines()) == 3


def test_a_file_of_proofs_is_written_by_one_run_at_a_time(tmp_path: Path) -> None:
    out = tmp_path / "openings.jsonl"
    with closing(Notebook(out, "petrify", 3)):
        out.write_text('{"position": "petrify ')  # the first run is writing a line
        with pytest.raises(PurlieuError, match=r"openings\.jsonl is in use by another run"):
            Notebook(out, "petrify", 3)
        assert out.read_text() == '{"position": "petrify '
    Notebook(out, "petrify", 3).close()


def test_files_of_something_else_are_refused_and_left_alone(tmp_path: Path) -> None:
    out = tmp_path / "openings.jsonl"
    proved(out, distinct_openings("petrify", 3))
    with pytest.raises(PurlieuError, match="holds proofs of Petrify 3×3; give another file for Pilo 3×3"):
        Notebook(out, "pilo", 3)
    junk = tmp_path / "junk.jsonl"
    for text in ('{"no": "proof"}\n', '{"a":1}\n{"b":2}'):
        junk.write_text(text)
        with pytest.raises(PurlieuError, match="line 1 is no proof that purlieu wrote"):
            Notebook(junk, "pilo", 3)
        assert junk.read_text() == text
    for text in ("notes", '{"a":1}', '{"position": "petrify 3', '{"position": "pilo 3/3/3", "mine": 1}'):
        junk.write_text(text)
        with pytest.raises(PurlieuError, match="line 1 was not left half written by a run for Pilo 3×3"):
            Notebook(junk, "pilo", 3)
        assert junk.read_text() == text


def test_what_a_solver_remembers_of_another_game_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "four.jsonl"
    with keeping(out, "petrify", 4, nodes=30_000) as cut:
        dict(cut.prove(distinct_openings("petrify", 4)))
        cut.save()
    with pytest.raises(PurlieuError, match=r"four.proofs belongs to another game or size"):
        Notebook(out, "petrify", 3)
    (tmp_path / "four.proofs").write_bytes(b"\xff\x00 something else")
    with pytest.raises(PurlieuError, match=r"four.proofs is no file of proofs"):
        Notebook(out, "petrify", 4)
