"""Pretraining and finetuning from the window, with real children: started, watched, stopped, resumed, after a crash."""

import subprocess
import sys

from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.learning.trainer import (
    STEPS,
    TINY_FINETUNING,
    TINY_PRETRAINING,
    Trainer,
    steps_of,
)
from tests.wce_desktop.windows import window_on
from wce_desktop.session.session import Session


def test_pretrain_then_finetune_stopped_and_resumed_then_score(qtbot: QtBot, session: Session) -> None:
    with window_on(qtbot, session, None) as window:
        trainer = Trainer(qtbot, window)
        window.features.learning.training.train()
        trainer.sets(TINY_PRETRAINING)
        page = trainer.starts()
        trainer.stops_after_a_step(page)
        run = session.library.runs.all()[0]
        assert len(steps_of(run.folder)) < STEPS
        assert run.summary["finished"] is False
        trainer.resumes(page)
        assert steps_of(run.folder) == list(range(1, STEPS + 1))
        assert page.curves.plots["loss"].points["loss"][0] == list(range(1, STEPS + 1))
        assert page.curves.plots["accuracy"].points["accuracy"][0] == [0, STEPS // 2, STEPS]
        assert session.library.runs.all()[0].state == "done"

        page.use.click()
        assert trainer.dialog.setup.task == "finetune"
        assert trainer.dialog.setup.how.start is not None
        assert trainer.dialog.setup.how.start.run_id == run.run_id
        trainer.sets(TINY_FINETUNING)
        finetuning = trainer.starts(2)
        trainer.stops_after_a_step(finetuning)
        trainer.resumes(finetuning)
        assert finetuning.curves.plots["loss"].points["loss"][0] == list(range(1, STEPS + 1))
        made = [model for model in session.library.models.all() if model.run_id == finetuning.run_id]
        assert len(made) == 2  # as it was stopped, and as it ended
        assert session.library.runs.all()[1].base_run_id == run.run_id
        window.features.learning.finetuning.use_new()
        assert session.model_id == made[-1].model_id
        study = session.library.studies.all()[3]
        window.features.studies.scoring.score(study)
        trainer.sees(lambda: session.scores.is_scored(study))


def test_the_train_window_knows_no_torch() -> None:
    code = (
        "import sys; import wce_desktop.features.learning.view.train_window, wce_desktop.features.learning.feature;"
        "print([name for name in ('torch', 'av', 'pyqtgraph', 'matplotlib') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
