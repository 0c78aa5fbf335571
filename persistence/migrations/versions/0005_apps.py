"""What connected applications hold: clients, requests, codes, tokens and consents."""

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing yet: its place in the order is kept."""
