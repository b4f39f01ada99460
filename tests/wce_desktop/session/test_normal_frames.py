"""Thresholds from the confirmed normal frames of a library."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.wce_desktop.sessions import CLASSES, make_session, write_scores
from training.metrics.operating_points import threshold_at
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.session.session import Session
from wce_desktop.session.state import stated_by_library

FRAMES = 1600


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    made = make_session(tmp_path)
    yield made
    made.library.close()


def scores_of(seed: int) -> np.ndarray:
    odds = np.random.default_rng(seed).normal(-4, 1, (FRAMES, len(CLASSES)))
    return (1 / (1 + np.exp(-odds))).astype(np.float32)


def add(session: Session, number: int, source: str = "", seen: int = FRAMES, state: str = "finished") -> Study:
    """A scored study of its own patient, of which so many frames were seen."""
    library, fingerprint = session.library, f"{number:032}"
    path = library.folder / f"{number}.mp4"
    study = library.studies.add(
        path, fingerprint=fingerprint, frame_count=FRAMES, duration_seconds=60, patient_id=f"P{number}", numbering=1
    )
    write_scores(session.files(study).scores_path("m1"), "m1", scores_of(number), fingerprint)
    library.annotations.mark_seen(study.study_id, [Span(0, seen)] if seen else [])
    return library.studies.update(study.study_id, state=state, source=source)


def stated(session: Session, study: Study) -> tuple[int, int] | None:
    """Frames and studies that give the thresholds of a study."""
    assert session.current_model is not None
    found = stated_by_library(session.library, session.current_model, study)
    return None if found is None else (found.frames, found.studies)


def test_a_study_alone_gives_them_once_it_was_read(session: Session) -> None:
    study = add(session, 1)
    assert session.current_model is not None
    found = stated_by_library(session.library, session.current_model, study)
    assert found is not None
    assert (found.frames, found.studies, set(found.thresholds)) == (FRAMES, 1, {"polyp", "blood"})
    assert found.thresholds["polyp"][0.005] == threshold_at(scores_of(1)[:, 1], 0.005)
    assert stated(session, add(session, 2, seen=900)) is None, "fewer than 1,000 frames"
    assert stated(session, add(session, 3, state="reading")) is None, "nothing is confirmed yet"


def test_studies_of_the_same_source_count_together(session: Session) -> None:
    add(session, 1, "X")
    add(session, 2, "Y")
    add(session, 3, "X", seen=FRAMES // 2 - 1)  # mostly the flags were looked at, whose scores are high
    new = add(session, 4, "X", seen=0, state="new")
    last = add(session, 5, "X")
    assert stated(session, new) is None, "of two other patients they are too rough"
    assert stated(session, last) == (FRAMES, 1), "its own are not"
    add(session, 6, "X")
    assert stated(session, new) == stated(session, last) == (3 * FRAMES, 3)


def test_patients_of_the_training_do_not_count(session: Session) -> None:
    study = add(session, 1)
    assert session.current_model is not None
    card = session.current_model.folder / "card.json"
    card.write_text(json.dumps({"split": {"classifier_patients": ["P1"]}}), encoding="utf-8")
    assert stated(session, study) is None
    card.write_text(json.dumps({"split": {"training_patients": ["P2"]}}), encoding="utf-8")
    assert stated(session, study) == (FRAMES, 1)


def test_scores_of_a_study_use_them_and_say_so(session: Session) -> None:
    for number in range(3):
        add(session, number, "X")
    new = add(session, 9, "X", seen=0, state="new")
    scores = session.files(new).read_scores("m1", FRAMES)
    assert scores is not None
    assert scores.scale is not None
    assert (scores.scale.origin, scores.scale.frames, scores.scale.studies) == ("library", 3 * FRAMES, 3)
    shown = (scores.standard("polyp") >= np.float32(0.5)).mean()
    assert 0 < shown < 0.02
    assert session.current_model is not None
    points = {"sources": [{"source": "X", "thresholds": {"polyp": {"0.005": 0.3}}}]}
    card = json.dumps({"operating_points": points})
    (session.current_model.folder / "card.json").write_text(card, encoding="utf-8")
    session._cards.clear()  # as when a study is opened
    again = session.files(new).read_scores("m1", FRAMES)
    assert again is not None
    assert again.scale is not None
    assert again.scale.origin != "library", "the card's own held-out frames of this source come first"
