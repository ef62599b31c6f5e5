"""The nets that we ship, files that are none, and what a search makes of a net."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import purlieu
from purlieu.arena.control import Clock
from purlieu.arena.players import parse_player
from purlieu.core import core
from purlieu.engine import LEVELS, Engine
from purlieu.engine.plan import Settings, plan_of
from purlieu.engine.thinker import Limit, Line, Thinker
from purlieu.nets import Shape, load, net_for, shipped
from purlieu.rules import GAMES, PurlieuError
from purlieu.terminal.opinions import owner_lines

from .conftest import refusal

RUNS = Path(__file__).parents[2] / "runs"
SERVED = [(game, size) for game, entry in shipped.manifest().items() for size in entry.sizes]


def test_every_game_has_a_net_of_at_most_4_megabytes_that_is_the_file_the_manifest_names() -> None:
    assert set(shipped.manifest()) == set(GAMES)
    for game, entry in shipped.manifest().items():
        data = (shipped.FOLDER / entry.file).read_bytes()
        assert len(data) <= 4_000_000
        assert hashlib.sha256(data).hexdigest() == entry.sha256
        net = net_for(game)
        assert net is not None
        assert net.game == game


@pytest.mark.parametrize("game", GAMES)
def test_a_net_judges_every_size_of_its_game_in_the_words_of_the_rules(game: str) -> None:
    net = net_for(game)
    assert net is not None
    for size in {GAMES[game].sizes[0], GAMES[game].default_size, GAMES[game].sizes[-1]}:
        position = purlieu.start(game, size)
        position = position.play(position.legal_moves()[0])
        sight = net.judge(core().Position.parse(position.text()))
        assert 0 <= sight.win_chance <= 1
        assert sight.deviation > 0
        on_board = {str(move) for move in position.legal_moves()} - {"swap", "pass"}
        assert set(sight.policy) == on_board
        assert sum(sight.policy.values()) == pytest.approx(1, abs=1e-3)
        squares = size**2 + ((size - 1) ** 2 if game == "pyloff" else 0)
        assert len(sight.owners) == squares
        assert all(-1 <= lead <= 1 for lead in sight.owners.values())


def test_a_decided_board_is_judged_so() -> None:
    net = net_for("petrify")
    assert net is not None
    won, lost = (
        net.judge(core().Position.parse(f"petrify {board} blue=first passes=0 last={last}"))
        for board, last in (
            ("bob5/bo######/##b#o#ob/bbo#o#oo/b#ob###o/b##o#1#o/b#bbb##b/1#o#oboo ply=82", "second"),
            ("oboo1o#o/1###bb#o/oo#b#bob/bo#1bb##/#b##b#oo/bo#1oo#1/bbb####o/b#b1oobb ply=79", "first"),
        )
    )  # by 33 points and by 34, proved in tests/data/endgames
    assert won.win_chance > 0.9
    assert won.margin > 10
    assert sum(won.owners.values()) > 10
    assert lost.win_chance < 0.1
    assert lost.margin < -10
    assert sum(lost.owners.values()) < -10


def test_a_file_that_is_no_net_gets_a_sentence(copy: Path, tmp_path: Path) -> None:
    data = copy.read_bytes()
    copy.write_bytes(data[: len(data) // 2])
    assert refusal(copy) == "mine.onnx is no ONNX file, or it is damaged"
    copy.write_bytes(b"")
    assert "mine.onnx" in refusal(copy)
    copy.write_bytes(b"\0" * 64_000_001)
    assert refusal(copy) == "mine.onnx is no net of ours: it has more than 64 MB"
    assert refusal(tmp_path / "none.onnx") == "the net none.onnx cannot be read: No such file or directory"


def test_a_net_with_other_operators_is_not_run(copy: Path) -> None:
    loop = helper.make_node("If", ["x"], ["y"], then_branch=_branch("a"), else_branch=_branch("b"))
    inputs = [helper.make_tensor_value_info("x", TensorProto.BOOL, [])]
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, [])]
    graph = helper.make_graph([loop], "strange", inputs, outputs)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), copy)
    assert refusal(copy) == "mine.onnx is no net of ours: it uses If"


@pytest.mark.parametrize("operator", ["QLinearConv", "QLinearAdd", "QuantizeLinear", "Conv"])
def test_operators_that_are_not_of_onnx_itself_are_not_run(copy: Path, operator: str) -> None:
    model = onnx.load(copy)
    model.graph.node[0].op_type, model.graph.node[0].domain = operator, "com.microsoft"
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    onnx.save(model, copy)
    known = operator in ("QuantizeLinear", "Conv")
    assert refusal(copy) == f"mine.onnx is no net of ours: it uses {'operators of its own' if known else operator}"


def _branch(name: str) -> onnx.GraphProto:
    value = helper.make_tensor(f"{name} value", TensorProto.FLOAT, [], [1.0])
    constant = helper.make_node("Constant", [], [name], value=value)
    return helper.make_graph([constant], name, [], [helper.make_tensor_value_info(name, TensorProto.FLOAT, [])])


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("planes", "0000000000000000", "was made for another version of purlieu: it sees petrify differently"),
        ("game", "chess", "does not say which game it is for"),
        ("rules_version", "7", "learned other rules of Petrify than this purlieu plays"),
        ("sizes", "all", "does not say on which sizes it learned"),
        ("sizes", '"468"', "does not say on which sizes it learned"),
        ("sizes", "{}", "does not say on which sizes it learned"),
        ("sizes", "[]", "does not say on which sizes it learned"),
        (
            "sizes",
            "[4, 99]",
            "says that it learned on a board that there is not: "
            "Petrify is played on 3×3 to 10×10; 99 is not such a size",
        ),
    ],
)
def test_a_net_that_says_something_else_of_itself_is_not_asked(copy: Path, key: str, value: str, why: str) -> None:
    model = onnx.load(copy)
    for entry in model.metadata_props:
        if entry.key == key:
            entry.value = value
    onnx.save(model, copy)
    assert refusal(copy) == f"mine.onnx {why}"


def test_a_net_that_answers_with_no_numbers_is_refused_when_it_is_loaded(copy: Path) -> None:
    model = onnx.load(copy)
    for tensor in model.graph.initializer:
        if tensor.name == "value_out.bias":
            tensor.CopyFrom(numpy_helper.from_array(np.full(3, np.nan, np.float32), tensor.name))
    onnx.save(model, copy)
    assert refusal(copy) == (
        "the net mine.onnx cannot be played with: its answer to an empty board has something else than finite numbers"
    )


def overflow_once_there_are_pieces(path: Path) -> None:
    """Add to the score what is 0 on planes of zeros, and infinite on all others."""
    model = onnx.load(path)
    (score,) = (node for node in model.graph.node if node.output[0] == "score")
    score.output[0] = "score before"
    model.graph.initializer.append(numpy_helper.from_array(np.array(3e38, np.float32), "large"))
    model.graph.node.extend(
        [
            helper.make_node("ReduceMean", ["planes"], ["mean"], axes=[1, 2, 3], keepdims=0),
            helper.make_node("Mul", ["mean", "large"], ["more"]),
            helper.make_node("Mul", ["more", "large"], ["most"]),
            helper.make_node("Add", ["score before", "most"], ["score"]),
        ]
    )
    onnx.save(model, path)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_net_that_later_answers_with_no_numbers_ends_the_search_with_a_sentence(copy: Path, threads: int) -> None:
    overflow_once_there_are_pieces(copy)
    line = Line(purlieu.start("petrify", 5).text(), ("a1", "b2"))
    thinker = Thinker(Settings(preset="net", net=str(copy), threads=threads))
    for _ in range(2):
        with pytest.raises(
            PurlieuError, match=r"the net mine.onnx cannot be played with: .* petrify .* one after it has .* finite"
        ):
            thinker.move(line, Limit(simulations=50))
    with pytest.raises(PurlieuError, match=r"mine.onnx cannot be played with: its answer to petrify .* finite numbers"):
        thinker.sight(line)
    with pytest.raises(PurlieuError, match=r"mine.onnx cannot be played with"):
        Thinker(Settings(LEVELS[1], net=str(copy))).move(line)


def test_a_fault_of_who_listens_to_a_search_is_not_the_nets() -> None:
    def listen(_: object) -> None:
        raise RuntimeError("the listener fell asleep")

    line = Line(purlieu.start("petrify", 5).text(), ("a1", "b2"))
    with pytest.raises(RuntimeError, match="fell asleep"):
        Thinker(Settings(preset="net")).think(line, Limit(seconds=5), listen)


def test_a_damaged_net_of_ours_is_said_in_the_log_and_playouts_play_on(
    copy: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    data = bytearray(copy.read_bytes())
    data[-1] ^= 1
    (copy.parent / "petrify.onnx").write_bytes(data)
    monkeypatch.setattr(shipped, "FOLDER", copy.parent)
    shipped.net_for.cache_clear()
    try:
        with caplog.at_level(logging.WARNING):
            assert net_for("petrify") is None
        assert "petrify.onnx is damaged" in caplog.text
        position = purlieu.start("petrify", 8).play("d4")
        assert Engine(9, seed=1).best_move(position, simulations=50) in position.legal_moves()
        assert Engine(9, seed=1).analyse(position, simulations=50).owners is None
    finally:
        shipped.net_for.cache_clear()


@pytest.mark.parametrize("text", [None, "{", '{"petrify": {}}', "[]"])
def test_where_the_list_of_nets_is_damaged_the_log_says_so_and_playouts_play_on(
    text: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    damaged = tmp_path / "nets.json"
    if text is not None:
        damaged.write_text(text)
    monkeypatch.setattr(shipped, "MANIFEST", damaged)
    for cached in (shipped.manifest, shipped.net_for):
        cached.cache_clear()
    try:
        position = purlieu.start("petrify", 8).play("d4")
        with caplog.at_level(logging.WARNING):
            assert Engine(1, seed=1).best_move(position) in position.legal_moves()
        assert f"the list of nets {damaged} cannot be read" in caplog.text
    finally:
        for cached in (shipped.manifest, shipped.net_for):
            cached.cache_clear()


def test_without_what_runs_nets_playouts_play_on_and_the_log_says_why_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    shipped.net_for.cache_clear()
    load.cache_clear()
    try:
        position = purlieu.start("petrify", 8).play("d4")
        with caplog.at_level(logging.INFO):
            for _ in range(2):
                assert Engine(9, seed=1).best_move(position, simulations=50) in position.legal_moves()
        assert [record.getMessage() for record in caplog.records] == [
            "without onnxruntime the search by playouts plays petrify; pip install 'purlieu[net]' brings nets"
        ]
        with pytest.raises(PurlieuError, match=r"pip install 'purlieu\[net\]'"):
            load(shipped.FOLDER / "petrify.onnx")
    finally:
        shipped.net_for.cache_clear()


@pytest.mark.parametrize("error", ["ImportError", "OSError"])
def test_with_a_broken_onnxruntime_playouts_play_on_and_one_sentence_says_why(tmp_path: Path, error: str) -> None:
    (tmp_path / "onnxruntime").mkdir()
    (tmp_path / "onnxruntime" / "__init__.py").write_text(f"raise {error}('libgone.so: cannot open\\nand more')")
    script = """
import purlieu
from purlieu.engine import Engine
from purlieu.nets import load, shipped
from purlieu.rules import PurlieuError
position = purlieu.start("petrify", 6).play("c3")
engine = Engine(level=3, seed=1)
print(engine.best_move(position) in position.legal_moves(), engine.analyse(position).owners)
try:
    load(shipped.FOLDER / "petrify.onnx")
except PurlieuError as error:
    print(error)
"""
    run = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    why = (
        "what runs nets cannot be loaded (libgone.so: cannot open); "
        "pip install --force-reinstall onnx onnxruntime may mend it"
    )
    assert run.stdout.splitlines() == ["True None", why]
    assert run.stderr.splitlines() == [f"{why}; the search by playouts plays instead"]


@pytest.mark.parametrize(("game", "size"), SERVED)
def test_every_level_plays_with_the_net_where_the_net_won_its_match(game: str, size: int) -> None:
    for level in LEVELS.values():
        plan = plan_of(Settings(level), game, size)
        assert plan.net is net_for(game) or (plan.work and plan.work.by == "playouts")
        assert plan_of(Settings(level, preset="full"), game, size).net is None


def test_elsewhere_the_top_level_searches_by_playouts() -> None:
    assert ("petrify", 3) not in SERVED
    assert plan_of(Settings(LEVELS[9]), "petrify", 3).net is None


def test_no_level_below_the_top_plays_with_a_net_that_might_beat_the_top() -> None:
    for game, entry in shipped.manifest().items():
        for size in set(GAMES[game].sizes) - set(entry.sizes):
            assert all(plan_of(Settings(LEVELS[level]), game, size).net is None for level in range(1, 9))


@pytest.mark.parametrize("level", [3, 8, 9])
def test_an_engine_plays_with_the_net_that_it_is_given_on_every_size(level: int) -> None:
    position = purlieu.start("petrify", 4).play("b2").play("c3")
    file = RUNS / "petrify" / "net.onnx"
    given, usual = (Engine(level, net=net, simulations=30, seed=1) for net in (file, None))
    sight = load(file).judge(core().Position.parse(position.text()))
    found = given.analyse(position)
    assert (found.policy, found.owners) == (sight.policy, sight.owners)
    assert usual.analyse(position).policy != sight.policy
    work, by_playouts = given.work(position), usual.work(position)
    assert work != by_playouts or level == 9
    assert found.win_chance != usual.analyse(position).win_chance
    assert given.best_move(position) == Engine(level, net=str(file), simulations=30, seed=1).best_move(position)


def test_a_net_that_was_trained_on_is_played_as_it_is_now_and_one_that_was_not_is_read_once(tmp_path: Path) -> None:
    file, new = tmp_path / "net.onnx", tmp_path / "new.onnx"
    shutil.copyfile(RUNS / "petrify" / "net.onnx", file)
    shutil.copyfile(shipped.FOLDER / "petrify.onnx", new)
    first = load(file)
    assert load(str(file)) is first
    os.replace(new, file)
    second = load(file)
    for net, path in ((first, RUNS / "petrify" / "net.onnx"), (second, shipped.FOLDER / "petrify.onnx")):
        assert net.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    planes = core().Position.start("petrify", 5).play("b2").planes()[None].astype(np.float32)
    assert first.ask(planes)[1:] != second.ask(planes)[1:]
    file.unlink()
    with pytest.raises(PurlieuError, match=r"net\.onnx cannot be read: No such file or directory"):
        load(file)


@pytest.mark.parametrize(
    ("net", "sentence"),
    [
        ("nowhere.onnx", "the net nowhere.onnx cannot be read: No such file or directory"),
        (__file__, "test_nets.py is no ONNX file, or it is damaged"),
        (3, "net is 3; expected a file such as 'run/net.onnx'"),
    ],
)
def test_a_file_that_is_no_net_is_refused_when_a_player_is_made(net: Any, sentence: str) -> None:
    with pytest.raises(PurlieuError) as refused:
        Engine(net=net)
    assert str(refused.value) == sentence


def test_a_player_with_a_net_refuses_a_position_of_another_game() -> None:
    with pytest.raises(PurlieuError, match=r"net\.onnx is a net of pilo, not of petrify"):
        Engine(net=RUNS / "pilo" / "net.onnx").best_move(purlieu.start("petrify", 4))


@pytest.mark.parametrize(("game", "size"), [("petrify", 50), ("pentwall", 8), ("zz", 5), ("pilo", "x")])
def test_what_a_net_sees_of_a_board_that_there_is_not_is_refused_as_the_rules_refuse_it(game: str, size: Any) -> None:
    with pytest.raises(PurlieuError) as by_rules:
        purlieu.start(game, size)
    with pytest.raises(PurlieuError) as refused:
        Shape.of(game, size)
    assert str(refused.value) == str(by_rules.value)


def test_a_net_says_which_positions_it_judges() -> None:
    net = load(RUNS / "petrify" / "net.onnx")
    over = "petrify bbb/###/oob ply=15 blue=first passes=2 last=first"
    for wrong, sentence in [
        (core().Position.start("pilo", 4), "net.onnx is a net of petrify, and the position is one of pilo"),
        (core().Position.parse(over), "the game is over, so there is nothing to judge"),
        (
            purlieu.start("petrify", 4),
            "a net judges positions of the core, not PetrifyPosition; "
            "core().Position.parse(position.text()), of purlieu.core, makes one",
        ),
    ]:
        with pytest.raises(PurlieuError) as refused:
            net.judge(cast(Any, wrong))
        assert str(refused.value) == sentence


def test_analysis_tells_policy_and_owners() -> None:
    position = purlieu.start("petrify", 8).play("d4")
    found = Engine(9, seed=1).analyse(position, simulations=60)
    assert found.policy is not None
    assert found.owners is not None
    assert set(found.policy) == {str(move) for move in position.legal_moves()} - {"swap"}
    assert found.owners["d4"] > -1
    assert sum(move.share for move in found.moves) == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("game", GAMES)
def test_who_will_own_what_is_told_on_the_sizes_on_which_the_net_learned_and_on_no_other(game: str) -> None:
    net = net_for(game)
    assert net is not None
    assert net.sizes <= set(GAMES[game].sizes)
    for size in GAMES[game].sizes:
        line = Line(purlieu.start(game, size).text())
        for settings in (Settings(LEVELS[2]), Settings(preset="net"), Settings(preset="full")):
            sight = Thinker(settings).sight(line)
            assert (sight is not None) == (size in net.sizes)


def test_on_a_size_that_no_net_knows_analysis_tells_the_rest() -> None:
    found = Engine(9, seed=1).analyse(purlieu.start("pyloff", 12).play("f6"), simulations=20)
    assert (found.owners, found.policy) == (None, None)
    assert found.moves
    assert owner_lines(found) == []


def test_a_net_sits_at_the_arena(copy: Path) -> None:
    assert parse_player("net:16").settings.preset == "net"
    other = parse_player(f"net@{copy}:0.1s")
    assert (other.settings.net, other.control.seconds) == (str(copy), 0.1)
    player = parse_player(f"net@{copy}:16").make()
    player.new_game("petrify", 5, 1)
    start = purlieu.start("petrify", 5)
    clock = Clock(other.control, margin=0.2)
    assert player.choose((), (clock, clock), 10.0) in {str(move) for move in start.legal_moves()}
    player.close()


@pytest.mark.parametrize("game", GAMES)
def test_every_shipped_net_has_a_card_beside_it_that_tells_data_settings_results_and_limits(game: str) -> None:
    card = (shipped.FOLDER / f"{game}.md").read_text()
    for heading in ("Data", "The net", "Results", "As it is shipped", "Limits", "Settings"):
        assert f"\n## {heading}\n" in card, heading


def test_the_manifest_is_json_that_names_sizes_of_the_game() -> None:
    for game, entry in json.loads(shipped.MANIFEST.read_text()).items():
        assert set(entry["sizes"]) <= set(GAMES[game].sizes)


@pytest.mark.parametrize("game", ["petrify", "pilo"])
def test_a_net_sees_the_same_board_before_a_swap_and_after_it(game: str) -> None:
    """Nets learn from games without a swap, and would not know what a plane that tells of one means."""
    net = net_for(game)
    assert net
    for move in ("a1", "c3", "d4"):
        before = core().Position.start(game, 8).play(move)
        after = before.play("swap")
        assert (before.planes() == after.planes()).all()
        assert net.judge(before).win_chance == net.judge(after).win_chance
