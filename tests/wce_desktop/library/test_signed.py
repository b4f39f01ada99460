"""Signed reports: kept with checksums, verified when opened, every version listed."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from training.errors import UserError
from wce_desktop.core.study import Study
from wce_desktop.library import Library
from wce_desktop.library.backup import backups
from wce_desktop.library.backup.signed_reports import forget_copies
from wce_desktop.library.forgetting.old_backups import forget_in_backups
from wce_desktop.library.signed import SignedReport


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library", "Dr Smith") as made:
        yield made


@pytest.fixture
def study(library: Library, tmp_path: Path) -> Study:
    return library.add_study(tmp_path / "v.mp4", fingerprint="f", frame_count=10)


def sign(library: Library, study: Study, text: str = "page") -> SignedReport:
    return library.keep_report(
        study.study_id,
        library.next_report_version(study.study_id),
        html=text.encode(),
        pdf=b"%PDF " + text.encode(),
        reader="Dr Smith",
        acknowledged={"unseen_flags": 3},
    )


def test_each_signature_is_a_version_that_stays(library: Library, study: Study) -> None:
    first, second = sign(library, study, "one"), sign(library, study, "two")
    assert library.signed_reports(study.study_id) == (first, second)
    assert [each.version for each in (first, second)] == [1, 2]
    assert first.path == library.folder / "reports" / study.study_id / "report-1.pdf"
    assert (first.path.read_bytes(), second.html_path.read_bytes()) == (b"%PDF one", b"two")
    for each in (first, second):
        each.check()


def test_signing_is_in_the_audit_log(library: Library, study: Study) -> None:
    made = sign(library, study)
    entry = library.audit_log(study.study_id)[-1]
    assert (entry.action, entry.kind, entry.item_id, entry.reader) == ("sign", "report", made.report_id, "Dr Smith")
    assert entry.after == {"version": 1, "sha256": made.sha256, "acknowledged": {"unseen_flags": 3}}


def test_a_signed_report_is_there_after_opening_the_library_again(library: Library, study: Study) -> None:
    made = sign(library, study)
    library.close()
    with Library.open(library.folder, "other") as again:
        assert again.signed_reports(study.study_id) == (made,)


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
    assert library.signed_reports(study.study_id) == ()
    assert all(entry.kind != "report" for entry in library.audit_log())


def test_a_version_after_a_failed_one_has_its_number(library: Library, study: Study) -> None:
    place = library.folder / "reports" / study.study_id
    place.mkdir(parents=True)
    (place / "report-1.pdf").write_bytes(b"left by a failure")
    made = sign(library, study)
    assert made.version == 1
    made.check()


def test_a_row_that_leads_out_of_the_library_is_left_out(library: Library, study: Study) -> None:
    from sqlalchemy import update

    from wce_desktop.library import tables

    sign(library, study)
    with library._writing("a test") as connection:
        connection.execute(update(tables.reports).values(path="../elsewhere.pdf"))
    assert library.signed_reports(study.study_id) == ()
    assert len(library.problems(study.study_id)) == 1


def test_backups_hold_signed_reports_and_bring_them_back(library: Library, study: Study) -> None:
    first, second = sign(library, study, "one"), sign(library, study, "two")
    folder = library.folder
    copy = folder / "backups" / "reports" / study.study_id / "report-1.pdf"
    assert copy.read_bytes() == b"%PDF one"
    first.path.write_bytes(b"altered")
    second.html_path.unlink()
    backups.backup(folder, always=True)
    assert copy.read_bytes() == b"%PDF one", "what was altered is not copied"
    library.close()
    Library.restore_backup(folder)
    for each in (first, second):
        each.check()


def test_a_copy_that_failed_is_made_with_the_next_backup(library: Library, study: Study) -> None:
    blocked = library.folder / "backups" / "reports"
    blocked.write_text("in the way")
    made = sign(library, study)
    made.check()
    blocked.unlink()
    backups.backup(library.folder, always=True)
    assert len(list(blocked.rglob("report-1.*"))) == 2


def test_a_removed_study_takes_its_copies_with_it_in_time(library: Library, study: Study) -> None:
    sign(library, study)
    copies = library.folder / "backups" / "reports" / study.study_id
    library.remove_studies([study.study_id])
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
