"""The choice between old and new follows the study that is open, and is made once."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from tests.videos import write_video
from tests.wce_desktop.sessions import known_scores, write_model, write_scores
from tests.wce_desktop.windows import main_window, wait
from training.video import build_index
from wce_desktop.features.learning import changed_flags
from wce_desktop.features.learning.changed_flags import Candidate, study_changes
from wce_desktop.features.learning.view.comparison_view import ComparisonView
from wce_desktop.session.session import Session
from wce_desktop.shell.main_window import MainWindow


def await_choice(window: MainWindow, folder: Path, kind: str = "unknown") -> ComparisonView:
    """A second model that no longer flags the blood of the open study waits for the reader's choice."""
    session = window.session
    model = session.library.models.register(write_model(folder / "models", "m2", 1.0), title="Model 2", parent_id="m1")
    assert session.reading is not None
    scores = np.where(np.isnan(known_scores()), np.nan, np.minimum(known_scores(), (1, 1, 0.1))).astype(np.float32)
    write_scores(session.files(session.reading.study).scores_path("m2"), "m2", scores)
    finetuning = window.features.learning.finetuning
    finetuning.compare(Candidate(model, "Model 1", {"verdict": {"kind": kind, "sentence": "So."}}))
    finetuning.dialog.hide()
    return finetuning.dialog.comparison


def rows(view: ComparisonView) -> list[str]:
    return [view.changes._tile(row).sentence for row in range(len(view.changes._changes))]


def test_the_changed_flags_are_those_of_the_open_study_at_its_threshold(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        view = await_choice(window, tmp_path)
        assert [row.split()[1:3] for row in rows(view)] == [["disappears", "Blood,"]]
        assert "blood 2 → 0 frames flagged, 1 → 0 events" in view.changes._counts.text()
        window.session.scores.set_threshold(0.95)
        wait(qtbot, lambda: rows(view) == [])
        window.session.scores.set_threshold(0.5)
        wait(qtbot, lambda: len(rows(view)) == 1)
        other = write_video(tmp_path / "other.mp4", 30)
        window.features.studies.open_study(window.session.add_study(other, build_index(other)))
        wait(qtbot, lambda: window.is_idle)
        assert rows(view) == []
        assert view.changes._title.text() == "other has not been scored with the new model."


def test_the_changed_flags_follow_a_new_name_of_the_study(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        view = await_choice(window, tmp_path)
        assert window.session.reading is not None
        window.session.rename_study(window.session.reading.study, "K2")
        wait(qtbot, lambda: "K2" in view.changes._title.text())


def test_queueing_many_scorings_counts_the_changed_flags_once(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[str] = []
    with main_window(qtbot, tmp_path) as window:
        view = await_choice(window, tmp_path)

        def count(session: Session, candidate: Candidate) -> object:
            counted.append(candidate.model.model_id)
            return study_changes(session, candidate)

        monkeypatch.setattr(changed_flags, "study_changes", count)
        for number in range(20):
            window.session.scores.set_scoring(frozenset({(f"study {number}", "m1")}))
        wait(qtbot, lambda: bool(counted))
        assert counted == ["m2"]
        assert len(rows(view)) == 1


def test_the_choice_is_made_once_and_can_be_taken_back(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        view = await_choice(window, tmp_path)
        view.use.click()
        assert window.session.model_id == "m2"
        assert view._note.text() == "Model 2 is in use."
        view.keep.click()
        assert window.session.model_id == "m2"
        window.features.learning.finetuning.use_model("m1")
        assert window.session.model_id == "m1"


@pytest.mark.parametrize(
    ("kind", "answer", "asked", "used"),
    [
        ("worse", QMessageBox.StandardButton.No, 1, "m1"),
        ("worse", QMessageBox.StandardButton.Yes, 1, "m2"),
        ("better", QMessageBox.StandardButton.No, 0, "m2"),
        ("unknown", QMessageBox.StandardButton.No, 0, "m2"),
    ],
)
def test_only_a_worse_model_is_asked_about(
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    answer: QMessageBox.StandardButton,
    asked: int,
    used: str,
) -> None:
    questions: list[str] = []

    def exec_(box: QMessageBox) -> QMessageBox.StandardButton:
        questions.append(box.text())
        return answer

    monkeypatch.setattr(QMessageBox, "exec", exec_)
    with main_window(qtbot, tmp_path) as window:
        await_choice(window, tmp_path, kind).use.click()
        assert (len(questions), window.session.model_id) == (asked, used)
