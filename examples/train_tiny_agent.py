"""Train a tiny agent on Petrify 4×4 by self-play, with NumPy alone, and let it play against chance.

One hidden layer gives a policy and a value; it learns by actor-critic with generalised advantages, in 64 games at
once. `python examples/train_tiny_agent.py [UPDATES]` prints its share of wins on the way; the default takes some
seconds of one core.
"""

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the matrices are small

import numpy as np
from numpy.typing import NDArray

from purlieu.core import core
from purlieu.env import batch

GAME, SIZE, ENVS, STEPS, HIDDEN = "petrify", 4, 64, 16, 128
RATE, LAMBDA, ENTROPY = 2e-3, 0.9, 0.02
UPDATES = int(sys.argv[1]) if len(sys.argv) > 1 else 400

Array = NDArray[np.float32]
chance = np.random.default_rng(1)
games = batch(GAME, SIZE, ENVS)
actions_there_are = len(games.table)
shape = core().net_shape(GAME, SIZE)
scales = np.repeat(np.array(shape.scales, np.float32), SIZE * SIZE)


def layer(inputs: int, outputs: int, size: float = 1.0) -> Array:
    """Random weights; the last row is the bias."""
    weights: Array = chance.standard_normal((inputs + 1, outputs), np.float32) * np.float32(size / inputs**0.5)
    return weights


# Policy and value come out of the hidden layer and the planes: a column for each action, and one for the value.
weights = [layer(len(scales), HIDDEN), layer(HIDDEN + len(scales), actions_there_are + 1, 0.1)]
moments = [(np.zeros_like(w), np.zeros_like(w)) for w in weights]


def with_bias(x: Array) -> Array:
    """Another column, of ones."""
    return np.concatenate([x, np.ones((len(x), 1), np.float32)], axis=1)


def look(planes: NDArray[np.uint8]) -> Array:
    """What the net sees of each game."""
    return with_bias(planes.reshape(len(planes), -1) * scales)


def think(seen: Array, mask: NDArray[np.int8]) -> tuple[Array, Array, Array]:
    """The hidden layer with the planes, a probability for each action, the value for the side to move (-1 to 1)."""
    hidden = np.concatenate([np.maximum(seen @ weights[0], 0), seen], axis=1)
    out = hidden @ weights[1]
    logits = np.where(mask, out[:, :-1], -1e9)
    odds = np.exp(logits - logits.max(1, keepdims=True))
    return hidden, odds / odds.sum(1, keepdims=True), np.tanh(out[:, -1])


def draw(odds: Array) -> NDArray[np.int64]:
    """An action for each game, by its probability; one of probability 0 is never drawn."""
    sums = odds.cumsum(1)
    drawn: NDArray[np.int64] = np.argmax(sums > sums[:, -1:] * chance.random((len(odds), 1), np.float32), axis=1)
    return drawn


def learn(update: int) -> None:
    """Play some steps with both sides, then change the weights a little."""
    turns = []
    for _ in range(STEPS):
        x, mover = look(games.planes), games.to_move.copy()
        h, p, v = think(x, games.mask)
        action = draw(p)
        games.step(action)
        turns.append((x, h, p, v, action, games.reward[np.arange(ENVS), mover], games.done.copy()))
    seen, hidden, odds, values, chosen, rewards, dones = zip(*turns, strict=True)
    following = think(look(games.planes), games.mask)[2]
    # Turns alternate, so what comes next is good for the other side.
    advantages, ahead = [np.zeros(0, np.float32)] * STEPS, np.zeros(ENVS, np.float32)
    for t in reversed(range(STEPS)):
        goes_on = ~dones[t]
        ahead = rewards[t] - goes_on * (following + LAMBDA * ahead) - values[t]
        advantages[t], following = ahead, values[t]
    x, h, p, v, advantage = map(np.concatenate, (seen, hidden, odds, values, advantages))
    taken = np.eye(actions_there_are, dtype=np.float32)[np.concatenate(chosen)]
    surprise = -np.log(p + 1e-30)
    slope = np.empty((len(x), actions_there_are + 1), np.float32)
    slope[:, :-1] = (p - taken) * (advantage / advantage.std())[:, None]
    slope[:, :-1] += ENTROPY * p * ((p * surprise).sum(1, keepdims=True) - surprise)
    slope[:, -1] = -advantage * (1 - v**2)
    below = (slope @ weights[1][:HIDDEN].T) * (h[:, :HIDDEN] > 0)
    rate = RATE * (1 - update / (UPDATES + 1))
    for w, (mean, square), gradient in zip(weights, moments, (x.T @ below, h.T @ slope), strict=True):  # Adam
        gradient /= len(x)
        mean += 0.1 * (gradient - mean)
        square += 0.01 * (gradient**2 - square)
        w -= rate * (mean / (1 - 0.9**update)) / (np.sqrt(square / (1 - 0.99**update)) + 1e-8)


def wins_against_chance(plies: int = 300) -> tuple[int, int]:
    """Games won, and played, against uniformly random moves; the agent has each seat in half of them."""
    match = batch(GAME, SIZE, ENVS)
    seat = np.arange(ENVS) % 2
    won = played = 0
    for ply in range(plies):
        agent = think(look(match.planes), match.mask)[1].argmax(1)
        match.step(np.where(match.to_move == seat, agent, match.random_actions(ply)))
        won += int((match.reward[np.arange(ENVS), seat] > 0).sum())
        played += int(match.done.sum())
    return won, played


for update in range(UPDATES + 1):
    if update:
        learn(update)
    if update % max(1, UPDATES // 5) == 0:
        won, played = wins_against_chance()
        print(f"after {update} updates ({update * STEPS * ENVS:,} turns): {won / played:.1%} of {played} games won")
