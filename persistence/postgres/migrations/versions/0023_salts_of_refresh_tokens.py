"""Keeps for a moment what the successor of a refresh token was made of, so that its client gets the same one again."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("oauth_secret", sa.Column("salt", sa.Text(collation="C"), nullable=True))
