"""Makes a table of one row for the key that signs cursors, which the server makes at its next start."""

from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
        create table cursor_key (
            single boolean primary key default true constraint single_row check (single),
            key bytea not null)""")
