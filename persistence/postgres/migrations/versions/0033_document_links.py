"""The table of the links between documents and items; has all documents indexed again, whose links are read from now on."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "document_link",
        sa.Column("item_id", sa.UUID(), nullable=False),
        sa.Column("linked_id", sa.UUID(), nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["linked_id"], ["item.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("item_id", "linked_id"),
    )
    op.create_index("document_link_to", "document_link", ["linked_id", "item_id"], unique=False)
    op.execute("update document_text set sequence = 0")
    op.execute("delete from worker_progress where worker = 'search'")
