"""What a reproduction is asked to do: which table, on which frames, and how long it may take."""

from pathlib import Path
from typing import Annotated, Literal, Self

import platformdirs
from pydantic import Field, field_validator, model_validator

from training.experiments.benchmark.config import SplitName
from training.experiments.reproduce.catalogue import TABLES
from training.experiments.reproduce.vats import VATS_TABLES
from training.files.marks import Cache, OutputFolder, OverwriteField
from training.settings import MAX_THREADS, Settings

CACHE = "wce-desktop"
NAMES = (*TABLES, *VATS_TABLES)


class ReproduceConfig(Settings):
    """One table; frozen, checked when made."""

    table: str = Field(description=f"One of {', '.join(NAMES)}.")
    phantom: bool = Field(False, description="On the budget's synthetic studies, rendered once and kept.")
    studies: Path | None = Field(None, description="Manifest of the studies (JSON), instead of the phantom.")
    images: Path | None = Field(None, description="Folder of labelled images, instead of studies.")
    labels: Path | None = Field(None, description="Labels (CSV) of studies or images.")
    normal_label: str = Field(
        "normal",
        description="Label of images in which nothing is to be found; empty (vats tables only): there is none.",
    )
    pretrain_studies: Path | None = Field(
        None,
        description="Manifest of studies to pretrain on; empty: those of patients without labels, else each fold's.",
    )
    classes: tuple[str, ...] = Field((), description="Target classes without normal; empty: every label found.")
    split: Literal["patients", "random"] = Field("patients", description="random only for images without patients.")
    parts: SplitName = Field("60:40", description="vats tables: what teaches and judges; of 80:10:10 a tenth chooses.")
    budget: Literal["smoke", "small", "paper"] = Field("small", description="Network, steps, folds and phantom.")
    hours: float | None = Field(None, gt=0, description="Take as many steps as fit; never more than the paper's.")
    seeds: int | None = Field(None, ge=1, le=20, description="Repeats of everything; empty: the budget's.")
    out: Annotated[Path, OutputFolder("results' folder")] = Field(
        Path("reproductions"), description="Folder for results and for the trainings, which are kept."
    )
    overwrite: OverwriteField = False
    cache: Annotated[Path, Cache()] = Field(
        default_factory=lambda: Path(platformdirs.user_cache_dir(CACHE)) / "phantom",
        description="Folder in which phantom studies are kept.",
    )
    download: bool = Field(False, description="Consent to fetching ImageNet weights where they are not here yet.")
    weights_cache: Annotated[Path, Cache()] = Field(
        default_factory=lambda: Path(platformdirs.user_cache_dir(CACHE)) / "weights",
        description="Folder in which ImageNet weights are kept.",
    )
    published: Path | None = Field(
        None, description="The paper's figures as you read them (CSV): table,row,figure,text,source."
    )
    device: Literal["auto", "cpu", "cuda", "mps"] = Field("auto", description="Where to train.")
    seed: int = Field(0, ge=0, lt=2**31, description="Of the first repeat.")
    threads: int | None = Field(
        None, ge=1, le=MAX_THREADS, description="CPU threads; empty: what is quickest on this machine."
    )
    resume: bool = Field(False, description="Accepted like in every command; finished trainings are always kept.")

    @field_validator("table")
    @classmethod
    def _check_table(cls, name: str) -> str:
        if name not in NAMES:
            raise ValueError(f"there is no such table; there are {', '.join(NAMES)}")
        return name

    @model_validator(mode="after")
    def _check_data(self) -> Self:
        if sum((self.phantom, self.studies is not None, self.images is not None)) != 1:
            raise ValueError("give one of phantom, studies and images")
        if not self.phantom and self.labels is None:
            raise ValueError("studies and images need their labels (a CSV)")
        if self.split == "random" and self.images is None:
            raise ValueError("studies have patients and are split by them; random is for images without any")
        if self.table not in VATS_TABLES and not self.normal_label:
            raise ValueError(f"{self.table} judges findings against normal frames, so normal_label cannot be empty")
        if self.table not in VATS_TABLES and self.parts != "60:40":
            raise ValueError(f"{self.table} is cross-validated in folds; parts belongs to the vats tables")
        return self
