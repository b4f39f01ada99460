"""What an embedding file says of itself: whose frames, which model, which calculation.

What an embedding file must hold: attributes, tables, shapes that agree; checked before anything is mapped.
"""

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, ValidationError

from training.embeddings.chunk import Storage
from training.errors import UserError
from training.files import hdf5, inputs, json_text
from training.files.hdf5_bytes import Hdf5Error
from training.texts import Text

SCHEMA_VERSION: dict[Storage, int] = {"float16": 1, "int8": 2, "int8-pca": 3}
"""Of the file's layout, by how embeddings are stored; a reader refuses a newer one."""
CALCULATION_VERSION = 1
"""Of how the numbers come about; grows when the same model would give other numbers."""

Header = TypeVar("Header", bound=BaseModel)


class OtherRecordingError(UserError):
    """The embeddings are those of another recording than they are opened for."""


class EmbeddingHeader(BaseModel):
    """The attributes of an embedding file, apart from `frames_done` and `complete`; frozen."""

    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=())

    schema_version: int = SCHEMA_VERSION["float16"]
    calculation_version: int = CALCULATION_VERSION
    model_id: str
    model_sha256: str
    """Of the model's weights file."""
    classes: tuple[str, ...]
    """Names of the scores' columns; empty where the model has no classifier."""
    tracks: tuple[str, ...] = ()
    """Names of the tracks' columns (`training.indicators`); empty in files of older versions."""
    space: Literal["backbone", "projection"] = "backbone"
    normalized: bool = False
    """Whether every embedding has length 1."""
    precision: str = "float32"
    """What the forward passes were computed in: float32, bfloat16 or float16."""
    preprocessing: str
    """JSON: how a frame became an input (size, mean, std, field of view)."""
    video_fingerprint: str
    video_path: str
    """Empty: names of files may name patients. Older versions wrote where the video lay when it was scored."""
    created_utc: str
    """ISO 8601."""
    components: str = ""
    """Digest of the table of this name; empty where there is none."""

    @property
    def storage(self) -> Storage:
        """How embeddings are stored."""
        return next((name for name, version in SCHEMA_VERSION.items() if version == self.schema_version), "float16")

    def difference(self, other: Self) -> str:
        """The first thing in which two files' numbers would differ, in words; "" where none would."""
        for name, words in _IDENTITY.items():
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine != theirs:
                return (
                    Text("{words} ({theirs} then, {mine} now)", words, theirs, mine)
                    if len(f"{mine}{theirs}") < 80
                    else words
                )
        return ""


_IDENTITY = {
    "video_fingerprint": "another video",
    "model_sha256": "another model",
    "model_id": "a model of another name",
    "classes": "other classes",
    "space": "another space",
    "normalized": "another normalisation",
    "precision": "another precision",
    "preprocessing": "another preprocessing",
    "calculation_version": "another version of the calculation",
    "schema_version": "another version of the file format",
}


def write_attributes(file: Any, header: EmbeddingHeader, frames_done: int | None = None) -> None:
    """Write the header onto an open `h5py.File`: of a complete one of so many frames, or with an empty progress."""
    import h5py

    for name, value in header.model_dump().items():
        if isinstance(value, tuple):
            file.attrs.create(name, list(value), shape=(len(value),), dtype=h5py.string_dtype())
        else:
            file.attrs[name] = value
    file.attrs["frames_done"] = np.int64(frames_done or 0)
    file.attrs["complete"] = np.bool_(frames_done is not None)


def header_among(
    attributes: Mapping[str, Any], path: Path, kind: type[Header], version: str, newest: int, what: str, again: str
) -> Header:
    """The header of this kind among a file's attributes.

    Args:
        attributes: of the file.
        path: of the file.
        kind: of the header.
        version: name of its field of the layout's version.
        newest: version that is read.
        what: the file holds, for the sentences.
        again: how to make the file again.

    Raises:
        UserError: the file is of a newer layout, or holds something else.
    """
    given = attributes.get(version)
    if type(given) is not int:
        raise UserError(Text("{path} is an HDF5 file without {what}.", path, Text(what)), again)
    if given > newest:
        raise UserError(
            "{path} was written by a newer version of this program (file format {version}, this one knows "
            "{schema_version}).",
            "Update the program, or make the file again.",
            path,
            given,
            newest,
        )
    try:
        values = {name: attributes[name] for name in kind.model_fields if name in attributes}
        return kind.model_validate(values, strict=True)
    except ValidationError as error:
        where = error.errors()[0]["loc"][0]
        raise UserError(Text("{path}: the attribute {where} is missing or wrong.", path, where), again) from error


def check_tables(
    tables: Mapping[str, hdf5.StoredTable], kinds: Mapping[str, tuple[tuple[str, ...], int]], needed: Collection[str]
) -> None:
    """Raise `Hdf5Error` where a needed table is not there, or one has another type or number of dimensions."""
    for name in needed:
        if name not in tables:
            raise Hdf5Error(Text("it has no table {name}", name))
    for name, table in tables.items():
        types, rank = kinds[name]
        if table.dtype.str not in types or len(table.shape) != rank:
            raise Hdf5Error(
                Text("{name} is {dtype} of {count} dimensions, which is wrong", name, table.dtype, len(table.shape))
            )


def check_recording(path: Path, fingerprint: str, recording: str) -> None:
    """Refuse a file that was computed from another recording.

    Args:
        path: the file.
        fingerprint: of the recording that it was computed from; empty in files without one.
        recording: fingerprint of the wanted recording; empty where it is unknown.

    Raises:
        OtherRecordingError: both are known and differ.
    """
    if fingerprint and recording and fingerprint != recording:
        raise OtherRecordingError("The scores in {path} belong to another recording.", "Score the study again.", path)


MAX_FRAMES = 2**31
MAX_WIDTH = 2**16
"""Numbers in one embedding."""
MAX_CAM_SIDE = 256

# Which types a table may have, and its number of dimensions.
_TABLES: dict[str, tuple[tuple[str, ...], int]] = {
    "frame_index": (("<i8",), 1),
    "video_seconds": (("<f8",), 1),
    "embeddings": (("<f2", "<f4", "|i1"), 2),
    "scales": (("<f4",), 2),
    "components": (("<f2",), 2),
    "mean_color": (("|u1",), 2),
    "scores": (("<f4",), 2),
    "tracks": (("|u1",), 2),
    "cams": (("<f2",), 4),
    "same_as": (("<i8",), 1),  # of older versions, which let similar frames share a row; not read
}


@dataclass(frozen=True)
class EmbeddingContents:
    """Header, progress and the places of the tables; all of it agrees."""

    header: EmbeddingHeader
    frames_done: int
    is_complete: bool
    tables: Mapping[str, hdf5.StoredTable]

    @property
    def frames(self) -> int:
        """N"""
        return self.tables["frame_index"].shape[0]


def open_unbuffered(path: Path) -> BinaryIO:
    """Open an embedding file for reading.

    Raises:
        UserError: it is no regular file, or cannot be read.
    """
    inputs.regular_file(path, "embedding file")
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
        content = hdf5.read_content(file, os.fstat(file.fileno()).st_size, _TABLES)
        header = header_among(
            content.attributes,
            path,
            EmbeddingHeader,
            "schema_version",
            max(SCHEMA_VERSION.values()),
            "embeddings",
            "Score the study again.",
        )
        try:
            is_object = isinstance(json_text.parse_json(header.preprocessing), dict)
        except ValueError:
            is_object = False
        if not is_object:
            raise UserError("{path}: the attribute preprocessing is not a JSON object.", "Score the study again.", path)
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
    check_tables(contents.tables, _TABLES, ("frame_index", "video_seconds", "embeddings"))
    if contents.tables["embeddings"].dtype == np.int8 and "scales" not in contents.tables:
        raise Hdf5Error(Text("it has no table {name}", "scales"))
    components, width = contents.tables.get("components"), contents.tables["embeddings"].shape[1]
    if components is None:
        if contents.header.components:
            raise Hdf5Error(Text("it has no table {name}", "components"))
    elif components.shape[0] != width + 1 or components.shape[1] > MAX_WIDTH or "scales" not in contents.tables:
        raise Hdf5Error(Text("{name} is of a wrong shape", "components"))
    for name, table in contents.tables.items():
        if table.shape[0] != contents.frames and name != "components":
            raise Hdf5Error(
                Text("{name} has {shape:,} rows for {frames:,} frames", name, table.shape[0], contents.frames)
            )
    if contents.frames > MAX_FRAMES or not 0 <= contents.frames_done <= contents.frames:
        raise Hdf5Error("the number of its frames is wrong")
    if not 1 <= width <= MAX_WIDTH:
        raise Hdf5Error("the length of its embeddings is wrong")
    # Scores and CAMs have a column for each class, tracks one for each name; a colour has three.
    classes = len(contents.header.classes)
    wanted: dict[str, tuple[int, ...]] = {
        "scores": (classes,),
        "mean_color": (3,),
        "scales": (2,),
        "tracks": (len(contents.header.tracks),),
    }
    if "cams" in contents.tables:
        side = contents.tables["cams"].shape[2]
        wanted["cams"] = (classes, min(side, MAX_CAM_SIDE), min(side, MAX_CAM_SIDE))
    for name, columns in wanted.items():
        if name in contents.tables and contents.tables[name].shape[1:] != columns:
            raise Hdf5Error(Text("{name} is of a wrong shape", name))
