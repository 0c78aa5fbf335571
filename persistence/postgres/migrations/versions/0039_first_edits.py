"""When each author of a document edited it first. Servers of the release before leave it to the default."""

from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # before the column, since nobody can edit from then until the end
    op.execute(
        """
create temporary table first_edit on commit drop as
select item_id, user_id, coalesce(agent, '') as agent, min(at) as at from document_update group by 1, 2, 3"""
    )
    op.execute("alter table document_author add column first_edited_at timestamptz not null default now()")
    op.execute(
        """
update document_author a set first_edited_at = coalesce(f.at, b.edited_at)
from document_author b left join first_edit f using (item_id, user_id, agent)
where (a.item_id, a.user_id, a.agent) = (b.item_id, b.user_id, b.agent)"""
    )
