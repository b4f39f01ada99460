"""Live scores: from a label to the new track on screen, and their AUC on patients without labels.

    python -m tests.benchmarks.bench_live_scores speed [--labels 30] [--frames 50000]
    python -m tests.benchmarks.bench_live_scores auc IMAGES LABELS_CSV MODEL_DIR... [--draws 10] [--positive bleeding]

`speed`: 1,000 labelled frames of five studies that the model in use has scored, with made-up embeddings of 1,280
numbers; one study of 50,000 frames is open in the real window, without a screen. A frame is labelled, thirty times.
Prints the seconds from the label to the timeline that has painted the new track, and the gaps between ticks of the
window's event loop meanwhile (a timer of 10 ms).

`auc`: scores a folder of labelled images with each model and parts the groups into five at random. For each part it
draws N labels from the other four, classes in equal numbers and at most eight frames of a group and class, fits the
live head as the window does, with groups for patients, and evaluates it on the part. A draw's AUC is the mean over the
parts; prints mean and standard deviation over the draws. Asserts nothing.
"""

import argparse
import csv
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from training.datasets.labelled_frames import LabelledFrames

COUNTS = (40, 80, 160, 320)
PARTS, MOST_OF_A_GROUP = 5, 8
TICK_MILLISECONDS = 10


def measure_speed(folder: Path, frames: int, labels: int) -> None:
    """Label frames in the window, and print how long the track takes."""
    from PySide6.QtWidgets import QApplication

    from tests.benchmarks.bench_event_loop import Ticks
    from tests.benchmarks.bench_linear_stage import Clicking, kinds_of, make_library
    from wce_desktop.shell.main_window import MainWindow

    application = QApplication(sys.argv[:1])
    session = make_library(folder, "efficientnet_lite0", frames)
    window = MainWindow(session)
    window.resize(1280, 800)
    window.show()
    clicking = Clicking(window)
    window.features.studies.open_study(session.library.studies.all()[0])
    clicking.wait(lambda: session.reading is not None and window.is_idle)
    live, lane = window.features.live_scores, window.workspace.timeline.detail
    window.menus.run("live_scores")
    clicking.wait(lambda: not live.is_busy)
    print(live.bar.text.text())
    clicking.wait(lambda: not live._estimator.is_busy)
    print(f"then: {live.bar.text.text()}")
    came: list[float] = []
    session.live_changed.connect(lambda: came.append(perf_counter()))
    reading = session.reading
    assert reading is not None
    chance, seconds = np.random.default_rng(0), []
    ticks = Ticks(TICK_MILLISECONDS)
    for _ in range(labels):
        frame = int(chance.integers(frames))
        while reading.entries.labels.at(frame):
            frame = int(chance.integers(frames))
        window.features.reading.go_to_frame(frame)
        clicking.wait(lambda frame=frame: reading.place.frame_index == frame)  # type: ignore[misc]
        came.clear()
        name = ("normal", "polyp", "blood")[int(kinds_of(np.array([frame]))[0])]
        began = perf_counter()
        window.features.reading.label(name)
        clicking.wait(lambda: bool(came) and not lane._layers["scores"].is_stale)
        seconds.append(perf_counter() - began)
        clicking.wait(lambda: not live.is_busy)
    gaps = ticks.end()
    p50, p95 = np.percentile(seconds, [50, 95])
    print(f"label to track on screen: p50 {p50:.2f} s, p95 {p95:.2f} s, longest {max(seconds):.2f} s ({labels} labels)")
    late = int((gaps > 50).sum())
    print(f"ticks: p99 {np.percentile(gaps, 99):.0f} ms, longest {gaps.max():.0f} ms, {late} of {len(gaps)} over 50 ms")
    window.jobs.shut_down()
    window.close()
    session.library.close()
    del application


def measure_auc(images: Path, labels: Path, model: Path, draws: int, positive: str, folder: Path) -> None:
    """Print a row for each number of labels."""
    from training.finetuning.live_head import PENALTY, estimate_head, fit_head
    from training.inference.score import score_study
    from training.metrics.detector import auc
    from training.models.folder import ModelFolder

    out = folder / f"{model.name}.h5"
    score_study(images, ModelFolder.open(model), out, device="cpu")
    embeddings, label, group = _rows(out, labels, positive)
    groups = np.unique(group)
    for count in COUNTS:
        found, used = [], []
        for draw in range(draws):
            chance, values = np.random.default_rng([count, draw]), []
            for part in np.array_split(chance.permutation(groups), PARTS):
                labelled = ~np.isin(group, part)
                sides = [_capped(np.flatnonzero(labelled & (label == side)), group, chance) for side in (0, 1)]
                chosen = np.concatenate([rows[: count // 2] for rows in sides])
                frames = _frames(label[chosen], group[chosen])
                estimate = estimate_head(frames, embeddings[chosen])
                head = fit_head(frames, embeddings[chosen], estimate.penalty if estimate is not None else PENALTY)
                value = auc(label[~labelled] == 1, head.scores(embeddings[~labelled])[:, 1])
                values += [] if value is None else [value]
                used.append(len(chosen))
            found.append(float(np.mean(values)))
        figures = f"AUC {np.mean(found):.3f} ± {np.std(found, ddof=1):.3f}, worst draw {min(found):.3f}"
        print(f"{model.name:20} {count:4} labels ({np.mean(used):.0f} used): {figures}", flush=True)


def _capped(rows: NDArray[np.int64], group: NDArray[np.str_], chance: np.random.Generator) -> NDArray[np.int64]:
    """The rows in a random order, at most `MOST_OF_A_GROUP` of a group."""
    left, kept = Counter[str](), []
    for row in chance.permutation(rows).tolist():
        left[group[row]] += 1
        if left[group[row]] <= MOST_OF_A_GROUP:
            kept.append(row)
    return np.array(kept, dtype=np.int64)


def _rows(file: Path, labels: Path, positive: str) -> tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.str_]]:
    """Embeddings (M, D), label (M,) and group (M,) of the images, which are scored in the order of their names."""
    from training.embeddings.file import EmbeddingFile

    with labels.open(newline="", encoding="utf-8") as stream:
        rows = sorted(csv.DictReader(stream), key=lambda row: row["filename"])
    with EmbeddingFile.open(file) as stored:
        embeddings = np.array(stored.embeddings, np.float32)
    if len(rows) != len(embeddings):
        sys.exit(f"{len(rows)} labels for {len(embeddings)} images")
    label = np.array([row["label"] == positive for row in rows], dtype=np.int64)
    return embeddings, label, np.array([row["group"] for row in rows])


def _frames(label: NDArray[np.int64], group: NDArray[np.str_]) -> "LabelledFrames":
    from training.datasets.labelled_frames import LabelledFrames
    from training.datasets.manifest import StudyEntry

    names, study = np.unique(group, return_inverse=True)
    studies = tuple(StudyEntry(study_id=name, patient_id=name, path=Path(name)) for name in names.tolist())
    return LabelledFrames(studies, ("normal", "positive"), study, np.arange(len(label)), label)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(dest="part", required=True)
    speed = parts.add_parser("speed")
    speed.add_argument("--labels", type=int, default=30)
    speed.add_argument("--frames", type=int, default=50_000)
    quality = parts.add_parser("auc")
    quality.add_argument("images", type=Path)
    quality.add_argument("csv", type=Path)
    quality.add_argument("models", type=Path, nargs="+")
    quality.add_argument("--draws", type=int, default=10)
    quality.add_argument("--positive", default="bleeding")
    asked = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as place:
        if asked.part == "speed":
            measure_speed(Path(place), asked.frames, asked.labels)
        else:
            for chosen_model in asked.models:
                measure_auc(asked.images, asked.csv, chosen_model, asked.draws, asked.positive, Path(place))


if __name__ == "__main__":
    main()
