"""Visible mucosa against grades by eye: agreement of the graders, trivial rules, and the indicator, with intervals.

    python -m tests.benchmarks.bench_visible_mucosa TABLE

TABLE is a CSV file with the columns picture (path beside the table), recording, first, second (grades in percent).
Intervals (95 %) resample recordings.
"""

import argparse
import csv
from collections.abc import Callable
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr

from training.indicators import shares
from training.video import find_field_of_view, prepare_frame

SIZE, DRAWS = 160, 2000
Numbers = NDArray[np.float64]


def main() -> None:
    """Read, fit, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path)
    options = parser.parse_args()
    with options.table.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    recordings = np.array([row["recording"] for row in rows])
    first, second = (np.array([float(row[name]) for row in rows]) / 100 for name in ("first", "second"))
    grades = (first + second) / 2
    shares, plain = read(options.table.parent, [row["picture"] for row in rows])
    print(f"{len(rows)} frames of {len(set(recordings))} recordings")
    draws = resampled(recordings)
    say("graders: ICC(2,1)", lambda at: agreement(first[at], second[at]), draws)
    say("graders: weighted kappa, steps of 25", lambda at: kappa(first[at], second[at]), draws)
    say("graders: mean difference", partial(error_at, first, second), draws)
    median = held_out_median(grades, recordings)
    say("median of the others: MAE", partial(error_at, median, grades), draws)
    outcomes = {name: (values, False) for name, values in plain.items()}
    outcomes["indicator"] = shares, True
    for name, (values, is_share) in outcomes.items():
        say(f"{name}: rank correlation", partial(rank_at, values, grades), draws)
        if not is_share:  # as a share: a line fitted to the other recordings
            values = held_out_line(values, grades, recordings)
        say(f"{name}: MAE", partial(error_at, values, grades), draws)
        say(f"{name}: MAE less that of the indicator", partial(more_error_at, values, shares, grades), draws)
        say(f"{name}: AUC, less than half is visible", partial(auc_at, values, grades < 0.5), draws)


def read(folder: Path, names: list[str]) -> tuple[Numbers, dict[str, Numbers]]:
    """The indicator (N,) of each picture, and the trivial rules (N,) by name."""
    pictures = [np.asarray(cv2.imread(str(folder / name)), np.uint8)[..., ::-1].copy() for name in names]
    view = find_field_of_view(pictures[:1])  # all are of one make
    prepared = np.stack([prepare_frame(picture, view, SIZE) for picture in pictures])
    inside = (prepare_frame(np.full_like(pictures[0], 255), view, SIZE)[..., 0] > 127).astype(np.uint8)
    lit = inside > 0
    red, green = (prepared[:, lit, channel].astype(float) for channel in (0, 1))
    sharp = [-cv2.Laplacian(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), cv2.CV_32F)[lit].std() for image in prepared]
    return shares(("visible_mucosa",), prepared, inside)[:, 0].astype(float), {
        "brightness": np.log(red + 13).mean(1),
        "share that is not green (g / r < 0.72)": (green < 0.72 * red).mean(1),
        "sharpness (negative)": np.array(sharp, float),
    }


def held_out_median(grades: Numbers, recordings: NDArray[np.str_]) -> Numbers:
    """(N,) the median of the other recordings."""
    return np.array([np.median(grades[recordings != name]) for name in recordings])


def held_out_line(values: Numbers, grades: Numbers, recordings: NDArray[np.str_]) -> Numbers:
    """(N,) values on the scale of the grades, by a line through the other recordings."""
    result = np.zeros(len(grades))
    for name in set(recordings):
        rest = recordings != name
        result[~rest] = np.polyval(np.polyfit(values[rest], grades[rest], 1), values[~rest])
    return np.clip(result, 0, 1)


def resampled(recordings: NDArray[np.str_]) -> list[NDArray[np.int64]]:
    """All rows, then `DRAWS` times the rows of recordings drawn with replacement."""
    random, names = np.random.default_rng(0), sorted(set(recordings))
    rows = {name: np.flatnonzero(recordings == name) for name in names}
    drawn = [np.concatenate([rows[name] for name in random.choice(names, len(names))]) for _ in range(DRAWS)]
    return [np.arange(len(recordings)), *drawn]


def say(name: str, figure: Callable[[NDArray[np.int64]], float], draws: list[NDArray[np.int64]]) -> None:
    """A figure with its interval."""
    value, *others = (figure(at) for at in draws)
    low, high = np.nanpercentile(others, [2.5, 97.5])
    print(f"{name:60} {value:6.3f} ({low:.3f} to {high:.3f})", flush=True)


def rank_at(values: Numbers, grades: Numbers, at: NDArray[np.int64]) -> float:
    """Spearman's rank correlation on some rows."""
    return float(spearmanr(values[at], grades[at])[0])


def error_at(values: Numbers, grades: Numbers, at: NDArray[np.int64]) -> float:
    """Mean absolute error on some rows."""
    return float(np.abs(values - grades)[at].mean())


def more_error_at(values: Numbers, others: Numbers, grades: Numbers, at: NDArray[np.int64]) -> float:
    """How much larger the mean absolute error is than that of other values."""
    return error_at(values, grades, at) - error_at(others, grades, at)


def auc_at(values: Numbers, is_low: NDArray[np.bool_], at: NDArray[np.int64]) -> float:
    """How often a low frame has the lower value of two; NaN where all are low, or none."""
    low, rest = values[at][is_low[at]], values[at][~is_low[at]]
    pairs = np.sign(rest[None] - low[:, None])
    return float((pairs.mean() + 1) / 2) if pairs.size else np.nan


def agreement(first: Numbers, second: Numbers) -> float:
    """ICC(2,1): absolute agreement of single grades."""
    table = np.stack([first, second], 1)
    count, graders = table.shape
    of_frames, of_graders = table.mean(1, keepdims=True), table.mean(0, keepdims=True)
    between = graders * ((of_frames - table.mean()) ** 2).sum() / (count - 1)
    graders_differ = count * ((of_graders - table.mean()) ** 2).sum() / (graders - 1)
    rest = ((table - of_frames - of_graders + table.mean()) ** 2).sum() / ((count - 1) * (graders - 1))
    return float((between - rest) / (between + (graders - 1) * rest + graders * (graders_differ - rest) / count))


def kappa(first: Numbers, second: Numbers) -> float:
    """Kappa with quadratic weights of the grades in four steps."""
    one, two = (np.digitize(grades, [0.25, 0.5, 0.75]) for grades in (first, second))
    table = np.zeros((4, 4))
    np.add.at(table, (one, two), 1 / len(one))
    distance = np.subtract.outer(np.arange(4), np.arange(4)) ** 2
    return float(1 - (table * distance).sum() / (np.outer(table.sum(1), table.sum(0)) * distance).sum())


if __name__ == "__main__":
    main()
