"""The talk at the table: a line typed, an answer printed. Nothing that is typed makes it raise."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.text import Text

from purlieu.players import choose_greedy
from purlieu.rules import BadNotation, IllegalMove, Move, PurlieuError, Seat, Square
from purlieu.rules.moves import SWAP, Pass, Swap
from purlieu.rules.notation import LETTERS, shown
from purlieu.rules.pentwall import PentwallPosition
from purlieu.sentences import effect_text

from . import answers
from .board import Marks
from .commands import ALIASES, generous, help_lines, nearest, words_for
from .count import summary, verdict, walk
from .opinions import hint_text, opinion_line, opinion_table
from .pentwall_hand import Hand, hand_lines, handled, pick, pool_lines
from .saving import Saver
from .screen import Screen
from .status import moment
from .table import Table, is_forced_pass
from .thinking import Thinking

Pause = Callable[[str], str]
"""Asks for Enter and gives what was typed before it."""
LONGEST_ANALYSIS = 3600


class Session:
    """One sitting at a table. `enter` takes what was typed; `done` says when it is over."""

    def __init__(
        self,
        table: Table,
        screen: Screen,
        saver: Saver | None = None,
        pause: Pause | None = None,
        *,
        thinking: Thinking | None = None,
        again: Sequence[str] = (),
    ) -> None:
        self.table = table
        self.screen = screen
        self.saver = saver or Saver()
        self.pause = pause
        self.thinking = thinking or Thinking(screen)
        self.hand: Hand | None = None
        self.done = False
        self.refused = 0
        """How many lines were not understood or not legal; a script may want to know."""
        self.again = again
        """What ``purlieu play`` needs besides, to go on against the same opponent."""
        self._counted = False
        self._held_in: Path | None = None
        """The file that holds the game as it stands, if one does."""

    # -- the flow of a game -------------------------------------------------------------------

    def begin(self) -> None:
        """Shows the board and lets the computer begin if it is its turn."""
        self._go_on([])

    @property
    def prompt(self) -> str:
        """What stands before the cursor."""
        return "game over> " if self.table.is_finished else f"{self.table.position.colour_to_move.title}> "

    def enter(self, line: str) -> None:
        """One typed line: a command or a move."""
        word, _, rest = line.strip().partition(" ")
        command = ALIASES.get(word.lower(), word.lower())
        try:
            if not word:
                return
            if command in words_for(self.table.position.game):
                self._command(command, rest.strip(), forced=word.endswith("!"))
            elif self._is_letter(word) and not rest:
                self._take(word)
            else:
                self._play(generous(line, self.table.position.game))
        except IllegalMove as error:
            self._refuse(answers.refusal_lines(error.move, error.refusal, self.table.positions, self.screen))
        except BadNotation as error:
            known = command in words_for(self.table.position.game)
            near = None if known else nearest(word, self.table.position.game)
            told = f"{error}." if known else f"{error}. For a list: help."
            self._refuse([Text(f"{printable_word(word)}: did you mean {near}?" if near else told)])
        except PurlieuError as error:
            self._refuse([Text(f"{error}.")])
        except OSError as error:
            self._refuse([Text(f"{_told_by(error)}.")])

    def _refuse(self, lines: list[Text]) -> None:
        self.refused += 1
        for line in lines:
            if line.cell_len > self.screen.width:
                self.screen.say(line.plain)
            else:
                self.screen.lines([line])

    def _play(self, text: str) -> None:
        before = self.table.position
        move = self.table.play(text)
        self.hand = None
        self._go_on([self._told(before.colour_to_move.title, move)] if isinstance(move, Pass | Swap) else [])

    def _go_on(self, told: list[str]) -> None:
        """After a person's move: forced passes and the computer's moves, then the board and whose turn it is."""
        position = self.table.position
        if position.to_move in self.table.computers:
            self._keep()  # so that nothing is lost, whatever ends the computer's thinking
        if self._is_slow():
            self.screen.say(f"{position.colour_to_move.title} is thinking…", style="grey50")
        for move in self.table.replies():
            told.append(self._told(position.colour_to_move.title, move, forced=is_forced_pass(position)))
            position = self.table.position
        for sentence in told:
            self.screen.say(sentence)
        self.show()
        self._keep()
        if self.thinking.tells:
            self._tell_opinion()
        if self.table.is_finished:
            self._finish()
        elif position.explain(SWAP) is None:
            mine, theirs = position.colour_to_move.title, position.colour_to_move.other.title
            self.screen.say(
                f"Pie rule: this once {mine} may type swap instead, to take over {theirs} with its first move; "
                f"the first seat then goes on as {mine}."
            )

    def _is_slow(self) -> bool:
        """Whether greedy, which cannot be watched, has a big pyramid to look at."""
        position = self.table.position
        greedy = self.table.computers.get(position.to_move) is choose_greedy
        return greedy and position.game == "pyloff" and position.size > 8

    def _told(self, colour: str, move: Move, *, forced: bool = False) -> str:
        match move:
            case Pass():
                what = "board play" if self.table.position.game in ("petrify", "pilo") else "legal play"
                return f"{colour} has no {what} and passes." if forced else f"{colour} passes."
            case Swap():
                return f"The seats swap colours: who was {colour} now plays {self.table.positions[0].colours[0].title}."
        return f"{colour} plays {move}."

    def _finish(self) -> None:
        if self.table.resigned:
            loser = self.table.position.colour_of(self.table.resigned)
            self.screen.say(f"{loser.title} resigns: {loser.other.title} wins.", style="bold")
            return
        if self.table.declared:
            self.screen.say(f"The record says {self.table.declared}. To play on: undo.", style="bold")
            return
        if not self._counted:
            self._counted = True
            self.screen.say("The game is over. The count:", style="bold")
            self._count()
            self.screen.say("Now: undo, count, save game.pur, or quit.", style="grey50")
        else:
            self.screen.lines(verdict(self.table.position))

    def show(self) -> None:
        """The board with everything that belongs beside it."""
        table = self.table
        position, last = table.position, table.last_move
        marks, extra = table.marks, []
        if self.hand:
            marks = Marks(marks.last, ghost=dict.fromkeys(self.hand.squares, self.hand.letter))
            extra = hand_lines(self.hand, self.screen.glyphs)
        names = {**dict.fromkeys(Seat, "you"), **table.names} if table.computers else table.names
        self.screen.say()
        self.screen.lines(
            moment(position, self.screen, marks, names=names, last=str(last) if last else None, extra=extra)
        )

    # -- commands -----------------------------------------------------------------------------

    def _command(self, command: str, rest: str, *, forced: bool) -> None:
        position, say = self.table.position, self.screen.say
        match command:
            case "help":
                self.screen.lines(help_lines(position.game, self.screen.width))
            case "moves":
                say(answers.moves_text(position, rest, self.screen.width))
            case "captures":
                say(answers.captures_text(position, rest, self.screen.width))
            case "why":
                self._why(rest)
            case "hint":
                say("The game is over." if position.is_over else hint_text(self.thinking.analyse(position)))
            case "analyse":
                self._analyse(rest)
            case "analysis":
                self._switch_analysis(rest.lower())
            case "score":
                for line in summary(position):
                    say(line)
                say(", ".join(f"{colour.title} {points}" for colour, points in position.score().items()))
            case "count":
                self._count()
            case "board":
                self.show()
            case "undo" | "redo":
                self._step(command)
            case "save":
                self.save(Path(os.path.expanduser(rest)) if rest else None, overwrite=forced)
            case "position":
                self.screen.raw(position.text())
            case "rules":
                from .rulebook import rule_lines

                self.screen.lines(rule_lines(position.game, self.screen))
            case "resign":
                self.table.resign()
                self._keep()
                self._finish()
            case "quit":
                self.done = True
            case _:
                self._hand_command(command, rest)

    def _why(self, text: str) -> None:
        if not text:
            self.screen.say("why what? For example: why c3xf6")
            return
        position = self.table.position
        move = position.read_move(generous(text, position.game))
        if refusal := position.explain(move):
            lines = answers.refusal_lines(str(move), refusal, self.table.positions, self.screen, always=True)
            self.screen.say(lines[0].plain)
            self.screen.lines(lines[1:])
        else:
            self.screen.say(effect_text(position, move))

    def _analyse(self, text: str) -> None:
        seconds = None
        if text:
            try:
                seconds = float(text.lower().removesuffix("s"))
            except ValueError:
                seconds = 0
            if not 0 < seconds <= LONGEST_ANALYSIS:
                raise PurlieuError(f"analyse takes seconds, up to {LONGEST_ANALYSIS}, as in analyse 5")
        if self.table.position.is_over:
            self.screen.say("The game is over.")
            return
        for line in opinion_table(self.thinking.analyse(self.table.position, seconds)):
            self.screen.say(line)

    def _switch_analysis(self, wanted: str) -> None:
        """On or off, or from one to the other."""
        if wanted not in ("on", "off", ""):
            raise PurlieuError("it is analysis on or analysis off; for the best moves here and now: analyse")
        self.thinking.tells = wanted == "on" or (not wanted and not self.thinking.tells)
        if not self.thinking.tells:
            self.screen.say("Analysis is off.")
            return
        self.screen.say(
            "Analysis is on. After every turn: the chance to win of the side to move, by how many points it should "
            "end ahead, and the best line. To end it: analysis off."
        )
        self._tell_opinion()

    def _tell_opinion(self) -> None:
        if not self.table.position.is_over:
            analysis = self.thinking.analyse(self.table.position, effort="quick")
            self.screen.lines([opinion_line(analysis, self.screen.glyphs, self.screen.width)])

    def _step(self, command: str) -> None:
        ended = "the resignation" if self.table.resigned else "the result"
        moves = self.table.undo() if command == "undo" else self.table.redo()
        self.hand = None
        self._counted = self._counted and self.table.is_finished
        names = ", ".join(map(str, moves)) or ended
        self.screen.say(f"{'Taken back' if command == 'undo' else 'Played again'}: {names}.")
        self._go_on([])

    def _count(self) -> None:
        steps = list(walk(self.table.position, self.screen))
        for number, lines in enumerate(steps, start=1):
            self.screen.say()
            self.screen.lines(lines)
            if self.pause and number < len(steps) and self.pause("Enter: go on, s: skip to the total> ").strip():
                self.screen.say()
                self.screen.lines(steps[-1])
                return

    # -- Pentwall's hand ----------------------------------------------------------------------

    def _hand_command(self, command: str, rest: str) -> None:
        if command == "pool":
            assert isinstance(self.table.position, PentwallPosition)
            self.screen.lines(pool_lines(self.table.position, self.screen.glyphs))
            return
        if command == "pick":
            self._take(rest)
            return
        if self.hand is None:
            raise PurlieuError("no pentomino is in hand; pick one first, as in pick W")
        self.hand = handled(self.hand, command, rest)
        if command == "paint" and self.hand:
            if self.hand.paint is None:
                raise PurlieuError("hold it over the sheet first, as in at c3")
            self._play(str(self.hand.paint))
            return
        self.show()

    def _take(self, letter: str) -> None:
        position = self.table.position
        assert isinstance(position, PentwallPosition)
        held_at: Square | None = self.hand.at if self.hand else None
        self.hand = pick(position, letter)
        if held_at:
            self.hand = self.hand.held_at(held_at).kept_on_sheet()
        self.show()

    def _is_letter(self, word: str) -> bool:
        return self.table.position.game == "pentwall" and len(word) == 1 and word.upper() in LETTERS

    # -- saving and leaving -------------------------------------------------------------------

    def save(self, path: Path | None = None, *, overwrite: bool = False) -> None:
        """Writes the game to that file, or to the one it is kept in."""
        from .keeping import save_game

        first = self.saver.path is None
        path = save_game(self.table, self.saver, path, overwrite=overwrite)
        self._held_in = self._held_in or path
        self.screen.say(f"Saved in {path}{', and kept there after every turn from now on' if first else ''}.")

    def _keep(self) -> None:
        """With ``--save`` the file always holds the game as it stands; if it cannot, that is said and play goes on."""
        from .keeping import save_game

        path = self.saver.path
        self._held_in = None
        if path and (self.table.moves or path.exists()):
            try:
                self._held_in = save_game(self.table, self.saver, path)
            except (PurlieuError, OSError) as error:
                self._refuse([Text(f"Not saved! {_told_by(error)}.")])

    def farewell(self) -> None:
        """On leaving: how to take an unfinished game up again, so that nothing is lost silently."""
        if self.table.is_finished or not self.table.moves:
            return
        if self._held_in:
            self.screen.say("Unfinished. To go on:")
            what = ["--load", str(self._held_in), "--save", str(self._held_in)]
        else:
            self.screen.say("Unfinished and not saved. To go on from this position:")
            what = [self.table.position.text()]
        self.screen.raw(f"  {shlex.join(['purlieu', 'play', *what, *self.again])}")


def _told_by(error: Exception) -> str:
    """What went wrong, and with which file."""
    if isinstance(error, OSError):
        return f"{error.filename or 'the file'}: {error.strerror or error}"
    return str(error)


def printable_word(word: str) -> str:
    """What was typed, fit to be repeated."""
    return word if word.isprintable() and len(word) <= 20 else shown(word)
