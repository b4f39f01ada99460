"""What the reader's keys do: each key one edit, on disk, undone by one undo."""

from pathlib import Path

from tests.wce_desktop.sessions import add_study, known_scores, open_study, write_scores
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.annotation.landmark import Region
from wce_desktop.core.span import Span
from wce_desktop.features.reading import annotating
from wce_desktop.session.session import Session


def labels(session: Session) -> dict[str, list[tuple[int, int]]]:
    """The open study's labels as they stand in the database."""
    assert session.reading is not None
    found: dict[str, list[tuple[int, int]]] = {}
    for label in session.library.annotations.labels(session.reading.study.study_id):
        found.setdefault(label.name, []).append((label.span.start, label.span.stop))
    return found


def test_a_digit_labels_the_frame_and_takes_it_off_again(opened: Session) -> None:
    opened.show_frame(5)
    annotating.label_here(opened, "polyp")
    assert labels(opened) == {"polyp": [(5, 6)]}
    annotating.label_here(opened, "polyp")
    assert labels(opened) == {}


def test_a_marked_span_is_labelled_whole_and_then_forgotten(opened: Session) -> None:
    assert opened.reading is not None
    opened.show_frame(20)
    annotating.mark_start(opened)
    opened.show_frame(24)
    annotating.mark_stop(opened)
    annotating.label_here(opened, "ulcer")
    assert labels(opened) == {"ulcer": [(20, 25)]}
    assert not opened.reading.place.is_span_marked


def test_a_span_that_would_end_before_it_starts_forgets_its_start(opened: Session) -> None:
    assert opened.reading is not None
    opened.show_frame(30)
    annotating.mark_start(opened)
    opened.show_frame(10)
    annotating.mark_stop(opened)
    assert (opened.reading.place.marked_start, opened.reading.place.marked_stop) == (None, 11)
    assert opened.reading.place.span_to_label() == Span(10, 11)


def test_accepting_a_suggestion_says_which_model_made_it(opened: Session) -> None:
    assert opened.reading is not None
    event = opened.reading.flags.events[0]
    annotating.answer(opened, event, is_accepted=True)
    assert opened.reading.answer(event) == "accepted"
    (label,) = opened.library.annotations.labels(opened.reading.study.study_id)
    assert (label.source, label.model_id, label.reader) == ("accepted_suggestion", "m1", "reader")
    annotating.answer(opened, event, is_accepted=False)
    assert opened.reading.answer(event) == "rejected"
    assert labels(opened) == {}


def test_undo_and_redo_say_what_they_do(opened: Session) -> None:
    told: list[str] = []
    opened.remarked.connect(told.append)
    annotating.label_here(opened, "blood")
    assert opened.edits.undo_title == "blood labelled on 1 frame"
    opened.edits.undo()
    assert labels(opened) == {}
    assert opened.edits.redo_title == "blood labelled on 1 frame"
    opened.edits.redo()
    assert labels(opened) == {"blood": [(0, 1)]}
    assert told[0] == "Blood labelled on 1 frame."
    assert told[1:] == [f"{done}: blood labelled on 1 frame (frame 1 at 0:00:00)" for done in ("Undone", "Redone")]


def test_a_finding_on_a_flag_that_was_not_accepted_takes_its_kind_and_is_of_the_frame_on_screen(
    opened: Session,
) -> None:
    assert opened.reading is not None
    opened.show_frame(12)
    finding = annotating.new_finding(opened)
    assert (finding.kind, finding.span, finding.key_frames) == ("polyp", Span(12, 13), (12,))
    assert opened.reading.entries.findings == [finding]
    annotating.remove_finding(opened, finding)
    assert opened.reading.entries.findings == []


def test_a_landmark_moves_and_goes(opened: Session) -> None:
    assert opened.reading is not None
    annotating.set_landmark(opened, Region.COLON)
    opened.show_frame(9)
    annotating.set_landmark(opened, Region.COLON)
    assert [(mark.region, mark.frame_index) for mark in opened.reading.entries.landmarks] == [(Region.COLON, 9)]
    annotating.set_landmark(opened, Region.COLON)
    assert opened.reading.entries.landmarks == []


def test_an_edit_with_nothing_to_do_tells_why_and_leaves_no_history(opened: Session) -> None:
    assert opened.reading is not None
    told: list[str] = []
    opened.remarked.connect(told.append)
    event = opened.reading.flags.events[0]
    annotating.answer(opened, event, is_accepted=True)
    annotating.answer(opened, event, is_accepted=True)
    assert told == ["Polyp accepted on 4 frames.", "All 4 frames are already labelled polyp."]
    opened.edits.undo()
    assert opened.edits.undo_title is None


def test_an_accepted_flag_says_which_labels_it_removes(opened: Session) -> None:
    assert opened.reading is not None
    event = opened.reading.flags.events[0]
    normal = Span(event.span.start + 1, event.span.stop + 5)
    study_id = opened.reading.study.study_id
    opened.edits.apply("Label", [Add(Label("n", study_id, normal, "normal"))])
    told: list[str] = []
    opened.remarked.connect(told.append)
    annotating.answer(opened, event, is_accepted=True)
    words = "Polyp accepted on 4 frames, normal removed from 3 frames"
    assert told == [f"{words}. Undo brings the removed labels back."]
    assert opened.edits.undo_title == f"p{words[1:]}"
    opened.edits.undo()
    assert [label.span for label in opened.reading.entries.labels] == [normal]


def test_a_new_finding_widens_no_label(opened: Session) -> None:
    """Frame 12 lies in an event of polyp over four frames."""
    assert opened.reading is not None
    opened.show_frame(12)
    annotating.label_here(opened, "angiectasia")
    finding = annotating.new_finding(opened)
    assert (finding.kind, finding.span) == ("angiectasia", Span(12, 13))
    assert labels(opened) == {"angiectasia": [(12, 13)]}


def test_a_new_finding_covers_all_that_was_labelled_without_a_gap(opened: Session) -> None:
    for frame in (20, 21, 22, 24):
        opened.show_frame(frame)
        annotating.label_here(opened, "ulcer")
    opened.show_frame(21)
    assert annotating.new_finding(opened).span == Span(20, 23)
    assert labels(opened) == {"ulcer": [(20, 21), (21, 22), (22, 23), (24, 25)]}


def test_a_new_finding_on_an_accepted_flag_covers_it(opened: Session) -> None:
    assert opened.reading is not None
    opened.show_frame(12)
    annotating.answer(opened, opened.reading.flags.events[0], is_accepted=True)
    assert annotating.new_finding(opened).span == opened.reading.flags.events[0].span


def test_a_finding_made_of_a_flag_says_which_model_suggested_it_and_whether_it_was_seen_before(opened: Session) -> None:
    assert opened.reading is not None
    opened.mark_seen(Span(12, 13))  # after the flags came
    opened.show_frame(12)
    finding = annotating.new_finding(opened)
    assert (finding.model_id, finding.was_seen_before) == ("m1", False)
    assert finding.when_utc
    opened.show_frame(30)
    own = annotating.new_finding(opened)
    assert (own.model_id, own.was_seen_before) == (None, None)


def test_what_was_seen_before_the_flags_came_is_remembered(session: Session, tmp_path: Path) -> None:
    study = add_study(session, tmp_path, is_scored=False)
    open_study(session, study)
    session.mark_seen(Span(10, 14))
    write_scores(session.files(study).scores_path("m1"), "m1", known_scores())
    session.scores.scored(study.study_id, "m1")
    session.mark_seen(Span(40, 42))
    session.close_study()
    open_study(session, session.library.studies.get(study.study_id))
    assert session.reading is not None
    polyp, blood = session.reading.flags.events[0], session.reading.flags.events[1]
    assert annotating.was_seen_before(session, polyp) is True
    assert annotating.was_seen_before(session, blood) is False


def test_a_new_finding_does_not_take_the_class_that_was_rejected(opened: Session) -> None:
    assert opened.reading is not None
    opened.show_frame(12)
    event = opened.reading.event_here()
    assert event is not None
    annotating.answer(opened, event, is_accepted=False)
    finding = annotating.new_finding(opened)
    assert (finding.kind, finding.model_id) == ("other", None)
    assert opened.reading.entries.labels.negatives.named_at("polyp", 12) is not None
