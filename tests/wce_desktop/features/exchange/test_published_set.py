"""Colonoscopies of a public set from the window: imported as they were published, and re-identification trained."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from tests.training.experiments.reproduce.colonoscopy import write_real_colon
from tests.wce_desktop.features.exchange.dialogs import click, shown_dialog
from tests.wce_desktop.features.learning.test_reidentification import TINY
from tests.wce_desktop.features.learning.trainer import Trainer
from tests.wce_desktop.windows import main_window, press, wait
from wce_desktop.features.exchange.import_dialogs import ImportDialog
from wce_desktop.session.run_models import reid_runs

pytestmark = pytest.mark.timeout(600)


def test_recordings_are_imported_and_trained_on(
    qtbot: QtBot, tmp_path: Path, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_real_colon(tmp_path / "in", patients=2)
    place = tmp_path / "studies"
    place.mkdir()
    folders = [str(place), str(folder)]
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: folders.pop())
    with main_window(qtbot, tmp_path / "library", has_study=False) as window:
        press(window, "import_labels")
        click(qtbot, shown_dialog(window, ImportDialog).folder)
        wait(qtbot, lambda: len(window.session.library.studies.all()) == 4 and not window.features.exchange.is_busy)
        assert "New study 001-001 (48 frames)" in asked[0]
        assert "A frame without a box has no label" in asked[0]
        annotations = window.session.library.annotations
        for study in window.session.library.studies.all():
            assert len(annotations.findings(study.study_id)) == 2
            assert len(annotations.boxes(study.study_id)) == 32
        trainer = Trainer(qtbot, window)
        window.features.learning.training.show_task("train-reid")
        trainer.dialog.setup.studies.table.choose_all()
        trainer.sets({**TINY, "frame_steps": 4, "tracklet_steps": 3})
        page = trainer.starts()
        trainer.sees(lambda: page.job is not None and page.job.has_ended)
        assert page.job is not None
        assert page.job.state == "done", page.job.outcome
        assert page.job.outcome is not None
        assert (page.job.outcome.result or {})["tracklets"] >= 8, "visits of the lesions of those who are not held out"
        assert len(reid_runs(window.session.library)) == 1
