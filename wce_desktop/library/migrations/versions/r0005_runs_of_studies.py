"""A study of images knows in which stretches they follow each other in time."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Of the studies so far nothing is known, and each counts as one run."""
    op.add_column("studies", sa.Column("runs", sa.JSON(none_as_null=True), nullable=True))
