"""Create the table of the workers' progress in the audit."""

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
        create table worker_progress (
            worker text collate "C" primary key,
            snapshot pg_snapshot not null,
            at timestamptz not null default now())""")
