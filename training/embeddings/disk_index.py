"""The approximate index in use, what it says of itself on disk, and how it gets there.

Nothing is ever changed in place. A changed index is written under a new name, then the manifest is replaced, then the
old files go: whatever moment a process dies at, the manifest names whole files, and others are swept up the next time.
"""

import contextlib
import os
import uuid
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from training.embeddings import disk_codes
from training.embeddings.neighbour import Metric
from training.embeddings.neighbour_rows import NeighbourRows, StudyRows


class IndexedStudy(BaseModel):
    """One study's rows in the index: their ids are [first, first + rows)."""

    model_config = ConfigDict(frozen=True)

    study_id: str
    first: int
    rows: int
    stamp: str
    """Of the embedding file that was read; see `stamp_of`."""


class IndexManifest(BaseModel):
    """The JSON file beside an index; it is replaced last, so what it names is always whole."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1] = 1
    metric: Metric
    lists: int
    """Inverted lists (cells); a search reads `probes` of them."""
    code_bytes: int
    """Of one frame's product-quantised code."""
    probes: int = 1
    recall: float = 0.0
    """Share of the true 10 nearest that a search found, in [0, 1]; see `ApproximateSearch.measure`."""
    recall_queries: int = 0
    recall_rows: int = 0
    """How many frames were in the index when recall was measured."""
    trained_rows: int
    """How many frames were there when the cells and codes were learned."""
    next_id: int = 0
    studies: tuple[IndexedStudy, ...] = ()
    checksums: dict[str, int] = {}
    """File name -> CRC-32, of the index and of the squared norms."""
    seal: int = 0
    """CRC-32 of all of the above, put there by `save`."""

    @property
    def name(self) -> str:
        """FAISS' own name for such an index."""
        return f"IVF{self.lists},PQ{self.code_bytes}"

    @classmethod
    def load(cls, path: Path) -> Self | None:
        """Read and check everything that it names.

        Returns:
            None where there is none, or anything of it is damaged or of another format.
        """
        try:
            manifest = cls.model_validate_json(path.read_bytes())
            if any(Path(name).name != name for name in manifest.checksums):  # of other folders nothing is read
                return None
            sums = {name: checksum(path.parent / name) for name in manifest.checksums}
        except (OSError, ValueError, RecursionError):
            return None
        return manifest if sums == manifest.checksums and manifest.seal == manifest._sum() else None

    def save(self, path: Path) -> None:
        """Write beside and rename."""
        beside = path.with_name(f"{path.name}.{uuid.uuid4().hex[:8]}.tmp")
        sealed = self.model_copy(update={"seal": self._sum()})
        beside.write_text(sealed.model_dump_json(indent=1), encoding="utf-8")
        beside.replace(path)

    def _sum(self) -> int:
        return zlib.crc32(self.model_dump_json(exclude={"seal"}).encode())


def stamp_of(part: StudyRows) -> str:
    """Changes when the study is scored again; not when the library is moved."""
    header = part.header
    return f"{header.model_sha256[:16]} {header.space} {header.created_utc} {header.video_fingerprint} {len(part)}"


def checksum(path: Path) -> int:
    """CRC-32 of a file: against damage, not against malice."""
    value = 0
    with path.open("rb") as file:
        while block := file.read(8 << 20):
            value = zlib.crc32(block, value)
    return value


@dataclass
class DiskIndex:
    """An index in use, in step with its studies."""

    rows: NeighbourRows
    manifest: IndexManifest
    codes: Any
    """faiss.IndexIVFPQ"""
    squares: NDArray[np.float64]
    """(next_id,) squared norms by id; NaN where there is no embedding."""
    news: str = ""
    """What had to be done to it, in a sentence; "" for nothing."""

    def __post_init__(self) -> None:
        """Where each study's rows are found in it."""
        first = {study.study_id: study.first for study in self.manifest.studies}
        self.firsts = np.array([first[part.study.study_id] for part in self.rows.parts], dtype=np.int64)
        """(S,) the id of each study's first row."""
        self._order = np.argsort(self.firsts)

    def squares_by_row(self) -> NDArray[np.float64]:
        """(T,)"""
        parts = zip(self.firsts.tolist(), self.rows.parts, strict=True)
        return np.concatenate([self.squares[first : first + len(part)] for first, part in parts])

    def candidates(
        self, query: NDArray[np.floating], count: int, probes: int, allowed: NDArray[np.bool_]
    ) -> NDArray[np.int64]:
        """Rows, ascending: up to `count` that may be near, of those that are allowed (T,)."""
        flags = np.zeros(self.manifest.next_id, dtype=bool)  # ids of studies that take no part are off
        for number, (first, part) in enumerate(zip(self.firsts.tolist(), self.rows.parts, strict=True)):
            start = int(self.rows.starts[number])
            flags[first : first + len(part)] = allowed[start : start + len(part)]
        point, bits = disk_codes.prepared(query, self.manifest.metric), np.packbits(flags, bitorder="little")
        ids = disk_codes.search(self.codes, point, count, probes, bits)
        numbers = self._order[np.searchsorted(self.firsts[self._order], ids, side="right") - 1]
        return np.sort(self.rows.starts[numbers] + ids - self.firsts[numbers])

    def save(self, folder: Path) -> None:
        """Write everything under new names, then the manifest, then sweep up what earlier processes left behind."""
        folder.mkdir(parents=True, exist_ok=True)
        path = manifest_path(folder, self.rows, self.manifest.metric)
        stem = f"{path.stem}-{uuid.uuid4().hex[:8]}"
        codes, squares = folder / f"{stem}.faiss", folder / f"{stem}.npy"
        disk_codes.write(self.codes, codes)
        np.save(squares, self.squares, allow_pickle=False)
        for written in (codes, squares):
            with written.open("r+b") as file:
                os.fsync(file.fileno())
        sums = {written.name: checksum(written) for written in (codes, squares)}
        self.manifest = self.manifest.model_copy(update={"checksums": sums})
        self.manifest.save(path)
        for left in (*folder.glob(f"{path.stem}-*"), *folder.glob(f"{path.name}.*.tmp")):
            if left.name not in sums:
                with contextlib.suppress(OSError):  # in use by another process: the next one sweeps it up
                    left.unlink()
        self.codes = disk_codes.read(codes, mapped=True)


def manifest_path(folder: Path, rows: NeighbourRows, metric: Metric) -> Path:
    """The file that names all others; their names begin as its does."""
    return folder / f"neighbours-{rows.header.model_sha256[:12]}-{rows.header.space}-{metric}.json"
