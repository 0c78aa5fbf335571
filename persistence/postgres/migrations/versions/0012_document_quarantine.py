"""Documents that were being loaded when a process died, so that the next ones can leave them alone."""

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
        create table document_quarantine (
            item_id uuid primary key references item on delete cascade,
            strikes integer not null,
            sequence bigint not null,
            since timestamptz not null)""")
