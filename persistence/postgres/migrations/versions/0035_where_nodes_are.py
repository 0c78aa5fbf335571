"""The host and the process of a lease, and since when the process has it."""

from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
        alter table node add column host text collate "C" not null default '', add column pid bigint not null default 0,
            add column taken_at timestamptz not null default now()""")
