"""The words of UGI, there and back."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purlieu import PurlieuError
from purlieu.ugi.options import Options
from purlieu.ugi.protocol import Go, Info, Setup, UgiError, parse_go, parse_info, parse_position, parse_setoption

numbers = st.none() | st.integers(1, 10**12)


@given(movetime=numbers, nodes=numbers, p1=numbers, p2=numbers, infinite=st.booleans())
def test_what_go_writes_it_reads(
    movetime: int | None, nodes: int | None, p1: int | None, p2: int | None, infinite: bool
) -> None:
    go = Go(movetime, nodes, p1 if p2 else None, p2 if p1 else None, infinite=infinite)
    assert parse_go(go.text().split()[1:]) == go


def test_what_position_writes_it_reads() -> None:
    for setup in (Setup(None), Setup(None, ("c3", "swap")), Setup("petrify 3/3/3 ply=0", ("a1",))):
        assert parse_position(setup.line().split()[1:]) == setup


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("movetime", "movetime needs a whole number from 0, not ''"),
        ("movetime -5", "not '-5'"),
        ("nodes 1e3", "not '1e3'"),
        ("nodes 99999999999999999999", "nodes needs a whole number"),
        ("nodes 5 nodes 6", "nodes is given twice"),
        ("depth 4", "go depth is not spoken here"),
        ("p1time --4 p2time 5", "p1time needs a whole number from 0, not '--4'"),
        ("p1time 5 p2time -", "p2time needs a whole number from 0, not '-'"),
        ("p1time 100", "p1time and p2time belong together"),
        ("sideways", "'sideways' is no limit"),
    ],
)
def test_a_limit_that_makes_no_sense_is_refused_with_a_sentence(line: str, sentence: str) -> None:
    with pytest.raises(UgiError, match=sentence):
        parse_go(line.split())


def test_a_clock_below_zero_is_read_as_one_at_zero() -> None:
    assert parse_go(["p1time", "-40", "p2time", "5000"]) == Go(p1time=0, p2time=5000)


@given(st.text())
def test_no_text_breaks_the_readers(text: str) -> None:
    words = text.split()
    for read in (parse_go, parse_position, parse_setoption):
        with contextlib.suppress(UgiError):
            read(words)
    parse_info(words)


@given(st.text(), st.text())
def test_no_option_breaks_the_options(name: str, value: str) -> None:
    for known in ("Game", "Size", "Level", "Threads", "Hash", "Seed", "MultiPV", name):
        with contextlib.suppress(PurlieuError):
            Options().with_value(known, value)


def test_a_game_brings_its_usual_size_and_refuses_others() -> None:
    options = Options().with_value("Game", "Pyloff")
    assert (options.game, options.size) == ("pyloff", 6)
    assert options.with_value("size", "4").size == 4
    with pytest.raises(UgiError, match="Pentwall is played on sizes 10 to 10, not on 8"):
        options.with_value("Game", "pentwall").with_value("Size", "8")


def info_of(text: str) -> Info:
    return parse_info(text.split())


def test_foreign_info_is_understood_as_far_as_it_goes_and_numbers_of_any_length_are_no_fault() -> None:
    info = info_of("depth 4 seldepth 9 score cp -57 time 12 nodes 197 tthits 0 pv f1 b1")
    assert (info.nodes, info.time, info.pv, info.other) == (197, 12, ("f1", "b1"), {})
    assert info_of("score solved win wdl 1000 0 0").solved == "win"
    assert info_of(f"wdl {'9' * 5000} 0 0 nodes {'9' * 5000} time 12") == Info(time=12, other={"nodes": "9" * 5000})
    assert info_of("string pv is a word here").other == {"string": "pv is a word here"}
