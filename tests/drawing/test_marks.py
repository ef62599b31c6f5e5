from __future__ import annotations

import pytest

from purlieu import Position, start
from purlieu.drawing import svg
from purlieu.rules import Point, Refusal, Rule, Square, petrify, pilo
from purlieu.rules.ledger import Marbles, Patch, Territory
from purlieu.rules.moves import PASS, SWAP, Capture, Place
from purlieu.rules.pieces import Marble

from .pictures import SVG, has_layer, layer, positions, random_game, read, stamps, words

CORNERED = petrify.draw(". . o .\n. . . .\n. . . .\n. # b .")


def count(drawing: str, part: str, tag: str) -> int:
    return len(list(layer(drawing, part).iter(f"{SVG}{tag}")))


# -- the last move ------------------------------------------------------------------------------


def test_the_last_move_is_marked() -> None:
    for move, _, position in positions():
        assert not has_layer(svg(position), "last-move")
        assert len(layer(svg(position, last_move=move), "last-move")) > 0


def test_a_capture_has_an_arrow_from_the_new_block_and_a_placement_none() -> None:
    placed, captured = start("petrify", 4).play("b2"), CORNERED.play("b4").play("c4xc1")
    placement = svg(placed, last_move=Place(Square(2, 2)))
    capture = svg(captured, last_move=Capture(Square(3, 4), Square(3, 1)))
    assert count(placement, "last-move", "circle") == 0
    dots = layer(capture, "last-move").findall(f"{SVG}circle")
    blocks = stamps(layer(capture, "pieces"), "block")
    assert [(float(dot.get("cx", 0)), float(dot.get("cy", 0))) for dot in dots] == [min(blocks, key=lambda at: at[1])]


def test_a_pass_and_a_swap_are_written_out() -> None:
    position = start("petrify", 4).play("b2").play("swap")
    assert words(layer(svg(position, last_move=SWAP), "last-move")) == ["swap"]
    assert words(layer(svg(position, last_move=PASS), "last-move")) == ["pass"]


def test_captured_marbles_stay_as_hollow_ghosts_for_one_turn() -> None:
    before = start("pyloff", 3)
    for move in ("a1", "b1", "c3"):
        before = before.play(move)
    after, last_move = before.play("a2"), Place(Point(1, 2, 1))
    assert len(after.pieces()) == len(before.pieces())  # one came, one was lifted
    with_ghosts, without = svg(after, last_move=last_move, before=before), svg(after, last_move=last_move)
    dashed = [c for c in layer(with_ghosts, "last-move").iter(f"{SVG}circle") if c.get("stroke-dasharray")]
    assert [c.get("fill") for c in dashed] == ["none"]
    assert not any(c.get("stroke-dasharray") for c in layer(without, "last-move").iter(f"{SVG}circle"))


# -- refusals -----------------------------------------------------------------------------------


def refusal_of(position: Position, move: str) -> Refusal:
    refusal = position.explain(move)
    assert refusal is not None
    return refusal


def ghosts(drawing: str) -> list[tuple[float, float]]:
    """The corners of the hatched ghost blocks."""
    rects = [rect for rect in layer(drawing, "refusal").iter(f"{SVG}rect") if rect.get("fill", "").startswith("url(")]
    return [(float(rect.get("x", 0)), float(rect.get("y", 0))) for rect in rects]


def test_ring_squares_of_a_mound_are_drawn() -> None:
    refusal = refusal_of(CORNERED, "c1xc4")
    assert refusal.rule is Rule.MOUND
    drawing = svg(CORNERED, refusal=refusal)
    ground = layer(drawing, "board").find(f"{SVG}rect")
    assert ground is not None
    edge = float(ground.get("y", 0)) + float(ground.get("height", 0))
    assert len(ghosts(drawing)) == 3  # b0, c0, and the block that the capture would leave on c1
    assert len([y for _, y in ghosts(drawing) if y > edge]) == 2
    plain, roomy = (float(read(text).get("viewBox", "").split()[3]) for text in (svg(CORNERED), drawing))
    assert roomy == plain + 48


def test_a_barricade_that_ends_on_the_ring_is_drawn() -> None:
    position = petrify.draw(". . o o\n# . . .\n. b . .\n. . . .")
    refusal = refusal_of(position, "b2xd4")
    assert refusal.rule is Rule.BARRICADE
    assert len(ghosts(svg(position, refusal=refusal))) == 2


def test_a_blocked_way_is_crossed_out_where_it_is_blocked() -> None:
    position = pilo.draw("b # o\n. . .\n. . .")
    drawing = svg(position, refusal=refusal_of(position, "a3xc3"))
    assert count(drawing, "refusal", "line") == 2
    crosses = [path for path in layer(drawing, "refusal").iter(f"{SVG}path") if path.get("stroke-linecap")]
    assert len(crosses) == 2  # one cross, and its halo


def test_a_way_to_the_square_it_starts_from_is_no_line() -> None:
    drawing = svg(CORNERED, refusal=refusal_of(CORNERED, "c1xc1"))
    assert count(drawing, "refusal", "line") == 0
    assert count(drawing, "refusal", "path") > 0


@pytest.mark.parametrize(
    ("game", "move"),
    [("petrify", "s19"), ("pentwall", "Ij8j9j10j11j12"), ("pyloff", "s1"), ("pyloff", "2f6"), ("pyloff", "19a1")],
)
def test_a_square_far_off_the_board_is_marked_just_beyond_its_edge(game: str, move: str) -> None:
    position = start(game)
    drawing = svg(position, refusal=refusal_of(position, move))
    assert len(layer(drawing, "refusal")) > 0
    widths = [float(read(text).get("viewBox", "").split()[2]) for text in (svg(position), drawing)]
    assert widths[1] - widths[0] in (0, 48)


def test_a_refusal_without_squares_is_still_said() -> None:
    position = start("petrify")
    drawing = svg(position, refusal=refusal_of(position, "pass"))
    assert "Refused: you may pass only when" in (read(drawing).findtext(f"{SVG}desc") or "")


def test_every_refusal_of_a_random_game_can_be_drawn() -> None:
    for move, before, after in random_game("pyloff", 4, seed=3)[::7] + random_game("pilo", 4, seed=3)[::7]:
        for piece in before.pieces():
            refusal = before.explain(str(piece.at))
            assert refusal is not None
            read(svg(before, refusal=refusal))
        read(svg(after, refusal=after.explain(move)))


# -- the ledger ---------------------------------------------------------------------------------


def test_the_ledger_names_every_patch_and_territory_on_the_board_and_below() -> None:
    for _, _, position in positions():
        entries = [entry for entry in position.ledger().entries if isinstance(entry, Patch | Territory)]
        drawing = svg(position, ledger=True)
        names = words(layer(drawing, "count"))
        assert len(set(names)) == len(entries)
        assert set(names) <= set(words(layer(drawing, "ledger")))
        assert not has_layer(svg(position), "ledger")


def test_the_ledger_gives_the_totals() -> None:
    for _, _, position in positions():
        below = words(layer(svg(position, ledger=True), "ledger"))
        assert {f"{colour.title} {points}" for colour, points in position.score().items()} <= set(below)


def test_struck_out_men_have_a_line_through_them() -> None:
    position = petrify.draw("b . o\n. . .\nb b .")
    men = stamps(layer(svg(position, ledger=True), "pieces"), "disk")
    struck = stamps(layer(svg(position, ledger=True), "count"), "struck-out")
    assert len(men) == 4
    assert sorted(struck) == sorted(at for at in men if at[1] == min(y for _, y in men))


def test_owned_land_is_dotted_or_striped_and_nobodys_is_plain() -> None:
    blue, orange = (svg(petrify.draw(f"{man} . .\n. . .\n. . ."), ledger=True) for man in "bo")
    nobody = svg(start("petrify", 3), ledger=True)
    assert ["land-first" in text for text in (blue, orange, nobody)] == [True, False, False]
    assert ["land-second" in text for text in (blue, orange, nobody)] == [False, True, False]


def test_buried_marbles_show_through_in_the_ledger() -> None:
    position = random_game("pyloff", 5, seed=4)[-1][2]
    buried = [piece for piece in position.pieces() if isinstance(piece, Marble) and piece.buried]
    assert buried
    assert len(stamps(layer(svg(position, ledger=True), "count"), "pip-")) == len(buried)
    levels = {entry.level for entry in position.ledger().entries if isinstance(entry, Marbles)}
    assert {str(level) for level in levels} <= set(words(layer(svg(position, ledger=True), "ledger")))
