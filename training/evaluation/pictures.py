"""Frames that a fold got wrong, and some that it got right, each beside what the model saw in it (Laiz, 3.3.3)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from training.datasets.folds import Fold
from training.datasets.frame_store import FrameStore
from training.errors import UserError
from training.evaluation.evaluation_set import EvaluationSet
from training.evaluation.group_figures import SPECIFICITY
from training.files.json_text import read_json_object
from training.inference import explain_picture, explanation
from training.metrics import detector, protocol
from training.models.network import FrameClassifier, class_activation_maps
from training.runs.folder import write_json

KINDS = ("false positive", "false negative", "true positive")
APART = 25
"""Frames of one study that are shown lie at least so far apart: neighbours are nearly the same picture."""
SIDE_PX = 208


class Shown(NamedTuple):
    """One frame of a page."""

    kind: str
    file: str
    """Picture, relative to the pages' folder."""
    name: str
    """The frame in words."""
    label: str
    explained: str
    """The class whose CAM is drawn: the true one, or for a normal frame the one that it was taken for."""
    has_evidence: bool
    """Whether anything in the frame speaks for that class; nothing is drawn where nothing does."""
    score: float
    """Of "not normal"."""
    threshold: float
    fold: int


def choose(store: FrameStore, rows: NDArray[np.int64], scores: NDArray[np.float32], count: int) -> dict[str, list[int]]:
    """Places within `rows` to show of each kind, the clearest mistakes first, spread over each study.

    Args:
        store: all frames.
        rows: (m,) held-out rows.
        scores: (m, C).
        count: of each kind at most.
    """
    frames, track = store.labelled.select(rows), protocol.any_track(scores)
    normal = frames.label == 0
    if normal.all() or not normal.any():
        return {kind: [] for kind in KINDS}
    flagged = track >= detector.threshold_at(track[normal], SPECIFICITY)
    orders = {
        "false positive": (normal & flagged, -track),
        "false negative": (~normal & ~flagged, track),
        "true positive": (~normal & flagged, -track),
    }
    chosen: dict[str, list[int]] = {kind: [] for kind in orders}
    study, frame = frames.study, frames.frame_index
    for (mask, order), taken in zip(orders.values(), chosen.values(), strict=True):
        places = np.flatnonzero(mask)
        for place in places[np.argsort(order[places], kind="stable")].tolist():
            near = (study[other] == study[place] and abs(int(frame[other] - frame[place])) < APART for other in taken)
            if len(taken) < count and not any(near):
                taken.append(place)
    return chosen


def draw_fold(
    folder: Path,
    fold: Fold,
    network: FrameClassifier,
    data: EvaluationSet,
    store: FrameStore,
    scores: NDArray[np.float32],
    count: int,
) -> None:
    """Write the pictures of one fold and fold-KK.json, which says what they show."""
    rows = fold.held_out
    track = protocol.any_track(scores)
    normal = store.labelled.label[rows] == 0
    threshold = float(detector.threshold_at(track[normal], SPECIFICITY)) if normal.any() else 1.0
    shown: list[dict[str, Any]] = []
    for kind, places in choose(store, rows, scores, count).items():
        for place in places:
            row = int(rows[place])
            label = int(store.labelled.label[row])
            explained = label or 1 + int(scores[place, 1:].argmax())
            file = f"{kind.replace(' ', '-')}-fold-{fold.number:02}-{row}.png"
            name = store.labelled.classes[explained]
            picture, has_evidence = _picture(network, store.pixels[row], data.class_names.get(name, name))
            explain_picture.write_png(folder / file, picture)
            entry = Shown(
                kind,
                file,
                data.name_of(row),
                store.labelled.classes[label],
                name,
                has_evidence,
                float(track[place]),
                threshold,
                fold.number,
            )
            shown.append(entry._asdict())
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / f"fold-{fold.number:02}.json", {"shown": shown})


def _picture(network: FrameClassifier, pixels: NDArray[np.uint8], class_name: str) -> tuple[NDArray[np.uint8], bool]:
    """(SIDE_PX, 2 SIDE_PX, 3): the prepared frame, and the same with the class's CAM over it; whether it has any."""
    import cv2

    size = network.config.input_size
    device = next(network.parameters()).device
    frame = np.asarray(cv2.resize(pixels, (size, size), interpolation=cv2.INTER_AREA), np.uint8)
    was_training = network.training
    network.eval()
    with torch.inference_mode():
        output = network(torch.from_numpy(frame[None]).to(device))
        weight = network.cam_weight[network.config.classes.index(class_name)][None]
        cam = class_activation_maps(output.features, weight)[0, 0].cpu().numpy()
    network.train(was_training)
    side = (SIDE_PX, SIDE_PX)
    large = np.asarray(cv2.resize(pixels, side, interpolation=cv2.INTER_CUBIC), np.uint8)
    smooth = np.asarray(cv2.resize(explanation.normalise_cam(cam), side, interpolation=cv2.INTER_LINEAR), np.float32)
    smooth[large.max(axis=2) < 8] = 0  # nothing is seen outside the field of view
    return np.concatenate([large, explain_picture.overlaid(large, smooth)], axis=1), bool((cam > 0).any())


def read_shown(folder: Path, folds: Sequence[int], count: int) -> dict[str, list[Shown]]:
    """Of every kind the `count` clearest frames over all folds, as far as their pictures are there."""
    result = [entry for fold in folds for entry in _entries(folder / f"fold-{fold:02}.json")]
    pages: dict[str, list[Shown]] = {}
    for kind in KINDS:
        mine = [entry for entry in result if entry.kind == kind and (folder / entry.file).is_file()]
        # How far on the wrong (or right) side of its own fold's threshold.
        mine.sort(key=lambda entry: -abs(entry.score - entry.threshold))
        pages[kind] = mine[:count]
    return pages


def _entries(path: Path) -> list[Shown]:
    """What was drawn of one fold; nothing where the file is missing, damaged, or of another version."""
    try:
        return [Shown(**entry) for entry in read_json_object(path)["shown"]]
    except (UserError, KeyError, TypeError):
        return []
