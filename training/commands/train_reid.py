"""`python -m training train-reid`: train a model that tells which tracklets show the same finding.

`python -m training embed-reid`: embed the flagged frames of a study with such a model, to group its events.
"""

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from training.commands.common import CommandConfig, NumberingField
from training.files.kinds import REID_FILE
from training.files.marks import OutputFile, OverwriteField
from training.metrics.events import THRESHOLD
from training.reidentification.training_run.config import PRESETS, ReidConfig
from training.runs.reporter import EndsAtOnce, Reporter
from training.video import NUMBERING

__all__ = ["PRESETS", "EmbedReidCommand", "ReidConfig", "run_embed_reid", "run_train_reid"]


def run_train_reid(config: ReidConfig, reporter: Reporter) -> dict[str, Any]:
    """Run it; see `training.reidentification.training_run`. torch is imported here, not with the settings."""
    from training.reidentification.training_run.run import train_reid

    return train_reid(config, reporter)


class EmbedReidCommand(CommandConfig):
    """What to embed with what; see `training.reidentification.study_vectors`."""

    path: Path = Field(description="Video file or folder of images.")
    scores: Path = Field(description="Embedding file with the scores of the study (HDF5).")
    model: Path = Field(description="Re-identification model: a run folder of train-reid, or a model folder.")
    out: Annotated[Path, OutputFile(REID_FILE)] = Field(description="File to write (safetensors).")
    overwrite: OverwriteField = False
    threshold: float = Field(
        THRESHOLD,
        ge=0,
        le=1,
        description="Frames with half of this score are embedded, so that the threshold can be lowered later.",
    )
    findings: tuple[tuple[int, int, str], ...] = Field(
        (), description="Start, stop and class of findings whose frames are embedded whatever their scores (JSON)."
    )
    index: Path | None = Field(None, description="Saved index of the study (.npz); empty: the study is indexed.")
    numbering: NumberingField = NUMBERING


def run_embed_reid(config: EmbedReidCommand, reporter: Reporter) -> dict[str, Any]:
    """Embed; the result says how many frames were embedded, and from which score on."""
    from training.embeddings.file import EmbeddingFile
    from training.errors import UserError
    from training.reidentification.model import ReidModel
    from training.reidentification.study_vectors import FLOOR_SHARE, embed_flagged
    from training.video import has_fingerprint, saved_or_new_index

    model = ReidModel.open(config.model)  # a damaged folder is reported before torch is imported
    index = saved_or_new_index(config.path, config.index, config.numbering, reporter)
    with EmbeddingFile.open(config.scores) as scores:
        if not has_fingerprint(config.path, scores.header.video_fingerprint):
            raise UserError(
                "{scores} is not of the video {name}.", "Score this video first.", config.scores, config.path.name
            )

        from training.compute.devices import training_device

        found = embed_flagged(
            config.path,
            scores,
            model,
            floor=FLOOR_SHARE * config.threshold,
            findings=config.findings,
            index=index,
            device=training_device(config.device, reporter),
            reporter=EndsAtOnce(reporter),
        )
    found.save(config.out)
    if not len(found.frames):
        reporter.log("The study has no event: no frame reaches the threshold.")
    return {"out": str(config.out), "frames": len(found.frames), "floor": found.floor, "model": model.sha256}
