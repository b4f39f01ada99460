"""What an embedding file must hold: attributes, tables, shapes that agree; checked before anything is mapped."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from training.embeddings.header import EmbeddingHeader, header_of
from training.errors import UserError
from training.files.hdf5 import StoredTable, read_content
from training.files.hdf5_bytes import Hdf5Error
from training.files.inputs import regular_file
from training.texts import Text

MAX_FRAMES = 2**31
MAX_WIDTH = 2**16
"""Numbers in one embedding."""
MAX_CAM_SIDE = 256

# Which types a table may have, and its number of dimensions.
_TABLES: dict[str, tuple[tuple[str, ...], int]] = {
    "frame_index": (("<i8",), 1),
    "video_seconds": (("<f8",), 1),
    "embeddings": (("<f2", "<f4"), 2),
    "mean_color": (("|u1",), 2),
    "scores": (("<f4",), 2),
    "cams": (("<f2",), 4),
    "same_as": (("<i8",), 1),
}
_REQUIRED = ("frame_index", "video_seconds", "embeddings")


@dataclass(frozen=True)
class EmbeddingContents:
    """Header, progress and the places of the tables; all of it agrees."""

    header: EmbeddingHeader
    frames_done: int
    is_complete: bool
    tables: Mapping[str, StoredTable]

    @property
    def frames(self) -> int:
        """N"""
        return self.tables["frame_index"].shape[0]


def open_unbuffered(path: Path) -> BinaryIO:
    """Open an embedding file for reading.

    Raises:
        UserError: it is no regular file, or cannot be read.
    """
    regular_file(path, "embedding file")
    try:
        return path.open("rb", buffering=0)
    except OSError as error:
        raise UserError(
            "{path} cannot be read ({reason}).", "Check the file.", path, error.strerror or error
        ) from error


def read_contents(file: BinaryIO, path: Path) -> EmbeddingContents:
    """Check an open embedding file and say where its tables lie.

    Raises:
        UserError: damaged, no embedding file, of a newer format, or with tables of another kind than this program
            writes.
    """
    try:
        content = read_content(file, os.fstat(file.fileno()).st_size, _TABLES)
        header = header_of(content.attributes, path)
        done, complete = content.attributes.get("frames_done", 0), content.attributes.get("complete", False)
        if type(done) is not int or type(complete) is not bool:
            raise Hdf5Error("its progress is of a wrong type")
        contents = EmbeddingContents(header, done, complete, content.tables)
        _check(contents)
        return contents
    except (Hdf5Error, OSError) as error:
        raise UserError(
            "{path} is not a readable HDF5 file: {error}.", "Score the study again.", path, error
        ) from error


def check_numbers(frame_index: NDArray[np.int64], video_seconds: NDArray[np.float64], path: Path) -> None:
    """Frames ascend from 0 or later, and their times are numbers; (N,) both.

    Raises:
        UserError: they do not.
    """
    if len(frame_index) and (frame_index[0] < 0 or frame_index[-1] >= MAX_FRAMES or (np.diff(frame_index) <= 0).any()):
        raise UserError("{path} is damaged: its frame_index is not ascending.", "Score the study again.", path)
    if not np.isfinite(video_seconds).all():
        raise UserError("{path} is damaged: its video_seconds are not finite.", "Score the study again.", path)


def _check(contents: EmbeddingContents) -> None:
    for name in _REQUIRED:
        if name not in contents.tables:
            raise Hdf5Error(Text("it has no table {name}", name))
    for name, table in contents.tables.items():
        kinds, rank = _TABLES[name]
        if table.dtype.str not in kinds or len(table.shape) != rank:
            raise Hdf5Error(
                Text("{name} is {dtype} of {count} dimensions, which is wrong", name, table.dtype, len(table.shape))
            )
        if table.shape[0] != contents.frames:
            raise Hdf5Error(
                Text("{name} has {shape:,} rows for {frames:,} frames", name, table.shape[0], contents.frames)
            )
    if contents.frames > MAX_FRAMES or not 0 <= contents.frames_done <= contents.frames:
        raise Hdf5Error("the number of its frames is wrong")
    if not 1 <= contents.tables["embeddings"].shape[1] <= MAX_WIDTH:
        raise Hdf5Error("the length of its embeddings is wrong")
    _check_classes(contents)


def _check_classes(contents: EmbeddingContents) -> None:
    """Scores and CAMs have a column for each class; a colour has three."""
    classes = len(contents.header.classes)
    wanted: dict[str, tuple[int, ...]] = {"scores": (classes,), "mean_color": (3,)}
    if "cams" in contents.tables:
        side = contents.tables["cams"].shape[2]
        wanted["cams"] = (classes, min(side, MAX_CAM_SIDE), min(side, MAX_CAM_SIDE))
    for name, columns in wanted.items():
        if name in contents.tables and contents.tables[name].shape[1:] != columns:
            raise Hdf5Error(Text("{name} is of a wrong shape", name))
