"""Create the search index of content."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "document_text",
        sa.Column("item_id", sa.Uuid(), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("passages", postgresql.ARRAY(sa.Text(collation="C")), nullable=False),
        sa.Column("folded", postgresql.ARRAY(sa.Text(collation="C")), nullable=False),
        sa.Column("words", postgresql.TSVECTOR(), nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("item_id"),
    )
    op.create_index("ix_document_text_words", "document_text", ["words"], unique=False, postgresql_using="gin")
