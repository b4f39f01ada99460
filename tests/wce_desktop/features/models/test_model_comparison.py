"""Two models on the same labelled frames, of patients that neither learnt from."""

from pathlib import Path

import numpy as np
import pytest

from tests.wce_desktop.features.learning.test_cross_validation import trained_model
from tests.wce_desktop.features.models.library_of_runs import label_open_study
from tests.wce_desktop.sessions import POLYP_AT, add_study, known_scores, make_session, open_study, write_scores
from training.errors import UserError
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.span import Span
from wce_desktop.features.models.model_comparison import changed_flags, compare_models
from wce_desktop.library import Model
from wce_desktop.session.session import Session


def never() -> None:
    """Nobody ends the comparison."""


def scored_by(session: Session, folder: Path, name: str, excluded: list[str], is_blind: bool) -> Model:
    """A model with scores of the open study; a blind one scores polyps like all else."""
    model = trained_model(session, folder, name, excluded)
    assert session.reading is not None
    scores = known_scores()
    if is_blind:
        scores[POLYP_AT, 1] = 0.1
    write_scores(session.files(session.reading.study).scores_path(name), name, scores)
    return model


def test_both_are_measured_on_the_same_frames(tmp_path: Path) -> None:
    session = make_session(tmp_path)
    open_study(session, add_study(session, tmp_path))
    label_open_study(session)
    blind, seeing = scored_by(session, tmp_path, "one", ["X"], True), scored_by(session, tmp_path, "second", [], False)
    found = compare_models(session, blind, seeing, never)
    polyp = [found.comparison[side]["polyp"] for side in ("old", "new")]
    assert [row["auc"] for row in polyp] == [0.5, 1.0]
    assert [(row["frames"], row["positives"]) for row in polyp] == [(14, 4), (14, 4)]
    assert found.sentence.startswith("Evaluated on your labels: 16 frames of 1 patient neither model was trained on.")
    assert found.verdict.endswith("Cannot be told: only 1 patient with a finding was held out.")
    changes = changed_flags(session, blind, seeing)
    assert changes is not None
    assert [(kind, event.name) for kind, event in changes] == [("appears", "polyp")]
    session.close_study()
    assert changed_flags(session, blind, seeing) is None
    session.library.close()


def test_a_rejected_class_is_a_negative_of_that_class_only(tmp_path: Path) -> None:
    session = make_session(tmp_path)
    study = add_study(session, tmp_path)
    open_study(session, study)
    label_open_study(session)
    models = scored_by(session, tmp_path, "one", [], True), scored_by(session, tmp_path, "second", [], False)
    before = compare_models(session, *models, never).comparison
    assert session.reading is not None
    frame = next(frame for frame in range(study.frame_count) if not session.reading.entries.labels.at(frame))
    rows = [Label(name, study.study_id, Span(frame, frame + 1), name, answer="no") for name in ("polyp", "erosion")]
    session.edits.apply("rejected", [Add(row) for row in rows])
    after = compare_models(session, *models, never).comparison
    assert after["new"]["polyp"]["frames"] == before["new"]["polyp"]["frames"] + 1
    assert (after["new"]["polyp"]["not_there"], after["new"]["polyp"]["positives"]) == (1, 4)
    assert after["any"] == before["any"]
    assert after["flags"] == before["flags"]
    session.close_study()
    session.library.close()


def test_training_patients_of_one_of_them_do_not_count(tmp_path: Path) -> None:
    session = make_session(tmp_path)
    study = add_study(session, tmp_path)
    open_study(session, study)
    label_open_study(session)
    first = scored_by(session, tmp_path, "one", [study.patient_id], True)
    second = scored_by(session, tmp_path, "second", [], False)
    found = compare_models(session, first, second, never)
    assert found.comparison == {}
    assert found.unscored == ()
    assert "1 study left out, because one of the models was trained on the patient." in found.sentence
    session.close_study()
    session.library.close()


def test_missing_scores_are_named_and_the_work_can_be_ended(tmp_path: Path) -> None:
    session = make_session(tmp_path)
    study = add_study(session, tmp_path)
    open_study(session, study)
    label_open_study(session)
    first, second = scored_by(session, tmp_path, "one", [], True), trained_model(session, tmp_path, "second", [])
    assert compare_models(session, first, second, never).unscored == ((study.study_id, "second"),)
    assert changed_flags(session, first, second) is None

    def end() -> None:
        raise UserError("Ended.")

    with pytest.raises(UserError, match="Ended"):
        compare_models(session, first, second, end)
    session.close_study()
    session.library.close()


def test_frames_that_do_not_decode_are_left_out(tmp_path: Path) -> None:
    session = make_session(tmp_path)
    open_study(session, add_study(session, tmp_path))
    label_open_study(session)
    first, second = scored_by(session, tmp_path, "one", [], True), scored_by(session, tmp_path, "second", [], False)
    assert session.reading is not None
    scores = known_scores()
    scores[10] = np.nan
    write_scores(session.files(session.reading.study).scores_path("second"), "second", scores)
    assert compare_models(session, first, second, never).comparison["new"]["polyp"]["positives"] == 3
    session.close_study()
    session.library.close()
