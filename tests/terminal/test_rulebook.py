"""The pages of rules: every figure shows what its caption says."""

import pytest

from purlieu import GAMES
from purlieu.rules.moves import Capture
from purlieu.rules.petrify import PetrifyPosition
from purlieu.rules.pilo import PiloPosition
from purlieu.terminal.rulebook import PAGES, petrify, pilo, pyloff, rule_lines
from purlieu.terminal.rulebook.page import Heading

from .desk import Paper, text_of


def captures(position: PetrifyPosition | PiloPosition) -> set[str]:
    return {str(move) for move in position.legal_moves() if isinstance(move, Capture)}


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_page_that_credits_its_designer_and_states_its_rulings(game: str) -> None:
    lines = rule_lines(game, Paper())
    assert GAMES[game].designer in lines[0].plain
    assert Heading("Rulings") in PAGES[game]
    assert max(line.cell_len for line in lines) <= 80


def test_the_first_figure_of_petrify_shows_two_captures() -> None:
    assert captures(petrify._LINE) == {"c3xe5", "b2xe5"}


def test_the_count_figure_of_petrify_is_15_against_5() -> None:
    assert [*petrify._COUNT.score().values()] == [15, 5]


def test_the_figures_of_pilo_show_the_captures_they_name() -> None:
    assert captures(pilo._BEFORE) == {"c3xc5", "c3xe3", "a3xe3"}
    assert captures(pilo._UNEQUAL) == {"a3xd3"}


def test_the_figures_of_pyloff_show_a_buried_marble_and_a_cut() -> None:
    text = text_of(rule_lines("pyloff", Paper()))
    assert "2  ○ ▪ ○" in text
    assert "2  ● × ● ·" in text
    assert pyloff._CUT.explain("2c1") is not None
