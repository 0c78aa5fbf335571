"""Add the first row kept beside a snapshot, and the schedule of compaction."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("document_snapshot", sa.Column("rows_from", sa.BigInteger(), nullable=True))
    op.create_table(
        "compaction_due",
        sa.Column("item_id", sa.Uuid(), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("item_id"),
    )
    op.create_index(op.f("ix_compaction_due_due_at"), "compaction_due", ["due_at"], unique=False)
    op.execute("""
        insert into compaction_due (item_id, sequence, due_at)
        select v.item_id, max(v.sequence), now() from document_version v
        where exists (select from document_update n where n.item_id = v.item_id) group by v.item_id""")
