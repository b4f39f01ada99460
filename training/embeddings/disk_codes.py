"""The FAISS part of the index on disk: cells and product-quantised codes (Jegou et al. 2011), 64 bytes a frame.

Codes are of the vectors themselves, not of their residuals: less exact, but one table serves all cells, and candidates
are ranked by their true distances afterwards anyway. faiss is imported only here, and only when it is needed.
"""

import contextlib
import importlib
import importlib.util
import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.embeddings.neighbour import Metric
from training.embeddings.neighbour_rows import NeighbourRows, StudyRows

ADDED_ROWS = 8192
TRAINED_PER_LIST = 40
MOST_TRAINED_BYTES = 256 << 20
CODE_BYTES = 64
FEWEST = 256
"""Values of a code's byte, and so the number of frames needed to train them."""
ROUNDS = 10


class TooFewError(Exception):
    """Cells and codes cannot be learned from so few frames; they are searched exactly."""


def is_there() -> bool:
    """Whether faiss is installed."""
    return importlib.util.find_spec("faiss") is not None


def learned(rows: NeighbourRows, is_valid: NDArray[np.bool_], metric: Metric) -> Any:
    """An empty `faiss.IndexIVFPQ` whose cells and codes suit a sample of the rows.

    Args:
        rows: from which a sample is drawn.
        is_valid: (T,) rows that may be drawn; those that turn out not to be finite throughout are left out.
        metric: "cosine": of vectors of length 1.

    Raises:
        TooFewError: fewer than 256 rows are finite.
    """
    faiss = _faiss()
    valid = np.flatnonzero(is_valid)
    # A power of two near the root of the number of rows (1,024 for a million).
    lists = int(min(16384, max(1, 2 ** round(math.log2(max(1.0, math.sqrt(len(valid))))))))
    code_bytes = max(count for count in range(1, CODE_BYTES + 1) if rows.size % count == 0)
    most = min(len(valid), max(FEWEST, min(lists * TRAINED_PER_LIST, MOST_TRAINED_BYTES // (4 * rows.size))))
    sample = np.sort(np.random.default_rng(0).choice(valid, most, replace=False))
    vectors = rows.gather(sample)
    vectors = vectors[np.isfinite(vectors).all(axis=1)]
    if len(vectors) < max(FEWEST, lists):
        raise TooFewError
    index = faiss.IndexIVFPQ(faiss.IndexFlatL2(rows.size), rows.size, lists, code_bytes, 8)
    index.by_residual = False
    for clustering in (index.cp, index.pq.cp):
        clustering.niter, clustering.seed = ROUNDS, 1
        clustering.min_points_per_centroid = 1  # it warns on the screen otherwise
    index.train(prepared(vectors, metric))
    return index


def add(index: Any, part: StudyRows, first: int, metric: Metric, report: Callable[[int], None]) -> NDArray[np.float64]:
    """Add a study's rows with the ids from `first`; returns their squared norms (N,), NaN where nothing was added.

    `report` is called with the number of rows so far, and may raise to give up.
    """
    squares = np.empty(len(part))
    for start in range(0, len(part), ADDED_ROWS):
        report(start)
        vectors = np.asarray(part.embeddings[start : start + ADDED_ROWS], dtype=np.float64)
        square = np.einsum("ij,ij->i", vectors, vectors)
        squares[start : start + ADDED_ROWS] = square
        whole = np.isfinite(square)
        ids = first + start + np.flatnonzero(whole)
        if len(ids):
            index.add_with_ids(prepared(vectors[whole], metric), ids.astype(np.int64))
    return squares


def remove(index: Any, first: int, count: int) -> None:
    """Take the ids [first, first + count) out; of an index in memory."""
    faiss = _faiss()
    index.remove_ids(faiss.IDSelectorRange(first, first + count))


def search(
    index: Any, query: NDArray[np.float32], count: int, probes: int, bits: NDArray[np.uint8]
) -> NDArray[np.int64]:
    """Ids of up to `count` candidates whose bit is set, in no order.

    Args:
        index: to search.
        query: (D,) prepared.
        count: of candidates.
        probes: cells that are read.
        bits: ids' flags, eight to a byte, the lowest bit first.
    """
    faiss = _faiss()
    selector = faiss.IDSelectorBitmap(bits)
    parameters = faiss.SearchParametersIVF(nprobe=probes, sel=selector)
    _, ids = index.search(query[None], count, params=parameters)
    return np.asarray(ids[0][ids[0] >= 0], dtype=np.int64)


def prepared(vectors: NDArray[np.floating], metric: Metric) -> NDArray[np.float32]:
    """(M, D) or (D,) float32 as the index holds them: of length 1 for cosine; zeros stay zeros."""
    if metric == "cosine":
        lengths = np.linalg.norm(vectors.astype(np.float64), axis=-1, keepdims=True)
        vectors = vectors / np.where(lengths > 0, lengths, 1.0)
    return np.ascontiguousarray(vectors, dtype=np.float32)


def write(index: Any, path: Path) -> None:
    """Write an index to a file.

    Raises:
        OSError: it cannot be written.
    """
    faiss = _faiss()
    try:
        faiss.write_index(index, str(path))
    except RuntimeError:  # on Windows it opens no path with letters beyond ASCII, as in many a user's name
        faiss.serialize_index(index).tofile(path)


def read(path: Path, *, mapped: bool) -> Any:
    """Read an index; mapped: its codes stay on disk where the system can map them, and it cannot be added to.

    Raises:
        OSError: there is no such file.
        RuntimeError: it is none of faiss'.
    """
    faiss = _faiss()
    for flags in [faiss.IO_FLAG_MMAP | faiss.IO_FLAG_READ_ONLY] * mapped + [0]:
        with contextlib.suppress(RuntimeError):  # nothing is mapped on some systems; of paths see `write`
            return faiss.read_index(str(path), flags)
    return faiss.deserialize_index(np.fromfile(path, dtype=np.uint8))


def _faiss() -> Any:
    """Half of its names come into being when it is imported, so no checker of types knows them.

    It gets half of the cores: its threads wait for each other, and beside other work two of them on two cores took
    three times as long as one (measured); and the window needs the CPU too.
    """
    faiss = importlib.import_module("faiss")
    faiss.omp_set_num_threads(max(1, (os.cpu_count() or 1) // 2))
    return faiss
