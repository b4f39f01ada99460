"""A removed study is nowhere until it is brought back, with everything, or erased."""

import os
import sys
from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from tests.wce_desktop.sessions import add_study
from training.errors import UserError
from training.runs.reporter import SilentReporter
from wce_desktop.core.annotation.change import Add, Replace
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.annotation.link import Link
from wce_desktop.core.span import Span
from wce_desktop.core.worklist import matching
from wce_desktop.library import Library, annotations
from wce_desktop.library.errors import LibraryInUseError
from wce_desktop.library.evidence.audit_checking import Note, check_log
from wce_desktop.library.exchange import export_library
from wce_desktop.session import removing
from wce_desktop.session.removing import ERASED_AFTER, bring_back, erase_overdue, hide_studies
from wce_desktop.session.session import Session

IDS = ("study-a", "study-b", "study-c")


@pytest.fixture(autouse=True)
def without_days_of_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """Studies are erased by the clock alone."""
    monkeypatch.setattr(removing, "DAYS_OF_USE", 0)


@pytest.fixture
def library(session: Session, tmp_path: Path) -> Library:
    """Three studies, the first with a label, a finding, a signed report, a second reading and a link from b."""
    library = session.library
    for name in IDS:
        library.studies.add(tmp_path / f"{name}.mp4", study_id=name, name=name, fingerprint=name, frame_count=60)
        library.annotations.edit(name, "Label", [Add(Label(f"l-{name}", name, Span(3, 6), "polyp"))])
        library.annotations.edit(name, "Finding", [Add(Finding(f"f-{name}", name, "polyp", Span(3, 6)))])
    library.annotations.edit("study-b", "Link", [Add(Link("k", "study-b", 3, "study-a", 4, True))])
    library.annotations.mark_seen("study-a", [Span(0, 10)])
    library.reports.keep("study-a", 1, html=b"<p>", pdf=b"%PDF", reader="reader", acknowledged={})
    library.studies.add_second("study-a", "Second")
    return library


def listed(library: Library) -> dict[str, Collection[object]]:
    """What each list of the library names."""
    rows = library.studies.worklist("")
    return {
        "studies": {study.study_id for study in library.studies.all()},
        "worklist": {row.study_id for row in matching(rows, "")},
        "second readings": {str(study.second_of) for study in library.studies.second_readings()},
        "labels": {count.study_id for count in library.annotations.label_counts_by_study()},
        "patients": {*library.annotations.patients_by_class().get("polyp", ())},
        "findings": {finding.study_id for finding in library.annotations.findings_of_kind("polyp")},
        "counts": library.annotations.finding_counts().items(),
        "links": library.annotations.links("study-b"),
        "links to": library.annotations.links_to("study-a"),
    }


def assert_log_is_right(library: Library) -> None:
    assert [each for each in check_log(library, SilentReporter()) if not isinstance(each, Note)] == []


@pytest.mark.parametrize(
    "removed", [["study-a"], ["study-b"], ["study-a", "study-b"], ["study-c", "study-a", "study-b"]]
)
@pytest.mark.parametrize("way", ["undo", "bring back", "undo and redo and undo"])
def test_it_is_in_no_list_and_comes_back_with_everything(
    session: Session, library: Library, tmp_path: Path, removed: list[str], way: str
) -> None:
    before, reports = listed(library), library.reports.signed("study-a")
    hide_studies(session, removed)
    hidden = listed(library)
    for name in ("studies", "worklist", "labels", "findings"):
        assert hidden[name] == set(IDS) - set(removed), name
    assert bool(hidden["second readings"]) == ("study-a" not in removed)
    assert bool(hidden["links"]) == ("study-a" not in removed)
    assert bool(hidden["links to"]) == ("study-b" not in removed)
    assert {row.study_id for row in matching(library.studies.worklist(""), "", "removed")} == set(removed)
    if set(removed) != set(IDS):
        export_library(library, tmp_path / "out")
        assert not [name for name in removed if f'"{name}"' in (tmp_path / "out" / "manifest.json").read_text()]
    assert library.reports.signed("study-a") == reports, "the archive still has the report"
    assert_log_is_right(library)
    if way == "bring back":
        bring_back(session, removed)
    else:
        session.edits.undo()
    if way.endswith("undo") and "redo" in way:
        library.annotations.redo(removed[0])
        assert listed(library) == hidden
        library.annotations.undo(removed[0])
    assert listed(library) == before
    assert library.reports.signed("study-a") == reports
    assert library.studies.get("study-a").seen_frames == 10
    assert_log_is_right(library)


def test_undo_works_while_another_study_is_open(session: Session, library: Library, tmp_path: Path) -> None:
    study = add_study(session, tmp_path)
    index = session.files(study).load_index(study.fingerprint)
    assert index is not None
    session.open_study(study, index)
    hide_studies(session, ["study-a", "study-b"])
    assert session.edits.undo_title == "Remove 2 studies"
    session.edits.undo()
    assert library.studies.removed() == ()
    session.close_study()


@pytest.mark.parametrize(
    ("days", "erased"), [(0, 0), (ERASED_AFTER.days - 1, 0), (ERASED_AFTER.days + 1, 3), (3 * ERASED_AFTER.days, 3)]
)
def test_it_is_erased_after_the_stated_days(session: Session, library: Library, days: int, erased: int) -> None:
    hide_studies(session, ["study-a", "study-b"])
    assert erase_overdue(session, datetime.now(UTC) + timedelta(days=days)) == erased, "with a second reading"
    assert len(library.removals.all()) == erased
    assert {study.study_id for study in library.studies.all()} == {"study-c"}
    assert bool(library.studies.removed()) == (not erased)
    assert_log_is_right(library)


def test_a_clock_that_is_years_ahead_erases_nothing(
    session: Session, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(removing, "DAYS_OF_USE", 5)
    hide_studies(session, ["study-b"])
    later = datetime.now(UTC) + timedelta(days=3650)
    assert erase_overdue(session, later) == 0
    for day in range(5):
        monkeypatch.setattr(annotations, "now_utc", lambda day=day: (later + timedelta(days=day)).isoformat())
        library.annotations.edit(
            "study-c", "Label", [Add(Label(f"l-{day}", "study-c", Span(9 + day, 10 + day), "polyp"))]
        )
        assert erase_overdue(session, later + timedelta(days=day)) == (day == 4)


@pytest.mark.parametrize("when", ["yesterday", "", "9999-12-31T23:59:59+00:00", "2020-01-01"])
def test_a_time_that_cannot_be_erases_nothing_by_itself(session: Session, library: Library, when: str) -> None:
    hide_studies(session, ["study-b"])
    with library.engine.execution_options(writes=True).begin() as connection:
        connection.execute(text("UPDATE studies SET removed_utc = :when WHERE study_id = 'study-b'"), {"when": when})
    assert erase_overdue(session) == (1 if when.startswith("2020") else 0)


def test_undo_says_nothing_of_a_removal_whose_study_was_erased(
    session: Session, library: Library, tmp_path: Path
) -> None:
    study = add_study(session, tmp_path)
    index = session.files(study).load_index(study.fingerprint)
    assert index is not None
    session.open_study(study, index)
    session.edits.apply("Label", [Add(Label("l-own", study.study_id, Span(1, 2), "polyp"))])
    hide_studies(session, ["study-b"])
    erase_overdue(session, datetime.now(UTC) + 2 * ERASED_AFTER)
    assert session.edits.undo_title == "Label"
    session.close_study()


ADDING: list[Callable[[Session, Path], object]] = [
    lambda session, folder: session.library.studies.add(folder / "new.mp4", fingerprint="study-a"),
    lambda session, folder: session.library.studies.add(folder / "new.mp4", study_id="study-a"),
]


@pytest.mark.parametrize("add", ADDING)
def test_its_recording_is_not_added_beside_it(
    session: Session, library: Library, tmp_path: Path, add: Callable[[Session, Path], object]
) -> None:
    hide_studies(session, ["study-a"])
    with pytest.raises(UserError, match="was removed"):
        add(session, tmp_path)
    assert {study.study_id for study in library.studies.all()} == {"study-b", "study-c"}


def test_a_second_window_waits_and_finds_it_removed(session: Session, library: Library) -> None:
    hide_studies(session, ["study-a"])
    with pytest.raises(LibraryInUseError):
        Library.open(library.folder, "reader")
    library.close()
    with Library.open(library.folder, "reader") as again:
        assert again.loss is None
        assert {study.study_id for study in again.studies.removed() if study.second_of is None} == {"study-a"}


@pytest.mark.skipif(sys.platform == "win32", reason="no fork there")
def test_a_killed_program_keeps_it(folder: Path) -> None:
    with Library.open(folder, "reader") as library:
        library.studies.add(Path("a.mp4"), study_id="study-a", name="study-a", fingerprint="study-a", frame_count=60)
        library.annotations.edit("study-a", "Label", [Add(Label("l-a", "study-a", Span(3, 6), "polyp"))])
    child = os.fork()
    if child == 0:
        try:
            library = Library.open(folder, "reader")
            old = library.studies.record("study-a")
            removed = replace(old, removed_utc="2026-11-29T08:00:00+00:00")
            library.annotations.edit("study-a", "Remove", [Replace(old, removed)])
        finally:
            os._exit(9)  # also after an error: nothing of the tests goes on twice
    os.waitpid(child, 0)
    with Library.open(folder, "reader") as library:
        assert library.loss is None
        assert [study.study_id for study in library.studies.removed()] == ["study-a"]
        library.annotations.undo("study-a")
        assert [label.label_id for label in library.annotations.labels("study-a")] == ["l-a"]
        assert [study.study_id for study in library.studies.all()] == ["study-a"]
