"""Two models on the same labelled frames, of patients that neither learnt from."""

from pathlib import Path

import numpy as np
import pytest

from tests.wce_desktop.features.learning.test_cross_validation import trained_model
from tests.wce_desktop.features.models.library_of_runs import label_open_study
from tests.wce_desktop.sessions import POLYP_AT, add_study, known_scores, make_session, open_study, write_scores
from training.errors import UserError
from wce_desktop.features.models.model.model_comparison import changed_flags, compare_models
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
