"""Any text parses or raises our own error, whatever it is, and in linear time."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import purlieu
from purlieu import GAMES, BadNotation, IllegalMove, PurlieuError
from purlieu.rules.notation import parse_point, parse_square

from .games import some_positions

POSITIONS = {name: some_positions(name, game.default_size) for name, game in GAMES.items()}
TEXTS = [position.text() for positions in POSITIONS.values() for position in positions]
MOVE_LIKE = st.text(alphabet="abcdjsxXFILNPTUVWYZ0123456789 \t", max_size=30) | st.text(max_size=100)


@pytest.mark.parametrize("game", GAMES)
@given(text=MOVE_LIKE)
def test_any_move_text_is_played_or_refused_with_a_sentence(game: str, text: str) -> None:
    position = POSITIONS[game][2]
    try:
        refusal = position.explain(text)
    except BadNotation as error:
        assert str(error)
        with pytest.raises(BadNotation):
            position.play(text)
        return
    if refusal is None:
        assert position.play(text) == position.play(str(position.read_move(text)))
    else:
        with pytest.raises(IllegalMove):
            position.play(text)


@given(text=st.text(max_size=200))
def test_any_square_text_names_a_square_or_says_that_it_does_not(text: str) -> None:
    for parse in (parse_square, parse_point):
        try:
            assert parse(str(parse(text))) == parse(text)
        except BadNotation as error:
            assert "names no" in str(error)


@given(text=st.text(max_size=300) | st.text(alphabet="petrifylonwa 0123456789/;=#bosFIL", max_size=120))
def test_any_text_is_a_position_or_our_error(text: str) -> None:
    parses_or_raises_ours(text)


@given(data=st.data())
def test_a_damaged_position_text_is_a_position_or_our_error(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(TEXTS))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 4))
        text = text[:at] + data.draw(st.text(max_size=3)) + text[at + cut :]
    parses_or_raises_ours(text)


def parses_or_raises_ours(text: str) -> None:
    try:
        position = purlieu.parse(text)
    except PurlieuError as error:
        assert str(error)
        assert len(str(error)) < 400
        return
    assert purlieu.parse(position.text()) == position
    position.legal_moves()
    position.ledger()


@pytest.mark.parametrize(
    "make",
    [
        lambda n: "petrify " + "1" * n,
        lambda n: "petrify " + "b/" * n,
        lambda n: "pyloff " + "3/3/3;" * n,
        lambda n: "pyloff 3/3/3 moves=" + "pass," * n,
        lambda n: "pentwall " + "F" * n,
        lambda n: "pilo 3/3/3 " + "ply=1 " * n,
        lambda n: "x" * n,
    ],
)
def test_a_text_of_any_length_is_answered_in_linear_time(make: Callable[[int], str]) -> None:
    def seconds(length: int) -> float:
        text = make(length)
        best = float("inf")
        for _ in range(3):
            begun = time.perf_counter()
            with pytest.raises(PurlieuError):
                purlieu.parse(text)
            best = min(best, time.perf_counter() - begun)
        return best

    short, long = seconds(2_000), seconds(32_000)
    assert long < 100 * short + 0.05  # 16 times the text; a quadratic parser would take 256 times as long
