"""What the board page draws is what the rules say: views, looks and refusals of all four games."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from random import Random
from typing import Any

import pytest

import purlieu
from purlieu.rules import GAMES
from purlieu.server.domain.played import begin, play_out
from purlieu.server.wire.explain import explain
from purlieu.server.wire.view import placement_texts, summaries, view

SIZES = {"petrify": 5, "pilo": 5, "pentwall": 10, "pyloff": 4}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_a_view_says_what_the_rules_say_at_every_ply_of_a_game(game: str, seed: int) -> None:
    chance = Random(seed)
    played = begin(game, SIZES[game])
    while True:
        position, seen = played.position, view(played)
        legal = [str(move) for move in position.legal_moves()]
        if game == "pentwall":
            assert seen["legal"] is None
            assert seen["placements"] is not None
            bits = base64.b64decode(seen["placements"])
            told = [text for at, text in enumerate(placement_texts()) if bits[at // 8] >> at % 8 & 1]
            assert told == legal
            assert seen["pool"] == list(position.pool)  # type: ignore[attr-defined]
            assert seen["fits"] == sorted({text[0] for text in legal})
        else:
            assert seen["legal"] == legal
            assert seen["must_pass"] == (legal == ["pass"]) == played.must_pass
            assert seen["can_swap"] == ("swap" in legal)
        assert seen["text"] == position.text()
        assert (seen["ply"], seen["to_move"], seen["over"]) == (position.ply, position.to_move.value, position.is_over)
        assert seen["colours"][seen["to_move"]] == seen["colour_to_move"] == position.colour_to_move.value
        assert [piece["at"] for piece in seen["pieces"]] == [str(piece.at) for piece in position.pieces()]
        assert seen["ledger"]["totals"] == {colour.value: points for colour, points in position.score().items()}
        for entry in seen["ledger"]["entries"]:
            if entry["kind"] == "patch":
                struck = [at for pair in entry["struck_out"] for at in pair]
                assert sorted(struck + entry["left"]) == list(range(len(entry["groups"])))
        if position.is_over:
            assert seen["outcome"] is not None
            return
        assert seen["outcome"] is None
        played = played.play(chance.choice(legal))


@pytest.mark.parametrize("game", GAMES)
def test_the_summaries_of_a_line_say_what_its_views_say(game: str) -> None:
    chance, core, moves = Random(7), begin(game, SIZES[game]).core, list[str]()
    while not core.is_over:
        legal = core.legal_moves()
        moves.append("swap" if "swap" in legal else chance.choice(legal))
        core = core.play(moves[-1])
    for begun in (0, 5):
        first = begin(game, SIZES[game]).follow_all(moves[:begun])
        setup = begin(game, SIZES[game], first.core.text())
        line = list(play_out(setup, moves[begun:]))
        for summary, seen in zip(summaries(line), map(view, line), strict=True):
            told = {**seen, "totals": seen["ledger"]["totals"]}
            assert summary == {name: told[name] for name in summary}


@pytest.mark.parametrize(
    ("game", "moves", "is_open"),
    [
        ("petrify", [], True),
        ("petrify", ["c3"], True),
        ("petrify", ["c3", "swap"], False),
        ("pilo", ["c3", "d4"], False),
        ("pentwall", [], False),
        ("pyloff", [], False),
        ("pyloff", ["b2"], False),
    ],
)
def test_a_view_tells_until_when_a_swap_may_still_come(game: str, moves: list[str], is_open: bool) -> None:
    *_, last = play_out(begin(game, SIZES[game]), moves)
    assert view(last)["pie_open"] == is_open


def looked(moves: list[str], move: str, game: str = "petrify", size: int = 6, setup: str | None = None) -> Any:
    *_, last = play_out(begin(game, size, setup), moves)
    return explain(last, move)


def marks(found: Any) -> dict[str, list[str]]:
    return {mark["role"]: mark["squares"] for mark in found["refusal"]["marks"]}


def test_a_mound_is_drawn_with_its_ring_squares() -> None:
    found = looked(["a1", "a4"], "a1xa4")
    assert found["refusal"]["rule"] == "mound"
    assert marks(found) == {"from": ["a1"], "to": ["a4"], "ghost": ["a1"], "ring": ["@0", "a0", "@1"]}


def test_a_blocked_way_names_what_blocks_it() -> None:
    found = looked(["a3", "d3", "f6", "e3"], "a3xe3")
    assert (found["refusal"]["rule"], marks(found)["fault"]) == ("path blocked", ["d3"])


def test_unequal_heights_are_both_pointed_at() -> None:
    found = looked([], "c3xc5", "pilo", 6, "pilo 6/2o13/6/2b23/6/6 ply=4")
    assert (found["refusal"]["rule"], marks(found)) == ("unequal heights", {"from": ["c3"], "to": ["c5"]})


def test_a_marble_without_support_names_what_is_missing() -> None:
    found = looked(["a1", "b1"], "2a1", "pyloff", 4)
    assert (found["refusal"]["rule"], marks(found)["missing"]) == ("unsupported point", ["a2", "b2"])


def test_a_pentomino_over_paint_names_the_squares() -> None:
    found = looked(["Xb1a2b2c2b3"], "Ib2c2d2e2f2", "pentwall", 10)
    assert (found["refusal"]["rule"], marks(found)["fault"]) == ("overlap", ["b2", "c2"])
    used = looked(["Xb1a2b2c2b3", "Ia10b10c10d10e10"], "Xf5e6f6g6f7", "pentwall", 10)
    assert marks(used)["used"] == ["b1", "a2", "b2", "c2", "b3"]


def test_a_text_that_is_no_move_says_what_is() -> None:
    found = looked([], "hello")
    assert (found["legal"], found["refusal"]["rule"]) == (False, "bad notation")


def test_an_effect_tells_what_is_captured_and_left() -> None:
    found = looked(["c3", "c5"], "c3xc5")["effect"]
    assert (found["captures"], found["block"], found["score"]) == (["c5"], "c3", {"blue": 35, "orange": 0})
    pilo = looked(["c3", "c5"], "c3xc5", "pilo")["effect"]
    assert pilo["height"] == 2


def test_an_effect_of_a_marble_tells_its_supports_and_whom_it_buries() -> None:
    moves = ["a1", "b1", "a2", "b2", "c1", "c2", "a3", "b3", "c3", "2a1", "2b1", "2a2"]
    found = looked(moves, "2b2", "pyloff", 4)["effect"]
    assert (found["level"], found["supports"]) == (2, ["b2", "c2", "b3", "c3"])
    *_, last = play_out(begin("pyloff", 4), [*moves, "2b2", "d4"])
    top = explain(last, "3a1")["effect"]
    assert top is not None
    assert top["buries"] == ["b2"]


def test_the_last_move_tells_where_it_went() -> None:
    *_, last = play_out(begin("petrify", 6), ["c3", "c5", "c3xc5"])
    assert view(last)["last"] == {
        "move": "c3xc5",
        "from": "c3",
        "to": "c5",
        "block": "c3",
        "squares": ["c3", "c5"],
        "captured": ["c5"],
    }


def test_there_are_4096_placements_in_the_order_of_the_rules() -> None:
    assert placement_texts() == [str(move) for move in purlieu.start("pentwall").legal_moves()]
    assert len(placement_texts()) == 4096


BARE = """
import sys
for name in ("pydantic", "pydantic_core", "fastapi", "sqlalchemy", "purlieu.core", "purlieu.engine", "purlieu.nets"):
    sys.modules[name] = None
import json
from types import SimpleNamespace
from purlieu.rules import GAMES, start
from purlieu.server.wire.explain import explain
from purlieu.server.wire.state import state_view
from purlieu.server.wire.view import view
views = []
for game in GAMES:
    position = start(game)
    legal = [str(move) for move in position.legal_moves()]
    moment = SimpleNamespace(
        position=position, before=None, move=None, position_text=position.text(), hash="", legal=legal,
        ply=position.ply, to_move=position.to_move, is_over=position.is_over, score=tuple(position.score().values()),
    )
    views.append(view(moment))
    assert explain(moment, legal[0])["legal"]
print(json.dumps(views))
"""


def test_a_view_can_be_made_where_there_is_nothing_but_the_rules() -> None:
    made = subprocess.run([sys.executable, "-c", BARE], check=True, capture_output=True, text=True).stdout
    assert json.loads(made) == [{**view(begin(game, None)), "hash": ""} for game in GAMES]
