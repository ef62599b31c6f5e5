"""Sessions: they last while they are used, end after long disuse, and can be ended, with a word about their seats."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, select, text, update

from purlieu.server.domain.who import hash_of
from purlieu.server.services import sessions
from purlieu.server.services.committer import now_ms
from purlieu.server.services.sessions import SIGNED_OUT
from purlieu.server.settings import database_url
from purlieu.server.store import database as opening
from purlieu.server.store import people
from purlieu.server.store import tables as t
from purlieu.server.store.audit import check_games
from purlieu.server.store.database import Database, open_database
from purlieu.server.store.people import DAY_MS, SEATLESS_MS, SESSION_MS

from .site import Person, Site, running, settings_for
from .socket_client import Socket

HOLDS_BOTH = ["first", "second"]


def name_of(person: Person) -> str:
    """A person's session, as the database names it."""
    return hash_of(person.http.cookies["purlieu"])


def asked(site: Site, ask: Callable[[Connection], Any]) -> Any:
    """What the server's database says."""
    with site.runtime.store.database.reader.connect() as connection:
        return ask(connection)


def unused_for(site: Site, session: str, ms: int) -> None:
    """As if the session had last been used so long ago."""
    statement = update(t.session).where(t.session.c.token_hash == session).values(seen_ms=now_ms() - ms)
    site.runtime.store.writer.write(lambda connection: connection.execute(statement)).result(20)


def forget(site: Site) -> None:
    """What the keeper does every hour."""
    keeper = site.runtime.keeper
    asyncio.run_coroutine_threadsafe(keeper.forget(), keeper.tasks[0].get_loop()).result(60)


def is_there(site: Site, session: str) -> bool:
    return asked(site, lambda connection: people.last_use(connection, session)) is not None


def end(person: Person, status: int = 200, **headers: str) -> Any:
    answer = person.http.delete("/api/session", headers=headers)
    assert answer.status_code == status, answer.text
    return answer.json()


# -- ended by their owner -----------------------------------------------------------------------


def test_signing_out_says_before_and_after_which_seats_of_running_games_it_gives_up(either_site: Site) -> None:
    ana, ben = either_site.person(), either_site.person()
    made = ana.make("pilo", "me", "link", size=5)
    ben.post(f"/api/games/{made['id']}/join", {"token": made["invite"]})
    both, over = ana.make("petrify")["id"], ana.make("petrify")["id"]
    ana.act(over, "resign", 0)
    before = ana.get("/api/session")
    assert before == {
        "known": True,
        "seats": [
            {"id": both, "game": "petrify", "size": 8, "seat": "first", "elsewhere": False},
            {"id": both, "game": "petrify", "size": 8, "seat": "second", "elsewhere": False},
            {"id": made["id"], "game": "pilo", "size": 5, "seat": "first", "elsewhere": False},
        ],
    }
    assert end(ana) == {"seats": before["seats"]}
    assert ana.get("/api/session") == {"known": False, "seats": []}
    assert ben.get("/api/session")["seats"][0]["seat"] == "second"


def test_an_ended_session_holds_no_seat_and_its_cookie_is_worth_nothing(site: Site) -> None:
    ana, thief = site.person(), site.person()
    game, over = ana.make()["id"], ana.make()["id"]
    v = ana.act(over, "resign", 0)["v"]
    thief.http.cookies.set("purlieu", ana.http.cookies["purlieu"], domain="127.0.0.1")
    for kept in (game, over):
        assert thief.state(kept)["you"] == HOLDS_BOTH
    end(ana)
    assert "purlieu" not in ana.http.cookies
    for kept in (game, over):
        assert thief.state(kept)["you"] == []
    assert thief.move(game, 1, "c3", 403)["code"] == "not_your_seat"
    assert thief.act(over, "rematch", v, 403)["code"] == "not_your_seat"
    stolen = thief.http.cookies["purlieu"]
    thief.http.cookies.clear()
    thief.http.cookies.set("purlieu", stolen, domain="127.0.0.1")
    made = {"game": "pilo", "seats": {"first": {"kind": "me"}, "second": {"kind": "me"}}}
    fresh = thief.http.post("/api/games", json=made).headers["set-cookie"]
    assert stolen not in fresh, "a browser with that cookie begins a new session"


def test_ending_a_session_closes_its_sockets_and_nobody_elses(site: Site) -> None:
    ana, ben = site.person(), site.person()
    made = ana.make("pilo", "me", "link")
    ben.post(f"/api/games/{made['id']}/join", {"token": made["invite"]})
    other = ben.make()["id"]
    with Socket(ana, made["id"]) as mine, Socket(ana, other) as watching, Socket(ben, made["id"]) as bens:
        end(ana)
        assert (mine.close_code(), watching.close_code()) == (SIGNED_OUT, SIGNED_OUT)
        while bens.hint("here")["seats"]["first"]:
            continue
        bens.send(t="p", ms=1)
        assert bens.expect("p")["ms"] == 1


def test_a_game_goes_on_after_its_maker_signed_out(site: Site) -> None:
    ana, ben = site.person(), site.person()
    made = ana.make("pilo", "link", "me")
    ben.post(f"/api/games/{made['id']}/join", {"token": made["invite"]})
    end(ana)
    assert ben.move(made["id"], 1, "c3")["ply"] == 1
    assert ben.act(made["id"], "resign", 1)["state"]["status"] == "over"


def test_a_seat_that_another_device_holds_too_stays_there(site: Site) -> None:
    ana, phone = site.person(), site.person()
    game = ana.make()["id"]
    token = ana.post(f"/api/games/{game}/handover")["token"]
    phone.post(f"/api/games/{game}/join", {"token": token})
    unused = ana.post(f"/api/games/{game}/handover")["token"]
    assert [seat["elsewhere"] for seat in end(ana)["seats"]] == [True, True]
    assert phone.move(game, 1, "c3")["ply"] == 1
    late = site.person().post(f"/api/games/{game}/join", {"token": unused}, 404)
    assert late["code"] == "not_found", "a link of an ended session brings no seat anywhere"


def test_a_program_ends_its_session_and_asking_again_does_no_harm(site: Site) -> None:
    program = site.person()
    token = program.post("/api/session", {"bearer": True}, 201)["token"]
    program.http.headers["Authorization"] = f"Bearer {token}"
    game = program.make()["id"]
    assert [seat["id"] for seat in end(program)["seats"]] == [game, game]
    for answer in (end(program, 401), program.get("/api/session", 401)):
        assert (answer["code"], answer["where"]) == ("no_session", "Authorization")
    body = {"game": "pilo", "seats": {"first": {"kind": "me"}, "second": {"kind": "me"}}}
    assert program.post("/api/games", body, 401)["code"] == "no_session"
    assert program.state(game)["you"] == []


@pytest.mark.parametrize("cookie", [None, "x" * 43])
def test_a_browser_without_a_session_is_told_so_in_a_sentence(site: Site, cookie: str | None) -> None:
    ana = site.person()
    if cookie:
        ana.http.cookies.set("purlieu", cookie, domain="127.0.0.1")
    answer = end(ana, 401)
    assert (answer["code"], answer["message"]) == (
        "no_session",
        "this browser has no session here, so there is nothing to end",
    )
    assert ana.get("/api/session") == {"known": False, "seats": []}


def test_another_sites_page_cannot_sign_anybody_out(site: Site) -> None:
    ana = site.person()
    game = ana.make()["id"]
    assert end(ana, 403, Origin="https://evil.example")["code"] == "bad_origin"
    assert ana.state(game)["you"] == HOLDS_BOTH


def test_a_session_with_very_many_games_ends_too(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MOST_ROWS", 3)
    ana = site.person()
    for _ in range(4):
        ana.act(ana.make()["id"], "resign", 0)
    name = name_of(ana)
    for _ in range(3):
        ana.make()
    assert len(ana.get("/api/session")["seats"]) == len(end(ana)["seats"]) == 3
    assert not is_there(site, name)
    held = select(t.holding).where(t.holding.c.session == name)
    assert asked(site, lambda connection: connection.execute(held).all()) == []


def test_seats_read_while_the_session_ends_are_not_remembered(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    ana = site.person()
    game, cookie = ana.make()["id"], ana.http.cookies["purlieu"]
    site.runtime.seats.held.values.clear()
    whole = people.seats_held

    def slowly(connection: Connection, game_id: str, session: str) -> Any:
        """The session ends after its seats were read and before the answer is back."""
        monkeypatch.setattr(people, "seats_held", whole)
        found = whole(connection, game_id, session)
        end(site.person(), Cookie=f"purlieu={cookie}")
        return found

    monkeypatch.setattr(people, "seats_held", slowly)
    ana.state(game)
    assert ana.state(game)["you"] == []


# -- ended by disuse ----------------------------------------------------------------------------


def test_a_session_ends_400_days_after_its_last_use_and_its_seats_with_it(either_site: Site) -> None:
    ana, ben = either_site.person(), either_site.person()
    for person in (ana, ben):
        person.act(person.make()["id"], "resign", 0)
    unused_for(either_site, name_of(ana), SESSION_MS + 1000)
    unused_for(either_site, name_of(ben), SESSION_MS - DAY_MS)
    forget(either_site)
    assert not is_there(either_site, name_of(ana))
    held = select(t.holding).where(t.holding.c.session == name_of(ana))
    assert asked(either_site, lambda connection: connection.execute(held).all()) == []
    assert is_there(either_site, name_of(ben))
    assert [fault for _, fault in check_games(either_site.runtime.store.database) if fault] == []


def test_no_session_ends_while_it_holds_a_seat_in_a_running_game(either_site: Site) -> None:
    ana, ben = either_site.person(), either_site.person()
    active, waiting = ana.make()["id"], ben.make("pilo", "me", "link")["id"]
    ana.act(ana.make()["id"], "resign", 0)
    for person in (ana, ben):
        unused_for(either_site, name_of(person), 3 * SESSION_MS)
    forget(either_site)
    assert ana.state(active)["you"] == HOLDS_BOTH
    assert ben.state(waiting)["you"] == ["first"]


def test_a_session_without_a_seat_ends_after_30_days(either_site: Site) -> None:
    tokens = [either_site.person().post("/api/session", {"bearer": True}, 201)["token"] for _ in range(2)]
    old, young = map(hash_of, tokens)
    unused_for(either_site, old, SEATLESS_MS + 1000)
    unused_for(either_site, young, SEATLESS_MS - DAY_MS)
    forget(either_site)
    assert (is_there(either_site, old), is_there(either_site, young)) == (False, True)


def test_thousands_of_sessions_end_in_writes_of_a_few_each(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MOST_FOUND", 100)
    long_ago = now_ms() - 2 * SEATLESS_MS
    names = [f"idle {n}" for n in range(420)]
    rows = [{"token_hash": name, "created_ms": long_ago, "seen_ms": long_ago} for name in names]
    site.runtime.store.writer.write(lambda connection: connection.execute(t.session.insert(), rows)).result(20)
    at_once: list[int] = []
    whole = people.end_idle

    def noted(connection: Connection, some: list[str], *more: Any) -> bool:
        at_once.append(len(some))
        return whole(connection, some, *more)

    monkeypatch.setattr(people, "end_idle", noted)
    forget(site)
    assert sum(at_once) == len(names)
    assert max(at_once) == sessions.ENDED_AT_ONCE
    assert not any(is_there(site, name) for name in names)


# -- in use -------------------------------------------------------------------------------------


def test_the_last_use_is_noted_once_a_day_and_not_with_every_request(site: Site) -> None:
    ana = site.person()
    game, session = ana.make()["id"], name_of(ana)
    unused_for(site, session, 5 * DAY_MS)
    ana.state(game)
    wait_until_used(site, session)
    unused_for(site, session, 5 * DAY_MS)
    for _ in range(3):
        ana.state(game)
    site.runtime.store.writer.write(lambda connection: None).result(20)
    unused = now_ms() - asked(site, lambda connection: people.last_use(connection, session))
    assert unused >= 5 * DAY_MS, "noted again on the same day"


def test_a_board_that_is_opened_counts_as_use(site: Site) -> None:
    ana = site.person()
    game, session = ana.make()["id"], name_of(ana)
    unused_for(site, session, 5 * DAY_MS)
    with Socket(ana, game):
        wait_until_used(site, session)


def wait_until_used(site: Site, session: str) -> None:
    """Nobody waits for the note; it is written after what was queued before it."""
    site.runtime.store.writer.write(lambda connection: None).result(20)
    assert now_ms() - asked(site, lambda connection: people.last_use(connection, session)) < DAY_MS


def test_what_is_remembered_of_sessions_in_use_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MOST_NOTED", 10)
    lately = sessions.Lately(DAY_MS)
    for n in range(100):
        lately.add(str(n))
    assert list(lately.done_ms) == [str(n) for n in range(90, 100)]
    assert "99" in lately
    assert "0" not in lately


def test_a_browser_that_comes_back_keeps_its_cookie_for_another_400_days(folder: Path) -> None:
    with running(settings_for(folder)) as site:
        ana = site.person()
        game, cookie = ana.make()["id"], ana.cookie
        assert "set-cookie" not in ana.http.get(f"/api/games/{game}").headers, "once is enough"
    with running(settings_for(folder)) as site:
        again, stranger = site.person(), site.person()
        again.http.headers["Cookie"] = cookie
        stranger.http.headers["Cookie"] = f"purlieu={'x' * 43}"
        renewed = again.http.get(f"/api/games/{game}").headers["set-cookie"]
        assert renewed.startswith(cookie)
        assert "Max-Age=34560000" in renewed
        assert "HttpOnly" in renewed
        assert "set-cookie" not in again.http.get(f"/api/games/{game}").headers
        assert "set-cookie" not in stranger.http.get(f"/api/games/{game}").headers, "only ours are renewed"


# -- a database of the schema before ------------------------------------------------------------


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_an_older_database_learns_when_its_sessions_were_last_used(
    kind: str, folder: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = str(folder / "games.db") if kind == "sqlite" else request.getfixturevalue("postgres").database()
    with monkeypatch.context() as patched:
        patched.setattr(opening, "migrate", migrate_to_the_first)
        old = open_database(database_url(given))
    with old.writer.begin() as connection:
        for name, created_ms in (("seatless", 100), ("plays", 200), ("came later", 700)):
            connection.execute(text("INSERT INTO session VALUES (:name, :at)"), {"name": name, "at": created_ms})
        for game_id, changed_ms in (("old", 300), ("new", 500)):
            connection.execute(
                text(
                    "INSERT INTO game VALUES (:id, 'pilo', 5, 1, '[]', 'null', 'active', NULL, NULL, 0, 0, 0, '', NULL,"
                    " 200, :at)"
                ),
                {"id": game_id, "at": changed_ms},
            )
        for game_id, name in (("old", "plays"), ("new", "plays"), ("old", "came later")):
            row = {"id": game_id, "name": name}
            connection.execute(text("INSERT INTO holding VALUES (:id, 'first', :name)"), row)
    old.close()
    new = open_database(database_url(given))
    with new.reader.connect() as connection:
        found = {row.token_hash: row.seen_ms for row in connection.execute(select(t.session))}
    new.close()
    assert found == {"seatless": 100, "plays": 500, "came later": 700}


def migrate_to_the_first(database: Database) -> None:
    """The schema as it was before sessions had a last use."""
    config = Config()
    config.set_main_option("script_location", str(opening.MIGRATIONS))
    with database.writer.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
