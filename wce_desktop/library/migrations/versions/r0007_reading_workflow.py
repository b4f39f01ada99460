"""Patient records, details of findings, parts of reports, signed reports, frames seen too fast, second readings."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """What is new is empty at first; names of patients move into the records of their studies."""
    _records()
    _findings()
    _study_table("report_parts", sa.Column("part_id", sa.String(length=64), primary_key=True), *_part_columns())
    op.create_index("ix_report_parts_study_kind", "report_parts", ["study_id", "kind"], unique=True)
    _study_table("reports", sa.Column("report_id", sa.String(length=64), primary_key=True), *_report_columns())
    op.create_index("ix_reports_study", "reports", ["study_id"])
    op.create_table(
        "fast_spans",
        sa.Column("study_id", sa.String(length=64), sa.ForeignKey("studies.study_id"), primary_key=True),
        sa.Column("start", sa.Integer(), primary_key=True),
        sa.Column("stop", sa.Integer(), nullable=False),
    )
    op.create_table(
        "reading_speeds",
        sa.Column("study_id", sa.String(length=64), sa.ForeignKey("studies.study_id"), primary_key=True),
        sa.Column("frames_per_second", sa.Integer(), primary_key=True),
        sa.Column("frames", sa.Integer(), nullable=False),
    )
    op.create_table(
        "removals",
        sa.Column("removal_id", sa.Integer(), primary_key=True, autoincrement=True),
        sa.Column("when_utc", sa.String(length=40), nullable=False),
        sa.Column("reader", sa.String(length=200), nullable=False),
        sa.Column("study_id", sa.String(length=64), nullable=False),
        sa.Column("patient_id", sa.String(length=64), nullable=False),
        sa.Column("facts", sa.JSON(), nullable=False),
    )


def _records() -> None:
    texts = ("pseudonym", "sex", "exam_date", "capsule", "indication", "preparation", "read_by")
    for name in texts:
        op.add_column("studies", sa.Column(name, sa.Text(), nullable=False, server_default=""))
    op.add_column("studies", sa.Column("birth_year", sa.Integer(), nullable=True))
    op.add_column("studies", sa.Column("second_of", sa.String(length=64), nullable=True))
    op.execute(
        "UPDATE studies SET pseudonym = COALESCE((SELECT name FROM patients"
        " WHERE patients.patient_id = studies.patient_id), '')"
    )
    op.drop_column("patients", "name")


def _findings() -> None:
    for name in ("number", "relevance", "segment", "when_utc"):
        op.add_column("findings", sa.Column(name, sa.Text(), nullable=False, server_default=""))
    op.add_column("findings", sa.Column("model_id", sa.String(length=100), nullable=True))
    op.add_column("findings", sa.Column("was_seen_before", sa.Boolean(), nullable=True))


def _study_table(name: str, *columns: "sa.Column[Any]") -> None:
    study = sa.Column("study_id", sa.String(length=64), sa.ForeignKey("studies.study_id"), nullable=False)
    op.create_table(name, columns[0], study, *columns[1:])


def _part_columns() -> "tuple[sa.Column[Any], ...]":
    return (
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("reader", sa.String(length=200), nullable=False),
    )


def _report_columns() -> "tuple[sa.Column[Any], ...]":
    return (
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("html_sha256", sa.String(length=64), nullable=False),
        sa.Column("reader", sa.String(length=200), nullable=False),
        sa.Column("acknowledged", sa.JSON(), nullable=False),
        sa.Column("created_utc", sa.String(length=40), nullable=False),
    )
