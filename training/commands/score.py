"""Commands that run a model over a study, or import what one gave: `score`, `embed-clips`, `embed-reid`, `explain`."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, model_validator

from training.commands.common import CommandConfig, NumberingField
from training.datasets.synthetic import SYNTHETIC_ONLY, is_synthetic
from training.errors import UserError
from training.files import kinds, marks
from training.metrics.events import THRESHOLD
from training.runs.reporter import EndsAtOnce, Reporter
from training.settings import MAX_THREADS, Items, Only
from training.texts import Text
from training.version import NUMBERING

if TYPE_CHECKING:
    from training.compute.plan import ComputePlan
    from training.inference.engine import Engine
    from training.models.folder import ModelFolder
    from training.models.inference_network import InferenceNetwork


class ScoreCommand(CommandConfig):
    """What to score with what; see `training.inference.score.score_study`."""

    only = (Only("index,numbering,reuse", "path"),)

    path: Path | None = Field(None, description="Video file or folder of images.")
    studies: Path | None = Field(None, description="Manifest (JSON) of studies to score, instead of a path.")
    model: Path = Field(description="Model folder, or run folder of a fine-tuning or a pretraining.")
    out: Annotated[Path, marks.OutputFile(kinds.EMBEDDING_FILE, folder_with="studies")] = Field(
        description="Embedding file to write (HDF5); with a manifest a folder, with a file for each study."
    )
    overwrite: marks.OverwriteField = False
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
    batch: int | None = Field(None, ge=1, le=4096, description="Frames per forward pass; empty: the fastest number.")
    scenes: bool = Field(True, description="No effect; accepted so that commands for older versions still run.")
    precision: Literal["auto", "float32", "bfloat16", "float16"] = Field(
        "auto", description="Precision of the forward passes; auto: the fastest that the device supports."
    )
    storage: Literal["float16", "int8", "int8-pca"] = Field(
        "float16",
        description="How embeddings are stored; int8, with a scale for each frame, takes half the space, int8-pca, of "
        "principal components, a quarter (scores and CAMs included).",
    )
    components: Path | None = Field(
        None,
        description="Folder that keeps the principal components of int8-pca, which the first study of a model gives; "
        "empty: each study has its own. Files that share them are searched faster.",
    )

    @model_validator(mode="after")
    def _check_studies(self) -> "ScoreCommand":
        if (self.path is None) == (self.studies is None):
            raise ValueError(Text("give a study or a manifest of studies"))
        return self


def run_score(config: ScoreCommand, reporter: Reporter) -> dict[str, Any]:
    """Score; the result is the `ScoreSummary` as JSON values. torch is imported here, not with the settings."""
    from training.commands.score_studies import score_studies

    if config.path is None:
        return score_studies(config, reporter)
    return _score_path(config, config.path, reporter)


def _score_path(config: ScoreCommand, path: Path, reporter: Reporter) -> dict[str, Any]:
    from training.models.folder import ModelFolder
    from training.pretraining.pretrained import Pretrained, is_pretraining
    from training.video import saved_or_new_index

    # A damaged folder is reported before torch is imported, which takes seconds.
    if is_pretraining(config.model):
        Pretrained.open(config.model, config.step)
    else:
        model = ModelFolder.open(config.model)
        if model.card.get("trained_on") == "synthetic" and not is_synthetic(path):
            reporter.log(
                Text(
                    "{synthetic_only}: {name}. Its scores of real studies mean little.",
                    SYNTHETIC_ONLY,
                    config.model.name,
                )
            )
        if (rescored := _rescored(model, config, path, reporter)) is not None:
            return rescored
        model.need_network()
    index = saved_or_new_index(path, config.index, config.numbering, reporter)
    for note in () if config.index else index.notes:
        reporter.log(note)

    from training.inference.score import score_study

    summary = score_study(
        path,
        _network(config.model, config.space, config.step),
        config.out,
        device=config.device,
        resume=config.resume,
        batch=config.batch,
        precision=config.precision,
        storage=config.storage,
        components=config.components,
        index=index,
        reporter=reporter,
        engine_of=_engine,
    )
    return asdict(summary) | {"out": str(summary.out)}


def _rescored(model: "ModelFolder", config: ScoreCommand, path: Path, reporter: Reporter) -> dict[str, Any] | None:
    """The result of scoring stored embeddings; None where there are none that can be used, which is logged."""
    from training.embeddings.file import EmbeddingFile
    from training.inference.score import open_reusable, rescore

    if config.reuse is None:
        return None
    with suppress(UserError), EmbeddingFile.open(config.out) as scored:
        if scored.header.model_sha256 == model.sha256:  # finished scores by this model, which may have CAMs
            return None
    started = time.monotonic()
    try:
        file = open_reusable(config.reuse, model, path)
    except UserError as error:
        reporter.log(Text("Stored embeddings are not used: {message}", error.message))
        return None
    with file:
        count, missing = rescore(file, model, config.out, EndsAtOnce(reporter)), int(file.missing.sum())
    seconds = time.monotonic() - started
    result = {"out": str(config.out), "frames": count, "frames_done": count, "missing": missing, "complete": True}
    return {**result, "device": "cpu", "precision": file.header.precision, "seconds": seconds,
            "frames_per_second": count / max(seconds, 1e-9)}  # fmt: skip


@lru_cache(maxsize=1)
def _network(model: Path, space: Literal["backbone", "projection"], step: int | None) -> "InferenceNetwork":
    """The network; the last one stays, for a process that scores many studies."""
    from training.pretraining.pretrained import open_network

    return open_network(model, space, step)


_engines: dict["ComputePlan", "Engine"] = {}


def _engine(network: "InferenceNetwork", plan: "ComputePlan", log: Callable[[str], None]) -> "Engine":
    """The engine of a network; the last one stays."""
    from training.inference.engine import open_engine

    if plan not in _engines or _engines[plan].network is not network:
        _engines.clear()
        _engines[plan] = open_engine(network, plan, log)
    return _engines[plan]


class ImportCommand(CommandConfig):
    """What to import; see `training.embeddings.importing.import_table`."""

    path: Path = Field(description="Video file or folder of images.")
    table: Path = Field(
        description="Embeddings or scores of its frames (.npy, .npz, .h5, .parquet, .csv), by frame_index or seconds."
    )
    model: Annotated[Path, marks.OutputFolder("model folder")] = Field(
        description="Folder of the model that they are of; made by the first import. Its name is the model's."
    )
    out: Annotated[Path, marks.OutputFile(kinds.EMBEDDING_FILE)] = Field(description="Embedding file to write (HDF5).")
    overwrite: marks.OverwriteField = False
    like: Path | None = Field(
        None, description="Embedding file of this study by another model, whose colours and tracks are copied."
    )
    classes: Items[str] = Field(
        (), description="Classes that the scores may be of, in capitals or not; empty: any classes."
    )
    names: dict[str, str] = Field({}, description="Classes of the table that have another name here (JSON).")
    index: Path | None = Field(None, description="Saved index of the study (.npz); empty: the study is indexed.")
    numbering: NumberingField = NUMBERING


def run_import(config: ImportCommand, reporter: Reporter) -> dict[str, Any]:
    """Import; the result names file and model."""
    from training.embeddings.importing import import_table, renamed
    from training.embeddings.own_table import open_table
    from training.video import saved_or_new_index

    index = saved_or_new_index(config.path, config.index, config.numbering, reporter)
    table = renamed(open_table(config.table), config.names, config.classes)
    return import_table(table, index, config.model, config.out, EndsAtOnce(reporter), config.like)


class EmbedClipsCommand(CommandConfig):
    """What to embed with what; see `training.retrieval.embedding.embed_study`."""

    path: Path = Field(description="Video file or folder of images.")
    model: Path = Field(description="Run folder of a pretraining that trains clips (videomae, colo-scrl).")
    out: Annotated[Path, marks.OutputFile(kinds.CLIP_FILE)] = Field(description="Clip file to write (HDF5).")
    overwrite: marks.OverwriteField = False
    resume: bool = Field(False, description="Continue an unfinished file, or start a new one if there is none.")
    step: int | None = Field(None, ge=0, description="Stored step of the pretraining; empty: the newest.")
    stride: int | None = Field(None, ge=1, le=4096, description="Frames between the starts of two clips; empty: half.")
    index: Path | None = Field(None, description="Saved index of the study (.npz); empty: the study is indexed.")
    numbering: NumberingField = NUMBERING
    batch: int = Field(32, ge=1, le=4096, description="Clips per forward pass.")
    threads: int | None = Field(None, ge=1, le=MAX_THREADS, description="CPU threads; empty: chosen by torch.")


def run_embed_clips(config: EmbedClipsCommand, reporter: Reporter) -> dict[str, Any]:
    """Embed; the result is the `EmbeddedStudy` as JSON values. torch is imported here, not with the settings."""
    from training.compute.devices import training_device
    from training.optimisation.pace import threads_for_training
    from training.retrieval.embedding import embed_study, open_clip_model
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


class EmbedReidCommand(CommandConfig):
    """What to embed with what; see `training.reidentification.study_vectors`."""

    path: Path = Field(description="Video file or folder of images.")
    scores: Path = Field(description="Embedding file with the scores of the study (HDF5).")
    model: Path = Field(description="Re-identification model: a run folder of train-reid, or a model folder.")
    out: Annotated[Path, marks.OutputFile(kinds.REID_FILE)] = Field(description="File to write (safetensors).")
    overwrite: marks.OverwriteField = False
    threshold: float = Field(
        THRESHOLD,
        ge=0,
        le=1,
        description="Frames with half of this score are embedded, so that the threshold can be lowered later.",
    )
    floors: dict[str, float] = Field(
        {}, description="Lowest score of a class whose frames are embedded, where it has one of its own (JSON)."
    )
    findings: tuple[tuple[int, int, str], ...] = Field(
        (), description="Start, stop and class of findings whose frames are embedded whatever their scores (JSON)."
    )
    index: Path | None = Field(None, description="Saved index of the study (.npz); empty: the study is indexed.")
    numbering: NumberingField = NUMBERING


def run_embed_reid(config: EmbedReidCommand, reporter: Reporter) -> dict[str, Any]:
    """Embed; the result says how many frames were embedded, and from which score on."""
    from training.embeddings.file import EmbeddingFile
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

        result = embed_flagged(
            config.path,
            scores,
            model,
            floor=FLOOR_SHARE * config.threshold,
            floors=config.floors,
            findings=config.findings,
            index=index,
            device=training_device(config.device, reporter),
            reporter=EndsAtOnce(reporter),
        )
    result.save(config.out)
    if not len(result.frames):
        reporter.log("The study has no event: no frame reaches the threshold.")
    return {"out": str(config.out), "frames": len(result.frames), "floor": result.floor, "model": model.sha256}


class ExplainCommand(CommandConfig):
    """Which frame to explain; see `training.inference.explain_picture`."""

    only = (
        Only("layer", "method", ("score-cam", "quick")),
        Only("class_name", "method", ("cam", "score-cam", "quick")),
    )

    path: Path = Field(description="Video file or folder of images.")
    frame: int = Field(ge=0, description="Frame number, counted from 0.")
    model: Path = Field(description="Model folder, or run folder of a fine-tuning or a pretraining.")
    out: Annotated[Path, marks.OutputFile(kinds.EXPLANATION_PNG)] = Field(description="Picture to write (PNG).")
    overwrite: marks.OverwriteField = False
    class_name: str = Field("", description="Class to explain; empty: the one with the highest score, normal excluded.")
    method: Literal["cam", "score-cam", "quick", "prior-grid"] = Field(
        "cam", description="CAM, exact Score-CAM, quick Score-CAM, or likeness to the prior view (pgcon, wincon)."
    )
    layer: str = Field("layer4", description="Layer that Score-CAM explains: layer1 to layer4.")
    index: Path | None = Field(None, description="Saved index of the study (.npz); empty: the study is indexed.")
    numbering: NumberingField = NUMBERING


def run_explain(config: ExplainCommand, reporter: Reporter) -> dict[str, Any]:
    """Explain; the result names the picture, the method, the class and all scores."""
    from training.video import saved_or_new_index

    index = saved_or_new_index(config.path, config.index, config.numbering, reporter)

    from training.compute.plan import inference_device
    from training.inference.explain_picture import explain_frame
    from training.inference.explained_model import ExplainedModel
    from training.inference.explanation import LAST_LAYER

    note = inference_device(config.device)[1]
    if note:
        reporter.log(note)
    model = ExplainedModel.open(config.model, device=config.device)
    explained = explain_frame(
        config.path,
        config.frame,
        model,
        config.out,
        config.method,
        class_name=config.class_name,
        layer=config.layer,
        index=index,
        reporter=reporter,
    )
    result = {"out": str(config.out), "frame": config.frame, "method": config.method}
    if explained.layer != LAST_LAYER:
        result["layer"] = explained.layer
    return result | {
        "class": explained.class_name,
        "scores": dict(explained.scores),
        "agreement": explained.agreement,
        "model": explained.model_id,
    }
