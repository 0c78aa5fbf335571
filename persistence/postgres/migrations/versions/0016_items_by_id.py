"""An index of each drive's items by their ids, in which they are listed, in the place of one that lists no more."""

from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("item_of_drive", "item", ["drive_id", "id"])
    op.drop_index("item_in_drive", table_name="item")
