"""What one caller asks for costs that caller, and nobody else: limits, budgets, fair turns, bounded memory."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute, APIWebSocketRoute
from starlette.routing import BaseRoute

from purlieu.server.cache import Cache
from purlieu.server.domain.refusals import Problem
from purlieu.server.http.app import make_app
from purlieu.server.http.deps import Limit
from purlieu.server.http.guard import MOST_WAITING, Turns
from purlieu.server.services.pulse import OUTAGE_MS, Pulse
from purlieu.server.settings import Limits, Settings

from .site import GENEROUS, Person, Site, long_line, on_a_thread, running, settings_for
from .test_callers import LINE

LIMITS = {name for name, limit in Limits.__annotations__.items() if limit.startswith("tuple")}


def routes_of(routes: list[BaseRoute]) -> Iterator[APIRoute | APIWebSocketRoute]:
    for route in routes:
        inner = getattr(route, "original_router", None)
        if inner is not None:
            yield from routes_of(inner.routes)
        else:
            assert isinstance(route, APIRoute | APIWebSocketRoute), f"{route} has no limit"
            yield route


def test_every_route_has_a_limit() -> None:
    found = {}
    for route in routes_of(make_app(Settings()).router.routes):
        kinds = [part.call.kind for part in route.dependant.dependencies if isinstance(part.call, Limit)]
        found[route.path, str(getattr(route, "methods", "socket"))] = kinds
    assert len(found) > 20
    assert [at for at, kinds in found.items() if len(kinds) != 1 or kinds[0] not in LIMITS] == []


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("reads", "/api/catalogue"),
        ("reads", "/healthz"),
        ("reads", "/api/docs.json"),
        ("ready", "/readyz"),
        ("pictures", "/api/games/aaaaaaaaaaaaaaaa/picture.png"),
        ("assets", "/"),
    ],
)
def test_a_get_that_comes_too_often_is_refused_with_the_time_to_wait(folder: Path, kind: str, path: str) -> None:
    limits: Any = {kind: (3, 60.0)}
    with running(settings_for(folder, limits=replace(GENEROUS, **limits))) as site:
        ana = site.person().http
        answers = [ana.get(path) for _ in range(4)]
        assert [answer.status_code == 429 for answer in answers] == [False, False, False, True]
        assert answers[-1].json()["message"] == "that is too often: at most 3 in 60 seconds"
        assert 0 < int(answers[-1].headers["retry-after"]) <= 20


LONG = long_line()
FROZEN = 4.0
"""Seconds that no loop may be held up, on a machine that is busy with other tests; it was 10 to 36."""


def both(site: Site) -> tuple[Person, Person]:
    return site.person(), site.person()


def test_a_game_of_thousands_of_moves_is_made_opened_and_played_on_at_once(folder: Path) -> None:
    with running(settings_for(folder)) as site:
        ana = site.person()
        ana.post("/api/look", {**LINE, "move": "d4"})  # the desk has started
        begun = time.monotonic()
        made = ana.make("pyloff", size=19, moves=LONG[:-1])
        state = ana.move(made["id"], len(LONG), LONG[-1])["state"]
        site.runtime.cache.kept.values.clear()
        assert ana.state(made["id"])["view"] == state["view"]
        text = ana.http.get(f"/api/games/{made['id']}/record").text
        read = ana.post("/api/records", {"text": text})
        assert (read["errors"], read["games"][0]["moves"]) == ([], LONG)
        assert time.monotonic() - begun < 20, "the rules alone took minutes"
        assert site.runtime.keeper.pulse.longest_stall < FROZEN


def test_an_illegal_move_far_down_a_line_is_named_with_its_rule(folder: Path) -> None:
    with running(settings_for(folder)) as site:
        body = {"game": "pyloff", "size": 19, "seats": {"first": {"kind": "me"}, "second": {"kind": "me"}}}
        problem = site.person().post("/api/games", {**body, "moves": [*LONG, LONG[0]]}, 422)
    assert (problem["code"], problem["where"]) == ("illegal", f"moves[{len(LONG)}]")
    assert problem["hint"] == f"the first {len(LONG)} moves can be played"
    assert "holds a" in problem["message"]


def test_what_takes_longer_than_one_request_may_is_refused_with_a_sentence_and_harms_nobody(folder: Path) -> None:
    limits = replace(GENEROUS, slow_seconds=0.2, quick_seconds=0.01)
    with running(settings_for(folder, limits=limits)) as site:
        ana, ben = both(site)
        line = {"game": "pyloff", "size": 19, "moves": LONG}
        problem = ana.post("/api/records", {"text": f'[Game "Pyloff"]\n[Size "19"]\n\n{" ".join(LONG)} *\n'}, 422)
        assert problem["code"] == "too_long"
        assert problem["message"] == "this takes more than 0.2 seconds to work out, the most that one request may"
        assert ana.post("/api/look", {**line, "move": "a1"}, 422)["code"] == "too_long"
        assert ben.post("/api/look", {**LINE, "move": "d4"})["legal"]


def test_views_of_large_boards_come_in_parts_and_all_of_them_come(folder: Path) -> None:
    with running(settings_for(folder)) as site:
        ana = site.person()
        line = {"game": "pyloff", "size": 19, "moves": LONG[:400]}
        plies: list[int] = []
        while len(plies) < 401:
            answer = ana.post("/api/views", {**line, "first_ply": len(plies)})
            assert answer["plies"] == 401
            plies += [view["ply"] for view in answer["views"]]
        assert plies == list(range(401))


def test_whoever_has_used_up_their_time_of_work_waits_and_others_do_not(folder: Path) -> None:
    limits = replace(GENEROUS, work=(0.05, 60.0))
    with running(settings_for(folder, limits=limits)) as site:
        ana, ben = both(site)
        for person in (ana, ben):
            person.make()  # a session, so that each is a caller
        line = {"game": "pyloff", "size": 19, "moves": LONG}
        refused = [ana.http.post("/api/views", json=line).status_code for _ in range(3)]
        assert refused == [200, 429, 429]
        assert ben.post("/api/look", {**LINE, "move": "d4"})["legal"]


def test_of_many_requests_at_once_each_turn_of_the_loop_begins_one_of_one_caller_after_the_other() -> None:
    begun: list[tuple[int, str]] = []

    async def run() -> None:
        turns, turn = Turns(), 0

        async def ask(caller: str) -> None:
            await turns.take(caller)
            begun.append((turn, caller))

        asked = [asyncio.create_task(ask(caller)) for caller in "eeeeeeab"]
        gone = asyncio.create_task(ask("gone"))
        while not all(task.done() for task in asked):
            await asyncio.sleep(0)
            gone.cancel()
            turn += 1
        await asyncio.sleep(0)
        await asyncio.wait_for(turns.take("late"), 1)

    on_a_thread(lambda: asyncio.run(run()))
    assert [caller for _, caller in begun] == list("eeabeeee")
    assert len({turn for turn, _ in begun}) == len(begun)


def test_a_caller_with_very_many_requests_at_once_is_refused() -> None:
    async def run() -> list[object]:
        turns = Turns()
        asked = [turns.take("eve") for _ in range(MOST_WAITING + 3)]
        return await asyncio.gather(*asked, turns.take("ana"), return_exceptions=True)

    answers = on_a_thread(lambda: asyncio.run(run()))
    assert [isinstance(answer, Problem) for answer in answers] == [False] * (MOST_WAITING + 1) + [True, True, False]


@pytest.mark.parametrize(
    "body",
    [
        "{" + ",".join(f'"{number}":0' for number in range(40_000)) + ',"1":0}',
        "[" + "{}," * 150_000 + "{}]",
        '{"text":' + "[1," * 1 + "1," * 200_000 + "1]}",
    ],
    ids=["doubled key", "many objects", "many numbers"],
)
def test_no_body_holds_up_the_loop(folder: Path, body: str) -> None:
    with running(settings_for(folder)) as site:
        ana = site.person()
        ana.http.get("/healthz")
        answer = ana.http.post("/api/records", content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code in (400, 422)
        assert site.runtime.keeper.pulse.longest_stall < FROZEN


def test_large_bodies_count_for_as_many_as_they_have_pieces(folder: Path) -> None:
    with running(settings_for(folder, limits=replace(GENEROUS, bodies=(20, 60.0)))) as site:
        ana = site.person().http
        bodies = [b'{"text":"' + b"x" * 70_000 + b'"}'] * 3
        sent = {"Content-Type": "application/json"}
        assert [ana.post("/api/records", content=body, headers=sent).status_code for body in bodies] == [200, 200, 429]


def test_a_made_up_session_has_no_share_of_its_own(folder: Path) -> None:
    limits = replace(GENEROUS, work=(0.05, 60.0))
    with running(settings_for(folder, limits=limits)) as site:
        line = {"game": "pyloff", "size": 19, "moves": LONG}
        answers = []
        for letter in "abc":
            eve = site.person()
            eve.http.headers["Authorization"] = "Bearer " + letter * 43
            answers.append(eve.http.post("/api/views", json=line).status_code)
    assert answers == [200, 429, 429]


def test_a_picture_is_drawn_once(folder: Path) -> None:
    with running(settings_for(folder)) as site:
        ana, ben = both(site)
        game = ana.make()["id"]
        ana.move(game, 1, "c3")
        paths = [f"/api/games/{game}/picture.{kind}?ply={ply}" for kind in ("png", "svg") for ply in (0, 1)]
        drawn = [ana.http.get(path).content for path in paths]
        assert len(set(drawn)) == 4
        with site.runtime.desk.changed:  # nothing is drawn in between
            assert [ben.http.get(path).content for path in paths] == drawn


# -- memory ---------------------------------------------------------------------------------------


def test_memory_for_games_is_bounded_and_games_that_found_no_room_are_all_there(folder: Path) -> None:
    limits = replace(GENEROUS, games_bytes=200_000)
    with running(settings_for(folder, limits=limits)) as site:
        ana = site.person()
        games = [ana.make("pilo", size=6)["id"] for _ in range(20)]
        for game in games:
            ana.move(game, 1, "c3")
        assert 0 < len(site.runtime.cache.kept) < 10
        assert site.runtime.cache.kept.bytes <= 200_000
        assert [ana.state(game)["moves"] for game in games] == [["c3"]] * 20


def test_a_cache_that_is_full_lets_go_of_those_that_may_leave_first_and_then_of_the_oldest() -> None:
    cache: Cache[str, str] = Cache(50, len, leave_first=lambda key, value: value[0] != "x")
    for key, value in (("a", "y" * 10), ("b", "y" * 10), ("c", "x" * 10), ("d", "y" * 10)):
        cache.put(key, value)
    assert cache.get("a") == "y" * 10
    cache.put("e", "y" * 20)
    assert (list(cache), cache.bytes) == (["d", "a", "e"], 40)
    cache.put("e", "y" * 5)
    assert cache.bytes == 25
    cache.put("f", "y" * 99)
    assert list(cache) == ["f"], "what has just come stays, however large"


# -- clocks ---------------------------------------------------------------------------------------


def test_no_clock_gets_time_back_because_the_server_was_busy(folder: Path) -> None:
    with running(settings_for(folder)) as site:
        ana = site.person()
        game = ana.make(clock={"mode": "fischer", "minutes": 1, "increment": 0})["id"]
        ana.move(game, 1, "c3")
        ana.move(game, 2, "d4")
        busy = OUTAGE_MS / 1000 + 0.5
        site.runtime.keeper.tasks[0].get_loop().call_soon_threadsafe(time.sleep, busy)
        state = ana.move(game, 3, "e5")["state"]
        assert state["v"] == 3, "a move, and no pause before it"
        assert state["clock"]["remaining_ms"]["first"] <= 60_000 - 1000 * busy


class Clock:
    """A clock and a processor's time that go on when the test says so."""

    def __init__(self) -> None:
        self.ms = 1_000_000
        self.spent = 0.0

    def after(self, ms: int, spent: float) -> None:
        self.ms += ms
        self.spent += spent


def test_only_a_process_that_had_no_time_of_the_processor_stood_still() -> None:
    clock = Clock()
    pulse = Pulse(lambda: clock.ms, lambda: clock.spent)
    clock.after(36_000, 35.0)
    assert pulse.silence() is None, "it was busy"
    clock.after(2_900, 0.0)
    assert pulse.silence() is None, "not for long enough"
    stopped = clock.ms
    clock.after(60_000, 0.01)
    pulse.beat()
    clock.after(500, 0.1)
    assert pulse.silence() == stopped
    assert pulse.silence() is None, "it is told once"
