"""Colonoscopies of a public set from the window: imported as they were published, then trained on and searched."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from tests.training.experiments.reproduce.colonoscopy import VISITS, write_real_colon
from tests.wce_desktop.features.exchange.dialogs import click, shown_dialog
from tests.wce_desktop.features.learning.test_reidentification import TINY
from tests.wce_desktop.features.learning.trainer import JOB_MILLISECONDS, Trainer
from tests.wce_desktop.features.places.person import Reader
from tests.wce_desktop.windows import main_window, press, wait
from wce_desktop.features.exchange.import_dialogs import ImportDialog
from wce_desktop.session.run_models import clip_runs, reid_runs
from wce_desktop.shell.main_window import MainWindow

pytestmark = pytest.mark.timeout(600)
TINY_CLIPS = {
    "preset": "smoke", "input_size": 32, "sequence_length": 4, "cube_size": 16, "width": 16, "blocks": 1, "heads": 2,
    "steps": 2, "evaluations": 1, "threads": 1,
}  # fmt: skip


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, asked: list[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    """A window whose library has four recordings, imported by *Import labels*."""
    place = tmp_path / "studies"
    place.mkdir()
    folders = [str(place), str(write_real_colon(tmp_path / "in", patients=2))]
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: folders.pop())
    with main_window(qtbot, tmp_path / "library", has_study=False) as made:
        press(made, "import_labels")
        click(qtbot, shown_dialog(made, ImportDialog).folder)
        wait(qtbot, lambda: len(made.session.library.studies.all()) == 4 and not made.features.exchange.is_busy)
        assert "New study 001-001 (48 frames)" in asked[0]
        yield made


def trains(trainer: Trainer, values: dict[str, object]) -> None:
    trainer.dialog.setup.studies.table.choose_all()
    trainer.sets(values)
    page = trainer.starts()
    trainer.sees(lambda: page.job is not None and page.job.has_ended)
    assert page.job is not None
    assert page.job.state == "done", page.job.outcome


def test_re_identification_is_trained_on_the_lesions(qtbot: QtBot, window: MainWindow) -> None:
    library = window.session.library
    for study in library.studies.all():
        assert len(library.annotations.findings(study.study_id)) == 2
        assert len(library.annotations.boxes(study.study_id)) == 32
    trainer = Trainer(qtbot, window)
    window.features.learning.training.show_task("train-reid")
    trains(trainer, {**TINY, "frame_steps": 4, "tracklet_steps": 3})
    (run,) = reid_runs(library)
    assert run.summary["tracklets"] >= 8, "the visits of the lesions of those who are not held out"


def test_a_lesion_of_one_recording_is_searched_in_another(qtbot: QtBot, window: MainWindow) -> None:
    library, trainer = window.session.library, Trainer(qtbot, window)
    window.features.learning.training.show_task("pretrain")
    method = trainer.dialog.setup.how.method
    method.setCurrentIndex(method.findData("colo-scrl"))
    trains(trainer, {**TINY_CLIPS})
    (run,) = clip_runs(library)
    window.features.studies.open_study(library.studies.get("001-001"))
    wait(qtbot, lambda: window.session.reading is not None)
    reader = Reader(qtbot, window)
    reader.finds(VISITS[1][0][0] + 2)
    window.session.scores.compare_by(run.run_id)
    reader.waits()
    reader.window.lists.missing_button.click()
    qtbot.waitUntil(lambda: window.is_idle, timeout=JOB_MILLISECONDS)
    assert {study_id for study_id, *_ in reader.places} <= {"001-002", "001-003", "001-004"}
    assert reader.places
