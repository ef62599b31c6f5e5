"""The picture of a run: strength on one scale, whoever was met, and no more claimed than the games tell."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from purlieu.nets import shipped
from purlieu.train.data.run_folder import Log, latest, read_log
from purlieu.train.data.settings import make_settings, plain
from purlieu.train.report.curves import curves
from purlieu.train.report.strength import (
    TABLE,
    MatchResult,
    accumulated_gains,
    anchors,
    check_strengths,
    describe_check,
    strength_history,
)


def line(check: MatchResult) -> dict[str, Any]:
    low, high = check.interval
    games = {"wins": check.wins, "draws": check.draws, "losses": check.losses}
    return {"size": check.size, "opponent": check.opponent, "score": check.score, "low": low, "high": high, **games}


def test_a_stronger_plain_search_stands_above_a_weaker_one_and_is_less_sure() -> None:
    measured = json.loads(TABLE.read_text(encoding="utf-8"))
    assert {"petrify", "pentwall"} <= set(measured)
    for game, entry in measured.items():
        known = [each for _, each in sorted(anchors(game, entry["size"]).items())]
        assert len(known) >= 3
        assert known[0].elo == 0
        assert [each.elo for each in known] == sorted(each.elo for each in known)
        assert [each.error for each in known] == sorted(each.error for each in known)


def test_an_even_score_is_the_opponents_own_strength() -> None:
    (found,) = check_strengths("pentwall", [line(MatchResult(10, 1000, 64, 0, 64))]) or []
    anchor = anchors("pentwall", 10)[1000]
    assert found.elo == pytest.approx(anchor.elo)
    assert found.low
    assert found.high
    assert found.low < found.elo - 1.96 * anchor.error, "the opponent's own error is in the interval"
    assert not found.is_bound


def test_a_score_of_nearly_all_is_told_as_a_bound() -> None:
    won, lost = (
        check_strengths("pentwall", [line(MatchResult(10, 100, 128, 0, 0)), line(MatchResult(10, 100, 0, 0, 128))])
        or []
    )
    assert won.is_bound
    assert won.high is None
    assert 570 < won.elo < 670, "97.1 % is the least that 128 wins leave likely"
    assert lost.is_bound
    assert lost.low is None
    assert lost.elo == pytest.approx(-won.elo)


def test_a_score_that_may_be_all_is_open_above() -> None:
    """Intervals in the logs of older runs reach that far."""
    (found,) = check_strengths("pentwall", [line(MatchResult(10, 100, 126, 0, 2)) | {"high": 1.0}]) or []
    assert not found.is_bound
    assert found.high is None
    assert found.low


def test_who_watches_a_run_is_told_its_elo_where_it_is_known() -> None:
    even, won = (line(MatchResult(10, 100, wins, 0, 128 - wins)) for wins in (64, 128))
    assert describe_check("pentwall", even) == "50 % against plain search of 100 (+0 Elo to that of 100)"
    assert describe_check("pentwall", won).startswith("100 % against plain search of 100 (at least +6")
    assert describe_check("pilo", {**even, "size": 4}) == "50 % against plain search of 100"
    furthest, further = (line(MatchResult(10, 100, wins, 0, 200 - wins)) for wins in (196, 197))
    assert describe_check("pentwall", furthest) == "98 % against plain search of 100 (+676 Elo to that of 100)"
    assert describe_check("pentwall", further) == "98 % against plain search of 100", "98.5 % tell more about luck"
    few = line(MatchResult(10, 100, 2, 0, 0))
    assert describe_check("pentwall", few) == "100 % against plain search of 100", "too few games for an Elo"


def test_nothing_is_chained_to_an_opponent_whose_strength_is_unknown() -> None:
    assert check_strengths("pentwall", [line(MatchResult(10, 77, 64, 0, 64))]) is None
    assert check_strengths("petrify", [line(MatchResult(4, 100, 64, 0, 64))]) is None


def at_step(steps: int, check: MatchResult, **more: int) -> dict[str, Any]:
    return {"seconds": float(steps), "steps": steps, **line(check), **more}


def test_where_plain_search_loses_all_a_starts_gain_goes_on_from_there() -> None:
    checks = [at_step(steps, MatchResult(10, 100, 128, 0, 0)) for steps in (100, 200)]
    gain = at_step(200, MatchResult(10, 0, 384, 0, 128), against_steps=100)
    (_, before), (shown, after) = strength_history("pentwall", checks, [gain]) or []
    assert shown is gain
    assert after.is_bound, "what it counts from is a bound"
    assert 150 < after.elo - before.elo < 191, "75 % are 191 Elo, and the low end counts"
    even = at_step(200, MatchResult(10, 1000, 64, 0, 64))
    assert (strength_history("pentwall", [checks[0], even], [gain]) or [])[1][0] is even, (
        "a check that tells an Elo says more"
    )
    unknown = gain | {"against_steps": 50}
    assert [each for each, _ in strength_history("pentwall", checks, [unknown]) or []] == checks


def test_a_gain_over_a_known_strength_has_the_errors_of_both() -> None:
    check = at_step(100, MatchResult(10, 1000, 64, 0, 64))
    gain = at_step(300, MatchResult(10, 0, 384, 0, 128), against_steps=100)
    (_, before), (_, after) = strength_history("pentwall", [check], [gain]) or []
    assert before.low
    assert after.low
    assert after.elo - before.elo == pytest.approx(191, abs=1)
    assert after.elo - after.low > before.elo - before.low


def test_gains_alone_tell_how_far_later_nets_are_above_the_first_one_that_was_met() -> None:
    base = at_step(100, MatchResult(10, 100, 128, 0, 0))
    gains = [
        at_step(300, MatchResult(10, 0, 384, 0, 128), against_steps=200),
        at_step(200, MatchResult(10, 0, 384, 0, 128), against_steps=100),
        at_step(250, MatchResult(10, 0, 256, 0, 256), against_steps=77),
    ]
    (first, zero), (second, more), (third, most) = accumulated_gains(base, gains)
    assert [each["steps"] for each in (first, second, third)] == [100, 200, 300], "77 steps were never met"
    assert (zero.elo, zero.low, zero.high) == (0, 0, 0)
    assert more.elo == pytest.approx(191, abs=1)
    assert most.elo == pytest.approx(382, abs=1)
    assert not any(each.is_bound for each in (zero, more, most)), "they are known, and no mere bounds"
    assert more.low
    assert most.low
    assert most.elo - most.low > more.elo - more.low, "errors add up"


def test_a_gain_never_hides_what_a_check_proves() -> None:
    weak, strong = at_step(100, MatchResult(10, 100, 128, 0, 0)), at_step(200, MatchResult(10, 1000, 128, 0, 0))
    gain = at_step(200, MatchResult(10, 0, 270, 0, 242), against_steps=100)
    assert [each for each, _ in strength_history("pentwall", [weak, strong], [gain]) or []] == [weak, strong]


def test_a_gain_of_nearly_all_or_nearly_nothing_is_a_bound() -> None:
    even = at_step(100, MatchResult(10, 1000, 64, 0, 64))
    all_won, all_lost = (at_step(200, MatchResult(10, 0, wins, 0, 512 - wins), against_steps=100) for wins in (512, 0))
    (_, before), (_, most) = strength_history("pentwall", [even], [all_won]) or []
    assert most.high is None
    assert before.high
    assert most.elo > before.high + 600, "99.4 % is the least that 512 wins leave likely"
    (_, least) = (strength_history("pentwall", [even], [all_lost]) or [])[1]
    assert least.low is None
    weak = at_step(100, MatchResult(10, 100, 0, 0, 128))
    (_, worst), (_, better) = (
        strength_history("pentwall", [weak], [at_step(200, MatchResult(10, 0, 384, 0, 128), against_steps=100)]) or []
    )
    assert better.low is None, "at most so much stays at most so much"
    assert better.elo == better.high
    assert better.elo > worst.elo + 191


def test_two_checks_at_one_step_are_both_shown() -> None:
    checks = [at_step(100, MatchResult(10, 100, 120, 0, 8)), at_step(100, MatchResult(10, 1000, 64, 0, 64))]
    assert [each for each, _ in strength_history("pentwall", checks, []) or []] == checks


def test_what_a_kill_has_undone_is_not_shown(tmp_path: Path) -> None:
    log = Log(tmp_path / "log.jsonl")
    for kind, seconds, steps in (("start", 0.0, 0), ("check", 60.0, 500), ("gain", 61.0, 500), ("check", 90.0, 900)):
        log.add(kind, seconds=seconds, **({"resumed_at": steps} if kind == "start" else {"steps": steps}))
    log.add("start", seconds=70.0, resumed_at=600)
    assert [line["steps"] for line in latest(log.lines, "check")] == [500]
    log.add("start", seconds=50.0, resumed_at=400)
    log.close()
    assert latest(read_log(tmp_path / "log.jsonl"), "gain") == []


def write_log(path: Path, *checks: MatchResult) -> Path:
    """The log of a run of Pentwall with these checks, a minute apart."""
    settings = plain(make_settings("pentwall"))
    log = Log(path / "log.jsonl")
    log.add("start", seconds=0.0, game="pentwall", settings=settings)
    for minute, check in enumerate(checks, 1):
        done = {"seconds": 60.0 * minute, "games": 9_000 * minute, "evals": 5_000_000 * minute, "steps": 700 * minute}
        log.add("train", **done, evals_per_s=8e4, games_per_s=150.0, value=1 / minute)
        log.add("check", **done, **line(check))
    log.close()
    return path / "log.jsonl"


def redraw(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "purlieu.train.plots", *words], capture_output=True, text=True, timeout=60
    )


def words_of(picture: Path) -> set[str]:
    return {each.text or "" for each in ElementTree.parse(picture).iter("{http://www.w3.org/2000/svg}text")}


def test_curves_are_drawn_anew_from_a_log_above_one_opponent(tmp_path: Path) -> None:
    log = write_log(tmp_path, MatchResult(10, 100, 120, 0, 8), MatchResult(10, 1000, 128, 0, 0))
    ran = redraw(str(log))
    assert (ran.returncode, ran.stderr) == (0, "")
    words = words_of(tmp_path / "curves.svg")
    assert {"thousand games", "minutes", "million evaluations", "plain search of 1,000"} <= words
    (heading,) = (word for word in words if word.startswith("Elo above plain search of 100 simulations"))
    assert "at least" in heading
    text = (tmp_path / "curves.svg").read_text()
    assert text.count('class="hollow0"') == 3, "one in each panel"
    assert "prefers-color-scheme: dark" in text


def test_curves_show_a_start_that_gained_on_itself(tmp_path: Path) -> None:
    path = write_log(tmp_path, MatchResult(10, 1000, 128, 0, 0), MatchResult(10, 1000, 128, 0, 0))
    before = curves("", read_log(path))
    log = Log(path)
    gain = at_step(1_400, MatchResult(10, 0, 384, 0, 128), against_steps=700) | {"seconds": 120.0}
    log.add("gain", **gain, games=18_000, evals=10_000_000)
    log.close()
    assert redraw(str(path)).returncode == 0
    after = (tmp_path / "curves.svg").read_text()
    points = [re.findall(r'cy="([0-9.]+)" r="3.5" class="hollow0"', text) for text in (before, after)]
    assert points[0][0] == points[0][1], "128 wins and 128 wins tell the same"
    assert float(points[1][0]) > float(points[1][1]), "and the gain lifts the second"
    assert "Elo above the net of 700 steps" not in before
    assert "Elo above the net of 700 steps: what later starts gained (95 %)" in words_of(tmp_path / "curves.svg")
    assert after.count('r="3.5" class="dot0"') == 6, "two nets in three panels, each known and no bound"


@pytest.mark.parametrize("game", ["petrify", "pilo", "pentwall", "pyloff"])
def test_the_curves_of_our_runs_are_those_of_their_logs_and_mark_the_net_that_is_kept(
    tmp_path: Path, game: str
) -> None:
    run = Path(__file__).parents[2] / "runs" / game
    for name in ("log.jsonl", "net.onnx"):
        shutil.copy(run / name, tmp_path)
    assert redraw(str(tmp_path / "log.jsonl")).returncode == 0
    drawn = (tmp_path / "curves.svg").read_text()
    assert drawn == (run / "curves.svg").read_text()
    assert drawn.count(">kept</text>") == 6, "each run went on, and did not better its net"


def test_a_net_that_does_not_say_how_it_came_to_be_is_not_marked(tmp_path: Path) -> None:
    log = write_log(tmp_path, MatchResult(10, 100, 120, 0, 8), MatchResult(10, 1000, 128, 0, 0))
    (tmp_path / "net.onnx").write_bytes((shipped.FOLDER / "pentwall.onnx").read_bytes())
    ran = redraw(str(log))
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "kept" not in words_of(tmp_path / "curves.svg"), "it is of another run, and no line has its steps"


def test_opponents_of_unknown_strength_get_a_line_each(tmp_path: Path) -> None:
    assert (
        redraw(str(write_log(tmp_path, MatchResult(10, 100, 120, 0, 8), MatchResult(10, 77, 64, 0, 64)))).returncode
        == 0
    )
    assert {"of 77", "of 100"} <= words_of(tmp_path / "curves.svg")


def test_a_file_that_is_no_log_gets_a_sentence(tmp_path: Path) -> None:
    ran = redraw(str(tmp_path / "absent.jsonl"))
    assert ran.returncode == 1
    assert (
        ran.stderr
        == f"purlieu: {tmp_path / 'absent.jsonl'} is no log of a run; expected a file such as RUN/log.jsonl\n"
    )
    other = tmp_path / "other.jsonl"
    other.write_text('{"kind": "start", "seconds": 0}\n')
    assert redraw(str(other)).stderr == f"purlieu: {other} is no log of a run; expected a file such as RUN/log.jsonl\n"
    assert redraw().stderr.startswith("purlieu: expected the log of a run")
