"""A reader can say of two places that they show the same, or that they do not."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make the table of links, which is empty at first."""
    op.create_table(
        "links",
        sa.Column("link_id", sa.String(length=64), nullable=False),
        sa.Column("study_id", sa.String(length=64), nullable=False),
        sa.Column("frame_index", sa.Integer(), nullable=False),
        sa.Column("other_study_id", sa.String(length=64), nullable=False),
        sa.Column("other_frame_index", sa.Integer(), nullable=False),
        sa.Column("is_same", sa.Boolean(), nullable=False),
        sa.Column("reader", sa.String(length=200), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("other_name", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["studies.study_id"]),
        sa.ForeignKeyConstraint(["other_study_id"], ["studies.study_id"]),
        sa.PrimaryKeyConstraint("link_id"),
    )
    op.create_index("ix_links_study", "links", ["study_id"])
    op.create_index("ix_links_other_study", "links", ["other_study_id"])
