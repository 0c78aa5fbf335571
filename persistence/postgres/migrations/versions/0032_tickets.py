"""The table of tickets, which the process kept before."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "ticket",
        sa.Column("digest", sa.Text(collation="C"), nullable=False),
        sa.Column("opens", sa.Text(collation="C"), nullable=False),
        sa.Column("holder", sa.LargeBinary(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("digest"),
        prefixes=["UNLOGGED"],
    )
    op.create_index(op.f("ix_ticket_expires_at"), "ticket", ["expires_at"], unique=False)
