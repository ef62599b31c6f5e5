"""A bot in ten lines: it plays a game against the computer on a running server (`purlieu serve`), by any legal moves.

python examples/bot.py http://localhost:8000
"""

import json
import random
import sys
import time
import urllib.request
from typing import Any


def call(url: str, body: object = None, token: str = "") -> Any:
    """One request of the HTTP API; with a body it is a POST."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url, data, headers)) as answer:
        return json.load(answer)


def play(server: str) -> Any:
    """A whole game; how it ended."""
    token = call(f"{server}/api/session", {"bearer": True})["token"]
    seats = {"first": {"kind": "me"}, "second": {"kind": "computer", "level": 1}}
    game = call(f"{server}/api/games", {"game": "petrify", "size": 5, "seats": seats}, token)["id"]
    while (state := call(f"{server}/api/games/{game}"))["status"] == "active":
        if state["view"]["to_move"] == "first":
            move = {"ply": len(state["moves"]) + 1, "move": random.choice(state["view"]["legal"])}
            call(f"{server}/api/games/{game}/moves", move, token)
        time.sleep(0.05)
    return state["result"]


print(play(sys.argv[1]) if len(sys.argv) > 1 else __doc__)
