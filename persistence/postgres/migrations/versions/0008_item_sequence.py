"""The number of the last update of a document's log, which was looked up in the log before."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("item", sa.Column("sequence", sa.BigInteger(), server_default=sa.text("0"), nullable=False))
    op.execute("""
        update item set sequence = numbered.last from (
            select item_id, max(sequence) as last from (
                select item_id, max(sequence) as sequence from document_update group by item_id
                union all select item_id, sequence from document_snapshot) each
            group by item_id) numbered
        where item.id = numbered.item_id""")
