"""When each author of a document edited it first. Servers of the release before leave it to the default."""

from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("alter table document_author add column first_edited_at timestamptz not null default now()")
    op.execute("update document_author set first_edited_at = edited_at")
    op.execute(
        """
update document_author a set first_edited_at = u.at
from (select item_id, user_id, coalesce(agent, '') as agent, min(at) as at from document_update group by 1, 2, 3) u
where (a.item_id, a.user_id, a.agent) = (u.item_id, u.user_id, u.agent)"""
    )
