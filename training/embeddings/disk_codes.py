"""The FAISS part of the index on disk: cells and product-quantised codes (Jegou et al. 2011), 64 bytes a frame.

Both are of the strongest 128 principal components, which costs a tenth of what all 1,280 numbers would.

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
REDUCED = 128
"""Components that cells and codes are of."""
CODE_BYTES = 64
FEWEST = 256
"""Values of a code's byte, and so the number of frames needed to train them."""
ROUNDS = 10


class TooFewError(Exception):
    """Cells and codes cannot be learned from so few frames; they are searched exactly."""


def is_there() -> bool:
    """Whether faiss is installed."""
    return importlib.util.find_spec("faiss") is not None


def learned(rows: NeighbourRows, metric: Metric) -> tuple[Any, int, int]:
    """What suits a sample of the rows: an empty `faiss.IndexPreTransform` of PCA and `IndexIVFPQ`; its lists; bytes.

    Args:
        rows: from which a sample is drawn; those that are not finite throughout are left out.
        metric: "cosine": of vectors of length 1.

    Raises:
        TooFewError: fewer than 256 rows are finite.
    """
    faiss = _faiss()
    # A power of two near the root of the number of rows (1,024 for a million).
    lists = int(min(16384, max(1, 2 ** round(math.log2(max(1.0, math.sqrt(len(rows))))))))
    most = max(FEWEST, min(lists * TRAINED_PER_LIST, MOST_TRAINED_BYTES // (4 * rows.size)))
    vectors = prepared(_sample(rows, most), metric)
    if len(vectors) < FEWEST:
        raise TooFewError
    lists = min(lists, len(vectors))
    size = min(rows.size, REDUCED)
    code_bytes = max(count for count in range(1, CODE_BYTES + 1) if size % count == 0)
    codes = faiss.IndexIVFPQ(faiss.IndexFlatL2(size), size, lists, code_bytes, 8)
    codes.by_residual = False
    for clustering in (codes.cp, codes.pq.cp):
        clustering.niter, clustering.seed = ROUNDS, 1
        clustering.min_points_per_centroid = 1  # it warns on the screen otherwise
    result = faiss.IndexPreTransform(codes)
    if size < rows.size:
        result.prepend_transform(faiss.PCAMatrix(rows.size, size))
    result.train(vectors)
    return result, lists, code_bytes


def _sample(rows: NeighbourRows, most: int) -> NDArray[np.float32]:
    """(M, D) up to `most` rows drawn at random, all of them finite."""
    order, kept, count = np.random.default_rng(0).permutation(len(rows)), list[NDArray[np.float32]](), 0
    for start in range(0, len(order), most):
        vectors = rows.gather(np.sort(order[start : start + most])).astype(np.float32)
        kept.append(vectors[np.isfinite(vectors).all(axis=1)][: most - count])
        count += len(kept[-1])
        if count >= most:
            break
    return np.concatenate(kept)


def empty(learned: Any) -> Any:
    """An `IndexIVFPQ` without rows, of what was learned."""
    faiss = _faiss()
    return faiss.clone_index(faiss.downcast_index(learned.index))


def add(
    learned: Any, index: Any, part: StudyRows, first: int, metric: Metric, report: Callable[[int], None]
) -> NDArray[np.float64]:
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
            index.add_with_ids(transformed(learned, prepared(vectors[whole], metric)), ids.astype(np.int64))
    return squares


def transformed(learned: Any, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """(M, d) as the shards hold (M, D) prepared vectors."""
    return np.asarray(learned.chain.at(0).apply(vectors)) if learned.chain.size() else vectors


def remove(index: Any, first: int, count: int) -> None:
    """Take the ids [first, first + count) out; of an index in memory."""
    faiss = _faiss()
    index.remove_ids(faiss.IDSelectorRange(first, first + count))


def search(
    shard: Any, point: NDArray[np.float32], count: int, probes: int, bits: NDArray[np.uint8]
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Approximate squared distances and ids of up to `count` candidates whose bit is set, in no order.

    Args:
        shard: to search.
        point: (1, d) `transformed`.
        count: of candidates.
        probes: cells that are read.
        bits: ids' flags, eight to a byte, the lowest bit first.
    """
    faiss = _faiss()
    selector = faiss.IDSelectorBitmap(bits)
    parameters = faiss.SearchParametersIVF(nprobe=probes, sel=selector)
    near, ids = shard.search(point, count, params=parameters)
    return near[0][ids[0] >= 0], np.asarray(ids[0][ids[0] >= 0], dtype=np.int64)


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
