"""Columns for what the process of a lease has in common with others; the table of whose servers may serve the database."""

from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
        alter table node add column revision text collate "C" not null default '',
            add column common jsonb not null default '{}'""")
    op.execute("""
        create table schema_support (
            single boolean primary key default true constraint single_row check (single),
            oldest text collate "C" not null)""")
    op.execute("insert into schema_support (oldest) values ('0035')")
