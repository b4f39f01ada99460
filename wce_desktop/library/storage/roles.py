"""What each role may do in a library on a server; the server itself enforces it.

The roles are groups of the server: an account gets one by `GRANT wce_reader TO anna` (`wce-desktop library allow`).
The account that made the library, and other members of `wce_administrator`, may do everything; nobody else may change
or delete a line of the audit log.
"""

from collections.abc import Mapping

from sqlalchemy import Connection

from training.errors import UserError
from wce_desktop.library import tables

SCHEMA = "research"
"""Holds the views that a researcher sees instead of tables with the identity of patients."""
_ENTRIES = "labels, findings, landmarks, boxes, links, seen_spans, fast_spans, reading_speeds, report_parts, edits"
_READ = "meta, readers, models, scorings, runs, removals, alembic_version, reader_keys"
_CHANGED = ", ".join(
    each.name for each in tables.studies.c if each.name not in ("study_id", "second_of", "created_utc")
)
_READER = (
    f"SELECT ON {_READ}, {_ENTRIES}, patients, studies, reports, audit",
    f"INSERT, UPDATE, DELETE ON {_ENTRIES}, scorings, models, runs",
    "INSERT ON studies, patients, readers, reader_keys, reports, audit",
    f"UPDATE ({_CHANGED}) ON studies",
)
GRANTS: Mapping[str, tuple[str, ...]] = {
    "wce_reader": _READER,
    "wce_senior": (*_READER, "INSERT, UPDATE, DELETE ON patients, meta"),
    "wce_researcher": (
        "SELECT ON meta, readers, models, scorings, runs, alembic_version, reader_keys",
        "SELECT ON labels, landmarks, boxes, links, seen_spans, fast_spans",
        "INSERT, UPDATE, DELETE ON models, runs, scorings",
        "INSERT ON readers, audit",
        "SELECT (audit_id, when_utc, reader, study_id, action, kind, item_id, model_id, salt, hash, cleared) ON audit",
    ),
}
"""Role -> what it may do, in the words of GRANT."""
TITLES = {
    "reader": "reads studies, and signs reports",
    "senior": "also corrects patients and the library's own settings",
    "researcher": "sees labels, models and runs, no patient and no file name",
    "administrator": "may do everything, also erase studies",
}
_VIEWS = {
    "studies": {"name": "study_id", "pseudonym": "''::text", "path": "''::text", "read_by": "''::text",
                "exam_date": "left(exam_date, 4)", "indication": "''::text", "birth_year": "NULL::bigint"},
    "patients": {},
    "findings": {"comment": "''::text"},
}  # fmt: skip
"""View of a researcher -> the columns that show something else there."""
_HIDDEN = ("reports", "report_parts", "reading_speeds", "edits", "removals")
"""Tables that are empty for a researcher."""


def create_roles(connection: Connection) -> None:
    """Create the roles that the server lacks, and say what each may do in this database."""
    there = set(connection.exec_driver_sql("SELECT rolname FROM pg_roles").scalars())
    for role in [*GRANTS, "wce_administrator"]:
        if role not in there:
            connection.exec_driver_sql(f"CREATE ROLE {role} NOLOGIN")
    _create_views(connection)
    for role, grants in GRANTS.items():
        for grant in grants:
            connection.exec_driver_sql(f"GRANT {grant} TO {role}")
        connection.exec_driver_sql(f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {role}")
    connection.exec_driver_sql("GRANT ALL ON ALL TABLES IN SCHEMA public TO wce_administrator")
    connection.exec_driver_sql("GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO wce_administrator")


def _create_views(connection: Connection) -> None:
    connection.exec_driver_sql(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")
    connection.exec_driver_sql(f"CREATE SCHEMA {SCHEMA}")
    for table in (*_VIEWS, *_HIDDEN):
        columns = connection.exec_driver_sql(f"SELECT * FROM {table} LIMIT 0").keys()
        shown = ", ".join(f"{_VIEWS.get(table, {}).get(name, name)} AS {name}" for name in columns)
        where = " WHERE false" if table in _HIDDEN else ""
        connection.exec_driver_sql(f"CREATE VIEW {SCHEMA}.{table} AS SELECT {shown} FROM public.{table}{where}")
    connection.exec_driver_sql(f"GRANT USAGE ON SCHEMA {SCHEMA} TO wce_researcher")
    connection.exec_driver_sql(f"GRANT SELECT ON ALL TABLES IN SCHEMA {SCHEMA} TO wce_researcher")


def allow(connection: Connection, account: str, role: str) -> None:
    """Give an account of the server a role, and no other of these.

    Raises:
        UserError: there is no such account.
    """
    quote = connection.dialect.identifier_preparer.quote_identifier
    there = connection.exec_driver_sql("SELECT 1 FROM pg_roles WHERE rolname = %s", (account,)).first()
    if there is None:
        raise UserError(
            "The server has no account {account}.", "Create it first: CREATE ROLE {account} LOGIN.", account
        )
    for other in TITLES:
        if other != role:
            connection.exec_driver_sql(f"REVOKE wce_{other} FROM {quote(account)}")
    connection.exec_driver_sql(f"GRANT wce_{role} TO {quote(account)}")


def check_reader(connection: Connection, account: str) -> None:
    """Raise `UserError` if there is no account of this name that reads studies."""
    member = "rolname IN ('wce_reader', 'wce_senior', 'wce_administrator') AND pg_has_role(%s::name, oid, 'member')"
    there = connection.exec_driver_sql("SELECT 1 FROM pg_roles WHERE rolname = %s", (account,)).first()
    if (
        there is None
        or connection.exec_driver_sql(f"SELECT 1 FROM pg_roles WHERE {member}", (account,)).first() is None
    ):
        raise UserError(
            "“{account}” is no account that reads in this library.",
            "Enter the name of an account; the library's administrator makes one with wce-desktop library allow.",
            account,
        )


def is_researcher(connection: Connection) -> bool:
    """Whether the account of a connection has the role of a researcher and none that sees more."""
    asked = "SELECT bool_or(rolname = 'wce_researcher') AND NOT bool_or(rolname <> 'wce_researcher') FROM pg_roles"
    member = "WHERE rolname LIKE 'wce\\_%%' AND pg_has_role(session_user, oid, 'member')"
    return bool(connection.exec_driver_sql(f"{asked} {member}").scalar())
