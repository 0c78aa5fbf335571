"""Add the transaction and snapshot of each event, by which readers find unread ones."""

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("alter table event add column transaction_id xid8 not null default '0', add column snapshot pg_snapshot")
    op.execute("alter table event alter column transaction_id set default pg_current_xact_id()")
    op.execute("alter table event alter column snapshot set default pg_current_snapshot()")
    op.create_index("event_news", "event", ["transaction_id", "sequence"], unique=False)
    op.create_index("event_news_of_drive", "event", ["drive_id", "transaction_id", "sequence"], unique=False)
