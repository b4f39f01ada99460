"""The audit log becomes append-only: the database itself refuses to change or delete a line."""

from alembic import op

revision = "0002"
down_revision = "0001"

_SQLITE = """
CREATE TRIGGER audit_no_{verb} BEFORE {verb} ON audit
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END
"""
_POSTGRESQL_FUNCTION = """
CREATE FUNCTION audit_is_append_only() RETURNS trigger AS $$
BEGIN RAISE EXCEPTION 'the audit log is append-only'; END $$ LANGUAGE plpgsql
"""
_POSTGRESQL = "CREATE TRIGGER audit_no_{verb} BEFORE {verb} ON audit EXECUTE FUNCTION audit_is_append_only()"


def upgrade() -> None:
    """Forbid UPDATE and DELETE on the log; an index finds a study's lines."""
    dialect = op.get_bind().dialect.name
    if dialect == "postgresql":
        op.execute(_POSTGRESQL_FUNCTION)
    for verb in ("UPDATE", "DELETE"):
        op.execute((_POSTGRESQL if dialect == "postgresql" else _SQLITE).format(verb=verb))
    op.create_index("ix_audit_study", "audit", ["study_id"])
