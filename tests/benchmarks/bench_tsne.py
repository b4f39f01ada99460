"""A map of 15,000 x 2,048 embeddings as the command makes it, against scikit-learn's TSNE on the same components.

python -m tests.benchmarks.bench_tsne [--frames 15000] [--size 2048] [--without-sklearn]

Beside other work threads that spin while they wait make both many times slower, so both wait passively here (the
command does always), and CPU time is printed beside the clock's.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from tests.training.embeddings.samples import HEADER
from training.commands.child import NICENESS
from training.embeddings.chunk import EmbeddingChunk, EmbeddingLayout
from training.embeddings.writer import EmbeddingWriter
from training.projection.map_file import ProjectionFile

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # before scikit-learn loads OpenMP
BLOCK = 4096
CLOUDS = 40


def main() -> None:
    """Print both times and their ratio, the first picture's, and how good both maps are."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--frames", type=int, default=15_000)
    parser.add_argument("--size", type=int, default=2048)
    parser.add_argument("--without-sklearn", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = write_study(Path(folder) / "study.h5", asked.frames, asked.size)
        told = run_command(file, Path(folder))
        made = ProjectionFile.open(Path(folder) / "map.npz", with_basis=True)
        print(f"{asked.frames:,} frames x {asked.size:,}, {os.cpu_count()} cores")
        print(f"first picture (PCA), process start included: {told['first']:.2f} s")
        ours = f"{told['tsne']:.1f} s, CPU of the whole command {told['cpu']:.1f} s"
        print(f"t-SNE from the components on, {made.iterations} steps: {ours} (KL {made.kl_divergence:.3f})")
        print(f"the whole command: {told['whole']:.1f} s")
        reduced = made.basis["reduced"]
        print(f"share of 10 nearest frames kept on the map: {kept_neighbours(reduced, made.coordinates):.3f}")
        if not asked.without_sklearn:
            seconds, cpu_seconds, coordinates, divergence = by_sklearn(reduced)
            theirs = f"{seconds:.1f} s, CPU {cpu_seconds:.1f} s"
            print(f"scikit-learn's TSNE on the same components, 1,000 steps: {theirs} (KL {divergence:.3f})")
            print(f"share of 10 nearest frames kept on its map: {kept_neighbours(reduced, coordinates):.3f}")
            ratios = told["tsne"] / seconds, told["cpu"] / cpu_seconds
            print(f"ratio: {ratios[0]:.2f} (aim <= 0.4); of CPU time, ours with all else: {ratios[1]:.2f}")


def write_study(path: Path, frames: int, size: int) -> Path:
    """Clouds along a line of time, with a spectrum that falls as that of a network's embeddings."""
    rng = np.random.default_rng(0)
    spectrum = np.geomspace(1, 0.02, size)
    centres = np.cumsum(rng.normal(size=(CLOUDS, size)), axis=0) * spectrum
    layout = EmbeddingLayout(frames, size)
    asked = HEADER.model_copy(update={"classes": ()})
    with EmbeddingWriter.create(path, asked, layout, np.arange(frames) / 3) as writer:
        for start in range(0, frames, BLOCK):
            count = min(BLOCK, frames - start)
            cloud = np.arange(start, start + count) * CLOUDS // frames
            rows = (centres[cloud] + rng.normal(size=(count, size)) * spectrum).astype(np.float32)
            writer.append(EmbeddingChunk(rows, np.zeros((count, 3), np.uint8)))
        writer.finish()
    return path


def run_command(file: Path, folder: Path) -> dict[str, float]:
    """The command as the window runs it: seconds to its first picture, from the components to the end, and in all."""
    config = {"command": "project", "config": {"embeddings": [str(file)], "out": str(folder / "map.npz")}}
    (folder / "job.json").write_text(json.dumps(config))
    started = time.perf_counter()
    pictures: list[float] = []
    with subprocess.Popen(
        [sys.executable, "-m", "training.commands.child", str(folder / "job.json")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout is not None
        for line in child.stdout:
            event: dict[str, Any] = json.loads(line)
            if event["event"] == "partial" and event["payload"]["iteration"] == 0:
                pictures.append(time.perf_counter() - started)
            if event["event"] == "outcome":
                assert event["kind"] == "done", event
    whole = time.perf_counter() - started
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {"first": pictures[0], "tsne": whole - pictures[-1], "whole": whole, "cpu": used.ru_utime + used.ru_stime}


def by_sklearn(reduced: np.ndarray[Any, Any]) -> tuple[float, float, np.ndarray[Any, Any], float]:
    """Seconds, CPU seconds, (N, 2) coordinates and divergence of scikit-learn's on the same components and start."""
    from sklearn.manifold import TSNE

    if hasattr(os, "nice"):
        os.nice(NICENESS)  # as the command's process lowers its own priority
    start = reduced[:, :2] / reduced[:, 0].std() * 1e-4
    started, began = time.perf_counter(), time.process_time()
    tsne = TSNE(perplexity=30, init=start, random_state=0, n_jobs=-1)
    coordinates = tsne.fit_transform(reduced)
    return time.perf_counter() - started, time.process_time() - began, coordinates, float(tsne.kl_divergence_)


def kept_neighbours(reduced: np.ndarray[Any, Any], coordinates: np.ndarray[Any, Any], count: int = 10) -> float:
    """Share of a frame's nearest frames among the components that are among its nearest on the map."""
    some = np.random.default_rng(0).permutation(len(reduced))[:1000]
    near = [nearest(points, some, count) for points in (reduced, coordinates)]
    return float(np.mean([len(np.intersect1d(first, second)) / count for first, second in zip(*near, strict=True)]))


def nearest(points: np.ndarray[Any, Any], some: np.ndarray[Any, Any], count: int) -> np.ndarray[Any, Any]:
    """(n, count) nearest others of some points, Euclidean."""
    squares = (points.astype(np.float64) ** 2).sum(axis=1)
    distances = squares - 2 * points[some].astype(np.float64) @ points.T.astype(np.float64)
    distances[np.arange(len(some)), some] = np.inf
    return np.argpartition(distances, count, axis=1)[:, :count]


if __name__ == "__main__":
    main()
