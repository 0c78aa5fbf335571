"""Up to which snapshot of the database a process has let go of what changes of access end."""

from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("alter table node add column heard pg_snapshot not null default pg_current_snapshot()")
