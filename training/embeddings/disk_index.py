"""The approximate index in use, and how it gets onto the disk.

Nothing is ever changed in place. A changed index is written under a new name, then the manifest is replaced, then the
old files go: whatever moment a process dies at, the manifest names whole files, and others are swept up the next time.
"""

import contextlib
import os
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.embeddings import disk_codes
from training.embeddings.disk_manifest import IndexedStudy, IndexManifest, checksum
from training.embeddings.neighbour import Metric
from training.embeddings.neighbour_rows import NeighbourRows


@dataclass
class DiskIndex:
    """An index in use, in step with its studies."""

    rows: NeighbourRows
    metric: Metric
    codes: Any
    """faiss.IndexIVFPQ"""
    squares: NDArray[np.float64]
    """(next_id,) squared norms by id; NaN where there is no embedding."""
    studies: tuple[IndexedStudy, ...]
    trained_rows: int
    next_id: int
    probes: int = 1
    recall: float = 0.0
    recall_queries: int = 0
    recall_rows: int = 0
    said: str = ""
    """What had to be done to it, in a sentence; "" for nothing."""

    def __post_init__(self) -> None:
        """Where each study's rows are found in it."""
        first = {study.study_id: study.first for study in self.studies}
        self.firsts = np.array([first[part.study.study_id] for part in self.rows.parts], dtype=np.int64)
        """(S,) the id of each study's first row."""
        self._order = np.argsort(self.firsts)

    @property
    def name(self) -> str:
        """FAISS' name of it."""
        return f"IVF{self.codes.nlist},PQ{self.codes.pq.M}"

    def squares_by_row(self) -> NDArray[np.float64]:
        """(T,)"""
        parts = zip(self.firsts.tolist(), self.rows.parts, strict=True)
        return np.concatenate([self.squares[first : first + len(part)] for first, part in parts])

    def bits(self, allowed: NDArray[np.bool_]) -> NDArray[np.uint8]:
        """The flags of rows (T,) as flags of ids, eight to a byte; ids of studies that take no part are off."""
        flags = np.zeros(self.next_id, dtype=bool)
        for number, (first, part) in enumerate(zip(self.firsts.tolist(), self.rows.parts, strict=True)):
            start = int(self.rows.starts[number])
            flags[first : first + len(part)] = allowed[start : start + len(part)]
        return np.packbits(flags, bitorder="little")

    def candidates(
        self, query: NDArray[np.floating], count: int, probes: int, bits: NDArray[np.uint8]
    ) -> NDArray[np.int64]:
        """Rows, ascending: up to `count` that may be near, of those whose flag is on."""
        ids = disk_codes.search(self.codes, disk_codes.prepared(query, self.metric), count, probes, bits)
        numbers = self._order[np.searchsorted(self.firsts[self._order], ids, side="right") - 1]
        return np.sort(self.rows.starts[numbers] + ids - self.firsts[numbers])

    def save(self, folder: Path) -> None:
        """Write everything under new names, then the manifest, then sweep up."""
        folder.mkdir(parents=True, exist_ok=True)
        stem = f"{key_of(self.rows, self.metric)}-{uuid.uuid4().hex[:8]}"
        codes, squares = folder / f"{stem}.faiss", folder / f"{stem}.npy"
        disk_codes.write(self.codes, codes)
        np.save(squares, self.squares, allow_pickle=False)
        for path in (codes, squares):
            _sync(path)
        manifest = IndexManifest(
            metric=self.metric,
            lists=int(self.codes.nlist),
            code_bytes=int(self.codes.pq.M),
            probes=self.probes,
            recall=self.recall,
            recall_queries=self.recall_queries,
            recall_rows=self.recall_rows,
            trained_rows=self.trained_rows,
            next_id=self.next_id,
            studies=self.studies,
            checksums={path.name: checksum(path) for path in (codes, squares)},
        )
        manifest.save(manifest_path(folder, self.rows, self.metric))
        _sweep(folder, key_of(self.rows, self.metric), keep=set(manifest.checksums))
        self.codes = disk_codes.read(codes, mapped=True)


def key_of(rows: NeighbourRows, metric: Metric) -> str:
    """What the names of an index's files begin with."""
    return f"neighbours-{rows.header.model_sha256[:12]}-{rows.header.space}-{metric}"


def manifest_path(folder: Path, rows: NeighbourRows, metric: Metric) -> Path:
    """The file that names all others."""
    return folder / f"{key_of(rows, metric)}.json"


def _sync(path: Path) -> None:
    with path.open("r+b") as file:
        os.fsync(file.fileno())


def _sweep(folder: Path, key: str, keep: set[str]) -> None:
    """Delete what earlier indexes and killed processes left behind."""
    for path in folder.glob(f"{key}-*"):
        if path.name not in keep:
            with contextlib.suppress(OSError):  # in use by another process: the next one sweeps it up
                path.unlink()
    for path in folder.glob(f"{key}.json.*.tmp"):
        with contextlib.suppress(OSError):
            path.unlink()
