"""Names in the order that people expect: a sort key beside each, and indexes of folders and roots by it."""

import sqlalchemy as sa
from alembic import op

from domain.sort_key import sort_key

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

_TABLES = ("account", "organization", "drive", "item")
_BATCH = 10_000
_NOBODY = "00000000-0000-0000-0000-000000000000"


def upgrade() -> None:
    for table in _TABLES:
        op.add_column(table, sa.Column("sort_key", sa.Text(collation="C"), nullable=True))
        _fill(table)
        op.alter_column(table, "sort_key", nullable=False)
    op.create_index(
        "item_children_by_name",
        "item",
        ["parent_id", "sort_key", "id"],
        postgresql_where=sa.text("trashed_at is null"),
    )
    op.create_index(
        "item_roots_by_name",
        "item",
        ["drive_id", "sort_key", "id"],
        postgresql_where=sa.text("parent_id is null and trashed_at is null"),
    )


def _fill(table: str) -> None:
    """Write the key of each name, some at a time, so that memory does not grow with the table."""
    connection, last = op.get_bind(), _NOBODY
    names = sa.text(f"select id, name from {table} where id > cast(:last as uuid) order by id limit {_BATCH}")
    write = sa.text(
        f"update {table} set sort_key = key.sort_key"
        f" from unnest(cast(:ids as uuid[]), cast(:keys as text[])) key (id, sort_key) where key.id = {table}.id"
    )
    while rows := connection.execute(names, {"last": last}).all():
        last = rows[-1].id
        keys = [sort_key(row.name) for row in rows]
        connection.execute(write, {"ids": [row.id for row in rows], "keys": keys})
