"""Finds what an author created or wrote in without reading what others did."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("document_author_of_user", "document_author", ["user_id", "agent", "item_id"])
    op.create_index("item_created_by", "item", ["created_by_user", sa.text("coalesce(created_by_agent, '')"), "id"])
