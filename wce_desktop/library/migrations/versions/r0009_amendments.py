"""Which version of a report a later one replaces, and why."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Of the versions so far nobody said whether and why they replace an earlier one."""
    op.add_column("reports", sa.Column("replaces", sa.Integer(), nullable=True))
    op.add_column("reports", sa.Column("reason", sa.Text(), nullable=False, server_default=""))
