"""What each role may do, line by line with connections of its own, and that a researcher sees no name anywhere."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.wce_desktop.library.sharing.conftest import ACCOUNTS, Shared
from training.errors import UserError
from training.texts import Text
from wce_desktop.core.annotation import Finding, ReportPart
from wce_desktop.core.annotation.change import Add, Replace
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.library import Library
from wce_desktop.library.storage import roles

ENTRIES = {
    "labels", "findings", "landmarks", "boxes", "links", "seen_spans", "fast_spans", "reading_speeds", "report_parts",
    "edits",
}  # fmt: skip
WORK = {"scorings", "models", "runs"}
ADDED = {"studies", "patients", "readers", "reader_keys", "reports", "audit"}
OTHERS = {"meta", "removals", "alembic_version"}
ALL = ENTRIES | WORK | ADDED | OTHERS
STATEMENTS = {
    "SELECT": "SELECT * FROM public.{table} LIMIT 1",
    "INSERT": "INSERT INTO public.{table} DEFAULT VALUES",
    "UPDATE": "UPDATE public.{table} SET {column} = DEFAULT WHERE false",
    "DELETE": "DELETE FROM public.{table} WHERE false",
    "TRUNCATE": "TRUNCATE public.{table} CASCADE",
    "ALTER": "ALTER TABLE public.{table} ADD COLUMN mine text",
    "DROP": "DROP TABLE public.{table} CASCADE",
    "trigger": "CREATE TRIGGER mine BEFORE INSERT ON public.{table} EXECUTE FUNCTION wce_append_only()",
}
COLUMNS = {
    "studies": "second_of", "patients": "patient_id", "readers": "name", "reader_keys": "reader", "models": "title",
    "runs": "title", "meta": "value", "alembic_version": "version_num",
}  # fmt: skip
"""Of each table one that is set."""
_READER = {"SELECT": ALL, "INSERT": ENTRIES | WORK | ADDED, "UPDATE": ENTRIES | WORK, "DELETE": ENTRIES | WORK}
MAY: Mapping[str, Mapping[str, set[str]]] = {
    "reader": _READER,
    "senior": {verb: tables | {"patients", "meta"} for verb, tables in _READER.items()},
    "researcher": {
        "SELECT": (ENTRIES - {"findings", "report_parts", "reading_speeds", "edits"})
        | WORK | {"readers", "reader_keys", "meta", "alembic_version"},
        "INSERT": WORK | {"readers", "audit"}, "UPDATE": WORK, "DELETE": WORK,
    },
    "administrator": {
        **dict.fromkeys(("SELECT", "INSERT", "UPDATE", "DELETE"), ALL),
        "TRUNCATE": ALL, "trigger": ALL,
    },
}  # fmt: skip
"""Role -> statement -> tables. Every other statement is refused."""


@pytest.mark.parametrize(("account", "role"), ACCOUNTS.items())
def test_a_role_may_do_this_and_nothing_more(account: str, role: str, shared: Shared, study: Study) -> None:
    with shared.raw("tests") as owner:
        asked = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
        assert {name for (name,) in owner.execute(asked)} == ALL
    may: dict[str, set[str]] = {verb: set() for verb in STATEMENTS}
    with shared.raw(account) as connection:
        for verb, sql in STATEMENTS.items():
            for table in ALL:
                if _is_allowed(connection, sql.format(table=table, column=COLUMNS.get(table, "study_id"))):
                    may[verb].add(table)
    assert may == {verb: MAY[role].get(verb, set()) for verb in STATEMENTS}


def _is_allowed(connection: Any, sql: str) -> bool:
    with connection.transaction(force_rollback=True):
        try:
            with connection.transaction():
                connection.execute(sql)
        except psycopg.errors.InsufficientPrivilege as error:
            return "name of another" in str(error) or "follows the last" in str(error)  # by a trigger, after the right
        except psycopg.Error:
            return True  # a rule of the table, which is looked at after the right
    return True


def test_the_log_is_never_emptied(shared: Shared, study: Study) -> None:
    for account in ("tests", "dora"):
        with shared.raw(account) as connection, pytest.raises(psycopg.errors.RaiseException, match="append-only"):
            connection.execute("TRUNCATE audit")


def test_the_roles_have_titles_and_nobody_has_two(shared: Shared) -> None:
    assert {f"wce_{role}" for role in roles.TITLES} == {*roles.GRANTS, "wce_administrator"}
    with shared.raw("tests") as owner:
        for account in ACCOUNTS:
            asked = (
                "SELECT count(*) FROM pg_roles WHERE rolname LIKE 'wce\\_%%' AND pg_has_role(%s::name, oid, 'member')"
            )
            assert owner.execute(asked, (account,)).fetchone()[0] == 1


NAMES = ("Meierhofer", "Gerda", "secret-file", "Kommentar")


def test_a_researcher_sees_no_name_in_any_table_view_or_statistic(
    anna: Library, shared: Shared, tmp_path: Path
) -> None:
    study = anna.studies.add(tmp_path / "Gerda" / "secret-file.mp4", frame_count=100, fingerprint="a")
    identity = study.study_id
    anna.studies.update(identity, name="Meierhofer, Gerda")
    seen = anna.studies.record(identity)
    named = replace(seen, pseudonym="Meierhofer", birth_year=1931, indication="Kommentar", read_by="Gerda")
    anna.annotations.edit(identity, Text("Name {name}", "Meierhofer"), [Replace(seen, named)])
    finding = Finding("f-1", identity, "polyp", Span(0, 5), comment="Kommentar", reader="anna")
    texts = ReportPart("r-1", identity, "texts", {"summary": "Kommentar Meierhofer"}, "anna")
    anna.annotations.edit(identity, "Kommentar", [Add(finding), Add(texts)])
    anna.reports.keep(
        identity, 1, html=b"", pdf=b"", reader="anna", acknowledged={"by": "Gerda"}, content='{"name": "Meierhofer"}'
    )
    run = anna.runs.add("Fine-tune")
    anna.runs.finish(run.run_id, "failed", {}, Text("{path} cannot be read.", study.path))
    assert identity in str(anna.runs.all()[0].message)
    with shared.raw("tests") as owner:
        owner.execute("ANALYZE")
    with shared.raw("rosa") as connection:
        asked = "SELECT table_schema, table_name, string_agg(quote_ident(column_name), ', ')"
        place = "quote_ident(table_schema) || '.' || quote_ident(table_name)"
        read = f"has_column_privilege({place}, column_name, 'SELECT')"
        tables = connection.execute(f"{asked} FROM information_schema.columns WHERE {read} GROUP BY 1, 2").fetchall()
        looked = set()
        for schema, table, columns in tables:
            try:
                rows = str(connection.execute(f"SELECT {columns} FROM {schema}.{table}").fetchall())
            except psycopg.Error:
                continue
            looked.add(f"{schema}.{table}")
            assert not any(name in rows for name in NAMES), f"{schema}.{table}"
        assert connection.execute("SELECT birth_year FROM research.studies").fetchall() == [(None,)]
    assert {"public.labels", "research.studies", "research.findings", "public.audit", "pg_catalog.pg_stats",
            "pg_catalog.pg_stat_activity"} <= looked  # fmt: skip
    rosa = shared.open("rosa")
    assert [each.study_id for each in rosa.studies.all()] == [identity]
    assert [each.span for each in rosa.annotations.findings(identity)] == [Span(0, 5)]
    with pytest.raises(UserError, match="does not allow"):
        rosa.audit.entries()
