"""Charts: axes that hold all that is drawn, in a picture that follows the reader's screen."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from purlieu.kit.charts import Line, interval_rows, panel, svg, ticks


def test_a_chart_is_light_or_dark_as_the_readers_screen_is_and_any_words_can_stand_in_it() -> None:
    line = Line("a < b & c", [(0, 1), (1, 2)], band=[(0.5, 1.5), (1.5, 2.5)])
    picture = svg(300, 200, panel(40, 20, 240, 180, [line], "games", "score"))
    ElementTree.fromstring(picture)
    assert "a &lt; b &amp; c" in picture
    assert "prefers-color-scheme: dark" in picture


def test_an_axis_reaches_round_numbers_around_all_that_is_drawn_with_its_intervals() -> None:
    for low, high in ((0, 1), (-3, 97), (0.2, 0.21), (5, 5), (-1e6, 2e6)):
        marks = ticks(low, high)
        assert marks[0] <= low
        assert marks[-1] >= high
    parts = panel(0, 0, 100, 170, [Line("", [(0, 10)], spans=[(None, 42)])], "", "")
    numbers = [float(found[1]) for part in parts if (found := re.search(r'text-anchor="end".*>(-?[\d.]+)<', part))]
    assert max(numbers) >= 42


def test_a_row_of_an_interval_has_its_dot_between_its_ends() -> None:
    rows = [("one", 10.0, -20.0, 40.0, "+10"), ("other", -10.0, -40.0, 20.0, "-10")]
    picture = "".join(interval_rows(100, 0, 200, rows))
    lines = re.findall(r"M([\d.]+) [\d.]+H([\d.]+)", picture)
    dots = re.findall(r'cx="([\d.]+)"', picture)
    assert len(lines) == len(dots) == 2
    for (begin, end), dot in zip(lines, dots, strict=True):
        assert 100 <= float(begin) < float(dot) < float(end) <= 300


def test_a_panel_without_points_says_that_there_is_nothing_yet() -> None:
    assert "nothing yet" in "".join(panel(0, 0, 100, 170, [Line("games", [])], "", ""))
