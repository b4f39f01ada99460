"""Servers that are full, read-only, of another version, or die: a sentence each, and no edit is lost."""

import logging
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest

from tests.wce_desktop.library.conftest import make_label
from tests.wce_desktop.library.sharing.conftest import Shared
from training.errors import UserError
from wce_desktop.core.annotation.change import Add, Remove
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.library import Library
from wce_desktop.library.errors import FullServerError, NewerLibraryError, ReadOnlyLibraryError, UnreachableLibraryError
from wce_desktop.library.sharing import copying
from wce_desktop.library.sharing.journal import Journal
from wce_desktop.library.storage import database, server, server_errors
from wce_desktop.session.places import library_folder

FULL = """
CREATE OR REPLACE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
CREATE TRIGGER no_room BEFORE INSERT ON labels FOR EACH ROW EXECUTE FUNCTION no_room()
"""
SECRET = "not-for-the-log"


@pytest.fixture
def journal(anna: Library, tmp_path: Path) -> Journal:
    """Of the reader, on this computer."""
    anna.journal = Journal(tmp_path / "journal.jsonl")
    return anna.journal


def test_edits_wait_in_their_order_while_the_server_is_full(
    anna: Library, shared: Shared, study: Study, journal: Journal
) -> None:
    with shared.raw("tests") as connection:
        connection.execute(FULL)
    label = make_label(study.study_id, 0, 10)
    with pytest.raises(FullServerError, match="full"), anna.writing("it") as connection:
        connection.exec_driver_sql(
            "INSERT INTO labels (label_id, study_id, start, stop, name, source, reader, created_utc)"
            f" VALUES ('x', '{study.study_id}', 1, 2, 'blood', '', 'anna', '')"
        )
    anna.annotations.edit(study.study_id, "Label", [Add(label)])
    anna.annotations.edit(study.study_id, "Take it off", [Remove(label)])  # would not find it on the server
    anna.annotations.edit(study.study_id, "Label anew", [Add(make_label(study.study_id, 5, 6))])
    assert (len(journal.waiting), anna.is_offline, len(anna.studies.all())) == (3, False, 1)
    with pytest.raises(UserError, match="not on the server yet"):
        anna.annotations.undo(study.study_id)
    with shared.raw("tests") as connection:
        connection.execute("DROP TRIGGER no_room ON labels")
    anna.annotations.edit(study.study_id, "Label more", [Add(make_label(study.study_id, 20, 21))])
    assert journal.entries == ()
    assert [each.span for each in anna.annotations.labels(study.study_id)] == [Span(5, 6), Span(20, 21)]
    assert anna.annotations.undo_title(study.study_id) == "Label more"


def test_a_server_that_becomes_read_only_keeps_no_edit_and_loses_none(
    anna: Library, shared: Shared, study: Study, journal: Journal
) -> None:
    _set_read_only(shared, "on")
    try:
        anna.engine.dispose()
        anna.annotations.edit(study.study_id, "Label", [Add(make_label(study.study_id, 0, 10))])
        anna.annotations.mark_seen(study.study_id, [Span(0, 5)])
        assert [entry.title for entry in journal.waiting] == ["Label", "Frames seen"]
        with pytest.raises(FullServerError, match="read-only"):
            anna.studies.update(study.study_id, name="Other")
        carla = shared.open("carla")  # who was never there before
        assert len(carla.studies.all()) == 1
        with pytest.raises(ReadOnlyLibraryError, match="the server is read-only"):
            carla.studies.update(study.study_id, name="Other")
    finally:
        _set_read_only(shared, "off")
    anna.engine.dispose()
    assert anna.annotations.send_journal() == 1
    assert list(anna.annotations.seen(study.study_id)) == [Span(0, 5)]


def _set_read_only(shared: Shared, value: str) -> None:
    shared.postgres.execute(f"ALTER DATABASE {shared.name} SET default_transaction_read_only = {value}")


def test_a_server_that_dies_in_a_transaction_leaves_nothing_half_written(
    anna: Library, shared: Shared, study: Study, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    from wce_desktop.library import audit

    record = audit.record_changes

    def dying(*given: Any) -> None:
        record(*given)
        shared.postgres.stop()

    monkeypatch.setattr(audit, "record_changes", dying)
    anna.annotations.edit(study.study_id, "Label", [Add(make_label(study.study_id, 0, 10))])
    monkeypatch.undo()
    shared.postgres.start()
    assert anna.is_offline
    anna.is_offline = False
    assert anna.annotations.labels(study.study_id) == ()
    assert anna.annotations.send_journal() == 1
    assert len(anna.annotations.labels(study.study_id)) == 1
    assert anna.audit.check().breaks == []


@pytest.mark.parametrize(
    ("version", "error", "words"),
    [("0099", NewerLibraryError, "newer version"), ("0011", UserError, "older version"), (None, UserError, "lacks")],
)
def test_another_version_on_the_server_is_a_sentence(
    version: str | None, error: type[UserError], words: str, shared: Shared, study: Study
) -> None:
    change = "DROP FUNCTION wce_log_end" if version is None else f"UPDATE alembic_version SET version_num = '{version}'"
    shared.postgres.execute(change, database=shared.name)
    with pytest.raises(error, match=words) as caught:
        shared.open("bert").studies.update(study.study_id, name="Other")
    assert caught.value.hint


def test_times_are_those_of_the_server_whatever_the_computer_says(
    shared: Shared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = timedelta(days=400)
    monkeypatch.setattr(database, "local_time", lambda: datetime.now(UTC) - wrong)
    anna = shared.open("anna")
    study = anna.studies.add(tmp_path / "a.mp4", frame_count=100, fingerprint="a")
    anna.journal, anna.is_offline = Journal(tmp_path / "journal.jsonl"), True
    anna.annotations.edit(study.study_id, "Label", [Add(make_label(study.study_id, 0, 10))])
    anna.is_offline = False
    anna.annotations.send_journal()
    monkeypatch.undo()
    now = datetime.now(UTC)
    with shared.raw("anna") as connection:
        rows = connection.execute("SELECT when_utc, received_utc FROM audit").fetchall()
    assert len(rows) == 2
    for when, received in rows:
        assert abs(datetime.fromisoformat(when) - now) < timedelta(minutes=1)
        assert abs(datetime.fromisoformat(received) - now) < timedelta(minutes=1)
    anna.close()
    assert abs(datetime.fromisoformat(database.now_utc()) - now) < timedelta(minutes=1)


def test_an_answer_that_comes_late_does_not_turn_the_clock_back(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = datetime(2026, 3, 1, 12, tzinfo=UTC)
    monkeypatch.setattr(database, "_ahead", timedelta())
    monkeypatch.setattr(database, "local_time", lambda: asked + timedelta(seconds=3))
    database.follow_clock(asked + timedelta(seconds=0.1), asked)
    assert database.now_utc().startswith("2026-03-01T12:00:03")
    database.follow_clock(asked + timedelta(seconds=7), asked)  # at least 4 seconds ahead
    assert database.now_utc().startswith("2026-03-01T12:00:07")
    database.follow_clock(asked - timedelta(seconds=9), asked)  # at least 9 seconds behind
    assert database.now_utc().startswith("2026-03-01T11:59:54")


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://anna:{SECRET}@127.0.0.1/x",
        f"postgresql://127.0.0.1/x?password={SECRET}",
        f"postgresql://127.0.0.1/x?sslpassword={SECRET}",
        f"postgres://anna:{SECRET}@127.0.0.1:port/x",
    ],
)
def test_no_password_is_taken_or_repeated(address: str, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    (tmp_path / "files").mkdir()
    server.write_address(tmp_path / "files", address)
    for step in (
        lambda: copying.create(address, tmp_path / "new"),
        lambda: copying.allow(address, "anna", "reader"),
        lambda: copying.keep_password(address, "other"),
        lambda: library_folder(address),
        lambda: Library.open(tmp_path / "files", ""),
    ):
        with pytest.raises(UserError) as caught:
            step()
        assert SECRET not in f"{caught.value} {caught.value.hint} {caught.value.__cause__}"
    assert SECRET not in caplog.text


def test_a_server_that_is_not_there_and_a_database_or_account_that_is_not(shared: Shared) -> None:
    port = shared.postgres.port
    for address, error, words in (
        ("postgresql://127.0.0.1:9/x?sslmode=disable", UnreachableLibraryError, "cannot be reached"),
        (f"postgresql://anna@127.0.0.1:{port}/none?sslmode=disable", UserError, "no database of this name"),
        (f"postgresql://nobody@127.0.0.1:{port}/{shared.name}?sslmode=disable", UserError, "no such account"),
        (f"postgresql://anna@127.0.0.1:{port}/{shared.name}", UserError, "certificate|encrypted"),
        (f"postgresql://anna@127.0.0.1:{port}/postgres?sslmode=disable", UserError, "no library"),
    ):
        with pytest.raises(error, match=words) as caught:
            library_folder(address)
        assert caught.value.hint


def test_a_name_that_no_computer_has_is_said_without_a_folder() -> None:
    error = psycopg.OperationalError("failed to resolve host 'nowhere': [Errno -2] Name or service not known")
    named = server_errors.sentence(Path(), "giving the role", error)
    assert str(named).startswith("The library's server cannot be reached (failed to resolve host 'nowhere'")


@pytest.mark.parametrize(
    ("said", "with_password", "words"),
    [
        ("FATAL:  Passwort-Authentifizierung für Benutzer »anna« fehlgeschlagen", True, "account's password"),
        ('ВАЖНО:  пользователь "anna" не прошёл проверку подлинности (по паролю)', True, "account's password"),
        ("FATAL:  le rôle « anna » n'existe pas", False, "no such account"),
        ("FATAL:  Datenbank »library« existiert nicht", True, "no database of this name"),
        ("FATAL:  kein pg_hba.conf-Eintrag für Host »::1«, Benutzer »anna«", False, "from this computer"),
        ("FATAL:  das Datenbanksystem startet", False, "cannot be reached"),
        ("FATAL:  tut mir leid, schon zu viele Verbindungen", True, "cannot be reached"),
    ],
)
def test_a_refused_connection_is_named_whatever_the_language_of_the_server(
    said: str, with_password: bool, words: str
) -> None:
    tried = SimpleNamespace(user=b"anna", db=b"library", needs_password=False, used_password=with_password)
    error = Exception(f'connection failed: connection to server at "library", port 5432 failed: {said}')
    error.pgconn = tried  # type: ignore[attr-defined]
    sentence = server_errors.connecting(error)
    assert re.search(words, str(sentence))
    assert isinstance(sentence, UnreachableLibraryError) == ("reached" in words)


def test_the_commands_say_so_too(shared: Shared) -> None:
    address = f"postgresql://anna@127.0.0.1:{shared.postgres.port}/none?sslmode=disable"
    done = subprocess.run(
        [sys.executable, "-m", "wce_desktop", "library", "create", address, "--files", "/dev/null/x"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "no database of this name" in done.stderr
    assert not re.search("Traceback", done.stderr)
