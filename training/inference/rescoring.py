"""New scores of a study from its stored embeddings: no video is read, and no torch is needed."""

from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from training.compute.plan import one_blas_thread
from training.embeddings.chunk import EmbeddingChunk, EmbeddingLayout
from training.embeddings.file import EmbeddingFile
from training.embeddings.stored import made_by
from training.embeddings.writer import EmbeddingWriter, partial_path
from training.errors import UserError
from training.models.folder import ModelFolder
from training.models.linear_classifier import network_digests, read_classifier
from training.runs.reporter import Reporter
from training.video import has_fingerprint

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
        if file.frame_index[-1] != len(file) - 1 or file.mean_color is None:
            raise UserError("{name} does not hold every frame.", "The study is scored from its video.", path.name)
    except BaseException:
        file.close()
        raise
    return file


def rescore(file: EmbeddingFile, model: ModelFolder, out: Path, reporter: Reporter) -> int:
    """Write the embedding file of a model from that of a model with the same network; returns the number of frames.

    Embeddings, colours and times are copied; scores are the softmax of one matrix product, in float32. There are no
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
    layout = EmbeddingLayout(
        len(file), file.embeddings.shape[1], len(model.config.classes), has_scenes=file.same_as is not None
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
                same = None if file.same_as is None else file.same_as[part]
                colors = np.asarray(file.mean_color)[part]
                writer.append(EmbeddingChunk(embeddings, colors, classifier.scores(embeddings), same_as=same))
                reporter.progress(writer.frames_done, len(file), "frames", "scoring stored embeddings")
            writer.finish()
        beside.replace(out)
    finally:
        partial_path(beside).unlink(missing_ok=True)
    return len(file)
