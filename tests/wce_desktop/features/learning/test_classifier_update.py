"""The classifier is updated from the window, with real children: new scores of the open study without its video."""

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from pytestqt.qtbot import QtBot

from tests import tiny_backbone
from tests.wce_desktop.features.learning.trainer import JOB_MILLISECONDS
from tests.wce_desktop.windows import window_on
from training.embeddings import EmbeddingFile, partial_path
from training.inference.torch_engine import EMBEDDING
from training.models.config import ModelConfig
from training.models.folder import ModelFolder
from training.models.linear_classifier import read_classifier, same_network
from training.models.network import FrameClassifier, save_network
from training.models.scores import SCORES
from training.planning.speed_book import MEASURED
from wce_desktop.features.learning.model.library_estimates import finetune_readiness
from wce_desktop.features.learning.view.finetune_window import FinetunePanel
from wce_desktop.library import Model
from wce_desktop.session.session import Session
from wce_desktop.session.work import finetune_job, score_job, studies_to_score
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.threads.job import Job
from wce_desktop.threads.job_texts import progress_words

pytestmark = pytest.mark.timeout(600)


class Reader:
    """A person with a model of random weights, who has scored studies with it."""

    def __init__(self, bot: QtBot, window: MainWindow, folder: Path) -> None:
        self.bot, self.window, self.session = bot, window, window.session
        torch.manual_seed(0)
        config = ModelConfig(
            backbone=tiny_backbone.TINY.name, classes=("normal", "blood"), input_size=32, model_id="first"
        )
        made = save_network(FrameClassifier(config), folder / "first", {})
        self.session.scores.use_model(self.session.library.models.register(made.path, title="First").model_id)

    def sees(self, condition: Callable[[], bool]) -> None:
        """Wait for it."""
        self.bot.waitUntil(condition, timeout=JOB_MILLISECONDS)

    def scores_all(self) -> None:
        """Score every study from its video."""
        for study in studies_to_score(self.session):
            self.window.features.studies.scoring.score(study)
        self.sees(lambda: all(self.session.scores.is_scored(study) for study in self.session.library.studies.all()))
        self.sees(lambda: not self.window.jobs.is_busy)

    def opens(self, number: int) -> None:
        """Open a study."""
        self.window.features.studies.open_study(self.session.library.studies.all()[number])
        self.sees(lambda: self.session.reading is not None and self.window.is_idle)

    def labels_normal(self, frame_index: int) -> None:
        """Go to a frame and label it."""
        self.window.features.reading.go_to_frame(frame_index)
        self.sees(lambda: self.session.reading is not None and self.session.reading.place.frame_index == frame_index)
        self.window.menus.run("label_0")

    def updates(self) -> Model:
        """Choose the preset in the fine-tuning window, start, and wait for the comparison."""
        finetuning = self.window.features.learning.finetuning
        finetuning.finetune()
        panel = finetuning.dialog.panel
        panel._preset.setCurrentIndex(panel._preset.findText("Update the classifier only"))
        assert "Takes seconds" in panel._preset_words.text()
        assert panel._start.isEnabled()
        panel._start.click()
        self.sees(lambda: finetuning.dialog.is_comparing)
        assert finetuning.candidate is not None
        return finetuning.candidate.model

    def log(self, title: str) -> str:
        """What the last job of a title wrote."""
        return "\n".join([job for job in self.window.jobs.jobs if title in job.spec.title][-1].log)


def open_file(session: Session, number: int, model: Model) -> EmbeddingFile:
    return EmbeddingFile.open(session.files(session.library.studies.all()[number]).scores_path(model.model_id))


def test_label_update_adopt_and_see_new_scores(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    with window_on(qtbot, session, None) as window:
        reader = Reader(qtbot, window, tmp_path)
        first = session.current_model
        assert first is not None
        reader.scores_all()
        reader.opens(0)
        assert session.reading is not None
        assert session.reading.flags.embeddings is not None
        here = session.reading.study
        old_file = session.files(session.reading.study).scores_path("first").read_bytes()

        second = reader.updates()
        assert "stored, 0 to compute" in reader.log("fine-tuning")
        comparison = window.features.learning.finetuning.dialog.comparison
        reader.sees(lambda: session.files(here).has_scores(second.model_id))
        reader.sees(lambda: not window.jobs.is_busy)
        assert "Scoring on" not in reader.log("scoring")  # what is logged when frames are read
        assert comparison.table.cells
        assert session.model_id == "first"
        assert session.reading.flags.embeddings.header.model_id == "first"

        comparison.use.click()
        assert session.model_id == second.model_id
        shown = session.reading.flags.embeddings
        assert shown.header.model_sha256 == second.weights_sha256
        (pooled,) = ModelFolder.open(second.folder).card["operating_points"]["sources"]
        assert pooled["normal_frames"] > 0
        assert set(pooled["thresholds"]) == {*second.classes[1:], "any"}, "set anew, also for its new class"
        assert shown.cams is None
        expected = read_classifier(ModelFolder.open(second.folder)).scores(shown.embeddings[:], SCORES)
        assert session.reading.flags.scores is not None
        assert np.allclose(session.reading.flags.scores.values, expected, atol=1e-6)
        assert session.files(session.reading.study).scores_path("first").read_bytes() == old_file

        reader.scores_all()  # the other studies, too
        assert "Scoring on" not in reader.log("scoring")
        reader.opens(2)
        reader.labels_normal(5)
        third = reader.updates()
        assert same_network((ModelFolder.open(third.folder)).card) == {first.weights_sha256, second.weights_sha256}
        assert "stored, 0 to compute" in reader.log("fine-tuning")

        window.features.studies.scoring.score_study()  # asked for again: from the video, with CAMs
        reader.sees(lambda: not window.jobs.is_busy)
        assert "Scoring on" in reader.log("scoring")
        assert session.reading.flags.embeddings is not None
        assert session.reading.flags.embeddings.cams is not None


def test_studies_without_usable_scores_are_read_from_their_videos(
    qtbot: QtBot, session: Session, tmp_path: Path
) -> None:
    with window_on(qtbot, session, None) as window:
        reader = Reader(qtbot, window, tmp_path)
        reader.scores_all()
        studies = session.library.studies.all()
        first, second = (session.files(study).scores_path("first") for study in studies[:2])
        first.rename(partial_path(first))  # half written
        second.write_bytes(second.read_bytes()[:5000])  # truncated
        reader.opens(0)
        model = reader.updates()
        assert " 0 stored" in reader.log("fine-tuning")
        assert "Stored embeddings are not used" in reader.log("fine-tuning")
        reader.sees(lambda: not window.jobs.is_busy)
        with open_file(session, 0, model) as file:
            assert file.cams is not None, "scored from the video"
        shutil.rmtree(tmp_path / "library" / "studies" / studies[2].study_id)
        window.features.learning.finetuning.use_new()
        reader.scores_all()
        with open_file(session, 3, model) as file:
            assert file.cams is None
        with open_file(session, 2, model) as file:
            assert file.cams is not None


def test_only_the_open_study_jumps_the_queue(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    with window_on(qtbot, session, None) as window:
        reader = Reader(qtbot, window, tmp_path)
        reader.scores_all()
        reader.opens(0)
        second = reader.updates()
        reader.sees(lambda: not window.jobs.is_busy)
        here, other = (session.library.studies.all()[number] for number in (0, 1))
        assert score_job(session, other, second).kind == "gpu"
        session.files(here).scores_path(second.model_id).unlink()
        assert score_job(session, here, second).kind == "light"
        assert session.current_model is not None
        assert score_job(session, here, session.current_model).config["reuse"] is None
        assert score_job(session, here, session.current_model).kind == "gpu"
        kinds = {preset: finetune_job(session, tmp_path / preset, preset, {}).kind for preset in ("linear", "default")}
        assert kinds == {"linear": "light", "default": "gpu"}


def test_flags_rejected_in_the_window_are_learned_for_their_class_only(
    qtbot: QtBot, session: Session, tmp_path: Path
) -> None:
    with window_on(qtbot, session, None) as window:
        reader = Reader(qtbot, window, tmp_path)
        reader.scores_all()
        reader.opens(2)
        second = reader.updates()
        window.features.learning.finetuning.use_new()
        reader.sees(lambda: not window.jobs.is_busy)
        assert session.reading is not None
        assert finetune_readiness(session).problem
        session.scores.set_threshold(0.3)
        events = [each for each in session.reading.flags.events if each.name == "blood"]
        for event in events:
            window.features.reading.go_to_event(event)
            reader.sees(lambda: window.is_idle and window.features.reading.flags.highlighted == event)  # noqa: B023
            window.menus.run("reject_event")
        negatives = [
            label
            for label in session.library.annotations.answers(session.reading.study.study_id)
            if label.answer == "no"
        ]
        assert {label.name for label in negatives} == {"blood"}
        count = sum(len(label.span) for label in negatives)
        readiness = finetune_readiness(session)
        assert (readiness.problem, dict(readiness.counts), dict(readiness.negatives)) == ("", {}, {"blood": count})
        panel = window.features.learning.finetuning.dialog.panel
        third = reader.updates()
        assert f"not blood {count}" in panel._what.text()
        assert f"Learned from: {count} blood" in reader.log("fine-tuning")
        rows = [read_classifier(ModelFolder.open(model.folder)) for model in (second, third)]
        frames = [frame for label in negatives for frame in range(label.span.start, label.span.stop)]
        with open_file(session, 2, second) as file:
            before, after = (row.scores(file.embeddings[frames])[:, 1] for row in rows)
        assert after.mean() < before.mean()


def test_frames_that_are_not_scored_are_counted_computed_with_progress_and_stopped(
    qtbot: QtBot, session: Session, tmp_path: Path
) -> None:
    with window_on(qtbot, session, None) as window:
        reader = Reader(qtbot, window, tmp_path)
        finetuning, models = window.features.learning.finetuning, session.library.models.all()
        finetuning.finetune()
        panel = finetuning.dialog.panel
        panel._preset.setCurrentIndex(panel._preset.findText("Update the classifier only"))
        reader.sees(lambda: "has not scored" in panel._estimate.text())
        said: list[tuple[int, int, str]] = []

        def stop_at_the_first_batch(job: Job) -> None:
            progress = job.progress
            if progress is not None and progress.what == EMBEDDING:
                said.append((progress.done, progress.total or 0, progress_words(progress)))
                assert panel._stop.toolTip() == "Stops at once; nothing is kept of this job"
                panel._stop.click()

        window.jobs.changed.connect(stop_at_the_first_batch)
        panel._start.click()
        reader.sees(lambda: panel._job is not None and panel._job.has_ended)
        window.jobs.changed.disconnect(stop_at_the_first_batch)
        assert panel._job is not None
        assert panel._job.state == "cancelled"
        assert panel._state.text().startswith("Stopped before there was a new model")
        assert f"has not scored {said[0][1]} of {said[0][1]} frames yet" in reader_text(panel, reader)
        run = session.library.runs.all()[-1]
        assert run.state == "cancelled"
        assert not (run.folder / "model").exists()
        assert not list(run.folder.glob("*.tmp"))
        assert session.library.models.all() == models
        assert panel.can_start

        reader.updates()  # as if nothing had happened
        book = window.session.speeds
        assert book.reading.doubt == MEASURED
        assert book.start.doubt == MEASURED
        assert book.forward("auto", tiny_backbone.TINY.name, 32).doubt == MEASURED
        finetuning.finetune()


def reader_text(panel: FinetunePanel, reader: Reader) -> str:
    """The estimate, once it is there."""
    reader.sees(lambda: "scored" in panel._estimate.text())
    return panel._estimate.text()
