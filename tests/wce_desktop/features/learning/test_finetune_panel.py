"""Fine-tuning the model."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.wce_desktop.job_samples import CLASSES, failed_job, make_job, running_job
from training.runs.events import Outcome
from wce_desktop.core.annotation.vocabulary import load_vocabulary
from wce_desktop.features.learning.model.library_estimates import Readiness
from wce_desktop.features.learning.view.finetune_window import (
    FinetunePanel,
    FinetuneWindow,
    describe_labels,
)
from wce_desktop.session.places import resource
from wce_desktop.session.presets import Preset
from wce_desktop.widgets.curve_plot import CurvePlot

PRESETS = [Preset("quick", "Quick", "About a minute."), Preset("default", "Default", "Two to four minutes.")]


@pytest.fixture
def panel(qtbot: QtBot) -> FinetunePanel:
    """A panel on screen."""
    panel = FinetunePanel(CLASSES, PRESETS, "default")
    qtbot.addWidget(panel)
    panel.resize(400, 700)
    panel.show()
    return panel


def button(panel: FinetunePanel, text: str) -> QPushButton:
    """The button with this text."""
    (found,) = [one for one in panel.findChildren(QPushButton) if one.text() == text]
    return found


def texts(panel: FinetunePanel) -> list[str]:
    """What the visible labels say."""
    return [label.text() for label in panel.findChildren(QLabel) if label.isVisible()]


@pytest.mark.parametrize(
    ("counts", "studies", "words"),
    [
        ({"normal": 40, "polyp": 7, "blood": 40}, 3, "87 new labels in 3 studies: blood 40, polyp 7, normal 40"),
        ({"polyp": 1}, 1, "1 new label in 1 study: polyp 1"),
        ({"normal": 12_000, "polyp": 0}, 2, "12,000 new labels in 2 studies: normal 12,000"),
    ],
)
def test_labels_in_a_sentence(counts: dict[str, int], studies: int, words: str) -> None:
    assert describe_labels(Readiness(counts, studies)) == words


def test_it_says_why_it_cannot(qtbot: QtBot, panel: FinetunePanel) -> None:
    panel.set_blocked("No frame is labelled normal.", "Label some with 0.")
    assert "No frame is labelled normal." in texts(panel)
    assert "Label some with 0." in texts(panel)
    assert not button(panel, "Fine-tune").isEnabled()


def test_it_says_what_it_will_use_and_starts_with_the_preset(qtbot: QtBot, panel: FinetunePanel) -> None:
    panel.show_readiness(Readiness({"blood": 40, "normal": 40}, 2))
    assert "80 new labels in 2 studies: blood 40, normal 40" in texts(panel)
    assert "Two to four minutes." in texts(panel)
    with qtbot.waitSignal(panel.start_requested) as started:
        QTest.mouseClick(button(panel, "Fine-tune"), Qt.MouseButton.LeftButton)
    assert started.args == ["default"]
    panel.findChildren(QComboBox)[0].setCurrentIndex(0)
    assert panel.preset == "quick"
    assert "About a minute." in texts(panel)


def test_while_it_runs_it_can_be_stopped_but_not_started_again(qtbot: QtBot, panel: FinetunePanel) -> None:
    panel.show_readiness(Readiness({"blood": 40, "normal": 40}, 2))
    job = running_job("finetuning")
    panel.set_job(job)
    assert "64 %   412 frames/s   1:20 left" in texts(panel)
    assert not button(panel, "Fine-tune").isEnabled()
    job.progressed.connect(panel.set_job)
    QTest.mouseClick(button(panel, "Stop"), Qt.MouseButton.LeftButton)
    assert job.state == "stopping"
    assert "Stopping after this step" in texts(panel)
    assert not button(panel, "Stop").isEnabled()


def test_curves_grow_while_it_learns(qtbot: QtBot, panel: FinetunePanel) -> None:
    panel.set_job(running_job("finetuning"))
    assert panel.findChildren(CurvePlot) == []
    for step in range(3):
        panel.curves.add_partial(
            "curve", {"step": step, "loss": 1.0 / (step + 1), "triplet": 0.2, "learning_rate": 0.1}
        )
    panel.curves.add_partial("curve", {"step": 3, "loss": None})  # diverged: NaN comes as null
    panel.curves.add_partial("held_out", {"step": 2, "auc": {"blood": 0.75, "polyp": None, "any": 0.8}})
    panel.curves.add_partial("something else", {})
    losses, held_out = panel.findChildren(CurvePlot)
    assert losses.points == {"loss": ([0, 1, 2], [1.0, 0.5, 1 / 3]), "triplet": ([0, 1, 2], [0.2] * 3)}
    assert held_out.points == {"blood": ([2], [0.75]), "any": ([2], [0.8])}
    qtbot.waitUntil(lambda: any("Blood&nbsp;0.75" in text for text in texts(panel)), timeout=5000)
    assert any("Any&nbsp;finding&nbsp;0.80" in text for text in texts(panel))


def test_another_finetuning_begins_with_empty_plots(panel: FinetunePanel) -> None:
    panel.set_job(running_job())
    panel.curves.add_partial("curve", {"step": 1, "loss": 1.0})
    for plot in panel.findChildren(CurvePlot):
        plot.draw()
    panel.set_job(running_job())
    assert all(plot.points == {} for plot in panel.findChildren(CurvePlot))


def test_when_it_is_done_old_and_new_can_be_compared(qtbot: QtBot, panel: FinetunePanel) -> None:
    panel.show_readiness(Readiness({"blood": 40, "normal": 40}, 2))
    panel.set_job(make_job("finetuning", "done", outcome=Outcome("done")))
    assert any("until you choose the new one" in text for text in texts(panel))
    assert button(panel, "Fine-tune").isEnabled()
    with qtbot.waitSignal(panel.compare.clicked):
        QTest.mouseClick(button(panel, "Compare old and new"), Qt.MouseButton.LeftButton)


def test_a_failure_is_its_sentence_and_hint(panel: FinetunePanel) -> None:
    panel.set_job(failed_job("finetuning"))
    assert "Failed: P03.mp4 holds <no> video. Choose another file." in texts(panel)
    assert not button(panel, "Compare old and new").isVisible()


def test_the_window_stays_in_front_of_the_main_window_and_comes_back_from_the_task_bar(qtbot: QtBot) -> None:
    main = QWidget()
    qtbot.addWidget(main)
    main.show()
    window = FinetuneWindow(load_vocabulary(resource("labels", "default.json")), "default", main)
    window.show_panel()
    assert window.windowFlags() & Qt.WindowType.WindowType_Mask == Qt.WindowType.Dialog
    handle = window.windowHandle()
    assert handle is not None
    assert handle.transientParent() is main.windowHandle()
    window.showMinimized()
    window.show_panel()
    assert not window.isMinimized()
    window.close()
