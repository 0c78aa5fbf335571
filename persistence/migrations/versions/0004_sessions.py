"""Where web sessions, invitations, mailed links and sign-in trials are kept."""

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing yet: its place in the order is kept."""
