"""The processes that think: what they take first, what they give up for a move, and what happens when they fail."""

from __future__ import annotations

import multiprocessing
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import cast

import pytest

import purlieu
from purlieu.engine.thinker import Line, Thinker
from purlieu.server.domain.refusals import Problem
from purlieu.server.wire.analysis import AnalysisView
from purlieu.server.workers import child
from purlieu.server.workers.child import MOST_KEPT, think, thinker_for
from purlieu.server.workers.jobs import Answers, Job, Lane, Task, WorkerFailed
from purlieu.server.workers.pool import MOST_GIVEN_WAY, Pool, only_legal

from . import odd_workers

START = purlieu.start("petrify", 6).text()


def task(level: int = 3, seconds: float = 5.0, moves: tuple[str, ...] = ("c3",)) -> Task:
    return Task(START, moves, level, seconds, seed=1)


def analysis_of(task: Task) -> Task:
    return replace(task, wants="analysis")


def make_pool(main: odd_workers.Main, workers: int = 1) -> Pool:
    return Pool(workers, main=main, most_moves=3, most_waiting=2, most_each=2)


def move_job(task: Task, owner: str = "") -> Job:
    return Job(task, Lane.MOVE, owner, check=only_legal(lambda: Line(task.start, task.moves).position))


def answer_to(pipe: Connection, number: int) -> AnalysisView:
    while pipe.poll(50):
        match pipe.recv():
            case ("answer", heard, answer) if heard == number:
                return cast(AnalysisView, answer)
            case ("done", heard, _):
                assert heard == number
    raise TimeoutError("no answer")


def test_the_strongest_level_goes_on_from_its_last_search_of_a_game_and_no_other_does() -> None:
    kept: deque[Thinker] = deque(maxlen=MOST_KEPT)

    def asked(level: int, *moves: str) -> Thinker:
        found = thinker_for(task(level, 0.01, moves), kept)
        think(found, task(level, 0.01, moves), threading.Event(), lambda _: None)
        return found

    mine, yours = asked(9, "c3", "d4", "b2"), asked(9, "a1", "c3", "d4")
    assert asked(9, "c3", "d4", "b2", "e5", "f6") is mine
    assert asked(9, "a1", "c3", "d4", "b2", "e2") is yours
    assert asked(9, "c3", "d4", "b2", "e5", "f6") is mine
    assert asked(9, "c3", "d4") not in (mine, yours), "a move was taken back"
    assert asked(3, "c3", "d4", "b2", "e5", "f6") is not asked(3, "c3", "d4", "b2", "e5", "f6")
    assert len(kept) == MOST_KEPT
    first = [thinker_for(replace(task(9, moves=()), seed=seed), kept).seed for seed in (5, 6)]
    assert first == [5, 6], "another game begins with another move"


@contextmanager
def worker() -> Iterator[Connection]:
    """A worker process, and the pipe to it."""
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    process = spawn.Process(target=child.main, args=(theirs,), daemon=True)
    process.start()
    theirs.close()
    with ours:
        yield ours
    process.join(20)


def test_a_stop_ends_its_own_task_however_soon_it_comes_and_no_other() -> None:
    with worker() as pipe:
        for number in (1, 2):  # at first there is a net to load; then the task begins at once
            pipe.send(("do", number, analysis_of(task(level=9, seconds=60))))
            pipe.send(("stop", number))
            assert answer_to(pipe, number)["seconds"] < 30
        pipe.send(("stop", 2))
        pipe.send(("do", 3, analysis_of(task(level=9, seconds=0.5))))
        pipe.send(("stop", 2))
        assert answer_to(pipe, 3)["seconds"] >= 0.5


def test_only_whole_answers_of_fixed_work_are_remembered_and_only_the_last_ones() -> None:
    answers, whole = Answers(most_bytes=250), b"as it was sent" * 8
    quick = [replace(task(9, seconds), effort="quick") for seconds in (1.0, 2.0, 3.0)]
    timed, ended, tried_again = (Job(each, Lane.QUICK) for each in (task(9), quick[0], quick[0]))
    ended.stop()
    tried_again.attempts = 2
    for job in (timed, ended, tried_again):
        answers.keep(job, whole)
    assert len(answers.known) == 0
    for each in quick:
        answers.keep(Job(each, Lane.QUICK), whole)
    assert [answers.find(each) for each in quick] == [None, whole, whole]


@pytest.mark.parametrize("how", sorted(odd_workers.ALL))
def test_a_worker_that_misbehaves_three_times_is_given_up_in_bounded_time(how: str) -> None:
    pool = make_pool(odd_workers.ALL[how])
    try:
        job = pool.submit(move_job(task(seconds=0.2)))
        with pytest.raises(WorkerFailed):
            job.future.result(60)
        assert job.attempts == 3
    finally:
        pool.close()


def test_a_worker_that_says_it_cannot_is_asked_again_and_only_the_last_try_has_a_new_process(
    caplog: pytest.LogCaptureFixture,
) -> None:
    pool = make_pool(odd_workers.fails)
    try:
        for _ in range(2):
            with pytest.raises(WorkerFailed):
                pool.submit(move_job(task())).future.result(60)
    finally:
        pool.close()
    tried = [record.getMessage().split()[-1] for record in caplog.records if "at try" in record.getMessage()]
    old, new = tried[0], tried[2]
    assert old != new
    assert tried[:5] == [old, old, new, new, new]


def test_the_last_try_is_made_at_the_lowest_level() -> None:
    pool = make_pool(odd_workers.weak_at_first)
    try:
        assert pool.submit(move_job(task(level=7))).future.result(60) == "d4"
    finally:
        pool.close()


def test_the_queues_are_bounded_and_games_go_before_analyses() -> None:
    pool = make_pool(odd_workers.hangs)
    try:
        running_job = pool.submit(Job(task(seconds=30), Lane.SLOW, owner="ana"))
        until = time.monotonic() + 20
        while not pool.running and time.monotonic() < until:
            time.sleep(0.01)
        pool.submit(Job(task(), Lane.SLOW, owner="ana"))
        with pytest.raises(Problem, match="of this kind waiting"):
            pool.submit(Job(task(), Lane.SLOW, owner="ana"))
        pool.submit(Job(task(), Lane.SLOW, owner="ben"))
        with pytest.raises(Problem, match="too much"):
            pool.submit(Job(task(), Lane.SLOW, owner="eve"))
        moves = [pool.submit(move_job(task())) for _ in range(3)]
        with pytest.raises(Problem, match="too much"):
            pool.submit(move_job(task()))
        assert running_job.stopped.is_set(), "a move ends the analysis that keeps it waiting"
        assert pool.next_job() is moves[0]
    finally:
        pool.close()


def begun(pool: Pool, job: Job) -> Job:
    """Submits it; a worker has taken it."""
    heard = threading.Event()
    job.on_progress = lambda _: heard.set()
    pool.submit(job)
    assert heard.wait(60)
    return job


def test_each_move_that_has_no_worker_ends_an_analysis_of_its_own() -> None:
    pool = make_pool(odd_workers.hangs, workers=2)
    try:
        analyses = [begun(pool, Job(task(seconds=30), Lane.QUICK, owner)) for owner in ("ana", "ben")]
        ended = []
        with pool.changed:  # no worker takes anything in between
            for _ in range(2):
                pool.submit(move_job(task(seconds=30)))
                ended.append([job.stopped.is_set() for job in analyses])
        assert ended == [[True, False], [True, True]]
    finally:
        pool.close()


def test_a_move_ends_no_analysis_while_a_worker_is_idle_unless_another_move_is_about_to_take_that_one() -> None:
    pool = make_pool(odd_workers.hangs, workers=2)
    try:
        analysis = begun(pool, Job(task(seconds=30), Lane.SLOW))
        ended = []
        with pool.changed:  # no worker takes anything in between
            for _ in range(2):
                pool.submit(move_job(task(seconds=30)))
                ended.append(analysis.stopped.is_set())
        assert ended == [False, True]
    finally:
        pool.close()


def test_an_analysis_that_gave_way_to_a_move_is_done_again_from_its_beginning() -> None:
    pool = make_pool(child.main)
    try:
        analysis = begun(pool, Job(analysis_of(task(level=9, seconds=2, moves=("c3", "d4"))), Lane.SLOW))
        move = pool.submit(move_job(task(level=1)))
        assert analysis.gives_way
        assert move.future.result(60)
        assert not analysis.future.done()
        assert analysis.future.result(60)["seconds"] >= 2
        assert (analysis.given_way, analysis.attempts) == (1, 1)
    finally:
        pool.close()


def test_an_analysis_gives_way_to_so_many_moves_and_then_tells_what_it_has_found() -> None:
    pool = make_pool(child.main)
    try:
        analysis = Job(analysis_of(task(level=9, seconds=60)), Lane.SLOW)
        analysis.given_way = MOST_GIVEN_WAY
        begun(pool, analysis)
        pool.submit(move_job(task(level=1)))
        assert analysis.future.result(60)["seconds"] < 30
    finally:
        pool.close()


def test_quick_analyses_go_before_slow_ones_which_never_take_the_last_worker() -> None:
    pool = Pool(2, main=odd_workers.hangs, most_waiting=9, most_each=9)
    try:
        begun(pool, Job(task(seconds=30), Lane.SLOW, owner="ana"))
        with pool.changed:  # no worker takes anything in between
            hers = pool.submit(Job(task(), Lane.QUICK, owner="ana"))
            pool.submit(Job(task(), Lane.SLOW, owner="ben"))
            his = pool.submit(Job(task(), Lane.QUICK, owner="ben"))
            assert pool.next_job() is his, "somebody with work under way lets others go first"
            pool.waiting.remove(his)
            assert pool.next_job() is None, "one worker stays free of slow work, and of hers"
            pool.running.clear()
            assert pool.next_job() is hers
    finally:
        pool.close()


def test_whoever_used_least_of_the_workers_lately_goes_first_and_sessions_at_one_address_share() -> None:
    pool = Pool(1, main=odd_workers.hangs, most_waiting=9, most_each=9)
    try:
        with pool.changed:  # no worker takes anything in between
            for caller, seconds in (("ana", 2.0), ("ben", 1.0), ("at school", 5.0)):
                pool.shares.charge(caller, seconds)
            waiting = {
                owner: pool.submit(Job(task(), Lane.SLOW, owner, place))
                for owner, place in (("kim", "school"), ("ana", "here"), ("eve", "school"), ("ben", "here"))
            }
            order = []
            while job := pool.next_job():
                order.append(job)
                pool.waiting.remove(job)
        assert order == [waiting[name] for name in ("ben", "ana", "kim", "eve")]
    finally:
        pool.close()


def test_where_too_much_waits_somebody_new_takes_the_place_of_whoever_has_most_waiting() -> None:
    pool = Pool(1, main=odd_workers.hangs, most_waiting=4, most_each=9)
    try:
        with pool.changed:  # no worker takes anything in between
            flood = [pool.submit(Job(task(), Lane.QUICK, "eve")) for _ in range(4)]
            with pytest.raises(Problem, match="too much"):
                pool.submit(Job(task(), Lane.QUICK, "eve"))
            ana = pool.submit(Job(task(), Lane.QUICK, "ana"))
            assert ana in pool.waiting
        with pytest.raises(Problem, match="too much"):
            flood[-1].future.result(20)
        assert not any(job.future.done() for job in flood[:-1])
    finally:
        pool.close()


def test_many_sessions_at_one_address_do_not_shut_others_out_of_the_queue() -> None:
    pool = Pool(1, main=odd_workers.hangs, most_waiting=4, most_each=9)
    try:
        with pool.changed:  # no worker takes anything in between
            flood = [pool.submit(Job(task(), Lane.QUICK, f"eve {number}", "192.0.2.1")) for number in range(4)]
            with pytest.raises(Problem, match="too much"):
                pool.submit(Job(task(), Lane.QUICK, "eve 5", "192.0.2.1"))
            ana = pool.submit(Job(task(), Lane.QUICK, "ana", "192.0.2.2"))
            assert ana in pool.waiting
        assert flood[-1].future.done()
    finally:
        pool.close()


def test_a_job_for_which_nobody_waits_is_not_tried_again() -> None:
    pool = make_pool(odd_workers.dies_when_stopped)
    try:
        left = begun(pool, move_job(task()))
        pool.withdraw(left)
        assert left.future.cancelled()
        pool.submit(move_job(task(level=1))).future.result(60)  # a second try would have gone before it
        assert (left.attempts, pool.waiting) == (1, [])
    finally:
        pool.close()
