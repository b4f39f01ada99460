"""Signatures with a key of the reader; the lines of the audit log are chained by hashes."""

import sqlalchemy as sa
from alembic import op

from wce_desktop.library.evidence import audit_chain

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Reports so far have no signature. The log so far is chained as it stands."""
    for name in ("statement", "signature", "public_key"):
        op.add_column("reports", sa.Column(name, sa.Text(), nullable=True))
    op.create_table(
        "reader_keys",
        sa.Column("public_key", sa.String(length=64), primary_key=True),
        sa.Column("reader", sa.String(length=200), primary_key=True),
        sa.Column("first_utc", sa.String(length=40), nullable=False),
    )
    op.add_column("audit", sa.Column("salt", sa.String(length=32), nullable=False, server_default=""))
    op.add_column("audit", sa.Column("hash", sa.String(length=64), nullable=False, server_default=""))
    op.add_column("audit", sa.Column("cleared", sa.Text(), nullable=True))
    _chain_the_log()


def _chain_the_log() -> None:
    """Compute the hashes; only for this the triggers that keep the log append-only are taken away."""
    bind = op.get_bind()
    asked = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'audit'"
    triggers = bind.exec_driver_sql(asked).fetchall()
    for name, _ in triggers:
        bind.exec_driver_sql(f'DROP TRIGGER "{name}"')
    audit_chain.fill(bind.connection.cursor())
    for _, sql in triggers:
        bind.exec_driver_sql(sql)
