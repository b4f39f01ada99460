"""`python -m training score PATH --model MODEL_DIR --out FILE.h5`: a model over all frames of a study."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from training.commands.common import CommandConfig
from training.files.kinds import EMBEDDING_FILE
from training.files.marks import OutputFile, OverwriteField
from training.runs.reporter import Reporter


class ScoreCommand(CommandConfig):
    """What to score with what; see `training.inference.score.score_study`."""

    path: Path = Field(description="Video file or folder of images.")
    model: Path = Field(description="Model folder, a run folder with a model in it, or one of a pretraining.")
    out: Annotated[Path, OutputFile(EMBEDDING_FILE)] = Field(description="Embedding file to write (HDF5).")
    overwrite: OverwriteField = False
    resume: bool = Field(False, description="Go on with an unfinished file; begin where there is none.")
    space: Literal["backbone", "projection"] = Field(
        "backbone", description="Embeddings before or after the projection head, which only a pretraining has."
    )
    step: int | None = Field(None, ge=0, description="Kept step of a pretraining; empty: the newest.")
    index: Path | None = Field(None, description="The study's saved index (.npz); empty: it is made.")
    batch: int | None = Field(None, ge=1, le=4096, description="Frames in one forward pass; empty: the best known.")
    precision: Literal["auto", "float32", "bfloat16", "float16"] = Field(
        "auto", description="Of the forward passes; auto: the fastest that the device computes in."
    )


def run_score(config: ScoreCommand, reporter: Reporter) -> dict[str, Any]:
    """Score; the result is the `ScoreSummary` as JSON values. torch is imported here, not with the settings."""
    from training.models.folder import ModelFolder
    from training.pretraining.pretrained import Pretrained, is_pretraining
    from training.video import FrameIndex

    # A folder that is not sound is told before torch takes its seconds.
    if is_pretraining(config.model):
        Pretrained.open(config.model, config.step)
    else:
        ModelFolder.open(config.model)
    index = FrameIndex.load(config.index) if config.index else None

    from training.inference.score import score_study
    from training.inference.scored_model import open_scored_model

    summary = score_study(
        config.path,
        open_scored_model(config.model, config.space, config.step),
        config.out,
        device=config.device,
        resume=config.resume,
        batch=config.batch,
        precision=config.precision,
        index=index,
        reporter=reporter,
    )
    return asdict(summary) | {"out": str(summary.out)}
