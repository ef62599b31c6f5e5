"""Long proofs: limits, and files from which the next run goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

import purlieu
from purlieu import PurlieuError
from purlieu.engine.notebook import Notebook
from purlieu.engine.openings import distinct_openings
from purlieu.engine.prover import Progress, Prover

COSTLY = "pentwall 3L6/3Lppp3/3Lpp4/I2LL3nn/I5nnn1/I9/I7y1/ITTT2ZZy1/2T3Zyy1/2T2ZZ1y1"
"""Five pentominoes are left: some 250,000 nodes."""


@pytest.mark.parametrize("game", ["petrify", "pilo"])
def test_openings_of_3_are_solved_and_not_proved_again(game: str, tmp_path: Path) -> None:
    out = tmp_path / "openings.jsonl"
    openings = distinct_openings(game, 3)
    found = dict(Prover(Notebook(out, game, 3), memory_mb=16).prove(openings))
    assert {move: solution.value for move, solution in found.items()} == {"a1": "loss", "b1": "loss", "b2": "loss"}
    lines = out.read_text()
    again = Prover(Notebook(out, game, 3), memory_mb=16)
    assert dict(again.prove(openings)) == found
    assert again.nodes == 0
    assert out.read_text() == lines


def test_a_proof_without_the_margin_is_not_taken_for_one_with_it(tmp_path: Path) -> None:
    out = tmp_path / "openings.jsonl"
    openings = distinct_openings("petrify", 3)
    dict(Prover(Notebook(out, "petrify", 3), memory_mb=16).prove(openings))
    with_score = dict(Prover(Notebook(out, "petrify", 3), memory_mb=16, score=True).prove(openings))
    assert [solution.margin for solution in with_score.values()] == [0, -6, -6]
    again = Prover(Notebook(out, "petrify", 3), memory_mb=16, score=True)
    assert dict(again.prove(openings)) == with_score
    assert again.nodes == 0


def test_a_run_that_was_cut_short_goes_on_where_it_was(tmp_path: Path) -> None:
    position = {"end": purlieu.parse(COSTLY)}
    whole = Prover(memory_mb=64, score=True)
    proved = dict(whole.prove(position))
    out = tmp_path / "end.jsonl"
    cut = Prover(Notebook(out, "pentwall", 10), memory_mb=64, score=True, nodes=whole.nodes * 3 // 4)
    assert dict(cut.prove(position)) == {}
    cut.save()
    resumed = Prover(Notebook(out, "pentwall", 10), memory_mb=64, score=True)
    assert resumed.loaded > 0
    assert dict(resumed.prove(position))["end"].margin == proved["end"].margin
    assert resumed.nodes < whole.nodes / 3


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
    dict(Prover(Notebook(out, "petrify", 3), memory_mb=16).prove(openings))
    whole = out.read_bytes()
    out.write_bytes(whole[:-20])
    assert len(Notebook(out, "petrify", 3).known) == 2
    dict(Prover(Notebook(out, "petrify", 3), memory_mb=16).prove(openings))
    assert len(out.read_text().splitlines()) == 3


def test_files_of_something_else_are_refused_and_left_alone(tmp_path: Path) -> None:
    out = tmp_path / "openings.jsonl"
    dict(Prover(Notebook(out, "petrify", 3), memory_mb=16).prove(distinct_openings("petrify", 3)))
    with pytest.raises(PurlieuError, match="holds proofs of Petrify 3×3; give another file for Pilo 3×3"):
        Notebook(out, "pilo", 3)
    junk = tmp_path / "junk.jsonl"
    junk.write_text('{"no": "proof"}\n')
    with pytest.raises(PurlieuError, match="line 1 is no proof that purlieu wrote"):
        Notebook(junk, "pilo", 3)
    assert junk.read_text() == '{"no": "proof"}\n'


def test_what_a_solver_remembers_of_another_game_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "four.jsonl"
    cut = Prover(Notebook(out, "petrify", 4), memory_mb=16, nodes=30_000)
    dict(cut.prove(distinct_openings("petrify", 4)))
    cut.save()
    with pytest.raises(PurlieuError, match=r"four.proofs belongs to another game or size"):
        Notebook(out, "petrify", 3)
    (tmp_path / "four.proofs").write_bytes(b"\xff\x00 something else")
    with pytest.raises(PurlieuError, match=r"four.proofs is no file of proofs"):
        Notebook(out, "petrify", 4)
