"""The pages of rules in the terminal: every figure shows what its caption says."""

import re
from pathlib import Path

import pytest

import purlieu
from purlieu import GAMES, languages
from purlieu.rules.moves import Capture
from purlieu.terminal.rulebook import rule_lines

from .desk import Paper, text_of


def position_of(picture: str) -> purlieu.Position:
    """The position that a picture of the English pages is drawn from."""
    page = languages.file("rules", f"{picture.partition('-')[0]}.md").read_text()
    found = re.search(rf"draw {picture}\.svg: ([^|>]+?) (\||-->)", page)
    assert found, picture
    return purlieu.parse(found[1])


def captures(picture: str) -> set[str]:
    return {str(move) for move in position_of(picture).legal_moves() if isinstance(move, Capture)}


@pytest.mark.parametrize("width", [80, 50])
@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_page_that_credits_its_designer_and_states_its_rulings(game: str, width: int) -> None:
    lines = rule_lines(game, Paper(width=width))
    assert lines[0].plain == GAMES[game].title
    assert GAMES[game].designer in lines[2].plain
    assert "Rulings" in [line.plain for line in lines]
    assert max(line.cell_len for line in lines) <= width


@pytest.mark.parametrize("game", GAMES)
def test_nothing_of_the_markdown_is_left_but_what_it_says(game: str) -> None:
    text = text_of(rule_lines(game, Paper()))
    assert not re.search(r"\*\*|`|<!--|\]\(|^#|^\|", text, re.MULTILINE)
    page = languages.file("rules", f"{game}.md").read_text()
    page = re.sub(r"<!--.*?-->|\]\([^)]*\)|\|[-| ]+\|\n", "", page)
    words = set(re.findall(r"\w+", page)) - {"ledger"}
    assert words <= set(re.findall(r"\w+", text))


def test_a_table_keeps_its_columns_and_a_list_its_margin() -> None:
    lines = text_of(rule_lines("petrify", Paper())).split("\n")
    assert "who moves after a swap    the first seat, as Orange  the swap is made instead of" in lines
    at = lines.index("- Capture with one of your disks: a3xe3. Choose one of the eight directions. The")
    assert lines[at + 1].startswith("  disk travels")


def test_the_figures_of_petrify_show_the_captures_and_the_count_they_name() -> None:
    assert captures("petrify-lines") == {"c3xe5", "b2xe5"}
    assert [*position_of("petrify-patches").score().values()] == [15, 5]
    assert "patch at a1, 15 squares: pairs struck out 6; Blue 3:" in text_of(rule_lines("petrify", Paper()))


def test_the_figures_of_pilo_show_the_captures_they_name() -> None:
    assert captures("pilo-lines") == {"c3xc5", "c3xe3", "a3xe3"}
    assert captures("pilo-heights") == {"a3xd3"}


def test_the_figure_of_pentwall_shows_the_territory_it_names() -> None:
    territory = position_of("pentwall-territory").ledger().entries[0]
    assert (len(territory.squares), territory.owner) == (9, purlieu.Colour.STRIPED)


def test_the_figures_of_pyloff_show_a_buried_marble_and_a_captured_one() -> None:
    text = text_of(rule_lines("pyloff", Paper()))
    assert "3  · ○ ▪ ○" in text
    assert "2  ● ○ × ●" in text
    assert position_of("pyloff-cut").explain("2c1") is not None


def test_a_page_in_another_language_stands_for_the_english_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "zz" / "rules").mkdir(parents=True)
    (tmp_path / "zz" / "messages.json").write_text('{"plurals": "", "texts": {}}')
    (tmp_path / "zz" / "rules" / "petrify.md").write_text("# Versteinern\n\nEin Spiel.\n")
    monkeypatch.setattr(languages, "FOLDER", tmp_path)
    languages.language.cache_clear()
    with languages.speaking("zz"):
        assert text_of(rule_lines("petrify", Paper())) == "Versteinern\n\nEin Spiel."
        assert text_of(rule_lines("pilo", Paper())).startswith("Pilo\n")
    languages.language.cache_clear()
