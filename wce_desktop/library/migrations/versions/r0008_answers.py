"""What a label says of its class: yes or no; by which rules the frames of a study are numbered."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Every label so far says yes; a study without a numbering keeps the one that it was opened with."""
    op.add_column("labels", sa.Column("answer", sa.String(length=3), nullable=False, server_default="yes"))
    op.add_column("studies", sa.Column("numbering", sa.Integer(), nullable=True))
