"""A search that asks a net: the same again, where it looks, and what becomes of it when the net fails."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import numpy as np
import pytest

import purlieu
import purlieu.engine
from purlieu.core import core
from purlieu.engine.plan import Settings
from purlieu.engine.thinker import Limit, Line, Thinker
from purlieu.nets import shipped
from purlieu.rules import GAMES, PurlieuError


@pytest.mark.parametrize("game", GAMES)
def test_a_search_with_a_net_is_the_same_again_with_one_thread_and_a_seed(game: str) -> None:
    size = GAMES[game].default_size
    line = Line(purlieu.start(game, size).text())
    found = []
    for _ in range(2):
        report = Thinker(Settings(preset="net"), seed=5).think(line, Limit(simulations=40))
        found.append((report.best_move, report.win_chance, [(move.move, move.visits) for move in report.moves]))
    assert found[0] == found[1]


def test_a_player_plays_on_with_the_net_that_it_began_with_whatever_becomes_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "net.onnx"
    shutil.copyfile(shipped.FOLDER / "petrify.onnx", file)
    position = purlieu.start("petrify", 5).play("b2")
    engine = purlieu.engine.Engine(net=file, simulations=20, seed=1)
    before = engine.analyse(position)
    file.unlink()
    assert engine.analyse(position).win_chance == before.win_chance
    with pytest.raises(PurlieuError, match=r"net\.onnx cannot be read"):
        purlieu.engine.Engine(net=file)


def test_a_side_that_loses_looks_deeper_at_likely_moves_and_not_once_at_every_move() -> None:
    def net(planes: np.ndarray) -> tuple[np.ndarray, float, float]:
        side = planes.shape[2]
        logits = np.zeros(9 * side**2, np.float32)
        logits[::7] = 6
        pieces = int(planes[0, :2].sum())
        return logits, 0.9 if pieces % 2 else 0.1, 0.0  # who began is lost

    search = core().Search(core().Position.start("petrify", 6).play("a1").play("b2"), net=net, solver=0)
    report = search.run(simulations=100)
    assert sum(move.visits > 0 for move in report.moves) < 10


def test_a_net_that_fails_in_the_middle_ends_the_search_with_a_sentence() -> None:
    asked = 0

    def net(planes: np.ndarray) -> tuple[np.ndarray, float, float]:
        nonlocal asked
        asked += 1
        if asked > 5:
            raise ValueError("the plug was pulled")
        return np.zeros(9 * planes.shape[2] ** 2, np.float32), 0.5, 0.0

    search = core().Search(core().Position.start("petrify", 4), net=net, threads=2)
    with pytest.raises(RuntimeError, match="the plug was pulled"):
        search.run(simulations=100)
    with pytest.raises(RuntimeError, match="a net must answer with float32 logits"):
        core().Search(core().Position.start("petrify", 4), net=lambda planes: (planes, 2.0, 0.0))


def test_a_search_whose_net_fails_on_the_way_to_the_next_position_says_so_when_it_is_asked() -> None:
    fails = False

    def net(planes: np.ndarray) -> tuple[np.ndarray, float, float]:
        if fails:
            raise ValueError("the plug was pulled")
        return np.zeros(9 * planes.shape[2] ** 2, np.float32), 0.5, 0.0

    search = core().Search(core().Position.start("petrify", 6).play("c3").play("d4"), net=net)
    search.run(simulations=3)
    with pytest.raises(ValueError, match="not legal"):
        search.advance("c3")
    assert search.report().best_move, "nothing has happened"
    fails = True
    with pytest.raises(RuntimeError, match="the plug was pulled"):
        search.advance(search.position.legal_moves()[-1])
    fails = False
    for ask in (search.report, lambda: search.run(simulations=5), lambda: search.advance("a1")):
        with pytest.raises(RuntimeError, match="this search has not come to its next position"):
            ask()


def test_while_a_net_is_asked_about_the_next_position_other_threads_are_refused() -> None:
    asked, go_on = threading.Event(), threading.Event()
    slow = False

    def net(planes: np.ndarray) -> tuple[np.ndarray, float, float]:
        if slow:
            asked.set()
            assert go_on.wait(60)
        return np.zeros(9 * planes.shape[2] ** 2, np.float32), 0.5, 0.0

    search = core().Search(core().Position.start("petrify", 6).play("c3").play("d4"), net=net)
    search.run(simulations=3)
    slow = True
    thread = threading.Thread(target=search.advance, args=(search.position.legal_moves()[-1],))
    thread.start()
    assert asked.wait(60)
    for ask in (search.report, lambda: search.run(simulations=5), lambda: search.advance("a1")):
        with pytest.raises(RuntimeError, match="this search has not come to its next position"):
            ask()
    slow = False
    go_on.set()
    thread.join()
    assert search.run(simulations=5).best_move


def test_ctrl_c_while_a_net_is_asked_is_no_fault_of_the_net() -> None:
    def net(planes: np.ndarray) -> tuple[np.ndarray, float, float]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        core().Search(core().Position.start("petrify", 6), net=net)
