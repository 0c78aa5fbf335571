"""Keeps each approval of an application for one resource: what it was approved for moves there from its tokens."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("connected_app", sa.Column("resource", sa.Text(collation="C"), nullable=True))
    # An approval without tokens was for the one address that there was, at the origin of the last start.
    op.execute("""
        update connected_app p set resource = coalesce(
            (select f.resource from oauth_family f where f.app_id = p.id order by f.begun_at desc, f.id desc limit 1),
            (select origin || '/api/v1/mcp' from service_origin))""")
    op.execute("delete from connected_app where resource is null")
    op.execute("delete from oauth_family f using connected_app p where p.id = f.app_id and p.resource <> f.resource")
    op.alter_column("connected_app", "resource", nullable=False)
    op.drop_constraint("connected_app_user_id_client_id_scope_key", "connected_app")
    op.create_unique_constraint(None, "connected_app", ["user_id", "client_id", "scope", "resource"])
    op.drop_column("oauth_family", "resource")
