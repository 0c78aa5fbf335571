"""Create the tables of web sessions and e-mail links."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "web_session",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("digest", sa.Text(collation="C"), nullable=False),
        sa.Column("organization_id", sa.Uuid(), nullable=True),
        sa.Column("device", sa.Text(collation="C"), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["organization_id"], ["organization.id"], ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["user_id"], ["account.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("digest"),
    )
    op.create_index(op.f("ix_web_session_user_id"), "web_session", ["user_id"], unique=False)
    op.create_table(
        "link",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("digest", sa.Text(collation="C"), nullable=False),
        sa.Column("purpose", sa.Text(collation="C"), nullable=False),
        sa.Column("email", sa.Text(collation="C"), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "purpose in ('sign_in', 'sign_up', 'reset_password', 'prove_address')", name="purpose_known"
        ),
        sa.ForeignKeyConstraint(["user_id"], ["account.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("digest"),
    )
    op.create_index(op.f("ix_link_user_id"), "link", ["user_id"], unique=False)
    # the links that were printed so far go on working
    op.execute("""
insert into link (id, digest, purpose, email, user_id, expires_at)
select gen_random_uuid(), l.digest, 'sign_in', a.email, l.user_id, l.expires_at
from sign_in_link l join account a on a.id = l.user_id""")
    op.drop_table("sign_in_link")
