"""What an evolution is asked to show: every setting with its range and meaning."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from training.files.kinds import EVOLUTION_FILE
from training.files.marks import OutputFile, OverwriteField
from training.settings import Settings


class EvolutionConfig(Settings):
    """Whose frames, under which run; frozen, checked when made."""

    device: Literal["auto", "cpu", "cuda", "mps"] = Field("auto", description="Device to compute on.")
    seed: int = Field(0, ge=0, lt=2**31, description="Seed of the sample.")
    run: Path = Field(description="Run folder of a pretraining.")
    studies: Path | None = Field(None, description="Manifest of the studies (JSON) whose frames are shown.")
    labels: Path | None = Field(
        None, description="Labels (CSV) to colour by; frames with rare labels stay in the sample."
    )
    out: Annotated[Path, OutputFile(EVOLUTION_FILE)] = Field(description="File to write (npz).")
    overwrite: OverwriteField = False
    sample: int = Field(1500, ge=1, le=100_000, description="Frames.")
    space: Literal["backbone", "projection", "views"] = Field(
        "backbone",
        description="backbone: before the projection head; projection: after it; views: the views stored by methods "
        "with a memory bank.",
    )
    precision: Literal["auto", "float32", "bfloat16", "float16"] = Field(
        "auto", description="Precision of the forward passes; auto: the fastest that the device supports."
    )
