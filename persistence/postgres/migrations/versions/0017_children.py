"""Add the number of a folder's children, and order grants by their time."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("item", sa.Column("children", sa.Integer(), server_default=sa.text("0"), nullable=False))
    op.execute("""
        update item set children = counted.children from (
            select parent_id, count(*) as children from item
            where parent_id is not null and trashed_at is null group by parent_id) counted
        where item.id = counted.parent_id""")
    op.create_index(
        "item_grant_newest",
        "item_grant",
        ["user_id", "created_at", "item_id"],
        postgresql_where=sa.text("user_id is not null"),
    )
