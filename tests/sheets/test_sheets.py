"""What is promised of every sheet; pypdfium2 reads and renders what ReportLab drew."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pypdfium2 as pdfium  # type: ignore[import-untyped]
import pypdfium2.raw as pdfium_c  # type: ignore[import-untyped]
import pytest

from purlieu.rules import GAMES, BadSize, PurlieuError, UnknownGame
from purlieu.rules.notation import LETTERS
from purlieu.sheets import PAPERS, make_sheet

MM = 72 / 25.4

EVERY_SHEET = [(name, size, paper) for name, game in GAMES.items() for size in game.sizes for paper in PAPERS]
DEFAULT_SHEETS = [(name, paper) for name in GAMES for paper in PAPERS]


def words_of(pdf: bytes) -> str:
    with pdfium.PdfDocument(pdf) as document:
        return str(document[0].get_textpage().get_text_range())


@pytest.mark.parametrize(("name", "size", "paper"), EVERY_SHEET)
def test_every_game_and_size_makes_one_page_with_white_margins(name: str, size: int, paper: str) -> None:
    with pdfium.PdfDocument(make_sheet(name, size=size, paper=paper)) as document:
        assert len(document) == 1
        bitmap = document[0].render(scale=1, grayscale=True)
        pixels, stride = bytes(bitmap.buffer), bitmap.stride
        rows = [pixels[at : at + bitmap.width] for at in range(0, len(pixels), stride)]
    margin = int(11 * MM)  # a millimetre less than the margin, for smoothed pixels
    border = [*rows[:margin], *rows[-margin:], *(row[:margin] + row[-margin:] for row in rows)]
    assert set().union(*border) == {255}
    assert min(map(min, rows)) < 60, "and something is drawn inside them"


@pytest.mark.parametrize(("paper", "width", "height"), [("a4", 210, 297), ("letter", 8.5 * 25.4, 11 * 25.4)])
@pytest.mark.parametrize("name", GAMES)
def test_the_page_is_as_large_as_the_paper(name: str, paper: str, width: float, height: float) -> None:
    with pdfium.PdfDocument(make_sheet(name, paper=paper)) as document:
        assert document[0].get_size() == pytest.approx((width * MM, height * MM), abs=0.01)


@pytest.mark.parametrize(("name", "paper"), DEFAULT_SHEETS)
def test_a_sheet_is_vectors_without_an_image(name: str, paper: str) -> None:
    pdf = make_sheet(name, paper=paper)
    assert b"/Image" not in pdf.replace(
        b"/ImageB /ImageC /ImageI", b""
    )  # the list of operators that every page carries
    with pdfium.PdfDocument(pdf) as document:
        kinds = {item.type for item in document[0].get_objects()}
    assert kinds == {pdfium_c.FPDF_PAGEOBJ_PATH, pdfium_c.FPDF_PAGEOBJ_TEXT}


@pytest.mark.parametrize(("name", "paper"), DEFAULT_SHEETS)
def test_a_sheet_needs_no_colour(name: str, paper: str) -> None:
    with pdfium.PdfDocument(make_sheet(name, paper=paper)) as document:
        bitmap = document[0].render(scale=1, rev_byteorder=True)
        pixels = bytes(bitmap.buffer)
        channels = [pixels[at :: bitmap.n_channels] for at in range(3)]
    assert bitmap.stride == bitmap.width * bitmap.n_channels
    assert channels[0] == channels[1] == channels[2]


@pytest.mark.parametrize(("name", "paper"), DEFAULT_SHEETS)
def test_a_sheet_names_the_game_its_designer_and_the_rules_version(name: str, paper: str) -> None:
    game = GAMES[name]
    pdf = make_sheet(name, paper=paper)
    words = words_of(pdf)
    assert game.title in words
    assert f"a game by {game.designer}" in words
    assert "purlieu" in words
    assert f"rules version {game.rules_version}" in words
    with pdfium.PdfDocument(pdf) as document:
        about = document.get_metadata_dict()
    assert about["Title"] == f"{game.title} sheet, {game.default_size}×{game.default_size}, {paper}"
    assert about["Subject"] == f"Rules by {game.designer}"
    assert about["Author"] == "purlieu"


@pytest.mark.parametrize(("name", "size", "paper"), EVERY_SHEET)
def test_the_coordinates_stand_by_the_board(name: str, size: int, paper: str) -> None:
    found = words_of(make_sheet(name, size=size, paper=paper)).split()
    assert set("abcdefghijklmnopqrs"[:size]) <= set(found)
    assert set(map(str, range(1, size + 1))) <= set(found)


@pytest.mark.parametrize(("name", "paper"), DEFAULT_SHEETS)
def test_there_is_room_for_names_score_winner_and_date(name: str, paper: str) -> None:
    words = words_of(make_sheet(name, paper=paper))
    wanted = [
        "Score",
        "Winner",
        "Date",
        "Rules in short",
        *(colour.value.capitalize() for colour in GAMES[name].colours),
    ]
    assert [word for word in wanted if word not in words] == []
    assert "total" in words.lower()
    assert ("colours were swapped" in words) == GAMES[name].has_pie_rule


@pytest.mark.parametrize("paper", PAPERS)
def test_pentwall_shows_the_twelve_letters_once_each(paper: str) -> None:
    found = [
        word for word in words_of(make_sheet("pentwall", paper=paper)).split() if len(word) == 1 and word.isupper()
    ]
    assert sorted(found) == sorted(LETTERS)


@pytest.mark.parametrize("paper", PAPERS)
def test_a_pen_has_room_in_pentwalls_squares(paper: str) -> None:
    with pdfium.PdfDocument(make_sheet("pentwall", paper=paper)) as document:
        outlines = list(square_outlines(document[0]))
    assert max(outlines) >= 10 * 12 * MM


def square_outlines(page: pdfium.PdfPage) -> Iterator[float]:
    """The sides of all drawn squares, in points."""
    for item in page.get_objects(filter=[pdfium_c.FPDF_PAGEOBJ_PATH]):
        left, bottom, right, top = item.get_bounds()
        if right - left == pytest.approx(top - bottom, abs=0.5):
            yield right - left


@pytest.mark.parametrize(("name", "paper"), DEFAULT_SHEETS)
def test_the_same_sheet_is_the_same_bytes(name: str, paper: str) -> None:
    assert make_sheet(name, paper=paper) == make_sheet(name, paper=paper)


def test_names_are_read_in_any_case() -> None:
    assert make_sheet("Pentwall", paper=" A4 ") == make_sheet("pentwall", size=10, paper="a4")


def test_pyloff_shows_each_level_up_to_size_ten_and_says_so_beyond() -> None:
    ten, eleven = words_of(make_sheet("pyloff", size=10)), words_of(make_sheet("pyloff", size=11))
    assert all(f"Level {level}" in ten for level in range(1, 11))
    assert "Level 2" not in eleven
    assert "no room for the levels above" in eleven


@pytest.mark.parametrize(
    ("paper", "sentence"),
    [
        ("a5", "there is no paper called 'a5'; did you mean a4?"),
        ("leter", "there is no paper called 'leter'; did you mean letter?"),
        ("papyrus", "there is no paper called 'papyrus'; the papers are a4 and letter"),
    ],
)
def test_an_unknown_paper_gets_a_sentence(paper: str, sentence: str) -> None:
    with pytest.raises(PurlieuError) as caught:
        make_sheet("pentwall", paper=paper)
    assert str(caught.value) == sentence


def test_an_unknown_size_or_game_gets_a_sentence() -> None:
    with pytest.raises(BadSize, match="Pentwall is played on 10×10"):
        make_sheet("pentwall", size=9)
    with pytest.raises(UnknownGame, match="did you mean petrify"):
        make_sheet("petrfy")


def test_without_reportlab_one_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "reportlab.pdfgen.canvas", None)
    with pytest.raises(PurlieuError) as caught:
        make_sheet("pentwall")
    assert str(caught.value) == (
        "a sheet needs ReportLab: pip install reportlab (or install purlieu with its extra print)"
    )
