"""Studies that are large enough for an index on disk, and a process that dies while it brings one up to date."""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.training.embeddings.studies import write_study
from training.embeddings import disk_codes
from training.embeddings.neighbour import StudyEmbeddings
from training.embeddings.neighbour_index import NeighbourIndex

FRAMES = 1500
SIZE = 16
QUICK_ROUNDS = 2
"""Of learning cells and codes, which takes most of the time of a little index."""


def cloud(seed: int) -> NDArray[np.float16]:
    """(FRAMES, SIZE): points around 60 centres that all studies share; one frame does not decode."""
    random = np.random.default_rng(seed)
    centres = np.random.default_rng(0).standard_normal((60, SIZE))
    points = centres[random.integers(60, size=FRAMES)] + 0.3 * random.standard_normal((FRAMES, SIZE))
    points[7] = np.nan
    return points.astype(np.float16)


def write_clouds(folder: Path, count: int) -> list[StudyEmbeddings]:
    """Studies c0, c1, ..."""
    return [write_study(folder, f"c{number}", cloud(number)) for number in range(count)]


def given_clouds(folder: Path, count: int) -> list[StudyEmbeddings]:
    """The same, written before."""
    return [StudyEmbeddings(f"c{number}", f"C{number}", folder / f"c{number}.h5") for number in range(count)]


def die_at(folder: Path, count: int, steps: int) -> None:
    """Open an index of `count` studies, but be killed by the system at the `steps`-th step of keeping it."""
    disk_codes.ROUNDS = QUICK_ROUNDS
    left = [steps]

    def dying(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*arguments, **options)

        return call

    os.fsync = dying(os.fsync)
    disk_codes.write = dying(disk_codes.write)
    np.save = dying(np.save)
    Path.replace = dying(Path.replace)  # type: ignore[method-assign]
    Path.unlink = dying(Path.unlink)  # type: ignore[method-assign]
    NeighbourIndex.open(given_clouds(folder, count), cache=folder / "cache", memory_budget_bytes=0)


if __name__ == "__main__":
    die_at(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
