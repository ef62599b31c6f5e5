"""Self-play groups, the games they leave, and learning from them; all with the real core."""

from __future__ import annotations

import dataclasses
import itertools
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import purlieu
from purlieu.arena.stats import Pairs, estimate
from purlieu.core import core
from purlieu.nets.shape import Shape
from purlieu.rules import GAMES, PurlieuError
from purlieu.train.data.game_records import PlayedGame, read_games, records_in
from purlieu.train.learning.batches import Batch, BatchLoader
from purlieu.train.learning.replay import ReplayBuffer
from purlieu.train.learning.trainer import Trainer
from purlieu.train.network.evaluation import NullLanes, evaluator
from purlieu.train.network.net import Net
from purlieu.train.network.weights import read_onnx_net
from purlieu.train.selfplay.matches import play_check, play_gain
from purlieu.train.selfplay.pool import AHEAD, SelfPlayPool, open_games

from .played import settings_for, some_games


@pytest.mark.parametrize("game", GAMES)
def test_groups_play_pause_and_go_on_and_no_game_is_lost(game: str) -> None:
    settings = settings_for(game)
    enough = threading.Event()
    taken: list[bytes] = []

    def collect(data: bytes) -> None:
        taken.append(data)
        enough.set()

    ring = SelfPlayPool(settings, NullLanes(Shape.of(game, settings.check_size)), device="cpu", seed=1, collect=collect)
    for _ in range(3):
        enough.clear()
        ring.start()
        assert enough.wait(60)
        ring.pause()
        turns = [group.turns for group in ring.groups]
        assert max(turns) - min(turns) <= AHEAD + 1
    store = core().Replay(game)
    assert sum(map(store.add, taken)) == ring.stats().games
    assert ring.stats().evaluations == sum((group.turns - 1) * group.slots for group in ring.groups)


def fail(data: bytes) -> None:
    raise PurlieuError("the disk is full")


def test_what_goes_wrong_on_a_thread_is_told_to_whoever_waits() -> None:
    ring = SelfPlayPool(settings_for("petrify"), NullLanes(Shape.of("petrify", 4)), device="cpu", seed=1, collect=fail)
    others = set(threading.enumerate())
    ring.start()
    for thread in set(threading.enumerate()) - others:
        thread.join(60)
    with pytest.raises(PurlieuError, match="the disk is full"):
        ring.pause()


def test_the_device_is_never_busy_for_longer_than_the_time_that_passed_though_its_lanes_overlap() -> None:
    settings = settings_for("petrify", slots=256, groups=8, threads=8)
    enough = threading.Event()
    net = evaluator(Net(Shape.of("petrify", 4), 2, 16), "cpu")
    ring = SelfPlayPool(settings, net, device="cpu", seed=1, collect=lambda _: enough.set())
    begun = time.perf_counter()
    ring.start()
    assert enough.wait(60)
    some = ring.stats().device
    ring.pause()
    assert 0 < some <= ring.stats().device <= time.perf_counter() - begun
    assert ring.stats().device == ring.stats().device, "to ask changes nothing"


def test_groups_can_be_ended_after_a_failure_without_its_being_told_again() -> None:
    ring = SelfPlayPool(settings_for("petrify"), NullLanes(Shape.of("petrify", 4)), device="cpu", seed=1, collect=fail)
    others = set(threading.enumerate())
    ring.start()
    ring.end()
    assert set(threading.enumerate()) <= others
    assert not ring.playing


def test_groups_end_before_the_process_does_though_ctrl_c_interrupts_the_wait_for_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lanes = NullLanes(Shape.of("petrify", 4))
    ring = SelfPlayPool(settings_for("petrify", groups=1), lanes, device="cpu", seed=1, collect=lambda _: None)
    (group,) = ring.groups
    main_thread = threading.main_thread().ident
    assert main_thread
    evaluations: list[str] = []

    def interrupt() -> None:
        evaluations.append("begun")
        while not ring._stop.is_set():
            time.sleep(0.01)
        signal.pthread_kill(main_thread, signal.SIGINT)
        time.sleep(0.3)
        evaluations.append("ended")

    monkeypatch.setattr(group.lane, "run", interrupt)
    ring.start()
    while not evaluations:
        time.sleep(0.01)
    with pytest.raises(KeyboardInterrupt):
        ring.pause()
    ring.end()
    assert evaluations == ["begun", "ended"]


TOO_MANY_THREADS = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))  # not enough for the stacks of all
from purlieu.core import core
try:
    core().Replay("pilo", threads=1024)
except RuntimeError as error:
    print(type(error).__name__)
print(core().Replay("pilo", threads=4).rows)
"""


def test_where_a_thread_cannot_be_started_those_before_it_end_and_it_is_told() -> None:
    ran = subprocess.run([sys.executable, "-c", TOO_MANY_THREADS], capture_output=True, text=True, timeout=60)
    assert (ran.stdout, ran.stderr) == ("RuntimeError\n0\n", "")


def test_without_noise_the_best_move_is_played_and_noisy_turns_at_the_beginning_make_games_differ() -> None:
    def lines(**overrides: object) -> list[tuple[int, ...]]:
        settings = settings_for("petrify", random_plies=[0, 0], **overrides)
        lane = NullLanes(Shape.of("petrify", 5)).lane(5, 24)
        lane.policy[:] = 3 * np.random.default_rng(1).standard_normal(lane.policy.shape[1])
        playing = open_games(settings, 5, 24, seed=1, threads=1)
        while playing.counts.games < 24:
            playing.step(lane.policy, lane.value, lane.planes)
        return [record.line for record in records_in(playing.take())]

    assert len(set(lines(noise=0))) == 1
    assert len(set(lines(noise=1))) == 24
    late = lines(noise=0, noisy_plies=3)
    after = {line[:3]: set[tuple[int, ...]]() for line in late}
    for line in late:
        after[line[:3]].add(line)
    assert len(after) > 1, "three turns differ"
    assert all(len(games) == 1 for games in after.values()), "and nothing after them"


@pytest.mark.parametrize(("game", "size", "left"), [("pentwall", 10, 4), ("petrify", 4, 4), ("pilo", 4, 2)])
def test_ends_of_games_are_proved_and_then_no_move_gives_the_result_away(
    game: str, size: int, left: int, tmp_path: Path
) -> None:
    def ends(end_nodes: int) -> list[list[tuple[float, float | None]]]:
        """The results of ends of games with perfect play, as the mover's, and the win chances that were recorded."""
        settings = settings_for(game, sizes={size: 1.0}, end_nodes=end_nodes)
        lane = NullLanes(Shape.of(game, size)).lane(size, 24)
        lane.policy[:] = np.random.default_rng(1).standard_normal(lane.policy.shape[1])
        playing = open_games(settings, size, 24, seed=1, threads=2)
        while playing.counts.games < 48:
            playing.step(lane.policy, lane.value, lane.planes)
        path = tmp_path / f"{end_nodes}.games"
        path.write_bytes(playing.take())
        return [results_with_perfect_play(played, left) for played in read_games(path)]

    def given_away(games: list[list[tuple[float, float | None]]]) -> int:
        return sum(before != after for found in games for (before, _), (after, _) in itertools.pairwise(found))

    assert given_away(ends(0)) > 0, "this net, which knows nothing, does give results away"
    proved = ends(1_300)
    assert sum(map(len, proved)) > 100
    assert given_away(proved) == 0
    assert all(told in (None, result) for found in proved for result, told in found)


def test_a_long_proof_goes_on_in_the_next_step_and_what_a_net_answers_meanwhile_is_not_heard() -> None:
    def games(nonsense: float) -> tuple[list[tuple[int, ...]], int]:
        """Moves of games, and in how many steps a proof went on."""
        settings = settings_for("pentwall", sizes={10: 1.0}, end_nodes=20_500, full_simulations=4)
        lane = NullLanes(Shape.of("pentwall", 10)).lane(10, 1)
        answer = np.random.default_rng(1).standard_normal(lane.policy.shape[1:])
        playing = open_games(settings, 10, 1, seed=1, threads=1)
        steps, asked = 0, lane.planes.copy()
        while playing.counts.games < 3:
            same = np.array_equal(asked, lane.planes)
            steps, asked = steps + same, lane.planes.copy()
            lane.policy[:] = nonsense * np.flip(answer) if same else answer
            playing.step(lane.policy, lane.value, lane.planes)
        return [record.line for record in records_in(playing.take())], steps

    lines, steps = games(nonsense=1)
    assert steps > 5
    assert games(nonsense=-3) == (lines, steps)


def empty_squares(text: str) -> int:
    position = purlieu.parse(text)
    return position.size**2 - len(position.pieces())


def results_with_perfect_play(played: PlayedGame, left: int) -> list[tuple[float, float | None]]:
    """Of each turn with so few pieces or empty squares left: the first colour's result, and what the record says."""
    position, solver, found = core().Position.start(played.game, played.size), core().Solver(memory_mb=16), []
    for turn in played.turns:
        pentwall = played.game == "pentwall"
        if (12 - position.ply if pentwall else empty_squares(position.text())) <= left:
            solved = solver.solve(position)
            assert solved is not None
            mover = {"win": 1.0, "draw": 0.5, "loss": 0.0}[solved.value]
            first = position.ply % 2 == 0
            told = None if turn.value is None else turn.value if first else 1 - turn.value
            found.append((mover if first else 1 - mover, told))
        position = position.play(turn.move)
    return [*found, ((1 + played.result) / 2, None)]


def test_games_are_found_again_after_a_restart_the_newest_first(tmp_path: Path) -> None:
    settings = settings_for("petrify")
    memory = ReplayBuffer(tmp_path, "petrify", 1)
    rows = 0
    for _ in range(4):
        rows += memory.add(some_games(settings, 4, 30))[1]
        memory.flush()
    assert len(list(tmp_path.iterdir())) == 4
    again = ReplayBuffer(tmp_path, "petrify", 1)
    assert again.load(10 * rows) == rows == memory.rows
    less = ReplayBuffer(tmp_path, "petrify", 1)
    assert rows / 4 < less.load(2 * rows // 5) < rows
    assert sorted(path.name for path in tmp_path.iterdir()) == ["000003.games", "000004.games"]
    less.add(some_games(settings, 4, 10))
    less.flush()
    assert (tmp_path / "000005.games").exists()


def test_a_kill_at_any_moment_leaves_whole_games_and_all_that_were_on_the_disk(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.train.kill_replay", str(tmp_path)], capture_output=True, text=True, timeout=120
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert int(ran.stdout) > 3, "so often it got to its end"


def test_games_outside_the_window_are_deleted(tmp_path: Path) -> None:
    settings = settings_for("petrify")
    memory = ReplayBuffer(tmp_path, "petrify", 1)
    for _ in range(3):
        rows = memory.add(some_games(settings, 4, 30))[1]
        memory.flush()
    memory.trim(rows)
    assert memory.rows <= rows
    assert [path.name for path in tmp_path.iterdir()] == ["000003.games"]


def test_games_outside_the_window_stay_on_disk_if_all_are_to_be_kept(tmp_path: Path) -> None:
    memory = ReplayBuffer(tmp_path, "petrify", 1, keep=True)
    for _ in range(3):
        rows = memory.add(some_games(settings_for("petrify"), 4, 30))[1]
        memory.flush()
    memory.trim(rows)
    assert memory.rows <= rows
    again = ReplayBuffer(tmp_path, "petrify", 1, keep=True)
    assert again.load(rows) < 3 * rows
    assert len(list(tmp_path.iterdir())) == 3


def test_a_run_that_goes_on_has_all_the_rows_of_its_window_though_games_began_with_random_turns(tmp_path: Path) -> None:
    memory = ReplayBuffer(tmp_path, "petrify", 1)
    for _ in range(6):
        memory.add(some_games(settings_for("petrify", random_plies=[8, 8]), 4, 30))
        memory.flush()
    window = memory.rows // 2
    memory.trim(window)
    chunks = sorted(tmp_path.iterdir())
    again = ReplayBuffer(tmp_path, "petrify", 1)
    assert again.load(window) >= window
    assert sorted(tmp_path.iterdir()) == chunks


def test_random_turns_that_would_end_every_game_are_fewer(tmp_path: Path) -> None:
    memory = ReplayBuffer(tmp_path, "petrify", 1)
    games, rows = memory.add(some_games(settings_for("petrify", random_plies=[1000, 1000]), 4, 30))
    assert games >= 30
    assert rows > games


@pytest.mark.parametrize("damage", ["cut", "changed"])
def test_a_damaged_chunk_of_games_gets_a_sentence(tmp_path: Path, damage: str) -> None:
    data = some_games(settings_for("petrify"), 4, 10)
    (tmp_path / "000001.games").write_bytes(data[:-5] if damage == "cut" else data[:13] + b"\xff\xff" + data[15:])
    with pytest.raises(PurlieuError, match=r"000001.games is damaged.*delete it to go on without its games"):
        ReplayBuffer(tmp_path, "petrify", 1).load(1_000_000)


def test_games_in_files_of_other_names_are_not_taken_up(tmp_path: Path) -> None:
    games = some_games(settings_for("petrify"), 4, 10)
    others = [tmp_path / name for name in ("20240101.games", "best.games")]
    for path in others:
        path.write_bytes(games)
    memory = ReplayBuffer(tmp_path, "petrify", 1)
    assert memory.load(1_000_000) == 0
    for _ in range(3):
        memory.add(games)
        memory.flush()
    memory.trim(1)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["000003.games", "20240101.games", "best.games"]
    assert all(path.read_bytes() == games for path in others)


def test_a_game_with_more_rows_than_the_window_has_stays_to_be_drawn_from(tmp_path: Path) -> None:
    settings = settings_for("petrify", batch=16)
    memory = ReplayBuffer(tmp_path, "petrify", 1)
    memory.add(some_games(settings, 4, 1))
    memory.trim(1)
    assert memory.rows > 1
    batches = BatchLoader(memory, settings, Shape.of("petrify", 4), pinned=False, seed=1)
    try:
        assert batches.get(60) is not None
    finally:
        batches.stop()


class TakenToTrim:
    """A lock for which another thread seems to wait: as soon as it is free, all games that can be are forgotten."""

    def __init__(self, memory: ReplayBuffer) -> None:
        self.memory = memory

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        self.memory.store.trim(1)


def test_a_size_whose_last_games_have_just_been_forgotten_is_not_drawn(tmp_path: Path) -> None:
    settings = settings_for("petrify", sizes={"4": 0.999, "5": 0.001}, batch=16)
    memory = ReplayBuffer(tmp_path, "petrify", 1)
    for size in (4, 5):
        memory.add(some_games(settings, size, 1))
    memory.lock = TakenToTrim(memory)  # type: ignore[assignment]
    batches = BatchLoader(memory, settings, Shape.of("petrify", 4), pinned=False, seed=1)
    try:
        for _ in range(3):
            rows = batches.get(5)
            assert rows is not None
            batches.give_back(rows)
    finally:
        batches.stop()


def test_batches_hold_what_the_games_say(tmp_path: Path) -> None:
    settings = settings_for("pyloff", batch=64, value_mix=0.0)
    shape = Shape.of("pyloff", 4)
    memory = ReplayBuffer(tmp_path, "pyloff", 2)
    memory.add(some_games(settings, 4, 20))
    batches = BatchLoader(memory, settings, shape, pinned=False, seed=1)
    for _ in range(6):
        rows = batches.get(60)
        assert rows is not None
        policy = rows.targets.policy
        sums = policy.clamp(min=0).sum(1)[rows.targets.weight > 0]
        torch.testing.assert_close(sums, torch.ones_like(sums), rtol=0, atol=1e-3)
        assert bool((policy == -1).any())
        value, margin = rows.targets.value, rows.targets.margin
        torch.testing.assert_close(value.sum(1), torch.ones(64), rtol=0, atol=1e-3)
        torch.testing.assert_close(value[:, 0] - value[:, 1], margin.sign(), rtol=0, atol=1e-3)
        assert bool((margin > 0).any())
        assert bool((margin < 0).any())
        batches.give_back(rows)
    batches.stop()


def different_rows(game: str, folder: Path, count: int) -> Batch:
    """Rows of real games, no two of them of the same position."""
    settings = settings_for(game)
    size = max(settings.sizes)
    memory = ReplayBuffer(folder, game, 1)
    memory.add(some_games(settings, size, 100))
    drawn, rows = (Batch(Shape.of(game, size), size, number, pinned=False) for number in (4 * count, count))
    memory.store.sample(size, drawn.planes.numpy(), *(part.numpy() for part in drawn.targets), seed=1)
    _, first = np.unique(drawn.planes.flatten(1).numpy(), axis=0, return_index=True)
    chosen = torch.from_numpy(np.sort(first)[:count])
    rows.planes.copy_(drawn.planes[chosen])
    for mine, theirs in zip(rows.targets, drawn.targets, strict=True):
        mine.copy_(theirs[chosen])
    return rows


@pytest.mark.parametrize(("game", "count"), [("petrify", 256), ("pilo", 256), ("pentwall", 24), ("pyloff", 256)])
def test_a_small_net_learns_positions_of_real_games_by_heart(game: str, count: int, tmp_path: Path) -> None:
    torch.set_num_threads(1)
    rows = different_rows(game, tmp_path, count)
    settings = settings_for(game, channels=32, warm_up=10, lr=8e-3)
    trainer = Trainer(settings, Shape.of(game, rows.size), "cpu")
    found = {"policy_right": 0.0, "value_right": 0.0}
    for _ in range(40):
        for _ in range(5):
            trainer.train(rows, fall=min(1.0, trainer.step / 150))
        found = trainer.parts()
        if min(found["policy_right"], found["value_right"]) > 0.95:
            return
    pytest.fail(f"after {trainer.step} steps: {found}")


def test_a_check_of_two_games_a_place_tells_score_and_interval_and_no_elo() -> None:
    settings = dataclasses.replace(settings_for("petrify"), check_simulations=4)
    lane = evaluator(Net(Shape.of("petrify", 4), 2, 16), "cpu").lane(4, 8)
    check, seconds = play_check(settings, lane, 10, seed=3)
    assert check.games >= 16
    low, high = check.interval
    assert 0 <= low <= check.score <= high <= 1
    assert seconds > 0
    assert check.elo(check.score) is None, "so few games tell no Elo"


def test_a_net_against_itself_as_it_was_splits_every_opening_until_it_has_learned() -> None:
    settings = dataclasses.replace(settings_for("petrify"), check_simulations=8)
    trained = evaluator(read_onnx_net(Path(__file__).parents[2] / "runs/petrify/net.onnx"), "cpu")
    check, seconds = play_gain(settings, trained.lane(4, 16), trained.lane(4, 16), seed=3)
    assert (check.games, check.score) == (16, 0.5), "the same net plays each opening alike from both seats"
    assert check.pairs == Pairs((0, 0, 8, 0, 0))
    assert seconds > 0
    untaught = evaluator(Net(Shape.of("petrify", 4), 2, 16), "cpu")
    learned, _ = play_gain(settings, trained.lane(4, 16), untaught.lane(4, 16), seed=3)
    lost, _ = play_gain(settings, untaught.lane(4, 16), trained.lane(4, 16), seed=3)
    assert learned.score > 0.7
    assert lost.score == 1 - learned.score
    assert learned.pairs is not None
    assert (learned.pairs.total, learned.pairs.score) == (8, learned.score)
    assert learned.interval == (estimate(learned.pairs).score_low, estimate(learned.pairs).score_high)


def test_two_nets_need_pairs_of_places_and_one_net_has_no_other() -> None:
    def open_two(slots: int, **named: Any) -> Any:
        return core().SelfPlay("petrify", 4, slots, opponent="net", random_plies=(2, 4), **named)

    for slots, games in ((3, 1), (4, 0), (4, 2)):
        with pytest.raises(ValueError, match="one game in each of an even number of slots"):
            open_two(slots, games=games)
    with pytest.raises(ValueError, match="there is one net"):
        core().SelfPlay("petrify", 4, 4).whose(np.zeros(4, np.uint8))
    with pytest.raises(ValueError, match="asks"):
        open_two(4, games=1).whose(np.zeros(3, np.uint8))
