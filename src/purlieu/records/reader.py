"""Reading records from text, game by game, as a stream."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TextIO

from purlieu.rules import Message
from purlieu.rules.notation import shown

from .builder import Builder
from .errors import RecordError
from .games import GameText, game_texts
from .model import Record
from .tags import OPEN, add_tag, read_result, start_of
from .tokens import Kind, Token, tokens

OnError = Callable[[RecordError], None]


def read_records(source: Iterable[str] | TextIO, errors: OnError | None = None) -> Iterator[Record]:
    """The records of a text, each read when it is asked for; only one game is held at a time.

    The source is an open file or any pieces of text. The first error is raised; if `errors` is
    given, it is called with each error instead, and reading goes on at the next game's tags.
    """
    for text in game_texts(source):
        try:
            record = read_game(text)
        except RecordError as error:
            if errors is None:
                raise
            errors(error)
            continue
        if record:
            yield record


def loads(text: str) -> list[Record]:
    """All records of a text.

    >>> [record.moves for record in loads('[Game "Petrify"] 1. c3 swap')]
    [(Place(at=Square(column=3, row=3)), Swap())]
    """
    return list(read_records([text]))


def read_game(text: GameText) -> Record | None:
    """The record that the lines of one game hold; None if they hold nothing at all."""
    if text.error:
        raise text.error
    reader = _GameReader()
    for token in tokens(text.lines):
        reader.take(token)
    return reader.finish()


class _GameReader:
    """One game's tokens on their way into a Builder."""

    def __init__(self) -> None:
        self.tags: dict[str, str] = {}
        self.tag_tokens: dict[str, Token] = {}
        self.first_token: Token | None = None
        self.comments: list[str] = []
        """What was said before the first move; kept until the tags have told where the game starts."""
        self.builder: Builder | None = None
        self.open_variations: list[Token] = []
        self.result: Token | None = None

    def take(self, token: Token) -> None:
        """Read one more token."""
        if self.first_token is None:
            self.first_token = token
        try:
            if token.kind is Kind.TAG:
                self._tag(token)
            elif token.kind is not Kind.COMMENT:
                self._movetext(token)
            elif self.builder:
                self.builder.comment(token.text)
            else:
                self.comments.append(token.text)
        except RecordError as error:
            self._locate(error, token)
            raise

    def _tag(self, token: Token) -> None:
        if self.builder:
            raise _unexpected(Message("expected.moves", "the moves; tags come before them"), token)
        try:
            name = add_tag(self.tags, token.name, token.text)
        except RecordError as error:
            error.at(line=token.line, column=token.column)
            raise
        if name:
            self.tag_tokens[name] = token

    def _movetext(self, token: Token) -> None:
        builder = self.builder = self.builder or self._begin()
        if self.result:
            raise _unexpected(Message("expected.next_game", "the next game's tags after the result"), token)
        match token.kind:
            case Kind.NUMBER:
                builder.interrupt()
            case Kind.WORD:
                self._word(builder, token)
            case Kind.MARKS:
                for at in range(0, len(token.text), 2):
                    builder.mark(token.text[at : at + 2])
            case Kind.NAG:
                builder.mark(token.text)
            case Kind.OPEN:
                builder.open_variation()
                self.open_variations.append(token)
            case Kind.CLOSE if self.open_variations:
                builder.close_variation()
                self.open_variations.pop()
            case _:
                raise _unexpected(Message("expected.move", "a move"), token)

    def _begin(self) -> Builder:
        if not self.tags:
            raise RecordError(
                Message("record.expected_tag_first_as", 'expected a tag first, as in [Game "Petrify"]'),
                expected="a tag",
            )
        builder = Builder(start_of(self.tags))
        for comment in self.comments:
            builder.comment(comment)
        return builder

    def _word(self, builder: Builder, token: Token) -> None:
        if read_result(token.text) is None:
            if token.text.isdecimal():
                raise RecordError(
                    Message(
                        "record.expected_dot_after_move",
                        "expected a dot after the move number {text}",
                        text=shown(token.text),
                    ),
                    expected="a dot",
                )
            builder.play(token.text.replace("×", "x"))
        elif self.open_variations:
            raise _unexpected(Message("expected.move_or_close", "a move or ) in a variation"), token)
        else:
            self.result = token

    def finish(self) -> Record | None:
        """The record, when all tokens were taken."""
        if self.first_token is None:
            return None
        try:
            builder = self.builder or self._begin()
            if self.open_variations:
                raise RecordError(
                    Message("record.expected_to_close_variation", "expected ) to close the variation that begins here"),
                    expected=")",
                )
            self._weigh_result()
            return builder.finish(self.tags)
        except RecordError as error:
            self._locate(error, (self.open_variations or [self.first_token])[-1])
            raise

    def _weigh_result(self) -> None:
        """The result after the moves and the Result tag must agree; ``*`` says nothing."""
        said = self.result and read_result(self.result.text)
        if self.result is None or said is None or said == OPEN:
            return
        tag = self.tags.get("Result", OPEN)
        if tag not in (OPEN, said):
            raise RecordError(
                Message(
                    "record.moves_end_in_but",
                    "the moves end in {said}, but the Result tag says {tag}",
                    said=said,
                    tag=tag,
                ),
                line=self.result.line,
                column=self.result.column,
                expected=tag,
            )
        self.tags["Result"] = said
        self.tag_tokens.setdefault("Result", self.result)

    def _locate(self, error: RecordError, token: Token) -> None:
        """Tell the error the place of the tag it is about, or else of the token being read."""
        if error.tag:
            token = self.tag_tokens.get(error.tag, token)
            error.at(line=token.line, column=token.column)
        else:
            error.at(line=token.line, column=token.column, ply=self.builder.ply if self.builder else None)


def _unexpected(expected: str, token: Token) -> RecordError:
    tag = Message("expected.not_the_tag", "the tag {name}", name=token.name)
    what = tag if token.kind is Kind.TAG else shown(token.text)
    return RecordError(
        Message("record.expected_not_2", "expected {expected}, not {what}", expected=expected, what=what),
        expected=expected,
    )
