"""`python -m training embed-clips PATH --model RUN_DIR --out FILE.h5`: the vectors of all clips of a study."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from training.commands.common import CommandConfig, NumberingField
from training.files.kinds import CLIP_FILE
from training.files.marks import OutputFile, OverwriteField
from training.runs.reporter import Reporter
from training.settings import MAX_THREADS
from training.video import NUMBERING


class EmbedClipsCommand(CommandConfig):
    """What to embed with what; see `training.retrieval.embedding.embed_study`."""

    path: Path = Field(description="Video file or folder of images.")
    model: Path = Field(description="Run folder of a pretraining that trains clips (videomae, colo-scrl).")
    out: Annotated[Path, OutputFile(CLIP_FILE)] = Field(description="Clip file to write (HDF5).")
    overwrite: OverwriteField = False
    resume: bool = Field(False, description="Continue an unfinished file, or start a new one if there is none.")
    step: int | None = Field(None, ge=0, description="Stored step of the pretraining; empty: the newest.")
    stride: int | None = Field(
        None, ge=1, le=4096, description="Frames between the starts of two clips; empty: half a clip."
    )
    index: Path | None = Field(None, description="Saved index of the study (.npz); empty: the study is indexed.")
    numbering: NumberingField = NUMBERING
    batch: int = Field(32, ge=1, le=4096, description="Clips per forward pass.")
    threads: int | None = Field(None, ge=1, le=MAX_THREADS, description="CPU threads; empty: chosen by torch.")


def run_embed_clips(config: EmbedClipsCommand, reporter: Reporter) -> dict[str, Any]:
    """Embed; the result is the `EmbeddedStudy` as JSON values. torch is imported here, not with the settings."""
    from training.compute.devices import training_device
    from training.optimisation.pace import threads_for_training
    from training.retrieval.clip_model import open_clip_model
    from training.retrieval.embedding import embed_study
    from training.video import saved_or_new_index

    index = saved_or_new_index(config.path, config.index, config.numbering, reporter)
    model = open_clip_model(config.model, config.step, training_device(config.device, reporter))
    with threads_for_training(config.threads):
        done = embed_study(
            config.path,
            model,
            config.out,
            stride=config.stride or max(1, model.length // 2),
            resume=config.resume,
            index=index,
            batch=config.batch,
            reporter=reporter,
        )
    return asdict(done) | {"path": str(done.path)}
