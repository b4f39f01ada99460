"""What a benchmark runs on: labelled frames, one fixed split of them, and the frames that pretrainings learn from.

The split is by group, or by frame where groups are unknown; it is the same for all methods and seeds.
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.datasets import image_set, labelled_frames, labels
from training.datasets.manifest import Manifest, load_manifest
from training.datasets.pretraining_spans import (
    read_labelled_images,
    read_video_frames,
    video_run_manifest,
)
from training.datasets.split import split_by_patient
from training.errors import UserError
from training.evaluation.evaluate_config import evaluate_config
from training.evaluation.evaluation_set import EvaluationSet, evaluation_set
from training.experiments.benchmark.config import BenchmarkConfig, SplitBy, SplitName
from training.experiments.benchmark.other_data import OtherData, images_by_size, written_once
from training.experiments.engine import Cells, files_digest
from training.runs.reporter import Reporter

TEST_SHARE = {"60:40": 0.4, "80:10:10": 0.1}
"""Share of the test groups (Vats et al. 2022: 60:40, and 80:10:10 for CAD-CAP)."""
OPTIMISTIC = (
    "The patients of these frames are unknown, so the frames were split at random. Frames of one patient may be on "
    "both sides, and every figure is optimistic."
)
"""What every report of a split by frames says."""


@dataclass(frozen=True)
class GroupSplit:
    """Rows of the labelled frames, ascending; no group is on two sides where the split is by group."""

    name: SplitName
    training: NDArray[np.int64]
    choosing: NDArray[np.int64] | None
    """Of 80:10:10, frames that choose the best epoch; else None: the test frames choose it, as in the paper."""
    test: NDArray[np.int64]
    by: SplitBy = "groups"

    def groups(self, frames: labelled_frames.LabelledFrames, rows: NDArray[np.int64]) -> tuple[str, ...]:
        """Groups of some rows, sorted."""
        return tuple(np.unique(frames.patients[rows]).tolist())

    def to_json(self, frames: labelled_frames.LabelledFrames) -> dict[str, Any]:
        """Groups and frames of each class on each side; of a split by frames each file is a group."""
        sides = {"training": self.training, "choosing": self.choosing, "judged": self.test}
        return {
            "name": self.name,
            "by": self.by,
            **{
                side: {"groups": list(self.groups(frames, rows)), "frames": frames.select(rows).counts()}
                for side, rows in sides.items()
                if rows is not None
            },
        }


def frame_split(frames: labelled_frames.LabelledFrames, name: SplitName, seed: int, by: SplitBy) -> GroupSplit:
    """Split M labelled frames; the classes' shares are near those of the frames, as well as groups allow.

    Vats et al. give the shares and do not say how frames are divided. By group (ours), because neighbouring frames of a
    sequence would else be on both sides. By frames, each for itself, is what the paper seems to do: it names no
    patients, and some of its classes have few frames; class by class (ours), so that each has its share on every side,
    and a single frame of a class is used for training.

    Raises:
        UserError: too few groups for every class in training and a test part that is not empty; no class has two
            frames.
    """
    held_out = _frames_apart if by == "frames" else _groups_apart
    apart = held_out(frames, TEST_SHARE[name], seed)
    test, rest = np.flatnonzero(apart), np.flatnonzero(~apart)
    if name == "60:40":
        return GroupSplit(name, rest, None, test, by)
    chosen = held_out(frames.select(rest), 0.1 / 0.9, seed)
    return GroupSplit(name, rest[~chosen], rest[chosen], test, by)


def _groups_apart(frames: labelled_frames.LabelledFrames, share: float, seed: int) -> NDArray[np.bool_]:
    split = split_by_patient(frames, share, seed)
    if split is None:
        groups = len(np.unique(frames.patients))
        raise UserError(
            f"The {groups} groups with labels cannot be split so that training has every class and the test part is "
            "not empty.",
            "Label frames of more groups, or leave out classes of only one group. Images of unknown patients can be "
            "split frame by frame with --set split_by=frames.",
        )
    return split.held_out


def _frames_apart(frames: labelled_frames.LabelledFrames, share: float, seed: int) -> NDArray[np.bool_]:
    """Of each class its share, at least one frame, and never all."""
    rng = np.random.default_rng([seed, 29])
    apart = np.zeros(len(frames), dtype=bool)
    for label in range(len(frames.classes)):
        mine = np.flatnonzero(frames.label == label)
        count = min(max(1, round(share * len(mine))), len(mine) - 1)
        apart[rng.permutation(mine)[: max(0, count)]] = True
    if not apart.any():
        raise UserError("No class has two frames, one for training and one for testing.", "Label more frames.")
    return apart


@dataclass(frozen=True)
class BenchmarkData:
    """Labelled frames and their split; no pixels yet."""

    config: BenchmarkConfig
    frames: EvaluationSet
    split: GroupSplit
    digest: str
    """Of labels, manifest and split: part of every cell's key."""

    @property
    def cells(self) -> Cells:
        """Where pretrainings and figures are kept."""
        return Cells(self.config.cells_folder, self.config.device, self.config.threads)

    @property
    def inputs(self) -> Path:
        """Folder of the manifests that pretrainings learn from."""
        return self.config.cells_folder.parent / "inputs"

    @property
    def training_groups(self) -> tuple[str, ...]:
        """Groups of the training part; of a manifest only those with labels."""
        return self.split.groups(self.frames.labelled, self.split.training)

    @property
    def kept_out(self) -> tuple[str, ...]:
        """Groups that no pretraining may see; none where frames are split, as only training frames are shown then."""
        if self.split.by == "frames":
            return ()
        rows = [part for part in (self.split.choosing, self.split.test) if part is not None]
        return self.split.groups(self.frames.labelled, np.concatenate(rows))

    @cached_property
    def other(self) -> OtherData | None:
        """What pretrainings learn from, where it is not the training part."""
        config = self.config
        if not config.pretrains_on_others:
            return None
        apart = [part for part in (self.split.choosing, self.split.test) if part is not None and config.images]
        files = [self.image(row) for part in apart for row in part.tolist()]
        return OtherData(config.pretrain_studies, config.pretrain_images, self.kept_out, tuple(files))

    def image(self, row: int) -> Path:
        """The file of a labelled image."""
        assert self.config.images is not None
        return self.config.images.joinpath(self.frames.filenames[self.frames.labelled.frame_index[row]]).resolve()

    @property
    def pretraining_digest(self) -> str:
        """Of the frames that pretrainings learn from; other data do not depend on what is evaluated."""
        return self.digest if self.other is None else self.other.digest

    @property
    def has_video(self) -> bool:
        """Whether the training part has successive frames; still images have none."""
        source = self.config.pretrain_studies if self.config.pretrains_on_others else self.config.studies
        if source is None:
            return self.config.video_frames is not None
        studies, kept_out = load_manifest(source).studies, set(self.kept_out)
        return any(study.has_time for study in studies if study.patient_id not in kept_out)

    @property
    def sentence(self) -> str:
        """What the data are, for the report."""
        config, labelled = self.config, self.frames.labelled
        name = config.images.name if config.images else (config.studies or Path("studies")).name
        kind = "images" if config.images else "studies"
        groups = f"of {len(np.unique(labelled.patients))} groups"
        whose = "of unknown patients, split at random" if self.split.by == "frames" else groups
        alone = "" if labelled.has_normal else ", no normal class"
        others = f"; pretrained on {self.other.sentence}" if self.other else ""
        return f"{kind}: {name}, {len(labelled):,} labelled frames {whose}{alone}{others}"


def benchmark_data(config: BenchmarkConfig, reporter: Reporter) -> BenchmarkData:
    """Read labels and lay out the split.

    Raises:
        UserError: labels that do not fit the data, or groups that cannot be split.
    """
    asked = evaluate_config(
        studies=config.studies,
        images=config.images,
        labels=config.labels,
        by=config.by,
        out=config.out,
        normal_label=config.normal_label or labels.NORMAL,
        classes=config.classes,
        normal_per_study=config.normal_per_study,
        sources=config.sources,
        memory_mib=config.memory_mib,
        split="random" if config.split_by == "frames" else "patients",
    )
    frames = evaluation_set(
        asked,
        reporter,
        needs_normal=bool(config.normal_label),
        one_label=True,
        without_groups="Fill in the column group (the patient). If it is unknown, split frame by frame: "
        "--set split_by=frames.",
    )
    split = frame_split(frames.labelled, config.split, config.split_seed, config.split_by)
    files = [path for path in (config.labels, config.studies, config.video_frames) if path]
    said = repr((config.split, config.split_seed, config.classes, config.normal_label, config.normal_per_study))
    said += f" of {config.sources}" if config.sources else ""
    said += f" by column {config.by}" if config.by != "group" else ""
    said += " by frames" if config.split_by == "frames" else ""  # by group nothing: cells made before stay valid
    return BenchmarkData(config, frames, split, files_digest(*files, said=said))


def stills_manifest(data: BenchmarkData, folder: Path) -> Path:
    """The frames that every method pretrains on, each group a study; written once.

    Of images exactly the labelled training images, without their labels: no frame of a test group. Where nobody
    knows the groups, images of one size are a study, so that they share a field of view.
    Of studies those of everybody outside the test part, unlabelled patients included.
    """
    config = data.config
    if data.other is not None:
        return data.other.manifest(folder, config.pretrain_per_study)

    def studies() -> Manifest:
        if config.studies is not None:
            every = load_manifest(config.studies).studies
            return Manifest(studies=tuple(study for study in every if study.patient_id not in data.kept_out))
        return Manifest(studies=image_set.write_image_folders(_training_images(data), folder / f"images-{data.digest}"))

    return written_once(folder / f"pretraining-{data.digest}.json", studies)


def _training_images(data: BenchmarkData) -> dict[str, list[Path]]:
    """Training group -> its images; where nobody knows the groups "360 x 360 px" -> images of that size."""
    rows = data.split.training.tolist()
    if data.split.by == "frames":
        return images_by_size([data.image(row) for row in rows])
    result: dict[str, list[Path]] = {name: [] for name in data.training_groups}
    for row in rows:
        result[str(data.frames.labelled.patients[row])].append(data.image(row))
    return result


def video_manifest(data: BenchmarkData, folder: Path) -> Path:
    """Where images come with a video: its runs of the training groups, one study for each group; written once.

    Raises:
        UserError: no video, or none of its frames shows an image of a training group.
    """
    config = data.config
    if data.other is not None:
        return data.other.manifest(folder, None)
    if config.video_frames is None:
        return stills_manifest(data, folder)
    table, video = config.video_frames, config.video or config.video_frames.with_name("video.mp4")

    def runs() -> Manifest:
        if not video.is_file():
            raise UserError(f"There is no video {video}.", "Name it: --set video=FILE.")
        groups, rows = set(data.training_groups), read_labelled_images(config.labels, config.by)
        group_of = {row.filename: row.group for row in rows if row.group in groups}
        return video_run_manifest(video.resolve(), read_video_frames(table), group_of)

    return written_once(folder / f"pretraining-video-{data.digest}.json", runs)
