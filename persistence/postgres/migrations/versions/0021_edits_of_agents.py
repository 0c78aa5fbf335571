"""Finds the last edit of an agent without reading others."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "event_of_agent",
        "event",
        ["user_id", "agent", "sequence"],
        postgresql_where=sa.text("agent is not null and type = 'documentEdited'"),
    )
