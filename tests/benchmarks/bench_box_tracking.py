"""How well proposed boxes follow true ones: the first box of each visit is followed, against one that stays in place.

    python -m tests.benchmarks.bench_box_tracking FOLDER

The folder holds `frames.csv` (video, frame_index, label, step, x_min, y_min, x_max, y_max) beside its videos. A visit
is a run of boxes of one class on successive frames. Recordings are the groups of the bootstrap.
"""

import csv
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from training.video import open_source
from training.video.box_tracking import Edges, follow

DISTANCES = (1, 5, 10, 20, 50)
DRAWS = 2000


def overlap(one: Edges | None, other: Edges) -> float:
    """Intersection over union; 0 for a box that was lost."""
    if one is None:
        return 0.0
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    shared = max(width, 0.0) * max(height, 0.0)
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)]
    return shared / max(sum(areas) - shared, 1e-9)


def visits(table: Path) -> Iterator[tuple[str, int, list[Edges]]]:
    """Video, first frame, and the box of each frame."""
    video, first, boxes, before = "", 0, list[Edges](), ("", "", -1)
    with table.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["x_min"]]
    for row in rows:
        here = row["video"], row["label"], int(row["frame_index"])
        if not (row["step"] == "1" and here[:2] == before[:2] and here[2] == before[2] + 1):
            if boxes:
                yield video, first, boxes
            video, first, boxes = row["video"], here[2], []
        x_min, y_min, x_max, y_max = (float(row[name]) for name in ("x_min", "y_min", "x_max", "y_max"))
        boxes.append((x_min, y_min, x_max, y_max))
        before = here
    yield video, first, boxes


def interval(values: list[np.ndarray]) -> str:
    """Mean over all visits, with 95 % interval; groups are drawn with replacement."""
    random = np.random.default_rng(0)
    draws = [np.concatenate([values[at] for at in random.integers(0, len(values), len(values))]) for _ in range(DRAWS)]
    low, high = np.percentile([draw.mean() for draw in draws], [2.5, 97.5])
    return f"{np.concatenate(values).mean():.2f} [{low:.2f}, {high:.2f}]"


def main() -> None:
    """Print a row for each distance."""
    folder = Path(sys.argv[1])
    rows: dict[int, dict[str, list[tuple[float, float, bool]]]] = {distance: {} for distance in DISTANCES}
    frames, seconds = 0, 0.0
    for video, first, boxes in visits(folder / "frames.csv"):
        with open_source(folder / video) as source:
            start = time.perf_counter()
            followed = dict(follow(source.read, boxes[0], first, first + min(len(boxes) - 1, DISTANCES[-1])))
            seconds, frames = seconds + time.perf_counter() - start, frames + len(followed)
        for distance in (distance for distance in DISTANCES if distance < len(boxes)):
            moved, true = followed.get(first + distance), boxes[distance]
            rows[distance].setdefault(video, []).append((overlap(moved, true), overlap(boxes[0], true), moved is None))
    print(
        "| frames | visits | recordings | followed | does not move | gain | lost | not lost: followed | does not move |"
    )
    for distance, groups in rows.items():
        tables = [np.array(values, dtype=float) for values in groups.values()]
        columns = [interval([table[:, at] for table in tables]) for at in (0, 1)]
        gain = interval([table[:, 0] - table[:, 1] for table in tables])
        lost = np.concatenate(tables)[:, 2]
        there = [kept for table in tables if len(kept := table[table[:, 2] == 0])]
        columns += [gain, f"{lost.mean():.0%}", *(interval([table[:, at] for table in there]) for at in (0, 1))]
        print(
            f"| {distance} | {len(lost)} | {len(tables)} | {columns[0]} | {columns[1]} | {gain} | {lost.mean():.0%} |"
        )
    print(f"{1000 * seconds / max(frames, 1):.0f} ms a frame")


if __name__ == "__main__":
    main()
