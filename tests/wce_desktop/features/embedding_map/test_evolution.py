"""The evolution of a pretraining in the real window: made by a job, walked through with the slider."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import main_window, press, wait
from training.errors import UserError
from training.projection.config import EvolutionConfig
from training.projection.evolution import EvolutionFile
from training.runs.events import Outcome
from wce_desktop.features.embedding_map.evolution import (
    evolution_job,
    evolution_path,
    runs_to_show,
    step_words,
)
from wce_desktop.features.embedding_map.evolution_window import EvolutionWindow
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.library.runs import Run
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.threads.job import Job

STEPS = (10, 20, 40)
FRAMES = 12


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    """The main window with the scored study open."""
    with main_window(qtbot, tmp_path) as window:
        yield window


def add_run(window: MainWindow) -> Run:
    """A pretraining in the library that kept two steps."""
    run = window.session.library.runs.add("Pretraining 1", kind="pretrain")
    for step in (10, 20):
        weights = run.folder / "kept" / f"step-{step:06d}.safetensors"
        weights.parent.mkdir(exist_ok=True)
        weights.touch()  # only the job reads them
    window.session.library.runs.finish(run.run_id, "done", {})
    return run


def write_evolution(window: MainWindow, run: Run, steps: tuple[int, ...] = STEPS) -> EvolutionFile:
    """Frames that move to the right by one with every checkpoint."""
    study = window.session.library.studies.all()[0]
    places = np.stack([np.arange(FRAMES), np.arange(FRAMES) % 3], axis=1).astype(np.float32)
    file = EvolutionFile(
        run=run.run_id,
        space="backbone",
        steps=np.array(steps, np.int64),
        coordinates=np.stack([places + number for number in range(len(steps))]),
        study_ids=(study.study_id,),
        patient_ids=(study.patient_id,),
        study=np.zeros(FRAMES, np.int32),
        frame_index=np.arange(FRAMES) * 5,
        video_seconds=np.arange(FRAMES) / 5,
        labels=("normal", "polyp"),
        label=np.array([-1, 0, 1] * 4, np.int32),
        parameters={},
        notes=("The axes are those of step 40.",),
    )
    path = evolution_path(window.session, run, "backbone")
    path.parent.mkdir(parents=True, exist_ok=True)
    file.save(path)
    return file


def shown(qtbot: QtBot, window: MainWindow) -> EvolutionWindow:
    press(window, "show_evolution")
    dialog = window.features.map.evolution.dialog
    wait(qtbot, lambda: len(dialog.canvas.state.points) > 0)
    return dialog


def test_the_slider_moves_the_frames_within_one_extent(qtbot: QtBot, window: MainWindow) -> None:
    file = write_evolution(window, add_run(window))
    dialog = shown(qtbot, window)
    assert dialog.slider.value() == 2
    assert dialog.step.text() == step_words(file, 2) == "Step 40 (checkpoint 3 of 3)"
    assert np.array_equal(dialog.canvas.state.points.coordinates, file.coordinates[2])
    view = dialog.canvas.view
    dialog.slider.setValue(0)
    assert np.array_equal(dialog.canvas.state.points.coordinates, file.coordinates[0])
    assert dialog.canvas.view == view
    assert all(dialog.canvas.rect().contains(dialog.canvas.place_of(row)) for row in range(FRAMES))
    assert [dialog.legend.rows.item(row).text() for row in range(3)] == ["Not labelled   4", "Normal   4", "Polyp   4"]
    assert "axes" in dialog.note.text()


def test_playing_ends_at_the_last_step(qtbot: QtBot, window: MainWindow) -> None:
    write_evolution(window, add_run(window))
    dialog = shown(qtbot, window)
    dialog.toggle_play()
    assert dialog.slider.value() == 0
    assert dialog.play.text() == "Pause"
    wait(qtbot, lambda: dialog.play.text() == "Play")
    assert dialog.slider.value() == 2


def test_selecting_and_going_work_as_on_a_map(qtbot: QtBot, window: MainWindow) -> None:
    write_evolution(window, add_run(window))
    dialog = shown(qtbot, window)
    dialog.canvas.select(np.array([2, 3]))
    assert window.session.selection.of(window.session.library.studies.all()[0].study_id).tolist() == [10, 15]
    dialog.canvas.go_requested.emit(4)
    wait(qtbot, lambda: window.session.reading is not None and window.session.reading.place.frame_index == 20)


def test_an_evolution_comes_step_by_step_from_its_job(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command itself is tested where it lives; here its job is a stand-in that says what the command would."""
    run, jobs = add_run(window), list[Job]()

    def submit(spec: JobSpec) -> Job:
        jobs.append(Job(spec))
        return jobs[-1]

    monkeypatch.setattr(window.jobs, "submit", submit)
    press(window, "show_evolution")
    dialog = window.features.map.evolution.dialog
    assert "has not been computed yet" in dialog.canvas.empty[0]
    dialog.sample.setValue(20)
    dialog.make.click()
    wait(qtbot, lambda: bool(jobs))
    (job,) = jobs
    asked = EvolutionConfig.model_validate(dict(job.spec.config))
    assert (asked.run, asked.sample, asked.space) == (run.folder, 20, "backbone")
    assert asked.labels is not None
    assert asked.labels.is_file()
    for steps in ((40,), (10, 40), STEPS):  # the last step first, as the command has it
        file = write_evolution(window, run, steps)
        job.partial_arrived.emit("evolution", {"file": str(asked.out), "step": steps[0]})
        wait(qtbot, lambda file=file: dialog.slider.maximum() == len(file.steps) - 1 and window.is_idle)  # type: ignore[misc]
        assert dialog.step.text().startswith("Step 40 ")  # what is looked at stays
    dialog.space.setCurrentIndex(1)
    assert not len(dialog.canvas.state.points)
    with pytest.raises(UserError, match="Another evolution"):
        window.features.map.evolution.make()
    job.report_outcome(Outcome("failed", "The disk is full.", "Free some disk space."))
    assert dialog.problem.text() == "The disk is full. Free some disk space."


def test_no_pretraining_says_the_next_step(qtbot: QtBot, window: MainWindow) -> None:
    window.session.library.runs.add("Empty", kind="pretrain")
    assert runs_to_show(window.session) == ()
    press(window, "show_evolution")
    dialog = window.features.map.evolution.dialog
    assert "no pretrained model" in dialog.canvas.empty[0]
    assert not dialog.make.isEnabled()


def test_no_study_is_a_sentence(window: MainWindow) -> None:
    with pytest.raises(UserError, match="No study is ticked"):
        evolution_job(window.session, add_run(window), ())
