"""Live scores in the window: keys, the line below the frame, the timeline, flags, and the model made of them."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.live_scores.embedded import add_embedded, embedded_session, label
from tests.wce_desktop.windows import press, wait, window_on
from training.errors import UserError
from training.runs.reporter import SilentReporter
from wce_desktop.features.neighbours.what_next import WhatNext
from wce_desktop.session.model_notes import BY_LIVE, score_note
from wce_desktop.shell.main_window import MainWindow


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    session = embedded_session(tmp_path)
    with window_on(qtbot, session, session.library.studies.all()[0]) as made:
        yield made


def label_frame(window: MainWindow, qtbot: QtBot, frame_index: int, key: str) -> None:
    """Go to a frame and press the key of a class; then wait for the live scores."""
    window.features.reading.go_to_frame(frame_index)
    reading = window.session.reading
    assert reading is not None
    wait(qtbot, lambda: reading.place.frame_index == frame_index and window.is_idle)
    press(window, f"label_{key}")
    wait(qtbot, lambda: not window.features.live_scores.is_busy)


def key_of(window: MainWindow, name: str) -> str:
    return next(known.key for known in window.session.vocabulary if known.name == name)


def live_titles(window: MainWindow) -> list[str]:
    return [track.title for track in window.workspace.timeline.content.tracks if track.is_dashed]


def test_each_label_changes_the_live_track_until_none_is_left(window: MainWindow, qtbot: QtBot) -> None:
    live, blood = window.features.live_scores, key_of(window, "blood")
    assert live.bar.isHidden()
    press(window, "live_scores")
    wait(qtbot, lambda: not live.is_busy)
    assert live.bar.isVisible()
    assert "No frame has a label other than normal" in live.bar.text.text()
    assert not live.bar.keep.isEnabled()
    label_frame(window, qtbot, 3, "0")
    assert live_titles(window) == []
    label_frame(window, qtbot, 25, blood)
    assert live_titles(window) == ["Blood live"]
    wait(
        qtbot,
        lambda: "from 2 labels; too few labelled studies to estimate." in live.bar.text.text(),
    )
    reading = window.session.reading
    assert reading is not None
    before = reading.flags.live_track("blood").copy()
    label_frame(window, qtbot, 30, blood)
    assert not np.array_equal(before, reading.flags.live_track("blood"))
    for _ in range(3):
        press(window, "undo")
        wait(qtbot, lambda: not live.is_busy)
    assert live_titles(window) == []
    assert "No frame has a label" in live.bar.text.text()


def test_flags_and_suggestions_follow_the_live_scores_where_asked(window: MainWindow, qtbot: QtBot) -> None:
    session, blood = window.session, key_of(window, "blood")
    press(window, "live_scores")
    for frame_index, key in ((3, "0"), (8, "0"), (25, blood), (30, blood)):
        label_frame(window, qtbot, frame_index, key)
    reading = session.reading
    assert reading is not None
    assert not reading.flags.events
    press(window, "flag_by_live")
    assert window.features.live_scores.bar.flags.isChecked()
    assert {event.name for event in reading.flags.events.ordered("time")} == {"blood"}
    assert reading.flags.flagged()[20:40].sum() >= 15
    assert score_note(session) == BY_LIVE
    assert "blood" in WhatNext(session).find(_silent())[0].reason
    window.features.reading.go_to_event(reading.flags.events.ordered("time")[0])
    wait(qtbot, lambda: reading.event_here() is not None and window.is_idle)
    press(window, "accept_event")
    accepted = [label for label in reading.entries.labels if label.source == "accepted_suggestion"]
    assert {label.model_id for label in accepted} == {None}, "no model suggested it"
    wait(qtbot, lambda: not window.features.live_scores.is_busy)
    press(window, "flag_by_live")
    assert not reading.flags.events
    press(window, "flag_by_live")
    press(window, "live_scores")
    assert window.features.live_scores.bar.isHidden()
    assert not reading.flags.events
    assert session.live_head is None


def test_labelled_studies_that_are_not_scored_are_named_and_scored_by_one_click(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = embedded_session(tmp_path)
    other = add_embedded(session, tmp_path, 1, is_scored=False)
    here = session.library.studies.all()[0]
    for name, start in (("normal", 2), ("blood", 22)):
        label(session, here, name, start, start + 2)
        label(session, other, name, start, start + 2)
    with window_on(qtbot, session, session.library.studies.all()[0]) as window:
        asked: list[str] = []
        monkeypatch.setattr(window.features.live_scores._scorer, "score", lambda study: asked.append(study.name))
        press(window, "live_scores")
        wait(qtbot, lambda: not window.features.live_scores.is_busy)
        bar = window.features.live_scores.bar
        assert "Not scored by this model: study-1." in bar.text.text()
        assert bar.score.text() == "Score 1 labelled study"
        bar.score.click()
        assert asked == ["study-1"]


def test_five_labelled_patients_give_an_auc(qtbot: QtBot, tmp_path: Path) -> None:
    session = embedded_session(tmp_path, studies=5)
    for study in session.library.studies.all():
        label(session, study, "normal", 0, 6)
        label(session, study, "blood", 22, 28)
    with window_on(qtbot, session, session.library.studies.all()[0]) as window:
        press(window, "live_scores")
        bar = window.features.live_scores.bar
        wait(qtbot, lambda: "cross-validated" in bar.text.text())
        assert "cross-validated over 5 patients with 60 labels." in bar.text.text()
        assert "AUC of blood 1.00" in bar.text.text(), "the embeddings tell blood from normal"


def test_keeping_needs_live_scores_and_starts_a_run(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = window.features.live_scores
    with pytest.raises(UserError, match="no live scores to keep"):
        live.keep_live_model()
    press(window, "live_scores")
    label_frame(window, qtbot, 3, "0")
    label_frame(window, qtbot, 25, key_of(window, "blood"))
    started: list[tuple[object, ...]] = []
    monkeypatch.setattr(
        window.features.learning.finetuning, "start_finetuning_on", lambda *given: started.append(given)
    )
    live.bar.keep.click()
    here = window.session.library.studies.all()[0].study_id
    assert started == [("live", {}, frozenset({here}))]


def test_another_study_gets_its_own_live_scores(qtbot: QtBot, tmp_path: Path) -> None:
    session = embedded_session(tmp_path, studies=2)
    first, second = session.library.studies.all()
    label(session, first, "normal", 2, 4)
    label(session, first, "blood", 22, 24)
    with window_on(qtbot, session, session.library.studies.all()[0]) as window:
        press(window, "live_scores")
        wait(qtbot, lambda: not window.features.live_scores.is_busy)
        window.features.studies.open_study(second)
        wait(qtbot, lambda: session.reading is not None and session.reading.flags.live is not None and window.is_idle)
        assert session.reading is not None
        assert len(session.reading.flags.live_track("blood")) == second.frame_count
        assert live_titles(window) == ["Blood live"]


def _silent() -> SilentReporter:
    return SilentReporter()


def test_another_model_takes_the_head_of_the_old_one_away(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    from tests.wce_desktop.sessions import write_model

    session, live = window.session, window.features.live_scores
    press(window, "live_scores")
    label_frame(window, qtbot, 3, "0")
    label_frame(window, qtbot, 25, key_of(window, "blood"))
    assert session.live_head is not None
    live._request()  # a fit is on its way
    session.scores.use_model(
        session.library.models.register(write_model(tmp_path / "other", "m2", 1.0), title="2").model_id
    )
    assert session.live_head is None
    wait(qtbot, lambda: not live.is_busy)
    assert session.live_head is None
    assert "No labelled study is scored by the model in use" in live.bar.text.text()
    assert not live.bar.keep.isEnabled()
