"""Who asks: a session, known by a secret that is stored as a hash only."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from functools import cached_property

from purlieu.rules import Seat

TOKEN_LENGTH = 43
"""256 random bits in URL-safe base64."""
ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"


@dataclass(frozen=True, repr=False)
class Who:
    """A caller with a session; the token never leaves this object except to its owner."""

    token: str

    @cached_property
    def session(self) -> str:
        """The session's name in the database."""
        return hash_of(self.token)

    def invite(self, game_id: str, seat: Seat) -> str:
        """The invitation to a seat of this caller's game: made from the session, so it can be told again."""
        return hmac.new(self.token.encode(), f"invite {game_id} {seat.value}".encode(), hashlib.sha256).hexdigest()


def new_token() -> str:
    """A secret that nobody can guess."""
    return secrets.token_urlsafe(32)


def hash_of(token: str) -> str:
    """What is stored of a secret."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def new_game_id() -> str:
    """A public name for a game, which nobody guesses either: 80 bits."""
    return "".join(secrets.choice(ALPHABET) for _ in range(16))
