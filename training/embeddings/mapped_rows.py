"""The embeddings of a file, mapped when they are read; of any number of files at most `MOST_MAPPED` are mapped at once.

Each mapping takes a descriptor, of which a process may have some thousand.
"""

import contextlib
import mmap
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import DTypeLike, NDArray

from training.errors import UserError
from training.files.hdf5 import StoredTable

MOST_MAPPED = 256
_recent: "WeakKeyDictionary[MappedRows, None]" = WeakKeyDictionary()
"""What is mapped, the last one read at its end."""
_lock = threading.Lock()


class MappedRows:
    """(N, D) rows that read as an array does: `rows[5:9]`, `rows[[3, 1]]`, `np.asarray(rows)`; not to be written to.

    Args:
        path: of the file, which is opened again where `file` was closed meanwhile.
        file: open.
        table: of the embeddings.
        scales: (N, 2) float32, of rows of int8; see `row_codes`.
    """

    def __init__(
        self, path: Path, file: BinaryIO, table: StoredTable, scales: NDArray[np.float32] | None = None
    ) -> None:
        self._path, self._file, self._table = path, file, table
        self._scales = scales
        self._state = _state(file)
        self._mapped: NDArray[Any] | None = None
        self.shape = table.shape
        self.dtype = table.dtype if scales is None else np.dtype(np.float32)
        """Of what is read."""
        self.nbytes = table.size
        """On disk."""

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> NDArray[np.floating]:
        """Raises `UserError` where the file is gone or was replaced."""
        rows = self._rows()[key]
        if self._scales is None:
            return np.asarray(rows)
        scales = self._scales[key[0] if isinstance(key, tuple) else key]
        factor, offset = np.moveaxis(scales, -1, 0)
        if np.ndim(rows) > np.ndim(factor):
            factor, offset = factor[..., None], offset[..., None]
        return np.asarray(rows * factor + offset, np.float32)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self[:], dtype)

    mean_length = 0.0
    """Of the mean that every row was reduced by."""

    def factored(
        self, query: NDArray[np.float32]
    ) -> tuple[Callable[[Any], NDArray[np.floating]], NDArray[np.float32], np.float32]:
        """What is read in the place of rows, its factor for their products with a query (D,), and what is added."""
        return self.__getitem__, query, np.float32(0)

    def will_need(self, rows: NDArray[np.int64]) -> None:
        """Tell the system that these rows are read next, where it listens."""
        mapped = getattr(self._rows(), "_mmap", None)
        if mapped is None or not hasattr(mmap, "MADV_WILLNEED"):
            return
        width = self._table.size // len(self)
        shift = self._table.offset % mmap.ALLOCATIONGRANULARITY  # the mapping begins before the table
        for first in (rows * width + shift).tolist():
            start = first - first % mmap.PAGESIZE
            mapped.madvise(mmap.MADV_WILLNEED, start, first + width - start)

    def let_go(self) -> None:
        """Map the file again when it is read next."""
        with _lock:
            self._mapped = None
            _recent.pop(self, None)

    def _rows(self) -> NDArray[Any]:
        with _lock:
            mapped = self._mapped
            if mapped is None:
                with self.opened() as file:
                    mapped = self._mapped = self._table.mapped(file)
            _recent.pop(self, None)
            _recent[self] = None
            while len(_recent) > MOST_MAPPED:
                oldest = next(iter(_recent.keys()))
                oldest._mapped = None
                del _recent[oldest]
        return mapped

    @contextlib.contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        """The file, opened again where it was closed; raises `UserError` where it is gone or was replaced."""
        if not self._file.closed:
            yield self._file
            return
        try:
            with self._path.open("rb", buffering=0) as file:
                if _state(file) == self._state:
                    yield file
                    return
        except FileNotFoundError:
            pass
        except OSError as error:
            raise UserError(
                "{path} cannot be read ({reason}).", "Check the file.", self._path, error.strerror or error
            ) from error
        raise UserError("{path} was replaced or removed meanwhile.", "Start again.", self._path)


def _state(file: BinaryIO) -> tuple[int, ...]:
    stat = os.fstat(file.fileno())
    return stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns
