"""Records made up for the tests: random games with random remarks."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

import purlieu
from purlieu import Position
from purlieu.records import MARKS, Line, Node, Record, RecordError, loads

SMALL = [("petrify", 3), ("petrify", 4), ("pilo", 3), ("pilo", 4), ("pentwall", 10), ("pyloff", 3)]

_SIGNS = [*"{}\\\"'[%;( \t\n\ufeff\u3000\x85\u2028é", "\r\n", "\\n", "\\}", "  ", "1-0", "$5"]
_LONG = ["[Game ", '[Game "Pilo"]', "a rather long word or two", "x" * 90]
REMARKS = st.text() | st.lists(st.sampled_from(_SIGNS + _LONG), max_size=30).map("".join)

OTHER_TAGS = st.dictionaries(st.sampled_from(["Event", "Site", "Termination", "naïf", "x-1"]), REMARKS, max_size=3)


@st.composite
def records(draw: st.DrawFn) -> Record:
    """A game of any kind, whole or cut short, from its start or from the middle, with remarks all over it."""
    game, size = draw(st.sampled_from(SMALL))
    random = Random(draw(st.integers(0, 2**32)))
    remarks = draw(st.lists(REMARKS, min_size=1, max_size=6))
    start = after_random_moves(purlieu.start(game, size), random, draw(st.sampled_from([0, 0, 1, 4])))
    plies = draw(st.sampled_from([0, 1, 6, 1000]))
    line, end = random_line(start, random, plies, remarks, draw(st.integers(0, 3)))
    tags = draw(OTHER_TAGS)
    for name in ("First", "Second", "Date"):
        if random.random() < 0.5:
            tags[name] = random.choice(remarks)
    if not end.is_over and random.random() < 0.5:
        tags |= {"Result": random.choice(["1-0", "0-1", "1/2-1/2", "*"]), "Score": "12-7"}
    return Record(start, line, tags, random.choice(["", *remarks]))


def random_line(
    position: Position, random: Random, plies: int, remarks: list[str], depth: int
) -> tuple[Line, Position]:
    """A line of legal moves with remarks, marks and variations, and where it ends."""
    nodes: list[Node] = []
    while len(nodes) < plies and not position.is_over:
        variations: list[Line] = []
        while depth and random.random() < 0.1:
            variation, _ = random_line(position, random, random.randint(1, 4), remarks, depth - 1)
            variations.append(variation)
        move = random.choice(position.legal_moves())
        marks = tuple(random.choices([*MARKS, "$1", "$013", "$255"], k=random.choice([0, 0, 0, 1, 3])))
        before, after = (random.choice(remarks) if random.random() < 0.1 else "" for _ in range(2))
        nodes.append(Node(move, marks, before, after, tuple(variations)))
        position = position.play(move)
    return tuple(nodes), position


def after_random_moves(position: Position, random: Random, plies: int) -> Position:
    """The position after so many random moves."""
    for _ in range(plies):
        if not position.is_over:
            position = position.play(random.choice(position.legal_moves()))
    return position


def whole_game(game: str, size: int, seed: int = 0) -> Record:
    """A random game, played to its end."""
    line, _ = random_line(purlieu.start(game, size), Random(seed), 10_000, [""], 0)
    return Record.of(purlieu.start(game, size), [node.move for node in line], first="Ana", second="Ben")


def only(text: str) -> Record:
    """The one record that a text holds."""
    (record,) = loads(text)
    return record


def error_of(text: str) -> RecordError:
    """The error that a text is refused with."""
    try:
        loads(text)
    except RecordError as error:
        return error
    raise AssertionError(f"this was read: {text!r}")
