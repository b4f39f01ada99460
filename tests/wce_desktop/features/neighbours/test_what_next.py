"""The queue of what to label next: which frames, why, and what has no queue."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.wce_desktop.alike_samples import FRAMES, REPORTER, alike_session, label, scores_of, write_embeddings
from tests.wce_desktop.sessions import CLASSES, open_study
from training.embeddings.what_to_label import Pick
from training.errors import UserError
from wce_desktop.features.neighbours.what_next import WhatNext, reason_in_words
from wce_desktop.session.session import Session


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    made = alike_session(tmp_path)
    yield made
    made.close_study()
    made.library.close()


def test_the_undecided_frames_come_first_and_the_open_study_before_the_others(session: Session) -> None:
    open_study(session, session.library.studies.get("two"))
    queue = WhatNext(session).find(REPORTER, count=3)
    assert queue[0].study_id == "two"
    assert {item.frame_index for item in queue} <= {14, 15}  # at most one a stretch of two seconds, so one a study
    assert len({item.study_id for item in queue}) == 3
    assert "Normal 0.48 or polyp 0.47: undecided." in queue[0].reason
    assert "There are no labelled frames" in queue[0].reason


def test_a_labelled_frame_is_not_asked_for_and_makes_its_likes_less_urgent(session: Session) -> None:
    label(session, "one", "polyp", 14, 16)
    queue = WhatNext(session).find(REPORTER, count=9)
    assert not any(item.study_id == "one" and item.frame_index in (14, 15) for item in queue)
    assert any("polyp" in item.reason for item in queue)


def test_every_frame_labelled_is_said(session: Session) -> None:
    for study_id in ("one", "two", "three"):
        label(session, study_id, "normal", 0, FRAMES)
    with pytest.raises(UserError, match="Every frame of the scored studies carries a label"):
        WhatNext(session).find(REPORTER)


def test_a_model_without_classes_is_not_uncertain(session: Session) -> None:
    write_embeddings(session, "one", np.ones((FRAMES, 3), np.float32), None)
    with pytest.raises(UserError, match="has no classes"):
        WhatNext(session).find(REPORTER)


def test_scores_of_other_weights_are_named(session: Session) -> None:
    write_embeddings(session, "three", np.ones((FRAMES, 3), np.float32), scores_of(), sha256="1" * 64)
    with pytest.raises(UserError, match="“Mrs three” was scored by another version"):
        WhatNext(session).find(REPORTER)


def test_nothing_scored_is_said(session: Session) -> None:
    session.current_model = None
    with pytest.raises(UserError, match="No study has been scored"):
        WhatNext(session).find(REPORTER)


@pytest.mark.parametrize(
    ("far", "label_name", "said"),
    [
        (0.9, "polyp", "Unlike all frames labelled so far (nearest: polyp)."),
        (0.5, "blood", "Few labelled frames are similar (nearest: blood)."),
        (0.1, "blood", "Similar to frames labelled blood."),
        (1.0, "", "There are no labelled frames to compare it with yet."),
    ],
)
def test_the_reason_is_in_words(session: Session, far: float, label_name: str, said: str) -> None:
    scores = np.array([0.3, 0.1, 0.6], np.float32)
    reason = reason_in_words(session.vocabulary, CLASSES, scores, Pick(0, 0.65, 1.0, far, 0), label_name)
    assert reason == f"Blood 0.60 or normal 0.30: not certain. {said}"


def test_many_labels_let_doubt_decide(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[bool]()

    def pick(*_: object, by_doubt: bool, **__: object) -> list[Pick]:
        asked.append(by_doubt)
        return []

    monkeypatch.setattr("wce_desktop.features.neighbours.what_next.pick_to_label", pick)
    label(session, "one", "polyp", 0, 4)
    WhatNext(session).find(REPORTER)
    monkeypatch.setattr("wce_desktop.features.neighbours.what_next.COVERED_LABELS", 1)
    WhatNext(session).find(REPORTER)
    assert asked == [False, True]


def test_a_certain_frame_is_not_called_uncertain(session: Session) -> None:
    scores = np.array([0.98, 0.01, 0.01], np.float32)
    reason = reason_in_words(session.vocabulary, CLASSES, scores, Pick(0, 0.03, 1.0, 0.9, 0), "blood")
    assert reason == "Normal 0.98. Unlike all frames labelled so far (nearest: blood)."
