"""Reading a finished embedding file."""

import json
from collections.abc import Collection
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, Self

import numpy as np
from numpy.typing import NDArray

from training.embeddings import header, writer
from training.embeddings.chunk import shares_of
from training.embeddings.mapped_rows import MappedRows
from training.embeddings.reduced import Components, ReducedRows
from training.errors import UserError
from training.files.closing import Closing
from training.video import FieldOfView

SLACK = 1e-3
"""What rounding may add to a score."""


class EmbeddingFile(Closing):
    """A finished file. Small tables are read when first asked for; `embeddings` and `cams` stay on disk, mapped.

    The row of a frame that does not decode is NaN in `embeddings`, `scores` and `cams`; see `missing`.
    """

    def __init__(self, path: Path, file: BinaryIO, contents: header.EmbeddingContents) -> None:
        self.path = path
        self.header = contents.header
        self._file = file
        self._tables = contents.tables
        self._left_out: Collection[str] = ()
        header.check_numbers(self.frame_index, self.video_seconds, path)

    @classmethod
    def open(cls, path: Path, recording: str = "") -> Self:
        """Open a finished file; layout, shapes and frame numbers are checked before anything else is read.

        Args:
            path: the file.
            recording: fingerprint of the recording whose embeddings are wanted; empty: unknown, not compared.

        Raises:
            OtherRecordingError: it is of another recording.
            UserError: no such file, not an embedding file, damaged, of a newer format, or not finished.
        """
        if not path.exists():
            raise writer.not_there(path, "Score the study first.")
        file = header.open_unbuffered(path)
        try:
            contents = header.read_contents(file, path)
            if not contents.is_complete:
                done, count = contents.frames_done, contents.frames
                raise UserError(
                    "{path} is not finished ({done:,} of {count:,} frames).",
                    "Continue with --resume.",
                    path,
                    done,
                    count,
                )
            header.check_recording(path, contents.header.video_fingerprint, recording)
            return cls(path, file, contents)
        except BaseException:
            file.close()
            raise

    def leave_out(self, names: Collection[str]) -> None:
        """Read from now on as if the file had no such tables or tracks."""
        self._tables = {name: table for name, table in self._tables.items() if name not in names}
        self._left_out = names

    def __len__(self) -> int:
        return len(self.frame_index)

    @cached_property
    def frame_index(self) -> NDArray[np.int64]:
        """(N,) ascending"""
        return self._read("frame_index")

    @cached_property
    def video_seconds(self) -> NDArray[np.float64]:
        """(N,)"""
        return self._read("video_seconds")

    @cached_property
    def scores(self) -> NDArray[np.float32] | None:
        """(N, C) in [0, 1], or None where the model has no classifier; raises `UserError` for other numbers."""
        if "scores" not in self._tables:
            return None
        scores = self._read("scores")
        if scores.size and (np.nanmin(scores, initial=0) < -SLACK or np.nanmax(scores, initial=1) > 1 + SLACK):
            raise UserError("{path} is damaged: its scores are not in [0, 1].", "Score the study again.", self.path)
        return scores

    @cached_property
    def mean_color(self) -> NDArray[np.uint8] | None:
        """(N, 3) RGB: mean over the field of view."""
        return self._read("mean_color") if "mean_color" in self._tables else None

    @cached_property
    def track_codes(self) -> NDArray[np.uint8] | None:
        """(N, T) as stored (`share_codes`), or None in files of older versions."""
        return self._read("tracks") if "tracks" in self._tables else None

    @property
    def tracks(self) -> dict[str, NDArray[np.float32]] | None:
        """Name -> (N,) in [0, 1], NaN for missing frames; None in files of older versions."""
        if self.track_codes is None:
            return None
        named = zip(self.header.tracks, shares_of(self.track_codes).T, strict=True)
        return {name: values for name, values in named if name not in self._left_out}

    @cached_property
    def embeddings(self) -> MappedRows:
        """(N, D) float16 or float32, also where they are stored as int8; not to be written to."""
        table, components = self._tables["embeddings"], self._tables.get("components")
        scales = self._read("scales") if table.dtype == np.int8 else None
        if scales is None or components is None:
            return MappedRows(self.path, self._file, table, scales)
        return ReducedRows(self.path, self._file, table, scales, components, self.header.components)

    @property
    def components(self) -> Components | None:
        """What its embeddings are coordinates of; None where they are stored as they are."""
        return self.embeddings.components if isinstance(self.embeddings, ReducedRows) else None

    @cached_property
    def cams(self) -> NDArray[np.floating] | None:
        """(N, C, h, w) float16, raw, or None; not to be written to. `normalise_cam` makes one fit to be shown."""
        return self._tables["cams"].mapped(self._file) if "cams" in self._tables else None

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        """(N,) True where the frame does not decode."""
        return np.asarray(np.isnan(self.embeddings[:, 0]))

    def read_small(self) -> None:
        """Read now what takes few bytes a frame, so that whoever shows it later waits for no disk."""
        _ = self.scores, self.mean_color, self.track_codes

    def close(self) -> None:
        """Let the file go; arrays that were read stay valid."""
        self._file.close()

    def _read(self, name: str) -> NDArray[Any]:
        return self._tables[name].read(self._file)


def field_of_view_of(file: EmbeddingFile) -> FieldOfView | None:
    """The field of view that was found while scoring; None where the file does not say.

    Raises:
        UserError: what the file says is no field of view.
    """
    result = json.loads(file.header.preprocessing).get("field_of_view")
    try:
        return None if result is None else FieldOfView.from_json(result)
    except ValueError as error:
        raise UserError("{path} is damaged: {error}.", "Score the study again.", file.path, error) from error
