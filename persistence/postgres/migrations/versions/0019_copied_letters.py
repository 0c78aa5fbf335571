"""Names in each update of a log what was copied from letters that others wrote before."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("document_update", sa.Column("copied", sa.LargeBinary(), nullable=True))
