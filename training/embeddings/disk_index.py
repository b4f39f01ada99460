"""The approximate index: opened as it is on disk, brought up to date with its studies, or rebuilt.

Nothing is ever changed in place. A changed index is written under a new name, then the manifest is replaced, then the
old files go: whatever moment a process dies at, the manifest names whole files, and others are swept up the next time.
"""

import contextlib
import os
import uuid
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from training.embeddings import disk_codes, neighbour
from training.embeddings.neighbour_rows import NeighbourRows, StudyRows
from training.errors import UserError
from training.files.npz import Column, read_npy
from training.texts import count_text, join_texts


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
    metric: neighbour.Metric
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


def manifest_path(folder: Path, rows: NeighbourRows, metric: neighbour.Metric) -> Path:
    """The file that names all others; their names begin as its does."""
    return folder / f"neighbours-{rows.header.model_sha256[:12]}-{rows.header.space}-{metric}.json"


Progress = Callable[[int, int, str, str], None]
WHAT = "building the index of neighbours"
GROWTH = 4
"""An index is rebuilt once it holds so many times the frames that its cells were learned from."""


def open_disk_index(
    rows: NeighbourRows, metric: neighbour.Metric, folder: Path | None, check: Callable[[], None], progress: Progress
) -> tuple[DiskIndex, bool]:
    """The index of some studies, in step with them, and whether it differs from what is on disk.

    Args:
        rows: of the studies.
        metric: an index serves one.
        folder: where it is kept; None: it is built in memory.
        check: called often; may raise to give up: what is on disk stays as it was.
        progress: receives the number of frames added.

    Raises:
        TooFewError: too few frames decode.
    """

    def built(news: str) -> tuple[DiskIndex, bool]:
        progress(0, len(rows), "frames", WHAT)
        is_valid = np.concatenate([np.isfinite(np.asarray(part.embeddings[:, 0])) for part in rows.parts])
        check()
        codes = disk_codes.learned(rows, is_valid, metric)
        lists, code_bytes = int(codes.nlist), int(codes.pq.M)
        manifest = IndexManifest(metric=metric, lists=lists, code_bytes=code_bytes, trained_rows=len(rows))
        index = _with_studies(rows, manifest, codes, [], rows.parts, check, progress)
        index.news = news
        return index, True

    path = None if folder is None else manifest_path(folder, rows, metric)
    manifest = IndexManifest.load(path) if path is not None else None
    if manifest is None or path is None:
        is_damaged = path is not None and path.exists()
        return built("The index of neighbours was damaged and has been rebuilt." if is_damaged else "")
    stamps = {study.study_id: study.stamp for study in manifest.studies}
    stale = [part for part in rows.parts if stamps.get(part.study.study_id) != stamp_of(part)]
    if 2 * sum(map(len, stale)) > len(rows) or len(rows) > GROWTH * manifest.trained_rows:
        return built("The index of neighbours was rebuilt: most of its frames are new.")
    try:
        names = {Path(name).suffix: path.with_name(name) for name in manifest.checksums}
        codes = disk_codes.read(names[".faiss"], mapped=not stale)
        squares = read_npy(names[".npy"], Column("<f8", (manifest.next_id,)))
    except (OSError, RuntimeError, LookupError, ValueError, UserError):  # another process has put a newer one in place
        return built("The index of neighbours could not be read and has been rebuilt.")
    if not stale:
        return DiskIndex(rows, manifest, codes, squares), False
    index = _with_studies(rows, manifest, codes, [squares], stale, check, progress)
    index.news = _news(sum(part.study.study_id in stamps for part in stale), len(stale))
    return index, True


def _with_studies(
    rows: NeighbourRows,
    manifest: IndexManifest,
    codes: Any,
    squares: list[NDArray[np.float64]],
    parts: Sequence[StudyRows],
    check: Callable[[], None],
    progress: Progress,
) -> DiskIndex:
    """The index after studies were appended; what it held of them before is taken out."""
    entries = {study.study_id: study for study in manifest.studies}
    total, done, next_id = sum(map(len, parts)), 0, manifest.next_id

    def report(count: int) -> None:
        check()
        progress(done + count, total, "frames", WHAT)

    for part in parts:
        study_id = part.study.study_id
        if old := entries.get(study_id):
            disk_codes.remove(codes, old.first, old.rows)
        squares.append(disk_codes.add(codes, part, next_id, manifest.metric, report))
        entries[study_id] = IndexedStudy(study_id=study_id, first=next_id, rows=len(part), stamp=stamp_of(part))
        next_id, done = next_id + len(part), done + len(part)
    manifest = manifest.model_copy(update={"studies": tuple(entries.values()), "next_id": next_id})
    return DiskIndex(rows, manifest, codes, np.concatenate(squares))


def _news(again: int, count: int) -> str:
    added = count_text(
        "{count} new study was added to the index of neighbours.",
        "{count} new studies were added to the index of neighbours.",
        count - again,
    )
    replaced = count_text(
        "{count} study scored again since then replaced the older ones.",
        "{count} studies scored again since then replaced the older ones.",
        again,
    )
    return join_texts(" ", (added if count > again else "", replaced if again else ""))
