"""Reading a finished embedding file."""

from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from training.embeddings.attributes import read_attributes
from training.embeddings.header import EmbeddingHeader
from training.embeddings.writer import partial_path
from training.errors import UserError

if TYPE_CHECKING:
    import h5py


class EmbeddingFile:
    """A finished file. Small tables are read when first asked for; `embeddings` and `cams` stay on disk, mapped.

    The row of a frame that does not decode is NaN in `embeddings`, `scores` and `cams`; see `missing`.
    """

    def __init__(self, path: Path, file: "h5py.File", header: EmbeddingHeader) -> None:
        self.path = path
        self.header = header
        self._file = file

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a finished file.

        Raises:
            UserError: no such file, not an embedding file, of a newer format, or not finished.
        """
        import h5py

        if not path.is_file():
            begun = partial_path(path).is_file()
            sentence = f"{path} is not finished." if begun else f"There is no file {path}."
            raise UserError(sentence, "Go on with --resume." if begun else "Score the study first.")
        try:
            file = h5py.File(path, "r")
        except OSError as error:
            raise UserError(f"{path} is no readable HDF5 file.", "Score the study again.") from error
        try:
            header = read_attributes(file, path)
            if not file.attrs.get("complete", False):
                done, count = int(file.attrs.get("frames_done", 0)), len(file["frame_index"])
                raise UserError(f"{path} is not finished ({done:,} of {count:,} frames).", "Go on with --resume.")
            return cls(path, file, header)
        except BaseException:
            file.close()
            raise

    def __len__(self) -> int:
        return len(self.frame_index)

    @cached_property
    def frame_index(self) -> NDArray[np.int64]:
        """(N,)"""
        return self._read("frame_index", np.int64)

    @cached_property
    def video_seconds(self) -> NDArray[np.float64]:
        """(N,)"""
        return self._read("video_seconds", np.float64)

    @cached_property
    def scores(self) -> NDArray[np.float32] | None:
        """(N, C) in [0, 1], or None where the model has no classifier."""
        return self._read("scores", np.float32) if "scores" in self._file else None

    @cached_property
    def mean_color(self) -> NDArray[np.uint8] | None:
        """(N, 3) RGB: mean over the field of view."""
        return self._read("mean_color", np.uint8) if "mean_color" in self._file else None

    @cached_property
    def embeddings(self) -> NDArray[np.floating]:
        """(N, D) float16 or float32; not to be written to."""
        return self._map("embeddings")

    @cached_property
    def cams(self) -> NDArray[np.floating] | None:
        """(N, C, h, w) float16, raw, or None; not to be written to. `normalise_cam` makes one fit to be shown."""
        return self._map("cams") if "cams" in self._file else None

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        """(N,) True where the frame does not decode."""
        return np.asarray(np.isnan(self.embeddings[:, 0]))

    def close(self) -> None:
        """Let the file go; arrays that were read stay valid."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _read(self, name: str, dtype: type[np.generic]) -> NDArray[Any]:
        return np.asarray(self._file[name][...], dtype=dtype)

    def _map(self, name: str) -> NDArray[np.floating]:
        dataset = self._file[name]
        offset = dataset.id.get_offset()
        if offset is None or dataset.size == 0:  # written in HDF5 chunks by somebody else
            return np.asarray(dataset[...])
        return np.memmap(self.path, dtype=dataset.dtype, mode="r", offset=offset, shape=dataset.shape)
