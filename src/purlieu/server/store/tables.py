"""The tables, the same on SQLite and PostgreSQL. The log of events is the truth; a game's row is its last line."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

game = Table(
    "game",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("size", Integer, nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("opening", Text, nullable=False),  # JSON: the moves that stood on the board when the game was made
    Column("clock", Text, nullable=False),  # JSON: the clock's rules, or null
    Column("status", String(8), nullable=False),
    Column("winner", String(8)),
    Column("ending", Text),
    Column("v", Integer, nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("ply", Integer, nullable=False),
    Column("hash", String(32), nullable=False),  # of the position's text, so that a replay can be held to it
    Column("deadline_ms", BigInteger),
    Column("created_ms", BigInteger, nullable=False),
    Column("updated_ms", BigInteger, nullable=False),
    CheckConstraint("kind IN ('petrify', 'pilo', 'pentwall', 'pyloff')", name="game_kind"),
    CheckConstraint("size BETWEEN 3 AND 19", name="game_size"),
    CheckConstraint("ply >= 0 AND v >= 0 AND epoch >= 0", name="game_counts"),
    CheckConstraint("status IN ('waiting', 'active', 'over')", name="game_status"),
    CheckConstraint("(status = 'over') = (ending IS NOT NULL)", name="game_ended"),
    Index("game_deadline", "status", "deadline_ms"),
)

event = Table(
    "event",
    metadata,
    Column("game_id", String(16), ForeignKey("game.id"), nullable=False),
    Column("v", Integer, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("ply", Integer),
    Column("seat", String(8)),
    Column("data", Text, nullable=False),  # JSON
    Column("at_ms", BigInteger, nullable=False),
    PrimaryKeyConstraint("game_id", "v"),
    UniqueConstraint("game_id", "epoch", "ply", name="event_one_move_a_ply"),
    CheckConstraint("(kind = 'move') = (ply IS NOT NULL)", name="event_ply"),
    CheckConstraint("v >= 1", name="event_v"),
)

seat = Table(
    "seat",
    metadata,
    Column("game_id", String(16), ForeignKey("game.id"), nullable=False),
    Column("seat", String(8), nullable=False),
    Column("kind", String(8), nullable=False),
    Column("level", Integer),
    Column("invite_hash", String(64)),
    Column("claimed_ms", BigInteger),
    PrimaryKeyConstraint("game_id", "seat"),
    CheckConstraint("seat IN ('first', 'second')", name="seat_seat"),
    CheckConstraint("(kind = 'computer') = (level IS NOT NULL)", name="seat_level"),
)

session = Table(
    "session",
    metadata,
    Column("token_hash", String(64), primary_key=True),
    Column("created_ms", BigInteger, nullable=False),
    Column("seen_ms", BigInteger, nullable=False, server_default="0"),  # the last use, noted once a day
    Index("session_seen", "seen_ms"),
)

holding = Table(
    "holding",
    metadata,
    Column("game_id", String(16), ForeignKey("game.id"), nullable=False),
    Column("seat", String(8), nullable=False),
    Column("session", String(64), ForeignKey("session.token_hash"), nullable=False),
    PrimaryKeyConstraint("game_id", "seat", "session"),
    Index("holding_session", "session"),
)

handover = Table(
    "handover",
    metadata,
    Column("token_hash", String(64), primary_key=True),
    Column("game_id", String(16), ForeignKey("game.id"), nullable=False),
    Column("seat", String(8), nullable=False),
    Column("expires_ms", BigInteger, nullable=False),
    Column("used_ms", BigInteger),
)

ai_job = Table(
    "ai_job",
    metadata,
    Column("game_id", String(16), ForeignKey("game.id"), primary_key=True),
    Column("epoch", Integer, nullable=False),
    Column("ply", Integer, nullable=False),
    Column("level", Integer, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
)

idem = Table(
    "idem",
    metadata,
    Column("session", String(64), nullable=False),
    Column("key_hash", String(64), nullable=False),
    Column("request_hash", String(64), nullable=False),
    Column("game_id", String(16), nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    PrimaryKeyConstraint("session", "key_hash"),
)

meta = Table(
    "meta",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("last_alive_ms", BigInteger, nullable=False),
    CheckConstraint("id = 1", name="meta_one_row"),
)
