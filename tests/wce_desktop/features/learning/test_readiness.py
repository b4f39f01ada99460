"""Before a fine-tuning starts, the window says which labels it would not use, in the words of the run."""

import json
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.wce_desktop.library.conftest import make_label
from tests.wce_desktop.sessions import write_model
from tests.wce_desktop.windows import window_on
from training.finetuning.config import finetune_config
from training.finetuning.training_set import labelled_frames
from training.runs.reporter import SilentReporter
from wce_desktop.core.annotation.change import Add, Remove
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.identity import new_id
from wce_desktop.core.span import Span
from wce_desktop.features.learning.model.library_estimates import STARTS_ANEW, checked_readiness, finetune_readiness
from wce_desktop.library.exchange.exporting import export_library
from wce_desktop.session import work
from wce_desktop.session.session import Session


@pytest.fixture
def with_erosion(session: Session) -> Session:
    """One frame of the third study, which has no other labels, is an erosion."""
    study = session.library.studies.all()[2].study_id
    session.library.annotations.edit(study, "label", [Add(make_label(study, 7, 8, "erosion"))])
    return session


def test_the_sentence_is_that_of_the_run(with_erosion: Session, tmp_path: Path) -> None:
    found = checked_readiness(with_erosion)
    assert found.problem == ""
    assert "Erosion: 1 frame, not enough to learn; left out." in found.hint
    export_library(with_erosion.library, tmp_path, has_paths=True)
    config = finetune_config(studies=tmp_path / "manifest.json", labels=tmp_path / "labels.csv", out=tmp_path / "run")
    assert labelled_frames(config, SilentReporter()).left_out.endswith(found.hint)


def test_the_window_shows_it_before_the_start(qtbot: QtBot, with_erosion: Session) -> None:
    with window_on(qtbot, with_erosion, None) as window:
        finetuning = window.features.learning.finetuning
        finetuning.finetune()
        panel = finetuning.dialog.panel
        qtbot.waitUntil(lambda: "Erosion: 1 frame" in panel._hint.text(), timeout=20_000)
        assert panel.can_start


def test_labels_of_which_none_can_be_used_block_the_start(with_erosion: Session) -> None:
    library = with_erosion.library
    for study in library.studies.all():
        others = [
            label for label in library.annotations.labels(study.study_id) if label.name not in ("normal", "erosion")
        ]
        library.annotations.edit(study.study_id, "remove", [Remove(label) for label in others])
    assert finetune_readiness(with_erosion).problem == ""
    found = checked_readiness(with_erosion)
    assert found.problem == "No class besides normal has enough usable frames to learn."
    assert "Erosion: 1 frame, not enough to learn; left out." in found.hint


def test_a_start_from_imagenet_weights_is_said(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = session.library.models.register(write_model(tmp_path, "starter"))
    session.scores.use_model(model.model_id)
    assert STARTS_ANEW not in checked_readiness(session).hint
    (model.folder / "card.json").write_text(json.dumps({"trained_on": "synthetic"}), encoding="utf-8")
    assert STARTS_ANEW not in checked_readiness(session).hint, "the studies are synthetic, too"
    monkeypatch.setattr(work, "is_synthetic", lambda study: False)
    assert STARTS_ANEW in checked_readiness(session).hint


@pytest.mark.parametrize("kept", [("normal",), ()])
def test_labels_that_only_reject_are_named(with_erosion: Session, kept: tuple[str, ...]) -> None:
    library = with_erosion.library
    for study in library.studies.all():
        others = [label for label in library.annotations.labels(study.study_id) if label.name not in kept]
        no = Label(new_id(), study.study_id, Span(3, 5), "ulcer", answer="no")
        library.annotations.edit(study.study_id, "reject", [*map(Remove, others), Add(no)])
    found = finetune_readiness(with_erosion)
    assert found.problem == "Classes were only rejected: no frame has a label other than normal."
    assert "on which a class is there" in found.hint
