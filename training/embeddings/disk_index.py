"""The approximate index: opened as it is on disk, brought up to date with its studies, or rebuilt.

It lies in shards of about a million frames, each with whole studies; all share what was learned of the frames (PCA,
cells, codes). A study is added to the last shard, so that adding one costs the same however many there are.

Nothing is ever changed in place. A changed shard is written under a new name, then the manifest is replaced, then the
old files go: whatever moment a process dies at, the manifest names whole files, and others are swept up the next time.
"""

import contextlib
import os
import uuid
import zlib
from collections.abc import Callable, Iterable, Sequence
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

SHARD_ROWS = 1_000_000
"""A shard with so many frames takes no further study."""


class IndexedStudy(BaseModel):
    """One study's rows in a shard: their ids are [first, first + rows)."""

    model_config = ConfigDict(frozen=True)

    study_id: str
    first: int
    rows: int
    stamp: str
    """Of the embedding file that was read; see `stamp_of`."""


class IndexShard(BaseModel):
    """Whole studies."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    studies: tuple[IndexedStudy, ...] = ()
    next_id: int = 0
    files: dict[str, int] = {}
    """File name -> CRC-32, of the codes and of the squared norms; empty: not written yet."""


class IndexManifest(BaseModel):
    """The JSON file beside an index; it is replaced last, so what it names is always whole."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[2] = 2
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
    learned: dict[str, int] = {}
    """File name -> CRC-32, of what all shards share."""
    shards: tuple[IndexShard, ...] = ()
    seal: int = 0
    """CRC-32 of all of the above, put there by `save`."""

    @property
    def name(self) -> str:
        """FAISS' own name for such an index."""
        return f"IVF{self.lists},PQ{self.code_bytes}"

    @property
    def files(self) -> dict[str, int]:
        """All that it names."""
        result = dict(self.learned)
        for shard in self.shards:
            result |= shard.files
        return result

    @classmethod
    def load(cls, path: Path) -> Self | None:
        """Read it.

        Returns:
            None where there is none, it or what its shards share is damaged, or it is of another format.
        """
        try:
            manifest = cls.model_validate_json(path.read_bytes())
        except (OSError, ValueError, RecursionError):
            return None
        if any(Path(name).name != name for name in manifest.files):  # of other folders nothing is read
            return None
        return manifest if manifest.seal == manifest._sum() and _are_whole(manifest.learned, path.parent) else None

    def without_damaged(self, folder: Path) -> Self:
        """The same with the shards whose files are whole."""
        return self.model_copy(update={"shards": tuple(each for each in self.shards if _are_whole(each.files, folder))})

    def save(self, path: Path) -> None:
        """Write beside and rename."""
        beside = path.with_name(f"{path.name}.{uuid.uuid4().hex[:8]}.tmp")
        sealed = self.model_copy(update={"seal": self._sum()})
        beside.write_text(sealed.model_dump_json(indent=1), encoding="utf-8")
        beside.replace(path)

    def _sum(self) -> int:
        return zlib.crc32(self.model_dump_json(exclude={"seal"}).encode())


def _are_whole(files: dict[str, int], folder: Path) -> bool:
    try:
        return all(checksum(folder / name) == value for name, value in files.items())
    except OSError:
        return False


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


def forget(folder: Path, study_id: str) -> None:
    """Delete the shards that hold a study, in all indexes of a folder; their other studies are added again.

    An index of one shard goes whole.

    Raises:
        OSError: something cannot be deleted; calling it again goes on.
    """
    for path in folder.glob("neighbours-*.json"):
        manifest = IndexManifest.load(path)
        kept = () if manifest is None else tuple(each for each in manifest.shards if study_id not in _names(each))
        if manifest is not None and kept:
            manifest = manifest.model_copy(update={"shards": kept, "recall_rows": 0})
            manifest.save(path)
            _sweep(path, manifest.files)
        else:
            path.unlink()
            _sweep(path, ())


def _names(shard: IndexShard) -> set[str]:
    return {study.study_id for study in shard.studies}


def _sweep(path: Path, kept: Iterable[str]) -> None:
    """Delete the files of the index of a manifest that it does not name."""
    for left in (*path.parent.glob(f"{path.stem}-*"), *path.parent.glob(f"{path.name}.*.tmp")):
        if left.name not in kept:
            with contextlib.suppress(OSError):  # in use by another process: the next one sweeps it up
                left.unlink()


@dataclass
class Shard:
    """A shard in use."""

    facts: IndexShard
    codes: Any
    """faiss.IndexIVFPQ"""
    squares: NDArray[np.float64]
    """(next_id,) squared norms by id; NaN where there is no embedding."""

    @classmethod
    def read(cls, facts: IndexShard, folder: Path, *, mapped: bool) -> Self:
        """From disk; raises what `disk_codes.read` and `read_npy` raise."""
        names = {Path(name).suffix: folder / name for name in facts.files}
        squares = read_npy(names[".npy"], Column("<f8", (facts.next_id,)))
        return cls(facts, disk_codes.read(names[".faiss"], mapped=mapped), squares)

    def add(self, part: StudyRows, learned: Any, metric: neighbour.Metric, report: Callable[[int], None]) -> None:
        """Append a study."""
        first = self.facts.next_id
        squares = disk_codes.add(learned, self.codes, part, first, metric, report)
        self.squares = np.concatenate((self.squares, squares))
        entry = IndexedStudy(study_id=part.study.study_id, first=first, rows=len(part), stamp=stamp_of(part))
        self.facts = IndexShard(studies=(*self.facts.studies, entry), next_id=first + len(part))

    def without(self, study_ids: set[str], folder: Path) -> Self:
        """The same without some studies, to be added to: in memory."""
        result = type(self).read(self.facts, folder, mapped=False) if self.facts.files else self
        for study in result.facts.studies:
            if study.study_id in study_ids:
                disk_codes.remove(result.codes, study.first, study.rows)
        left = tuple(study for study in result.facts.studies if study.study_id not in study_ids)
        result.facts = IndexShard(studies=left, next_id=result.facts.next_id)
        return result

    def save(self, stem: Path) -> None:
        """Write it under a new name, and map it."""
        codes, squares = stem.with_name(f"{stem.name}.faiss"), stem.with_name(f"{stem.name}.npy")
        disk_codes.write(self.codes, codes)
        np.save(squares, self.squares, allow_pickle=False)
        self.facts = self.facts.model_copy(update={"files": _synced(codes, squares)})
        self.codes = disk_codes.read(codes, mapped=True)


def _synced(*files: Path) -> dict[str, int]:
    """Checksums of files that are on disk now."""
    for path in files:
        with path.open("r+b") as file:
            os.fsync(file.fileno())
    return {path.name: checksum(path) for path in files}


@dataclass
class DiskIndex:
    """An index in use, in step with its studies."""

    rows: NeighbourRows
    manifest: IndexManifest
    learned: Any
    """faiss.IndexPreTransform, empty: what all shards share."""
    shards: list[Shard]
    news: str = ""
    """What had to be done to it, in a sentence; "" for nothing."""

    def place(self) -> None:
        """Look where each study's rows are found in it; called when its studies have changed."""
        numbers = {part.study.study_id: number for number, part in enumerate(self.rows.parts)}
        self._places = [
            sorted((study.first, numbers[study.study_id]) for study in each.facts.studies if study.study_id in numbers)
            for each in self.shards
        ]
        """For each shard the id of the first row of each study that takes part, and the study's number."""

    def squares_by_row(self) -> NDArray[np.float64]:
        """(T,)"""
        result = np.full(len(self.rows), np.nan)
        for shard, places in zip(self.shards, self._places, strict=True):
            for first, number in places:
                start, stop = self.rows.starts[number : number + 2].tolist()
                result[start:stop] = shard.squares[first : first + stop - start]
        return result

    def candidates(
        self, query: NDArray[np.floating], count: int, probes: int, allowed: NDArray[np.bool_]
    ) -> NDArray[np.int64]:
        """Rows, ascending: up to `count` that may be near, of those that are allowed (T,)."""
        point = disk_codes.transformed(self.learned, disk_codes.prepared(query[None], self.manifest.metric))
        distances, rows = [np.zeros(0, np.float32)], [np.zeros(0, np.int64)]
        for shard, places in zip(self.shards, self._places, strict=True):
            flags = np.zeros(shard.facts.next_id, dtype=bool)  # ids of studies that take no part are off
            for first, number in places:
                start, stop = self.rows.starts[number : number + 2].tolist()
                flags[first : first + stop - start] = allowed[start:stop]
            if not flags.any():
                continue
            near, ids = disk_codes.search(shard.codes, point, count, probes, np.packbits(flags, bitorder="little"))
            firsts, numbers = np.array(places).T
            at = np.searchsorted(firsts, ids, side="right") - 1
            distances.append(near)
            rows.append(self.rows.starts[numbers[at]] + ids - firsts[at])
        every, near = np.concatenate(rows), np.concatenate(distances)
        return np.sort(every if len(every) <= count else every[np.argpartition(near, count - 1)[:count]])

    def save(self, folder: Path) -> None:
        """Write what is new under new names, then the manifest, then sweep up what earlier processes left behind."""
        folder.mkdir(parents=True, exist_ok=True)
        path = manifest_path(folder, self.rows, self.manifest.metric)
        if not self.manifest.learned:
            learned = folder / f"{path.stem}-{uuid.uuid4().hex[:8]}.learned"
            disk_codes.write(self.learned, learned)
            self.manifest = self.manifest.model_copy(update={"learned": _synced(learned)})
        for shard in self.shards:
            if not shard.facts.files:
                shard.save(folder / f"{path.stem}-{uuid.uuid4().hex[:8]}")
        self.manifest = self.manifest.model_copy(update={"shards": tuple(shard.facts for shard in self.shards)})
        self.manifest.save(path)
        _sweep(path, self.manifest.files)


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
        check: called often; may raise to give up: what is on disk stays as it was, but for shards that were full.
        progress: receives the number of frames added.

    Raises:
        TooFewError: too few frames decode.
    """

    def built(news: str) -> tuple[DiskIndex, bool]:
        progress(0, len(rows), "frames", WHAT)
        check()
        learned, lists, code_bytes = disk_codes.learned(rows, metric)
        manifest = IndexManifest(metric=metric, lists=lists, code_bytes=code_bytes, trained_rows=len(rows))
        index = DiskIndex(rows, manifest, learned, [], news)
        _add(index, rows.parts, folder, check, progress)
        return index, True

    path = None if folder is None else manifest_path(folder, rows, metric)
    manifest = IndexManifest.load(path) if path is not None else None
    if manifest is None or path is None or folder is None:
        is_damaged = path is not None and path.exists()
        return built("The index of neighbours was damaged and has been rebuilt." if is_damaged else "")
    whole = manifest.without_damaged(folder)
    stamps = {study.study_id: study.stamp for shard in whole.shards for study in shard.studies}
    stale = [part for part in rows.parts if stamps.get(part.study.study_id) != stamp_of(part)]
    if 2 * sum(map(len, stale)) > len(rows) or len(rows) > GROWTH * manifest.trained_rows:
        if len(whole.shards) < len(manifest.shards):
            return built("The index of neighbours was damaged and has been rebuilt.")
        return built("The index of neighbours was rebuilt: most of its frames are new.")
    try:
        learned = disk_codes.read(folder / next(iter(whole.learned)), mapped=False)
        shards = [Shard.read(each, folder, mapped=True) for each in whole.shards]
        index = DiskIndex(rows, whole, learned, shards)
        if stale:
            _add(index, stale, folder, check, progress)
    except (OSError, RuntimeError, LookupError, ValueError, UserError):  # another process has put a newer one in place
        return built("The index of neighbours could not be read and has been rebuilt.")
    index.place()
    if len(whole.shards) < len(manifest.shards):
        index.news = "A part of the index of neighbours was damaged and has been rebuilt."
    elif stale:
        index.news = _news(sum(part.study.study_id in stamps for part in stale), len(stale))
    return index, bool(stale)


def _add(
    index: DiskIndex, parts: Sequence[StudyRows], folder: Path | None, check: Callable[[], None], progress: Progress
) -> None:
    """Append studies, of which what it held before is taken out; a shard that is full is written at once."""
    total, done, replaced = sum(map(len, parts)), 0, {part.study.study_id for part in parts}

    def report(count: int) -> None:
        check()
        progress(done + count, total, "frames", WHAT)

    place = folder or Path()
    is_old = [bool(_names(shard.facts) & replaced) for shard in index.shards]
    if index.shards and index.shards[-1].facts.next_id < SHARD_ROWS:
        is_old[-1] = True
    index.shards = [
        shard.without(replaced, place) if old else shard for shard, old in zip(index.shards, is_old, strict=True)
    ]
    index.shards = [shard for shard in index.shards if shard.facts.studies]
    for part in parts:
        if not index.shards or index.shards[-1].facts.next_id >= SHARD_ROWS:
            if folder is not None and index.shards:
                with contextlib.suppress(OSError, RuntimeError):  # a full disk: it is said at the end
                    index.save(folder)
            index.shards.append(Shard(IndexShard(), disk_codes.empty(index.learned), np.zeros(0)))
        index.shards[-1].add(part, index.learned, index.manifest.metric, report)
        part.embeddings.let_go()
        done += len(part)
    index.place()


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
