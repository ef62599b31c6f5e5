"""``purlieu show``: a recorded game, replayed in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from purlieu.kit.streams import use_ascii
from purlieu.rules import Message, Position, Seat

from .options import Ascii, Command, GameNumber, Ply, examples
from .targets import find_record, moves_until

if TYPE_CHECKING:
    from purlieu.records import Record
    from purlieu.terminal.screen import Screen


def run(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A file of records, - for standard input, or a position in quotes.")
    ],
    game_number: GameNumber = 1,
    ply: Ply = None,
    no_pause: Annotated[bool, typer.Option("--no-pause", help="Print every position without waiting.")] = False,
    plain: Ascii = False,
) -> None:
    """Replay a game in the terminal.

    At a terminal Enter goes on, b goes back, a number goes to that turn, q quits.
    """
    from purlieu.terminal.keyboard import Keyboard
    from purlieu.terminal.screen import Screen

    if plain:
        use_ascii()
    screen = Screen()
    record = find_record(file, game_number)
    if ply is not None:
        at = moves_until(record, ply)
        print_moment(record, list(record.positions()), at, screen)
        return
    print_title(record, screen)
    positions = list(record.positions())
    keyboard = Keyboard(screen)
    last = len(record.moves)
    if no_pause or not keyboard.at_terminal:
        for at in range(last + 1):
            print_moment(record, positions, at, screen)
        return
    at = 0
    while True:
        print_moment(record, positions, at, screen)
        if at == last == 0:
            return
        line = keyboard.read(
            Message(
                "show.prompt", "{at} of {last}; Enter: next, b: back, e: end, a number, q: quit> ", at=at, last=last
            )
        )
        at, done = step(at, last, line)
        if done:
            return


RESULTS = {
    "1-0": Message("result.first_won", "first seat won"),
    "0-1": Message("result.second_won", "second seat won"),
    "1/2-1/2": Message("result.draw", "draw"),
    "*": Message("result.unfinished", "unfinished"),
}


def step(at: int, last: int, line: str | None) -> tuple[int, bool]:
    """Where an answer leads, and whether that is the end. Enter at the last position leaves."""
    match line.strip().lower() if line is not None else "q":
        case "":
            return min(at + 1, last), at == last
        case "q" | "quit" | "exit":
            return at, True
        case "b" | "back":
            return max(at - 1, 0), False
        case "e" | "end":
            return last, False
        case number if number.isdecimal() and len(number) < 7:
            return min(int(number), last), False
    return at, False


def print_title(record: Record, screen: Screen) -> None:
    """Who played what, and how it ended."""
    from purlieu.terminal.screen import said

    header = record.header
    players = f"{record.first} – {record.second}, " if (record.first, record.second) != ("?", "?") else ""
    date = f", {record.date}" if record.date != "?" else ""
    score = f", {header['Score']}" if "Score" in header else ""
    result = said(RESULTS[record.result])
    screen.say(f"{players}{header['Game']} {header['Size']}×{header['Size']}{date}: {result}{score}", style="bold")
    if record.comment:
        screen.say(record.comment)


def print_moment(record: Record, positions: list[Position], at: int, screen: Screen) -> None:
    """The position after so many moves of the record, with what was said about the move that led there."""
    from purlieu.terminal.board import last_move_marks
    from purlieu.terminal.count import verdict
    from purlieu.terminal.status import moment

    position = positions[at]
    before, move = (positions[at - 1], record.moves[at - 1]) if at else (None, None)
    names = {Seat.FIRST: record.first, Seat.SECOND: record.second}
    named = {seat: name for seat, name in names.items() if name != "?"}
    screen.say()
    last = None
    if move and before:
        marks = "".join(record.line[at - 1].marks)
        last = f"{move}{marks}"
        told = {"number": position.ply, "colour": before.colour_to_move.title, "move": last}
        screen.say(Message("show.move", "{number}. {colour} {move}", **told), style="bold")
    marked = last_move_marks(before, move, position)
    screen.lines(moment(position, screen, marked, names=named, last=last))
    if at:
        node = record.line[at - 1]
        for comment in (node.before, node.comment):
            if comment:
                screen.say(comment)
        for variation in node.variations:
            screen.say(Message("show.or", "Or: {moves}", moves=" ".join(str(other.move) for other in variation)))
    screen.lines(verdict(position))


COMMAND = Command(
    "show",
    run,
    examples(
        "purlieu show game.pur",
        "purlieu show game.pur --ply 12",
        "purlieu show games.jsonl --game 3 --no-pause | less",
    ),
)
