"""Has all documents indexed again, whose words are without accents and points from now on; what is indexed is found meanwhile."""

from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("update document_text set sequence = 0")
    op.execute("delete from worker_progress where worker = 'search'")
