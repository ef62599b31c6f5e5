"""Questions that are worked out from plain data, away from the server's own process: views, looks, records, pictures.

Each function takes what `workers.jobs.Question.given` holds, and gives what is sent, or what the server goes on with.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Sequence
from typing import Any

from purlieu import records
from purlieu.records import Node, Record
from purlieu.records.files import reader_of
from purlieu.rules import Message

from ..domain.played import Played, begin, play_out
from .explain import explain
from .plain import TypedDict, as_sent
from .strict_json import json_text
from .view import Said, Summary, View, summaries, view

MOST_VIEWS = 200
VIEWS_SECONDS = 0.5
"""An answer ends after so much of a processor's time, whatever is missing: another one goes on from there."""
VIEWS_BYTES = 1 << 20
MOST_RECORDS = 100


@as_sent
class Views(TypedDict):
    """Views of a line, one a ply: as many as one answer may hold."""

    views: list[View]
    plies: int
    """How many views the whole line has."""


@as_sent
class Summaries(TypedDict):
    """What a graph of a line needs, one a ply."""

    summaries: list[Summary]


@as_sent
class RecordLine(TypedDict):
    """A line of a record, with the other lines that leave it."""

    first: int
    """The ply of its first move."""
    moves: list[str]
    comments: dict[int, str]
    """What was said about moves, by ply."""
    marks: dict[int, list[str]]
    """The marks of moves, such as `!?`, by ply."""
    variations: list[RecordLine]
    """Each begins with a move in place of one of this line's."""


_From = TypedDict("_From", {"from": str | None})


@as_sent
class RecordView(RecordLine, _From):
    """A record: its main line, and who played. `from` is the position it begins from, unless that is the usual one."""

    game: str
    size: int
    tags: dict[str, str]
    comment: str
    result: str


@as_sent
class Records(TypedDict):
    """The games of a file, and what was wrong with the others."""

    games: list[RecordView]
    errors: list[str]
    errors_said: list[Said]


def last_of(game: str, size: int | None, setup: str | None, moves: Sequence[str]) -> Played:
    """The position at the end of a line."""
    *_, last = play_out(begin(game, size, setup), moves)
    return last


def last_view(game: str, size: int | None, setup: str | None, moves: Sequence[str]) -> bytes:
    """The view after the last move of a line."""
    return _views_text([json_text(view(last_of(game, size, setup, moves)))], len(moves) + 1)


def views(game: str, size: int | None, setup: str | None, moves: Sequence[str], first_ply: int) -> bytes:
    """The views of a line from a ply on."""
    texts: list[str] = []
    room, until = VIEWS_BYTES, time.process_time() + VIEWS_SECONDS
    for ply, played in enumerate(play_out(begin(game, size, setup), moves)):
        if ply < first_ply or len(texts) == MOST_VIEWS:
            continue
        if not texts or (room > 0 and time.process_time() < until):
            texts.append(json_text(view(played)))
            room -= len(texts[-1])
    return _views_text(texts, len(moves) + 1)


def _views_text(texts: list[str], plies: int) -> bytes:
    return f'{{"views":[{",".join(texts)}],"plies":{plies}}}'.encode()


def line_summaries(game: str, size: int | None, setup: str | None, moves: Sequence[str]) -> bytes:
    """The summaries of a whole line."""
    return json_text({"summaries": list(summaries(play_out(begin(game, size, setup), moves)))}).encode()


def look_at(game: str, size: int | None, setup: str | None, moves: Sequence[str], move: str) -> bytes:
    """What a move would do at the end of a line, or why it may not be played."""
    return json_text(explain(last_of(game, size, setup, moves), move)).encode()


def line(game: str, size: int | None, setup: str | None, moves: Sequence[str]) -> tuple[str, tuple[str, ...], bool]:
    """A line that was judged: its first position, its moves in the usual spelling, whether it is over."""
    first = last = begin(game, size, setup)
    texts: list[str] = []
    for last in play_out(first, moves):
        if last.text is not None:
            texts.append(last.text)
    return first.position_text, tuple(texts), last.is_over


# -- records ------------------------------------------------------------------------------------


def read_records(text: str) -> bytes:
    """The games of a text, in either form."""
    errors: list[Message] = []
    reader = reader_of(text)
    games: list[RecordView] = []
    lines = text.splitlines(keepends=True)
    for record in reader(lines, lambda error: errors.append(Message.of(error.sentence))):
        games.append(record_view(record))
        if len(games) == MOST_RECORDS:
            errors.append(Message("record.first", "only the first {count} games were read", count=MOST_RECORDS))
            break
    said = errors[:MOST_RECORDS]
    return json_text(Records(games=games, errors=list(said), errors_said=[error.data() for error in said])).encode()


def record_text(text: str) -> bytes:
    """The games of a text, in either form, written as records for people. Raises RecordError at the first wrong one."""
    written = io.StringIO()
    records.write_records(reader_of(text)(text.splitlines(keepends=True), None), written)
    return written.getvalue().encode()


def record_view(record: Record) -> RecordView:
    """A record as it is sent."""
    usual = begin(record.game, record.start.size).position == record.start
    line = record_line(record.line, record.start.ply + 1)
    return {
        **line,
        "game": record.game,
        "size": record.start.size,
        "from": None if usual else record.start.text(),
        "tags": dict(record.header),
        "comment": record.comment,
        "result": record.result,
    }


def record_line(line: records.Line, first: int) -> RecordLine:
    """A line as it is sent, and those inside it: a record nests at most `records.DEEPEST` deep."""
    by_ply = dict(enumerate(line, start=first))
    return {
        "first": first,
        "moves": [str(node.move) for node in line],
        "comments": {
            ply: "\n".join(filter(None, (node.before, node.comment)))
            for ply, node in by_ply.items()
            if node.before or node.comment
        },
        "marks": {ply: list(node.marks) for ply, node in by_ply.items() if node.marks},
        "variations": [record_line(other, ply) for ply, node in by_ply.items() for other in node.variations],
    }


def write_record(game: str, size: int, moves: Sequence[str], tags: dict[str, str]) -> bytes:
    """The record of a game whose moves were judged when they were made."""
    first = begin(game, size)
    nodes = tuple(Node(first.position.read_move(move)) for move in moves)
    record = Record(first.position, nodes, tags, played_to=first.follow_all(moves).position)
    return records.dumps(record).encode()


# -- pictures -----------------------------------------------------------------------------------


def draw(game: str, size: int, moves: Sequence[str], theme: str, kind: str) -> bytes:
    """A drawing of the position after those moves, which were judged when they were made; the last one is marked."""
    from purlieu.drawing import png, svg  # only here: who draws nothing needs none of its fonts

    last = begin(game, size).follow_all(moves)
    drawing = svg(last.position, last_move=last.move, before=last.before, theme=theme)
    return png(drawing) if kind == "png" else drawing.encode()


QUESTIONS: dict[str, Callable[..., Any]] = {
    "last_view": last_view,
    "views": views,
    "line_summaries": line_summaries,
    "look_at": look_at,
    "line": line,
    "read_records": read_records,
    "record_text": record_text,
    "write_record": write_record,
    "draw": draw,
}
