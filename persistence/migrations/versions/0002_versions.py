"""Which versions of documents are kept, and how far the log has been cut and compacted."""

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing yet: its place in the order is kept."""
