"""Embeddings and scores of other programs: from a table to the embedding file of a study, and their model."""

import json
import secrets
import shutil
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from training.embeddings.chunk import FLOAT16_MAX, EmbeddingChunk, EmbeddingLayout
from training.embeddings.file import SLACK, EmbeddingFile
from training.embeddings.header import MAX_WIDTH, EmbeddingHeader
from training.embeddings.own_table import EXPORT_AGAIN, ROWS, OwnTable
from training.embeddings.writer import EmbeddingWriter, partial_path
from training.errors import UserError
from training.models.config import IMPORTED, NORMAL, ModelConfig, plain_name
from training.models.folder import SUMS, ModelFolder, write_model_folder
from training.runs.reporter import Reporter
from training.settings import shortened, what_is_wrong
from training.texts import Text
from training.video import FrameIndex


def import_table(
    table: OwnTable, index: FrameIndex, model: Path, out: Path, reporter: Reporter, like: Path | None = None
) -> dict[str, Any]:
    """Write the embedding file of a study from a table; returns what was written as JSON values.

    A frame without a row has neither embedding nor score. Scores alone stand for the embeddings, too.

    Args:
        table: see `open_table`.
        index: of the study.
        model: folder of the model that the table is of; made where it is not there yet.
        out: the file to write.
        reporter: may cancel; the model folder is then not made.
        like: an embedding file of this study by another model; its colours, tracks and field of view are copied.

    Raises:
        UserError: the table cannot be read, fits neither study nor model, or holds values that are no embeddings or
            scores.
        Cancelled: the reporter asked to end.
    """
    frames = rows_of_frames(table, index)
    is_new = not (model / SUMS).is_file()
    folder = _new_model(model, table) if is_new else ModelFolder.open(model)
    try:
        _check_model(folder, table)
        with ExitStack() as stack:
            other = _colours(like, index, reporter)
            if other is not None:
                stack.enter_context(other)
            _write(table, frames, folder, index, out, other, reporter)
    except BaseException:
        partial_path(out).unlink(missing_ok=True)
        if is_new:
            shutil.rmtree(model, ignore_errors=True)
        raise
    missing = len(index) - len(frames)
    if missing:
        reporter.log(Text("{count:,} of {frames:,} frames have no row, and so no embedding.", missing, len(index)))
    return {
        "out": str(out),
        "model": str(model),
        "frames": len(index),
        "missing": missing,
        "embedding_size": folder.config.embedding_size,
        "classes": list(folder.config.classes),
    }


def renamed(table: OwnTable, names: Mapping[str, str], known: Collection[str] = ()) -> OwnTable:
    """The table with its classes as they are called here.

    Args:
        names: of classes of the table -> here.
        known: classes that there are here, found in whatever letters; none: any class stays as it is.

    Raises:
        UserError: a class is none of these.
    """
    plain = {plain_name(name): name for name in (*known, NORMAL)}
    classes = [names.get(name) or (plain.get(plain_name(name), "") if known else name) for name in table.classes]
    unknown = [name for name, ours in zip(table.classes, classes, strict=True) if not ours]
    if known and unknown:
        raise UserError(
            "{name} has scores of {unknown}, which is no class here.",
            "Rename the column, add the class first, or name it in a shell: --class THEIRS=OURS. There are {known}.",
            table.path.name,
            shortened(repr(unknown[0])),
            ", ".join(known),
        )
    return replace(table, classes=tuple(classes))


def rows_of_frames(table: OwnTable, index: FrameIndex) -> NDArray[np.int64]:
    """(R,) the frame of each row, ascending.

    Raises:
        UserError: the rows are not those of frames of the study, or not in order.
    """
    count, name = len(index), table.path.name
    if not table.rows:
        raise UserError("{name} has no rows.", EXPORT_AGAIN, name)
    if table.frame_index is None and table.seconds is None:
        if table.rows != count:
            raise UserError(
                "{name} has {rows:,} rows, but the study has {count:,} frames.",
                "Give a row for each frame, or say which frames the rows are of: frame_index or seconds.",
                name,
                table.rows,
                count,
            )
        return np.arange(count)
    frames = _by_number(table, count) if table.frame_index is not None else _by_seconds(table, index)
    steps = np.diff(frames)
    if (steps <= 0).any():
        row = int(np.argmax(steps <= 0)) + 1
        what = "twice" if frames[row] in frames[:row] else "behind a later one"
        raise UserError(
            "{name}, row {row:,}: frame {frame:,} stands there {what}.",
            "Give one row for each frame, in order of the frames.",
            name,
            row,
            int(frames[row]),
            Text(what),
        )
    return frames


def _numbers(values: NDArray[Any], name: str, what: str) -> NDArray[np.float64]:
    if values.dtype.kind not in "iuf" or not np.isfinite(values).all():
        raise UserError("{name}: {what} holds values that are no numbers.", EXPORT_AGAIN, name, what)
    return np.asarray(values, np.float64)


def _by_number(table: OwnTable, count: int) -> NDArray[np.int64]:
    assert table.frame_index is not None
    values = _numbers(table.frame_index, table.path.name, "frame_index")
    wrong = (values != np.floor(values)) | (values < 0) | (values >= count)
    if wrong.any():
        raise UserError(
            "{name} has a row for frame {frame:g}, but the frames of the study are 0 to {last:,}.",
            "Count frames from 0, in the order in which they are shown.",
            table.path.name,
            float(values[wrong][0]),
            count - 1,
        )
    return values.astype(np.int64)


def _by_seconds(table: OwnTable, index: FrameIndex) -> NDArray[np.int64]:
    """The nearest frame, at most half the usual distance of two frames away."""
    assert table.seconds is not None
    values, times = _numbers(table.seconds, table.path.name, "seconds"), index.video_seconds
    after = np.clip(np.searchsorted(times, values), 1, max(1, len(times) - 1))
    frames = after - (values - times[after - 1] <= times[np.minimum(after, len(times) - 1)] - values)
    usual = float(np.median(np.diff(times))) if len(times) > 1 else 0.0
    wrong = np.abs(times[frames] - values) > usual / 2 + 1e-3
    if wrong.any():
        raise UserError(
            "{name} has a row for second {second:.3f}, at which the study has no frame; the nearest is at "
            "{nearest:.3f}.",
            "Give the times of the frames as the video file states them, or frame_index.",
            table.path.name,
            float(values[wrong][0]),
            float(times[frames[wrong][0]]),
        )
    return frames


# The model


def _classes(table: OwnTable) -> tuple[str, ...]:
    """Of the model, normal first."""
    others = tuple(name for name in table.classes if name != NORMAL)
    return (NORMAL, *others) if table.classes else ()


def _new_model(path: Path, table: OwnTable) -> ModelFolder:
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise UserError("{path} is there already, and is no model folder.", "Give another name.", path)
    if table.embedding_size > MAX_WIDTH:
        raise UserError("{name} has more than {limit:,} columns.", EXPORT_AGAIN, table.path.name, MAX_WIDTH)
    if len(set(table.classes)) != len(table.classes):
        raise UserError("{name} names a class twice.", "Give each class one column.", table.path.name)
    try:
        config = ModelConfig(
            model_id=path.name,
            backbone=IMPORTED,
            features=table.embedding_size or len(table.classes),
            classes=_classes(table),
            scores="softmax" if NORMAL in table.classes else "against_normal",
        )
    except ValidationError as error:
        raise UserError(
            "{name} cannot be imported as the model {model}: {why}.",
            "Name the model by letters, digits, points and hyphens, and at least one class besides normal.",
            table.path.name,
            path.name,
            what_is_wrong(error.errors()[0]),
        ) from error
    # Nothing else tells this model's embeddings from those of another one with the same name.
    identity = {"identity": np.frombuffer(secrets.token_bytes(16), np.uint8)}
    about = Text("Embeddings or scores that another program computed were imported. There is no network.")
    return write_model_folder(path, config, identity, {"about": about})


def _check_model(folder: ModelFolder, table: OwnTable) -> None:
    """Raise `UserError` where the table is not of this model."""
    config, name = folder.config, table.path.name
    if not config.is_imported or folder.has_classifier:
        raise UserError(
            "The model {model} computes its scores: none can be imported for it.", "Give another name.", config.model_id
        )
    if _classes(table) != config.classes:
        raise UserError(
            "{name} has the classes {classes}, but the model {model} has {wanted}.",
            "Give the same columns in the same order, or another name.",
            name,
            ", ".join(_classes(table)) or Text("none"),
            config.model_id,
            ", ".join(config.classes) or Text("none"),
        )
    size = table.embedding_size or len(table.classes)
    if size != config.embedding_size:
        raise UserError(
            "{name} has embeddings of {size:,} numbers, but those of the model {model} have {wanted:,}.",
            "Import embeddings of another network under another name.",
            name,
            size,
            config.model_id,
            config.embedding_size,
        )


# The file


def _colours(path: Path | None, index: FrameIndex, reporter: Reporter) -> EmbeddingFile | None:
    """The other file where it can be used."""
    if path is None:
        return None
    try:
        file = EmbeddingFile.open(path, index.fingerprint)
    except UserError as error:
        reporter.log(Text("Stored embeddings are not used: {message}", error.message))
        return None
    if len(file) == len(index) and file.mean_color is not None:
        return file
    file.close()
    return None


def _write(
    table: OwnTable,
    frames: NDArray[np.int64],
    model: ModelFolder,
    index: FrameIndex,
    out: Path,
    other: EmbeddingFile | None,
    reporter: Reporter,
) -> None:
    size, classes = model.config.embedding_size, model.config.classes
    view = json.loads(other.header.preprocessing).get("field_of_view") if other is not None else None
    header = EmbeddingHeader(
        model_id=model.config.model_id,
        model_sha256=model.sha256,
        classes=classes,
        tracks=other.header.tracks if other is not None else (),
        precision="float16",
        preprocessing=json.dumps({IMPORTED: True, **({"field_of_view": view} if view else {})}),
        video_fingerprint=index.fingerprint,
        video_path="",
        created_utc=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    colors = None if other is None else other.mean_color
    codes = None if other is None else other.track_codes
    layout = EmbeddingLayout(len(index), size, len(classes), tracks=len(header.tracks), has_colors=colors is not None)
    with EmbeddingWriter.create(out, header, layout, index.video_seconds) as writer:
        for start, embeddings, scores in _blocks(table, frames, len(index), size, classes):
            reporter.check()
            part = slice(start, start + len(embeddings))
            writer.append(
                EmbeddingChunk(
                    embeddings,
                    None if colors is None else colors[part],
                    scores,
                    tracks=None if codes is None else codes[part],
                )
            )
            reporter.progress(writer.frames_done, len(index), "frames", "importing")
        writer.finish()


def _blocks(
    table: OwnTable, frames: NDArray[np.int64], count: int, size: int, classes: tuple[str, ...]
) -> Iterator[tuple[int, NDArray[np.float32], NDArray[np.float32] | None]]:
    """All frames in order: the first of a block, embeddings (K, D) and scores (K, C); NaN where there is no row."""
    done, row = 0, 0
    for embeddings, scores in table.parts():
        length = len(embeddings if embeddings is not None else scores)  # type: ignore[arg-type]
        places = frames[row : row + length]
        row += length
        checked = None if scores is None else _scores(table, scores, places)
        vectors = checked if embeddings is None else _embeddings(table, embeddings, places)
        assert vectors is not None
        by_class = None if checked is None else _in_order(table.classes, checked)
        stop = count if row >= len(frames) else int(places[-1]) + 1
        for first in range(done, stop, ROWS):
            last = min(first + ROWS, stop)
            here = (places >= first) & (places < last)
            values = np.full((last - first, size), np.nan, np.float32)
            values[places[here] - first] = vectors[here]
            if by_class is not None:
                block = np.full((last - first, len(classes)), np.nan, np.float32)
                block[places[here] - first] = by_class[here]
            yield first, values, block if by_class is not None else None
        done = stop
    if row != len(frames) or done < count:
        raise UserError("{name} ends before its last row.", EXPORT_AGAIN, table.path.name)


def _checked(
    table: OwnTable, values: NDArray[Any], frames: NDArray[np.int64], low: float, high: float, message: str, hint: str
) -> NDArray[np.float32]:
    """(K, columns) as float32; a row of NaN stays.

    Raises:
        UserError: a value is no number, or outside the limits; `message` and `hint` are for these.
    """
    if values.dtype.kind not in "fiu":
        raise UserError(
            "{name} holds values of the type {dtype}.",
            "Save them as float16 or float32.",
            table.path.name,
            str(values.dtype),
        )
    numbers = np.asarray(values, np.float64)
    is_gap = np.isnan(numbers).all(axis=1)
    for is_good, texts in (
        (
            np.isfinite(numbers),
            (
                "{name}: the row of frame {frame:,} has a value that is not finite.",
                "Leave out a frame that has no embedding, or fill its row with NaN.",
            ),
        ),
        ((numbers >= low) & (numbers <= high), (message, hint)),
    ):
        wrong = ~is_good.all(axis=1) & ~is_gap
        if wrong.any():
            raise UserError(*texts, table.path.name, int(frames[wrong][0]))
    return numbers.astype(np.float32)


def _embeddings(table: OwnTable, values: NDArray[Any], frames: NDArray[np.int64]) -> NDArray[np.float32]:
    return _checked(
        table,
        values,
        frames,
        -FLOAT16_MAX,
        FLOAT16_MAX,
        "{name}: the embedding of frame {frame:,} has a value beyond 65,504, which float16 cannot hold.",
        "Divide all embeddings by the same number.",
    )


def _scores(table: OwnTable, values: NDArray[Any], frames: NDArray[np.int64]) -> NDArray[np.float32]:
    checked = _checked(
        table,
        values,
        frames,
        -SLACK,
        1 + SLACK,
        "{name}: a score of frame {frame:,} is not between 0 and 1.",
        "Give probabilities: a sigmoid or softmax of the logits. The columns of an embedding are e0, e1, e2 and so on.",
    )
    return np.clip(checked, 0, 1)


def _in_order(names: tuple[str, ...], scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """(K, C) normal first; where it is not given it is one minus the highest score."""
    others = [place for place, name in enumerate(names) if name != NORMAL]
    normal = scores[:, names.index(NORMAL)] if NORMAL in names else 1 - scores[:, others].max(axis=1)
    return np.column_stack([normal, scores[:, others]])
