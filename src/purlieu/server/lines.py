"""Lines of play that were asked about of late: a hand over the board asks about the same one again and again."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence

from .played import Played, begin, play_out

MOST_KEPT = 2_000

_kept: OrderedDict[bytes, Played] = OrderedDict()
_lock = threading.Lock()


def last_of(game: str, size: int | None, setup: str | None, moves: Sequence[str]) -> Played:
    """The position at the end of a line; only what was not played before is played now."""
    keys = _keys(game, size, setup, moves)
    with _lock:
        known = next((at for at in range(len(moves), -1, -1) if keys[at] in _kept), None)
        start = None if known is None else _kept[keys[known]]
    if start is None or known is None:
        known, start = 0, begin(game, size, setup)
    last = start
    for number, last in enumerate(play_out(start, moves[known:], known), start=known):
        _keep(keys[number], last)
    return last


def _keys(game: str, size: int | None, setup: str | None, moves: Sequence[str]) -> list[bytes]:
    """A name for the start of the line and for it after every move, each made from the one before."""
    key = hashlib.blake2b(f"{game} {size} {setup}".encode(), digest_size=16).digest()
    keys = [key]
    for move in moves:
        key = hashlib.blake2b(key + move.encode(), digest_size=16).digest()
        keys.append(key)
    return keys


def _keep(key: bytes, played: Played) -> None:
    with _lock:
        _kept[key] = played
        _kept.move_to_end(key)
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
