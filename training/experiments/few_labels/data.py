"""Labelled frames in two forms: as a manifest with labels, which fine-tuning reads, and as pixels to evaluate on."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.datasets.frame_store import FrameStore
from training.datasets.image_folders import write_image_folders
from training.datasets.labels import LabelRow, write_labels
from training.datasets.manifest import Manifest, load_manifest, save_manifest
from training.errors import UserError
from training.evaluation.evaluate_config import EvaluateConfig, evaluate_config
from training.evaluation.evaluation_set import EvaluationSet, evaluation_set
from training.experiments.few_labels.config import FewLabelsConfig
from training.runs.reporter import Reporter


@dataclass
class LabelledSet:
    """M labelled frames."""

    frames: EvaluationSet
    config: EvaluateConfig
    folder: Path
    """For the files that fine-tuning reads."""
    reporter: Reporter
    _stores: dict[int, FrameStore] = field(default_factory=dict)

    @property
    def manifest(self) -> Path:
        """The manifest of the studies; of images one with a folder for each group, written on first use."""
        if self.config.studies is not None:
            return self.config.studies
        path = self.folder / "manifest.json"
        if not path.is_file():
            self.folder.mkdir(parents=True, exist_ok=True)
            studies = write_image_folders(self._files(), self.folder / "images")
            save_manifest(path, Manifest(studies=studies))
        return path

    def write_labels(self, rows: NDArray[np.int64], path: Path) -> None:
        """Write the labels of some rows, for the manifest."""
        labelled = self.frames.labelled
        places = self._places()
        write_labels(
            path,
            [
                LabelRow(
                    study_id=places[row][0],
                    start=places[row][1],
                    stop=places[row][1] + 1,
                    label=labelled.classes[labelled.label[row]],
                )
                for row in rows.tolist()
            ],
        )

    def store(self, size: int) -> FrameStore:
        """All frames at a size in px; raises `UserError` if some cannot be read."""
        if size not in self._stores:
            self.folder.mkdir(parents=True, exist_ok=True)
            spill = self.folder / f"frames-{size}.tmp"
            store = self._stores[size] = self.frames.load(self.frames.labelled, size, spill, self.reporter)
            if missing := len(self.frames.labelled) - len(store.labelled):
                raise UserError(f"{missing} labelled frames cannot be read.", "Remove their labels, or the files.")
        return self._stores[size]

    def _files(self) -> dict[str, list[Path]]:
        """Group -> its images, in the order of their rows."""
        assert self.config.images is not None
        found: dict[str, list[Path]] = {}
        labelled = self.frames.labelled
        for group, index in zip(labelled.patients.tolist(), labelled.frame_index.tolist(), strict=True):
            found.setdefault(group, []).append(self.config.images / self.frames.filenames[index])
        return found

    def _places(self) -> list[tuple[str, int]]:
        """Study and frame of each row in the manifest."""
        labelled = self.frames.labelled
        if self.config.studies is not None:
            names = [labelled.studies[study].study_id for study in labelled.study.tolist()]
            return list(zip(names, labelled.frame_index.tolist(), strict=True))
        studies = load_manifest(self.manifest).studies
        name_of = {study.patient_id: study.study_id for study in studies}
        seen = dict.fromkeys(name_of, 0)
        places = []
        for group in labelled.patients.tolist():
            places.append((name_of[group], seen[group]))
            seen[group] += 1
        return places


def labelled_set(config: FewLabelsConfig, reporter: Reporter) -> LabelledSet:
    """The frames to train on; raises `UserError` for labels that do not fit them."""
    return _read(config, reporter, config.out / "training", config.labels, config.images)


def test_set(config: FewLabelsConfig, reporter: Reporter) -> LabelledSet | None:
    """The frames to evaluate on, if they are given apart."""
    if config.test_images is None or config.test_labels is None:
        return None
    return _read(config, reporter, config.out / "test", config.test_labels, config.test_images)


def _read(config: FewLabelsConfig, reporter: Reporter, folder: Path, labels: Path, images: Path | None) -> LabelledSet:
    asked = evaluate_config(
        studies=None if images else config.studies,
        images=images,
        labels=labels,
        out=config.out,
        normal_label=config.normal_label,
        memory_mib=config.memory_mib,
    )
    return LabelledSet(evaluation_set(asked, reporter), asked, folder, reporter)
