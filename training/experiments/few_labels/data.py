"""Labelled frames as fine-tuning reads them (manifest and labels) and as pixels; draws of them; their pretrainings.

Rows such as simclr:tl-ba start from a pretraining: one for each split, without its held-out patients.
"""

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.datasets import folds, frame_store, image_set, labelled_frames
from training.datasets.labels import LabelRow, write_labels
from training.datasets.manifest import save_manifest
from training.errors import UserError
from training.evaluation.evaluate_config import EvaluateConfig, evaluate_config
from training.evaluation.evaluation_set import EvaluationSet, evaluation_set
from training.evaluation.fold_run import fold_pretraining, pretraining_manifest
from training.experiments.engine import Cells
from training.experiments.few_labels.config import ALL, FewLabelsConfig
from training.pretraining.config import PretrainConfig
from training.runs.reporter import Cancelled, Reporter


@dataclass
class LabelledSet:
    """M labelled frames."""

    frames: EvaluationSet
    config: EvaluateConfig
    folder: Path
    """For the files that fine-tuning reads."""
    reporter: Reporter
    _stores: dict[int, frame_store.FrameStore] = field(default_factory=dict)

    @property
    def manifest(self) -> Path:
        """The manifest of the studies; of images one with a folder for each group."""
        return self.config.studies or self._as_studies[0]

    @cached_property
    def _as_studies(self) -> tuple[Path, list[tuple[str, int]]]:
        """The manifest of images, written on first use, and study and frame of each row."""
        assert self.config.images is not None
        files = [self.config.images / name for name in self.frames.filenames]
        self.folder.mkdir(parents=True, exist_ok=True)
        manifest, places = image_set.as_studies(self.frames.labelled, files, self.folder / "images")
        save_manifest(self.folder / "manifest.json", manifest)
        return self.folder / "manifest.json", places

    def write_labels(self, rows: NDArray[np.int64], path: Path) -> None:
        """Write the labels of some rows, for the manifest."""
        labelled, places = self.frames.labelled, self._places()
        names = [labelled.classes[label] for label in labelled.label.tolist()]
        chosen = [(*places[row], names[row]) for row in rows.tolist()]
        write_labels(path, [LabelRow(study_id=s, start=at, stop=at + 1, label=name) for s, at, name in chosen])

    def store(self, size: int) -> frame_store.FrameStore:
        """All frames at a size in px; raises `UserError` if some cannot be read."""
        if size not in self._stores:
            self.folder.mkdir(parents=True, exist_ok=True)
            spill = self.folder / f"frames-{size}.tmp"
            store = self._stores[size] = self.frames.load(self.frames.labelled, size, spill, self.reporter)
            if missing := len(self.frames.labelled) - len(store.labelled):
                raise UserError(f"{missing} labelled frames cannot be read.", "Remove their labels, or the files.")
        return self._stores[size]

    def _places(self) -> list[tuple[str, int]]:
        """Study and frame of each row in the manifest."""
        labelled = self.frames.labelled
        if self.config.studies is not None:
            names = [labelled.studies[study].study_id for study in labelled.study.tolist()]
            return list(zip(names, labelled.frame_index.tolist(), strict=True))
        return self._as_studies[1]


def read_set(config: FewLabelsConfig, reporter: Reporter, name: str, labels: Path, images: Path | None) -> LabelledSet:
    """The frames to train on, or to evaluate on, if they are given apart; without a folder of images those of the
    studies.

    Fine-tuning reads the files in the folder `name` below the report's.
    """
    asked = evaluate_config(
        studies=None if images else config.studies,
        images=images,
        labels=labels,
        by=config.by if images else "group",
        out=config.out,
        normal_label=config.normal_label,
        memory_mib=config.memory_mib,
    )
    return LabelledSet(evaluation_set(asked, reporter), asked, config.out / name, reporter)


def draw_labels(
    frames: labelled_frames.LabelledFrames,
    rows: NDArray[np.int64],
    count: int,
    most_of_group: int,
    seed: int,
    *,
    of_findings: bool = False,
) -> NDArray[np.int64]:
    """Some of the rows, ascending, with the classes in equal numbers as far as they reach (ours).

    Frames of a class are taken in a random order, and of a group at most `most_of_group`, until the class has its part
    of `count`. A class with fewer such frames gives all of them, so a draw can be smaller. `ALL` returns `rows`;
    `of_findings` draws among frames with a finding, and takes all normal ones.
    """
    if count == ALL:
        return rows
    rng, first = np.random.default_rng([seed, 41]), int(of_findings)
    drawn: list[int] = rows[frames.label[rows] < first].tolist()
    classes = len(frames.classes) - first
    for label in range(first, len(frames.classes)):
        most, of_group = count // classes + (label - first < count % classes), Counter[str]()
        for row in rng.permutation(rows[frames.label[rows] == label]).tolist():
            group = str(frames.patients[row])
            if of_group.total() < most and of_group[group] < most_of_group:
                of_group[group] += 1
                drawn.append(row)
    return np.sort(np.array(drawn, dtype=np.int64))


PLACES = {"studies", "images", "labels", "label_studies", "out", "weights_cache", "resume", "device", "threads"}
"""Settings that change no weight."""


def split_pretraining(config: FewLabelsConfig, method: str, fold: folds.Fold, seed: int) -> PretrainConfig:
    """The settings of a split's pretraining; its folder's name says what decides it.

    Splits whose held-out patients have no study among those to pretrain on share one.

    Raises:
        UserError: nobody is left to pretrain on, unusable files or settings.
    """
    asked = evaluate_config(
        **({"images": config.images} if config.images else {"studies": config.studies}),
        labels=config.labels,
        by=config.by,
        out=config.out,
        normal_label=config.normal_label,
        pretrain=method,
        pretrain_settings={"threads": config.threads, **config.pretrain_settings.get(method, {})},
        pretrain_studies=config.pretrain_studies,
        pretrain_video=config.pretrain_video,
        device=config.device,
    )
    manifest, place = pretraining_manifest(asked), config.out / "pretrainings"
    there = {study.patient_id for study in manifest.studies}
    fold = replace(fold, held_out_patients=tuple(name for name in fold.held_out_patients if name in there))
    result = fold_pretraining(asked, fold, manifest, place / f"{method}-split-{fold.number + 1}", seed)
    decides = {**result.model_dump(mode="json", exclude=PLACES), "studies": manifest.model_dump(mode="json")}
    kept = Cells(place, config.device, config.threads)
    return result.model_copy(update={"out": kept.place(method, decides)})


def pretrained(config: PretrainConfig, reporter: Reporter) -> Path:
    """The run folder: a finished pretraining is reused, else it is run or resumed.

    Raises:
        Cancelled: a stop cut it short.
    """
    from training.pretraining.run import pretrain

    done = config.out / "finished"
    if not done.is_file():
        if not pretrain(config, reporter).get("finished", True):
            raise Cancelled
        done.touch()
    return config.out
