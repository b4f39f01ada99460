"""Signed reports of an encrypted library: sealed wherever they lie, read with the key only, and never lost."""

import hashlib
import os
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from training.errors import UserError
from training.runs.reporter import SilentReporter
from wce_desktop.library import Library
from wce_desktop.library.backup import backups, copies
from wce_desktop.library.backup.backup_file import contents_of
from wce_desktop.library.checking import check_library
from wce_desktop.library.evidence.signature import SignedReport
from wce_desktop.library.moving import move_library
from wce_desktop.library.removals import forget_in_backups
from wce_desktop.library.storage import encrypting, key_file, sealing

PASSPHRASE = "four quiet words"
NAME = b"Confidential-Name"
PDF, HTML = b"%PDF " + NAME, b"<p>" + NAME
FIRST = f"report-1-{hashlib.sha256(PDF).hexdigest()[:16]}"


@pytest.fixture(autouse=True)
def _no_keys_left() -> Iterator[None]:
    yield
    for folder in list(key_file._held):
        key_file.lock(folder)


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """A plain library with a study, a signed report and a backup."""
    with Library.open(tmp_path / "library", "reader") as library:
        library.studies.add(tmp_path / "a.mp4", study_id="S1", frame_count=10)
        sign(library)
        assert library.back_up() is not None
    return tmp_path / "library"


@pytest.fixture
def folder(plain: Path) -> Path:
    """It, encrypted and unlocked."""
    assert encrypting.encrypt_library(plain, PASSPHRASE) == []
    return plain


def sign(library: Library) -> SignedReport:
    version = library.reports.next_version("S1")
    return library.reports.keep("S1", version, html=HTML, pdf=PDF, reader="reader", acknowledged={})


def report_in(library: Library, version: int = 1) -> SignedReport:
    return library.reports.signed("S1")[version - 1]


def assert_whole(folder: Path, versions: int = 1) -> None:
    with Library.open(folder, "reader") as library:
        assert [(one.read(".pdf"), one.read(".html")) for one in library.reports.signed("S1")] == [
            (PDF, HTML)
        ] * versions


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("report-*") if path.is_file()}


def readable(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file() and NAME in path.read_bytes())


SEALED = {f"{place}/S1/{FIRST}.{kind}.sealed" for place in ("reports", "backups/reports") for kind in ("pdf", "html")}
OPEN = {name.removesuffix(".sealed") for name in SEALED}


def test_what_is_signed_in_an_encrypted_library_is_never_readable(folder: Path) -> None:
    assert files(folder) == SEALED
    with Library.open(folder, "reader") as library:
        second = sign(library)
        assert second.is_sealed
        assert second.read(".pdf") == PDF
        second.check()
        assert readable(folder) == []
    assert files(folder) == SEALED | {name.replace("report-1", "report-2") for name in SEALED}
    assert_whole(folder, versions=2)


def test_reports_of_an_earlier_version_are_sealed_at_the_next_unlocking(folder: Path) -> None:
    for name in SEALED:
        (folder / name).unlink()
        (folder / name.removesuffix(".sealed")).write_bytes(PDF if ".pdf" in name else HTML)
    left = folder / "reports" / "S1" / ".report-2.pdf.partial-17-18"
    left.write_bytes(PDF)
    key_file.lock(folder)
    key_file.unlock(folder, PASSPHRASE)
    assert_whole(folder)
    assert files(folder) == SEALED
    assert readable(folder) == []


def test_reports_that_the_database_does_not_know_are_sealed_and_come_back(plain: Path) -> None:
    """Signed after the backup that was restored, say; a later backup knows them again."""
    unknown = plain / "reports" / "S1" / "report-7.pdf"
    unknown.write_bytes(PDF)
    encrypting.encrypt_library(plain, PASSPHRASE)
    assert readable(plain) == []
    assert encrypting.decrypt_library(plain) == []
    assert unknown.read_bytes() == PDF
    assert files(plain) == OPEN | {"reports/S1/report-7.pdf"}
    assert_whole(plain)


def test_another_passphrase_leaves_them_as_they_are(folder: Path) -> None:
    before = {name: (folder / name).read_bytes() for name in SEALED}
    key_file.change(folder, PASSPHRASE, "a new passphrase")
    key_file.lock(folder)
    key_file.unlock(folder, "a new passphrase")
    assert_whole(folder)
    assert {name: (folder / name).read_bytes() for name in SEALED} == before


def test_each_thing_that_can_be_wrong_has_its_sentence(folder: Path) -> None:
    with Library.open(folder, "reader") as library:
        report = report_in(library)
        place = sealing.sealed(report.path)
        whole = place.read_bytes()
        place.unlink()
        with pytest.raises(UserError, match=rf"Version 1 .* cannot be opened: .*{FIRST}.pdf \(No such file"):
            report.check()
        place.write_bytes(whole[:6000])
        with pytest.raises(UserError, match=rf"cannot be decrypted: .*{FIRST}.pdf.sealed is damaged, or was"):
            report.check()
        sealing.write(report.path, PDF + b"altered", key_file.held(folder))
        with pytest.raises(UserError, match="was changed after it was signed"):
            report.check()
        place.write_bytes(whole)
        key = key_file.held(folder)
        key_file.lock(folder)
        with pytest.raises(UserError, match="was encrypted with the key of another library"):
            report.check()
        key_file.hold(folder, key)
        report.check()


def test_a_full_disk_signs_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorname = "SQLITE_FULL"

    def full(*_: object, **__: object) -> None:
        raise error

    with Library.open(folder, "reader") as library:
        monkeypatch.setattr(sealing, "open_with_key", full)
        with pytest.raises(UserError, match=r"No space left.*Nothing was signed"):
            sign(library)
        assert len(library.reports.signed("S1")) == 1
    assert files(folder) == SEALED


def test_on_a_full_disk_what_stays_readable_is_said_and_sealed_later(
    plain: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sealing, "_write_sealed", raise_full)
        left = encrypting.encrypt_library(plain, PASSPHRASE)
        assert {path.relative_to(plain).as_posix() for path in left} == OPEN
        with Library.open(plain, "reader") as library:
            assert len(library.readable) == 4
            (found,) = [one for one in check_library(library, SilentReporter()).found if "report" in one.problem]
            assert found.problem.startswith("4 files of signed reports are not encrypted.")
    with Library.open(plain, "reader") as library:
        assert library.readable == ()
        checked = check_library(library, SilentReporter())
        assert not [one for one in checked.found if "report" in one.part + one.problem]
    assert files(plain) == SEALED
    assert_whole(plain)


def raise_full(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_full_disk_while_the_encryption_is_removed_leaves_the_library_encrypted(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sealing, "replacing", raise_full)
        with pytest.raises(UserError, match="is full"):
            encrypting.decrypt_library(folder)
    assert key_file.is_protected(folder)
    assert_whole(folder)
    assert files(folder) == SEALED


def test_a_damaged_report_comes_back_from_its_copy_and_one_without_stays_sealed_with_its_key(folder: Path) -> None:
    reports, kept = folder / "reports" / "S1", folder / "backups" / "reports" / "S1"
    (reports / f"{FIRST}.pdf.sealed").write_bytes(b"damaged")
    assert encrypting.decrypt_library(folder) == []
    assert files(folder) == OPEN
    encrypting.encrypt_library(folder, PASSPHRASE)
    for place in (reports, kept):
        (place / f"{FIRST}.pdf.sealed").write_bytes(b"damaged")
    left = encrypting.decrypt_library(folder)
    assert left == [place / f"{FIRST}.pdf.sealed" for place in (reports, kept)]
    (earlier,) = key_file.key_files(folder)
    assert earlier.name != key_file.NAME
    with Library.open(folder, "reader") as library:
        assert report_in(library).read(".html") == HTML
        with pytest.raises(UserError, match="cannot be decrypted"):
            report_in(library).read(".pdf")


def test_restoring_a_backup_brings_sealed_reports_back(folder: Path) -> None:
    (folder / "reports" / "S1" / f"{FIRST}.pdf.sealed").unlink()
    (folder / "reports" / "S1" / f"{FIRST}.html.sealed").write_bytes(os.urandom(9000))
    backups.restore_backup(folder)
    assert files(folder) == SEALED
    assert_whole(folder)
    assert readable(folder) == []


def test_a_moved_library_has_its_reports(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "elsewhere"
    assert move_library(folder, target) == []
    assert files(target) == SEALED
    key_file.lock(target)
    key_file.unlock(target, PASSPHRASE)
    assert_whole(target)


def test_a_library_open_for_reading_shows_them_and_signs_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from wce_desktop.library.storage import opening

    monkeypatch.setattr(opening, "ensure_identity", raise_full)
    with Library.open(folder, "reader") as library:
        assert library.read_only
        assert report_in(library).read(".pdf") == PDF
        with pytest.raises(UserError, match="Read only"):
            sign(library)
    assert files(folder) == SEALED


def test_a_removed_study_takes_its_sealed_reports_with_it(folder: Path) -> None:
    with Library.open(folder, "reader") as library:
        library.removals.remove(["S1"])
    assert files(folder) == {name for name in SEALED if name.startswith("backups")}
    forget_in_backups(folder, datetime.now(UTC) + timedelta(days=31))
    assert files(folder) == set()


def test_copies_in_another_folder_follow(plain: Path, tmp_path: Path) -> None:
    disk, now = tmp_path / "disk", datetime.now(UTC) + timedelta(hours=1)
    disk.mkdir()
    copies.copy_newest(plain, disk)
    place = copies.place_of_copies(plain, disk)
    orphan = place / "reports" / "S0" / "report-1.pdf"
    orphan.parent.mkdir()
    orphan.write_bytes(PDF)
    assert not copies.is_copy_due(plain, disk, 1, now)
    encrypting.encrypt_library(plain, PASSPHRASE)
    assert copies.is_copy_due(plain, disk, 1, now), "what is there can be read"
    copies.copy_newest(plain, disk)
    assert readable(place) == []
    assert files(place) == {f"reports/S1/{FIRST}.{kind}.sealed" for kind in ("pdf", "html")} | {
        "reports/S0/report-1.pdf.sealed"
    }
    assert not copies.is_copy_due(plain, disk, 1, now)
    assert [contents_of(one.path) is not None for one in copies.copies(plain, disk)] == [True]
    encrypting.decrypt_library(plain)
    with Library.open(plain, "reader") as library:
        library.back_up()
    copies.copy_newest(plain, disk)
    assert {f"reports/S1/{FIRST}.{kind}" for kind in ("pdf", "html")} <= files(place)
    aside = {path.name for path in (place / "reports" / "S1").glob("*.sealed")}
    assert aside == {f"{FIRST}.{kind}.1.sealed" for kind in ("pdf", "html")}, "the encrypted copy keeps its reports"
    assert (place / "reports" / "S1" / f"{FIRST}.pdf").read_bytes() == PDF


def test_a_move_that_is_killed_while_the_old_files_go_leaves_one_whole_library(plain: Path, tmp_path: Path) -> None:
    """The new place is known before the first old file goes, and that is the database."""
    target, seen = tmp_path / "elsewhere", []

    def copied() -> None:
        seen.append((plain / "library.sqlite").exists() and (target / "library.sqlite").exists())
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        move_library(plain, target, copied=copied)
    assert seen == [True]
    assert_whole(plain)
    assert_whole(target)
