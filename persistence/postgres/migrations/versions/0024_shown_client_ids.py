"""Keeps the Yjs client ids that editors showed and under which nobody has written yet, for who showed them."""

from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
        create table shown_client_id (
            item_id uuid references item on delete cascade,
            client bigint,
            user_id uuid not null references account,
            agent text collate "C",
            until timestamptz not null,
            primary key (item_id, client))""")
