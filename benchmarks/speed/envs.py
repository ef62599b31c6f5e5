"""Steps a second of our environments, beside PettingZoo's and OpenSpiel's games, all in one run.

`python -m benchmarks.speed.envs [--rounds N] [--seconds S] [--envs N] [--scaling]`. Every player draws uniformly among
the legal actions, and a step gives what an agent would learn from: observation, mask, rewards; games that end begin
anew. Rounds go through all rows in turn, so that a busy machine is busy for all of them; steps a second of processor
time, of all threads together, hardly depend on that. PettingZoo's own games need pygame, OpenSpiel's open_spiel; a row
whose package is not there is left out, with a sentence.

With `--scaling` only our batches run, on 1, 2, 4 … threads up to the number of cores. Beside the speed stands how many
cores the threads were given, by processor time over the clock: on a busy machine that, and not the batch, is the limit.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
import warnings
from collections.abc import Callable
from functools import partial
from importlib import import_module
from itertools import count
from random import Random
from typing import Any

import numpy as np

from benchmarks.common import machine
from purlieu.core import core_name
from purlieu.env import aec, batch

BOARDS = [("petrify", 4), ("petrify", 8), ("pilo", 8), ("pentwall", 10), ("pyloff", 6)]
OPENSPIEL = ["connect_four", "go(board_size=9)", "othello", "breakthrough", "hex(board_size=9)"]
PETTINGZOO: dict[str, dict[str, int]] = {"connect_four_v3": {}, "go_v5": {"board_size": 9}}

Run = Callable[[float], int]
"""Steps for about so many seconds, and gives their number."""


def batch_run(game: str, size: int, envs: int, threads: int, planes: bool) -> Run:
    """Our batch. Drawing the actions, which is not the environment's work, is inside the time too."""
    games = batch(game, size, envs, threads=threads, planes=planes)
    seeds = count(1)

    def run(seconds: float) -> int:
        end, steps = time.perf_counter() + seconds, 0
        while time.perf_counter() < end:
            games.step(games.random_actions(next(seeds)))
            steps += envs
        return steps

    return run


def aec_run(env: Any) -> Run:
    """An environment of PettingZoo's kind, ours or theirs."""
    random = Random(1)
    env.reset(seed=1)

    def run(seconds: float) -> int:
        end, steps = time.perf_counter() + seconds, 0
        while time.perf_counter() < end:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                continue
            env.step(random.choice(np.flatnonzero(observation["action_mask"])))
            steps += 1
        return steps

    return run


def our_aec_run(game: str, size: int) -> Run:
    """One of our environments of that kind."""
    return aec_run(aec(game, size))


def openspiel_run(name: str) -> Run:
    """A game of OpenSpiel, driven from Python as its examples do: legal actions, observation tensor, apply."""
    import pyspiel

    game = pyspiel.load_game(name)
    random = Random(1)

    def run(seconds: float) -> int:
        end, steps = time.perf_counter() + seconds, 0
        state = game.new_initial_state()
        while time.perf_counter() < end:
            if state.is_terminal():
                state.returns()
                state = game.new_initial_state()
            state.observation_tensor()
            state.apply_action(random.choice(state.legal_actions()))
            steps += 1
        return steps

    return run


def pettingzoo_run(name: str, options: dict[str, int]) -> Run:
    """A game of PettingZoo's own."""
    return aec_run(import_module(f"pettingzoo.classic.{name}").env(**options))


def rows(envs: int) -> list[tuple[str, Callable[[], Run]]]:
    """What is measured, and how to set it up."""
    threads = os.cpu_count() or 1
    found: list[tuple[str, Callable[[], Run]]] = []
    for game, size in BOARDS:
        title = f"{game} {size}"
        found.append((f"{title}, batch of {envs}, 1 thread", partial(batch_run, game, size, envs, 1, True)))
        found.append((f"{title}, the same without planes", partial(batch_run, game, size, envs, 1, False)))
        if threads > 1:
            found.append((f"{title}, {threads} threads", partial(batch_run, game, size, envs, threads, True)))
            found.append(
                (f"{title}, {threads} threads, no planes", partial(batch_run, game, size, envs, threads, False))
            )
        found.append((f"{title}, PettingZoo AEC", partial(our_aec_run, game, size)))
    found += [(f"PettingZoo's {name}", partial(pettingzoo_run, name, options)) for name, options in PETTINGZOO.items()]
    found += [(f"OpenSpiel's {name}", partial(openspiel_run, name)) for name in OPENSPIEL]
    return found


def scaling(envs: int, rounds: int, seconds: float) -> None:
    """Print what threads bring: each board's batches of 1, 2, 4 … threads in turn, medians of the rounds."""
    cores = os.cpu_count() or 1
    numbers = sorted({min(2**power, cores) for power in range(cores.bit_length() + 1)})
    print("| environment | threads | steps/s by the clock | times 1 thread | cores given | steps/s of processor time |")
    print("| --- " * 6 + "|")
    for game, size in BOARDS:
        runs = {threads: batch_run(game, size, envs, threads, True) for threads in numbers}
        found: dict[int, list[tuple[float, float, float]]] = {threads: [] for threads in numbers}
        for _ in range(rounds):
            for threads, run in runs.items():
                wall, processor = time.perf_counter(), time.process_time()
                steps = run(seconds)
                wall, processor = time.perf_counter() - wall, time.process_time() - processor
                found[threads].append((steps / wall, processor / wall, steps / processor))
        medians = {
            threads: [statistics.median(column) for column in zip(*each, strict=True)]
            for threads, each in found.items()
        }
        for threads, (by_clock, given, by_processor) in medians.items():
            times = by_clock / medians[1][0]
            row = f"{by_clock:,.0f} | {times:.2f} | {given:.2f} | {by_processor:,.0f}"
            print(f"| {game} {size}, batch of {envs} | {threads} | {row} |", flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.5, help="for each row and round")
    parser.add_argument("--envs", type=int, default=1024)
    parser.add_argument("--scaling", action="store_true", help="only our batches, on 1, 2, 4 … threads")
    asked = parser.parse_args()
    if asked.scaling:
        print(f"{machine()}; {core_name()}; {asked.rounds} rounds of {asked.seconds} s\n")
        scaling(asked.envs, asked.rounds, asked.seconds)
        return
    warnings.simplefilter("ignore")  # PettingZoo's games warn of how they are made.
    runs: dict[str, Run] = {}
    for title, make in rows(asked.envs):
        try:
            runs[title] = make()
        except ImportError as error:
            print(f"{title} is left out: {error}\n")
    speeds: dict[str, list[tuple[float, float]]] = {title: [] for title in runs}
    for run in runs.values():
        run(0.05)  # Caches, and what is made only once.
    for _ in range(asked.rounds):
        for title, run in runs.items():
            wall, processor = time.perf_counter(), time.process_time()
            steps = run(asked.seconds)
            speeds[title].append((steps / (time.perf_counter() - wall), steps / (time.process_time() - processor)))
    print(f"{machine()}; {core_name()}; {asked.rounds} rounds of {asked.seconds} s\n")
    print("| environment | steps/s by the clock | least | most | steps/s of processor time | least | most |")
    print("| --- " * 7 + "|")
    for title, each in speeds.items():
        columns = [f(of) for of in zip(*each, strict=True) for f in (statistics.median, min, max)]
        print(f"| {title} | {' | '.join(f'{column:,.0f}' for column in columns)} |")


if __name__ == "__main__":
    main()
