"""An edit can belong to a group: what was done to several studies at once, and is undone at once."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Every edit so far stands alone."""
    op.add_column("edits", sa.Column("group_id", sa.String(length=64), nullable=True))
    op.create_index("ix_edits_group", "edits", ["group_id"])
