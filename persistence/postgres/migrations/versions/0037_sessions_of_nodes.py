"""A column for how the connections of the process of a lease are named, by which others end them."""

from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""alter table node add column sessions text collate "C" not null default ''""")
