"""Signed reports: kept with checksums, verified when opened, every version listed."""

import hashlib
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from training.errors import UserError
from training.runs.reporter import SilentReporter
from wce_desktop.core.study import Study
from wce_desktop.library import Library, tables
from wce_desktop.library.backup import backups
from wce_desktop.library.backup.signed_reports import forget_copies
from wce_desktop.library.checking import check_library
from wce_desktop.library.evidence.signature import SignedReport
from wce_desktop.library.removals import forget_in_backups
from wce_desktop.library.storage import encrypting, key_file


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library", "Dr Smith") as made:
        yield made


@pytest.fixture
def study(library: Library, tmp_path: Path) -> Study:
    return library.studies.add(tmp_path / "v.mp4", fingerprint="f", frame_count=10)


def sign(library: Library, study: Study, text: str = "page") -> SignedReport:
    return library.reports.keep(
        study.study_id,
        library.reports.next_version(study.study_id),
        html=text.encode(),
        pdf=b"%PDF " + text.encode(),
        reader="Dr Smith",
        acknowledged={"unseen_flags": 3},
    )


def test_each_signature_is_a_version_that_stays(library: Library, study: Study) -> None:
    first, second = sign(library, study, "one"), sign(library, study, "two")
    assert library.reports.signed(study.study_id) == (first, second)
    assert [each.version for each in (first, second)] == [1, 2]
    named = f"report-1-{first.sha256[:16]}.pdf"
    assert first.path == library.folder / "reports" / study.study_id / named
    assert (first.path.read_bytes(), second.html_path.read_bytes()) == (b"%PDF one", b"two")
    for each in (first, second):
        each.check()


def test_signing_is_in_the_audit_log(library: Library, study: Study) -> None:
    made = sign(library, study)
    entry = library.audit.entries(study.study_id)[-1]
    assert (entry.action, entry.kind, entry.item_id, entry.reader) == ("sign", "report", made.report_id, "Dr Smith")
    assert entry.after == {"version": 1, "sha256": made.sha256, "acknowledged": {"unseen_flags": 3}}


def test_a_signed_report_is_there_after_opening_the_library_again(library: Library, study: Study) -> None:
    made = sign(library, study)
    library.close()
    with Library.open(library.folder, "other") as again:
        assert again.reports.signed(study.study_id) == (made,)


@pytest.mark.parametrize("suffix", [".pdf", ".html"])
def test_an_altered_file_is_noticed(library: Library, study: Study, suffix: str) -> None:
    made = sign(library, study)
    path = made.path.with_suffix(suffix)
    path.write_bytes(path.read_bytes() + b" ")
    with pytest.raises(UserError, match="Version 1 of the report was changed after it was signed"):
        made.check()


def test_a_missing_file_is_said(library: Library, study: Study) -> None:
    made = sign(library, study)
    made.path.unlink()
    with pytest.raises(UserError, match="Version 1 of the report cannot be opened"):
        made.check()


def test_a_folder_that_cannot_be_written_signs_nothing(library: Library, study: Study) -> None:
    (library.folder / "reports").write_text("a file where the folder belongs")
    with pytest.raises(UserError, match=r"cannot be written into .*Nothing was signed"):
        sign(library, study)
    assert library.reports.signed(study.study_id) == ()
    assert all(entry.kind != "report" for entry in library.audit.entries())


def test_a_version_after_a_failed_one_has_its_number(library: Library, study: Study) -> None:
    place = library.folder / "reports" / study.study_id
    place.mkdir(parents=True)
    (place / f"report-1-{hashlib.sha256(b'%PDF page').hexdigest()[:16]}.html").write_bytes(b"page")  # a failure left it
    made = sign(library, study)
    assert made.version == 1
    made.check()


def test_a_row_that_leads_out_of_the_library_is_left_out(library: Library, study: Study) -> None:
    sign(library, study)
    with library.writing("a test") as connection:
        connection.execute(update(tables.reports).values(path="../elsewhere.pdf"))
    assert library.reports.signed(study.study_id) == ()
    assert len(library.problems(study.study_id)) == 1


def test_backups_hold_signed_reports_and_bring_them_back(library: Library, study: Study) -> None:
    first, second = sign(library, study, "one"), sign(library, study, "two")
    folder = library.folder
    copy = folder / "backups" / "reports" / study.study_id / first.path.name
    assert copy.read_bytes() == b"%PDF one"
    first.path.write_bytes(b"altered")
    second.html_path.unlink()
    backups.backup(folder, always=True)
    assert copy.read_bytes() == b"%PDF one", "what was altered is not copied"
    library.close()
    backups.restore_backup(folder)
    for each in (first, second):
        each.check()


def test_a_copy_that_failed_is_made_with_the_next_backup(library: Library, study: Study) -> None:
    blocked = library.folder / "backups" / "reports"
    blocked.write_text("in the way")
    made = sign(library, study)
    made.check()
    blocked.unlink()
    backups.backup(library.folder, always=True)
    assert len(list(blocked.rglob("report-1-*.*"))) == 2


def test_a_removed_study_takes_its_copies_with_it_in_time(library: Library, study: Study) -> None:
    sign(library, study)
    copies = library.folder / "backups" / "reports" / study.study_id
    library.removals.remove([study.study_id])
    assert copies.is_dir()
    library.close()
    forget_in_backups(library.folder, datetime.now(UTC) + timedelta(days=29))
    assert copies.is_dir()
    forget_in_backups(library.folder, datetime.now(UTC) + timedelta(days=31))
    assert not copies.exists()


@pytest.mark.parametrize("study_id", ["", ".", "..", "../other", "s-1/.."])
def test_an_id_that_is_no_folder_of_reports_deletes_nothing(tmp_path: Path, study_id: str) -> None:
    kept = [tmp_path / "place" / "reports" / "s-1" / "report-1.pdf", tmp_path / "place" / "other" / "theirs.txt"]
    for path in kept:
        path.parent.mkdir(parents=True)
        path.write_bytes(b"%PDF")
    forget_copies(tmp_path / "place", [study_id])
    assert all(path.exists() for path in kept)


def test_a_file_of_this_name_with_another_content_is_never_written_over(library: Library, study: Study) -> None:
    made = sign(library, study)
    other = made.path.with_name(made.path.name.replace("report-1-", "report-2-"))
    other.write_bytes(b"another report")
    with pytest.raises(UserError, match=r"is there already, with another content.*Nothing was signed"):
        sign(library, study)
    assert other.read_bytes() == b"another report"
    assert library.reports.signed(study.study_id) == (made,)
    other.write_bytes(b"%PDF page")
    sign(library, study).check()


@pytest.mark.parametrize("passphrase", ["", "four quiet words"])
def test_a_version_signed_again_after_restoring_destroys_no_other(tmp_path: Path, passphrase: str) -> None:
    """Three states of a library, each with another version 1: whichever is restored after another, all are whole."""
    folder, states = tmp_path / "library", {}
    with Library.open(folder, "Dr Smith") as library:
        study = library.studies.add(tmp_path / "v.mp4", fingerprint="f", frame_count=10)
        before = library.back_up()
        assert before is not None
    if passphrase:
        assert encrypting.encrypt_library(folder, passphrase) == []
    kept_before = tmp_path / "before.sqlite"
    shutil.copyfile(before, kept_before)
    for text in ("one", "two", "three"):
        backups.restore_backup(folder, kept_before)
        with Library.open(folder, "Dr Smith") as library:
            assert sign(library, study, text).version == 1
            made = library.back_up()
            assert made is not None
            states[text] = shutil.copyfile(made, tmp_path / f"{text}.sqlite")
    for text in ("one", "three", "two", "one", "two", "three"):  # each after each other one
        backups.restore_backup(folder, states[text])
        with Library.open(folder, "Dr Smith") as library:
            (report,) = library.reports.signed(study.study_id)
            assert (report.read(".pdf"), report.read(".html")) == (b"%PDF " + text.encode(), text.encode())
            assert [one for one in check_library(library, SilentReporter()).found if "report" in one.part] == []
    key_file.lock(folder)


def test_reports_that_share_an_old_name_are_both_kept(library: Library, study: Study) -> None:
    """Signed by earlier versions of the program, before and after an older backup was restored."""
    folder, place = library.folder, library.folder / "reports" / study.study_id
    states = []
    for text in ("one", "two"):
        made = sign(library, study, text)
        for kind in (".pdf", ".html"):
            made.path.with_suffix(kind).replace(place / f"report-1{kind}")
        with library.writing("a test") as connection:
            connection.execute(tables.reports.delete().where(tables.reports.c.version == made.version - 1))
            connection.execute(update(tables.reports).values(path=f"reports/{study.study_id}/report-1.pdf"))
        copies = folder / "backups" / "reports" / study.study_id
        for path in list(copies.glob("report-?-*")):
            first = copies / f"report-1{path.suffix}"
            path.unlink() if first.exists() else path.rename(first)
        made_backup = library.back_up()
        assert made_backup is not None
        states.append(shutil.copyfile(made_backup, folder.parent / f"{text}.sqlite"))
    library.close()
    for number in (0, 1, 0, 1, 1, 0):
        backups.restore_backup(folder, states[number])
        with Library.open(folder, "Dr Smith") as again:
            (report,) = again.reports.signed(study.study_id)
            assert report.path.name == "report-1.pdf"
            assert report.read(".pdf") == (b"%PDF one", b"%PDF two")[number]
            report.check()


def test_a_removed_study_leaves_no_report_under_any_name(library: Library, study: Study) -> None:
    made = sign(library, study)
    for name in ("report-1.pdf", "report-1.html.sealed", f"report-1-{made.sha256[:16]}-0123456789abcdef.html"):
        (made.path.parent / name).write_bytes(b"left")
    library.removals.remove([study.study_id])
    assert list((library.folder / "reports").rglob("*report-*")) == []
