"""How games ended: a kind, a code and values, where a sentence stood."""

import json
import re
from collections.abc import Callable
from typing import Any

from alembic import op
from sqlalchemy import text

revision = "0003"
down_revision = "0002"

Found = tuple[str, str, Callable[[re.Match[str]], dict[str, Any]]]


def side(found: re.Match[str]) -> dict[str, Any]:
    """Which colour the sentence is about."""
    return {"colour": found[1].lower()}


def sizes(found: re.Match[str]) -> dict[str, Any]:
    """Which territories were compared, and their sizes."""
    place = {"": 1, "second ": 2, "third ": 3}.get(found[2]) or int(re.sub(r"\D", "", found[2]))
    return {**side(found), "larger": int(found[3]), "smaller": int(found[4]), "place": place}


def seat(found: re.Match[str]) -> dict[str, Any]:
    """Which seat the sentence is about."""
    return {"seat": found[1]}


def nothing(found: re.Match[str]) -> dict[str, Any]:
    """No values."""
    return {}


SENTENCES: dict[str, Found] = {
    r"(\w+) has the higher score": ("score", "end.points", side),
    r"(\w+) has the larger total of territory": ("score", "end.territory", side),
    r"(\w+) has more marbles on the board": ("score", "end.marbles", side),
    r"the totals are equal and (\w+) made the last board play": ("tie rule", "end.last_play", side),
    r"the totals are equal and (\w+)'s ()largest territory is larger: (\d+) against (\d+)": (
        "tie rule",
        "end.largest",
        sizes,
    ),
    r"the totals are equal and (\w+)'s (second )largest territory is larger: (\d+) against (\d+)": (
        "tie rule",
        "end.second",
        sizes,
    ),
    r"the totals are equal and (\w+)'s (third )largest territory is larger: (\d+) against (\d+)": (
        "tie rule",
        "end.third",
        sizes,
    ),
    r"the totals are equal and (\w+)'s (\d+th )largest territory is larger: (\d+) against (\d+)": (
        "tie rule",
        "end.nth",
        sizes,
    ),
    r"the totals and all territory sizes are equal": ("draw", "end.same_territories", nothing),
    r"both have the same number of marbles on the board": ("draw", "end.same_marbles", nothing),
    r"the (\w+) seat resigned": ("resignation", "end.resigned", seat),
    r"the (\w+) seat ran out of time": ("flag", "end.out_of_time", seat),
    r"the (\w+) seat has left the game": ("claim", "end.left", seat),
    r"both sides agreed to a draw": ("agreement", "end.agreed", nothing),
    r"the game was called off: it lay untouched, .*": ("called off", "end.lay_untouched", nothing),
    r"the game was called off": ("called off", "end.called_off", nothing),
    r"unfinished: a game here ends after (\d+) turns": (
        "unfinished",
        "end.too_long",
        lambda found: {"plies": int(found[1])},
    ),
}


def ending_of(sentence: str) -> dict[str, Any]:
    """What a stored sentence says, as data; one that is unknown is kept as it is."""
    for pattern, (kind, code, values) in SENTENCES.items():
        if found := re.fullmatch(pattern, sentence):
            return {"kind": kind, "code": code, "values": values(found)}
    return {"kind": "unfinished", "code": "end.other", "values": {"text": sentence}}


BATCH = 1000
GAMES = "SELECT id, ending FROM game WHERE ending IS NOT NULL AND id > :game ORDER BY id LIMIT :most"
EVENTS = (
    "SELECT game_id, v, data FROM event WHERE (game_id, v) > (:game, :v) AND data LIKE '%\"reason\"%' "
    "ORDER BY game_id, v LIMIT :most"
)


def upgrade() -> None:
    """Rename the column, and say each end anew in the game's row and in the event that ended it."""
    connection = op.get_bind()
    op.execute("ALTER TABLE game RENAME COLUMN end_reason TO ending")
    at: dict[str, Any] = {"game": "", "v": 0, "most": BATCH}
    while rows := connection.execute(text(GAMES), at).all():
        kinds = [{"game": game, "kind": ending_of(sentence)["kind"]} for game, sentence in rows]
        connection.execute(text("UPDATE game SET ending = :kind WHERE id = :game"), kinds)
        at["game"] = rows[-1].id
    at["game"] = ""
    while rows := connection.execute(text(EVENTS), at).all():
        found = [{"game": game, "v": v, "data": rewritten(stored)} for game, v, stored in rows]
        connection.execute(text("UPDATE event SET data = :data WHERE game_id = :game AND v = :v"), found)
        at |= {"game": rows[-1].game_id, "v": rows[-1].v}


def rewritten(stored: str) -> str:
    """An event's data with the end as data, if it has one."""
    data = json.loads(stored)
    if "reason" in data:
        data["ending"] = ending_of(data.pop("reason"))
    return json.dumps(data, separators=(",", ":"))
