"""Tables for the bytes that documents and drives store, which a worker counts."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "document_storage",
        sa.Column("item_id", sa.UUID(), nullable=False),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("item_id"),
    )
    op.create_table(
        "drive_storage",
        sa.Column("drive_id", sa.UUID(), nullable=False),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["drive_id"], ["drive.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("drive_id"),
    )
    op.create_index(op.f("ix_drive_storage_bytes"), "drive_storage", ["bytes"], unique=False)
