"""The session: what opens, what is kept, what is told."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from psygnal import EmitLoopError

from tests.wce_desktop.sessions import add_study, known_scores, make_session, open_study, write_model, write_scores
from training.errors import UserError
from wce_desktop.core.annotation import Label
from wce_desktop.core.annotation.change import Add, Edit
from wce_desktop.core.span import Span, SpanSet
from wce_desktop.features.reading.annotating import label_here
from wce_desktop.session.places import account_name
from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session


def reading_of(session: Session) -> Reading:
    assert session.reading is not None
    return session.reading


def test_a_scored_study_opens_with_its_events(opened: Session) -> None:
    reading = reading_of(opened)
    assert [(event.name, event.span, event.peak_frame) for event in reading.flags.events] == [
        ("polyp", Span(10, 14), 12),
        ("blood", Span(40, 42), 40),
    ]
    assert reading.study.state == "scored"
    assert reading.flags.pathology_names == ("polyp", "blood")


def test_the_threshold_decides_what_is_an_event_and_is_kept(opened: Session) -> None:
    study = reading_of(opened).study
    heard: list[int] = []
    opened.events_changed.connect(lambda: heard.append(len(reading_of(opened).flags.events)))
    opened.scores.set_threshold(0.92)
    assert heard == [1]
    opened.scores.set_threshold(7.0)
    assert reading_of(opened).flags.threshold == 1.0
    opened.scores.set_threshold(0.92)
    opened.close_study()
    open_study(opened, opened.library.studies.get(study.study_id))
    assert reading_of(opened).flags.threshold == pytest.approx(0.92)


def test_a_study_reopens_where_one_stopped_with_what_was_seen(opened: Session) -> None:
    study_id = reading_of(opened).study.study_id
    opened.show_frame(33)
    opened.mark_seen(Span(30, 34))
    opened.close_study()
    study = opened.library.studies.get(study_id)
    assert (study.last_frame, study.state, study.seen_frames) == (33, "reading", 4)
    open_study(opened, study)
    assert reading_of(opened).place.frame_index == 33
    assert SpanSet.from_mask(reading_of(opened).seen) == SpanSet([Span(30, 34)])


def test_frames_beyond_the_ends_are_brought_back_and_told_once(opened: Session) -> None:
    shown: list[int] = []
    opened.frame_changed.connect(shown.append)
    opened.show_frame(1000)
    opened.show_frame(1000)
    opened.show_frame(-4)
    assert shown == [59, 0]


def test_a_moved_video_is_the_same_study(session: Session, tmp_path: Path) -> None:
    study = add_study(session, tmp_path)
    moved = study.path.rename(tmp_path / "elsewhere.mp4")
    found = session.known_study(moved)
    assert found is not None
    assert (found.study_id, found.path) == (study.study_id, moved.resolve())


def test_scores_of_another_length_do_not_count(session: Session, tmp_path: Path) -> None:
    study = add_study(session, tmp_path, is_scored=False)
    write_scores(session.files(study).scores_path("m1"), "m1", known_scores()[:20])
    open_study(session, study)
    assert reading_of(session).flags.scores is None
    assert len(reading_of(session).flags.events) == 0


def test_frames_without_a_picture_are_never_flagged(opened: Session) -> None:
    opened.scores.set_threshold(0.0)
    assert not reading_of(opened).flags.flagged()[50]
    assert reading_of(opened).flags.flagged().sum() == 59


def test_an_earlier_model_is_taken_back_with_its_scores(opened: Session, tmp_path: Path) -> None:
    study = reading_of(opened).study
    opened.library.models.register(write_model(tmp_path / "models", "m2", 1.0), title="Model 2", parent_id="m1")
    opened.scores.use_model("m2")
    assert len(reading_of(opened).flags.events) == 0
    assert not opened.scores.is_scored(study)
    opened.scores.use_model("m1")
    assert len(reading_of(opened).flags.events) == 2


def test_the_last_frame_shown_is_clipped_to_a_file_that_became_shorter(opened: Session) -> None:
    study = reading_of(opened).study
    opened.close_study()
    opened.library.studies.update(study.study_id, last_frame=4000)
    open_study(opened, opened.library.studies.get(study.study_id))
    assert reading_of(opened).place.frame_index == 59


def test_without_a_study_there_is_a_sentence(tmp_path: Path) -> None:
    session = make_session(tmp_path, has_model=False)
    with pytest.raises(UserError, match="No study is open"):
        session.scores.set_threshold(0.5)
    assert session.edits.undo_title is None
    session.library.close()


def test_events_are_found_at_a_frame_without_looking_at_all(opened: Session) -> None:
    reading = reading_of(opened)
    every = {frame: [event for event in reading.flags.events if frame in event.span] for frame in range(60)}
    assert {frame: reading.flags.events.at(frame) for frame in range(60)} == every
    assert np.flatnonzero([bool(events) for events in every.values()]).tolist() == [10, 11, 12, 13, 40, 41]


def test_a_crash_loses_neither_the_place_nor_the_threshold(opened: Session) -> None:
    opened.show_frame(17)
    opened.scores.set_threshold(0.3)
    opened.save_place()
    assert opened.reading is not None
    kept = opened.library.studies.get(opened.reading.study.study_id)
    assert (kept.last_frame, kept.threshold) == (17, 0.3)


def test_the_reader_of_the_settings_applies_at_once_and_to_studies_opened_later(tmp_path: Path) -> None:
    session = make_session(tmp_path)
    session.settings.set("reader", "Dr Weber")
    session.take_reader()
    assert session.library.reader == session.own_reader == "Dr Weber"
    session.close_study()
    assert session.library.reader == "Dr Weber"
    session.settings.set("reader", "")
    session.take_reader()
    assert session.library.reader == account_name()
    session.library.close()


def test_who_reads_is_asked_once_where_only_the_account_is_known(opened: Session) -> None:
    asked: list[str] = []

    def ask() -> str:
        asked.append("asked")
        return "Dr Weber"

    opened.library.reader = opened.own_reader = account_name()
    opened.ask_reader = ask
    opened.settle_reader(dataclasses.replace(reading_of(opened).study, second_of="s-first"))
    assert asked == []
    for study in (None, reading_of(opened).study):
        opened.settle_reader(study)
    label_here(opened, "polyp")
    label_here(opened, "ulcer")
    assert asked == ["asked"]
    assert {label.reader for label in reading_of(opened).entries.labels} == {"Dr Weber"}
    assert opened.settings["reader"] == opened.own_reader == "Dr Weber"


def test_a_name_of_the_settings_stays(opened: Session) -> None:
    opened.keep_reader("Dr Weber")
    opened.keep_reader("Dr Braun")
    assert opened.library.reader == "Dr Weber"
    opened.keep_reader("Dr Braun", replaced="Dr Weber")
    assert opened.library.reader == "Dr Braun"
    second = dataclasses.replace(reading_of(opened).study, second_of="s-first")
    opened.keep_reader("Dr Second", second, "Dr Braun")
    assert opened.library.reader == "Dr Braun"


def test_a_reading_is_read_again_as_a_whole_or_not_at_all(opened: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Panels show edits one by one: what they show has to be what is in memory."""

    def fail(_: str) -> None:
        raise UserError("The server is away.")

    reading = reading_of(opened)
    shown: list[object] = []
    label = Label("l-1", reading.study.study_id, Span(1, 2), "polyp")
    opened.library.annotations.edit(label.study_id, "Of another reader", [Add(label)])
    opened.annotations_changed.connect(shown.append)
    with monkeypatch.context() as patch:
        patch.setattr(opened.library.annotations, "links", fail)
        with pytest.raises(UserError):
            opened.edits.reload()
    assert (len(reading.entries.labels), shown) == (0, [])
    opened.edits.reload()
    assert (len(reading.entries.labels), shown) == (1, [None])


def test_everybody_hears_of_an_edit_although_others_raise(opened: Session, caplog: pytest.LogCaptureFixture) -> None:
    heard: list[object] = []

    def fail(_: object) -> None:
        raise UserError("The disk is full.")

    def break_down(_: object) -> None:
        raise ZeroDivisionError

    for signal in (opened.saved, opened.annotations_changed):
        for slot in (fail, break_down, fail, heard.append):
            signal.connect(slot)
    label = Label("l-1", opened.open_id, Span(1, 2), "polyp")
    with pytest.raises(EmitLoopError) as raised:
        opened.edits.apply("Label", [Add(label)])
    assert isinstance(raised.value.__cause__, UserError)
    assert (heard[0], type(heard[1])) == ("Label", Edit)
    failures = [record.message.split()[-1] for record in caplog.records]
    assert failures == ["ZeroDivisionError", "UserError"] * 2 + ["UserError"], "the last one of the emission as a whole"
    assert [record.exc_info[0] for record in caplog.records if record.exc_info] == [ZeroDivisionError] * 2
