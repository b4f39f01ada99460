"""What the library stores is English, whatever language is shown."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.wce_desktop.translatable import translatable_texts
from wce_desktop.core.annotation.landmark import Region
from wce_desktop.core.annotation.link import Link
from wce_desktop.core.boxes import SuggestedBox, accept_boxes, draw_box, remove_box
from wce_desktop.core.language import tr, use_translations
from wce_desktop.core.selection import FrameSelection
from wce_desktop.core.study import Study
from wce_desktop.features.audit.audit_window import write_log
from wce_desktop.features.neighbours.bulk_labelling import add_to_finding, label_frames, new_findings
from wce_desktop.features.patients.record_plan import plan_another_patient, plan_values
from wce_desktop.features.places.linked_places import link_changes, link_title
from wce_desktop.features.reading import annotating
from wce_desktop.library.exchange.exporting import export_library
from wce_desktop.library.exchange.importing import apply_import, plan_import
from wce_desktop.session.session import Session

MARKS = "⟦⟧"


@pytest.fixture
def marked() -> Iterator[None]:
    """A language in which every text of the window stands in brackets."""
    use_translations({text: f"⟦{text}⟧" for text in translatable_texts()})
    yield
    use_translations({})


@pytest.fixture
def second(session: Session, tmp_path: Path) -> Study:
    """A further study in the library."""
    return session.library.studies.add(tmp_path / "second.mp4", frame_count=60, fingerprint="second")


def _edit_one_study(session: Session) -> None:
    """Labels, findings, landmarks and boxes."""
    reading, reader = session.reading, session.library.reader
    assert reading is not None
    for event in (reading.flags.events[0], reading.flags.events[-1]):
        annotating.answer(session, event, is_accepted=True)
    session.show_frame(20)
    annotating.label_here(session, "normal")
    annotating.label_here(session, "polyp")
    finding = annotating.new_finding(session)
    annotating.toggle_key_frame(session, finding, 21)
    annotating.remove_finding(session, reading.entries.findings[-1])
    for frame in (2, 5, 5):
        session.show_frame(frame)
        annotating.set_landmark(session, Region.SMALL_BOWEL)
    study_id = reading.study.study_id
    suggested = SuggestedBox(11, 4, 4, 20, 20, "polyp", 0.7, "cam", "m1")
    session.edits.apply(*accept_boxes([suggested], reading.entries.findings, study_id, reader))
    drawn = draw_box((1, 1, 9, 9), (32, 32), 11, "polyp", reading.entries.findings, study_id=study_id, reader=reader)
    session.edits.apply(*drawn)
    session.edits.apply(*remove_box(reading.entries.boxes[-1]))


def _edit_both_studies(session: Session, second: Study) -> None:
    """Labels, findings, links and patients of two studies."""
    assert session.reading is not None
    here = session.reading.study.study_id
    label_frames(session, FrameSelection({here: [30, 31], second.study_id: [3]}), "blood")
    found = new_findings(session, FrameSelection({here: [33], second.study_id: [7, 9]}), "polyp")
    add_to_finding(session, FrameSelection({here: [34, 36]}), found[0])
    new = Link.new(
        study_id=here,
        frame_index=4,
        other_study_id=second.study_id,
        other_frame_index=7,
        is_same=True,
        reader="reader",
    )
    linked = link_changes([], new)
    session.edits.apply_to_studies(link_title(4, is_same=True), linked)
    records = [session.library.studies.record(study_id) for study_id in (here, second.study_id)]
    joined = plan_values(records, {study_id: {"pseudonym": "A"} for study_id in (here, second.study_id)})
    session.edits.apply_to_studies(joined.title, joined.changes)
    records = [session.library.studies.record(study_id) for study_id in (here, second.study_id)]
    apart = plan_another_patient(records, [here])
    session.edits.apply_to_studies(apart.title, apart.changes)


@pytest.mark.usefixtures("marked")
def test_whatever_language_is_shown_the_library_and_the_exported_log_are_english(
    opened: Session, second: Study, tmp_path: Path
) -> None:
    assert tr("Undo") == "⟦Undo⟧"
    _edit_one_study(opened)
    _edit_both_studies(opened, second)
    opened.edits.undo()
    library = opened.library
    export_library(library, tmp_path / "out")
    library.annotations.undo(second.study_id)
    apply_import(library, plan_import(library, tmp_path / "out", opened.vocabulary.names))
    titles = {entry.title for entry in library.audit.entries()}
    assert len(titles) > 15
    assert [title for title in titles if any(mark in title for mark in MARKS)] == []
    with closing(sqlite3.connect(library.folder / "library.sqlite")) as raw:
        tables = [name for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        stored = [str(row) for table in tables for row in raw.execute(f"SELECT * FROM {table}")]
    assert [row for row in stored if any(mark in row for mark in MARKS)] == []
    write_log(library.audit.entries(), tmp_path / "log.csv")
    assert not any(mark in (tmp_path / "log.csv").read_text("utf-8") for mark in MARKS)
    untranslated = {title for title in titles if not tr(title).startswith("⟦")}
    assert untranslated == {"Set state of study"}  # the columns of a study, which have no names in the window
