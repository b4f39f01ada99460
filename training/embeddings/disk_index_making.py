"""The approximate index: opened as it is on disk, brought up to date with its studies, or rebuilt."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from training.embeddings import disk_codes
from training.embeddings.disk_index import DiskIndex, manifest_path
from training.embeddings.disk_manifest import IndexedStudy, IndexManifest, stamp_of
from training.embeddings.neighbour import Metric
from training.embeddings.neighbour_rows import NeighbourRows
from training.errors import UserError
from training.files.npz import Column, read_npy
from training.texts import count_text, join_texts

Progress = Callable[[int, int, str, str], None]
WHAT = "building the index of neighbours"
GROWTH = 4
"""An index is rebuilt once it holds so many times the frames that its cells were learned from."""


def open_disk_index(
    rows: NeighbourRows,
    metric: Metric,
    folder: Path | None,
    check: Callable[[], None] = lambda: None,
    progress: Progress = lambda *_: None,
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
    path = None if folder is None else manifest_path(folder, rows, metric)
    manifest = IndexManifest.load(path) if path is not None else None
    if manifest is None or path is None:
        damaged = path is not None and path.exists()
        said = "The index of neighbours was damaged and has been rebuilt." if damaged else ""
        return _build(rows, metric, said, check, progress), True
    stamps = {study.study_id: study.stamp for study in manifest.studies}
    current = [stamps.get(part.study.study_id) == stamp_of(part) for part in rows.parts]
    known = sum(len(part) for part, is_current in zip(rows.parts, current, strict=True) if is_current)
    if 2 * known < len(rows) or len(rows) > GROWTH * manifest.trained_rows:
        said = "The index of neighbours was rebuilt: most of its frames are new."
        return _build(rows, metric, said, check, progress), True
    try:
        index = _load(path.parent, manifest, rows, metric, mapped=all(current))
    except (
        OSError,
        RuntimeError,
        ValueError,
        UserError,
    ):  # another process has put a newer one in its place; faiss: RuntimeError
        said = "The index of neighbours could not be read and has been rebuilt."
        return _build(rows, metric, said, check, progress), True
    if all(current):
        return index, False
    return _brought_up_to_date(index, current, check, progress), True


def _build(rows: NeighbourRows, metric: Metric, said: str, check: Callable[[], None], progress: Progress) -> DiskIndex:
    progress(0, len(rows), "frames", WHAT)
    is_valid = np.concatenate([np.isfinite(np.asarray(part.embeddings[:, 0])) for part in rows.parts])
    check()
    codes = disk_codes.learned(rows, is_valid, metric)
    studies, squares, done = [], [], 0
    for part in rows.parts:
        studies.append(IndexedStudy(study_id=part.study.study_id, first=done, rows=len(part), stamp=stamp_of(part)))
        squares.append(
            disk_codes.add(codes, part, done, metric, _reporting(check, progress, done, len(part), len(rows)))
        )
        done += len(part)
    return DiskIndex(
        rows, metric, codes, np.concatenate(squares), tuple(studies), trained_rows=len(rows), next_id=done, said=said
    )


def _reporting(check: Callable[[], None], progress: Progress, done: int, count: int, total: int) -> Callable[[], None]:
    """`check` that also reports the progress within one study."""
    steps = iter(range(done, done + count, disk_codes.ADDED_ROWS))

    def report() -> None:
        check()
        progress(next(steps), total, "frames", WHAT)

    return report


def _load(folder: Path, manifest: IndexManifest, rows: NeighbourRows, metric: Metric, *, mapped: bool) -> DiskIndex:
    codes, squares = (
        next(folder / name for name in manifest.checksums if name.endswith(end)) for end in (".faiss", ".npy")
    )
    known = {study.study_id for study in manifest.studies}
    # Studies that are not in it yet stand at its end for now; `_brought_up_to_date` gives them their place.
    missing = [part for part in rows.parts if part.study.study_id not in known]
    placeholders = tuple(
        IndexedStudy(study_id=part.study.study_id, first=manifest.next_id, rows=0, stamp="") for part in missing
    )
    return DiskIndex(
        rows,
        metric,
        disk_codes.read(codes, mapped=mapped),
        read_npy(squares, Column("<f8", (manifest.next_id,))),
        manifest.studies + placeholders,
        trained_rows=manifest.trained_rows,
        next_id=manifest.next_id,
        probes=manifest.probes,
        recall=manifest.recall,
        recall_queries=manifest.recall_queries,
        recall_rows=manifest.recall_rows,
    )


def _brought_up_to_date(
    index: DiskIndex, current: list[bool], check: Callable[[], None], progress: Progress
) -> DiskIndex:
    """Take out studies that were scored again, append them and those that are new."""
    stale = [part for part, is_current in zip(index.rows.parts, current, strict=True) if not is_current]
    entries = {study.study_id: study for study in index.studies}
    squares, next_id, again = [index.squares], index.next_id, 0
    total, done = sum(len(part) for part in stale), 0
    for part in stale:
        old = entries[part.study.study_id]
        again += old.rows > 0
        if old.rows:
            disk_codes.remove(index.codes, old.first, old.rows)
        report = _reporting(check, progress, done, len(part), total)
        squares.append(disk_codes.add(index.codes, part, next_id, index.metric, report))
        entries[part.study.study_id] = IndexedStudy(
            study_id=part.study.study_id, first=next_id, rows=len(part), stamp=stamp_of(part)
        )
        next_id, done = next_id + len(part), done + len(part)
    index.squares, index.next_id, index.studies = np.concatenate(squares), next_id, tuple(entries.values())
    index.__post_init__()
    index.said = _said(again, len(stale) - again)
    return index


def _said(again: int, new: int) -> str:
    sentences = []
    if new:
        sentences.append(
            count_text(
                "{count} new study was added to the index of neighbours.",
                "{count} new studies were added to the index of neighbours.",
                new,
            )
        )
    if again:
        sentences.append(
            count_text(
                "{count} study scored again since then replaced the older ones.",
                "{count} studies scored again since then replaced the older ones.",
                again,
            )
        )
    return join_texts(" ", sentences)
