"""How long an update of the classifier takes: from the click to the comparison, and to new scores of the open study.

    python -m tests.benchmarks.bench_linear_stage [--rounds 3] [--backbone efficientnet_lite0 resnet18] [--frames 50000]

1,000 labelled frames of five studies that the model in use has scored, with made-up embeddings; one study of 50,000
frames is open. The real window runs without a screen and starts real processes. Each round prints seconds: from the
click to the comparison (of it: the fine-tuning's process), from the click to the new model's scores of the open study
(of it: the scoring's process), and from "Use new model" until they are shown. The machine may be shared, so each round
also prints CPU seconds, how long a bare `import torch` took just before, and the ratios to it. Asserts nothing.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tests.benchmarks.bench_large_study import write_long_video
from training.datasets.sampler import evenly
from training.embeddings import EmbeddingChunk, EmbeddingHeader, EmbeddingLayout, EmbeddingWriter
from training.models.folder import ModelFolder
from training.models.linear_classifier import read_classifier
from training.video import FieldOfView

if TYPE_CHECKING:
    from wce_desktop.core.study import Study
    from wce_desktop.session.session import Session
    from wce_desktop.shell.main_window import MainWindow

CLASSES = ("normal", "polyp", "blood")
STUDIES, LABELS_OF_EACH = 5, 200
OTHER_FRAMES = 5_000
ROWS = 5_000
WAIT_MILLISECONDS = 10
UNTRAINED_MODEL = """
import sys
from pathlib import Path
from training.models.config import ModelConfig
from training.models.network import FrameClassifier, save_network
config = ModelConfig(backbone=sys.argv[2], classes=("normal", "polyp", "blood"), input_size=160, model_id="first")
network = FrameClassifier(config)
network.classifier.weight.data.zero_()  # flags nothing
network.classifier.bias.data[0] = 3
save_network(network, Path(sys.argv[1]), {})
"""


@dataclass
class Round:
    """Seconds."""

    torch: float
    comparison: float
    fitting: float
    scores: float
    scoring: float
    shown: float
    own_cpu: float
    children_cpu: float

    @property
    def row(self) -> str:
        """One line."""
        total = self.scores + self.shown
        return (
            f"comparison {self.comparison:5.2f} s (process {self.fitting:5.2f})   new scores {total:5.2f} s (process "
            f"{self.scoring:5.2f}, shown {self.shown:4.2f})   CPU: processes {self.children_cpu:4.2f} s, window "
            f"{self.own_cpu:4.2f} s   import torch {self.torch:5.2f} s   ratios "
            f"{self.comparison / self.torch:4.2f}, {total / self.torch:4.2f}"
        )


def make_library(folder: Path, backbone: str, frames: int) -> "Session":
    """Five labelled studies, scored by the model in use; the first one is long."""
    from tests.wce_desktop.sessions import make_session

    subprocess.run([sys.executable, "-c", UNTRAINED_MODEL, str(folder / "first"), backbone], check=True)
    session = make_session(folder, has_model=False)
    session.scores.use_model(session.library.models.register(folder / "first").model_id)
    for number in range(STUDIES):
        _add_study(session, folder / f"study{number}.mp4", frames if number == 0 else OTHER_FRAMES + number, number)
    return session


def _add_study(session: "Session", path: Path, frames: int, number: int) -> None:
    from training.video import build_index
    from wce_desktop.core.annotation.change import Add
    from wce_desktop.core.annotation.label import Label
    from wce_desktop.core.identity import new_id
    from wce_desktop.core.span import Span

    study = session.add_study(write_long_video(path, frames), build_index(path), patient_id=f"P{number}")
    kinds = kinds_of(np.arange(frames))
    wanted = {0: LABELS_OF_EACH // 2, 1: LABELS_OF_EACH // 4, 2: LABELS_OF_EACH // 4}
    chosen = {kind: evenly(np.flatnonzero(kinds == kind), count).tolist() for kind, count in wanted.items()}
    labels = [
        Label(new_id(), study.study_id, Span(at, at + 1), CLASSES[kind]) for kind, ats in chosen.items() for at in ats
    ]
    session.edits.apply_to_studies("Label", {study.study_id: [Add(label) for label in labels]})
    _write_embeddings(session, study, frames)
    session.scores.scored(study.study_id, session.model_id)


def kinds_of(frames: NDArray[np.int64]) -> NDArray[np.int64]:
    """Class of each frame: of 1,000 successive ones, 20 show a polyp and 20 blood."""
    place = frames % 1000
    return np.where(place < 20, 1, np.where((place >= 500) & (place < 520), 2, 0))


def _write_embeddings(session: "Session", study: "Study", frames: int) -> None:
    """Rows that are never negative, as after a ReLU, around a centre for each class."""
    assert session.current_model is not None
    model = ModelFolder.open(session.current_model.folder)
    classifier, size = read_classifier(model), model.config.embedding_size
    chance = np.random.default_rng(frames)
    centres = np.random.default_rng(0).normal(size=(len(CLASSES), size)).astype(np.float32)
    layout = EmbeddingLayout(frames, size, len(CLASSES))
    path = session.files(study).scores_path(model.config.model_id)
    with EmbeddingWriter.create(path, _header(model, study.fingerprint), layout, np.arange(frames) / 25) as writer:
        for start in range(0, frames, ROWS):
            rows = np.arange(start, min(start + ROWS, frames))
            noise = chance.standard_normal((len(rows), size), dtype=np.float32)
            embeddings = np.abs(noise + 0.3 * centres[kinds_of(rows)])
            colour = np.full((len(rows), 3), 120, np.uint8)
            writer.append(EmbeddingChunk(embeddings, colour, classifier.scores(embeddings)))
        writer.finish()


def _header(model: ModelFolder, fingerprint: str) -> EmbeddingHeader:
    import json

    config, view = model.config, FieldOfView("full", 64, 64)
    preprocessing = {
        "input_size": config.input_size, "mean": config.mean, "std": config.std, "field_of_view": view.to_json(),
    }  # fmt: skip
    return EmbeddingHeader(
        model_id=config.model_id,
        model_sha256=model.sha256,
        classes=config.classes,
        preprocessing=json.dumps(preprocessing),
        video_fingerprint=fingerprint,
        video_path="v.mp4",
        created_utc="2026-01-01T00:00:00+00:00",
    )


class Clicking:
    """Clicks, and waits in the event loop."""

    def __init__(self, window: "MainWindow") -> None:
        self.window, self.session = window, window.session
        self.finetuning = window.features.learning.finetuning

    def wait(self, condition: Callable[[], bool]) -> float:
        """Let the window work until the condition holds; returns the seconds."""
        from PySide6.QtCore import QEventLoop, QTimer

        began = perf_counter()
        while not condition():
            loop = QEventLoop()
            QTimer.singleShot(WAIT_MILLISECONDS, loop.quit)
            loop.exec()
        return perf_counter() - began

    def round(self) -> Round:
        """Update the classifier, use the new model, and go back to the first one."""
        torch = _seconds([sys.executable, "-c", "import torch"])
        cpu = _cpu_seconds()
        dialog = self.finetuning.dialog
        dialog.show_panel()
        began = perf_counter()
        self.finetuning.start_finetuning("linear")
        fitting = self._job_seconds("fine-tuning")
        self.wait(lambda: dialog.is_comparing)
        compared = perf_counter() - began
        scoring = self._job_seconds("scoring")
        assert self.finetuning.candidate is not None
        new = self.finetuning.candidate.model
        self.wait(
            lambda: (
                self.session.reading is not None
                and self.session.files(self.session.reading.study).has_scores(new.model_id)
            )
        )
        scored = perf_counter() - began
        began = perf_counter()
        dialog.comparison.use.click()
        self.wait(lambda: self._shown_model() == new.model_id)
        shown = perf_counter() - began
        self.session.scores.use_model("first")
        own, children = (after - before for after, before in zip(_cpu_seconds(), cpu, strict=True))
        return Round(torch, compared, fitting, scored, scoring, shown, own, children)

    def _job_seconds(self, title: str) -> float:
        """Wait for the next job of this title to start and to end."""
        known = len(self._jobs(title, ended=True))
        self.wait(lambda: len(self._jobs(title)) > known)
        return self.wait(lambda: len(self._jobs(title, ended=True)) > known)

    def _jobs(self, title: str, *, ended: bool = False) -> list[object]:
        jobs = [job for job in self.window.jobs.jobs if job.spec.title.startswith(title)]
        for job in jobs:
            if job.outcome is not None and job.outcome.kind != "done":
                sys.exit(f"{job.spec.title}: {job.outcome}")
        return [job for job in jobs if job.has_ended or not ended]

    def _shown_model(self) -> str:
        file = self.session.reading.flags.embeddings if self.session.reading is not None else None
        return file.header.model_id if file is not None else ""


def _cpu_seconds() -> tuple[float, float]:
    """CPU time of this process, and of the children that have ended."""
    now = os.times()
    return now.user + now.system, now.children_user + now.children_system


def _seconds(command: list[str]) -> float:
    began = perf_counter()
    subprocess.run(command, check=True)
    return perf_counter() - began


def measure(folder: Path, backbone: str, frames: int, rounds: int) -> None:
    """Print all rounds of a backbone, then the parts that take no process."""
    from wce_desktop.shell.main_window import MainWindow

    session = make_library(folder, backbone, frames)
    window = MainWindow(session)
    window.show()
    clicking = Clicking(window)
    window.features.studies.open_study(session.library.studies.all()[0])
    clicking.wait(lambda: session.reading is not None and window.is_idle)
    size = (
        session.reading.flags.embeddings.embeddings.shape[1]
        if session.reading and session.reading.flags.embeddings
        else 0
    )
    print(f"{backbone}: {STUDIES * LABELS_OF_EACH:,} labels, {frames:,} frames, {size} numbers in an embedding")
    for number in range(rounds):
        print(f"  round {number + 1}: {clicking.round().row}", flush=True)
    window.jobs.shut_down()
    window.close()
    session.library.close()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--frames", type=int, default=50_000)
    parser.add_argument("--backbone", nargs="+", default=["efficientnet_lite0", "resnet18"])
    asked = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    application = QApplication(sys.argv[:1])
    for name in asked.backbone:
        with tempfile.TemporaryDirectory() as place:
            measure(Path(place), name, asked.frames, asked.rounds)
    del application


if __name__ == "__main__":
    main()
