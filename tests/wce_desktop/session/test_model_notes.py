"""The note beside scores of a model that was trained on synthetic images only."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.wce_desktop.sessions import add_study, make_session, open_study
from training.datasets.synthetic import SYNTHETIC_ONLY, is_synthetic
from training.models.folder import ModelFolder
from training.phantom.record import truth_path
from wce_desktop.session.model_notes import DEMO_MODEL_SHA256, calibrated_words, score_note, training_note
from wce_desktop.session.places import resource
from wce_desktop.session.session import Session


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    made = make_session(tmp_path)
    yield made
    made.library.close()


def say_trained_on(session: Session, words: str | None) -> None:
    assert session.current_model is not None
    (session.current_model.folder / "card.json").write_text(json.dumps({"trained_on": words}), encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "note"), [("synthetic", SYNTHETIC_ONLY), ("mixed", ""), ("real", ""), (None, ""), ("?", "")]
)
def test_only_a_model_of_synthetic_images_is_marked(
    session: Session, tmp_path: Path, words: str | None, note: str
) -> None:
    say_trained_on(session, words)
    assert score_note(session) == note, "no study is open"
    assert score_note(session, add_study(session, tmp_path)) == note


def test_a_synthetic_study_is_not_marked(session: Session, tmp_path: Path) -> None:
    say_trained_on(session, "synthetic")
    study = add_study(session, tmp_path)
    truth_path(study.path).write_text("{}", encoding="utf-8")
    assert score_note(session, study) == ""


def test_an_imported_model_without_the_entry_is_not_marked(session: Session) -> None:
    assert score_note(session) == ""


def test_the_demo_model_of_an_older_version_is_marked(session: Session) -> None:
    assert session.current_model is not None
    assert training_note(replace(session.current_model, weights_sha256=DEMO_MODEL_SHA256)) == SYNTHETIC_ONLY


def test_an_event_says_how_often_such_scores_are_right_where_the_card_says_so(session: Session, tmp_path: Path) -> None:
    open_study(session, add_study(session, tmp_path))
    event = next(event for event in session.opened().flags.events if event.name == "polyp")
    assert calibrated_words(session, event) == ""
    assert session.current_model is not None
    card = {"calibration": {"classes": {"polyp": {"slope": 1.0, "intercept": -2.9444}}}}  # 0.95 is 0.5 then
    (session.current_model.folder / "card.json").write_text(json.dumps(card), encoding="utf-8")
    session._cards.clear()  # as when a study is opened
    words = "of 100 labelled frames of held-out patients with such a score 50 show it"
    assert calibrated_words(session, event) == words
    (session.current_model.folder / "card.json").write_text(json.dumps(card | {"trained_on": "synthetic"}), "utf-8")
    session._cards.clear()
    assert calibrated_words(session, event) == "", "it was measured on synthetic images"
    session.close_study()


def test_no_model_no_note(tmp_path: Path) -> None:
    without = make_session(tmp_path, has_model=False)
    assert score_note(without) == ""
    without.library.close()


def test_the_starter_model_and_the_demo_study_say_that_they_are_synthetic() -> None:
    assert ModelFolder.open(resource("models", "starter")).card["trained_on"] == "synthetic"
    assert is_synthetic(resource("demo", "demo-study.mp4"))
