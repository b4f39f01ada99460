"""Scoring a study: a model over all of its frames, into an embedding file that can be resumed.

New scores of a study from its stored embeddings: no video is read, and no torch is needed.
"""

import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.compute.plan import ComputePlan, DeviceName, choose_plan, fastest_batch, inference_device, one_blas_thread
from training.embeddings.chunk import EmbeddingChunk, EmbeddingLayout, Storage, joined
from training.embeddings.file import EmbeddingFile
from training.embeddings.header import SCHEMA_VERSION, EmbeddingHeader
from training.embeddings.stored import made_by
from training.embeddings.writer import EmbeddingWriter, partial_header, partial_path
from training.errors import UserError
from training.indicators import INDICATORS
from training.inference.engine import Engine, open_engine
from training.inference.pipeline import BatchScorer, score_frames
from training.inference.scores_so_far import NAME, payloads
from training.models.folder import ModelFolder
from training.models.inference_network import InferenceNetwork, network_of_model
from training.models.linear_classifier import network_digests, read_classifier
from training.runs.reporter import Reporter, SilentReporter
from training.texts import Text
from training.video import FieldOfView, FrameIndex, FrameSource, has_fingerprint, open_source, study_field_of_view

WRITE_SECONDS = 2.0
"""How often rows go to disk, and so how much work being killed can cost."""
PREPARATION_VERSION = 1


@dataclass(frozen=True)
class ScoreSummary:
    """What a scoring did."""

    out: Path
    frames: int
    """Of the study."""
    frames_done: int
    """On disk."""
    missing: int
    """Frames that were met now and do not decode."""
    complete: bool
    device: str
    precision: str
    seconds: float
    frames_per_second: float
    """Over the frames of this call."""


def score_study(
    path: Path,
    model: ModelFolder | InferenceNetwork,
    out: Path,
    *,
    device: DeviceName = "auto",
    resume: bool = False,
    batch: int | None = None,
    precision: str = "auto",
    storage: Storage = "float16",
    components: Path | None = None,
    index: FrameIndex | None = None,
    reporter: Reporter | None = None,
    engine_of: Callable[[InferenceNetwork, ComputePlan, Callable[[str], None]], Engine] = open_engine,
) -> ScoreSummary:
    """Score every frame of `path` into the embedding file `out`; a pretraining gives embeddings and nothing else.

    A stop keeps what is done in `<out>.partial`; with `resume` it continues there, or begins where there is none.
    `engine_of` opens the engine, or returns one that is loaded; `components` are those of `EmbeddingWriter.finish`.

    Raises:
        UserError: study, model or folder cannot be used, the disk is full, or the file is of other settings.
        Cancelled: the reporter asked to end at once; what is on disk can be resumed.
    """
    reporter = reporter or SilentReporter()
    network = network_of_model(model) if isinstance(model, ModelFolder) else model
    with open_source(path, index=index) as source:
        stored = _stored_header(out) if resume else None
        chosen, note = inference_device(device)
        batch = batch or fastest_batch(chosen, network.backbone, network.input_size)
        plan = choose_plan(chosen, batch=batch, precision=stored.precision if stored else precision)
        with ThreadPoolExecutor(1) as pool:  # one core compiles while another one decodes
            opening = pool.submit(engine_of, network, plan, reporter.log)
            view = _field_of_view(source, stored, reporter)
        engine = opening.result()
        plan = engine.plan
        header = _header(source, network, view, plan, storage, stored)
        if (
            resume
            and out.is_file()
            and not partial_path(out).is_file()
            and (done := _finished(out, header, network, plan))
        ):
            reporter.log(Text("{name} is already finished.", out.name))
            return done
        for line in filter(None, (note, Text("Scoring on {plan}.", plan))):
            reporter.log(line)
        with _writer(out, source, header, network, resume, reporter) as writer:
            return _score(source, writer, BatchScorer(engine, view, writer.header.tracks), components, reporter)


def _score(
    source: FrameSource,
    writer: EmbeddingWriter,
    scorer: BatchScorer,
    components: Path | None,
    reporter: Reporter,
) -> ScoreSummary:
    started, first, missing = time.monotonic(), writer.frames_done, 0
    _report(reporter, writer, 0, writer.scores_done())
    with closing(score_frames(source, first, scorer)) as chunks:
        waiting: list[EmbeddingChunk] = []
        scored, written_seconds = first, started
        for chunk in chunks:
            reporter.check()
            waiting.append(chunk)
            _report(reporter, writer, scored, chunk.scores)
            scored += len(chunk)
            missing += int(np.isnan(chunk.embeddings[:, 0]).sum())
            if time.monotonic() - written_seconds >= WRITE_SECONDS or reporter.stop_requested:
                _write(writer, waiting)
                written_seconds = time.monotonic()
            reporter.progress(scored, writer.frame_count, "frames", "scoring" if writer.header.classes else "embedding")
            if reporter.stop_requested:
                break
        _write(writer, waiting)
    if writer.is_done:
        with one_blas_thread():  # whatever computes it, the same numbers
            writer.finish(components)
    seconds = time.monotonic() - started
    plan = scorer.engine.plan
    rate = (writer.frames_done - first) / max(seconds, 1e-9)
    return ScoreSummary(
        writer.path,
        writer.frame_count,
        writer.frames_done,
        missing,
        writer.is_done,
        plan.device,
        plan.precision,
        seconds,
        rate,
    )


def _report(reporter: Reporter, writer: EmbeddingWriter, first: int, scores: NDArray[np.floating] | None) -> None:
    """Say the scores (K, C) of the frames from `first` on: the window shows flags before the scoring is finished."""
    if scores is not None:
        for payload in payloads(first, writer.header.classes, scores):
            reporter.partial(NAME, payload)


def _write(writer: EmbeddingWriter, waiting: list[EmbeddingChunk]) -> None:
    """Write the chunks as one and forget them."""
    if waiting:
        writer.append(joined(waiting))
        waiting.clear()


def _writer(
    out: Path,
    source: FrameSource,
    header: EmbeddingHeader,
    model: InferenceNetwork,
    resume: bool,
    reporter: Reporter,
) -> EmbeddingWriter:
    if partial_path(out).is_file():
        if resume:
            writer = EmbeddingWriter.resume(out, header)
            reporter.log(
                Text("Continuing at frame {frames_done:,} of {frame_count:,}.", writer.frames_done, writer.frame_count)
            )
            return writer
        reporter.log(Text("The unfinished scoring in {name} is started again (use --resume to continue it).", out.name))
    cam_size = model.cam_size if model.has_cams else 0
    layout = EmbeddingLayout(len(source), model.embedding_size, len(model.classes), cam_size, len(header.tracks))
    return EmbeddingWriter.create(out, header, layout, source.index.video_seconds)


def _stored_header(out: Path) -> EmbeddingHeader | None:
    """Header of an earlier scoring into `out`, finished or not."""
    if partial_path(out).is_file():
        return partial_header(out)
    if out.is_file():
        with EmbeddingFile.open(out) as file:
            return file.header
    return None


def _finished(out: Path, header: EmbeddingHeader, model: InferenceNetwork, plan: ComputePlan) -> ScoreSummary | None:
    """The summary of a finished file that is what would be written now; None if only CAMs or tracks are missing."""
    with EmbeddingFile.open(out) as file:
        difference = header.difference(file.header)
        if not difference and ((model.has_cams and file.cams is None) or header.tracks != file.header.tracks):
            return None
        count, missing = len(file), int(file.missing.sum())
    if difference:
        raise UserError(
            "{out} was written with {difference}.", "Start it without --resume to score again.", out, difference
        )
    return ScoreSummary(out, count, count, missing, True, plan.device, plan.precision, 0.0, 0.0)


def _field_of_view(source: FrameSource, stored: EmbeddingHeader | None, reporter: Reporter) -> FieldOfView:
    """The study's field of view; for a resumed file the stored one."""
    if stored and stored.video_fingerprint == source.index.fingerprint:
        try:
            return FieldOfView.from_json(json.loads(stored.preprocessing)["field_of_view"])
        except (ValueError, KeyError) as error:
            raise UserError(
                "The unfinished file does not store the field of view.", "Start again without --resume."
            ) from error
    reporter.progress(0, len(source), "frames", "scoring")
    return study_field_of_view(source)


def _header(
    source: FrameSource,
    model: InferenceNetwork,
    view: FieldOfView,
    plan: ComputePlan,
    storage: Storage,
    stored: EmbeddingHeader | None,
) -> EmbeddingHeader:
    """What is written of a scoring; of a resumed one also what an older version wrote of frames that share a row."""
    older = json.loads(stored.preprocessing) if stored else {}
    preprocessing: dict[str, Any] = {
        "version": PREPARATION_VERSION,
        "input_size": model.input_size,
        "mean": model.mean,
        "std": model.std,
        "field_of_view": view.to_json(),
        **{name: value for name, value in older.items() if name == "scenes"},
    }
    return EmbeddingHeader(
        schema_version=stored.schema_version if stored else SCHEMA_VERSION[storage],
        model_id=model.model_id,
        model_sha256=model.sha256,
        classes=model.classes,
        tracks=tuple(INDICATORS),
        space=model.space,
        precision=plan.precision,
        preprocessing=json.dumps(preprocessing),
        video_fingerprint=source.index.fingerprint,
        video_path="",
        created_utc=datetime.now(UTC).isoformat(timespec="seconds"),
    )


ROWS = 8192
"""Rows that are scored and written together."""


def open_reusable(path: Path, model: ModelFolder, video: Path) -> EmbeddingFile:
    """An embedding file of a study by a model's network: by the model itself, or by one with another classifier.

    Args:
        path: the file.
        model: whose scores are wanted.
        video: the study's video.

    Raises:
        UserError: the file is damaged or unfinished, of another study, of another network, or not of every frame.
    """
    file = EmbeddingFile.open(path)
    try:
        if not made_by(file, model.config, network_digests(model)):
            raise UserError("{name} was written with another model.", "The study is scored from its video.", path.name)
        if not has_fingerprint(video, file.header.video_fingerprint):
            raise UserError("{name} is of another video.", "The study is scored from its video.", path.name)
        has_colors = file.mean_color is not None or model.config.is_imported
        if file.frame_index[-1] != len(file) - 1 or not has_colors:
            raise UserError("{name} does not hold every frame.", "The study is scored from its video.", path.name)
    except BaseException:
        file.close()
        raise
    return file


def rescore(file: EmbeddingFile, model: ModelFolder, out: Path, reporter: Reporter) -> int:
    """Write the embedding file of a model from that of a model with the same network; returns the number of frames.

    Embeddings, colours, tracks and times are copied; scores come from one matrix product, in float32. There are no
    CAMs: these need the last feature map, which is not stored.

    Args:
        file: from `open_reusable`; stays as it is.
        model: whose scores are wanted.
        out: file to write; one of this name stays readable until the new one is finished.
        reporter: may cancel between two blocks of rows.

    Raises:
        UserError: the weights cannot be read, or the disk is full.
        Cancelled: the reporter asked to end.
    """
    classifier = read_classifier(model)
    tracks = file.track_codes
    layout = EmbeddingLayout(
        len(file),
        file.embeddings.shape[1],
        len(model.config.classes),
        tracks=len(file.header.tracks),
        has_colors=file.mean_color is not None,
    )
    # Not under the name of an unfinished scoring of the video, which can be resumed.
    beside = out.with_name(f"{out.name}.rescored")
    result = {
        "model_id": model.config.model_id,
        "model_sha256": model.sha256,
        "classes": model.config.classes,
        "video_path": "",
        "created_utc": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    header = file.header.model_copy(update=result)
    try:
        with one_blas_thread(), EmbeddingWriter.create(beside, header, layout, file.video_seconds) as writer:
            while not writer.is_done:
                reporter.check()
                part = slice(writer.frames_done, writer.frames_done + ROWS)
                embeddings = np.asarray(file.embeddings[part])
                colors = None if file.mean_color is None else file.mean_color[part]
                scores = classifier.scores(embeddings, model.config.scores)
                shares = None if tracks is None else tracks[part]
                writer.append(EmbeddingChunk(embeddings, colors, scores, tracks=shares))
                reporter.progress(writer.frames_done, len(file), "frames", "scoring stored embeddings")
            writer.finish(file.components)
        beside.replace(out)
    finally:
        partial_path(beside).unlink(missing_ok=True)
    return len(file)
