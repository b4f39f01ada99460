"""The blood indicator on labelled frames: sensitivity at stated false-positive rates, beside a trivial rule.

    python -m tests.benchmarks.bench_blood IMAGES LABELS POSITIVE [--normal NORMAL] [--source SOURCE]

LABELS is a CSV file with the columns filename, label (several joined by |) and group. POSITIVE is the label of frames
with blood; frames with it are compared with those labelled NORMAL, or with all others. The trivial rule is the share
of pixels whose log of red over green is at least 0.8. Rates are those of the frames themselves. Intervals (95 %)
resample groups.
"""

import argparse
import csv
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from training.indicators import shares
from training.video import find_field_of_view, prepare_frame

SIZE, DRAWS = 160, 1000
RATES = (0.02, 0.05)
Numbers = NDArray[np.float64]


def main() -> None:
    """Read, compute, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("images", type=Path)
    parser.add_argument("labels", type=Path)
    parser.add_argument("positive")
    parser.add_argument("--normal", default="")
    parser.add_argument("--source", default="")
    options = parser.parse_args()
    with options.labels.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if options.source in ("", row.get("source"))]
    labels = [row["label"].split("|") for row in rows]
    used = [options.positive in each or options.normal in ("", *each) for each in labels]
    rows = [row for row, is_used in zip(rows, used, strict=True) if is_used]
    has_blood = np.array([options.positive in row["label"].split("|") for row in rows])
    groups = np.array([row["group"] for row in rows])
    values = np.array([read(options.images / row["filename"]) for row in rows])
    print(f"{len(rows)} frames of {len(set(groups))} groups, {has_blood.sum()} with {options.positive}")
    for name, column in ("blood indicator", values[:, 0]), ("trivial: share of red pixels", values[:, 1]):
        for rate in RATES:
            low, high = interval(column, has_blood, groups, rate)
            print(f"{name}: {sensitivity(column, has_blood, rate):.3f} [{low:.3f}, {high:.3f}] at {rate:.0%}")
    marked = values[:, 0] >= 0.5
    print(f"marked: {marked[has_blood].mean():.3f} of those with it, {marked[~has_blood].mean():.3f} of the others")


def read(path: Path) -> tuple[float, float]:
    """The indicator and the trivial rule of a picture."""
    frame = np.asarray(cv2.imread(str(path)), np.uint8)[..., ::-1].copy()
    view = find_field_of_view([frame])
    image = prepare_frame(frame, view, SIZE)
    inside = (prepare_frame(np.full_like(frame, 255), view, SIZE)[..., 0] > 127).astype(np.uint8)
    red, green = (image[..., channel][inside > 0].astype(float) + 8 for channel in (0, 1))
    return float(shares(("blood",), image[None], inside)[0, 0]), float(
        ((np.log(red / green) > 0.8) & (red > 38)).mean()
    )


def sensitivity(values: Numbers, has_blood: NDArray[np.bool_], rate: float) -> float:
    """Share of frames with blood above the value that this share of the others exceeds."""
    return float((values[has_blood] > np.quantile(values[~has_blood], 1 - rate)).mean())


def interval(values: Numbers, has_blood: NDArray[np.bool_], groups: NDArray[np.str_], rate: float) -> list[float]:
    """95 % of the sensitivities of resampled groups."""
    random, rows = np.random.default_rng(0), [np.flatnonzero(groups == group) for group in np.unique(groups)]
    result: list[float] = []
    while len(result) < DRAWS:
        at = np.concatenate([rows[draw] for draw in random.integers(0, len(rows), len(rows))])
        if 0 < has_blood[at].sum() < len(at):
            result.append(sensitivity(values[at], has_blood[at], rate))
    return [float(end) for end in np.quantile(result, [0.025, 0.975])]


if __name__ == "__main__":
    main()
