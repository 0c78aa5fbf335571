"""Record which secrets were mailed, and limit grants to verified addresses."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("invitation", "link"):
        op.add_column(table, sa.Column("mailed", sa.Boolean(), server_default=sa.text("false"), nullable=False))
    op.drop_column("organization_member", "invited")
    op.create_index(op.f("ix_item_grant_given_by"), "item_grant", ["given_by"], unique=False)
    op.execute(
        "update item_grant set user_id = null from account a"
        " where a.id = item_grant.user_id and a.email_proved_at is null"
    )
