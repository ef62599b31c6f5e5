import pytest

import purlieu
from purlieu.records import Node, dumps

from .made import only

PLAIN = '[Game "Petrify"]\n[Size "6"]\n\n'


def moves_of(text: str, tags: str = PLAIN) -> list[str]:
    return [str(move) for move in only(tags + text).moves]


@pytest.mark.parametrize(
    "text",
    [
        "1. c3 swap 2. d4 *",
        "1.c3 swap 2.d4",
        "1) c3 swap 2) d4",
        "1)c3 swap 2)d4",
        "c3 swap d4",
        "1. c3 1... swap 2. d4",
        "1. c3 1. ... swap 2. d4",
        "1. c3 1… swap 2. d4",
        "7. c3 swap 7. 7. d4",
        "1.\tc3\tswap\r\n\r\n\r\n2. d4\r\n*\r\n",
        "1. c3\rswap\r2. d4",
        "1. C3 SWAP 2. D4",
        "% an escape {\n1. c3 swap\n%another (\n2. d4",
        "1. c3 swap 2. d4 1-0",
    ],
)
def test_numbers_line_ends_and_case_do_not_matter(text: str) -> None:
    assert moves_of(text) == ["c3", "swap", "d4"]


@pytest.mark.parametrize(
    "tags",
    [
        '[Game "Petrify"][Size "6"][First "Ana"]',
        "[game 'Petrify']\n[SIZE '6']\n[first 'Ana']\n",
        "[Game “petrify”] [Size „6”] [First «Ana»]",
        '\ufeff[First "Ana"]\n\n\n[Size "6x6"]\n\n[Game " PETRIFY "]\n',
        '; my games\n\n[Game "Petrify"] ; the best\n[Size "6×6"]\n[ First"Ana" ]\n',
        '  [Game "Petrify"]\n\t[Size "6"]\n[First "Ana"]\n[Result "?"]\n[Score ""]',
    ],
)
def test_tags_come_in_any_case_order_and_quotes(tags: str) -> None:
    record = only(tags + " 1. c3")
    assert (record.game, record.start.size, record.first, record.second) == ("petrify", 6, "Ana", "?")
    assert (record.result, record.score) == ("*", None)


def test_a_missing_size_is_the_usual_one() -> None:
    assert only('[Game "Petrify"] c3').start.size == 8


def test_the_reader_invents_no_tags_but_the_writer_writes_the_standard_ones() -> None:
    record = only('[Game "Petrify"] c3')
    assert record.tags == {"Game": "Petrify"}
    assert list(record.header) == ["Game", "Size", "Rules", "First", "Second", "Date", "Result"]


def test_unknown_tags_are_kept_in_order_and_in_their_own_case() -> None:
    record = only('[Site "here"]\n[Game "Pilo"]\n[annotator "C:\\games \\"x\\""]\n[Event "a \\\\ b"]\n\n*')
    assert list(record.header)[-3:] == ["Site", "annotator", "Event"]
    assert record.tags["annotator"] == 'C:\\games "x"'
    assert record.tags["Event"] == "a \\ b"


def test_a_level_1_point_may_be_written_out_and_a_pentomino_in_any_order() -> None:
    assert moves_of("1. 1c3 1B2", '[Game "Pyloff"]') == ["c3", "b2"]
    assert moves_of("1. we5c3d3e4d4", '[Game "Pentwall"]') == ["Wc3d3d4e4e5"]
    assert moves_of("c3 c4 c3×c4") == ["c3", "c4", "c3xc4"]


def test_marks_may_stick_to_the_move_or_stand_apart_and_pile_up() -> None:
    record = only(PLAIN + "c3! d4 ?! $14 $002 e5!!! f6 {so} $6")
    assert [node.marks for node in record.line] == [("!",), ("?!", "$14", "?"), ("!!", "!"), ("?!",)]


def test_a_comment_belongs_to_the_move_before_it_unless_a_number_or_variation_came_between() -> None:
    record = only(
        PLAIN + "{the game} ; and more\n 1. {first} c3 {after c3} {too} (1. {in} d4 {side}) {before b2} b2 2. {last}"
    )
    c3, b2 = record.line
    assert record.comment == "the game\nand more"
    assert (c3.before, c3.comment) == ("first", "after c3\ntoo")
    assert c3.variations == ((Node(record.start.read_move("d4"), before="in", comment="side"),),)
    assert (b2.before, b2.comment) == ("before b2", "last")


def test_comments_before_the_tags_and_after_the_result_are_kept() -> None:
    record = only(f"{{one}}\n; two\n{PLAIN}; three\nc3 1-0 {{Ben resigned}}\n; in a hurry\n")
    assert record.comment == "one\ntwo\nthree"
    assert record.line[0].comment == "Ben resigned\nin a hurry"


def test_a_wrapped_comment_is_one_line_and_an_empty_line_in_it_is_a_line_end() -> None:
    record = only(PLAIN + "c3 {a \t\n  b\r\n\r\nc  d \\n e \\} \\\\ \\x}")
    assert record.line[0].comment == "a b\nc  d \n e } \\ \\x"


def test_comments_hold_what_would_mean_something_outside() -> None:
    record = only(PLAIN + "c3 {[%clk 0:05] (1-0) ; % $5 { \n% not an escape} d4")
    assert record.line[0].comment == "[%clk 0:05] (1-0) ; % $5 { % not an escape"
    assert len(record.line) == 2


def test_variations_start_from_the_position_before_the_move_and_nest() -> None:
    record = only(PLAIN + "1. c3 swap (1... c4 2. c3xc4 (2. d4) 2... a1) (1... d5) 2. e5")
    swap = record.line[1]
    first, second = swap.variations
    assert [str(node.move) for node in first] == ["c4", "c3xc4", "a1"]
    assert [str(node.move) for node in first[1].variations[0]] == ["d4"]
    assert [str(node.move) for node in second] == ["d5"]


def test_a_game_may_start_from_a_position_and_is_numbered_from_its_ply() -> None:
    position = purlieu.start("petrify", 6).play("c3").play("d4").play("e5")
    record = only(f'[Position "{position.text()}"]\n\nf6 a1')
    assert record.start == position
    assert dumps(record).endswith("\n\n2... f6 3. a1 *\n")


def test_the_result_after_the_moves_counts_where_the_tag_says_nothing() -> None:
    assert only(PLAIN + "c3 0-1").result == "0-1"
    assert only(f'{PLAIN}[Result "*"] c3 1/2').result == "1/2-1/2"
    assert only(f'{PLAIN}[Result "1–0"] c3 *').result == "1-0"
    assert only(f'{PLAIN}[Result "½-½"] c3').result == "1/2-1/2"


def test_a_game_that_was_resigned_keeps_its_result_and_how_it_ended() -> None:
    record = only(f'{PLAIN}[Result "0-1"]\n[Score "03 - 12"]\n[Termination "resigned"]\n\n1. c3 0-1')
    assert (record.result, record.score, record.tags["Termination"]) == ("0-1", (3, 12), "resigned")
    assert only(dumps(record)) == record
