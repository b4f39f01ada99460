"""Neighbours beyond the memory budget: the index on disk against exact search, in time, memory and recall.

Run it with `python -m tests.benchmarks.bench_neighbour_index`. It prints and asserts nothing. Embeddings are made up
(see `embedding_like`); `--folder` names a folder of embedding files instead, in which the index stays, too. Queries are
frames that the index's own measure of its recall did not use; one pass over the same files says what is true. Building
and asking have a process each, whose highest resident memory is printed, mapped pages of files included. Seconds are
those of the clock and, in brackets, of the processor: other work comes and goes on a shared machine. Beside them stands
how long a fixed computation took, in turns with the queries.
"""

import argparse
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

from tests.benchmarks.embedding_like import embedding_like
from tests.training.embeddings.studies import write_study
from training.embeddings.header import SCHEMA_VERSION
from training.embeddings.neighbour import NeighbourFilter, StudyEmbeddings
from training.embeddings.neighbour_index import NeighbourIndex

K = 10
SECONDS_APART = 20.0
FILTERS = ("all", "other patients", "other patients, one class", "apart in time")
CLASS_SHARE = 0.01
"""Of the frames carry the class that is asked for."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=20)
    parser.add_argument("--frames", type=int, default=50_000, help="of each study")
    parser.add_argument("--size", type=int, default=1280)
    parser.add_argument("--queries", type=int, default=40)
    parser.add_argument("--storage", choices=SCHEMA_VERSION, default="int8")
    parser.add_argument("--folder", type=Path, help="of embedding files, of which the first are taken")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-index-") as temporary:
        folder = options.folder or Path(temporary)
        if options.folder is None:
            version = SCHEMA_VERSION[options.storage]
            for number in range(options.studies):
                rows = embedding_like(number, options.frames, options.size)
                write_study(folder, f"s{number:04d}", rows, schema_version=version)
        studies = [StudyEmbeddings(path.stem, path.stem, path) for path in sorted(folder.glob("*.h5"))]
        studies, cache = studies[: options.studies], folder / f"cache-{options.studies}"
        print(f"{len(studies)} studies, k = {K}, faiss {faiss.__version__}, load {os.getloadavg()[0]:.0f}")
        building(studies, cache)
        in_a_process(asking, studies, cache, options.queries)


def in_a_process(function: Callable[..., Any], *arguments: Any) -> None:
    """Call it in a fresh process, and print the most memory that this had."""
    process = get_context("spawn").Process(target=_with_memory, args=(function, *arguments))
    process.start()
    process.join()
    if process.exitcode:
        sys.exit(process.exitcode)


def _with_memory(function: Callable[..., Any], *arguments: Any) -> None:
    function(*arguments)
    print(f"  at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GiB in memory", flush=True)


def building(studies: list[StudyEmbeddings], cache: Path) -> None:
    """All but one study, then the last one appended, then opened as it is."""
    for what, some in (("built", studies[:-1]), ("one study appended", studies), ("opened", studies)):
        in_a_process(opening, what, some, cache)
    print(f"{sum(path.stat().st_size for path in cache.iterdir()) / 2**20:.0f} MiB on disk")


def opening(what: str, studies: list[StudyEmbeddings], cache: Path) -> None:
    """Open, and print how long that took."""
    started, computed = time.perf_counter(), time.process_time()
    index = NeighbourIndex.open(studies, cache=cache, memory_budget_bytes=0)
    seconds, computed = time.perf_counter() - started, time.process_time() - computed
    print(f"{what}: {seconds:.1f} s ({computed:.1f}); {index.news or 'nothing to be done'}")


def asking(studies: list[StudyEmbeddings], cache: Path, queries: int) -> None:
    """The same queries with several filters; each is asked twice: the first time pages may still be on disk."""
    index = NeighbourIndex.open(studies, cache=cache, memory_budget_bytes=0)
    print(index.description)
    random = np.random.default_rng(5)
    masks = {name: random.random(len(index.frame_index(name))) < CLASS_SHARE for name in index.study_ids}
    chosen = [studies[int(random.integers(len(studies)))] for _ in range(queries)]
    asked = [(study, int(random.choice(index.frame_index(study.study_id)))) for study in chosen]
    vectors = [index.vector(study.study_id, frame) for study, frame in asked]
    answers: dict[str, list[list[float]]] = {}
    for what in FILTERS:
        times, fixed = np.zeros((queries, 2)), np.zeros(queries)
        computed, in_fixed = time.process_time(), 0.0
        for number, (study, frame) in enumerate(asked):
            where = filter_of(what, study, frame, masks)
            for turn in range(2):
                started = time.perf_counter()
                result = index.find(vectors[number], K, where=where)
                times[number, turn] = (time.perf_counter() - started) * 1e3
            answers.setdefault(what, []).append([item.distance for item in result.items])
            processor = time.process_time()
            fixed[number] = reference()
            in_fixed += time.process_time() - processor
        computed = (time.process_time() - computed - in_fixed) * 1e3 / queries
        (first, again), (late, late_again) = np.median(times, axis=0), np.percentile(times, 95, axis=0)
        print(
            f"{what}: first {first:.0f} ms, p95 {late:.0f}; again {again:.0f}, p95 {late_again:.0f}; both "
            f"({computed:.0f} of the processor); fixed computation {np.median(fixed):.1f} ms"
        )
    print(
        f"  at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GiB in memory so far", flush=True
    )
    search = index._search("euclidean", lambda: None, lambda *_: None)
    allowed = [index._allowed(filter_of(what, *each, masks)) for what in FILTERS for each in asked]
    every = np.tile(np.array(vectors, np.float64), (len(FILTERS), 1))
    true = search.exact.farthest_of_nearest(every, K, "euclidean", allowed, lambda: None).reshape(len(FILTERS), -1)
    for what, limits in zip(FILTERS, true.tolist(), strict=True):
        pairs = zip(answers[what], limits, strict=True)
        hits = sum(distance <= limit * (1 + 1e-9) + 1e-9 for mine, limit in pairs for distance in mine)
        print(f"{what}: recall@{K} {hits / K / queries:.3f}")


def filter_of(what: str, study: StudyEmbeddings, frame: int, masks: dict[str, NDArray[np.bool_]]) -> NeighbourFilter:
    """The filter of a query."""
    apart = SECONDS_APART if what == "apart in time" else 0.0
    return NeighbourFilter(
        study.study_id,
        study.patient_id,
        frame,
        scope="other patients" if "patients" in what else "all",
        min_seconds_to_query=apart,
        frames=masks if "class" in what else None,
    )


def reference() -> float:
    """Milliseconds of the processor and the clock for a matrix product that nothing else needs."""
    matrix = np.ones((256, 256), np.float32)
    started = time.perf_counter()
    for _ in range(8):
        matrix = matrix @ np.eye(256, dtype=np.float32)
    return (time.perf_counter() - started) * 1e3


if __name__ == "__main__":
    main()
