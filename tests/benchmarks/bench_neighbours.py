"""One neighbour query, exact: `NeighbourIndex.find` against FAISS in float32 and in float16, in time and in memory.

Run it with `python -m tests.benchmarks.bench_neighbours`. It prints and asserts nothing. Both are measured in turns
within one run, medians and bests are printed: other work comes and goes on a shared machine. Memory is what each needs
to hold after its queries: the growth of a process of its own, mapped pages of the file included.
"""

import argparse
import multiprocessing
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

from tests.benchmarks.embedding_like import embedding_like, gaussian
from tests.training.embeddings.studies import write_study
from training.embeddings.exact_search import OFTEN
from training.embeddings.neighbour import NeighbourFilter, StudyEmbeddings
from training.embeddings.neighbour_index import NeighbourIndex

K = 10


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=50_000)
    parser.add_argument("--size", type=int, default=2048)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--often", type=int, default=100, help="queries in a row, in each of five turns")
    parser.add_argument("--threads", type=int, default=2, help="of faiss; ours are as many as there are cores")
    options = parser.parse_args()
    print(f"{options.frames:,} x {options.size:,} float16, k = {K}, faiss {faiss.__version__}, numpy {np.__version__}")
    faiss.omp_set_num_threads(options.threads)
    with tempfile.TemporaryDirectory(prefix="bench-neighbours-") as folder:
        for name, make in (("Gaussian", gaussian), ("embedding-like", embedding_like)):
            rows = make(0, options.frames, options.size)
            study = write_study(Path(folder), name, rows)
            compare(name, study, rows, options.rounds)
            ask_often(name, study, rows, options.often)
        memory(study)


def compare(name: str, study: StudyEmbeddings, rows: NDArray[np.float16], rounds: int) -> None:
    """Both on the same queries, in turns."""
    theirs = filled(faiss.IndexFlatL2(rows.shape[1]), rows)
    in_halves = filled(halves(rows.shape[1]), rows)
    started = time.perf_counter()
    ours = NeighbourIndex.open([study])
    opened = time.perf_counter() - started
    times: tuple[list[float], ...] = ([], [], [], [])
    same = 0
    for frame in np.random.default_rng(1).integers(len(rows), size=rounds).tolist():
        query = ours.vector(name, frame)
        apart = NeighbourFilter(name, "", frame, min_seconds_to_query=20, min_seconds_among=5)
        theirs_found = timed(times[0], theirs.search, query[None], K)[1][0]
        timed(times[1], in_halves.search, query[None], K)
        mine = timed(times[2], ours.find, query, K)
        timed(times[3], partial(ours.find, where=apart), query, K)
        same += len({item.frame_index for item in mine.items} & set(theirs_found.tolist()))
    print(f"{name}: same neighbours {same / K / rounds:.3f}; opening {opened:.2f} s, once")
    for what, measured in zip(("faiss float32", "faiss float16", "ours", "ours, apart in time"), times, strict=True):
        middle, best = np.median(measured) * 1e3, min(measured) * 1e3
        shares = [np.median(measured) / np.median(times[which]) for which in (0, 1)]
        said = "{:.2f} and {:.2f}".format(*shares)
        print(f"  {what:20} median {middle:6.1f} ms, best {best:6.1f} ms, {said} of faiss' times (medians)")


def ask_often(name: str, study: StudyEmbeddings, rows: NDArray[np.float16], count: int) -> None:
    """Many queries in a row, both in turns: ours and FAISS' inverted lists, which read as few as find 0.99 of them."""
    lists = max(1, round(np.sqrt(len(rows))))
    theirs: Any = faiss.index_factory(rows.shape[1], f"IVF{lists},SQfp16")
    started = time.perf_counter()
    theirs.train(rows[:: max(1, len(rows) // 20_000)].astype(np.float32))
    filled(theirs, rows)
    built = time.perf_counter() - started
    ours = NeighbourIndex.open([study])
    random = np.random.default_rng(2)
    true = {frame: nearest_of(ours, name, frame) for frame in random.integers(len(rows), size=count).tolist()}
    for theirs.nprobe in (2**power for power in range(12)):
        if theirs.nprobe >= lists or recall(theirs, ours, name, true) >= 0.99:
            break
    for frame in random.integers(len(rows), size=OFTEN + 1).tolist():
        nearest_of(ours, name, frame)
    times: tuple[list[float], ...] = ([], [])
    same = 0
    for _ in range(5):
        for frame in true:
            timed(times[0], theirs.search, ours.vector(name, frame)[None], K)
        for frame, expected in true.items():
            same += len(expected & timed(times[1], nearest_of, ours, name, frame))
    print(f"  asked often: faiss IVF{lists},SQfp16, {theirs.nprobe} read, {built:.1f} s to build")
    shares = [f"faiss, recall {recall(theirs, ours, name, true):.3f}", f"ours, recall {same / 5 / K / len(true):.3f}"]
    for what, measured in zip(shares, times, strict=True):
        turns = [float(np.median(turn)) * 1e3 for turn in np.array_split(measured, 5)]
        print(
            f"  {what:20} median {np.median(measured) * 1e3:.2f} ms, of turns {min(turns):.2f} to {max(turns):.2f} ms"
        )


def nearest_of(index: NeighbourIndex, name: str, frame: int) -> set[int]:
    """The frames nearest to a frame, itself included."""
    return {item.frame_index for item in index.find(index.vector(name, frame), K).items}


def recall(theirs: Any, ours: NeighbourIndex, name: str, true: dict[int, set[int]]) -> float:
    """Share of the true neighbours that FAISS finds."""
    hits = [set(theirs.search(ours.vector(name, frame)[None], K)[1][0].tolist()) & true[frame] for frame in true]
    return sum(map(len, hits)) / (K * len(true))


def timed(times: list[float], call: Callable[..., Any], *arguments: Any) -> Any:
    """Seconds of the call are appended."""
    started = time.perf_counter()
    found = call(*arguments)
    times.append(time.perf_counter() - started)
    return found


def halves(size: int) -> Any:
    """FAISS' index that keeps float16."""
    index = faiss.IndexScalarQuantizer(size, faiss.ScalarQuantizer.QT_fp16)
    index.train(np.zeros((1, size), np.float32))
    return index


def filled(index: Any, rows: NDArray[np.float16]) -> Any:
    """The index with all rows."""
    for start in range(0, len(rows), 4096):
        index.add(rows[start : start + 4096].astype(np.float32))
    return index


def memory(study: StudyEmbeddings) -> None:
    """Each in a process of its own."""
    context = multiprocessing.get_context("spawn")
    grown = []
    for work in (hold_theirs, hold_ours):
        with context.Pool(1) as pool:
            grown.append(pool.apply(work, (study,)) / 2**20)
    print(f"memory: faiss {grown[0]:.0f} MiB, ours {grown[1]:.0f} MiB, {grown[1] / grown[0]:.2f} of it")


def hold_theirs(study: StudyEmbeddings) -> int:
    """Bytes that the process has grown by."""
    import h5py

    with h5py.File(study.path) as file:
        before = peak_bytes()
        index = faiss.IndexFlatL2(file["embeddings"].shape[1])
        for start in range(0, len(file["embeddings"]), 4096):
            index.add(file["embeddings"][start : start + 4096].astype(np.float32))
        index.search(file["embeddings"][:1].astype(np.float32), K)
    return peak_bytes() - before


def hold_ours(study: StudyEmbeddings) -> int:
    """Bytes that the process has grown by."""
    import h5py  # noqa: F401  (as much as the other has imported)

    before = peak_bytes()
    index = NeighbourIndex.open([study])
    index.find(index.vector(study.study_id, 0), K)
    return peak_bytes() - before


def peak_bytes() -> int:
    """The most that this process has held, mapped files included."""
    status = Path("/proc/self/status")  # rusage counts what the process was before it became another program, too
    if status.is_file():
        return 1024 * int(status.read_text().split("VmHWM:")[1].split()[0])
    scale = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale


if __name__ == "__main__":
    main()
