"""Neighbours beyond the memory budget: the index on disk against exact search, in time and in recall.

Run it with `python -m tests.benchmarks.bench_neighbour_index`. It prints and asserts nothing. Embeddings are made up
(see `embedding_like`). Queries are frames that the index's own measure of its recall did not use; exact search over the
same files says what is true. The pages of the files are in the system's cache, if they fit there.
"""

import argparse
import tempfile
import time
from pathlib import Path

import faiss
import numpy as np

from tests.benchmarks.embedding_like import embedding_like
from tests.training.embeddings.studies import write_study
from training.embeddings.neighbour import NeighbourFilter, StudyEmbeddings
from training.embeddings.neighbour_index import NeighbourIndex

K = 10


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=20)
    parser.add_argument("--frames", type=int, default=50_000, help="of each study")
    parser.add_argument("--size", type=int, default=512)
    parser.add_argument("--queries", type=int, default=40)
    options = parser.parse_args()
    total = options.studies * options.frames
    print(f"{total:,} x {options.size} float16, k = {K}, faiss {faiss.__version__}, numpy {np.__version__}")
    with tempfile.TemporaryDirectory(prefix="bench-index-") as folder:
        studies = [
            write_study(Path(folder), f"s{number}", embedding_like(number, options.frames, options.size))
            for number in range(options.studies)
        ]
        building(studies, Path(folder) / "cache")
        asking(studies, Path(folder) / "cache", options.queries, options.frames)


def building(studies: list[StudyEmbeddings], cache: Path) -> None:
    """All but one study, then the last one appended, then opened as it is."""
    for what, some in (("built", studies[:-1]), ("one study appended", studies), ("opened", studies)):
        started = time.perf_counter()
        index = NeighbourIndex.open(some, cache=cache, memory_budget_bytes=0)
        print(f"{what}: {time.perf_counter() - started:.1f} s; {index.news or 'nothing to be done'}")
        index.close()
    print(f"{sum(path.stat().st_size for path in cache.iterdir()) / 2**20:.0f} MiB on disk")


def asking(studies: list[StudyEmbeddings], cache: Path, queries: int, frames: int) -> None:
    """The same queries to both; the index is asked first, and twice: the first time pages may still be on disk."""
    index = NeighbourIndex.open(studies, cache=cache, memory_budget_bytes=0)
    exact = NeighbourIndex.open(studies, memory_budget_bytes=2**40)
    print(index.description)
    random = np.random.default_rng(5)
    asked = [(studies[int(random.integers(len(studies)))], int(random.integers(frames))) for _ in range(queries)]
    for what, scope, seconds in (("all", "all", 0.0), ("other studies", "other studies", 0.0), ("apart", "all", 20.0)):
        times: tuple[list[float], ...] = ([], [], [])
        hits = 0
        for study, frame in asked:
            query = index.vector(study.study_id, frame)
            where = NeighbourFilter(
                study.study_id,
                study.patient_id,
                frame,
                scope=scope,  # type: ignore[arg-type]
                min_seconds_to_query=seconds,
                min_seconds_among=seconds,
            )
            found = []
            for place, one in enumerate((index, index, exact)):
                started = time.perf_counter()
                found.append({(item.study_id, item.frame_index) for item in one.find(query, K, where=where).items})
                times[place].append((time.perf_counter() - started) * 1e3)
            hits += len(found[1] & found[2])
        middle, late = np.median(times[1]), np.percentile(times[1], 95)
        print(
            f"{what}: recall@{K} {hits / K / queries:.3f}, median {middle:.1f} ms, p95 {late:.1f} ms "
            f"(first time {np.median(times[0]):.1f} ms), exact {np.median(times[2]):.0f} ms"
        )


if __name__ == "__main__":
    main()
