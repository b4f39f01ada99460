"""Embeddings as int8 codes of their principal components: an eighth of what halves of 1,280 numbers take.

The components lie in the file, so that it can be read alone. Files that share them are read fastest.
"""

import hashlib
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, Self
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from training.embeddings.mapped_rows import MappedRows
from training.errors import UserError, not_written
from training.files.hdf5 import StoredTable
from training.files.npz import Column, NpzError, read_npy
from training.files.outputs import written_beside

COMPONENTS = 384
LARGEST_SHARE = 0.75
"""Of the D numbers of an embedding, there are at most so many components."""
SAMPLED = 8192


@dataclass(frozen=True, eq=False)
class Components:
    """Directions in which embeddings differ most."""

    table: NDArray[np.float16]
    """(K + 1, D): the mean, then the components, orthonormal but for rounding, the strongest first."""

    @classmethod
    def fit(cls, rows: MappedRows) -> Self:
        """Of up to 8,192 rows (N, D) at even distances; rows that are not finite do not count."""
        sample = np.linspace(0, max(0, len(rows) - 1), min(SAMPLED, len(rows))).astype(np.int64)
        vectors = np.asarray(rows[sample], np.float64)
        vectors = vectors[np.isfinite(vectors).all(axis=1)]
        size = rows.shape[1]
        count = max(1, min(COMPONENTS, int(LARGEST_SHARE * size), len(vectors)))
        mean = vectors.mean(axis=0) if len(vectors) else np.zeros(size)
        vectors -= mean
        _, weakest_first = np.linalg.eigh(vectors.T @ vectors)
        return cls(np.vstack((mean, weakest_first[:, -count:].T[::-1])).astype(np.float16))

    @classmethod
    def kept(cls, rows: MappedRows, folder: Path | None, name: str) -> Self:
        """Those of a model that a folder keeps; the first rows (N, D) of a model give them.

        Raises:
            UserError: they cannot be read or written.
        """
        path = None if folder is None else folder / f"components-{name}.npy"
        if path is None:
            return cls.fit(rows)
        try:
            if not path.exists():
                components = cls.fit(rows)
                path.parent.mkdir(parents=True, exist_ok=True)
                with written_beside(path) as beside, beside.open("wb") as file:
                    np.save(file, components.table, allow_pickle=False)
                return components
            table = read_npy(path, Column("<f2", ("rows", rows.shape[1])))
        except NpzError as error:
            raise UserError("{path} is damaged.", "Delete it: the next study gives new components.", path) from error
        except OSError as error:
            raise not_written(path, error) from error
        return cls(table)

    @cached_property
    def digest(self) -> str:
        """Of the table; the same components have the same."""
        return hashlib.sha256(np.ascontiguousarray(self.table).tobytes()).hexdigest()[:32]

    @cached_property
    def mean(self) -> NDArray[np.float32]:
        """(D,)"""
        return np.asarray(self.table[0], np.float32)

    @cached_property
    def directions(self) -> NDArray[np.float32]:
        """(K, D)"""
        return np.asarray(self.table[1:], np.float32)

    @cached_property
    def exact(self) -> NDArray[np.float64]:
        """(K + 1, D)"""
        return np.asarray(self.table, np.float64)

    def coordinates(self, rows: NDArray[np.floating]) -> NDArray[np.float32]:
        """(M, K) of rows (M, D); NaN where a row is not finite."""
        return np.asarray((np.asarray(rows, np.float32) - self.mean) @ self.directions.T)

    def rows(self, coordinates: NDArray[np.floating]) -> NDArray[np.float64]:
        """(M, D) of coordinates (M, K)."""
        return np.asarray(coordinates.astype(np.float64) @ self.exact[1:] + self.exact[0])


_read: "WeakValueDictionary[str, Components]" = WeakValueDictionary()
"""By digest: what is in use is read once, however many files have it."""
_lock = threading.Lock()


class ReducedRows(MappedRows):
    """(N, D) float32 from int8 codes of coordinates; see `MappedRows`.

    Args:
        path: of the file.
        file: open.
        codes: (N, K)
        scales: (N, 2)
        components: (K + 1, D)
        digest: of the components.
    """

    def __init__(
        self,
        path: Path,
        file: BinaryIO,
        codes: StoredTable,
        scales: NDArray[np.float32],
        components: StoredTable,
        digest: str,
    ) -> None:
        super().__init__(path, file, codes, scales)
        self._stored, self._digest = components, digest
        self._used: Components | None = None
        self.shape = (codes.shape[0], components.shape[1])
        self.nbytes = self.shape[0] * self.shape[1]
        """As many bytes as int8 without components takes: reading takes at least that long."""

    def __getitem__(self, key: Any) -> NDArray[np.floating]:
        rows, columns = key if isinstance(key, tuple) else (key, slice(None))
        coordinates, components = self.coordinates(rows), self.components
        return np.asarray(coordinates @ components.directions[:, columns] + components.mean[columns])

    def coordinates(self, rows: Any) -> NDArray[np.floating]:
        """(M, K) of the rows that `rows` selects."""
        return super().__getitem__(rows)

    @property
    def mean_length(self) -> float:  # type: ignore[override]
        return float(np.linalg.norm(self.components.mean))

    def factored(
        self, query: NDArray[np.float32]
    ) -> tuple[Callable[[Any], NDArray[np.floating]], NDArray[np.float32], np.float32]:
        mean, *_ = products = self.components.exact @ query
        return self.coordinates, products[1:].astype(np.float32), np.float32(mean)

    @property
    def components(self) -> Components:
        """Raises `UserError` where the file is gone, was replaced or is damaged."""
        with _lock:
            if self._used is None:
                self._used = _read.get(self._digest)
            if self._used is None:
                with self.opened() as file:
                    self._used = Components(self._stored.read(file))
                if self._used.digest != self._digest:
                    raise UserError("{path} is damaged.", "Score the study again.", self._path)
                _read[self._digest] = self._used
            return self._used

    def let_go(self) -> None:
        super().let_go()
        self._used = None
