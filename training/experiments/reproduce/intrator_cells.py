"""The trainings of Intrator et al. 2023, and what needs none; each is computed once and kept."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.datasets.manifest import load_manifest
from training.experiments.reproduce import intrator_rows, kept_frames, phantom_setting
from training.files.json_text import read_json_object
from training.models.backbones import BACKBONES, DEFAULT_BACKBONE
from training.phantom import dataset, record
from training.reidentification import config, matching, views
from training.reidentification.config import kept_for_training
from training.reidentification.tracklets import Tracklets, read_tracklets

POSITIVE_PITS = "tubular"
"""Stands for the paper's adenomas."""
MOST_SHOWN = 60
"""Frames of a tracklet whose cosines are kept for a picture."""
UNTRAINED = "intrator-untrained"


@dataclass(frozen=True)
class IntratorSetting(phantom_setting.PhantomSetting[intrator_rows.IntratorBudget]):
    """The tracklets of the phantom."""

    def compared(self, cell: phantom_setting.Cell) -> phantom_setting.Cell:
        """A cell with the pairs that are compared: all of them."""
        return cell

    @property
    def whose_boxes(self) -> str:
        """The boxes that stand for the detector's, in a sentence."""
        return "the phantom's"

    @property
    def notes(self) -> list[str]:
        """Sentences on the data, under the table."""
        fewest = self.budget.evaluated.fewest_detections
        return [
            f"Tracklets of at least {fewest} detections are evaluated (the paper names none).",
            "The phantom's polyps stand for those of the paper's colonoscopies, those with tubular pits for adenomas.",
        ]

    @property
    def has_classes(self) -> bool:
        """Whether the table compares adenomas with other findings."""
        return intrator_rows.INTRATOR_TABLES[self.config.table].kind in ("classes", "votes")

    @property
    def parts(self) -> list[tuple[Tracklets, NDArray[np.int64]]]:
        """Tracklets that train together, and the evaluated ones (rows) that their encoders embed."""
        return [(self.kept, np.arange(len(self.evaluated), dtype=np.int64))]

    @cached_property
    def pairs(self) -> NDArray[np.int64]:
        """(P, 2) evaluated tracklets of each evaluated pair."""
        return matching.separate_pairs(self.evaluated.table)

    @cached_property
    def evaluated(self) -> Tracklets:
        """The tracklets of the other patients, as far as they are evaluated."""
        every = self._read(self.phantom.manifest)
        return every.of(kept_for_training(every.table, self.budget.evaluated))

    @cached_property
    def kept(self) -> Tracklets:
        """The tracklets that train."""
        every = self._read(self.phantom.outside)
        return every.of(kept_for_training(every.table, self.budget.kept))

    def is_positive(self, tracklets: Tracklets) -> NDArray[np.bool_]:
        """(T,) whether the finding of each tracklet has tubular pits; read from the truth beside the videos."""
        manifests = self.phantom.manifest, self.phantom.outside
        entries = {study.study_id: study for each in manifests for study in load_manifest(each).studies}
        pits: dict[str, str] = {}
        for study in np.unique(tracklets.table.procedures):
            truth = read_json_object(record.truth_path(entries[str(study)].path))
            pits |= {dataset.finding_id(truth, lesion["lesion_id"]): lesion["pits"] for lesion in truth["lesions"]}
        return np.array([pits[str(finding)] == POSITIVE_PITS for finding in tracklets.findings], np.bool_)

    @cached_property
    def starts_from_imagenet(self) -> bool:
        """Whether the encoders' trunk has ImageNet weights that are at hand, or that may be downloaded."""
        return self.has_imagenet(self.budget.backbone)

    def _read(self, manifest: Path) -> Tracklets:
        labels, boxes = manifest.with_name("labels.csv"), manifest.with_name("boxes.csv")
        return read_tracklets(
            manifest,
            labels,
            boxes,
            side_px=self.budget.crop_px,
            context=self.budget.context,
            reporter=self.reporter,
            tracker=self.budget.tracker,
        )


def untrained_cell(setting: IntratorSetting) -> phantom_setting.Cell:
    """The evaluated pairs with their truth, and the similarities that need no training; kept with some crops."""
    return setting.cells.cell(UNTRAINED, _untrained_decides(setting), lambda place: _untrained(setting, place))


def shown_folder(setting: IntratorSetting) -> Path:
    """Where the untrained cell keeps the crops that a page shows."""
    return setting.cells.place(UNTRAINED, _untrained_decides(setting))


def _untrained_decides(setting: IntratorSetting) -> dict[str, Any]:
    return _decides(setting) | _classes(setting) | {"lite0": setting.has_weights(DEFAULT_BACKBONE)}


def _untrained(setting: IntratorSetting, place: Path) -> phantom_setting.Cell:
    from training.optimisation.pace import threads_for_training
    from training.reidentification.training import frame_embeddings

    evaluated, pairs = setting.evaluated, setting.pairs
    similarities = {
        intrator_rows.HISTOGRAM: matching.pair_similarities(
            [matching.colour_histograms(each) for each in evaluated.crops], pairs, "averaging"
        ),
        intrator_rows.REDNESS: matching.redness_similarities(evaluated.crops, pairs),
    }
    if setting.has_weights(DEFAULT_BACKBONE):
        with threads_for_training(setting.config.threads):
            features = frame_embeddings(setting.imagenet_network, evaluated.crops)
        similarities[intrator_rows.LITE0] = matching.pair_similarities(features, pairs, "averaging")
    kept = setting.kept
    return {
        "procedures": evaluated.table.procedures.tolist(),
        "findings": evaluated.findings.tolist(),
        "is_positive": setting.is_positive(evaluated).tolist(),
        "starts": evaluated.table.starts.tolist(),
        "stops": evaluated.table.stops.tolist(),
        "pairs": pairs.tolist(),
        "is_same": matching.is_same_finding(evaluated.table, evaluated.findings, pairs).tolist(),
        "similarities": _as_lists(similarities),
        "shown": kept_frames.keep_crops(evaluated, place),
        "training": {
            "tracklets": len(kept),
            "procedures": len(np.unique(kept.table.procedures)),
            "frames": sum(len(each) for each in kept.crops),
        },
    }


def trained_cell(setting: IntratorSetting, seed: int) -> phantom_setting.Cell:
    """The similarities by both encoders, trained with one seed; kept with their weights (safetensors)."""
    encoders = setting.budget.encoders.model_copy(update={"seed": seed})
    decides = _decides(setting) | {
        "backbone": setting.budget.backbone,
        "encoders": encoders.model_dump(),
        "end_to_end": setting.budget.end_to_end,
        "compared_views": setting.budget.compared_views,
        "start": "imagenet" if setting.starts_from_imagenet else "random",
    }

    def compute(place: Path) -> phantom_setting.Cell:
        embeddings, vectors = _every_embedding(setting, encoders, place)
        pairs = setting.pairs
        similarities: dict[str, NDArray[np.float64]] = {
            name: matching.pair_similarities(vectors if name == "joint" else embeddings, pairs, name)
            for name in matching.TECHNIQUES
        }
        longest = max(embeddings, key=len)
        inside = matching.frame_cosines(longest[views.spread_views(len(longest), MOST_SHOWN)]).round(4).tolist()
        steps = [encoders.frame_steps, encoders.tracklet_steps]
        return {"seed": seed, "steps": steps, "similarities": _as_lists(similarities), "inside": inside}

    return setting.cells.cell("intrator", decides, compute)


Embeddings = list[NDArray[np.float32]]


def _every_embedding(
    setting: IntratorSetting, settings: config.EncoderTraining, folder: Path
) -> tuple[Embeddings, Embeddings]:
    """What `_trained_encoders` says of all evaluated tracklets, each by the encoders of its part."""
    embeddings: dict[int, NDArray[np.float32]] = {}
    vectors: dict[int, NDArray[np.float32]] = {}
    for place, kept, rows, crops in _each_part(setting, folder):
        for result, values in zip((embeddings, vectors), _trained_encoders(setting, settings, place, kept, crops), strict=True):  # noqa: E501  # fmt: skip
            result |= dict(zip(rows, values, strict=True))
    return [embeddings[row] for row in sorted(embeddings)], [vectors[row] for row in sorted(vectors)]


def _each_part(
    setting: IntratorSetting, folder: Path
) -> Iterator[tuple[Path, Tracklets, list[int], list[views.Crops]]]:
    """Of each part its folder, the tracklets that train, and the evaluated ones: their rows and crops."""
    parts = setting.parts
    for number, (kept, rows) in enumerate(parts):
        place = folder if len(parts) == 1 else folder / f"part-{number + 1}"
        yield place, kept, rows.tolist(), [setting.evaluated.crops[row] for row in rows]


def _trained_encoders(
    setting: IntratorSetting,
    settings: config.EncoderTraining,
    folder: Path,
    kept: Tracklets,
    evaluated: Sequence[views.Crops],
) -> tuple[Embeddings, Embeddings]:
    """The evaluated tracklets' frames by the single-frame encoder, and the tracklets by the multi-view encoder.

    Both are trained now on the tracklets `kept`, and their weights are kept in the folder.
    """
    from training.reidentification.config import EncoderConfig
    from training.reidentification.encoder import MultiViewEncoder, SingleFrameEncoder
    from training.reidentification.training import (
        frame_embeddings,
        tracklet_vectors,
        train_blocks,
        train_encoder,
    )
    from training.runs.checkpoint import state_of, write_tensors

    budget, reporter, crops = setting.budget, setting.reporter, kept.crops
    procedures, header = kept.table.procedures.tolist(), {"backbone": budget.backbone}
    with setting.seeded(settings.seed, setting.config.threads, folder) as device:
        frames = SingleFrameEncoder(EncoderConfig(backbone=budget.backbone))
        if setting.starts_from_imagenet:
            setting.fill_from_imagenet(frames.trunk, budget.backbone)
        train_encoder(frames.to(device), crops, procedures, settings, reporter)
        write_tensors(folder / "single-frame.safetensors", state_of(frames), header)
        embeddings = frame_embeddings(frames, evaluated)
        joint = MultiViewEncoder(frames).to(device)
        train = train_encoder if budget.end_to_end else train_blocks
        train(joint, crops, procedures, settings, reporter)
        write_tensors(folder / "multi-view.safetensors", state_of(joint), header)
        return embeddings, tracklet_vectors(joint, evaluated, budget.compared_views)


def classifier_cell(setting: IntratorSetting, seed: int) -> phantom_setting.Cell:
    """The scores of the evaluated tracklets' frames by a classifier of single frames, trained with one seed; kept."""
    settings = setting.budget.classifier.model_copy(update={"seed": seed})
    # The encoders' own trunk where it is small.
    backbone = setting.budget.backbone if setting.budget.backbone in BACKBONES else DEFAULT_BACKBONE
    has_imagenet = setting.has_imagenet(backbone)
    start = "imagenet" if has_imagenet else "random"
    decides = _decides(setting) | _classes(setting)
    decides |= {"classifier": settings.model_dump(), "backbone": backbone, "start": start}

    def compute(folder: Path) -> phantom_setting.Cell:
        from training.reidentification.frame_classifier import FrameClassifier, frame_scores, train_classifier
        from training.runs.checkpoint import state_of, write_tensors

        scores: dict[int, list[float]] = {}
        for place, kept, rows, crops in _each_part(setting, folder):
            with setting.seeded(seed, setting.config.threads, place) as device:
                network = FrameClassifier(backbone, settings.hidden)
                if has_imagenet:
                    setting.fill_from_imagenet(network.trunk, backbone)
                is_positive = setting.is_positive(kept)
                train_classifier(network.to(device), kept.crops, is_positive, settings, setting.reporter)
                write_tensors(place / "classifier.safetensors", state_of(network), {"backbone": backbone})
                for row, each in zip(rows, frame_scores(network, crops), strict=True):
                    scores[row] = [round(float(score), 5) for score in each]
        return {"seed": seed, "scores": [scores[row] for row in sorted(scores)]}

    return setting.cells.cell("intrator-classifier", decides, compute)


def _classes(setting: IntratorSetting) -> dict[str, Any]:
    """The classes that Tables 3 and 4 are about, where a person named them."""
    return {"classes": list(setting.config.classes)} if setting.config.classes else {}


def _decides(setting: IntratorSetting) -> dict[str, Any]:
    """What decides the evaluated pairs and the tracklets that train."""
    budget = setting.budget
    cut = {"crop_px": budget.crop_px, "context": budget.context, "tracker": budget.tracker.model_dump()}
    cut |= {"kept": budget.kept.model_dump(), "evaluated": budget.evaluated.model_dump()}
    return {**cut, "data": setting.key, "protocol": intrator_rows.PROTOCOL}


def _as_lists(similarities: Mapping[str, NDArray[np.float64]]) -> dict[str, list[float]]:
    return {name: values.tolist() for name, values in similarities.items()}
