"""Create the tables of connected applications: clients, requests, codes, tokens and consents."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "oauth_client",
        sa.Column("id", sa.Text(collation="C"), nullable=False),
        sa.Column("name", sa.Text(collation="C"), nullable=False),
        sa.Column("redirect_uris", sa.ARRAY(sa.Text(collation="C")), nullable=False),
        sa.Column("refreshes", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "connected_app",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("client_id", sa.Text(collation="C"), nullable=False),
        sa.Column("name", sa.Text(collation="C"), nullable=False),
        sa.Column("scope", sa.Text(collation="C"), nullable=False),
        sa.Column("redirect_uri", sa.Text(collation="C"), nullable=False),
        sa.Column("organization_id", sa.Uuid(), nullable=True),
        sa.Column("connected_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["client_id"], ["oauth_client.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["organization_id"], ["organization.id"], ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["user_id"], ["account.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("user_id", "client_id", "scope"),
    )
    op.create_index(op.f("ix_connected_app_client_id"), "connected_app", ["client_id"], unique=False)
    op.create_table(
        "oauth_request",
        sa.Column("digest", sa.Text(collation="C"), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("client_id", sa.Text(collation="C"), nullable=False),
        sa.Column("redirect_uri", sa.Text(collation="C"), nullable=False),
        sa.Column("state", sa.Text(collation="C"), nullable=True),
        sa.Column("scope", sa.Text(collation="C"), nullable=False),
        sa.Column("resource", sa.Text(collation="C"), nullable=False),
        sa.Column("challenge", sa.Text(collation="C"), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["client_id"], ["oauth_client.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["session_id"], ["web_session.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["user_id"], ["account.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("digest"),
    )
    for column in ("client_id", "session_id", "user_id"):
        op.create_index(op.f(f"ix_oauth_request_{column}"), "oauth_request", [column], unique=False)
    op.create_table(
        "oauth_family",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("app_id", sa.Uuid(), nullable=False),
        sa.Column("resource", sa.Text(collation="C"), nullable=False),
        sa.Column("begun_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["app_id"], ["connected_app.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_oauth_family_app_id"), "oauth_family", ["app_id"], unique=False)
    op.create_table(
        "oauth_secret",
        sa.Column("digest", sa.Text(collation="C"), nullable=False),
        sa.Column("family_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(collation="C"), nullable=False),
        sa.Column("redirect_uri", sa.Text(collation="C"), nullable=True),
        sa.Column("challenge", sa.Text(collation="C"), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("spent_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("kind in ('access', 'refresh', 'code')", name="kind_known"),
        sa.ForeignKeyConstraint(["family_id"], ["oauth_family.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("digest"),
    )
    op.create_index(op.f("ix_oauth_secret_family_id"), "oauth_secret", ["family_id"], unique=False)
