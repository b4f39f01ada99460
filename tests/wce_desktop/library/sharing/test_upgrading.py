"""A library on a server that an older version made is brought up to date, and its rows stay."""

import psycopg
import pytest

from tests.wce_desktop.library.conftest import make_label
from tests.wce_desktop.library.sharing.conftest import ACCOUNTS, Shared
from training.errors import UserError
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.study import Study
from wce_desktop.library import Library
from wce_desktop.library.sharing import copying
from wce_desktop.library.storage import revisions
from wce_desktop.shell.cli import library_cli

OLDER = """
DROP SCHEMA research CASCADE;
ALTER TABLE studies DROP COLUMN removed_utc;
ALTER TABLE studies DROP COLUMN source;
ALTER TABLE boxes DROP COLUMN rowid;
DROP TABLE reader_keys;
DROP INDEX ix_audit_study;
DROP FUNCTION wce_log_end;
DROP POLICY shown ON labels;
UPDATE alembic_version SET version_num = '0010';
"""
DEFINITIONS = (
    "SELECT table_schema, table_name, column_name, data_type, collation_name, is_nullable, column_default, is_identity"
    " FROM information_schema.columns WHERE table_schema IN ('public', 'research')",
    "SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = 'public'",
    "SELECT tablename, policyname, permissive, cmd, qual, with_check FROM pg_policies",
    "SELECT tgrelid::regclass::text, tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal",
    "SELECT proname, prosrc FROM pg_proc WHERE proname LIKE 'wce%'",
    "SELECT table_schema, table_name, column_name, grantee, privilege_type FROM information_schema.column_privileges"
    " WHERE grantee LIKE 'wce%'",
    "SELECT version_num FROM alembic_version",
)


def _definitions(shared: Shared, name: str) -> list[list[tuple[object, ...]]]:
    with psycopg.connect(shared.postgres.address(name)) as connection:
        return [sorted(connection.execute(asked).fetchall(), key=repr) for asked in DEFINITIONS]


def test_an_older_library_is_brought_up_to_date_by_who_made_it(
    shared: Shared, anna: Library, study: Study, made_on_server: str, capsys: pytest.CaptureFixture[str]
) -> None:
    anna.annotations.edit(study.study_id, "Label", [Add(make_label(study.study_id, 0, 10))])
    shared.close()
    with shared.raw("tests") as connection:
        connection.execute(OLDER)
    with pytest.raises(UserError, match="older version") as caught:
        shared.open("anna")
    assert "library upgrade" in caught.value.hint
    for account in ACCOUNTS:
        with pytest.raises(UserError, match="does not allow"):
            copying.upgrade(shared.postgres.address(shared.name, account))
    assert library_cli.main(["library", "upgrade", shared.postgres.address(shared.name)]) == 0
    assert "up to date" in capsys.readouterr().out
    assert _definitions(shared, shared.name) == _definitions(shared, made_on_server)
    anna = shared.open("anna")
    assert [each.study_id for each in anna.studies.all()] == [study.study_id]
    assert len(anna.annotations.labels(study.study_id)) == 1
    anna.annotations.edit(study.study_id, "Label more", [Add(make_label(study.study_id, 20, 30))])
    assert anna.audit.check().breaks == []
    assert [each.study_id for each in shared.open("rosa").studies.all()] == [study.study_id]


def test_rows_are_changed_as_on_one_computer(shared: Shared, study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = {
        **revisions.STEPS,
        "0012": ("ALTER TABLE studies ADD COLUMN removed_utc TEXT;\nUPDATE studies SET source = 'x';\n",),
    }
    monkeypatch.setattr(revisions, "STEPS", steps)
    shared.postgres.execute("UPDATE alembic_version SET version_num = '0011'", database=shared.name)
    copying.upgrade(shared.postgres.address(shared.name))
    with shared.raw("tests") as connection:
        assert connection.execute("SELECT DISTINCT source FROM studies").fetchall() == [("x",)]


def test_a_newer_library_and_none_are_sentences(shared: Shared) -> None:
    address = shared.postgres.address(shared.name)
    shared.postgres.execute("UPDATE alembic_version SET version_num = '0099'", database=shared.name)
    with pytest.raises(UserError, match="newer version"):
        copying.upgrade(address)
    with pytest.raises(UserError, match="There is no library"):
        copying.upgrade(shared.postgres.address("postgres"))
