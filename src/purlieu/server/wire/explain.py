"""What a move would do, or why it may not be: the drawn reason behind "why not here?"."""

from __future__ import annotations

from typing import Literal

from purlieu.rules import BadNotation, Capture, Message, Move, Paint, Place, Point, Position, Refusal, Rule, Square
from purlieu.rules.pieces import lifted
from purlieu.rules.pyloff import PyloffPosition, is_buried
from purlieu.sentences import effect_text

from .links import links_of
from .plain import NotRequired, TypedDict, as_sent
from .view import Moment, Said

Role = Literal["from", "to", "fault", "block", "ghost", "ring", "used", "shape", "missing", "dead", "changed"]


@as_sent
class Effect(TypedDict):
    """What a legal move would do."""

    sentence: str
    captures: list[str]
    """What it takes off the board."""
    # a page need not say these of an effect that it makes up for a test; ours has them always
    block: NotRequired[str | None]
    """Petrify, Pilo: where it leaves a block."""
    height: NotRequired[int | None]
    """Pilo: the height of the stack after a capture."""
    level: NotRequired[int | None]
    """Pyloff: the level of the new marble."""
    supports: list[str]
    """Pyloff: the four marbles it would rest on."""
    buries: list[str]
    """Pyloff: the marble straight below it."""
    cuts: list[list[str]]
    """Pyloff: the links it cuts."""
    score: dict[str, int]
    """The score right after it, by colour."""


@as_sent
class Mark(TypedDict):
    """Squares to point at, and what part they play in the reason."""

    role: Role
    squares: list[str]


@as_sent
class RefusalView(TypedDict):
    """Why a move is illegal."""

    rule: str
    sentence: str
    said: Said
    marks: list[Mark]
    earlier_ply: int | None
    """Superko: the ply whose board would return."""


@as_sent
class LookResult(TypedDict):
    """`effect` of a legal move, or the `refusal` of another."""

    legal: bool
    effect: Effect | None
    refusal: RefusalView | None


def explain(moment: Moment, text: str) -> LookResult:
    """What the move would do here, or why not."""
    position = moment.position
    try:
        move = position.read_move(text)
    except BadNotation as error:
        return {"legal": False, "effect": None, "refusal": told("bad notation", error.sentence)}
    if refusal := position.explain(move):
        return {"legal": False, "effect": None, "refusal": refusal_view(position, move, refusal)}
    return {"legal": True, "effect": effect_of(position, move), "refusal": None}


def effect_of(position: Position, move: Move) -> Effect:
    """What a legal move would do, told from the boards before and after it."""
    after = position.after(move)
    score = after.score()
    captures: list[str] = []
    supports: list[str] = []
    buries: list[str] = []
    cuts: list[list[str]] = []
    block = height = level = None
    match move:
        case Capture(start, target):
            captures, block = [str(target)], str(start)
            height = next((getattr(piece, "height", None) for piece in after.pieces() if piece.at == target), None)
        case Place(Point() as point):
            captures = [str(marble.at) for marble in lifted(position.pieces(), after.pieces())]
            level = point.level
            assert isinstance(position, PyloffPosition)
            assert isinstance(after, PyloffPosition)
            shape = position.pyramid
            supports = [str(shape.points[at]) for at in shape.supports[shape.index_of[point]]]
            newly = [at for at, kind in enumerate(position.board) if kind and after.board[at]]
            buries = [
                str(shape.points[at])
                for at in newly
                if is_buried(shape, after.board, at) and not is_buried(shape, position.board, at)
            ]
            links, were = links_of(after), links_of(position)
            cuts = [pair for pair in links["cut"] if pair not in were["cut"]] if links and were else []
    return {
        "sentence": effect_text(position, move, after, score),
        "captures": captures,
        "block": block,
        "height": height,
        "level": level,
        "supports": supports,
        "buries": buries,
        "cuts": cuts,
        "score": {colour.value: points for colour, points in score.items()},
    }


def refusal_view(position: Position, move: Move, refusal: Refusal) -> RefusalView:
    """A refusal with its squares sorted by the part they play."""
    marks: list[Mark] = [
        {"role": role, "squares": squares} for role, squares in marks_of(position, move, refusal) if squares
    ]
    return told(refusal.rule.value, refusal.about(move)) | {"marks": marks, "earlier_ply": refusal.ply}


def told(rule: str, why: str) -> RefusalView:
    """A reason without anything to point at."""
    sentence = Message("sentence", "{clause}.", clause=why)
    return {"rule": rule, "sentence": sentence, "said": sentence.data(), "marks": [], "earlier_ply": None}


def marks_of(position: Position, move: Move, refusal: Refusal) -> list[tuple[Role, list[str]]]:
    """Which squares to point at, and as what."""
    names = [str(square) for square in refusal.squares]
    match refusal.rule:
        case Rule.MOUND | Rule.BARRICADE if isinstance(move, Capture):
            ring = [str(s) for s in refusal.squares if isinstance(s, Square) and not _on_board(position, s)]
            ghost = str(move.start)
            stones = [name for name in names if name not in ring and name != ghost]
            return [
                ("from", [ghost]),
                ("to", [str(move.target)]),
                ("ghost", [ghost]),
                ("block", stones),
                ("ring", ring),
            ]
        case Rule.BLOCKED:
            return [("from", names[:1]), ("to", names[-1:]), ("fault", names[1:-1])]
        case Rule.NOT_IN_LINE | Rule.UNEQUAL_HEIGHTS:
            return [("from", names[:1]), ("to", names[1:])]
        case Rule.NO_ENEMY if isinstance(move, Capture):
            return [("from", [str(move.start)]), ("fault", names)]
        case Rule.USED_PENTOMINO:
            return [("shape", _shape(move)), ("used", names)]
        case Rule.NOT_THE_SHAPE:
            return [("shape", names)]
        case Rule.OVERLAP:
            return [("shape", _shape(move)), ("fault", names)]
        case Rule.UNSUPPORTED:
            return [("to", [str(move)]), ("missing", names)]
        case Rule.SUICIDE:
            return [("to", [str(move)]), ("dead", names)]
        case Rule.SUPERKO:
            return [("to", [str(move)]), ("changed", names)]
    return [("fault", names)]


def _on_board(position: Position, square: Square) -> bool:
    return 1 <= square.column <= position.size and 1 <= square.row <= position.size


def _shape(move: Move) -> list[str]:
    return [str(square) for square in move.squares] if isinstance(move, Paint) else []
