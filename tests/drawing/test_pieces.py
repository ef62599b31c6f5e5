from __future__ import annotations

import pytest

from purlieu import GAMES, start
from purlieu.drawing import pentomino_svg, svg
from purlieu.rules import BadNotation, Colour, petrify, pilo, pyloff
from purlieu.rules.notation import LETTERS
from purlieu.rules.pieces import Block, Disk, Marble, Painted, Stack

from .pictures import SVG, form, layer, positions, random_game, read, stamps, words


def test_every_piece_of_every_game_is_drawn() -> None:
    seen = set()
    for _, _, position in positions():
        drawn = layer(svg(position), "pieces")
        pieces = position.pieces()
        seen |= {type(piece) for piece in pieces}
        for kind, name in ((Disk, "disk-"), (Stack, "stack-"), (Block, "block-"), (Marble, "marble-")):
            assert len(stamps(drawn, name)) == sum(isinstance(piece, kind) for piece in pieces)
        letters = {piece.letter for piece in pieces if isinstance(piece, Painted)}
        assert letters <= set(words(drawn))
    assert seen == {Disk, Stack, Block, Painted, Marble}


def test_a1_is_at_the_bottom_left() -> None:
    drawn = layer(svg(petrify.draw("o . .\n. . .\nb . b")), "pieces")
    (blue_x, blue_y), (right_x, right_y) = sorted(stamps(drawn, "disk-blue"))
    ((orange_x, orange_y),) = stamps(drawn, "disk-orange")
    assert (blue_x, blue_y) == (orange_x, orange_y + 96)
    assert (right_x, right_y) == (blue_x + 96, blue_y)


def test_orange_and_blue_differ_by_shape_not_only_colour() -> None:
    disks = svg(petrify.draw("b o .\n. . .\n. . ."))
    assert form(disks, "disk-blue") != form(disks, "disk-orange")
    stacks = svg(pilo.draw("b3 o3 .\nb o .\n. . ."))
    assert form(stacks, "stack-blue-1") != form(stacks, "stack-orange-1")
    assert form(stacks, "stack-blue-3") != form(stacks, "stack-orange-3")


def test_black_and_white_marbles_differ_by_shape_not_only_colour() -> None:
    drawing = svg(start("pyloff", 3).play("a1").play("b2"))
    assert form(drawing, "marble-black-1") != form(drawing, "marble-white-1")


def test_striped_paint_is_striped_and_solid_paint_is_not() -> None:
    position = start("pentwall").play("Ia1b1c1d1e1").play("Xb3a4b4c4b5")
    fills = {path.get("fill", "") for path in layer(svg(position), "pieces").iter(f"{SVG}path")}
    patterns = [fill for fill in fills if fill.startswith("url(")]
    assert len(patterns) == 1
    assert form(svg(position), patterns[0].partition("-")[2].rstrip(")")).count("rect") == 2


def test_a_stack_shows_its_rims_and_from_two_disks_on_its_height() -> None:
    drawing = svg(pilo.draw("b1 b2 b3\nb4 b7 .\n. . ."))
    circles = {height: form(drawing, f"stack-blue-{height}").count("circle") for height in (2, 3, 4, 7)}
    assert circles[2] < circles[3] < circles[4] == circles[7]
    assert sorted(words(read(svg(pilo.draw("b1 b2 b3\nb4 b7 .\n. . ."), coordinates=False)))) == ["2", "3", "4", "7"]


def test_a_raised_marble_lies_between_its_four_supports_and_tells_its_level() -> None:
    position = pyloff.draw("b w .\nw b .\n. . .", "w .\n. .")
    drawn = layer(svg(position), "pieces")
    supports = stamps(drawn, "marble-black-1") + stamps(drawn, "marble-white-1")
    ((x, y),) = stamps(drawn, "marble-white-2")
    assert (x, y) == (sum(x for x, _ in supports) / 4, sum(y for _, y in supports) / 4)
    assert words(drawn) == ["2"]


def test_lower_marbles_are_drawn_before_those_that_hide_them() -> None:
    position = random_game("pyloff", 5, seed=2)[-1][2]
    hrefs = [use.get("href", "") for use in layer(svg(position), "pieces").iter(f"{SVG}use")]
    levels = [int(href.rpartition("-")[2]) for href in hrefs]
    assert max(levels) > 2
    assert levels == sorted(levels)


def test_a_large_pyramid_is_not_cluttered_with_figures() -> None:
    full = [" ".join("bw"[at % 2] for at in range(side)) for side in (19, 18, 17)]
    position = pyloff.draw(*("\n".join([row] * (19 - at)) for at, row in enumerate(full)))
    assert max(piece.at.level for piece in position.pieces() if isinstance(piece, Marble)) == 3
    assert words(layer(svg(position), "pieces")) == []


def test_the_pool_keeps_all_twelve_and_crosses_out_the_used_ones() -> None:
    fresh, used = start("pentwall"), random_game("pentwall", 10, seed=1, turns=3)[-1][2]
    assert words(layer(svg(fresh), "pool")) == words(layer(svg(used), "pool")) == list(LETTERS)
    crosses = [len(list(layer(svg(p), "pool").iter(f"{SVG}path"))) for p in (fresh, used)]
    assert crosses == [0, 2 * 3]


def test_a_pentomino_can_be_drawn_alone() -> None:
    for letter in LETTERS:
        for colour in (None, Colour.SOLID, Colour.STRIPED):
            drawn = read(pentomino_svg(letter, colour=colour))
            assert len([rect for rect in drawn.iter(f"{SVG}rect") if rect.get("stroke")]) == 5
    with pytest.raises(BadNotation, match="no pentomino 'Q'"):
        pentomino_svg("Q")


@pytest.mark.parametrize("name", GAMES)
def test_coordinates_can_be_left_out(name: str) -> None:
    position = start(name)
    assert words(layer(svg(position), "coordinates"))[:4] == ["a", "1", "b", "2"]
    assert len(words(read(svg(position, coordinates=False)))) == len(words(read(svg(position)))) - 2 * position.size
