"""The live head from labels of the library: which take part, what it says of a study, and why there is none."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.wce_desktop.features.live_scores.embedded import BLOOD, FRAMES, add_embedded, embedded_session, label, score
from tests.wce_desktop.sessions import open_study
from training.finetuning.live_head import HeadEstimate, estimate_head
from training.runs.reporter import SilentReporter
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.identity import new_id
from wce_desktop.core.span import Span
from wce_desktop.features.live_scores.fitting import (
    NO_MODEL,
    NOT_SCORED,
    SAY_NORMAL,
    SAY_OTHERS,
    TOO_FEW,
    LiveFit,
    LiveFitting,
    estimate_in_words,
)
from wce_desktop.session.keys import with_keys
from wce_desktop.session.session import Session


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    made = embedded_session(tmp_path)
    open_study(made, made.library.studies.all()[0])
    yield made
    made.close_study()
    made.library.close()


def fit(session: Session) -> LiveFit:
    return LiveFitting(session).fit(SilentReporter())


def test_a_label_of_each_class_gives_scores_of_every_frame(session: Session) -> None:
    study = session.library.studies.all()[0]
    label(session, study, "normal", 2, 4)
    label(session, study, "blood", 22, 24)
    found = fit(session)
    assert found.head is not None
    assert found.head.counts == {"normal": 2, "blood": 2}
    assert found.scores is not None
    track = found.scores.track("blood")
    assert track.shape == (FRAMES,)
    assert track[BLOOD].min() > track[: BLOOD.start].max()


def test_labels_of_other_studies_take_part_once_these_are_scored(session: Session, tmp_path: Path) -> None:
    here, other = session.library.studies.all()[0], add_embedded(session, tmp_path, 1, is_scored=False)
    label(session, here, "normal", 0, 2)
    label(session, other, "blood", 22, 25)
    found = fit(session)
    assert found.problem == with_keys(SAY_OTHERS)
    assert [study.study_id for study in found.not_scored] == [other.study_id]
    score(session, other, 1)
    found = fit(session)
    assert found.not_scored == ()
    assert found.head is not None
    assert found.head.counts == {"normal": 2, "blood": 3}


def test_a_rejected_class_is_learned_for_that_class_only(session: Session) -> None:
    study = session.library.studies.all()[0]
    label(session, study, "normal", 2, 4)
    label(session, study, "blood", 22, 24)
    label(session, study, "polyp", 10, 12)
    before = fit(session)
    rejected = Label(new_id(), study.study_id, Span(26, 28), "blood", answer="no")
    session.edits.apply_to_studies("rejected", {study.study_id: [Add(rejected)]})
    after = fit(session)
    assert before.head is not None
    assert after.head is not None
    assert after.head.counts == before.head.counts
    assert before.scores is not None
    assert after.scores is not None
    assert (after.scores.track("blood")[26:28] < before.scores.track("blood")[26:28]).all()
    assert (after.scores.track("polyp")[26:28] >= before.scores.track("polyp")[26:28]).all()
    for row, name in enumerate(before.head.classes):
        is_same = np.array_equal(before.head.classifier.weight[row], after.head.classifier.weight[row])
        assert is_same == (name != "blood")


def test_a_study_with_rejections_only_takes_part(session: Session, tmp_path: Path) -> None:
    here, other = session.library.studies.all()[0], add_embedded(session, tmp_path, 1)
    label(session, here, "normal", 2, 4)
    label(session, here, "blood", 22, 24)
    assert fit(session).study_ids == {here.study_id}
    rejected = Label(new_id(), other.study_id, Span(26, 28), "blood", answer="no")
    session.edits.apply_to_studies("rejected", {other.study_id: [Add(rejected)]})
    assert fit(session).study_ids == {here.study_id, other.study_id}


def test_what_is_missing_is_said(session: Session) -> None:
    study = session.library.studies.all()[0]
    assert "No frame has a label other than normal" in fit(session).problem
    label(session, study, "blood", 22, 24)
    assert "No frame is labelled normal" in fit(session).problem
    label(session, study, "normal", 22, 24)
    assert "called both normal and something else" in fit(session).problem
    label(session, study, "normal", 2, 3)
    assert "No class besides normal" in fit(session).problem


def test_one_class_in_scored_studies_is_not_enough(session: Session, tmp_path: Path) -> None:
    here, other = session.library.studies.all()[0], add_embedded(session, tmp_path, 1, is_scored=False)
    label(session, other, "normal", 0, 2)
    assert fit(session).head is None
    label(session, other, "blood", 22, 24)
    assert fit(session).problem == with_keys(NOT_SCORED)
    label(session, here, "blood", 22, 24)
    assert fit(session).problem == with_keys(SAY_NORMAL)


def test_embeddings_of_another_model_or_form_do_not_count(session: Session) -> None:
    study = session.library.studies.all()[0]
    label(session, study, "normal", 2, 4)
    label(session, study, "blood", 22, 24)
    session.close_study()
    path = session.files(study).scores_path("m1")
    shutil.move(path, path.with_name("embeddings-other.h5"))
    assert fit(session).head is not None, "made by the same network under another name"
    session.scores.use_model(session.library.models.register(_other_model(session), title="Other").model_id)
    found = fit(session)
    assert (found.head, found.problem) == (None, with_keys(NOT_SCORED))
    assert [one.study_id for one in found.not_scored] == [study.study_id]
    path.with_name("embeddings-other.h5").write_bytes(b"older form")
    assert fit(session).problem == with_keys(NOT_SCORED)


def _other_model(session: Session) -> Path:
    from tests.wce_desktop.sessions import write_model

    return write_model(session.library.folder.parent / "models", "m2", value=1.0)


def test_without_a_model_there_is_nothing_to_learn_from(tmp_path: Path) -> None:
    from tests.wce_desktop.sessions import make_session

    session = make_session(tmp_path, has_model=False)
    assert fit(session).problem == with_keys(NO_MODEL)
    session.library.close()


def test_five_labelled_patients_allow_an_estimate(session: Session, tmp_path: Path) -> None:
    for number in range(5):
        study = session.library.studies.all()[0] if not number else add_embedded(session, tmp_path, number)
        found = fit(session)
        used = found.used
        assert used is None or estimate_head(used.labelled, used.embeddings, lambda: None) is None
        label(session, study, "normal", 0, 6)
        label(session, study, "blood", 22, 28)
    found = fit(session)
    assert found.used is not None
    estimated = estimate_head(found.used.labelled, found.used.embeddings, lambda: None)
    assert estimated is not None
    assert (estimated.patients, estimated.labels) == (5, 60)
    assert estimated.auc["blood"] > 0.95


def test_an_estimate_is_said_with_its_patients_or_why_there_is_none() -> None:
    assert estimate_in_words(None, {}) == TOO_FEW
    found = HeadEstimate(1.0, {"blood": 0.934}, 7, 1200)
    said = estimate_in_words(found, {"blood": "fresh blood"})
    assert said == "AUC of fresh blood 0.93, cross-validated over 7 patients with 1,200 labels"


def test_a_frame_that_does_not_decode_has_no_score(session: Session) -> None:
    from tests.wce_desktop.features.live_scores.embedded import embeddings_of, write_embeddings
    from training.models.folder import ModelFolder

    study, model = session.library.studies.all()[0], session.current_model
    assert model is not None
    folder = ModelFolder.open(model.folder)
    points = embeddings_of(0, folder.config.embedding_size)
    points[7] = np.nan
    session.close_study()
    write_embeddings(session.files(study).scores_path("m1"), folder, study.fingerprint, points)
    open_study(session, study)
    label(session, study, "normal", 2, 10)
    label(session, study, "blood", 22, 24)
    found = fit(session)
    assert found.head is not None
    assert found.head.counts["normal"] == 7
    assert found.scores is not None
    assert np.flatnonzero(np.isnan(found.scores.track("blood"))).tolist() == [7]


def test_a_study_whose_drive_is_not_connected_takes_part(session: Session, tmp_path: Path) -> None:
    here, other = session.library.studies.all()[0], add_embedded(session, tmp_path, 1)
    label(session, here, "normal", 0, 2)
    label(session, other, "blood", 22, 25)
    other.path.unlink()
    found = fit(session)
    assert found.head is not None
    assert found.head.counts == {"normal": 2, "blood": 3}
