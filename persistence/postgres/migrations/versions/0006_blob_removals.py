"""Create the table of blobs to delete."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "blob_removal",
        sa.Column("key", sa.Text(collation="C"), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
