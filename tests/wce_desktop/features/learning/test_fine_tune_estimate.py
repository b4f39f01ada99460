"""How long a fine-tuning will take, in the Fine-tune window, and what is kept of a run's speed."""

import json
import threading
import time
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.learning.test_estimate import DAMAGED_BOOKS
from tests.wce_desktop.sessions import add_study, make_session
from tests.wce_desktop.windows import main_window, press, wait, window_on
from training.planning.speed_book import MEASURED
from training.runs.events import Outcome
from wce_desktop.features.learning.view.finetune_window import FinetunePanel
from wce_desktop.features.reading import annotating
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.session.session import Session
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.threads.job import Job


def test_the_window_says_how_long_the_preset_takes(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        press(window, "finetune")
        panel = window.features.learning.finetuning.dialog.panel
        assert panel._estimate.text() == "", "there are no labels"
        for frame, name in enumerate(("normal", "normal", "polyp", "polyp")):
            window.session.show_frame(4 * frame)
            annotating.label_here(window.session, name)
        press(window, "finetune")
        wait(qtbot, lambda: "more exact after the first such run" in panel._estimate.text())


def test_the_speeds_of_a_run_are_kept_by_its_network_and_layers(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        training = window.features.learning.training
        run = window.session.library.runs.add("Fine-tuned 1")
        settings = {"device": "cpu", "backbone": "resnet18", "input_size": 128, "trained_layers": 2}
        (run.folder / "config.json").parent.mkdir(parents=True, exist_ok=True)
        (run.folder / "config.json").write_text(json.dumps({"config": settings}), encoding="utf-8")
        job = Job(JobSpec(title="fine-tuning", command="finetune", config={"out": str(run.folder)}))
        job.started_seconds = time.monotonic() - 60.0
        speeds = {"reading_per_second": 40.0, "forward_per_second": 200.0, "seconds": 50.0}
        window.features.learning.finetuning.finetuning_submitted.emit(run, job)
        for _ in range(6):
            job.partial_arrived.emit("curve", {"step": 1, "images_per_second": 90.0})
        job.report_outcome(Outcome("done", result={"speeds": speeds}))
        book = training._session.speeds
        assert book.expect("cpu", "resnet18", 128, layers=2).value == 90.0
        assert book.expect("cpu", "resnet18", 128).doubt != MEASURED, "all layers take longer"
        assert (book.forward("cpu", "resnet18", 128).value, book.reading.value) == (200.0, 40.0)
        assert 10.0 <= book.start.value < 20.0


def label_some(window: MainWindow) -> None:
    for frame, name in enumerate(("normal", "normal", "polyp", "polyp")):
        window.session.show_frame(4 * frame)
        annotating.label_here(window.session, name)


def choose_classifier(window: MainWindow) -> FinetunePanel:
    """Press Ctrl+T, and choose the preset."""
    press(window, "finetune")
    panel = window.features.learning.finetuning.dialog.panel
    panel._preset.setCurrentIndex(panel._preset.findText("Update the classifier only"))
    return panel


@pytest.mark.parametrize("name", ["binary", "nan", "folder", "unreadable"])
def test_both_windows_have_an_estimate_with_a_damaged_book(qtbot: QtBot, tmp_path: Path, name: str) -> None:
    """`test_estimate` tries each kind of damage without a window."""
    session = make_session(tmp_path)
    speeds = session.library.folder / "speeds.json"
    if name == "folder":
        speeds.mkdir()
    else:
        speeds.write_bytes(DAMAGED_BOOKS.get(name, b"{}"))
        speeds.chmod(0o000 if name == "unreadable" else 0o600)
    with window_on(qtbot, session, add_study(session, tmp_path)) as window:
        label_some(window)
        panel = choose_classifier(window)
        wait(qtbot, lambda: "more exact after the first such run" in panel._estimate.text())
        assert "nan" not in panel._estimate.text()
        window.features.learning.show_task("finetune")
        setup = window.features.learning.training.dialog.setup
        for preset in ("linear", "default"):
            setup.how.choose_preset(preset)
            setup.show_estimate()
            assert "more exact after the first such run" in setup.cost.text(), setup.problem.text()
            assert "nan" not in setup.cost.text()


def test_frames_without_embeddings_are_counted_in_both_windows(qtbot: QtBot, tmp_path: Path) -> None:
    """The little study's scores were made by other weights, so that its embeddings are of no use."""
    with main_window(qtbot, tmp_path) as window:
        label_some(window)
        panel = choose_classifier(window)
        wait(qtbot, lambda: "has not scored 4 of 4 frames yet" in panel._estimate.text())
        window.features.learning.show_task("finetune")
        setup = window.features.learning.training.dialog.setup
        setup.how.choose_preset("linear")
        wait(qtbot, lambda: "has not scored" in setup.cost.text())
        assert "has not scored 4 of 4 frames yet" in setup.cost.text()


def test_an_estimate_that_fails_is_told(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError("last0")

    monkeypatch.setattr("wce_desktop.features.learning.model.library_estimates.estimate_current", broken)
    with main_window(qtbot, tmp_path) as window:
        label_some(window)
        panel = choose_classifier(window)
        wait(qtbot, lambda: panel._estimate.text().startswith("How long it takes could not be estimated."))
        assert panel._estimate.isVisible()


def test_the_estimate_says_that_it_is_being_made_and_does_not_block(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()

    def slow(*_: object) -> object:
        assert go_on.wait(20)
        raise KeyError

    monkeypatch.setattr("wce_desktop.features.learning.model.library_estimates.count_labelled", slow)
    with main_window(qtbot, tmp_path) as window:
        label_some(window)
        panel = choose_classifier(window)
        assert panel._estimate.text() == "Estimating how long it takes…"
        assert panel._estimate.isVisible()
        go_on.set()
        wait(qtbot, lambda: "could not be estimated" in panel._estimate.text())


def test_after_a_run_that_failed_the_estimate_is_there_again(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        label_some(window)
        panel, session = choose_classifier(window), window.session
        assert isinstance(session, Session)
        panel._start.click()  # the model has no weights of a network
        finetuning = window.features.learning.finetuning
        qtbot.waitUntil(lambda: panel._job is not None and panel._job.has_ended, timeout=120_000)
        assert not finetuning.is_finetuning
        wait(qtbot, lambda: "has not scored" in panel._estimate.text())
