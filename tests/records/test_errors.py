import pickle

import pytest

import purlieu
from purlieu.records import MOST_MOVES, Node, Record, RecordError

from .made import error_of, only, whole_game

TAGS = '[Game "Petrify"]\n[Size "4"]\n\n'


@pytest.mark.parametrize(
    ("text", "line", "column", "ply", "sentence"),
    [
        ("hello", 1, 1, None, 'expected a tag first, as in [Game "Petrify"]'),
        ('\n\n[Game "Petrify]\n', 3, 7, None, "expected a closing quote"),
        ('[Game "Petrify"\n[Size "8"]', 1, 16, None, "expected ], not the end of the line"),
        ('[Game "Petrify" "Pilo"]', 1, 17, None, "expected ], not '\"Pilo\"]'"),
        ('[Game Petrify]\n[Size "8"]', 1, 7, None, 'expected the tag\'s value in quotes, as in [Game "Petrify"]'),
        ("[", 1, 2, None, "expected a tag's name, not the end of the line"),
        ('[1Game "Petrify"]', 1, 2, None, "expected a tag's name"),
        ('[Game "Petrifi"]\n', 1, 1, None, "did you mean petrify?"),
        ('[First "Ana"]\n  [Size "8"]\n\n1. c3', 4, 1, None, "expected a tag that names the game"),
        ('[Game "Petrify"]\n  [Size "eight"]\n', 2, 3, None, "the Size tag says 'eight'; expected the number of"),
        ('[Game "Petrify"]\n[Size "11"]\n\n1. c3', 2, 1, None, "Petrify is played on 3×3 to 10×10"),
        ('[Game "Petrify"]\n[Rules "2"]\n', 2, 1, None, "knows Petrify's rules up to version 1"),
        ('[Game "Petrify"]\n[Rules "0"]\n', 2, 1, None, "expected the version of the rules"),
        ('[Game "Petrify"]\n[Result "2-0"]\n', 2, 1, None, "the Result tag says '2-0'; expected 1-0, 0-1, 1/2-1/2"),
        ('[Game "Petrify"]\n[Score "many"]\n', 2, 1, None, "as in 29-16"),
        ('[Game "Petrify"]\n[first "a"]\n [FIRST "b"]', 3, 2, None, "the tag First is given twice"),
        ('[Game "Petrify"]\n[Site "a"]\n[site "b"]', 3, 1, None, "the tag site is given twice"),
        ('[Game "Pilo"]\n[Position "petrify b2/3/3 ply=1"]\n', 1, 1, None, "the position is one of Petrify"),
        ('[Size "4"]\n[Position "petrify b2/3/3 ply=1"]\n', 1, 1, None, "the board's side is 3"),
        ('[Position "petrify b2/3 ply=1"]\n', 1, 1, None, "the Position tag: the board has 2 rows"),
        (TAGS + "1. c3 z9", 4, 7, 2, "z9 names no square"),
        (TAGS + "1. c3\n\t2. hello", 5, 5, 2, "'hello' is no move; expected c3, c3xf6, pass or swap"),
        (TAGS + "1. c3 c3", 4, 7, 2, "c3: c3 holds a blue disk"),
        (TAGS + "1. c3 d4 2. d1 (2. a1 a2 3. a2)", 4, 29, 5, "a2: a2 holds an orange disk"),
        (TAGS + "c3 2 d4", 4, 4, 2, "expected a dot after the move number '2'"),
        (TAGS + "c3 d4)", 4, 6, 3, "expected a move, not ')'"),
        (TAGS + "(c3)", 4, 1, 1, "expected a move before its variation"),
        (TAGS + "c3 ( {x} )", 4, 10, 1, "expected a move in the variation"),
        (TAGS + "c3 d4\n(a1\n(a2 a3)", 5, 1, 3, "expected ) to close the variation that begins here"),
        (TAGS + "c3 (d4 1-0)", 4, 8, 2, "expected a move or ) in a variation, not '1-0'"),
        (TAGS + "! c3", 4, 1, 1, "expected a move before the mark !"),
        (TAGS + "c3 $256", 4, 4, 2, "'$256' is no mark"),
        (TAGS + "c3 $", 4, 4, 2, "'$' is no mark"),
        (TAGS + "c3 }", 4, 4, 2, "expected a move, not '}'"),
        (TAGS + "c3 {one\ntwo", 4, 4, None, "expected } to close the comment that begins here"),
        (TAGS + "c3 1-0 d4", 4, 8, 2, "expected the next game's tags after the result, not 'd4'"),
        (TAGS + 'c3 [First "Ana"]', 4, 4, 2, "expected the moves; tags come before them, not the tag First"),
        (TAGS + '[Result "0-1"]\n\nc3 1-0', 6, 4, 2, "the moves end in 1-0, but the Result tag says 0-1"),
        (TAGS + "c3 \ud800", 4, 4, None, "is not UTF-8"),
    ],
)
def test_an_error_says_where_it_is_and_what_was_expected(
    text: str, line: int, column: int, ply: int | None, sentence: str
) -> None:
    error = error_of(text)
    assert (error.line, error.column) == (line, column), error
    assert error.ply == ply, error
    assert sentence in error.message
    assert str(error).startswith(f"line {line}, column {column}")


def test_an_illegal_move_names_the_rule_and_the_squares() -> None:
    error = error_of('[Position "petrify 4/4/2o1/1#b1 ply=4"]\n\n3. c1xc2')
    assert error.rule is purlieu.Rule.MOUND
    assert "c1" in map(str, error.squares)
    assert str(error).startswith("line 3, column 4, ply 5: c1xc2: the block left on c1 would complete a mound")


def test_an_error_knows_what_was_expected() -> None:
    assert error_of('[Game "Petrify').expected == "a closing quote"
    assert error_of(TAGS + "c3 {").expected == "}"
    assert error_of(TAGS + "c3 hello").expected == "a move"


@pytest.mark.parametrize(
    ("tag", "sentence"),
    [
        ('[Result "{loss}"]', "the Result tag says {loss}, but the game was won by the {winner} seat"),
        ('[Result "1/2-1/2"]', "the Result tag says 1/2-1/2, but the game was won by the {winner} seat"),
        ('[Score "0-99"]', "the Score tag says 0-99, but the final score is {score}"),
    ],
)
def test_the_rules_decide_a_finished_game_whatever_its_tags_say(tag: str, sentence: str) -> None:
    record = whole_game("petrify", 3)
    win, loss, winner = ("1-0", "0-1", "first") if record.result == "1-0" else ("0-1", "1-0", "second")
    assert record.score is not None
    facts = {"loss": loss, "winner": winner, "score": "{}-{}".format(*record.score)}
    moves = " ".join(map(str, record.moves))
    error = error_of('[Game "Petrify"]\n[Size "3"]\n' + tag.format(**facts) + "\n\n" + moves)
    assert str(error) == f"line 3, column 1: {sentence.format(**facts)}"
    assert only(f'[Game "Petrify"] [Size "3"] [Result "*"] {moves} {win}').result == win
    assert error_of(f'[Game "Petrify"] [Size "3"]\n{moves} {loss}').line == 2


def test_a_draw_by_the_rules_is_nobody_s_win() -> None:
    draw = next(game for game in (whole_game("pyloff", 3, seed) for seed in range(100)) if game.result == "1/2-1/2")
    with pytest.raises(RecordError, match="the Result tag says 1-0, but the game was a draw"):
        Record(draw.start, draw.line, {"Result": "1-0"})


def test_a_record_made_by_a_program_is_checked_like_one_that_is_read() -> None:
    start = purlieu.start("petrify", 4)
    place = start.read_move("c3")
    with pytest.raises(RecordError, match=r"^ply 2: c3: c3 holds a blue disk"):
        Record.of(start, ["c3", "c3"])
    with pytest.raises(RecordError, match=r"^ply 1: 'hello' is no move"):
        Record.of(start, ["hello"])
    with pytest.raises(RecordError, match="expected a move in the variation"):
        Record(start, (Node(place, variations=((),)),))
    with pytest.raises(RecordError, match="is no mark"):
        Node(place, marks=("!!!",))
    with pytest.raises(RecordError, match="half a character"):
        Node(place, comment="\ud800")
    with pytest.raises(RecordError, match="half a character"):
        Record(start, tags={"First": "\udc80"})
    with pytest.raises(RecordError, match="names no tag"):
        Record(start, tags={"no tag": "x"})
    with pytest.raises(RecordError, match="the Game tag says Pilo"):
        Record(start, tags={"Game": "Pilo"})
    with pytest.raises(RecordError, match="another position"):
        Record(start, tags={"Position": "petrify b3/4/4/4 ply=1"})
    with pytest.raises(RecordError, match="more than 500 tags"):
        Record(start, tags={f"x{number}": "" for number in range(501)})


def test_there_is_a_bound_on_the_moves_of_one_record() -> None:
    variations = "(1. d4)" * MOST_MOVES
    assert f"more than {MOST_MOVES} moves" in error_of(f"{TAGS}c3 {variations}").message
    start = purlieu.start("petrify", 4)
    node = Node(start.read_move("c3"), variations=((Node(start.read_move("d4")),),) * MOST_MOVES)
    with pytest.raises(RecordError, match=f"more than {MOST_MOVES} moves"):
        Record(start, (node,))


def test_an_error_survives_the_way_to_another_process() -> None:
    error = error_of(TAGS + "1. c3 c3")
    back = pickle.loads(pickle.dumps(error))
    assert (str(back), back.line, back.rule, back.squares) == (str(error), error.line, error.rule, error.squares)
