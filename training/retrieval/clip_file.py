"""The HDF5 file of a study's clips: their bounds, times and vectors, and which encoder made them.

An unfinished file has the same layout with the clips that are done, and `.partial` behind its name. It is written anew
each time, beside and renamed, so that it can always be opened. It is read without the HDF5 library, like the embedding
file. Importing this module does not import torch.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from training.embeddings.header import check_tables, header_among
from training.embeddings.writer import not_there, partial_path
from training.errors import UserError, writing
from training.files import hdf5, hdf5_bytes, inputs, outputs
from training.retrieval.clips import Clips
from training.texts import Text

SCHEMA_VERSION = 1
"""Of the file's layout; a reader refuses a newer one."""
CALCULATION_VERSION = 1
"""Of how the numbers come about; grows when the same encoder would give other vectors."""
MAX_WIDTH = 2**16
"""Numbers in one vector."""
AGAIN = "Embed the clips again."

# Type and number of dimensions of each table.
_TABLES: dict[str, tuple[tuple[str, ...], int]] = {
    "starts": (("<i8",), 1),
    "stops": (("<i8",), 1),
    "start_seconds": (("<f8",), 1),
    "stop_seconds": (("<f8",), 1),
    "vectors": (("<f4",), 2),
}
_IDENTITY = {
    "video_fingerprint": "another study",
    "model_sha256": "another model",
    "model_id": "a model of another name",
    "length": "clips of another length",
    "stride": "clips at another distance",
    "input_size": "another input size",
    "frames": "another number of frames",
    "calculation_version": "another version of the calculation",
}


class ClipHeader(BaseModel):
    """The attributes of a clip file; frozen."""

    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=())

    clip_schema_version: int = SCHEMA_VERSION
    calculation_version: int = CALCULATION_VERSION
    model_id: str
    model_sha256: str
    """Of the file with the encoder's weights."""
    length: int = Field(ge=1)
    """Frames of a clip; a study that is shorter has one clip, filled up with its last frame."""
    stride: int = Field(ge=1)
    """Frames between the starts of two clips; the last one ends with the study."""
    input_size: int = Field(ge=1)
    """Side of the prepared frames in px."""
    video_fingerprint: str
    frames: int = Field(ge=0)
    """Of the study."""
    clips: int = Field(ge=0)
    """Of the finished file."""
    created_utc: str
    """ISO 8601."""

    @property
    def space(self) -> str:
        """Vectors of two files can be compared where this is equal."""
        return f"{self.model_sha256} {self.input_size} {self.calculation_version}"

    def difference(self, other: Self) -> str:
        """The first thing in which two files' numbers would differ, in words; "" where none would."""
        return next((words for name, words in _IDENTITY.items() if getattr(self, name) != getattr(other, name)), "")


@dataclass(frozen=True, eq=False)
class ClipFile:
    """What a clip file holds; an unfinished one has fewer clips than its header says.

    Attributes:
        header: what the vectors are.
        clips: bounds and vectors; zeros for a clip none of whose frames decodes.
        start_seconds, stop_seconds: (n,) float64 video times of each clip's first and last frame.
    """

    header: ClipHeader
    clips: Clips
    start_seconds: NDArray[np.float64]
    stop_seconds: NDArray[np.float64]

    @property
    def is_complete(self) -> bool:
        """Whether all clips are there."""
        return len(self.clips) == self.header.clips

    def write(self, path: Path) -> Path:
        """Write it: to `path` where it is complete, else to `<path>.partial`. Returns the path."""
        place = path if self.is_complete else partial_path(path)
        with writing(place):
            path.parent.mkdir(parents=True, exist_ok=True)
            with outputs.written_beside(place, sync=True) as beside:
                _write(beside, self)
            if self.is_complete:
                partial_path(path).unlink(missing_ok=True)
        return place

    @classmethod
    def open(cls, path: Path) -> Self:
        """Read a finished file.

        Raises:
            UserError: there is none, it is not finished, damaged, of a newer format, or another kind of file.
        """
        if not path.exists():
            raise not_there(path, "Embed the study's clips first.")
        result = cls._read(path)
        if not result.is_complete:
            raise UserError(
                "{path} is not finished ({count:,} of {clips:,} clips).",
                "Continue with --resume.",
                path,
                len(result.clips),
                result.header.clips,
            )
        return result

    @classmethod
    def open_partial(cls, path: Path, header: ClipHeader) -> Self:
        """Read the unfinished file of `path`, to continue it.

        Raises:
            UserError: damaged, or of another study, model or clips than `header` names.
        """
        result = cls.read_unfinished(path)
        if difference := header.difference(result.header):
            raise UserError("{path} was started with {difference}.", "Start again without --resume.", path, difference)
        return result

    @classmethod
    def read_unfinished(cls, path: Path) -> Self:
        """Read the unfinished file of `path`, whatever it is of."""
        try:
            return cls._read(partial_path(path))
        except UserError as error:
            raise UserError(
                "The unfinished file cannot be read: {message}", "Start again without --resume.", error.message
            ) from error

    @classmethod
    def _read(cls, path: Path) -> Self:
        inputs.regular_file(path, "clip file")
        try:
            with path.open("rb", buffering=0) as file:
                content = hdf5.read_content(file, os.fstat(file.fileno()).st_size, _TABLES)
                header = header_among(
                    content.attributes, path, ClipHeader, "clip_schema_version", SCHEMA_VERSION, "clips", AGAIN
                )
                check_tables(content.tables, _TABLES, _TABLES)
                tables = {name: table.read(file) for name, table in content.tables.items()}
            clips = Clips(tables["starts"], tables["stops"], tables["vectors"])
            _check(header, clips, tables["start_seconds"], tables["stop_seconds"])
        except (hdf5_bytes.Hdf5Error, OSError, ValueError) as error:
            raise UserError(Text("{path} is not a readable clip file: {error}.", path, error), AGAIN) from error
        return cls(header, clips, tables["start_seconds"], tables["stop_seconds"])


def _write(path: Path, content: ClipFile) -> None:
    """The oldest layout, each table in one piece, without time stamps: what `read_content` reads."""
    import h5py

    tables: dict[str, NDArray[np.generic]] = {
        "starts": content.clips.starts,
        "stops": content.clips.stops,
        "start_seconds": content.start_seconds,
        "stop_seconds": content.stop_seconds,
        "vectors": content.clips.vectors,
    }
    with h5py.File(path, "w", libver=("earliest", "v108")) as file:
        for name, table in tables.items():
            file.create_dataset(name, data=np.ascontiguousarray(table, _TABLES[name][0][0]), track_times=False)
        for name, value in content.header.model_dump().items():
            file.attrs[name] = np.int64(value) if isinstance(value, int) else value


def _check(
    header: ClipHeader, clips: Clips, start_seconds: NDArray[np.float64], stop_seconds: NDArray[np.float64]
) -> None:
    """Raise ValueError for numbers that do not agree."""
    if not len(clips) <= header.clips <= max(header.frames, 0):
        raise ValueError("the number of its clips is wrong")
    if len(clips) and (clips.starts[0] < 0 or clips.stops.max() > header.frames):
        raise ValueError("a clip lies outside of the study")
    if np.any(clips.stops - clips.starts > header.length):
        raise ValueError("a clip is too long")
    if not 1 <= clips.vectors.shape[1] <= MAX_WIDTH or not np.isfinite(clips.vectors).all():
        raise ValueError("its vectors are wrong")
    for seconds in (start_seconds, stop_seconds):
        if seconds.shape != clips.starts.shape or not np.isfinite(seconds).all():
            raise ValueError("its times are wrong")
