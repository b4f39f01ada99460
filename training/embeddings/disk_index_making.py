"""The approximate index: opened as it is on disk, brought up to date with its studies, or rebuilt."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.embeddings import disk_codes
from training.embeddings.disk_index import DiskIndex, IndexedStudy, IndexManifest, manifest_path, stamp_of
from training.embeddings.neighbour import Metric
from training.embeddings.neighbour_rows import NeighbourRows, StudyRows
from training.errors import UserError
from training.files.npz import Column, read_npy
from training.texts import count_text, join_texts

Progress = Callable[[int, int, str, str], None]
WHAT = "building the index of neighbours"
GROWTH = 4
"""An index is rebuilt once it holds so many times the frames that its cells were learned from."""


def open_disk_index(
    rows: NeighbourRows, metric: Metric, folder: Path | None, check: Callable[[], None], progress: Progress
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
