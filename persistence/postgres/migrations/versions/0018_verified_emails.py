"""Calls a verified e-mail address verified: the column, the purpose of links, and the audit's lines of before."""

from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.alter_column("account", "email_proved_at", new_column_name="email_verified_at")
    op.drop_constraint("purpose_known", "link")
    op.execute("update link set purpose = 'verify_email' where purpose = 'prove_address'")
    op.create_check_constraint(
        "purpose_known", "link", "purpose in ('sign_in', 'sign_up', 'reset_password', 'verify_email')"
    )
    op.execute("update event set type = 'emailVerified' where type = 'addressProved'")
    op.execute("""
        update event set details = jsonb_set(
            details #- '{account,emailProved}', '{account,emailVerified}', details #> '{account,emailProved}')
        where type = 'accountCreated' and details #> '{account,emailProved}' is not null""")
    op.execute("""
        update event set details = jsonb_set(details, '{link,purpose}', '"verify_email"')
        where type = 'linkMade' and details #>> '{link,purpose}' = 'prove_address'""")
