"""The settings of a comparison of fine-tunings by their number of labels."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from training.files.marks import ByField, MemoryField, OutputFolder, ThreadsField
from training.methods.registry import FINETUNING, FRAME_PRETRAINING
from training.runs.resume import run_folder_check
from training.settings import Only, Settings, shortened

LINEAR = "linear"
"""A linear classifier on the frozen network; no fine-tuning."""
STARTS = ("imagenet", "random", "model", *FRAME_PRETRAINING)
"""The name of a pretraining: for each split its own, on the patients of its training part."""
METHODS = (*FINETUNING, LINEAR)
ALL = 0
"""As a number of labels: all labels of the training part."""

check_folder = run_folder_check(
    "few-labels", "comparison of fine-tunings", "report folder", parts={"cells", "pretrainings"}, needs_resume=False
)


class FewLabelsConfig(Settings):
    """The complete settings; frozen and validated."""

    only = (
        Only("by", "images"),
        Only("folds,fold_seed", "test_images", (None,)),
        Only("model", "rows", ("model",)),
        Only(
            "pretrain_studies,pretrain_settings,pretrain_each_draw", "rows", FRAME_PRETRAINING, "rows of a pretraining"
        ),
        Only("pretrain_video", "pretrain_studies"),
    )

    images: Path | None = Field(None, description="Folder of labelled images.")
    studies: Path | None = Field(None, description="Manifest of the studies (JSON), instead of images.")
    labels: Path = Field(description="Labels (CSV) of the images (filename,label,group) or of the studies' frames.")
    by: ByField = "group"
    test_images: Path | None = Field(
        None, description="Folder of images to evaluate on, which nothing is trained on; empty: folds of the labels."
    )
    test_labels: Path | None = Field(None, description="Labels (CSV) of the images to evaluate on.")
    out: Annotated[Path, OutputFolder("report folder", check_folder)] = Field(
        description="Report folder to write; finished trainings in it are reused."
    )
    normal_label: str = Field("normal", min_length=1, description="Label of images without a finding.")

    rows: tuple[str, ...] = Field(
        ("imagenet:tl-ba", "imagenet:cross-entropy", "imagenet:linear"),
        description="What to compare, each START:METHOD, such as imagenet:tl-ba, simclr:tl-ba, imagenet:linear.",
    )
    model: Path | None = Field(None, description="Model folder that the rows model:METHOD start from.")
    settings: dict[str, dict[str, Any]] = Field(
        default_factory=dict,
        description='Further settings of the fine-tunings of a start, as JSON: {"model": {"steps": 120}}.',
    )
    pretrain_studies: Path | None = Field(
        None,
        description="For rows that start from a pretraining: manifest of the studies to pretrain on, or CSV of a "
        "video's frames (frame_index,run,filename); empty: the studies. Held-out patients are left out.",
    )
    pretrain_video: Path | None = Field(None, description="Video that the CSV describes; empty: video.mp4 beside it.")
    pretrain_settings: dict[str, dict[str, Any]] = Field(
        default_factory=dict,
        description='Further settings of the pretrainings (preset small), as JSON: {"simclr": {"steps": 200}}.',
    )
    pretrain_each_draw: bool = Field(
        False, description="Pretrain once per split and draw, instead of once per split; a draw's number is its seed."
    )
    counts: tuple[int, ...] = Field((40, 80, 160, 320, ALL), description="Numbers of labels to train on; 0: all.")
    count_of: Literal["labels", "findings"] = Field(
        "labels",
        description="What is counted: all labels, with the classes in equal numbers, or labels of findings, to which "
        "all normal frames are added.",
    )
    draws: int = Field(5, ge=1, le=50, description="Draws of labelled frames for each number and split.")
    most_of_group: int = Field(8, ge=1, description="Most frames of a class that a draw has of one group or patient.")
    folds: int = Field(5, ge=2, le=50, description="Splits by group or patient; each part is held out once.")
    fold_seed: int = Field(0, ge=0, description="Seed of the splits.")
    memory_mib: MemoryField = 1536
    device: Literal["auto", "cpu", "cuda", "mps"] = Field("auto", description="Device to train on.")
    threads: ThreadsField = None
    seed: int = Field(0, ge=0, lt=2**31, description="Seed of the first draw.")
    resume: bool = Field(False, description="Accepted as in every command; finished trainings are always reused.")

    def inner(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """See `Settings`."""
        for row in self.rows:
            start, _, method = row.partition(":")
            if settings := self.settings.get(start):
                yield "finetune", {**settings, "method": None if method == LINEAR else method}
        for method, settings in self.pretrain_settings.items():
            yield "pretrain", {"method": method, "preset": "small", **settings}

    @field_validator("rows")
    @classmethod
    def _check_rows(cls, rows: tuple[str, ...]) -> tuple[str, ...]:
        if not rows or len(set(rows)) < len(rows):
            raise ValueError("name each row once, as START:METHOD")
        for row in rows:
            start, _, method = row.partition(":")
            if start not in STARTS or method not in METHODS:
                raise ValueError(
                    f"{shortened(repr(row))} is not START:METHOD; starts are {', '.join(STARTS)}, methods "
                    f"{', '.join(METHODS)}"
                )
        return rows

    @field_validator("counts")
    @classmethod
    def _check_counts(cls, counts: tuple[int, ...]) -> tuple[int, ...]:
        if not counts or len(set(counts)) < len(counts) or any(count != ALL and count < 4 for count in counts):
            raise ValueError("numbers of labels must be different, and each at least 4, or 0 for all")
        return counts

    @field_validator("settings")
    @classmethod
    def _check_settings(cls, settings: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        if unknown := sorted(settings.keys() - set(STARTS)):
            raise ValueError(f"settings are given by start: {', '.join(STARTS)}, not {shortened(repr(unknown[0]))}")
        return settings

    @field_validator("pretrain_settings")
    @classmethod
    def _check_pretrain_settings(cls, settings: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        if unknown := sorted(settings.keys() - FRAME_PRETRAINING.keys()):
            raise ValueError(
                f"settings are given by pretraining: {', '.join(FRAME_PRETRAINING)}, not {shortened(repr(unknown[0]))}"
            )
        return settings

    @model_validator(mode="after")
    def _check_data(self) -> Self:
        if (self.studies is None) == (self.images is None):
            raise ValueError("give either studies (a manifest) or images (a folder), with labels")
        if (self.test_images is None) != (self.test_labels is None):
            raise ValueError("test_images and test_labels belong together")
        if self.model is None and any(row.startswith("model:") for row in self.rows):
            raise ValueError("the rows model:METHOD need a model folder; give model")
        starts = {row.partition(":")[0] for row in self.rows}
        if self.images and not self.pretrain_studies and starts & FRAME_PRETRAINING.keys():
            raise ValueError("rows that start from a pretraining need videos; give pretrain_studies")
        return self
