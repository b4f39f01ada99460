"""`python -m training score PATH --model MODEL_DIR --out FILE.h5`: a model over all frames of a study."""

import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from training.commands.common import CommandConfig, NumberingField
from training.datasets.synthetic import SYNTHETIC_ONLY, is_synthetic
from training.errors import UserError
from training.files.kinds import EMBEDDING_FILE
from training.files.marks import OutputFile, OverwriteField
from training.runs.reporter import EndsAtOnce, Reporter
from training.texts import Text
from training.video import NUMBERING

if TYPE_CHECKING:
    from training.models.folder import ModelFolder


class ScoreCommand(CommandConfig):
    """What to score with what; see `training.inference.score.score_study`."""

    path: Path = Field(description="Video file or folder of images.")
    model: Path = Field(description="Model folder, or run folder of a fine-tuning or a pretraining.")
    out: Annotated[Path, OutputFile(EMBEDDING_FILE)] = Field(description="Embedding file to write (HDF5).")
    overwrite: OverwriteField = False
    resume: bool = Field(False, description="Continue an unfinished file, or start a new one if there is none.")
    space: Literal["backbone", "projection"] = Field(
        "backbone",
        description="Embeddings before (backbone) or after (projection) the projection head; only a pretraining has "
        "one.",
    )
    step: int | None = Field(None, ge=0, description="Stored step of a pretraining; empty: the newest.")
    index: Path | None = Field(None, description="Saved index of the study (.npz); empty: the study is indexed.")
    numbering: NumberingField = NUMBERING
    reuse: Path | None = Field(
        None,
        description="Embedding file of this study by a model with the same network (before its classifier was "
        "updated): scores are computed from it, without CAMs, and no frame is read.",
    )
    batch: int | None = Field(
        None, ge=1, le=4096, description="Frames per forward pass; empty: the fastest known number."
    )
    scenes: bool = Field(
        True, description="Give frames that show the same scene one forward pass; false: one for every frame."
    )
    precision: Literal["auto", "float32", "bfloat16", "float16"] = Field(
        "auto", description="Precision of the forward passes; auto: the fastest that the device supports."
    )


def run_score(config: ScoreCommand, reporter: Reporter) -> dict[str, Any]:
    """Score; the result is the `ScoreSummary` as JSON values. torch is imported here, not with the settings."""
    from training.models.folder import ModelFolder
    from training.pretraining.pretrained import Pretrained, is_pretraining
    from training.video import saved_or_new_index

    # A damaged folder is reported before torch is imported, which takes seconds.
    if is_pretraining(config.model):
        Pretrained.open(config.model, config.step)
    else:
        model = ModelFolder.open(config.model)
        if model.card.get("trained_on") == "synthetic" and not is_synthetic(config.path):
            reporter.log(
                Text(
                    "{synthetic_only}: {name}. Its scores of real studies mean little.",
                    SYNTHETIC_ONLY,
                    config.model.name,
                )
            )
        if (rescored := _rescored(model, config, reporter)) is not None:
            return rescored
    index = saved_or_new_index(config.path, config.index, config.numbering, reporter)
    for note in () if config.index else index.notes:
        reporter.log(note)

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
        scenes=config.scenes,
        index=index,
        reporter=reporter,
    )
    return asdict(summary) | {"out": str(summary.out)}


def _is_scored(out: Path, model: "ModelFolder") -> bool:
    """Whether the finished scores of a model are there, which may have CAMs."""
    from training.embeddings.file import EmbeddingFile

    try:
        with EmbeddingFile.open(out) as file:
            return file.header.model_sha256 == model.sha256
    except UserError:
        return False


def _rescored(model: "ModelFolder", config: ScoreCommand, reporter: Reporter) -> dict[str, Any] | None:
    """The result of scoring stored embeddings; None where there are none that can be used, which is logged."""
    from training.inference.rescoring import open_reusable, rescore

    if config.reuse is None or _is_scored(config.out, model):
        return None
    started = time.monotonic()
    try:
        file = open_reusable(config.reuse, model, config.path)
    except UserError as error:
        reporter.log(Text("Stored embeddings are not used: {message}", error.message))
        return None
    with file:
        count, missing = rescore(file, model, config.out, EndsAtOnce(reporter)), int(file.missing.sum())
    seconds = time.monotonic() - started
    made = {"out": str(config.out), "frames": count, "frames_done": count, "missing": missing, "complete": True}
    return {**made, "device": "cpu", "precision": file.header.precision, "seconds": seconds,
            "frames_per_second": count / max(seconds, 1e-9)}  # fmt: skip
