"""A fine-tuning that makes the model worse, with real children: the old model is the highlighted choice."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from tests.training.pretraining.tiny_studies import write_tiny_studies
from tests.wce_desktop.features.learning.trainer import Trainer
from tests.wce_desktop.sessions import make_session
from tests.wce_desktop.windows import window_on
from wce_desktop.features.learning.model.starts import Start
from wce_desktop.library.exchange import apply_import, plan_import
from wce_desktop.session.session import Session

COMMON: dict[str, Any] = {
    "input_size": 32, "batch_size": 12, "evaluations": 0, "threads": 1, "precision": "float32",
    "checkpoint_seconds": 1e9,
}  # fmt: skip
GOOD = {"backbone": "tiny", "steps": 30}
RUINED = {"steps": 3, "learning_rate": 3.0, "classifier_learning_rate": 3.0, "refit": False}
pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """Four patients with normal frames and polyps, all labelled; no model."""
    folder = write_tiny_studies(tmp_path / "tiny")
    made = make_session(tmp_path, has_model=False)
    apply_import(made.library, plan_import(made.library, folder, {known.name for known in made.vocabulary}))
    made.studies_changed.emit()
    yield made
    made.library.close()


def test_a_model_made_worse_is_not_highlighted_and_using_it_asks(
    qtbot: QtBot, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions: list[str] = []

    def answer(box: QMessageBox) -> QMessageBox.StandardButton:
        questions.append(f"{box.text()} {box.informativeText()}")
        assert box.defaultButton() is box.button(QMessageBox.StandardButton.No)
        return QMessageBox.StandardButton.No

    monkeypatch.setattr(QMessageBox, "exec", answer)
    with window_on(qtbot, session, None) as window:
        trainer, finetuning = Trainer(qtbot, window), window.features.learning.finetuning

        def finetune(settings: dict[str, Any], start: Start | None = None) -> None:
            finetuning.start_finetuning_on("default", {**COMMON, **settings}, None, start)
            trainer.sees(lambda: not finetuning.is_finetuning)
            assert finetuning.candidate is not None, session.library.runs.all()[-1]

        finetune(GOOD, Start("Random weights", "random"))
        view = finetuning.dialog.comparison
        assert view.recommended is view.use  # nothing is in use yet
        qtbot.keyClick(finetuning.dialog.focusWidget(), Qt.Key.Key_Return)
        good = session.model_id
        assert good

        finetune(RUINED)
        candidate = finetuning.candidate
        assert candidate is not None
        assert candidate.verdict["kind"] == "worse"
        assert "for polyp fell from" in candidate.verdict["sentence"]
        assert view._verdict.text() == candidate.verdict["sentence"]
        assert view.recommended is view.keep
        assert view.keep.isDefault()
        view.use.click()
        assert "Fine-tuned 2 is worse than the current model. Use it anyway?" in questions[0]
        assert candidate.verdict["sentence"] in questions[0]
        assert session.model_id == good
        qtbot.keyClick(finetuning.dialog.focusWidget(), Qt.Key.Key_Return)
        assert view._note.text() == "Fine-tuned 1 stays in use."
        assert (session.model_id, len(questions), len(session.library.models.all())) == (good, 1, 2)
