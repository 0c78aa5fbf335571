"""An index of the names of items by all pieces of up to three characters that are in them, in lower case."""

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Its cost is what it takes beside comparing two numbers, so that no plan works it out for each row of a table.
    op.execute("""
        create function name_grams(name text) returns text[] language sql immutable strict parallel safe cost 5000
        return array(
            select distinct substr(folded, place, size)
            from lower(name collate "default") folded, generate_series(1, length(folded)) place, generate_series(1, 3) size
            where place + size <= length(folded) + 1)""")
    op.execute("create index item_name_grams on item using gin (name_grams(name)) with (fastupdate = off)")
