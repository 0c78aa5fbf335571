"""Create the table of the server's public address."""

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
        create table service_origin (
            single boolean primary key default true constraint single_row check (single),
            origin text collate "C" not null)""")
