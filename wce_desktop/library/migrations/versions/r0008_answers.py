"""What a label says of its class; how a study is numbered and at which threshold it was read; what a report says."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Every label so far says yes; a study without a numbering keeps the one that it was opened with."""
    op.add_column("labels", sa.Column("answer", sa.String(length=3), nullable=False, server_default="yes"))
    op.add_column("studies", sa.Column("numbering", sa.Integer(), nullable=True))
    op.add_column("studies", sa.Column("lowest_threshold", sa.Float(), nullable=True))
    op.add_column("reports", sa.Column("content", sa.Text(), nullable=True))
