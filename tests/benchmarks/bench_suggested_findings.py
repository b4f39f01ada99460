"""Suggested findings: how long grouping takes, and how well it does on studies whose truth is known.

    python -m tests.benchmarks.bench_suggested_findings speed [--events 2000] [--frames 50000]
    python -m tests.benchmarks.bench_suggested_findings quality PHANTOM_DIR [--model DIR] [--threshold 0.5 0.2]

`speed`: a study with made-up embeddings of 1,280 numbers is open in the real window, without a screen. Its threshold
changes ten times; prints the seconds until the list shows suggested findings, and the gaps between ticks of the event
loop (a timer of 10 ms).

`quality`: scores the studies of a phantom with the model, and compares the groups of its events with the lesions that
they show. Pairs of events of one class: AUC of what decides (likeness and time), of likeness alone and of time alone;
share of the pairs of one lesion that are nearer than 95 % of the others. Groups: entries of the list before and after,
fragments of a lesion, and groups that hold two lesions. Asserts nothing.
"""

import argparse
import csv
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SIZE, ROUNDS = 1280, 10
STARTER = Path("resources/models/starter")


def measure_speed(folder: Path, events: int, frames: int) -> None:
    """Change the threshold of a study with many events in the window."""
    from PySide6.QtWidgets import QApplication

    from tests.benchmarks.bench_event_loop import Ticks
    from tests.benchmarks.bench_large_study import write_long_video
    from tests.benchmarks.bench_linear_stage import Clicking
    from tests.wce_desktop.features.live_scores.embedded import write_embeddings
    from tests.wce_desktop.sessions import make_session
    from training.models.folder import ModelFolder
    from training.video import build_index
    from wce_desktop.shell.main_window import MainWindow

    application = QApplication(sys.argv[:1])
    session = make_session(folder)
    video = write_long_video(folder / "study.mp4", frames)
    study = session.add_study(video, build_index(video))
    assert session.current_model is not None
    random = np.random.default_rng(0)
    scores = np.zeros((frames, 3), np.float32)
    scores[:: frames // events, 1] = random.uniform(0.6, 1.0, len(scores[:: frames // events]))
    points = random.normal(size=(frames, SIZE)).astype(np.float32)
    path = session.files(study).scores_path(session.model_id)
    write_embeddings(path, ModelFolder.open(session.current_model.folder), study.fingerprint, points, scores)
    session.scores.scored(study.study_id, session.model_id)
    window = MainWindow(session)
    window.resize(1280, 800)
    window.show()
    clicking = Clicking(window)
    window.features.studies.open_study(session.library.studies.get(study.study_id))
    clicking.wait(lambda: session.reading is not None and window.is_idle)
    reading = session.reading
    assert reading is not None
    seconds, ticks = [], Ticks(10)
    for at in range(ROUNDS):
        began = perf_counter()
        session.scores.set_threshold(0.5 + 0.005 * (at % 2))
        clicking.wait(lambda: reading.flags.suggested is not None)
        seconds.append(perf_counter() - began)
    gaps = ticks.end()
    assert reading.flags.suggested is not None
    events, suggested = len(reading.flags.events), len(reading.flags.suggested)
    print(f"{events:,} events, {suggested:,} suggested findings, {frames:,} frames x {SIZE}")
    print(f"threshold to list: p50 {np.median(seconds):.2f} s, longest {max(seconds):.2f} s ({ROUNDS} times)")
    late = int((gaps > 50).sum())
    print(f"ticks: p99 {np.percentile(gaps, 99):.0f} ms, longest {gaps.max():.0f} ms, {late} of {len(gaps)} over 50 ms")
    window.jobs.shut_down()
    window.close()
    session.library.close()
    del application


class Pairs(NamedTuple):
    """Pairs of events of one class: likeness, seconds between them, what decides, and whether they show one lesion."""

    likeness: NDArray[np.float64]
    seconds: NDArray[np.float64]
    distance: NDArray[np.float64]
    is_same: NDArray[np.bool_]


def measure_quality(phantom: Path, model: Path, thresholds: list[float]) -> None:
    """Score, group, compare."""
    from training.inference.score import score_study
    from training.models.folder import ModelFolder

    with tempfile.TemporaryDirectory(prefix="bench-suggested-") as folder:
        files = {}
        for video in sorted((phantom / "videos").glob("*.mp4")):
            files[video.stem] = Path(folder) / f"{video.stem}.h5"
            score_study(video, ModelFolder.open(model), files[video.stem], device="cpu")
        for threshold in thresholds:
            found = [study_pairs(file, lesions_of(phantom, name), name, threshold) for name, file in files.items()]
            report(Pairs(*(np.concatenate(parts) for parts in zip(*found, strict=True))), threshold)


def report(pairs: Pairs, threshold: float) -> None:
    """Print how well each tells pairs of one lesion from others."""
    from training.metrics.detector import auc

    print(f"threshold {threshold}: {len(pairs.is_same):,} pairs, {int(pairs.is_same.sum())} of one lesion")
    for name, values in (
        ("likeness and time", -pairs.distance),
        ("likeness", pairs.likeness),
        ("time", -pairs.seconds),
    ):
        limit = np.percentile(values[~pairs.is_same], 95)
        recall = float((values[pairs.is_same] > limit).mean())
        print(f"  {name:18} AUC {auc(pairs.is_same, values):.3f}, {recall:.2f} found at 5 % false positives")


def study_pairs(file: Path, lesions: NDArray[np.int64], name: str, threshold: float) -> Pairs:
    """The pairs of one study; prints its groups."""
    from training.embeddings.file import EmbeddingFile
    from training.metrics.events import MAX_GAP_FRAMES
    from training.reidentification.grouping import Tracklets, distances_with_time, group_tracklets, tracklet_embeddings
    from wce_desktop.core.event import EventList, find_events

    with EmbeddingFile.open(file) as stored:
        scores = stored.scores
        assert scores is not None
        names = stored.header.classes
        events = EventList(
            find_events(scores[:, at], threshold, name, max_gap=MAX_GAP_FRAMES)
            for at, name in enumerate(names)
            if name != "normal"
        )
        tracklets = Tracklets(events.starts, events.stops, events.classes, events.peak_scores)
        groups = group_tracklets(stored, stored.video_seconds, tracklets)
        embeddings = tracklet_embeddings(stored, events.starts, events.stops)
        starts, stops = stored.video_seconds[events.starts], stored.video_seconds[events.stops - 1]
    shown = np.array([_lesion(lesions[start:stop]) for start, stop in zip(events.starts, events.stops, strict=True)])
    _print_groups(name, threshold, shown, groups)
    first, second = np.triu_indices(len(events), 1)
    of_one_class = events.classes[first] == events.classes[second]
    first, second = first[of_one_class], second[of_one_class]
    likeness = np.einsum("ij,ij->i", embeddings[first], embeddings[second]).astype(np.float64)
    seconds = np.maximum(0.0, np.maximum(starts[second] - stops[first], starts[first] - stops[second]))
    distance = distances_with_time(embeddings, starts, stops)[first, second].astype(np.float64)
    return Pairs(likeness, seconds, distance, (shown[first] >= 0) & (shown[first] == shown[second]))


def _print_groups(name: str, threshold: float, shown: NDArray[np.int64], groups: NDArray[np.int64]) -> None:
    found = sorted(set(shown.tolist()) - {-1})
    before = [int((shown == lesion).sum()) for lesion in found]
    after = [len(set(groups[shown == lesion].tolist())) for lesion in found]
    mixed = sum(len(set(shown[groups == group].tolist()) - {-1}) > 1 for group in set(groups.tolist()))
    print(
        f"{name} at {threshold}: {len(shown)} events -> {len(set(groups.tolist()))} entries; fragments of a lesion "
        f"{np.mean(before):.2f} -> {np.mean(after):.2f} ({len(found)} lesions); {mixed} groups with two lesions"
    )


def _lesion(frames: NDArray[np.int64]) -> int:
    """The lesion that most frames of an event show, or -1."""
    there = frames[frames >= 0]
    return Counter(there.tolist()).most_common(1)[0][0] if there.size else -1


def lesions_of(phantom: Path, study_id: str) -> NDArray[np.int64]:
    """(N,) the lesion that each frame of a study shows, or -1."""
    with (phantom / "labels.csv").open(newline="", encoding="utf-8") as stream:
        rows = [row for row in csv.DictReader(stream) if row["study_id"] == study_id]
    shown = np.full(max(int(row["stop"]) for row in rows), -1, np.int64)
    numbers: dict[str, int] = {}
    for row in rows:
        if row["finding_id"]:
            number = numbers.setdefault(row["finding_id"], len(numbers))
            shown[int(row["start"]) : int(row["stop"])] = number
    return shown


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    speed = commands.add_parser("speed")
    speed.add_argument("--events", type=int, default=2000)
    speed.add_argument("--frames", type=int, default=50_000)
    quality = commands.add_parser("quality")
    quality.add_argument("phantom", type=Path)
    quality.add_argument("--model", type=Path, default=STARTER)
    quality.add_argument("--threshold", type=float, nargs="+", default=[0.5, 0.2])
    asked = parser.parse_args()
    if asked.command == "quality":
        measure_quality(asked.phantom, asked.model, asked.threshold)
        return
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory(prefix="bench-suggested-") as folder:
        measure_speed(Path(folder), asked.events, asked.frames)


if __name__ == "__main__":
    main()
