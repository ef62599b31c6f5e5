"""Settings, and what depends on them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from purlieu.nets.shape import Shape
from purlieu.rules import GAMES, PurlieuError
from purlieu.train.data.settings import (
    averaging,
    final_seconds,
    final_steps,
    learning_rate,
    make_settings,
    parse_override,
    plain,
    settings_of,
    window_rows,
)
from purlieu.train.network.evaluation import usable_cores
from purlieu.train.report.summary import card
from purlieu.train.selfplay.pool import share_out


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("tiny", [False, True])
def test_every_game_has_settings_that_can_be_kept_and_read_back(game: str, tiny: bool) -> None:
    settings = make_settings(game, tiny=tiny)
    assert settings_of(plain(settings)) == settings
    assert sum(settings.sizes.values()) == pytest.approx(1)


def test_a_file_goes_before_the_defaults_and_an_override_before_the_file(tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_text("channels = 32\nblocks = 3\n[sizes]\n6 = 1.0\n")
    settings = make_settings("pilo", file=file, overrides=dict([parse_override("blocks=4")]))
    assert (settings.channels, settings.blocks, settings.sizes, settings.check_size) == (32, 4, {6: 1.0}, 6)


@pytest.mark.parametrize(
    ("override", "sentence"),
    [
        ("chanels=3", "there is no setting 'chanels'; did you mean channels?"),
        ("channels=many", "the setting channels cannot be 'many'; expected a whole number"),
        ("channels=1", "the setting channels is 1; the least is 8"),
        ("ema=2", "the setting ema is 2.0; it lies between 0 and 0.99999"),
        ('sizes={"99": 1}', "Petrify is played on 3×3 to 10×10; 99 is not such a size"),
        ("sizes={}", 'the setting sizes names no board; expected sizes and shares, such as {"6": 1}'),
        ("sizes=[4]", 'the setting sizes cannot be [4]; expected sizes and shares, such as {"4": 0.5, "6": 0.5}'),
        (
            "sizes=4=0.5",
            'the setting sizes cannot be \'4=0.5\'; expected sizes and shares, such as {"4": 0.5, "6": 0.5}',
        ),
        ("slots=2097152", "the setting slots is 2097152; it lies between 0 and 1048576"),
        ("end_nodes=2e6", "the setting end_nodes is 2000000.0; it lies between 0 and 1000000"),
        ("first_rows=0", "the setting first_rows is 0; the least is 1"),
        ("lr=1e-8", "the setting lr is 1e-08; the least is 1e-07"),
        ("blocks", "'blocks' sets nothing; expected something such as channels=64"),
        ("lr=NaN", "the setting lr cannot be nan; expected a number"),
        ("reuse=Infinity", "the setting reuse cannot be inf; expected a number"),
        ("first_rows=1e400", "the setting first_rows cannot be inf; expected a whole number"),
        (
            'sizes={"4": NaN}',
            'the setting sizes cannot be {\'4\': nan}; expected sizes and shares, such as {"4": 0.5, "6": 0.5}',
        ),
        ("seed=-1", "the setting seed is -1; the least is 0"),
        ("threads=100000", "the setting threads is 100000; it lies between 0 and 1024"),
        ("full_simulations=1000000", "the setting full_simulations is 1000000; it lies between 0 and 65536"),
        ("noise=-1", "the setting noise is -1.0; it lies between 0 and 100"),
        ("ladder=[200000]", "the setting ladder is (200000,); expected numbers of simulations, 1 to 100000"),
        ("keep_replay=1", "the setting keep_replay cannot be 1; expected true or false"),
        ("keep_replay=yes", "the setting keep_replay cannot be 'yes'; expected true or false"),
        ('random_plies="14"', "the setting random_plies cannot be '14'; expected whole numbers"),
        ("ladder=[1.9]", "the setting ladder cannot be [1.9]; expected whole numbers"),
        (
            "seed=99999999999999999999",
            "the setting seed is 99999999999999999999; it lies between 0 and 9007199254740992",
        ),
        ("game=pilo", "these are settings for pilo, and the game is petrify"),
    ],
)
def test_a_setting_that_will_not_do_is_told_why(override: str, sentence: str) -> None:
    with pytest.raises(PurlieuError) as told:
        make_settings("petrify", overrides=dict([parse_override(override)]))
    assert str(told.value) == sentence


@pytest.mark.parametrize(
    "text",
    [
        'sizes={"4": 0.5, "5": 0.5}',
        'sizes={"4"=0.5,"5"=0.5}',
        "sizes={4 = 0.5, 5 = 0.5}",
        " sizes = {4 = 0.5, 5 = 0.5}  # as a card has them",
    ],
    ids=["JSON", "TOML", "bare keys", "with a comment"],
)
def test_a_setting_may_be_given_as_json_or_as_the_card_and_a_file_have_it(text: str) -> None:
    settings = make_settings("petrify", overrides=dict([parse_override(text)]))
    assert settings.sizes == {4: 0.5, 5: 0.5}
    assert parse_override("keep_replay=true") == ("keep_replay", True)
    assert parse_override("ladder=[100, 1_000]") == ("ladder", [100, 1000])
    assert parse_override("channels=1\nblocks=2") == ("channels", "1\nblocks=2"), "one setting, not two"


@pytest.mark.parametrize("game", GAMES)
def test_the_settings_on_a_card_can_be_given_to_another_run(game: str, tmp_path: Path) -> None:
    settings = make_settings(game, overrides={"blocks": 1, "channels": 8, "seed": 5, "lr": 0.003, "keep_replay": True})
    counters = dict.fromkeys(("games", "rows", "evaluations", "seconds", "steps", "samples"), 0.0)
    text = card(settings, Shape.of(game, settings.check_size), 1000, counters, [], commit="abc", device="a CPU")
    file = tmp_path / "card.toml"
    file.write_text(text.partition("```toml\n")[2].partition("```")[0])
    assert make_settings(game, file=file) == settings


@pytest.mark.parametrize("device", ["cpu", "cuda"])
@pytest.mark.parametrize("game", GAMES)
def test_games_are_shared_out_by_size_and_no_group_holds_the_others_up(game: str, device: str) -> None:
    settings = make_settings(game).on(device, cores=4)
    groups = share_out(settings)
    total = sum(slots for _, slots in groups)
    assert total == pytest.approx(settings.slots, rel=0.05)
    assert len(groups) >= settings.groups
    assert max(slots for _, slots in groups) <= total / settings.groups + 1
    for size, share in settings.sizes.items():
        assert sum(slots for n, slots in groups if n == size) / total == pytest.approx(share, abs=0.02)


def test_where_the_system_does_not_say_which_cores_may_be_used_all_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert usable_cores() >= 1
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert usable_cores() == os.cpu_count()


def test_the_window_grows_more_slowly_than_the_games() -> None:
    settings = make_settings("petrify")
    assert window_rows(settings, 0) == window_rows(settings, 250_000) == 250_000
    assert window_rows(settings, 2_500_000) == pytest.approx(866_455, rel=1e-3)
    assert window_rows(settings, 25_000_000) < 4_500_000


def test_the_last_part_takes_no_more_of_a_runs_time_than_it_needs() -> None:
    settings = make_settings("petrify", overrides={"final_share": 0.3, "batch": 1_000})
    assert final_steps(settings, rows=100_000) == 200, "twice through all rows"
    assert final_steps(settings, rows=1) == 10
    assert final_seconds(settings, 600, 100_000, step_seconds=0.1) == pytest.approx(20), "the rest is for games"
    assert final_seconds(settings, 600, 100_000, step_seconds=10) == pytest.approx(180), "no more than its share"
    assert final_seconds(settings, 600, 100_000, step_seconds=None) == pytest.approx(180), "while nobody knows"


def test_the_learning_rate_warms_up_and_falls_at_the_end() -> None:
    settings = make_settings("petrify")
    assert learning_rate(settings, 0) == pytest.approx(settings.lr / settings.warm_up)
    assert learning_rate(settings, 10_000) == settings.lr
    assert learning_rate(settings, 10_000, fall=0.5) == pytest.approx(0.505 * settings.lr)
    assert learning_rate(settings, 10_000, fall=1) == pytest.approx(settings.lr / 100)


def test_the_average_forgets_the_beginning_quickly() -> None:
    settings = make_settings("petrify")
    assert averaging(settings, 0) == 0.1
    assert averaging(settings, 1_000_000) == settings.ema
