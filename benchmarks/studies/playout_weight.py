"""How much playouts should count beside a net, late in a game.

    python -m benchmarks.studies.playout_weight MATCH.jsonl…

Takes matches of ``purlieu arena`` with nets. At every fifth position of their games the net is asked at first sight,
and playouts are made; then a logistic regression finds what factors of the two's log odds tell the result best. A row
for each part of the empty squares that are left. Less is better in the columns of log loss; *net* is the net as it is.
The factor of the playouts is what `playout_weight` (`cpp/search/leaf_playouts.h`) is a fit to.
"""

from __future__ import annotations

import argparse
import json
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.common import machine
from purlieu.arena.games import WINS
from purlieu.arena.store import GameLine, read_game
from purlieu.core import core
from purlieu.nets import Net, net_for

EVERY = 5
PLAYOUTS = 64
PARTS = (0.0, 0.08, 0.16, 0.26, 0.4, 0.6, 1.01)
FEWEST = 60
"""Positions for a row."""
RIDGE = 1e-3
Row = tuple[float, float, float, float]
"""The part of the squares that is empty, the net's chance and the playouts' for the first seat, and its result."""


def rows_of(game: str, size: int, line: GameLine, net: Net) -> list[Row]:
    """What net and playouts say of positions of a game."""
    position = core().Position.start(game, size)
    result = float(line.played.result == WINS[0])
    found = []
    for at, move in enumerate(line.played.moves):
        position = position.play(move)
        if at < line.opening or at % EVERY or position.is_over:
            continue
        legal = position.legal_moves()
        if "pass" in legal or "swap" in legal:
            continue
        judged = net.judge(position).win_chance
        totals = position.playouts(games=PLAYOUTS, seed=at + 1)
        played = (totals.first_wins + 0.5 * totals.draws + 0.5) / (totals.games + 1)
        empty = sum("x" not in each for each in legal) / size**2
        found.append((empty, judged if position.to_move == "first" else 1 - judged, played, result))
    return found


def log_odds(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of chances that are never quite 0 or 1."""
    kept = np.clip(chances, 0.001, 0.999)
    return np.asarray(np.log(kept / (1 - kept)))


def fit(inputs: NDArray[np.float64], results: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """The factors of a logistic regression without a constant, by Newton's method, and its log loss."""
    factors = np.zeros(inputs.shape[1])
    for _ in range(50):
        chances = 1 / (1 + np.exp(-inputs @ factors))
        gradient = inputs.T @ (chances - results) + RIDGE * factors
        curvature = (inputs * (chances * (1 - chances))[:, None]).T @ inputs + RIDGE * np.eye(len(factors))
        factors -= np.linalg.solve(curvature, gradient)
    return factors, log_loss(1 / (1 + np.exp(-inputs @ factors)), results)


def log_loss(chances: NDArray[np.float64], results: NDArray[np.float64]) -> float:
    """The mean surprise."""
    kept = np.clip(chances, 1e-4, 1 - 1e-4)
    return float(-np.mean(results * np.log(kept) + (1 - results) * np.log(1 - kept)))


def main() -> None:
    """Print a table for each match."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("match", nargs="+", type=Path)
    paths = parser.parse_args().match
    print(f"{machine()}; {PLAYOUTS} playouts a position")
    for path in paths:
        try:
            head, *lines = map(json.loads, path.read_text().splitlines())
            game, size = head["match"]["game"], head["match"]["size"]
            games = [read_game(line) for line in lines]
        except (OSError, ValueError, KeyError, TypeError):
            parser.error(f"{path} is no match of the arena")
        net = net_for(game)
        if net is None:
            parser.error(f"there is no net for {game} here")
        rows = [row for line in games if line.played.result in WINS for row in rows_of(game, size, line, net)]
        print(f"\n{game} {size}, {len(games)} games\n")
        print("| empty | positions | factor of the net | of the playouts | log loss: net | playouts | both |")
        print("| --- " * 7 + "|")
        for low, high in pairwise(PARTS):
            part = np.array([row for row in rows if low <= row[0] < high])
            if len(part) < FEWEST:
                continue
            judged, played, result = part[:, 1], part[:, 2], part[:, 3]
            factors, both = fit(np.stack([log_odds(judged), log_odds(played)], 1), result)
            losses = f"{log_loss(judged, result):.3f} | {log_loss(played, result):.3f} | {both:.3f}"
            span = f"{100 * low:.0f} to {100 * min(high, 1):.0f} %"
            print(f"| {span} | {len(part)} | {factors[0]:.2f} | {factors[1]:.2f} | {losses} |", flush=True)


if __name__ == "__main__":
    main()
