"""The approximate index: opened as it is on disk, brought up to date with its studies, or rebuilt.

It lies in shards of about a million frames, each with whole studies; all share what was learned of the frames (PCA,
cells, codes). A study is added to the last shard, so that adding one costs the same however many there are.
"""

import contextlib
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from training.embeddings import disk_codes, neighbour
from training.embeddings.disk_manifest import IndexedStudy, IndexManifest, IndexShard, sweep, synced
from training.embeddings.neighbour_rows import NeighbourRows, StudyRows
from training.errors import UserError
from training.files.npz import Column, read_npy
from training.texts import count_text, join_texts

SHARD_ROWS = 1_000_000
"""A shard with so many frames takes no further study."""


def stamp_of(part: StudyRows) -> str:
    """Changes when the study is scored again; not when the library is moved."""
    header = part.header
    return f"{header.model_sha256[:16]} {header.space} {header.created_utc} {header.video_fingerprint} {len(part)}"


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
        self.facts = self.facts.model_copy(update={"files": synced(codes, squares)})
        self.codes = disk_codes.read(codes, mapped=True)


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
            self.manifest = self.manifest.model_copy(update={"learned": synced(learned)})
        for shard in self.shards:
            if not shard.facts.files:
                shard.save(folder / f"{path.stem}-{uuid.uuid4().hex[:8]}")
        self.manifest = self.manifest.model_copy(update={"shards": tuple(shard.facts for shard in self.shards)})
        self.manifest.save(path)
        sweep(path, self.manifest.files)


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
    is_old = [bool(shard.facts.study_ids & replaced) for shard in index.shards]
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
