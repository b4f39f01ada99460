"""Watching a training: its curves, its words, what can be done about it."""

from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.wce_desktop.job_samples import CLASSES, failed_job, make_job, running_job
from training.pretraining.recorder import CollapseWatch
from training.runs.events import Outcome
from training.runs.folder import CsvLog, Point
from wce_desktop.features.learning.view.live_page import LivePage
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.library.runs import Run, RunKind
from wce_desktop.threads.job import Job

POINT = {
    "step": 1, "loss": 0.2, "triplet": 0.2, "cross_entropy": 0.0, "violating_share": 0.9, "learning_rate": 0.1,
    "embedding_norm": 1.5, "images_per_second": 80.0, "mean_distance": 0.5, "distance_to_margin": 2.5,
}  # fmt: skip


def a_run(kind: RunKind, folder: Path) -> Run:
    """Just started."""
    return Run("r-1", "Trained 1", None, "running", {}, "2024-05-01T10:00:00+00:00", folder, kind)


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> LivePage:
    """The page of a pretraining, on screen."""
    page = LivePage(a_run("pretrain", tmp_path), CLASSES)
    qtbot.addWidget(page)
    page.resize(1100, 700)
    page.show()
    return page


def test_every_figure_that_was_promised_has_a_curve(page: LivePage) -> None:
    page.set_job(running_job("pretraining"))
    page.add_partial("curve", POINT)
    page.add_partial("knn", {"step": 1, "accuracy": 0.6, "frames": 40, "patients": 2})
    shown = {name: values for plot in page.curves.plots.values() for name, (_, values) in plot.points.items()}
    assert shown == {
        "loss": [0.2], "violating_share": [0.9], "accuracy": [0.6], "embedding_norm": [1.5], "learning_rate": [0.1],
        "images_per_second": [80.0], "distance_to_margin": [2.5],
    }  # fmt: skip


def test_only_what_has_points_takes_room(page: LivePage, tmp_path: Path) -> None:
    page.set_job(running_job("pretraining"))
    page.add_partial("curve", POINT)
    assert [key for key, plot in page.curves.plots.items() if plot.isVisible()] == [
        "loss",
        "violating",
        "norm",
        "distance",
        "rate",
        "speed",
    ]
    page.add_partial("knn", {"step": 1, "accuracy": 0.6, "frames": 40, "patients": 2})
    assert [key for key, plot in page.curves.plots.items() if not plot.isVisible()] == ["validation"]
    page.preload(tmp_path)  # it goes on from a folder that holds no point yet
    assert not any(plot.isVisible() for plot in page.curves.plots.values())
    shown = [label.text() for label in page.findChildren(QLabel) if label.isVisible()]
    assert "Curves appear after the first step." in shown


def test_a_contrast_has_no_triplets(page: LivePage, tmp_path: Path) -> None:
    page.set_job(Job(JobSpec("pretraining", "pretrain", {"method": "pgcon"})))
    page.add_partial("curve", {**POINT, "negatives_ahead": 0.2})
    assert page.curves.plots["violating"].points == {
        "negatives_ahead": ([1], [0.2])
    }  # older versions said something else
    assert page.curves.plots["violating"].title == "Negatives closer than the positive: 0.5 is chance"
    old = "step,violating_share,negatives_ahead\n1,0.7,\n2,,0.1\n"
    (tmp_path / "metrics.csv").write_text(old, encoding="utf-8")
    (tmp_path / "config.json").write_text('{"config": {"method": "pgcon"}}', encoding="utf-8")
    page.preload(tmp_path)
    assert page.curves.plots["violating"].points == {"negatives_ahead": ([2], [0.1])}


def test_a_contrast_with_a_memory_shows_both_terms(page: LivePage, tmp_path: Path) -> None:
    page.set_job(Job(JobSpec("pretraining", "pretrain", {"method": "pgcon"})))
    point = Point(1, 4.0, {"memory_term": 3.0, "view_term": 5.0}, {"negatives_ahead": 0.2}, 0.1, 1.5, 80.0)
    page.add_partial("curve", point.figures)
    shown = {"loss": ([1], [4.0]), "memory_term": ([1], [3.0]), "view_term": ([1], [5.0])}
    assert page.curves.plots["loss"].points == shown
    log = CsvLog(tmp_path / "metrics.csv", Point.columns(("memory_term", "view_term"), "negatives_ahead"))
    log.append([tuple(point.figures.values())])
    log.close()
    page.preload(tmp_path)
    assert page.curves.plots["loss"].points == shown


@pytest.mark.parametrize(("method", "title"), [("simclr", "Negatives closer"), ("time-triplet", "Share of triplets")])
def test_a_run_that_resumes_names_its_method_by_its_folder(
    page: LivePage, tmp_path: Path, method: str, title: str
) -> None:
    share = "negatives_ahead" if method == "simclr" else "violating_share"
    (tmp_path / "metrics.csv").write_text(f"step,{share}\n1,0.7\n", encoding="utf-8")
    (tmp_path / "config.json").write_text(f'{{"config": {{"method": "{method}"}}}}', encoding="utf-8")
    page.preload(tmp_path)
    page.set_job(running_job("pretraining"))
    page.add_partial("curve", {**POINT, "step": 2, share: 0.9})
    assert page.curves.plots["violating"].title.startswith(title)
    ((steps, values),) = page.curves.plots["violating"].points.values()
    assert (steps, values) == ([1, 2], [0.7, 0.9])


def test_a_finetuning_shows_its_terms_and_classes(qtbot: QtBot, tmp_path: Path) -> None:
    page = LivePage(a_run("finetune", tmp_path), CLASSES)
    qtbot.addWidget(page)
    page.add_partial("curve", {**POINT, "cross_entropy": 0.1})
    page.add_partial("held_out", {"step": 1, "auc": {"blood": 0.7, "polyp": None}})
    assert set(page.curves.plots["loss"].points) == {"loss", "triplet", "cross-entropy"}
    assert page.curves.plots["accuracy"].points == {"blood": ([1], [0.7])}


def test_a_collapse_stands_above_the_curves_in_words(page: LivePage) -> None:
    job = running_job("pretraining")
    page.set_job(job)
    assert not page.alarm.isVisible()
    job.log.append("The embedding has collapsed: the loss stands at the margin.")
    job.line_count = 1
    page.set_job(job)
    assert page.alarm.isVisible()
    assert "collapsed" in page.alarm.text()
    page.set_job(job)
    assert page._log.toPlainText().count("collapsed") == 1


def test_a_contrast_at_chance_stands_there_too(page: LivePage) -> None:
    watch, job = CollapseWatch(0.0, {"view_term": 5.0}), running_job("pretraining")
    said = [
        watch.look(Point(step, 5.0, {"view_term": 5.0}, {"negatives_ahead": 0.5}, 0.01, 1.0, 80.0))
        for step in range(1, 101)
    ]
    job.log.extend(filter(None, said))
    job.line_count = 1
    page.set_job(job)
    assert "no better than chance" in page.alarm.text()


def test_stop_stops_the_job_of_the_page(page: LivePage) -> None:
    job = running_job("pretraining")
    page.set_job(job)
    page.stop.click()
    assert job.state == "stopping"
    assert not page.resume.isVisible()


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (Outcome("done", result={"finished": True, "steps_done": 20, "knn": 0.61}), "Done, 20 steps. kNN accuracy"),
        (Outcome("done", result={"finished": False, "steps_done": 7, "steps": 20}), "Stopped after step 7 of 20"),
        (Outcome("cancelled"), "Cancelled; the last checkpoint is kept."),
        (Outcome("failed", "The disk is full.", "Free some."), "Failed: The disk is full. Free some."),
    ],
)
def test_how_it_ended_is_a_sentence(page: LivePage, outcome: Outcome, words: str) -> None:
    page.set_job(make_job("pretraining", outcome.kind, outcome=outcome), can_resume=True)
    assert page.state.text().startswith(words)
    assert page.resume.isVisible()
    assert not page.stop.isVisible()
    assert page.use.isVisible() == (outcome.kind == "done")


def test_what_was_cancelled_at_once_keeps_nothing_and_says_so(page: LivePage) -> None:
    page.set_job(make_job("pretraining", "cancelled", outcome=Outcome("cancelled")), can_resume=False)
    assert page.state.text() == "Cancelled before its first checkpoint."
    assert not page.resume.isVisible()


def test_what_an_earlier_part_left_is_drawn_up_to_its_checkpoint(page: LivePage, tmp_path: Path) -> None:
    rows = "".join(f"{step},{1 / step},{0.1}\n" for step in range(1, 8))
    (tmp_path / "metrics.csv").write_text(f"step,loss,learning_rate\n{rows}", encoding="utf-8")
    (tmp_path / "knn.csv").write_text("step,accuracy,frames,patients\n0,0.5,4,1\n7,0.9,4,1\n", encoding="utf-8")
    page.add_partial("curve", {**POINT, "step": 99})
    page.preload(tmp_path, 5)
    assert page.curves.plots["loss"].points["loss"][0] == [1, 2, 3, 4, 5]
    assert page.curves.plots["accuracy"].points["accuracy"] == ([0], [0.5])


def test_a_failure_offers_nothing_that_cannot_be_done(page: LivePage) -> None:
    page.set_job(failed_job("pretraining"))
    assert not page.resume.isVisible()
    assert not page.use.isVisible()


def test_a_contrast_of_clips_shows_its_validation_loss_and_offers_no_finetuning(page: LivePage) -> None:
    job = Job(JobSpec("pretraining", "pretrain", {"method": "colo-scrl"}))
    job.state, job.outcome = "done", Outcome("done", result={"finished": True, "steps_done": 2, "method": "colo-scrl"})
    page.set_job(job)
    page.add_partial("validation", {"step": 2, "loss": 1.5})
    assert page.curves.plots["validation"].points == {"validation_loss": ([2], [1.5])}
    assert not page.use.isVisible()
    assert (
        page.state.text()
        == "Done, 2 steps. It can compare places of studies (X), and a training of clips can start from it."
    )


def test_the_newest_reconstruction_stands_beside_the_curves(page: LivePage, tmp_path: Path) -> None:
    folder = tmp_path / "reconstructions"
    folder.mkdir()
    page.add_partial("reconstruction", {"step": 0, "file": "step-000000.png"})
    assert page.reconstruction.isHidden()  # nothing was written
    (folder / "step-000000.png").write_bytes(b"not a picture")
    page.add_partial("reconstruction", {"step": 0, "file": "step-000000.png"})
    assert page.reconstruction.isHidden()
    picture = QImage(20, 40, QImage.Format.Format_RGB32)
    picture.fill(0x808080)
    assert picture.save(str(folder / "step-000010.png"))
    page.add_partial("reconstruction", {"step": 10, "file": "step-000010.png"})
    assert page.reconstruction.isVisible()
    assert page.reconstruction.words.text().endswith("Step 10.")
    assert page.reconstruction.picture.pixmap().height() == 440
