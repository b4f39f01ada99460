"""Experiments from *Runs and models*: chosen, estimated, run in the background, and shown."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.learning.test_cross_validating import end, submitted
from tests.wce_desktop.sessions import make_session
from tests.wce_desktop.windows import main_window, press, wait
from training.commands.common import find_command
from training.errors import UserError
from wce_desktop.features.learning.model.experiments import (
    Choice,
    Experiment,
    every_experiment,
    expected_time,
    experiment_job,
    folder_settings,
)
from wce_desktop.features.learning.view.experiment_dialog import ExperimentDialog
from wce_desktop.library.run_files import inputs_folder
from wce_desktop.session.session import Session
from wce_desktop.threads.job import Job

__all__ = ["submitted"]


def named(title: str) -> Experiment:
    return next(each for each in every_experiment() if each.title == title)


def frames_of(folder: Path, *names: str) -> Path:
    folder.mkdir()
    for name in names:
        (folder / name).write_text("{}" if name.endswith("json") else "filename,label,group\n", "utf-8")
    return folder


@pytest.fixture
def with_model(tmp_path: Path) -> Iterator[Session]:
    session = make_session(tmp_path / "session")
    yield session
    session.library.close()


@pytest.mark.parametrize("experiment", every_experiment(), ids=lambda each: each.title)
def test_each_experiment_is_a_job_that_its_command_accepts(
    with_model: Session, experiment: Experiment, tmp_path: Path
) -> None:
    session = with_model
    studies = frames_of(tmp_path / "frames", "manifest.json", "labels.csv", "boxes.csv")
    images = frames_of(tmp_path / "images", "images.csv", "image_boxes.csv")
    for source in experiment.sources:
        folder = images if experiment.needs_model else studies
        choice = Choice(experiment, source, folder, "smoke", methods=("random",) * (experiment.command == "benchmark"))
        if experiment.needs_model:
            choice = Choice(experiment, source, folder, model=session.library.models.all()[0])
        run = session.library.runs.add(experiment.title, kind="experiment")
        spec = experiment_job(session, run, choice)
        assert spec.command == experiment.command
        stored = json.loads((inputs_folder(run.folder) / "job.json").read_text("utf-8"))
        assert stored["config"] == dict(spec.config)
        find_command(spec.command)[0].checked(**spec.config)


def test_classes_and_the_label_of_normal_images_are_passed_where_they_matter(
    qtbot: QtBot, with_model: Session, tmp_path: Path
) -> None:
    images = frames_of(tmp_path / "images", "images.csv", "image_boxes.csv")
    dialog = ExperimentDialog((), lambda _: None, lambda _: images)
    qtbot.addWidget(dialog)
    dialog.experiment.setCurrentText("Laiz et al., Table 6")
    dialog.source.setCurrentIndex(dialog.source.findData("phantom"))
    assert dialog.classes.isHidden(), "synthetic studies have classes of their own"
    dialog.source.setCurrentIndex(dialog.source.findData("folder"))
    dialog.folder.click()
    dialog.classes.setText("polyp, ulcer,")
    dialog.normal.setText(" non-bleeding ")
    assert not dialog.classes.isHidden()
    assert not dialog.normal.isHidden()
    config = experiment_job(with_model, with_model.library.runs.add("t", kind="experiment"), dialog.choice).config
    assert (config["classes"], config["normal_label"]) == (["polyp", "ulcer"], "non-bleeding")
    dialog.experiment.setCurrentText("Xiang et al., Table 2")
    assert dialog.classes.isHidden()
    assert dialog.normal.isHidden()
    studies = frames_of(tmp_path / "studies", "manifest.json", "labels.csv")
    choice = replace(dialog.choice, folder=studies)
    config = experiment_job(with_model, with_model.library.runs.add("x", kind="experiment"), choice).config
    assert not {"classes", "normal_label"} & config.keys(), "what another experiment left in the fields"


def test_studies_and_images_of_a_folder_are_known_by_what_lies_in_it(tmp_path: Path) -> None:
    studies = frames_of(tmp_path / "a", "manifest.json", "labels.csv", "boxes.csv", "pairs.csv")
    assert folder_settings(studies).keys() == {"studies", "labels", "boxes", "pairs"}
    images = frames_of(tmp_path / "b", "manifest.json", "images.csv", "image_boxes.csv", "labels.csv")
    assert folder_settings(images) == {
        "images": str(images), "labels": str(images / "images.csv"), "boxes": str(images / "image_boxes.csv")
    }  # fmt: skip
    assert folder_settings(images, "intrator-table1").keys() == {"studies", "labels"}, "the export of a public set"
    assert folder_settings(frames_of(tmp_path / "c", "labels.csv")).keys() == {"images", "labels"}
    with pytest.raises(UserError, match=r"no labels\.csv"):
        folder_settings(frames_of(tmp_path / "d", "manifest.json"))


def seconds(session: Session, choice: Choice) -> float:
    expected = expected_time(session, choice)
    assert expected is not None
    return expected[0]


def test_more_work_takes_longer(session: Session) -> None:
    table, benchmark = named("Laiz et al., Table 6"), named("Compare pretrainings")
    small = seconds(session, Choice(table, "phantom", budget="small"))
    assert 0 < seconds(session, Choice(table, "phantom", budget="smoke")) < small
    assert seconds(session, Choice(table, "phantom", seeds=2)) == pytest.approx(2 * small)
    two, three = (("random", "simclr"), ("random", "simclr", "pgcon"))
    assert seconds(session, Choice(benchmark, "library", methods=two)) < seconds(
        session, Choice(benchmark, "library", methods=three)
    )


def test_no_time_is_stated_that_nobody_knows(session: Session) -> None:
    assert expected_time(session, Choice(named("Laiz et al., Table 6"), "phantom", hours=0.5)) is None
    assert expected_time(session, Choice(named("Xiang et al., Table 2"), "phantom")) is None
    folder = Choice(named("Compare pretrainings"), "folder", Path("frames"), methods=("simclr",))
    assert expected_time(session, folder) is None


def test_an_experiment_is_started_shown_and_resumed(
    qtbot: QtBot, tmp_path: Path, submitted: list[Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    def choose(dialog: ExperimentDialog) -> int:
        dialog.experiment.setCurrentText("Laiz et al., Table 6")
        dialog.budget.setCurrentIndex(dialog.budget.findData("smoke"))
        assert "more exact after the first such run on this computer" in dialog.time.text()
        dialog.source.setCurrentIndex(dialog.source.findData("folder"))
        assert not dialog.start.isEnabled(), "no folder is chosen"
        dialog.source.setCurrentIndex(dialog.source.findData("phantom"))
        return int(dialog.start.isEnabled())

    monkeypatch.setattr(ExperimentDialog, "exec", choose)
    with main_window(qtbot, tmp_path) as window:
        press(window, "choose_model")
        runs = window.features.models.dialog
        runs.experiment.click()
        wait(qtbot, lambda: bool(submitted))
        config = submitted[0].spec.config
        assert (submitted[0].spec.command, config["table"], config["phantom"]) == ("reproduce", "laiz-table6", True)
        run = next(run for run in window.session.library.runs.all() if run.kind == "experiment")
        assert run.title == "Laiz et al., Table 6 · 1"
        end(window, submitted[0], "cancelled")
        runs.tree.choose([run.run_id])
        wait(qtbot, lambda: runs.resume.isVisibleTo(runs))
        runs.resume.click()
        assert submitted[1].spec.command == "reproduce"
        assert submitted[1].spec.config["resume"]
        (run.folder / "table.html").write_text("<p>", "utf-8")
        window.session.library.runs.finish(run.run_id, "done", {"text": "| row | AUC |"})
        window.features.models.refresh()
        runs.tree.choose([])
        runs.tree.choose([run.run_id])
        assert runs.figures.text.toPlainText() == "| row | AUC |"
        assert runs.figures._report == run.folder / "table.html"
