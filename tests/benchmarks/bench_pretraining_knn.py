"""Does time teach anything? kNN on held-out phantom studies before and after a short time-triplet pretraining.

    python -m tests.benchmarks.bench_pretraining_knn [--steps 300] [--size 64] [--frames 1500] [--seeds 1] [--set k=v]

Of the studies four teach and four judge; neighbours of a frame's own patient have no vote. Balanced accuracy of five
neighbours for two questions that were never asked while training: the region (small bowel or colon), and what the
frame shows (normal, polyp, angiectasia, ulcer, blood). Besides, how often the nearest other frame of all held-out
studies is a near one in time of the same study.
"""

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from training.datasets.frame_store import load_frames
from training.datasets.labelled_frames import LabelledFrames, collect_frames
from training.datasets.labels import LabelRow, read_labels
from training.datasets.manifest import Manifest, load_manifest, save_manifest
from training.datasets.thinning import thin
from training.models.projection_head import Pretrainer
from training.phantom.config import CLASSES
from training.phantom.dataset import write_studies
from training.pretraining.config import pretrain_config
from training.pretraining.knn import embed_frames, knn_accuracy
from training.pretraining.pretrained import Pretrained
from training.pretraining.run import pretrain
from training.runs.reporter import SilentReporter

STUDIES, SEED = 8, 31
POSITIVE_SHARE = 0.1
NEAR_FRAMES = 18
SETTINGS: dict[str, Any] = {"preset": "small", "init": "random", "workers": 1, "checkpoints_kept": 1, "device": "cpu"}


def main() -> None:
    """Print one line a seed and question."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "bench-pretraining-knn")
    parser.add_argument("--frames", type=int, default=1500)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--size", type=int, default=64)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--set", action="append", default=[], metavar="key=value")
    asked = parser.parse_args()
    manifest = write_studies(
        asked.folder,
        studies=STUDIES,
        frames=asked.frames,
        seed=SEED,
        positive_share=POSITIVE_SHARE,
        size_px=128,
        reporter=SilentReporter(),
    )
    everyone = load_manifest(manifest)
    teaching, judging = (Manifest(studies=everyone.studies[part]) for part in (slice(0, 4), slice(4, 8)))
    save_manifest(asked.folder / "teaching.json", teaching)
    own = {key: json.loads(value) if value[:1] in "0123456789[" else value for key, _, value in pairs(asked.set)}
    stores = {name: load_frames(frames, asked.size, 1 << 30, asked.folder / "spill.tmp", SilentReporter(), name)
              for name, frames in questions(judging, asked.folder / "labels.csv", asked.frames).items()}  # fmt: skip
    for seed in range(asked.seeds):
        with tempfile.TemporaryDirectory() as scratch:
            fields = {"steps": asked.steps, "step_every": max(1, round(asked.steps * 4300 / 21_000)), **SETTINGS, **own}
            config = pretrain_config(
                studies=asked.folder / "teaching.json", out=Path(scratch) / "run", input_size=asked.size, seed=seed,
                held_out_patients=tuple(study.patient_id for study in judging.studies), **fields,
            )  # fmt: skip
            pretrain(config, SilentReporter())
            for step in (0, asked.steps):
                told = {name: judged(config.out, step, store, name) for name, store in stores.items()}
                print(f"seed {seed} step {step}: " + ", ".join(f"{name} {value:.3f}" for name, value in told.items()))


def pairs(texts: list[str]) -> list[tuple[str, str, str]]:
    """ "a=b" -> ("a", "=", "b")."""
    return [text.partition("=") for text in texts]


def questions(judging: Manifest, labels: Path, length: int) -> dict[str, LabelledFrames]:
    """Frames to judge by, by question."""
    names = {study.study_id for study in judging.studies}
    counts = dict.fromkeys(names, length)
    shown = [row for row in read_labels(labels) if row.study_id in names]
    inside = [(study.study_id, span) for study in judging.studies for span in study.spans if span.region != "stomach"]
    regions = [
        LabelRow(
            study_id=study, start=span.start, stop=span.stop, label="normal" if "small" in span.region else "colon"
        )
        for study, span in inside
    ]
    every = collect_frames(judging, regions, counts, ("normal", "colon"))
    in_time = every.select(np.flatnonzero(every.frame_index % 6 == 0))
    return {
        "region": thin(every, 150, 1200),
        "finding": thin(collect_frames(judging, shown, counts, CLASSES), 100, 1200),
        "near in time": in_time,
    }


def judged(run: Path, step: int, store: Any, question: str) -> float:
    """The figure of the weights of a step for one question."""
    network = Pretrainer("resnet18")
    network.trunk.load_state_dict(Pretrained.open(run, step).trunk_state())
    frames = store.labelled
    embeddings = embed_frames(network, store.pixels, torch.bfloat16, SilentReporter())
    if question != "near in time":
        return knn_accuracy(embeddings, frames.label, frames.patients, 5)
    return near_in_time(embeddings, frames.study, frames.frame_index)


def near_in_time(embeddings: NDArray[np.float32], study: NDArray[np.int64], frame: NDArray[np.int64]) -> float:
    """Share of frames whose nearest other frame is of the same study and at most `NEAR_FRAMES` away."""
    points = embeddings.astype(np.float64) - embeddings.mean(0, dtype=np.float64)
    squares = (points**2).sum(1)
    distances = squares[:, None] + squares - 2.0 * points @ points.T
    np.fill_diagonal(distances, np.inf)
    nearest = distances.argmin(1)
    return float(((study == study[nearest]) & (np.abs(frame - frame[nearest]) <= NEAR_FRAMES)).mean())


if __name__ == "__main__":
    main()
