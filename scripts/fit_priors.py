"""Fit the weights of move priors: `python3 scripts/fit_priors.py GAME TRUST FILE…` (needs NumPy).

The files are what cpp/tools/learn_priors.cpp wrote. Writes cpp/priors/GAME_weights.h. The model says how the visits of
a long search are shared among the moves: softmax of (RAVE's early value · a + the weights of the move's features),
where a is fitted too. So weight / a is what a feature is worth beside RAVE, in wins. TRUST multiplies that.

The tables in use, fitted by this script's forerunner with a tenth of the positions held out: Petrify (sizes 6,8; 60
games of 10,000 simulations a move; trust 1.5), Pilo (6,8; 60; 8,000; 1), Pyloff (4,5,6; 36; 2,000; 1), Pentwall (10;
100; 4,000; 0.25, as RAVE's early values are noisy among so many moves, and a comes out too small).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

Array = Any
SHARPEN = 3  # Shares are raised to this power: what the best moves have in common matters, not how much was explored.
PENALTY = 1e-4
STEPS = 250
PRIORS = Path(__file__).parent.parent / "cpp" / "priors"


def main() -> None:
    """Read the data, fit, write the table."""
    game, trust, *files = sys.argv[1:]
    targets, features, values, starts, count = read(files)
    weights, scale = fit(targets, features, values, starts, count)
    table = np.clip(np.round(weights / scale * float(trust) * 65536), -32767, 32767).astype(int)
    (PRIORS / f"{game}_weights.h").write_text(header(game, table))


def read(files: list[str]) -> tuple[Array, Array, Array, Array, int]:
    """All moves of all positions: shares, features, RAVE values; where each position starts; number of features."""
    targets, features, values, lengths = [], [], [], []
    count = most = 0
    for name in files:
        data = Path(name).read_bytes()
        count, most = np.frombuffer(data, np.int32, 2)
        kind = np.dtype([("visits", np.uint32), ("rave", np.float32), ("features", np.uint16, (int(most),))])
        at = 8
        while at + 4 <= len(data):
            (length,) = np.frombuffer(data, np.int32, 1, at)
            if at + 4 + length * kind.itemsize > len(data):
                break  # The games were stopped in the middle of a position.
            moves = np.frombuffer(data, kind, length, at + 4)
            at += 4 + moves.nbytes
            share = (moves["visits"] / moves["visits"].max()) ** SHARPEN
            targets.append(share / share.sum())
            features.append(moves["features"])
            values.append(moves["rave"])
            lengths.append(length)
    starts = np.cumsum([0, *lengths])[:-1]
    return np.concatenate(targets), np.concatenate(features), np.concatenate(values), starts, int(count)


def fit(targets: Array, features: Array, values: Array, starts: Array, count: int) -> tuple[Array, float]:
    """The weights and a, by gradient descent with Adam: first a alone, which starts near to where it ends."""
    position = np.repeat(np.arange(len(starts)), np.diff([*starts, len(targets)]))
    # Features `count` fill up short rows; their weight stays 0. The last parameter is a.
    at = np.zeros(count + 2)
    at[-1] = 20
    rate = np.append(np.full(count + 1, 0.1), 1.0)
    mean, square = np.zeros_like(at), np.zeros_like(at)
    for step in range(STEPS):
        logits = at[:-1][features].sum(1) + at[-1] * values
        chances = np.exp(logits - np.maximum.reduceat(logits, starts)[position])
        chances /= np.add.reduceat(chances, starts)[position]
        error = (chances - targets) / len(starts)
        gains = np.bincount(features.ravel(), np.repeat(error, features.shape[1]), minlength=count + 2)
        slope = gains + PENALTY * at
        if step < 100:
            slope[:] = 0
        slope[-1] = error @ values
        slope[count] = 0
        mean += 0.1 * (slope - mean)
        square += 0.01 * (slope**2 - square)
        size = rate * (1 if step < 200 else 0.2)
        at -= size * mean / (1 - 0.9 ** (step + 1)) / (np.sqrt(square / (1 - 0.99 ** (step + 1))) + 1e-8)
        if step % 50 == 49:
            loss = -(targets * np.log(chances + 1e-30)).sum() / len(starts)
            print(f"step {step + 1}: {len(starts)} positions, loss {loss:.4f}, a {at[-1]:.2f}")
    return at[:count], float(at[-1])


def header(game: str, table: Array) -> str:
    """The C++ file of a table."""
    rows = [", ".join(map(str, table[i : i + 16])) for i in range(0, len(table), 16)]
    lines = "".join(f"    {row},\n" for row in rows)
    return (
        f"// Written by scripts/fit_priors.py.\n#pragma once\n\n#include <cstdint>\n\nnamespace purlieu {{\n\n"
        f"inline constexpr std::int16_t k{game.title()}Weights[{len(table)}] = {{\n{lines}}};\n\n"
        "}  // namespace purlieu\n"
    )


if __name__ == "__main__":
    main()
