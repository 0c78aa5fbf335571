"""A column for what is searched of the name of an item, which a worker fills, and indexes of its pieces and words."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("item", sa.Column("folded_name", sa.Text(collation="C"), nullable=True))
    op.execute("""
        create function name_words(folded text) returns tsvector language sql immutable strict parallel safe cost 1000
        return array_to_tsvector(array_remove(string_to_array(split_part(folded, chr(10), 3), ' '), ''))""")
    op.execute("drop index item_name_grams")
    op.execute("""
        create index item_name_grams on item using gin (name_grams(coalesce(folded_name, name)))
        with (fastupdate = off)""")
    op.execute("create index item_name_words on item using gin (name_words(folded_name)) with (fastupdate = off)")
    op.execute("create index item_unfolded on item (id) where folded_name is null")
