"""What sharing forward passes in a scene saves, and what it changes.

    python -m tests.benchmarks.bench_scenes VIDEO... [--model MODEL_DIR] [--rounds 2]

Scores each video with and without scenes, by turns. Prints seconds, their ratio, the share of frames without a pass of
their own, by how much scores differ (99th percentile over all frames, and the largest), flags that differ at 0.5, and
events that are lost: none of whose frames is flagged any more. Asserts nothing. A study that rests:
`python -m training phantom DIR --studies 1 --set rest_share=0.9 --set size_px=320 --set positive_share=0.03`.
"""

import argparse
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.embeddings.file import EmbeddingFile
from training.inference.score import ScoreSummary, score_study
from training.metrics.events import MAX_GAP_FRAMES, THRESHOLD, event_bounds, flagged_frames
from training.models.folder import ModelFolder

STARTER = Path(__file__).resolve().parents[2] / "resources" / "models" / "starter"


def measure(video: Path, model: ModelFolder, folder: Path) -> None:
    """Print one line."""
    every, plain = _scored(video, model, folder / "every.h5", scenes=False)
    shared, found = _scored(video, model, folder / "shared.h5", scenes=True)
    apart = np.nan_to_num(np.abs(plain - found)[:, 1:]).max(axis=1)
    lost, events, flags = 0, 0, 0
    for before, after in zip(plain.T[1:], found.T[1:], strict=True):
        frames, now = np.flatnonzero(flagged_frames(before, THRESHOLD)), flagged_frames(after, THRESHOLD)
        flags += int((now != flagged_frames(before, THRESHOLD)).sum())
        starts, stops = (frames[places] for places in event_bounds(frames, MAX_GAP_FRAMES))
        events += len(starts)
        lost += sum(not now[start : stop + 1].any() for start, stop in zip(starts, stops, strict=True))
    ratio = every.seconds / shared.seconds
    print(
        f"{video.stem}: {every.seconds:.1f} s, with scenes {shared.seconds:.1f} s, {ratio:.2f} times as fast; "
        f"{shared.shared / shared.frames:.1%} shared; scores differ by {np.quantile(apart, 0.99):.4f} "
        f"(p99), {apart.max():.3f} (largest); {flags} flags differ; {lost} of {events} events lost",
        flush=True,
    )


def _scored(video: Path, model: ModelFolder, out: Path, *, scenes: bool) -> tuple[ScoreSummary, NDArray[np.float32]]:
    summary = score_study(video, model, out, scenes=scenes)
    with EmbeddingFile.open(out) as file:
        assert file.scores is not None
        return summary, np.array(file.scores)


def main() -> None:
    """Measure each video."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("videos", type=Path, nargs="+")
    parser.add_argument("--model", type=Path, default=STARTER)
    parser.add_argument("--rounds", type=int, default=2)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        for path in asked.videos:
            for _ in range(asked.rounds):
                measure(path, ModelFolder.open(asked.model), Path(place))


if __name__ == "__main__":
    main()
