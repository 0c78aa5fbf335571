"""Create the first tables."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "account",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(collation="C"), nullable=False),
        sa.Column("email", sa.Text(collation="C"), nullable=False),
        sa.Column("email_proved_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("password_hash", sa.Text(collation="C"), nullable=True),
        sa.Column("disabled_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("email"),
    )
    op.create_table(
        "event",
        sa.Column("sequence", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("type", sa.Text(collation="C"), nullable=False),
        sa.Column("drive_id", sa.Uuid(), nullable=True),
        sa.Column("item_id", sa.Uuid(), nullable=True),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("agent", sa.Text(collation="C"), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("details", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.PrimaryKeyConstraint("sequence"),
    )
    op.create_index("event_of_drive", "event", ["drive_id", "sequence"], unique=False)
    op.create_table(
        "organization",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(collation="C"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "api_key",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("digest", sa.Text(collation="C"), nullable=False),
        sa.Column("name", sa.Text(collation="C"), nullable=False),
        sa.Column("agent", sa.Text(collation="C"), nullable=True),
        sa.Column("organization_id", sa.Uuid(), nullable=True),
        sa.Column("prefix", sa.Text(collation="C"), nullable=False),
        sa.Column("last_four", sa.Text(collation="C"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["organization_id"], ["organization.id"], ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["user_id"], ["account.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("digest"),
    )
    op.create_index(op.f("ix_api_key_user_id"), "api_key", ["user_id"], unique=False)
    op.create_table(
        "drive",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(collation="C"), nullable=False),
        sa.Column("name", sa.Text(collation="C"), nullable=False),
        sa.Column("organization_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("depth", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("items", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.CheckConstraint("(kind = 'shared') = (organization_id is not null)", name="shared_in_organization"),
        sa.CheckConstraint("kind in ('personal', 'shared')", name="kind_known"),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organization.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_drive_organization_id"), "drive", ["organization_id"], unique=False)
    op.create_table(
        "idempotency",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("operation", sa.Text(collation="C"), nullable=False),
        sa.Column("key", sa.Text(collation="C"), nullable=False),
        sa.Column("digest", sa.Text(collation="C"), nullable=False),
        sa.Column("result_id", sa.Text(collation="C"), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["account.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id", "operation", "key"),
    )
    op.create_index(op.f("ix_idempotency_at"), "idempotency", ["at"], unique=False)
    op.create_table(
        "invitation",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("digest", sa.Text(collation="C"), nullable=False),
        sa.Column("email", sa.Text(collation="C"), nullable=False),
        sa.Column("role", sa.Text(collation="C"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("role in ('admin', 'member')", name="role_known"),
        sa.ForeignKeyConstraint(["organization_id"], ["organization.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("digest"),
    )
    op.create_index(op.f("ix_invitation_organization_id"), "invitation", ["organization_id"], unique=False)
    op.create_table(
        "organization_member",
        sa.Column("organization_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("role", sa.Text(collation="C"), nullable=False),
        sa.Column("joined_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("invited", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.CheckConstraint("role in ('admin', 'member')", name="role_known"),
        sa.ForeignKeyConstraint(["organization_id"], ["organization.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["user_id"], ["account.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("organization_id", "user_id"),
    )
    op.create_index(op.f("ix_organization_member_user_id"), "organization_member", ["user_id"], unique=False)
    op.create_table(
        "sign_in_link",
        sa.Column("digest", sa.Text(collation="C"), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["account.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("digest"),
    )
    op.create_index(op.f("ix_sign_in_link_user_id"), "sign_in_link", ["user_id"], unique=False)
    op.create_table(
        "drive_member",
        sa.Column("drive_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("role", sa.Text(collation="C"), nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("given_by", sa.Uuid(), nullable=True),
        sa.CheckConstraint("role in ('owner', 'manager', 'contributor')", name="role_known"),
        sa.ForeignKeyConstraint(["drive_id"], ["drive.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["given_by"],
            ["account.id"],
        ),
        sa.ForeignKeyConstraint(["user_id"], ["account.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("drive_id", "user_id"),
    )
    op.create_index(op.f("ix_drive_member_user_id"), "drive_member", ["user_id"], unique=False)
    op.create_table(
        "item",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("drive_id", sa.Uuid(), nullable=False),
        sa.Column("parent_id", sa.Uuid(), nullable=True),
        sa.Column("kind", sa.Text(collation="C"), nullable=False),
        sa.Column("name", sa.Text(collation="C"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_by_user", sa.Uuid(), nullable=False),
        sa.Column("created_by_agent", sa.Text(collation="C"), nullable=True),
        sa.Column("updated_by_user", sa.Uuid(), nullable=False),
        sa.Column("updated_by_agent", sa.Text(collation="C"), nullable=True),
        sa.Column("slug", sa.Text(collation="C"), nullable=True),
        sa.Column("trashed_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("kind in ('folder', 'docs_workbook', 'viz_workbook')", name="kind_known"),
        sa.ForeignKeyConstraint(
            ["created_by_user"],
            ["account.id"],
        ),
        sa.ForeignKeyConstraint(["drive_id"], ["drive.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["parent_id"],
            ["item.id"],
        ),
        sa.ForeignKeyConstraint(
            ["updated_by_user"],
            ["account.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        postgresql_with={"fillfactor": "90"},
    )
    op.create_index("item_children", "item", ["parent_id", "trashed_at"], unique=False)
    op.create_index("item_in_drive", "item", ["drive_id", "parent_id", "trashed_at"], unique=False)
    op.create_index(
        "item_in_trash",
        "item",
        ["drive_id", "trashed_at"],
        unique=False,
        postgresql_where=sa.text("trashed_at is not null"),
    )
    op.create_index("item_slug", "item", ["slug"], unique=True, postgresql_where=sa.text("slug is not null"))
    op.create_table(
        "document_author",
        sa.Column("item_id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("agent", sa.Text(collation="C"), nullable=False),
        sa.Column("edited_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["account.id"],
        ),
        sa.PrimaryKeyConstraint("item_id", "user_id", "agent"),
    )
    op.create_table(
        "document_snapshot",
        sa.Column("item_id", sa.Uuid(), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("item_id"),
    )
    op.create_table(
        "document_update",
        sa.Column("item_id", sa.Uuid(), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("agent", sa.Text(collation="C"), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("update", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["account.id"],
        ),
        sa.PrimaryKeyConstraint("item_id", "sequence"),
    )
    op.create_table(
        "image",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("item_id", sa.Uuid(), nullable=False),
        sa.Column("content_type", sa.Text(collation="C"), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("byte_size", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_image_item_id"), "image", ["item_id"], unique=False)
    op.create_table(
        "item_grant",
        sa.Column("item_id", sa.Uuid(), nullable=False),
        sa.Column("email", sa.Text(collation="C"), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.Column("permission", sa.Text(collation="C"), nullable=False),
        sa.Column("given_by", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("permission in ('read_write', 'read_only')", name="permission_known"),
        sa.ForeignKeyConstraint(
            ["given_by"],
            ["account.id"],
        ),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["account.id"],
        ),
        sa.PrimaryKeyConstraint("item_id", "email"),
    )
    op.create_index(
        "item_grant_of_user",
        "item_grant",
        ["user_id", "item_id"],
        unique=True,
        postgresql_include=["permission"],
        postgresql_where=sa.text("user_id is not null"),
    )
    op.create_index(
        "item_grant_waiting", "item_grant", ["email"], unique=False, postgresql_where=sa.text("user_id is null")
    )
