"""Kill the server again and again while people play, and see that nothing they were told is lost.

Each player notes every move whose answer came. After each kill the server starts anew, and everybody sends the
move in doubt once more: whether it was stored or not, the answer must be the same.
"""

from __future__ import annotations

import multiprocessing
import random
import sys
import threading
import time
from multiprocessing.process import BaseProcess
from typing import Any

import httpx

from purlieu.server.settings import Limits, Settings, database_url
from purlieu.server.store.audit import check_file, check_games
from purlieu.server.store.database import open_database, reading
from purlieu.server.store.games import load_game

SQUARES = [f"{column}{row}" for row in range(1, 11) for column in "abcdefghij"]


class Player(threading.Thread):
    """Plays a game with itself, place after place, and begins another when the board is full."""

    def __init__(self, port: int, number: int) -> None:
        super().__init__(daemon=True)
        self.http = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=10, verify=False)
        self.number = number
        self.acked: dict[str, list[str]] = {}
        self.stopping = threading.Event()
        self.wrong: list[str] = []

    def run(self) -> None:
        """Play until told to stop."""
        while not self.stopping.is_set():
            made = self.send("/api/games", {"game": "pilo", "size": 10, "seats": {"first": ME, "second": ME}})
            if made is None:
                continue
            moves = self.acked.setdefault(made["id"], [])
            for ply, square in enumerate(SQUARES, start=1):
                done = None
                while done is None and not self.stopping.is_set():
                    done = self.send(f"/api/games/{made['id']}/moves", {"ply": ply, "move": square})
                if done is None:
                    break
                moves.append(square)
                if done["state"]["moves"] != SQUARES[:ply]:
                    self.wrong.append(f"{made['id']}: at turn {ply} the game was {done['state']['moves']}")
        self.http.close()

    def send(self, path: str, body: object) -> Any:
        """The answer, or None if the server is not there just now."""
        try:
            answer = self.http.post(path, json=body)
        except httpx.HTTPError:
            time.sleep(0.02)
            return None
        if answer.status_code == 503:
            return None
        if answer.status_code not in (200, 201):
            self.wrong.append(f"{path}: {answer.status_code} {answer.text[:200]}")
            self.stopping.set()
            return None
        return answer.json()

    def count(self) -> int:
        """How many moves were acked so far."""
        return sum(map(len, list(self.acked.values())))


ME = {"kind": "me"}


def wait_for_moves(crowd: list[Player], wanted: int) -> None:
    """Until so many moves were acked in all."""
    until = time.monotonic() + 60
    while sum(map(Player.count, crowd)) < wanted:
        assert time.monotonic() < until, [player.wrong for player in crowd]
        time.sleep(0.002)


def serve(database: str, port: int) -> None:
    """What the server's process runs."""
    from purlieu.server.http.run import Server, config_of

    limits = Limits(new_games=(10**6, 1.0), requests=(10**6, 1.0), open_games=10**6)
    Server(config_of(Settings(database=database, port=port, limits=limits))).run()


def start_server(database: str, port: int) -> BaseProcess:
    """A server in a process of its own, ready. It is forked from one that has imported everything, to be quick."""
    forks = multiprocessing.get_context("forkserver")
    forks.set_forkserver_preload(["purlieu.server.http.run"])
    server = forks.Process(target=serve, args=(database, port))
    server.start()
    until = time.monotonic() + 60
    while time.monotonic() < until and server.is_alive():
        try:
            if httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=5, verify=False).status_code == 200:
                return server
        except httpx.HTTPError:
            time.sleep(0.02)
    raise AssertionError(f"the server did not start (exit code {server.exitcode})")


def kill_loop(database: str, port: int, kills: int, players: int, seed: int = 1) -> tuple[int, list[str]]:
    """How many moves were acked over so many kills, and everything that was wrong."""
    chance = random.Random(seed)
    crowd = [Player(port, number) for number in range(players)]
    server = start_server(database, port)
    try:
        for player in crowd:
            player.start()
        for _ in range(kills):
            wait_for_moves(crowd, sum(map(Player.count, crowd)) + chance.randint(10, 40))
            server.kill()
            server.join()
            server = start_server(database, port)
    finally:
        for player in crowd:
            player.stopping.set()
        for player in crowd:
            player.join(timeout=30)
        server.terminate()
        server.join(timeout=20)
    return audit(database, crowd)


def audit(database: str, crowd: list[Player]) -> tuple[int, list[str]]:
    """Acked is stored, nothing twice, no gaps, all legal, and every log adds up to its row."""
    wrong = [fault for player in crowd for fault in player.wrong]
    acked = 0
    opened = open_database(database_url(database))
    try:
        if fault := check_file(opened):
            wrong.append(fault)
        wrong += [f"{game_id}: {fault}" for game_id, fault in check_games(opened) if fault]
        for player in crowd:
            for game_id, moves in player.acked.items():
                acked += len(moves)
                with reading(opened) as connection:
                    game = load_game(connection, game_id)
                stored = [turn.move for turn in game.turns] if game else []
                if stored[: len(moves)] != moves or len(stored) > len(moves) + 1:
                    wrong.append(f"{game_id}: acked {len(moves)} moves, stored {len(stored)}")
    finally:
        opened.close()
    return acked, wrong


def main() -> None:
    """``python -m tests.server.kill_loop DATABASE KILLS``: the long tier, by hand."""
    database, kills = sys.argv[1], int(sys.argv[2])
    acked, wrong = kill_loop(database, free_port(), kills, players=20)
    sys.stdout.write(f"{kills} kills, {acked} moves acked, {len(wrong)} wrong\n" + "".join(f"{w}\n" for w in wrong))


def free_port() -> int:
    """A port that nobody listens on."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


if __name__ == "__main__":
    main()
