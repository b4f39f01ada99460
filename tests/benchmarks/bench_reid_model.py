"""How well a re-identification model finds lesions again, beside what the window compares without one.

    python -m tests.benchmarks.bench_reid_model train STUDIES/manifest.json --boxes BOXES.csv --out MODEL.safetensors
    python -m tests.benchmarks.bench_reid_model measure STUDIES/manifest.json --boxes BOXES.csv --scores SCORES_DIR
        [--model MODEL.safetensors ...] [--out FIGURES.csv]

`train`: both encoders (EfficientNet-Lite0 from ImageNet weights, crops of 64 px) on tracklets whose findings the boxes
name. Unlike the paper's, a positive pair may take a view of each tracklet of a finding, also of two studies, and other
findings of the same patient are among the negatives.

`measure`: studies with boxes that a model has scored (`score --studies ... --out SCORES_DIR`), such as phantoms with
two passes of each patient. ByteTrack makes tracklets of the boxes. Where boxes name findings, pairs of tracklets of at
least five boxes are compared; elsewhere the first and the last third of each tracklet of nine boxes or more are two
visits of one finding. Within a study, and between the two studies of a patient, by:

* *stored embeddings*: whole frames, as suggested findings compare them (mean, less the study's mean); and with time,
* each model, of `train` or `multi-view.safetensors` of a cell of `reproduce`: single-frame embeddings averaged, and the
  joint embedding, of crops around the boxes,
* ImageNet features of the same crops, their colours, and time alone (between studies: as a share of the study).

AUROC [95 % interval, whole patients drawn], AUPRC, how often the most similar tracklet shows the finding, and AUROC
less that of the stored embeddings. Asserts nothing.
"""

import argparse
import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.datasets.findings import read_boxes
from training.datasets.manifest import load_manifest
from training.embeddings.file import EmbeddingFile
from training.experiments.reproduce.intrator_values import auc_interval, auc_table
from training.metrics.protocol import average_precision
from training.models.backbones import DEFAULT_BACKBONE
from training.reidentification import matching, pseudo_visits, visits
from training.reidentification.byte_track import TrackerSettings
from training.reidentification.config import EncoderConfig, EncoderTraining
from training.reidentification.grouping import TIME_SECONDS, tracklet_embeddings
from training.reidentification.model import JointEmbedding
from training.reidentification.run_settings import ReidConfig
from training.reidentification.tracklets import cut_tracklets
from training.reidentification.views import Crops, JoinedCrops
from training.runs.reporter import SilentReporter

if TYPE_CHECKING:
    from training.reidentification.encoder import SingleFrameEncoder

Vectors = NDArray[np.float32]
STORED = "stored embeddings"
FEWEST, FEWEST_CUT = 5, 9
CONFIG = EncoderConfig(backbone=DEFAULT_BACKBONE)
CROP_PX, CONTEXT, VIEWS, BATCH, STEPS = 64, 1.3, 8, 96, (200, 300)


class Tracklet(NamedTuple):
    """One tracklet: its study and patient, what it shows, and when."""

    study: str
    patient: str
    finding: str
    start: int
    stop: int


def find_visits(manifest: Path, boxes: Path) -> list[visits.Visit]:
    """Tracklets of named findings, else both ends of each tracklet that is long enough."""
    studies, rows, tracker = load_manifest(manifest), read_boxes(boxes), TrackerSettings()
    named = visits.tracked_visits(studies, [], rows, tracker)
    if named:
        return [visit for visit in named if len(visit.boxes) >= FEWEST]
    tracks = pseudo_visits.tracks_in_spans(studies, rows, tracker, FEWEST_CUT)
    return [half for at, track in enumerate(tracks) for half in pseudo_visits.two_visits(track, f"tracklet {at}")]


def stored_vectors(tracklets: list[Tracklet], scores: Path) -> tuple[Vectors, NDArray[np.float64]]:
    """(T, D) from stored embeddings, and (T, 3) the seconds of each tracklet's start and end, and of its study."""
    vectors: dict[int, Vectors] = {}
    times = np.zeros((len(tracklets), 3))
    for study in dict.fromkeys(each.study for each in tracklets):
        rows = [at for at, each in enumerate(tracklets) if each.study == study]
        starts, stops = (np.array([tracklets[at][name] for at in rows]) for name in (3, 4))
        with EmbeddingFile.open(scores / f"{study}.h5") as file:
            vectors |= dict(zip(rows, tracklet_embeddings(file, starts, stops), strict=True))
            seconds = file.video_seconds
        times[rows] = np.stack([seconds[starts], seconds[stops - 1], np.full(len(rows), seconds[-1])], 1)
    return np.stack([vectors[at] for at in range(len(tracklets))]), times


def crops_of(every: list[visits.Visit]) -> Sequence[Crops]:
    """The crops of the budget `small` of `reproduce`."""
    return cut_tracklets(every, side_px=CROP_PX, context=CONTEXT, reporter=SilentReporter()).crops


def imagenet_encoder() -> "SingleFrameEncoder":
    """A single-frame encoder whose trunk has ImageNet weights."""
    from training.models.imagenet import fill_trunk, imagenet_state
    from training.reidentification.encoder import SingleFrameEncoder

    encoder = SingleFrameEncoder(CONFIG)
    cache = ReidConfig.model_fields["weights_cache"].get_default(call_default_factory=True)
    fill_trunk(encoder.trunk, imagenet_state(DEFAULT_BACKBONE, cache), DEFAULT_BACKBONE, "ImageNet")
    return encoder


def train(every: list[visits.Visit], out: Path, seed: int) -> None:
    """Train both encoders on all tracklets of each finding together."""
    import torch

    from training.reidentification.encoder import MultiViewEncoder
    from training.reidentification.training import train_blocks, train_encoder
    from training.runs.checkpoint import state_of, write_tensors

    torch.manual_seed(seed)
    torch.set_num_threads(1)
    parts: dict[tuple[str, str], list[Crops]] = {}
    for visit, crops in zip(every, crops_of(every), strict=True):
        parts.setdefault((visit.study.patient_id, lesion_of(visit)), []).append(crops)
    names, units = [" ".join(finding) for finding in parts], [JoinedCrops(each) for each in parts.values()]
    settings = EncoderTraining(
        procedures=min(BATCH, len(units)),
        frame_steps=STEPS[0],
        tracklet_steps=STEPS[1],
        optimizer="adamw",
        learning_rate=3e-4,
        seed=seed,
    )
    print(f"{len(every)} tracklets, {len(units)} findings, {len({name for name, _ in parts})} patients")
    frames = imagenet_encoder()
    train_encoder(frames, units, names, settings, SilentReporter())
    joint = MultiViewEncoder(frames)
    whole = [unit[np.arange(len(unit))] for unit in units]
    train_blocks(joint, whole, names, settings, SilentReporter())
    write_tensors(out, state_of(joint), {"backbone": DEFAULT_BACKBONE})


def model_vectors(model: Path, crops: Sequence[Crops]) -> dict[str, Vectors]:
    """(T, D) by both encoders of a model."""
    from training.files.tensors import load_tensors
    from training.reidentification.encoder import MultiViewEncoder, SingleFrameEncoder
    from training.reidentification.training import frame_embeddings

    encoder = MultiViewEncoder(SingleFrameEncoder(CONFIG))
    encoder.load_state_dict(load_tensors(model))
    frames = frame_embeddings(encoder.eval().frames, crops)
    joint = JointEmbedding.open(model, CONFIG).of_tracklets(frames, VIEWS)
    name = model.stem
    return {f"{name}, averaging": averaged(frames), f"{name}, joint": _unit(joint)}


def untrained_vectors(crops: Sequence[Crops]) -> dict[str, Vectors]:
    """(T, D) by ImageNet features and by colours of crops."""
    from torch import nn

    from training.reidentification.training import frame_embeddings

    network = imagenet_encoder()
    network.head = nn.Sequential()
    features = frame_embeddings(network.eval(), crops)
    colours = [matching.colour_histograms(each) for each in crops]
    return {"ImageNet Lite0": averaged(features), "colour histogram": averaged(colours)}


def averaged(of_frames: Sequence[NDArray[np.floating]]) -> Vectors:
    """(T, D) the means of unit vectors (n, D)."""
    return np.stack([_unit(_unit(each).mean(0)) for each in of_frames])


def _unit(vectors: NDArray[np.floating]) -> Vectors:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12), np.float32)


def measure(tracklets: list[Tracklet], of_name: dict[str, Vectors], times: NDArray[np.float64]) -> list[list[str]]:
    """A row of figures for each kind of pairs and each comparison."""
    first, second = np.triu_indices(len(tracklets), 1)
    study, patient, finding = (np.array([each[at] for each in tracklets]) for at in range(3))
    apart = np.maximum(times[first, 0] - times[second, 1], times[second, 0] - times[first, 1])
    place = times[:, :2].mean(axis=1) / times[:, 2]
    kinds = {
        "within a study": (study[first] == study[second]) & (apart >= 0),
        "between two studies": (study[first] != study[second]) & (patient[first] == patient[second]),
    }
    rows = []
    for kind, chosen in kinds.items():
        if not chosen.any():
            continue
        one, other = first[chosen], second[chosen]
        is_same, whose = finding[one] == finding[other], patient[one]
        values = {name: np.einsum("ij,ij->i", each[one], each[other]) for name, each in of_name.items()}
        if kind == "within a study":
            values[f"{STORED} and time"] = values[STORED] * np.exp(-apart[chosen] / TIME_SECONDS)
            values["time"] = -apart[chosen]
        else:
            values["time"] = -np.abs(place[one] - place[other])
        procedures = sorted(set(whose.tolist()))
        tables = {
            name: auc_table(is_same, value.astype(np.float64), whose, procedures) for name, value in values.items()
        }
        rows += [
            [
                kind, name, str(len(is_same)), str(int(is_same.sum())), *_texts(auc_interval([table])),
                f"{average_precision(is_same, values[name]):.3f}", f"{is_same.mean():.3f}",
                f"{first_right(one, other, is_same, values[name]):.3f}",
                *(["", "", ""] if name == STORED else _texts(auc_interval([table], [tables[STORED]]))),
            ]
            for name, table in tables.items()
        ]  # fmt: skip
    return rows


def first_right(
    one: NDArray[np.int64], other: NDArray[np.int64], is_same: NDArray[np.bool_], values: NDArray[np.floating]
) -> float:
    """Of the tracklets with another one of their finding, the share whose most similar one shows it."""
    hits = []
    for tracklet in np.union1d(one, other):
        mine = np.flatnonzero((one == tracklet) | (other == tracklet))
        if is_same[mine].any():
            hits.append(is_same[mine[np.argmax(values[mine])]])
    return float(np.mean(hits))


def _texts(interval: tuple[float | None, ...]) -> list[str]:
    return ["" if value is None else f"{value:.3f}" for value in interval]


COLUMNS = (
    "pairs", "compared_by", "count", "same", "auroc", "low", "high", "auprc", "chance", "first_right",
    "more_than_stored", "more_low", "more_high",
)  # fmt: skip


def lesion_of(visit: visits.Visit) -> str:
    """The finding without its study's name: phantoms call a lesion of both passes P01a-L2 and P01b-L2."""
    return visit.finding.removeprefix(visit.study.study_id)


def compare(every: list[visits.Visit], scores: Path, models: list[Path], out: Path | None) -> None:
    """Print and write the figures."""
    tracklets = [
        Tracklet(visit.study.study_id, visit.study.patient_id, lesion_of(visit), visit.start, visit.stop)
        for visit in every
    ]
    stored, times = stored_vectors(tracklets, scores)
    crops = crops_of(every)
    of_name = {STORED: stored, **untrained_vectors(crops)}
    for model in models:
        of_name |= model_vectors(model, crops)
    rows = measure(tracklets, of_name, times)
    print(f"{len(tracklets)} tracklets of {len({each.patient for each in tracklets})} patients")
    for row in [COLUMNS, *rows]:
        print("  ".join(f"{text:>8}" if at > 1 else f"{text:24}" for at, text in enumerate(row)))
    if out:
        with out.open("w", newline="", encoding="utf-8") as stream:
            csv.writer(stream).writerows([COLUMNS, *rows])


def main() -> None:
    """Train, or measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("train", "measure"))
    parser.add_argument("studies", type=Path)
    parser.add_argument("--boxes", type=Path, required=True)
    parser.add_argument("--scores", type=Path)
    parser.add_argument("--model", type=Path, nargs="*", default=[])
    parser.add_argument("--out", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    every = find_visits(asked.studies, asked.boxes)
    if asked.command == "train":
        train(every, asked.out, asked.seed)
    else:
        compare(every, asked.scores, asked.model, asked.out)


if __name__ == "__main__":
    main()
