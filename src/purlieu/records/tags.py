"""The tags of a record: their names, what their values mean, and whether they agree with the game."""

from __future__ import annotations

import re
from collections.abc import Mapping

from purlieu.rules import GAMES, Ending, Message, Position, PurlieuError, Seat, game, parse
from purlieu.rules.notation import shown

from .errors import RecordError
from .texts import clean_value

STANDARD = ("Game", "Size", "Rules", "First", "Second", "Date", "Result", "Score", "Position")
"""The tags with a meaning, in the order in which they are written."""

UNKNOWN = "?"
"""What First, Second and Date say when nobody knows."""

FIRST_WINS, SECOND_WINS, DRAW, OPEN = "1-0", "0-1", "1/2-1/2", "*"
"""The results. `OPEN` says nothing: the game goes on, or nobody noted how it ended."""

MOST_TAGS = 500
"""How many tags one record may have."""

NAME = re.compile(r"[^\W\d][\w.-]*")

_STANDARD_BY_LOWER = {name.lower(): name for name in STANDARD}
_SIZE = re.compile(r"([1-9][0-9]?)(?:\s*[xX×]\s*\1)?")
_VERSION = re.compile(r"[1-9][0-9]{0,3}")
_SCORE = re.compile(r"([0-9]{1,5})\s*[-–:]\s*([0-9]{1,5})")
_ENDINGS = {
    **{"resign": Ending.RESIGNATION, "time": Ending.FLAG, "clock": Ending.FLAG, "flag": Ending.FLAG},
    **{"agree": Ending.AGREEMENT, "forfeit": Ending.FORFEIT, "infraction": Ending.FORFEIT},
    **{"unfinished": Ending.UNFINISHED, "unterminated": Ending.UNFINISHED, "abandon": Ending.UNFINISHED},
}
"""How a game ended, by a word of its Termination tag, which whoever kept the game wrote as they liked."""
_RESULTS = {result: result for result in (FIRST_WINS, SECOND_WINS, DRAW, OPEN)} | {"1/2": DRAW}


def add_tag(tags: dict[str, str], name: str, value: str) -> str | None:
    """Put one more tag among the others, its name and value in their usual form; the name it got.

    A Result or Score that says nothing (empty, or ``?``) is not kept, and None is returned.
    """
    if not NAME.fullmatch(name):
        raise RecordError(
            Message(
                "record.names_no_tag_expected",
                "{name} names no tag; expected letters, digits and _ . -",
                name=shown(name),
            ),
            expected="a tag's name",
        )
    name = _STANDARD_BY_LOWER.get(name.lower(), name)
    if name.lower() in map(str.lower, tags):
        raise RecordError(Message("record.tag_is_given_twice", "the tag {name} is given twice", name=name), tag=name)
    if len(tags) == MOST_TAGS:
        raise RecordError(
            Message("record.more_than_tags_in", "more than {most_tags} tags in one record", most_tags=MOST_TAGS),
            tag=name,
        )
    value = clean_value(value)
    if name in ("Result", "Score") and value.strip() in ("", UNKNOWN):
        return None
    tags[name] = _normal_value(name, value)
    return name


def _normal_value(name: str, value: str) -> str:
    trimmed = value.strip()
    match name:
        case "Game":
            try:
                return game(trimmed).title
            except PurlieuError as error:
                raise RecordError(error.sentence, tag=name, expected="the name of a game") from error
        case "Size":
            if found := _SIZE.fullmatch(trimmed):
                return found[1]
            raise _wrong(name, value, Message("expected.size", "the number of squares along a side, as in 8"))
        case "Rules":
            if _VERSION.fullmatch(trimmed):
                return trimmed
            raise _wrong(name, value, Message("expected.version", "the version of the rules, as in 1"))
        case "Result":
            if result := read_result(trimmed):
                return result
            raise _wrong(
                name,
                value,
                Message(
                    "expected.result",
                    "{first_wins}, {second_wins}, {draw} or {open}",
                    first_wins=FIRST_WINS,
                    second_wins=SECOND_WINS,
                    draw=DRAW,
                    open=OPEN,
                ),
            )
        case "Score":
            if found := _SCORE.fullmatch(trimmed):
                return f"{int(found[1])}-{int(found[2])}"
            raise _wrong(
                name,
                value,
                Message("expected.score", "the first seat's score and the second's, as in 29-16"),
            )
    return value


def _wrong(name: str, value: str, expected: str) -> RecordError:
    return RecordError(
        Message(
            "record.tag_says_expected",
            "the {name} tag says {value}; expected {expected}",
            name=name,
            value=shown(value),
            expected=expected,
        ),
        tag=name,
        expected=expected,
    )


def read_result(text: str) -> str | None:
    """The result that a word stands for, if it is one: ``½-½`` and ``1–0`` are read too."""
    return _RESULTS.get(text.replace("–", "-").replace("½", "1/2"))


def ending_of(termination: str) -> Ending | None:
    """What a Termination tag means, in PGN's words or a person's: ``time forfeit``, ``Ben resigned``."""
    said = termination.lower()
    ours = {ending.value: ending for ending in Ending}
    return ours.get(said) or next((ending for word, ending in _ENDINGS.items() if word in said), None)


def start_of(tags: Mapping[str, str]) -> Position:
    """The position that the tags say the game began from."""
    if "Position" in tags:
        start = _position(tags)
    elif "Game" in tags:
        size = int(tags["Size"]) if "Size" in tags else None
        try:
            start = game(tags["Game"]).start(size)
        except PurlieuError as error:
            raise RecordError(error.sentence, tag="Size", expected="a size of that game's boards") from error
    else:
        raise RecordError(
            Message("record.expected_tag_that_names", 'expected a tag that names the game, as in [Game "Petrify"]'),
            expected="a Game tag",
        )
    check_setup(tags, start)
    return start


def check_setup(tags: Mapping[str, str], start: Position) -> None:
    """Refuse tags that name another game, size, position, or version of the rules than the start has."""
    rules = GAMES[start.game]
    if tags.get("Game", rules.title) != rules.title:
        raise RecordError(
            Message(
                "record.game_tag_says_but",
                "the Game tag says {tags}, but the position is one of {title}",
                tags=tags["Game"],
                title=rules.title,
            ),
            tag="Game",
        )
    if tags.get("Size", str(start.size)) != str(start.size):
        raise RecordError(
            Message(
                "record.size_tag_says_but",
                "the Size tag says {tags}, but the board's side is {size}",
                tags=tags["Size"],
                size=start.size,
            ),
            tag="Size",
        )
    if int(tags.get("Rules", "1")) > rules.rules_version:
        known = rules.rules_version
        raise RecordError(
            Message(
                "record.rules_tag_says_but",
                "the Rules tag says {tags}, but this purlieu knows {title}'s rules up to version {known}",
                tags=tags["Rules"],
                title=rules.title,
                known=known,
            ),
            tag="Rules",
            expected=f"a version up to {known}",
        )
    if "Position" in tags and _position(tags) != start:
        raise RecordError(
            Message(
                "record.position_tag_names_another",
                "the Position tag names another position than the one the game starts from",
            ),
            tag="Position",
        )


def _position(tags: Mapping[str, str]) -> Position:
    try:
        return parse(tags["Position"])
    except PurlieuError as error:
        raise RecordError(
            Message("record.position_tag", "the Position tag: {error}", error=error),
            tag="Position",
            expected="a position",
        ) from error


def check_end(tags: Mapping[str, str], end: Position) -> None:
    """Refuse a Result or a Score that contradicts the rules' own, once the game is over by the rules."""
    decided = decided_by_rules(end)
    said = {name: tags[name] for name in decided if tags.get(name, OPEN) != OPEN}
    for name, value in said.items():
        if value != decided[name]:
            raise RecordError(
                Message(
                    "record.tag_says_but",
                    "the {name} tag says {value}, but {told}",
                    name=name,
                    value=value,
                    told=_told(name, decided),
                ),
                tag=name,
            )


def decided_by_rules(end: Position) -> dict[str, str]:
    """The Result and the Score of a finished game; nothing while it goes on."""
    outcome = end.outcome
    if outcome is None:
        return {}
    result = {Seat.FIRST: FIRST_WINS, Seat.SECOND: SECOND_WINS, None: DRAW}[outcome.winner]
    return {"Result": result, "Score": f"{outcome.by_seat[Seat.FIRST]}-{outcome.by_seat[Seat.SECOND]}"}


def _told(name: str, decided: dict[str, str]) -> str:
    if name == "Score":
        return Message("record.final_score", "the final score is {score}", score=decided["Score"])
    return {
        FIRST_WINS: Message("record.first_won", "the game was won by the first seat"),
        SECOND_WINS: Message("record.second_won", "the game was won by the second seat"),
        DRAW: Message("record.was_a_draw", "the game was a draw"),
    }[decided["Result"]]


def full_header(tags: Mapping[str, str], start: Position, end: Position) -> dict[str, str]:
    """Every tag that a written record carries, in order: the standard ones always, then all others."""
    rules = GAMES[start.game]
    header = {
        "Game": rules.title,
        "Size": str(start.size),
        "Rules": tags.get("Rules", str(rules.rules_version)),
        "First": tags.get("First", UNKNOWN),
        "Second": tags.get("Second", UNKNOWN),
        "Date": tags.get("Date", UNKNOWN),
        "Result": tags.get("Result", OPEN),
    }
    if "Score" in tags:
        header["Score"] = tags["Score"]
    header |= decided_by_rules(end)
    if start != rules.start(start.size):
        header["Position"] = start.text()
    return header | {name: value for name, value in tags.items() if name not in STANDARD}
