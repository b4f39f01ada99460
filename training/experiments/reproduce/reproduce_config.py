"""What a reproduction is asked to do: which table, on which frames, and how long it may take."""

from pathlib import Path
from typing import Annotated, Literal, Self

import platformdirs
from pydantic import Field, field_validator, model_validator

from training.experiments.benchmark.config import SplitName
from training.experiments.reproduce import intrator_rows, vats, xiang_rows
from training.experiments.reproduce.published import EVERY_TABLE
from training.experiments.reproduce.triplet_tables import TABLES
from training.files.marks import Cache, OutputFolder, OverwriteField, ThreadsField, WeightsCacheField
from training.retrieval.paired_clips import Gallery
from training.settings import Only, Settings

CACHE = "wce-desktop"
OF_CLASSES = (intrator_rows.TABLE3.name, intrator_rows.TABLE4.name)
"""Tables that compare findings of the named classes with all others."""
OF_PAIRS = (*intrator_rows.INTRATOR_TABLES, *xiang_rows.XIANG_TABLES)
"""Tables that compare what two studies of a patient show."""
OF_FRAMES = (*TABLES, *vats.VATS_TABLES)
"""Tables of labelled frames."""
FRAMES = "the tables of labelled frames"


class ReproduceConfig(Settings):
    """One table; frozen, checked when made."""

    only = (
        Only(
            "gallery,clip_length,clip_step,clip_stride,train_on", "table", xiang_rows.XIANG_TABLES, "the xiang tables"
        ),
        Only("data_set,parts,pretrain_images", "table", vats.VATS_TABLES, "the vats tables"),
        Only("boxes,different_classes", "table", intrator_rows.INTRATOR_TABLES, "the intrator tables"),
        Only("pairs", "table", OF_PAIRS, "the intrator and xiang tables"),
        Only("classes", "table", (*OF_FRAMES, *OF_CLASSES), f"{FRAMES}, {' and '.join(OF_CLASSES)}"),
        Only("hours,normal_label,split,images,pretrain_studies", "table", OF_FRAMES, FRAMES),
        Only("boxes,pairs", "studies"),
        Only("different_classes", "boxes"),
        Only("labels,classes,pretrain_studies,pretrain_images", "phantom", (False,)),
        Only("normal_label,split", "images"),
        Only("cache", "phantom"),
    )

    table: str = Field(description=f"One of {', '.join(EVERY_TABLE)}.")
    phantom: bool = Field(False, description="Use the budget's synthetic studies, which are rendered once and stored.")
    studies: Path | None = Field(None, description="Manifest of the studies (JSON), instead of the phantom.")
    images: Path | None = Field(None, description="Folder of labelled images, instead of studies.")
    labels: Path | None = Field(
        None, description="Labels (CSV) of studies or images; xiang tables read links.csv beside them."
    )
    boxes: Path | None = Field(None, description="intrator tables: boxes (CSV) of the studies.")
    pairs: Path | None = Field(
        None,
        description="intrator and xiang tables: which studies show the same patient (CSV: study_id, other_study_id); "
        "empty: those of one patient in the manifest.",
    )
    different_classes: bool = Field(
        False,
        description="intrator tables of studies: compare only tracklets of different classes as different findings, as "
        "two of one class may show one finding.",
    )
    normal_label: str = Field(
        "normal",
        description="Label of normal images; empty (vats tables only): no normal class.",
    )
    pretrain_studies: Path | None = Field(
        None,
        description="Manifest of the studies to pretrain on; empty: studies of patients without labels, or each fold's "
        "training studies if there are none (vats tables: the training part).",
    )
    pretrain_images: tuple[Path, ...] = Field(
        (), description="vats tables: folders of images to pretrain on, alone or beside pretrain_studies."
    )
    classes: tuple[str, ...] = Field(
        (),
        description="Target classes without normal; empty: all labels found. intrator-table3 and 4: classes, or "
        "histologies in findings.csv beside the labels, that take the place of adenomas; empty: AD and adenoma.",
    )
    split: Literal["patients", "random"] = Field(
        "patients", description="patients, or random for images without patients."
    )
    data_set: vats.DataSet = Field(
        "",
        description="vats tables: which of the paper's data sets the images are; empty: other data, with lines of "
        "their own.",
    )
    parts: SplitName | None = Field(
        None,
        description="vats tables: shares for training and testing; with 80:10:10 a tenth selects the best epoch. "
        "Empty: the paper's for the data set, else 60:40.",
    )
    gallery: Gallery | None = Field(
        None,
        description="xiang tables: search all clips of the paired study, or only those that show lesions. Empty: the "
        "budget's.",
    )
    clip_length: int | None = Field(
        None, ge=1, le=1024, description="xiang tables: frames of a clip that the encoder sees; empty: the budget's."
    )
    clip_step: int | None = Field(
        None,
        ge=1,
        le=100,
        description="xiang tables: the encoder sees every so many frames of a clip; empty: all, in the budget paper "
        "every fourth of studies, as VideoMAE.",
    )
    clip_stride: int | None = Field(
        None, ge=1, le=4096, description="xiang tables: frames between the starts of two clips; empty: the budget's."
    )
    train_on: xiang_rows.TrainOn = Field(
        "others",
        description="xiang tables: train on other patients, or without labels on the same studies that are evaluated.",
    )
    budget: Literal["smoke", "brief", "small", "paper"] = Field(
        "small", description="Network, steps, folds and phantom."
    )
    hours: float | None = Field(
        None, gt=0, description="Train for as many steps as fit into this time, at most the paper's."
    )
    seeds: int | None = Field(None, ge=1, le=20, description="Number of repetitions; empty: the budget's.")
    out: Annotated[Path, OutputFolder("results' folder")] = Field(
        Path("reproductions"), description="Folder for the results and the trainings; both are kept."
    )
    overwrite: OverwriteField = False
    cache: Annotated[Path, Cache()] = Field(
        default_factory=lambda: Path(platformdirs.user_cache_dir(CACHE)) / "phantom",
        description="Folder in which phantom studies are stored.",
    )
    download: bool = Field(False, description="Agree to download ImageNet weights if they are missing.")
    weights_cache: WeightsCacheField
    published: Path | None = Field(None, description="Figures read in the paper (CSV): table,row,figure,text,source.")
    device: Literal["auto", "cpu", "cuda", "mps"] = Field("auto", description="Device to train on.")
    seed: int = Field(0, ge=0, lt=2**31, description="Seed of the first repetition.")
    threads: ThreadsField = None
    resume: bool = Field(False, description="Accepted as in every command; finished trainings are always reused.")

    @field_validator("table")
    @classmethod
    def _check_table(cls, name: str) -> str:
        if name not in EVERY_TABLE:
            raise ValueError(f"there is no such table; there are {', '.join(EVERY_TABLE)}")
        return name

    @model_validator(mode="after")
    def _check_data(self) -> Self:
        if sum((self.phantom, self.studies is not None, self.images is not None)) != 1:
            raise ValueError("give one of phantom, studies and images")
        has_boxes = self.studies is not None and self.boxes is not None
        is_intrator = self.table in intrator_rows.INTRATOR_TABLES
        if is_intrator and not (self.phantom or has_boxes):
            raise ValueError(f"{self.table} needs boxes of findings: give phantom, or studies and boxes")
        if not is_intrator and not self.phantom and self.labels is None:
            raise ValueError("studies and images need their labels (a CSV)")
        if self.table in OF_PAIRS and self.budget == "brief":
            raise ValueError(f"{self.table} has no budget brief; give smoke, small or paper")
        if self.table not in vats.VATS_TABLES and not self.normal_label:
            raise ValueError(f"{self.table} compares findings with normal frames, so normal_label cannot be empty")
        table = vats.VATS_TABLES.get(self.table)
        if table and self.data_set and self.data_set not in (there := table.data_sets):
            raise ValueError(
                f"{self.table} has no figures of {self.data_set}; it has those of {', '.join(there)}. "
                "Leave data_set empty for other data"
            )
        return self
