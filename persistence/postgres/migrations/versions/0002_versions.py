"""Create the tables of versions and of compacted logs."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "document_version",
        sa.Column("item_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(collation="C"), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("byte_size", sa.Integer(), nullable=False),
        sa.Column("restored_from", sa.Integer(), nullable=True),
        sa.Column("whole", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("state", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("item_id", "number"),
        sa.UniqueConstraint("item_id", "sequence"),
    )
    op.create_table(
        "document_version_author",
        sa.Column("item_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("agent", sa.Text(collation="C"), nullable=False),
        sa.Column("edited_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["item_id", "number"], ["document_version.item_id", "document_version.number"], ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["account.id"]),
        sa.PrimaryKeyConstraint("item_id", "number", "user_id", "agent"),
    )
    op.add_column("document_snapshot", sa.Column("credits", sa.LargeBinary(), nullable=True))
