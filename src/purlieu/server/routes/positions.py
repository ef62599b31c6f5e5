"""Questions about positions, which need no game: views, looks, the catalogue, records to review."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import Field

from purlieu import records

from ..access import WorldOf
from ..catalogue import Catalogue, catalogue
from ..lines import last_of
from ..look import LookResult, look
from ..model import GameName, Model, MoveText, Size
from ..packed import Packed
from ..played import Played, begin, play_out
from ..view import View, placement_texts, view

router = APIRouter(prefix="/api", tags=["positions"], route_class=Packed)

MOST_VIEWS = 200


class LineBody(Model):
    """A line of play: a game, from its start or from a position, and the moves since."""

    game: GameName
    size: Size | None = Field(default=None, description="Left out: the game's usual size.")
    moves: Annotated[list[MoveText], Field(max_length=10_000)] = Field(default_factory=list)
    setup: Annotated[str, Field(max_length=60_000)] | None = Field(
        default=None, alias="from", description="A position's text; left out: the game's first position."
    )

    def first(self) -> Played:
        """Where the line begins."""
        return begin(self.game, self.size, self.setup)

    def last(self) -> Played:
        """Where it ends."""
        return last_of(self.game, self.size, self.setup, self.moves)

    def canonical(self) -> tuple[str, ...]:
        """Its moves in the notation's own spelling, which is the only one that the core reads."""
        first = self.first().position
        return tuple(str(first.read_move(move)) for move in self.moves)


class ViewsBody(LineBody):
    """Which views of a line are wanted."""

    last_only: bool = Field(default=False, description="Only the view after the last move.")
    first_ply: Annotated[int, Field(ge=0, le=10_000)] = Field(
        default=0, description="How many views of the line to leave out; one answer holds at most 200."
    )


class Views(Model):
    """The views of a line, one a ply."""

    views: list[View]
    plies: int = Field(description="How many views the whole line has.")


@router.post("/views", response_model=Views)
async def post_views(body: ViewsBody, request: Request, world: WorldOf) -> Response:
    """The view after every move of a line, the first position included."""
    world.limiter.allow("looks", request)
    # written off the loop: two hundred views of a large pile are megabytes
    written = await world.work(lambda: make_views(body).model_dump_json(by_alias=True))
    return Response(written, media_type="application/json")


def make_views(body: ViewsBody) -> Views:
    """The views that are wanted."""
    if body.last_only:
        return Views(views=[view(body.last())], plies=len(body.moves) + 1)
    line = list(play_out(body.first(), body.moves))
    wanted = line[body.first_ply : body.first_ply + MOST_VIEWS]
    return Views(views=[view(played) for played in wanted], plies=len(line))


class LookBody(LineBody):
    """A line, and a move that somebody thinks of."""

    move: Annotated[str, Field(max_length=100)]


@router.post("/look")
async def post_look(body: LookBody, request: Request, world: WorldOf) -> LookResult:
    """What a move would do at the end of the line; or which rule forbids it, and where."""
    world.limiter.allow("looks", request)
    return await world.work(lambda: look(body.last(), body.move))


@router.get("/catalogue")
def get_catalogue() -> Catalogue:
    """The games, their sizes, and the computer's levels."""
    return catalogue()


@router.get("/pentwall/placements")
def get_placements(response: Response) -> list[str]:
    """Pentwall's 4,096 placements in the order of a view's `placements` bits. It never changes."""
    response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    return placement_texts()


class RecordsBody(Model):
    """Records as text or as JSON Lines."""

    text: Annotated[str, Field(min_length=1, max_length=256 * 1024)]


class RecordLine(Model):
    """A line of a record, with the other lines that leave it."""

    first: int = Field(description="The ply of its first move.")
    moves: list[str]
    comments: dict[int, str] = Field(description="What was said about moves, by ply.")
    marks: dict[int, list[str]] = Field(description="The marks of moves, such as `!?`, by ply.")
    variations: list[RecordLine] = Field(description="Each begins with a move in place of one of this line's.")


class RecordView(RecordLine):
    """A record: its main line, and who played."""

    game: str
    size: int
    setup: str | None = Field(alias="from", description="The position it begins from, unless that is the usual one.")
    tags: dict[str, str]
    comment: str
    result: str


class Records(Model):
    """The games of a file, and what was wrong with the others."""

    games: list[RecordView]
    errors: list[str]


MOST_RECORDS = 100


@router.post("/records")
async def post_records(body: RecordsBody, request: Request, world: WorldOf) -> Records:
    """Read records, to look at them. A game that is wrong is told by line, column and ply."""
    world.limiter.allow("records", request)
    return await world.work(read_records, body)


def read_records(body: RecordsBody) -> Records:
    """The games of the text."""
    errors: list[str] = []
    reader = records.read_jsonl if body.text.lstrip().startswith("{") else records.read_records
    games: list[RecordView] = []
    for record in reader(body.text.splitlines(keepends=True), lambda error: errors.append(str(error))):
        games.append(record_view(record))
        if len(games) == MOST_RECORDS:
            errors.append(f"only the first {MOST_RECORDS} games were read")
            break
    return Records(games=games, errors=errors[:MOST_RECORDS])


def record_view(record: records.Record) -> RecordView:
    """A record as it is sent."""
    usual = begin(record.game, record.start.size).position == record.start
    line = record_line(record.line, record.start.ply + 1)
    return RecordView(
        game=record.game,
        size=record.start.size,
        **{"from": None if usual else record.start.text()},
        tags=dict(record.header),
        comment=record.comment,
        result=record.result,
        first=line.first,
        moves=line.moves,
        comments=line.comments,
        marks=line.marks,
        variations=line.variations,
    )


def record_line(line: records.Line, first: int) -> RecordLine:
    """A line as it is sent, and those inside it: a record nests at most `records.DEEPEST` deep."""
    by_ply = dict(enumerate(line, start=first))
    return RecordLine(
        first=first,
        moves=[str(node.move) for node in line],
        comments={
            ply: "\n".join(filter(None, (node.before, node.comment)))
            for ply, node in by_ply.items()
            if node.before or node.comment
        },
        marks={ply: list(node.marks) for ply, node in by_ply.items() if node.marks},
        variations=[record_line(other, ply) for ply, node in by_ply.items() for other in node.variations],
    )
