"""When each session was last used, so that those that nobody uses any more can end."""

from alembic import op
from sqlalchemy import BigInteger, Column

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the column; a session that is there already was last used when it was made or when a game of its changed."""
    op.add_column("session", Column("seen_ms", BigInteger, nullable=False, server_default="0"))
    op.execute("UPDATE session SET seen_ms = created_ms")
    changed = "FROM holding JOIN game ON game.id = holding.game_id WHERE holding.session = session.token_hash"
    op.execute(
        f"UPDATE session SET seen_ms = (SELECT max(game.updated_ms) {changed}) "
        f"WHERE EXISTS (SELECT 1 {changed} AND game.updated_ms > session.created_ms)"
    )
    op.create_index("session_seen", "session", ["seen_ms"])
