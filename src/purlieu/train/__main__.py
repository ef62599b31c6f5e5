"""``python -m purlieu.train GAME --out RUN/ …``: the same as ``purlieu train``, for machines without its packages.

It needs nothing of the command line's (typer, rich), and takes the same options.
"""

from __future__ import annotations

import sys
from pathlib import Path

from purlieu.rules import PurlieuError

from .order import Order, require_packages
from .settings import parse_override

USAGE = (
    "usage: python -m purlieu.train GAME --out RUN [--hours H | --minutes M] [--games N] [--resume] [--tiny] "
    "[--settings FILE] [--set NAME=VALUE]… [--device cpu|cuda] [--seed N] [--from NET_OR_CHECKPOINT]"
)
FLAGS = ("--resume", "--tiny")
VALUES = ("--out", "--hours", "--minutes", "--games", "--settings", "--set", "--device", "--seed", "--from")


def read_order(arguments: list[str]) -> Order:
    """The order that a command line gives."""
    words: list[str] = []
    given: dict[str, list[str]] = {}
    rest = iter(arguments)
    for written in rest:
        name, equals, attached = written.partition("=")
        word = "--out" if name == "-o" else name if equals and name in VALUES else written
        if word in FLAGS:
            given[word] = []
        elif word in VALUES:
            value = attached if equals else next(rest, None)
            if value is None:
                raise PurlieuError(f"{word} lacks its value; {USAGE}")
            given.setdefault(word, []).append(value)
        elif word.startswith("-"):
            raise PurlieuError(f"there is no option {word}; {USAGE}")
        else:
            words.append(word)
    if len(words) != 1 or "--out" not in given:
        raise PurlieuError(f"a game and --out are needed; {USAGE}")
    overrides = dict(parse_override(text) for text in given.get("--set", []))
    if "--seed" in given:
        overrides["seed"] = _whole("--seed", given, least=0)
    return Order(
        words[0],
        Path(given["--out"][-1]),
        seconds=_seconds(given),
        games=_whole("--games", given, least=1) if "--games" in given else None,
        resume="--resume" in given,
        tiny="--tiny" in given,
        settings=Path(given["--settings"][-1]) if "--settings" in given else None,
        overrides=overrides,
        device=given["--device"][-1] if "--device" in given else None,
        begin_from=Path(given["--from"][-1]) if "--from" in given else None,
    )


def _seconds(given: dict[str, list[str]]) -> float | None:
    if "--hours" in given and "--minutes" in given:
        raise PurlieuError("one of --hours and --minutes is enough")
    if "--hours" in given:
        return 3600 * _number("--hours", given)
    return 60 * _number("--minutes", given) if "--minutes" in given else None


def _number(option: str, given: dict[str, list[str]]) -> float:
    try:
        number = float(given[option][-1])
    except ValueError:
        number = -1.0
    if not 0 < number < float("inf"):
        raise PurlieuError(f"{option} is {given[option][-1]!r}; expected a number above 0")
    return number


def _whole(option: str, given: dict[str, list[str]], least: int) -> int:
    text = given[option][-1]
    if not text.isdecimal() or int(text) < least:
        raise PurlieuError(f"{option} is {text!r}; expected a whole number, {least} or more")
    return int(text)


def main(arguments: list[str]) -> int:
    """Run it; whatever goes wrong ends in one sentence."""
    if {"-h", "--help"} & set(arguments):
        sys.stdout.write(f"{USAGE}\n")
        return 0
    try:
        order = read_order(arguments)
        require_packages()
        from .start import advice, train

        if word := advice(order):
            _tell(word)
        return 0 if train(order, _tell) else 130
    except (PurlieuError, OSError) as error:
        sys.stderr.write(f"purlieu: {error}\n")
        return 1
    except KeyboardInterrupt:
        return 130


def _tell(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
