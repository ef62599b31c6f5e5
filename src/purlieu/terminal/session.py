"""The talk at the table: a line typed, an answer printed. Nothing that is typed makes it raise."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.text import Text

from purlieu.kit.files import told_by
from purlieu.players import choose_greedy
from purlieu.rules import BadNotation, IllegalMove, Message, Move, PurlieuError, Seat, Square
from purlieu.rules.ledger import score_text
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
from .screen import Screen, said
from .status import moment
from .table import Table, is_forced_pass
from .thinking import Thinking

Pause = Callable[[str], str]
"""Asks for Enter and gives what was typed before it."""
LONGEST_ANALYSIS = 3600
GAME_OVER = Message("over", "The game is over.")
GO_ON = Message("prompt.count", "Enter: go on, s: skip to the total> ")


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
        if self.table.is_finished:
            return Message("prompt.over", "game over> ")
        return Message("prompt.turn", "{colour}> ", colour=self.table.position.colour_to_move.title)

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
            if command in words_for(self.table.position.game):
                told = answers.sentence_of(error.sentence)
            elif near := nearest(word, self.table.position.game):
                told = Message("refused.near", "{word}: did you mean {near}?", word=printable_word(word), near=near)
            else:
                told = Message("refused.help", "{why}. For a list: help.", why=error)
            self._refuse([Text(said(told))])
        except PurlieuError as error:
            self._refuse([Text(said(answers.sentence_of(error.sentence)))])
        except OSError as error:
            self._refuse([Text(said(answers.sentence_of(_told_by(error))))])

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
            who = position.colour_to_move.title
            self.screen.say(Message("play.thinking", "{colour} is thinking…", colour=who), style="grey50")
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
                Message(
                    "play.pie_rule",
                    "Pie rule: this once {mine} may type swap instead, to take over {theirs} with its first move; "
                    "the first seat then goes on as {mine}.",
                    mine=mine,
                    theirs=theirs,
                )
            )

    def _is_slow(self) -> bool:
        """Whether greedy, which cannot be watched, has a big pyramid to look at."""
        position = self.table.position
        greedy = self.table.computers.get(position.to_move) is choose_greedy
        return greedy and position.game == "pyloff" and position.size > 8

    def _told(self, colour: str, move: Move, *, forced: bool = False) -> str:
        match move:
            case Pass() if not forced:
                return Message("play.pass", "{colour} passes.", colour=colour)
            case Pass() if self.table.position.game in ("petrify", "pilo"):
                return Message("play.no_board_play", "{colour} has no board play and passes.", colour=colour)
            case Pass():
                return Message("play.no_legal_play", "{colour} has no legal play and passes.", colour=colour)
            case Swap():
                return Message(
                    "play.swap",
                    "The seats swap colours: who was {was} now plays {now}.",
                    was=colour,
                    now=self.table.positions[0].colours[0].title,
                )
        return Message("play.move", "{colour} plays {move}.", colour=colour, move=move)

    def _finish(self) -> None:
        if self.table.resigned:
            loser = self.table.position.colour_of(self.table.resigned)
            told = {"loser": loser.title, "winner": loser.other.title}
            self.screen.say(Message("over.resigns", "{loser} resigns: {winner} wins.", **told), style="bold")
            return
        if result := self.table.result:
            sentence = Message("over.record_says", "The record says {result}. To play on: undo.", result=result)
            self.screen.say(sentence, style="bold")
            return
        if not self._counted:
            self._counted = True
            self.screen.say(Message("over.count", "The game is over. The count:"), style="bold")
            self._count()
            self.screen.say(Message("over.now", "Now: undo, count, save game.pur, or quit."), style="grey50")
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
        names = {**dict.fromkeys(Seat, Message("status.you", "you")), **table.names} if table.computers else table.names
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
                say(GAME_OVER if position.is_over else hint_text(self.thinking.analyse(position)))
            case "analyse":
                self._analyse(rest)
            case "analysis":
                self._switch_analysis(rest.lower())
            case "score":
                for line in summary(position):
                    say(line)
                say(score_text(position.score()))
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
            self.screen.say(Message("why.what", "why what? For example: why c3xf6"))
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
                raise PurlieuError(
                    "analysis.seconds",
                    "analyse takes seconds, up to {most}, as in analyse 5",
                    most=LONGEST_ANALYSIS,
                )
        if self.table.position.is_over:
            self.screen.say(GAME_OVER)
            return
        for line in opinion_table(self.thinking.analyse(self.table.position, seconds)):
            self.screen.say(line)

    def _switch_analysis(self, wanted: str) -> None:
        """On or off, or from one to the other."""
        if wanted not in ("on", "off", ""):
            raise PurlieuError(
                "analysis.on_or_off",
                "it is analysis on or analysis off; for the best moves here and now: analyse",
            )
        self.thinking.tells = wanted == "on" or (not wanted and not self.thinking.tells)
        if not self.thinking.tells:
            self.screen.say(Message("analysis.is_off", "Analysis is off."))
            return
        self.screen.say(
            Message(
                "analysis.is_on",
                "Analysis is on. After every turn: the chance to win of the side to move, by how many points it "
                "should end ahead, and the best line. To end it: analysis off.",
            )
        )
        self._tell_opinion()

    def _tell_opinion(self) -> None:
        if not self.table.position.is_over:
            analysis = self.thinking.analyse(self.table.position, effort="quick")
            self.screen.lines([opinion_line(analysis, self.screen.glyphs, self.screen.width)])

    def _step(self, command: str) -> None:
        ended = Message("undo.result", "the result")
        if self.table.resigned:
            ended = Message("undo.resignation", "the resignation")
        moves = self.table.undo() if command == "undo" else self.table.redo()
        self.hand = None
        self._counted = self._counted and self.table.is_finished
        names = ", ".join(map(str, moves)) or ended
        taken_back = Message("undo.taken_back", "Taken back: {moves}.", moves=names)
        played_again = Message("undo.played_again", "Played again: {moves}.", moves=names)
        self.screen.say(taken_back if command == "undo" else played_again)
        self._go_on([])

    def _count(self) -> None:
        steps = list(walk(self.table.position, self.screen))
        for number, lines in enumerate(steps, start=1):
            self.screen.say()
            self.screen.lines(lines)
            if self.pause and number < len(steps) and self.pause(GO_ON).strip():
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
            raise PurlieuError("hand.empty", "no pentomino is in hand; pick one first, as in pick W")
        self.hand = handled(self.hand, command, rest)
        if command == "paint" and self.hand:
            if self.hand.paint is None:
                raise PurlieuError("hand.nowhere", "hold it over the sheet first, as in at c3")
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
        kept = Message("save.kept", "Saved in {path}, and kept there after every turn from now on.", path=path)
        self.screen.say(kept if first else Message("save.done", "Saved in {path}.", path=path))

    def _keep(self) -> None:
        """With ``--save`` the file always holds the game as it stands; if it cannot, that is said and play goes on."""
        from .keeping import save_game

        path = self.saver.path
        self._held_in = None
        if path and (self.table.moves or path.exists()):
            try:
                self._held_in = save_game(self.table, self.saver, path)
            except (PurlieuError, OSError) as error:
                self._refuse([Text(said(Message("save.failed", "Not saved! {why}.", why=_told_by(error))))])

    def farewell(self) -> None:
        """On leaving: how to take an unfinished game up again, so that nothing is lost silently."""
        if self.table.is_finished or not self.table.moves:
            return
        if self._held_in:
            self.screen.say(Message("farewell.saved", "Unfinished. To go on:"))
            what = ["--load", str(self._held_in), "--save", str(self._held_in)]
        else:
            self.screen.say(Message("farewell.unsaved", "Unfinished and not saved. To go on from this position:"))
            what = [self.table.position.text()]
        self.screen.raw(f"  {shlex.join(['purlieu', 'play', *what, *self.again])}")


def _told_by(error: PurlieuError | OSError) -> str:
    """What went wrong, and with which file."""
    if isinstance(error, OSError):
        file = error.filename or Message("file", "the file")
        return Message("file.failed", "{file}: {why}", file=file, why=told_by(error))
    return error.sentence


def printable_word(word: str) -> str:
    """What was typed, fit to be repeated."""
    return word if word.isprintable() and len(word) <= 20 else shown(word)
