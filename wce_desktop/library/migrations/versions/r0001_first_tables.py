"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make all tables."""
    _make_people_and_studies()
    _make_readings()
    _make_models()
    _make_history()


def _make_people_and_studies() -> None:
    """Who, and what was recorded."""
    op.create_table(
        "meta",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_table(
        "readers",
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("created_utc", sa.String(length=40), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "patients",
        sa.Column("patient_id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.Text(), server_default="", nullable=False),
        sa.Column("created_utc", sa.String(length=40), nullable=False),
        sa.PrimaryKeyConstraint("patient_id"),
    )
    op.create_table(
        "studies",
        sa.Column("study_id", sa.String(length=64), nullable=False),
        sa.Column("patient_id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.String(length=200), nullable=False),
        sa.Column("frame_count", sa.Integer(), nullable=False),
        sa.Column("duration_seconds", sa.Float(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("last_frame", sa.Integer(), nullable=False),
        sa.Column("threshold", sa.Float(), nullable=True),
        sa.Column("model_id", sa.String(length=100), nullable=True),
        sa.Column("created_utc", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(["patient_id"], ["patients.patient_id"]),
        sa.PrimaryKeyConstraint("study_id"),
    )
    op.create_index("ix_studies_fingerprint", "studies", ["fingerprint"])


def _make_readings() -> None:
    """What was said of frames."""
    op.create_table(
        "labels",
        sa.Column("label_id", sa.String(length=64), nullable=False),
        sa.Column("study_id", sa.String(length=64), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("stop", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("source", sa.String(length=30), nullable=False),
        sa.Column("finding_id", sa.String(length=64), nullable=True),
        sa.Column("reader", sa.String(length=200), nullable=False),
        sa.Column("model_id", sa.String(length=100), nullable=True),
        sa.Column("created_utc", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["studies.study_id"]),
        sa.PrimaryKeyConstraint("label_id"),
    )
    op.create_index("ix_labels_study_name_start", "labels", ["study_id", "name", "start"])
    op.create_table(
        "findings",
        sa.Column("finding_id", sa.String(length=64), nullable=False),
        sa.Column("study_id", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=100), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("stop", sa.Integer(), nullable=False),
        sa.Column("size_mm", sa.Float(), nullable=True),
        sa.Column("morphology", sa.Text(), nullable=False),
        sa.Column("key_frames", sa.JSON(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("reader", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["studies.study_id"]),
        sa.PrimaryKeyConstraint("finding_id"),
    )
    op.create_index("ix_findings_study", "findings", ["study_id"])
    op.create_table(
        "landmarks",
        sa.Column("landmark_id", sa.String(length=64), nullable=False),
        sa.Column("study_id", sa.String(length=64), nullable=False),
        sa.Column("region", sa.String(length=40), nullable=False),
        sa.Column("frame_index", sa.Integer(), nullable=False),
        sa.Column("reader", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["studies.study_id"]),
        sa.PrimaryKeyConstraint("landmark_id"),
    )
    op.create_index("ix_landmarks_study", "landmarks", ["study_id"])
    op.create_table(
        "boxes",
        sa.Column("box_id", sa.String(length=64), nullable=False),
        sa.Column("study_id", sa.String(length=64), nullable=False),
        sa.Column("frame_index", sa.Integer(), nullable=False),
        sa.Column("x_min", sa.Float(), nullable=False),
        sa.Column("y_min", sa.Float(), nullable=False),
        sa.Column("x_max", sa.Float(), nullable=False),
        sa.Column("y_max", sa.Float(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("finding_id", sa.String(length=64), nullable=True),
        sa.Column("reader", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["studies.study_id"]),
        sa.PrimaryKeyConstraint("box_id"),
    )
    op.create_index("ix_boxes_study_frame", "boxes", ["study_id", "frame_index"])
    op.create_table(
        "seen_spans",
        sa.Column("study_id", sa.String(length=64), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("stop", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["studies.study_id"]),
        sa.PrimaryKeyConstraint("study_id", "start"),
    )


def _make_models() -> None:
    """What scores, and what it learnt from."""
    op.create_table(
        "models",
        sa.Column("model_id", sa.String(length=100), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("classes", sa.JSON(), nullable=False),
        sa.Column("weights_sha256", sa.String(length=64), nullable=False),
        sa.Column("parent_id", sa.String(length=100), nullable=True),
        sa.Column("run_id", sa.String(length=64), nullable=True),
        sa.Column("labels_until_utc", sa.String(length=40), nullable=False),
        sa.Column("created_utc", sa.String(length=40), nullable=False),
        sa.PrimaryKeyConstraint("model_id"),
    )
    op.create_table(
        "scorings",
        sa.Column("study_id", sa.String(length=64), nullable=False),
        sa.Column("model_id", sa.String(length=100), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("is_complete", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("created_utc", sa.String(length=40), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["studies.study_id"]),
        sa.PrimaryKeyConstraint("study_id", "model_id"),
    )
    op.create_table(
        "runs",
        sa.Column("run_id", sa.String(length=64), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("base_model_id", sa.String(length=100), nullable=True),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("summary", sa.JSON(), nullable=False),
        sa.Column("created_utc", sa.String(length=40), nullable=False),
        sa.PrimaryKeyConstraint("run_id"),
    )


def _make_history() -> None:
    """What was done."""
    op.create_table(
        "edits",
        sa.Column("edit_id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("study_id", sa.String(length=64), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("changes", sa.JSON(), nullable=False),
        sa.Column("reader", sa.String(length=200), nullable=False),
        sa.Column("when_utc", sa.String(length=40), nullable=False),
        sa.Column("is_undone", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["studies.study_id"]),
        sa.PrimaryKeyConstraint("edit_id"),
    )
    op.create_index("ix_edits_study_undone", "edits", ["study_id", "is_undone", "edit_id"])
    op.create_table(
        "audit",
        sa.Column("audit_id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("when_utc", sa.String(length=40), nullable=False),
        sa.Column("reader", sa.String(length=200), nullable=False),
        sa.Column("study_id", sa.String(length=64), nullable=True),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("action", sa.String(length=20), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("item_id", sa.String(length=64), nullable=False),
        sa.Column("before", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("after", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("model_id", sa.String(length=100), nullable=True),
        sa.PrimaryKeyConstraint("audit_id"),
    )
