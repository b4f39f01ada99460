"""A run says what kind it is, which run it started from, and why it failed."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Every run so far was a finetuning that began from a model."""
    op.add_column("runs", sa.Column("kind", sa.String(length=20), server_default="finetune", nullable=False))
    op.add_column("runs", sa.Column("base_run_id", sa.String(length=64), nullable=True))
    op.add_column("runs", sa.Column("message", sa.Text(), server_default="", nullable=False))
