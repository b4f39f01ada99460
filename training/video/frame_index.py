"""Which frames a study has, when each is shown, and where decoding can start."""

import json
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError, writing
from training.files.npz import JSON, Column, NpzError, json_of, read_npz
from training.files.outputs import written_beside
from training.texts import Text, texts_in, with_texts
from training.version import FIRST_NUMBERING, NUMBERING
from training.video.packets.table import ARRAY_NAMES, PacketTable
from training.video.shape import AS_STORED, Shape

SCHEMA_VERSION = 7
"""Raised when frames are found or distinguished differently; an older index is made again."""

IMAGES_PER_SECOND = 2
"""The rate that a folder of images is taken to have, since images carry no clock: what capsules commonly record at."""


@dataclass(frozen=True, eq=False)
class FrameIndex:
    """All frames of a study in presentation order; N is their number, counted from 0."""

    video_seconds: NDArray[np.float64]
    """(N,) time of each frame in seconds; the first frame is at 0, also where the file's clock starts later."""
    pts: NDArray[np.int64]
    """(N,) time stamp of each frame in the file, in units of `time_base`."""
    is_key: NDArray[np.bool_]
    """(N,) decoding can start at this frame."""
    time_base: Fraction
    """Seconds per unit of `pts`."""
    missing: NDArray[np.int64]
    """(M,) frames known not to decode, ascending. They keep their numbers."""
    notes: tuple[str, ...] = ()
    """What is odd about the file, in sentences."""
    kind: Literal["video", "images", "multiframe"] = "video"
    """A folder of images, or a multi-frame DICOM file, or a video."""
    files: tuple[str, ...] = ()
    """(N,) names of the images inside the folder; empty for a video."""
    pages: NDArray[np.int64] | None = None
    """(N,) which picture of its file each frame is, from 0, in a folder with files of several; None: the first."""
    orientations: NDArray[np.int64] | None = None
    """(N,) how each image is turned for display, 1 to 8 as in EXIF, where some are; what decoders turn counts as 1."""
    value_bits: int = 16
    """How many bits the values of 16-bit images use, 8 to 16, in all of the folder."""
    fingerprint: str = ""
    """Of the content; see `training.video.fingerprint`."""
    packets: PacketTable | None = None
    """The packets behind the frames; None for images and multi-frame files."""
    repeated: NDArray[np.int64] | None = None
    """(N,) where a recorder dropped frames: for each frame the number of the picture that is shown, 0-based among the
    pictures of the packets; None: each frame has its own."""
    shape: Shape = AS_STORED
    """From stored pixels to the picture that is meant."""
    numbering: int = NUMBERING
    """The rules that the frames follow, `FIRST_NUMBERING` to `NUMBERING`."""

    def __post_init__(self) -> None:
        count = len(self.video_seconds)
        for name in ("video_seconds", "pts", "is_key"):
            array = getattr(self, name)
            if array.shape != (count,):
                raise ValueError(Text("{name} must be ({count},), not {shape}", name, count, array.shape))
            array.flags.writeable = False
        if len(self.missing) and not 0 <= self.missing.min() <= self.missing.max() < count:
            raise ValueError(
                Text(
                    "missing frames must lie in [0, {count}), not {min}..{max}",
                    count,
                    self.missing.min(),
                    self.missing.max(),
                )
            )
        if self.kind == "images" and len(self.files) != count:
            raise ValueError(Text("{count} frames, but {files_count} files", count, len(self.files)))
        for column in (self.pages, self.orientations):
            if column is not None and (column.shape != (count,) or (count and column.min() < 0)):
                raise ValueError(Text("pages and orientations must be ({count},)", count))

    def __len__(self) -> int:
        return len(self.video_seconds)

    @property
    def pictures(self) -> NDArray[np.int64]:
        """(N,) for each frame the picture that is shown; see `repeated`."""
        return np.arange(len(self)) if self.repeated is None else self.repeated

    def of_pictures(self) -> "FrameIndex":
        """The index of the pictures alone, each shown once."""
        if self.repeated is None:
            return self
        pictures, first = np.unique(self.repeated, return_index=True)
        columns = {name: getattr(self, name)[first] for name in ("video_seconds", "pts", "is_key")}
        missing = np.flatnonzero(np.isin(pictures, self.repeated[self.missing]))
        return replace(self, **columns, missing=missing, repeated=None)

    @property
    def duration_seconds(self) -> float:
        """From the first frame until the last one ends; the last lasts as long as frames do at the median."""
        if len(self) < 2:
            return 0.0
        return float(self.video_seconds[-1] + np.median(np.diff(self.video_seconds)))

    def has_frames_of(self, other: "FrameIndex") -> bool:
        """Whether both give the same pictures, in the same shape, the same numbers."""
        mine, theirs = self.packets, other.packets
        facts, others = ((len(index), index.kind, index.files, index.shape) for index in (self, other))
        if facts != others or not np.array_equal(self.pictures, other.pictures):
            return False
        if self.kind == "images":
            return self._images() == other._images()
        if mine is None or theirs is None:
            return mine is theirs
        if mine.stream != theirs.stream:
            return False
        rows, their_rows = mine.packet_of_frame, theirs.packet_of_frame
        return all(
            np.array_equal(getattr(mine, name)[rows], getattr(theirs, name)[their_rows]) for name in ("pos", "size")
        )

    def _images(self) -> tuple[object, ...]:
        """Which pictures an index of images shows, how they are turned, and which one gives the frames their size."""
        columns = (None if column is None else column.tolist() for column in (self.pages, self.orientations))
        missing = self.missing.tolist()
        first = next((place for place, frame in enumerate(missing) if place != frame), len(missing))
        return (*columns, first)

    def save(self, path: Path) -> None:
        """Write the index as an .npz file (arrays and one JSON text, no pickles), beside and renamed."""
        header = {
            "schema_version": SCHEMA_VERSION,
            "time_base": [self.time_base.numerator, self.time_base.denominator],
            "notes": list(self.notes),
            "kind": self.kind,
            "files": list(self.files),
            "fingerprint": self.fingerprint,
            "numbering": self.numbering,
            "value_bits": self.value_bits,
            "shape": self.shape.to_json(),
            "stream": self.packets.stream if self.packets is not None else 0,
        }
        columns = {name: getattr(self, name) for name in _COLUMNS if not name.startswith("packet_")}
        arrays = {name: column for name, column in columns.items() if column is not None}
        if self.packets is not None:
            arrays |= {f"packet_{name}": getattr(self.packets, name) for name in ARRAY_NAMES}
        with writing(path), written_beside(path) as beside, beside.open("wb") as file:
            np.savez(file, header=np.frombuffer(json.dumps(with_texts(header)).encode(), np.uint8), **arrays)

    @staticmethod
    def is_readable(path: Path) -> bool:
        """Whether `path` is an index of this version; its arrays are not looked at."""
        try:
            header = json_of(read_npz(path, {"header": JSON}, "index")["header"])
            return bool(header.get("schema_version") == SCHEMA_VERSION)
        except (UserError, NpzError):
            return False

    @staticmethod
    def load(path: Path) -> "FrameIndex":
        """Read an index that `save` wrote.

        Raises:
            UserError: there is none, it is damaged, or another version of the program wrote it.
        """
        if not path.exists():
            raise UserError("There is no index {path}.", "Index the study again.", path)
        try:
            header = json_of(read_npz(path, {"header": JSON}, "index")["header"])
            version = header["schema_version"]
            if type(version) is not int:
                raise NpzError("its version is not a number")
            if version > SCHEMA_VERSION:
                raise UserError(
                    "The index {name} was written by a newer version.",
                    "Update the program, or delete the index.",
                    path.name,
                )
            if version < SCHEMA_VERSION:
                raise UserError(
                    "The index {name} was written by an older version.", "Index the study again.", path.name
                )
            return _index(header, read_npz(path, _COLUMNS, "index"))
        except (ValueError, KeyError, TypeError) as error:
            raise UserError("The index {name} is damaged.", "Delete it; it will be made again.", path.name) from error


_COLUMNS = {
    "video_seconds": Column("<f8", ("N",)),
    "pts": Column("<i8", ("N",)),
    "is_key": Column("|b1", ("N",)),
    "missing": Column("<i8", ("M",)),
    "repeated": Column("<i8", ("N",), is_optional=True),
    "pages": Column("<i8", ("N",), is_optional=True),
    "orientations": Column("<i8", ("N",), is_optional=True),
} | {
    f"packet_{name}": Column("|b1" if name.startswith("is_") else "<i8", ("P",), is_optional=True)
    for name in ARRAY_NAMES
}


def _index(header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> FrameIndex:
    """Raises `ValueError`, `KeyError` or `TypeError` where the values do not make an index."""
    columns = {name: arrays.pop(f"packet_{name}") for name in ARRAY_NAMES if f"packet_{name}" in arrays}
    time_base, numbering, stream, value_bits = (
        header[name] for name in ("time_base", "numbering", "stream", "value_bits")
    )
    notes, files, kind = texts_in(header)["notes"], header["files"], header["kind"]
    is_sound = (
        all(type(number) is int for number in (*time_base, numbering, stream, value_bits))
        and len(time_base) == 2
        and all(0 < part < 2**63 for part in time_base)
        and FIRST_NUMBERING <= numbering <= NUMBERING
        and stream >= 0
        and 8 <= value_bits <= 16
        and isinstance(notes, list)
        and isinstance(files, list)
        and all(isinstance(text, str) for text in (*notes, *files, header["fingerprint"]))
        and kind in ("video", "images", "multiframe")
        and not any(Path(name).is_absolute() or ".." in Path(name).parts for name in files)
    )
    if not is_sound:
        raise ValueError("the index's description is damaged")
    if columns:
        _share_equal(columns, "dts", columns["pts"])
        _share_equal(arrays, "pts", columns["pts"])
    index = FrameIndex(
        **arrays,
        time_base=Fraction(*time_base),
        notes=tuple(notes),
        kind=kind,
        files=tuple(files),
        fingerprint=header["fingerprint"],
        packets=PacketTable(**columns, stream=stream) if columns else None,
        shape=Shape.from_json(header["shape"]),
        numbering=numbering,
        value_bits=value_bits,
    )
    if not _fits(index):
        raise ValueError("the index's numbers are damaged")
    return index


def _share_equal(columns: dict[str, NDArray[Any]], name: str, other: NDArray[Any]) -> None:
    """Hold a column once where it equals another: most videos of capsules show pictures in the order of decoding."""
    if np.array_equal(columns[name], other):
        columns[name] = other


def _fits(index: FrameIndex) -> bool:
    """Whether the numbers are such that everything else can rely upon them."""
    if not np.isfinite(index.video_seconds).all() or (np.diff(index.missing) <= 0).any():
        return False
    packets, repeated = index.packets, index.repeated
    if packets is None:
        return True
    if not np.array_equal(np.sort(packets.rank), np.arange(len(packets))) or (packets.size < 0).any():
        return False
    pictures = int(packets.is_shown.sum())
    if repeated is None:
        return pictures == len(index)
    return bool(np.isin(np.diff(repeated, prepend=0, append=pictures - 1), (0, 1)).all())
