"""What the server itself refuses, whatever program writes."""

from typing import Any

import psycopg
import pytest

from tests.wce_desktop.library.conftest import make_label
from tests.wce_desktop.library.sharing.conftest import Shared
from training.errors import UserError
from wce_desktop.core.annotation import Landmark
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.landmark import Region
from wce_desktop.core.study import Study
from wce_desktop.library import Library

LINE = (
    "INSERT INTO audit (audit_id, when_utc, reader, title, action, kind, item_id) VALUES"
    " ((SELECT line + {step} FROM wce_log_end()), '2001-01-01', '{reader}', 'title', 'add', 'label', 'x')"
)


def _refused(connection: Any, sql: str) -> bool:
    try:
        connection.execute(sql)
    except psycopg.errors.InsufficientPrivilege:
        return True
    return False


@pytest.mark.parametrize("account", ["anna", "carla", "rosa", "dora"])
def test_nobody_writes_the_log_in_the_name_of_another(account: str, shared: Shared, study: Study) -> None:
    with shared.raw(account) as connection:
        for trick in ("SELECT 1", "SET wce.copies = 'on'"):
            connection.execute(trick)
            if account != "dora" or trick == "SELECT 1":
                assert _refused(connection, LINE.format(step=1, reader="bert"))
        connection.execute("SET wce.copies = 'off'")
        assert not _refused(connection, LINE.format(step=1, reader=account))
        for gap in (0, 2, -1):
            assert _refused(connection, LINE.format(step=gap, reader=account))


def test_nobody_signs_or_edits_in_the_name_of_another(shared: Shared, study: Study) -> None:
    of_study = f"'{study.study_id}'"
    with shared.raw("anna") as connection:
        for sql in (
            f"INSERT INTO edits (study_id, title, changes, reader, when_utc) VALUES ({of_study}, '', '[]', 'bert', '')",
            "INSERT INTO reader_keys VALUES ('key', 'bert', '')",
            "INSERT INTO reports (report_id, study_id, version, path, sha256, html_sha256, reader, acknowledged,"
            f" created_utc) VALUES ('r', {of_study}, 1, '', '', '', 'bert', '{{}}', '')",
        ):
            assert _refused(connection, sql)


def test_labels_change_with_a_line_in_the_log_only(anna: Library, shared: Shared, study: Study) -> None:
    label = make_label(study.study_id, 0, 10)
    anna.annotations.edit(study.study_id, "Label", [Add(label)])
    insert = (
        "INSERT INTO labels (label_id, study_id, start, stop, name, source, reader, created_utc)"
        f" VALUES ('x', '{study.study_id}', 20, 21, 'blood', '', 'anna', '')"
    )
    with shared.raw("anna") as connection:
        for sql in (insert, "UPDATE labels SET stop = 50", "DELETE FROM labels"):
            assert _refused(connection, sql)
            with pytest.raises(psycopg.errors.InsufficientPrivilege), connection.transaction():
                connection.execute(sql)
        with connection.transaction():
            connection.execute(insert)
            connection.execute(LINE.format(step=1, reader="anna"))
        assert connection.execute("SELECT stop FROM labels ORDER BY stop").fetchall() == [(10,), (21,)]


def test_a_reader_changes_their_own_edits_only(anna: Library, bert: Library, shared: Shared, study: Study) -> None:
    anna.annotations.edit(study.study_id, "Label", [Add(make_label(study.study_id, 0, 10))])
    with shared.raw("bert") as connection:
        assert connection.execute("UPDATE edits SET is_undone = true").rowcount == 0
        assert connection.execute("DELETE FROM edits").rowcount == 0
    with shared.raw("anna") as connection:
        assert connection.execute("UPDATE edits SET title = 'mine'").rowcount == 1
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("UPDATE edits SET reader = 'bert'")


def test_the_server_notes_its_own_time_in_each_line(anna: Library, shared: Shared, study: Study) -> None:
    with shared.raw("anna") as connection:
        connection.execute(LINE.format(step=1, reader="anna").replace("title, ", "received_utc, title, ", 1).replace(
            "'title', ", "'1999', 'title', ", 1))  # fmt: skip
        received = [row[0] for row in connection.execute("SELECT received_utc FROM audit ORDER BY audit_id")]
    assert min(received) > "2026"
    assert received == sorted(received)


def test_the_second_reading_is_blind_for_raw_statements(
    anna: Library, bert: Library, shared: Shared, study: Study
) -> None:
    identity = study.study_id
    anna.annotations.edit(identity, "Label", [Add(make_label(identity, 0, 10))])
    anna.annotations.edit(identity, "Mark", [Add(Landmark("l-1", identity, Region.COLON, 500, "anna"))])
    anna.annotations.mark_seen(identity, [make_label(identity, 0, 10).span], [], {8: 5})
    second = anna.studies.add_second(identity, "bert")
    with shared.raw("bert") as connection:
        assert _entered(connection, identity) == set()
        for trick in (
            f"UPDATE studies SET second_of = NULL WHERE study_id = '{second.study_id}'",
            f"UPDATE studies SET read_by = 'anna' WHERE study_id = '{second.study_id}'",
            f"UPDATE studies SET study_id = 'x' WHERE study_id = '{second.study_id}'",
            f"DELETE FROM studies WHERE study_id = '{second.study_id}'",
            f"INSERT INTO labels (label_id, study_id, start, stop, name, source, reader, created_utc)"
            f" VALUES ('x', '{identity}', 1, 2, 'blood', '', 'bert', '')",
            "ALTER TABLE labels DISABLE ROW LEVEL SECURITY",
            "SET ROLE anna",
        ):
            assert _refused(connection, trick), trick
        connection.execute("UPDATE labels SET name = 'blood'")
        connection.execute("DELETE FROM labels")
        connection.execute(f"UPDATE studies SET removed_utc = '2026' WHERE study_id = '{second.study_id}'")
        assert _entered(connection, identity) == set()
        connection.execute(f"UPDATE studies SET removed_utc = '' WHERE study_id = '{second.study_id}'")
    bert.annotations.edit(second.study_id, "Mine", [Add(make_label(second.study_id, 50, 60))])
    with pytest.raises(UserError, match="hidden from you"):
        bert.audit.check()
    check = anna.audit.check()
    assert (check.breaks, len(anna.annotations.labels(identity))) == ([], 1)
    bert.studies.update(second.study_id, state="finished")
    with shared.raw("bert") as connection:
        assert {"labels", "landmarks", "edits", "audit", "seen_spans"} <= _entered(connection, identity)
        assert _refused(connection, f"UPDATE studies SET state = 'reading' WHERE study_id = '{second.study_id}'")
    assert bert.audit.check().breaks == []


def _entered(connection: Any, study_id: str) -> set[str]:
    """The tables with rows of a study that the account sees."""
    asked = "SELECT table_name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = %s"
    tables = {row[0] for row in connection.execute(asked, ("study_id",))} - {"studies", "removals"}
    rows = {table: f"SELECT 1 FROM {table} WHERE study_id = %s LIMIT 1" for table in tables}
    return {table for table, sql in rows.items() if connection.execute(sql, (study_id,)).fetchone()}


def test_an_imported_reading_is_in_the_log_of_who_imported_it(anna: Library, bert: Library, study: Study) -> None:
    anna.annotations.edit(study.study_id, "Label", [Add(make_label(study.study_id, 0, 10))])
    document = anna.studies.whole_reading(study.study_id)
    taken = bert.studies.add_whole_reading(document, study, "anna", is_second=True)
    lines = bert.audit.entries(taken.study_id)
    assert {line.reader for line in lines} == {"bert"}
    assert any("Label (by anna)" in str(line.title) for line in lines)
    assert bert.audit.check().breaks == []
