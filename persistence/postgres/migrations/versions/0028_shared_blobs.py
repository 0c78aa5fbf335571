"""A column for the key of an image's bytes, which copies in other documents share."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("image", sa.Column("blob", sa.UUID(), nullable=True))
    op.execute("update image set blob = id")
    op.alter_column("image", "blob", nullable=False)
    op.create_index(op.f("ix_image_blob"), "image", ["blob"], unique=False)
