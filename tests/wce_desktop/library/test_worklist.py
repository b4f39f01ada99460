"""The rows of the worklist: status, readers and progress follow from what the library knows."""

from pathlib import Path

import pytest

from tests.wce_desktop.tampering import raw_database
from wce_desktop.core.annotation.change import Add, Replace
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.annotation.landmark import Landmark, Region
from wce_desktop.core.annotation.record import Record
from wce_desktop.core.span import Span, SpanSet
from wce_desktop.core.worklist import WorklistRow, in_order, matching
from wce_desktop.library import Library


def add(library: Library, name: str, folder: Path) -> None:
    library.studies.add(folder / f"{name}.mp4", study_id=name, name=name, fingerprint=name, frame_count=200)


def name_patient(library: Library, study_id: str, pseudonym: str, date: str = "") -> None:
    record = library.studies.record(study_id)
    named = Record(study_id, record.patient_id, pseudonym=pseudonym, exam_date=date, read_by="Ann")
    library.annotations.edit(study_id, "Record", [Replace(record, named)])


def row(library: Library, study_id: str) -> WorklistRow:
    return next(each for each in library.studies.worklist("m1") if each.study_id == study_id)


def sign(library: Library, study_id: str) -> None:
    version = library.reports.next_version(study_id)
    library.reports.keep(study_id, version, html=b"h", pdf=b"%PDF", reader=library.reader, acknowledged={})


def test_a_study_goes_from_new_to_signed(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library", "reader") as library:
        add(library, "a", tmp_path)
        assert row(library, "a").status == "new"
        library.annotations.mark_seen("a", SpanSet([Span(0, 50), Span(60, 61)]))
        assert row(library, "a").status == "in reading"
        assert row(library, "a").seen_text == "25 %"
        library.studies.update("a", state="finished")
        assert row(library, "a").status == "to sign"
        second = library.studies.add_second("a", "Bea")
        assert row(library, "a").status == "second reading"
        library.studies.update(second.study_id, state="finished")
        assert row(library, "a").status == "to sign"
        sign(library, "a")
        sign(library, "a")
        assert row(library, "a").status == "signed"
        label = Label("l1", "a", Span(1, 2), "polyp")
        library.annotations.edit("a", "x", [Add(label)])
        assert row(library, "a").status_text == "signed", "labels are in no report"
        library.annotations.edit("a", "x", [Add(Finding.new(study_id="a", kind="polyp", span=Span(1, 2)))])
        assert (row(library, "a").status, row(library, "a").status_text) == ("signed", "signed, edited since")
        library.annotations.undo("a")
        assert row(library, "a").status_text == "signed"
        assert row(library, "a").readers == "reader, Bea"
        assert len(library.studies.worklist("m1")) == 1, "a second reading is no examination of its own"


def test_patients_with_one_number_stay_two_and_are_both_listed(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library", "reader") as library:
        for name in ("a", "b"):
            add(library, name, tmp_path)
            name_patient(library, name, "4711", "2026-11-0" + ("1" if name == "a" else "2"))
        rows = matching(library.studies.worklist("m1"), "4711")
        assert [each.study_id for each in rows] == ["b", "a"], "the newest examination first"
        assert len({each.patient_id for each in rows}) == 2


def test_a_patient_with_two_numbers_is_listed_by_each(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library", "reader") as library:
        for name, number in (("a", "4711"), ("b", "4712")):
            library.studies.add(tmp_path / name, study_id=name, patient_id="P1", fingerprint=name, frame_count=9)
            name_patient(library, name, number)
        rows = library.studies.worklist("m1")
        assert [each.study_id for each in matching(rows, "4712")] == ["b"]
        assert {each.patient_id for each in rows} == {"P1"}


def test_a_library_without_patients_says_so_in_each_row(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library", "reader") as library:
        assert library.studies.worklist("") == ()
        add(library, "a", tmp_path)
        library.studies.add(tmp_path / "b", study_id="b", patient_id="ward-7", fingerprint="b")
        assert row(library, "a").patient == "Patient without a name"
        assert row(library, "b").patient == "ward-7", "the id that an import gave"
        assert row(library, "b").seen_text == ""


def test_the_small_bowel_counts_between_its_landmarks(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library", "reader") as library:
        add(library, "a", tmp_path)
        library.annotations.mark_seen("a", SpanSet([Span(0, 50), Span(60, 70), Span(150, 200)]))
        assert row(library, "a").bowel_share is None
        assert row(library, "a").bowel_text == ""
        first = Landmark("l1", "a", Region.SMALL_BOWEL, 40)
        library.annotations.edit("a", "First", [Add(first)])
        assert row(library, "a").bowel_text == "43 %", "to the end of the study, as in its window"
        library.annotations.edit("a", "End", [Add(Landmark("l2", "a", Region.END, 159))])
        assert row(library, "a").bowel_frames == 120
        assert row(library, "a").seen_bowel_frames == 30, "the colon was not reached"
        library.annotations.edit("a", "Last", [Add(Landmark("l3", "a", Region.COLON, 80))])
        assert row(library, "a").bowel_text == "50 %"
        assert row(library, "a").seen_text == "55 %"


@pytest.mark.parametrize("value", ["x'00ff'", "'many'", "-5"])
def test_damaged_values_are_brought_to_their_type(tmp_path: Path, value: str) -> None:
    with Library.open(tmp_path / "library", "reader") as library:
        add(library, "a", tmp_path)
        with raw_database(library.folder) as opened:
            opened.execute(f"UPDATE studies SET frame_count = {value}")
        assert row(library, "a").seen_share == 0.0
        assert row(library, "a").seen_text == ""


def test_rows_are_filtered_by_words_and_status_and_empty_cells_stand_last() -> None:
    def make(study_id: str, date: str, seen: int = 0) -> WorklistRow:
        search = f"müller\n{study_id}\n{date}"
        return WorklistRow(
            study_id, "p", "Müller", study_id, date, "", 10, seen, "new", False, False, False, search
        )  # fmt: skip

    rows = [make("x1", ""), make("x2", "2026-01-02", 4), make("x3", "2026-03-01")]
    assert matching(rows, "MÜLLER 2026-03") == [rows[2]]
    assert matching(rows, "", "in reading") == [rows[1]]
    for is_descending, order in ((False, "x2 x3 x1"), (True, "x3 x2 x1")):
        ordered = in_order(rows, lambda row: row.exam_date, is_descending=is_descending)
        assert " ".join(row.study_id for row in ordered) == order
