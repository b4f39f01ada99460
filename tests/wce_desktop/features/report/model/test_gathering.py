"""What the report says of a study, gathered from a session without a window."""

from dataclasses import replace

import numpy as np
import pytest

from wce_desktop.core.annotation.change import Add, Remove, Replace
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.annotation.landmark import Landmark, Region
from wce_desktop.core.annotation.link import Link
from wce_desktop.core.annotation.report_part import PartKind, ReportPart
from wce_desktop.core.span import Span
from wce_desktop.features.reading import annotating
from wce_desktop.features.report.model.frozen import frozen_content
from wce_desktop.features.report.model.gathering import gather, speeds_text
from wce_desktop.features.report.model.parts import read_blocks, to_confirm, unfinished
from wce_desktop.session.completeness.score_basis import disagreement, with_basis
from wce_desktop.session.completeness.still_open import flags_in_words, still_open
from wce_desktop.session.edits import part_change
from wce_desktop.session.session import Session

LEWIS_NORMAL = {
    **{f"{key}-{at}": "normal" if key == "villi" else "none" for key in ("villi", "ulcers") for at in "123"},
    "stenosis": "none",
}


def add_part(session: Session, kind: PartKind, **content: object) -> None:
    assert session.reading is not None
    study_id = session.reading.study.study_id
    session.edits.apply("x", [Add(ReportPart.new(study_id=study_id, kind=kind, content=content))])


def test_an_empty_study_has_a_report(opened: Session) -> None:
    report = gather(opened)
    assert (report.findings, report.scores, report.transit, report.links) == ((), (), (), ())
    assert [row.name for row in report.examination] == ["Date", "Recording"]
    assert [row.text for row in report.patient] == ["not entered"]
    assert opened.reading is not None
    assert opened.reading.study.study_id not in repr(report)
    assert report.adequacy == ""
    assert {row.name: row.text for row in report.model}["Threshold"] == "0.50, the lowest of this reading"


def test_landmarks_request_and_letterhead_are_in_the_report(opened: Session) -> None:
    assert opened.reading is not None
    study_id = opened.reading.study.study_id
    marks = ((Region.STOMACH, 1), (Region.COLON, 45), (Region.END, 59))
    opened.edits.apply("x", [Add(Landmark(f"l{frame}", study_id, region, frame)) for region, frame in marks])
    add_part(opened, "texts", question="Bleeding?", referrer="Dr Kim", history=7)
    opened.settings.set("report_letterhead", "Hospital | Street 1 ||")
    report = gather(opened)
    shown = [(mark.title, mark.picture.frame_index) for mark in report.landmarks]
    assert shown == [("Stomach", 1), ("Colon", 45), ("End", 59)]
    assert report.frames == (1, 45, 59)
    assert [(row.name, row.text) for row in report.request] == [("Referred by", "Dr Kim"), ("Question", "Bleeding?")]
    assert report.letterhead == ("Hospital", "Street 1")


def test_findings_are_numbered_in_order_of_time(opened: Session) -> None:
    assert opened.reading is not None
    study_id = opened.reading.study.study_id
    late = Finding.new(study_id=study_id, kind="blood", span=Span(40, 42), key_frames=(41, 41, 99))
    early = Finding.new(study_id=study_id, kind="polyp", span=Span(10, 14), model_id="m1", was_seen_before=False)
    early = replace(early, number="few", size_mm=2.5, morphology="0-Is sessile", segment="jejunum")
    opened.edits.apply("x", [Add(late), Add(early)])
    opened.edits.apply("x", [Add(Landmark("l", study_id, Region.SMALL_BOWEL, 5))])
    first, second = gather(opened).findings
    assert (first.number, first.title, second.number, second.title) == (1, "Polyp", 2, "Blood")
    assert "small bowel" in first.place
    assert {row.name: row.text for row in first.rows} == {
        "Segment": "jejunum",
        "Number": "few",
        "Size": "2.5 mm",
        "Morphology": "0-Is sessile",
        "Suggested": "by the model “Model 1”; the reader had not seen these frames before they were flagged",
    }
    assert [picture.frame_index for picture in second.pictures] == [41], "each once, none past the end"


def test_a_finding_without_key_frames_shows_the_middle_of_what_is_labelled_whatever_the_scores(opened: Session) -> None:
    reading = opened.reading
    assert reading is not None

    def frames(kind: str, start: int, stop: int) -> tuple[int, ...]:
        return reading.entries.frames_of(Finding.new(study_id="s", kind=kind, span=Span(start, stop)))

    assert frames("polyp", 20, 27) == (23,), "none is labelled"
    assert frames("lymph", 58, 99) == (58,), "of a longer file"
    assert frames("lymph", 70, 99) == (59,)
    study_id = reading.study.study_id
    labels = [Label(f"l{span.start}", study_id, span, "polyp") for span in (Span(21, 22), Span(25, 40))]
    opened.edits.apply("Label", [Add(label) for label in labels])
    assert frames("polyp", 20, 27) == (25,)
    assert frames("ulcer", 20, 27) == (23,), "another class is labelled"


def test_a_caecum_that_was_not_reached_is_said(opened: Session) -> None:
    assert opened.reading is not None
    study_id = opened.reading.study.study_id
    marks = ((Region.SMALL_BOWEL, 5), (Region.END, 55))
    opened.edits.apply("x", [Add(Landmark(f"l{frame}", study_id, region, frame)) for region, frame in marks])
    notes = " ".join(gather(opened).transit_notes)
    assert "caecum was not reached" in notes
    assert "retention" in notes.lower()


def test_adequacy_names_the_reader_and_the_score(opened: Session) -> None:
    add_part(opened, "texts", adequacy="inadequate")
    add_part(opened, "cc-clear", right="1", transverse="2", left="3")
    report = gather(opened)
    assert report.adequacy.startswith("not adequate; CC-CLEAR")
    assert "a segment has 0 or 1" in report.adequacy
    assert [score.value for score in report.scores] == ["6"]


def test_a_score_that_is_not_finished_is_left_out_and_said(opened: Session) -> None:
    assert opened.reading is not None
    add_part(opened, "cc-clear", right="1", transverse="2")
    assert gather(opened).scores == ()
    assert unfinished(opened.reading).startswith("Not in the report, since something is not entered yet: CC-CLEAR")
    add_part(opened, "cecdai", **{"a-proximal": "seven"})
    assert "CECDAI" not in unfinished(opened.reading)


def test_inputs_of_a_score_that_cannot_be_read_leave_it_out(opened: Session) -> None:
    add_part(opened, "lewis", **{"ulcers-1": "thousands"})
    assert gather(opened).scores == ()


def test_grades_of_other_frames_give_no_score(opened: Session) -> None:
    assert opened.reading is not None
    study_id = opened.reading.study.study_id
    add_part(opened, "koda", frames=[[5, 3, 3]])
    opened.edits.apply("x", [Add(Landmark("l5", study_id, Region.SMALL_BOWEL, 5))])
    (score,) = gather(opened).scores
    assert (score.value, score.meaning[:8]) == ("3.00 of 3 from 1 frame", "Too few ")
    assert gather(opened).adequacy == "", "one frame says nothing of the bowel"
    (mark,) = opened.reading.entries.landmarks
    opened.edits.apply("x", [Replace(mark, replace(mark, frame_index=9))])
    assert gather(opened).scores == ()
    assert "KODA" in unfinished(opened.reading)


def test_a_score_without_the_caecum_says_so(opened: Session) -> None:
    assert opened.reading is not None
    study_id = opened.reading.study.study_id
    add_part(opened, "lewis", **LEWIS_NORMAL)
    opened.edits.apply("x", [Add(Landmark("l5", study_id, Region.SMALL_BOWEL, 5))])
    for mark, words in (
        (None, ("The caecum is not marked: the end of the recording, 0:00:",)),
        (Landmark("l50", study_id, Region.END, 50), ("Incomplete examination: the caecum was not reached",)),
        (Landmark("l40", study_id, Region.COLON, 40), ()),
    ):
        if mark is not None:
            opened.edits.apply("x", [Add(mark)])
        notes = gather(opened).scores[0].notes
        assert len(notes) == len(words)
        assert all(note.startswith(word) for note, word in zip(notes, words, strict=True))


def test_a_score_is_to_be_confirmed_again_once_findings_or_landmarks_change(opened: Session) -> None:
    reading = opened.reading
    assert reading is not None
    study_id = reading.study.study_id
    marks = [Landmark(f"l{at}", study_id, region, at) for region, at in ((Region.SMALL_BOWEL, 5), (Region.COLON, 50))]
    ulcer = Finding.new(study_id=study_id, kind="ulcer", span=Span(45, 46))
    opened.edits.apply("x", [*map(Add, marks), Add(ulcer)])

    def keep(answers: dict[str, str], *, is_confirmed: bool = False) -> None:
        content = with_basis(reading, "lewis", answers, is_confirmed=is_confirmed)
        opened.edits.apply("x", [part_change(reading, "lewis", content, "")])

    keep(LEWIS_NORMAL)
    assert disagreement(reading, "lewis").endswith("Third tertile, Ulcers: None, findings: Single.")
    assert gather(opened).scores[0].notes[0].startswith("To be confirmed: Does not agree with the findings")
    keep(LEWIS_NORMAL, is_confirmed=True)
    assert to_confirm(reading) == ()
    single = {**LEWIS_NORMAL, "ulcers-3": "single", "ulcer-extent-3": "short", "ulcer-size-3": "small"}
    keep(single)
    assert disagreement(reading, "lewis") == ""
    opened.edits.apply("x", [Remove(ulcer)])
    changed = "Findings or landmarks have changed since this was entered."
    assert to_confirm(reading) == (f"Lewis score: {changed}",)
    keep({**single, "ulcer-size-3": "medium"})
    assert disagreement(reading, "lewis") == changed, "another answer confirms nothing"
    keep(single, is_confirmed=True)
    opened.edits.apply("x", [Replace(marks[0], replace(marks[0], frame_index=9))])
    assert disagreement(reading, "lewis") == changed
    opened.edits.undo()
    assert disagreement(reading, "lewis") == ""


def test_labels_without_a_finding_and_unanswered_flags_are_counted(opened: Session) -> None:
    assert opened.reading is not None
    before = still_open(opened.reading)
    study_id = opened.reading.study.study_id
    label = Label("l1", study_id, Span(2, 5), "ulcer")
    finding = Finding.new(study_id=study_id, kind="ulcer", span=Span(3, 4))
    opened.edits.apply("x", [Add(label), Add(finding)])
    now = still_open(opened.reading)
    assert now.unlisted_frames == before.unlisted_frames + 2
    rows = {row.name: row.text for row in (*gather(opened).reading, *gather(opened).model)}
    assert rows["Labelled frames without a finding, not shown"] == f"{now.unlisted_frames} frames"
    assert ("not answered" in rows.get("Flags", "")) is bool(now.unanswered_flags)


def test_a_normal_summary_beside_findings_or_without_the_caecum_is_said(opened: Session) -> None:
    reading = opened.reading
    assert reading is not None
    blocks, study_id = read_blocks(opened.library.folder), reading.study.study_id
    (normal,) = (block for block in blocks if block.is_normal)
    add_part(opened, "texts", summary=f"Well prepared. {normal.text}")
    assert to_confirm(reading, blocks) == ()
    opened.edits.apply("x", [Add(Finding.new(study_id=study_id, kind="polyp", span=Span(3, 4)))])
    assert to_confirm(reading, blocks) == ("The summary says that nothing was seen; there are findings.",)
    assert still_open(reading).bare_findings == 1
    opened.edits.apply("x", [Add(Landmark("l50", study_id, Region.END, 50))])
    assert len(to_confirm(reading, blocks)) == 2


def test_times_of_images_are_estimated(opened: Session) -> None:
    assert opened.reading is not None
    rows = {row.name: row.text for row in gather(opened).examination}
    assert "estimated" not in rows["Recording"]
    opened.reading.index = replace(opened.reading.index, kind="images", packets=None, files=("a",) * 60)
    rows = {row.name: row.text for row in gather(opened).examination}
    assert rows["Recording"].endswith("all times are estimated: images have none, 2 count as a second")


def test_a_link_names_the_other_study_by_its_date_and_patient(opened: Session) -> None:
    assert opened.reading is not None
    study_id = opened.reading.study.study_id
    other = opened.library.studies.add(
        opened.reading.study.path.with_name("PETROV.mp4"), fingerprint="g", frame_count=9, study_id="s-other"
    )
    link = Link.new(study_id=study_id, frame_index=11, other_study_id=other.study_id, other_frame_index=3, is_same=True)
    opened.edits.apply("x", [Add(link)])
    (sentence,) = gather(opened).links
    assert sentence == "Frame 12 (0:00:00) shows the same place as a frame of another study."
    record = opened.library.studies.record("s-other")
    mine = opened.library.studies.record(study_id)
    dated = replace(record, patient_id=mine.patient_id, exam_date="2025-01-02")
    opened.edits.apply_to_studies("x", {"s-other": [Replace(record, dated)]})
    assert gather(opened).links[0].endswith("a frame of the study of 2025-01-02 of this patient.")
    assert "PETROV" not in repr(gather(opened))


def test_what_is_still_open_is_counted(opened: Session) -> None:
    assert opened.reading is not None
    opened.reading.seen[:] = True
    assert (still_open(opened.reading).flag_words, still_open(opened.reading).frame_words) == ("", "")
    opened.reading.seen[[12, 13, 30]] = False
    opened.reading.fast[13] = True
    known = still_open(opened.reading)
    assert known.flag_words == "Not seen: 1 of 2 flags."
    assert known.frame_words == "Not seen: 3 frames in 2 parts of the study (5 %), of these 1 played too fast."
    assert np.count_nonzero(~opened.reading.seen) == known.unseen_frames
    opened.reading.seen[:] = False
    opened.reading.seen[3] = True
    assert "59 frames in 2 parts of the study (98.3 %)" in still_open(opened.reading).frame_words


def test_a_flag_that_was_rejected_is_not_left(opened: Session) -> None:
    reading = opened.reading
    assert reading is not None
    flagged = int(np.count_nonzero(reading.flags.flagged()))
    assert (still_open(reading).unseen_flags, reading.count_left()) == (2, flagged)
    annotating.answer(opened, reading.flags.events[0], is_accepted=False)
    assert still_open(reading).flag_words == "Not seen: 1 of 2 flags."
    assert reading.count_left() == flagged - len(reading.flags.events[0].span)
    opened.edits.undo()
    assert (still_open(reading).unseen_flags, reading.count_left()) == (2, flagged)


def test_a_threshold_that_is_raised_leaves_flags_to_be_acknowledged(opened: Session) -> None:
    assert opened.reading is not None
    opened.scores.set_threshold(0.0)
    opened.show_frame(3)
    every = still_open(opened.reading)
    opened.scores.set_threshold(1.0)
    opened.show_frame(4)
    known = still_open(opened.reading)
    assert known.flags == every.flags
    assert known.unseen_flags == every.unseen_flags
    assert known.flag_words.endswith("Flags are counted at 0.00, the lowest threshold of this reading.")
    rows = {row.name: row.text for row in gather(opened).model}
    assert rows["Threshold"] == "0.00, the lowest of this reading"
    study_id = opened.reading.study.study_id
    opened.save_place()
    assert opened.library.studies.get(study_id).lowest_threshold == 0.0, "also after the study was closed"


def test_a_threshold_that_nobody_looked_at_is_not_counted(opened: Session) -> None:
    assert opened.reading is not None
    before = still_open(opened.reading).flags
    threshold = opened.reading.flags.threshold
    opened.scores.set_threshold(0.0)
    opened.scores.set_threshold(threshold)
    opened.show_frame(3)
    assert still_open(opened.reading).flags == before


def test_a_study_that_is_still_being_scored_must_be_acknowledged(opened: Session) -> None:
    assert opened.reading is not None
    opened.reading.seen[:] = True
    opened.reading.flags.is_partial = True
    assert still_open(opened.reading).flag_words == "A part of the study has not been scored yet: more flags may come."


def test_flags_are_parts_of_suggested_findings() -> None:
    assert flags_in_words(46, 30) == "46 flags (30 suggested findings)"
    assert (flags_in_words(46, 46), flags_in_words(1, None), flags_in_words(0, 0)) == ("46 flags", "1 flag", "0 flags")


@pytest.mark.parametrize(
    ("speeds", "text"),
    [({}, ""), ({15: 200, 0: 1, 8: 3400}, "by hand 1 frame, 8 frames/s 3,400 frames, 15 frames/s 200 frames")],
)
def test_speeds_are_in_order(speeds: dict[int, int], text: str) -> None:
    assert speeds_text(speeds) == text


def test_the_frozen_content_follows_edits_and_not_looks(opened: Session) -> None:
    reading = opened.reading
    assert reading is not None
    before = frozen_content(opened, reading)
    opened.mark_seen(Span(0, 9))
    opened.show_frame(7)
    opened.scores.set_threshold(0.2)
    opened.save_place()
    assert frozen_content(opened, reading) == before
    add_part(opened, "texts", summary="a")
    assert frozen_content(opened, reading) != before
