"""The first schema."""

from alembic import op
from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Integer,
    PrimaryKeyConstraint,
    String,
    Text,
    UniqueConstraint,
)

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make every table."""
    op.create_table(
        "game",
        Column("id", String(16), primary_key=True),
        Column("kind", String(16), nullable=False),
        Column("size", Integer, nullable=False),
        Column("rules_version", Integer, nullable=False),
        Column("opening", Text, nullable=False),
        Column("clock", Text, nullable=False),
        Column("status", String(8), nullable=False),
        Column("winner", String(8)),
        Column("end_reason", Text),
        Column("v", Integer, nullable=False),
        Column("epoch", Integer, nullable=False),
        Column("ply", Integer, nullable=False),
        Column("hash", String(32), nullable=False),
        Column("deadline_ms", BigInteger),
        Column("created_ms", BigInteger, nullable=False),
        Column("updated_ms", BigInteger, nullable=False),
        CheckConstraint("kind IN ('petrify', 'pilo', 'pentwall', 'pyloff')", name="game_kind"),
        CheckConstraint("size BETWEEN 3 AND 19", name="game_size"),
        CheckConstraint("ply >= 0 AND v >= 0 AND epoch >= 0", name="game_counts"),
        CheckConstraint("status IN ('waiting', 'active', 'over')", name="game_status"),
        CheckConstraint("(status = 'over') = (end_reason IS NOT NULL)", name="game_ended"),
    )
    op.create_table(
        "event",
        Column("game_id", String(16), ForeignKey("game.id"), nullable=False),
        Column("v", Integer, nullable=False),
        Column("kind", String(16), nullable=False),
        Column("epoch", Integer, nullable=False),
        Column("ply", Integer),
        Column("seat", String(8)),
        Column("data", Text, nullable=False),
        Column("at_ms", BigInteger, nullable=False),
        PrimaryKeyConstraint("game_id", "v"),
        UniqueConstraint("game_id", "epoch", "ply", name="event_one_move_a_ply"),
        CheckConstraint("(kind = 'move') = (ply IS NOT NULL)", name="event_ply"),
        CheckConstraint("v >= 1", name="event_v"),
    )
    op.create_table(
        "seat",
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
    op.create_table(
        "session",
        Column("token_hash", String(64), primary_key=True),
        Column("created_ms", BigInteger, nullable=False),
    )
    op.create_table(
        "holding",
        Column("game_id", String(16), ForeignKey("game.id"), nullable=False),
        Column("seat", String(8), nullable=False),
        Column("session", String(64), ForeignKey("session.token_hash"), nullable=False),
        PrimaryKeyConstraint("game_id", "seat", "session"),
    )
    op.create_table(
        "handover",
        Column("token_hash", String(64), primary_key=True),
        Column("game_id", String(16), ForeignKey("game.id"), nullable=False),
        Column("seat", String(8), nullable=False),
        Column("expires_ms", BigInteger, nullable=False),
        Column("used_ms", BigInteger),
    )
    op.create_table(
        "ai_job",
        Column("game_id", String(16), ForeignKey("game.id"), primary_key=True),
        Column("epoch", Integer, nullable=False),
        Column("ply", Integer, nullable=False),
        Column("level", Integer, nullable=False),
        Column("created_ms", BigInteger, nullable=False),
    )
    op.create_table(
        "idem",
        Column("session", String(64), nullable=False),
        Column("key_hash", String(64), nullable=False),
        Column("request_hash", String(64), nullable=False),
        Column("game_id", String(16), nullable=False),
        Column("at_ms", BigInteger, nullable=False),
        PrimaryKeyConstraint("session", "key_hash"),
    )
    op.create_table(
        "meta",
        Column("id", Integer, primary_key=True),
        Column("last_alive_ms", BigInteger, nullable=False),
        CheckConstraint("id = 1", name="meta_one_row"),
    )
    op.create_index("game_deadline", "game", ["status", "deadline_ms"])
    op.create_index("holding_session", "holding", ["session"])
