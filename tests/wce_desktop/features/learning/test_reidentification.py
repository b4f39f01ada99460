"""Re-identification from the Train window with a real child: set up, trained, stopped, resumed, listed, refused."""

from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.learning.trainer import Trainer, steps_of
from tests.wce_desktop.features.live_scores.embedded import write_embeddings
from tests.wce_desktop.sessions import write_model
from tests.wce_desktop.windows import window_on
from training.errors import UserError
from training.models.folder import ModelFolder
from wce_desktop.features.models.table_cells import cells_of
from wce_desktop.library.lineage import Family
from wce_desktop.session.run_models import reid_runs
from wce_desktop.session.session import Session

TINY = {
    "backbone": "tiny", "preset": "smoke", "embedding": 16, "head_hidden": 16, "heads": 2, "feed_forward": 16,
    "crop_px": 16, "views": 2, "frame_steps": 40, "tracklet_steps": 20, "checkpoint_seconds": 0, "threads": 1,
}  # fmt: skip
pytestmark = pytest.mark.timeout(600)


def flag_all(session: Session, folder: Path) -> None:
    """A model in use, and scores with two events in every study."""
    model = session.library.models.register(write_model(folder / "models", "m1"), title="Model 1")
    session.scores.use_model(model.model_id)
    opened = ModelFolder.open(model.folder)
    for study in session.library.studies.all():
        scores = np.full((study.frame_count, len(opened.config.classes)), 0.1, np.float32)
        scores[2:8, 1], scores[14:20, 1] = 0.9, 0.8
        points = np.ones((study.frame_count, opened.config.embedding_size), np.float32)
        path = session.files(study).scores_path(model.model_id)
        write_embeddings(path, opened, study.fingerprint, points, scores)
        session.scores.scored(study.study_id, model.model_id)


def test_train_stop_and_resume_from_the_window(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    flag_all(session, tmp_path)
    with window_on(qtbot, session, None) as window:
        trainer = Trainer(qtbot, window)
        window.features.learning.training.show_task("train-reid")
        setup = trainer.dialog.setup
        assert setup.how.method.currentText() == "Re-identification (Intrator 2023)"
        setup.studies.table.choose_all()
        trainer.sets(TINY)
        page = trainer.starts()
        trainer.stops_after_a_step(page)
        assert not reid_runs(session.library), "no model before the last step"
        trainer.resumes(page)
        (run,) = reid_runs(session.library)
        assert steps_of(run.folder) == list(range(1, 61))
        assert page.curves.plots["loss"].points["single_frame_loss"][0] == list(range(1, 41))
        assert page.curves.plots["loss"].points["multi_view_loss"][0] == list(range(41, 61))
        assert "Group flags by" in page.state.text()
        assert "gives no scores" in cells_of(run, Family.of(session.library), ())["result"].text
        assert run.run_id not in {model.model_id for model in session.library.models.all()}
        window.features.models.choose_model()
        window.features.models.dialog.tree.choose([run.run_id])
        assert window.features.models.dialog.group.isVisible()
        assert not window.features.models.dialog.use.isEnabled(), "it is no classifier"
        window.features.models.dialog.group.click()
        assert session.settings["group_by"] == run.run_id


def test_studies_without_flags_cannot_be_trained_on(qtbot: QtBot, session: Session) -> None:
    with window_on(qtbot, session, None) as window:
        window.features.learning.training.show_task("train-reid")
        setup = window.features.learning.training.dialog.setup
        without_boxes = session.library.studies.all()[2:]
        setup.studies.table.choose({study.study_id for study in without_boxes})
        setup.show_estimate()
        assert "flags of at least two patients" in setup.problem.text()
        with pytest.raises(UserError):
            setup.request()
