"""pgcon from the window: started, and the evolution of its views."""

from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.learning.trainer import TINY_PRIOR, Trainer, steps_of
from tests.wce_desktop.windows import window_on
from wce_desktop.session.session import Session


def test_prior_guided_contrast_starts_from_the_window_and_its_views_can_be_followed(
    qtbot: QtBot, session: Session
) -> None:
    with window_on(qtbot, session, None) as window:
        trainer = Trainer(qtbot, window)
        window.features.learning.training.train()
        how = trainer.dialog.setup.how
        how.method.setCurrentIndex(how.method.findData("pgcon"))
        how._method_chosen()
        names = {"negatives", "memory_weight", "view_weight", "bank_momentum", "prior_share", "tile_size", "epochs"}
        assert names <= set(how.form.editors)
        trainer.sets(TINY_PRIOR)
        page = trainer.starts()
        trainer.sees(lambda: page.job is not None and page.job.has_ended)
        assert page.job is not None
        assert page.job.state == "done", page.job.outcome
        run = session.library.runs.all()[0]
        assert steps_of(run.folder) == [1, 2, 3]

        window.features.map.evolution.show_evolution()
        evolution = window.features.map.evolution
        evolution.dialog.space.setCurrentIndex(evolution.dialog.space.findData("views"))
        evolution.make()
        trainer.sees(lambda: evolution._file is not None and evolution._file.space == "views")
        assert evolution._file is not None
        assert len(evolution._file.steps) == 3
        assert "prior view" in evolution._file.labels
