"""Visible mucosa against grades by eye: agreement of the graders, trivial rules, and the regression, with intervals.

    python -m tests.benchmarks.bench_visible_mucosa TABLE [--fit]

TABLE is a CSV file with the columns picture (path beside the table), recording, first, second (grades in percent). The
regression is measured on each recording with the weights fitted to the others; in the row "nested" its regularisation
is chosen anew each time, too. Intervals (95 %) resample recordings. `--fit` prints weights fitted to all frames.
"""

import argparse
import csv
from collections.abc import Callable
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from scipy.stats import spearmanr

from training.indicators import visible_mucosa as indicator
from training.video import find_field_of_view, prepare_frame

SIZE, DRAWS, PENALTY = 224, 2000, 1e-4
PENALTIES = (3e-5, 1e-4, 3e-4, 1e-3)
Numbers = NDArray[np.float64]


def main() -> None:
    """Read, fit, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path)
    parser.add_argument("--fit", action="store_true", help="print weights fitted to all frames")
    options = parser.parse_args()
    with options.table.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    recordings = np.array([row["recording"] for row in rows])
    first, second = (np.array([float(row[name]) for row in rows]) / 100 for name in ("first", "second"))
    grades = (first + second) / 2
    features, areas, plain = read(options.table.parent, [row["picture"] for row in rows])
    indicator.MEAN, indicator.SPREAD = features.mean((0, 1)), features.std((0, 1))
    cells = torch.tensor(np.concatenate([indicator.expanded(features), indicator.light(features)[..., None]], axis=-1))
    if options.fit:
        weights, _ = fitted(cells, areas, grades, recordings, PENALTY)
        for name, values in ("MEAN", indicator.MEAN), ("SPREAD", indicator.SPREAD), ("WEIGHTS", weights.numpy()):
            print(name, np.array2string(np.asarray(values, float), precision=4, separator=", ", max_line_width=100))
        return
    print(f"{len(rows)} frames of {len(set(recordings))} recordings")
    draws = resampled(recordings)
    say("graders: ICC(2,1)", lambda at: agreement(first[at], second[at]), draws)
    say("graders: weighted kappa, steps of 25", lambda at: kappa(first[at], second[at]), draws)
    say("graders: mean difference", partial(error_at, first, second), draws)
    median = held_out_median(grades, recordings)
    say("median of the others: MAE", partial(error_at, median, grades), draws)
    outcomes = {name: (values, False) for name, values in plain.items()}
    outcomes["regression, held out"] = (held_out(cells, areas, grades, recordings, PENALTY), True)
    outcomes["regression, nested"] = (nested(cells, areas, grades, recordings), True)
    for name, (values, is_share) in outcomes.items():
        say(f"{name}: rank correlation", partial(rank_at, values, grades), draws)
        if not is_share:  # as a share: a line fitted to the other recordings
            values = held_out_line(values, grades, recordings)
        say(f"{name}: MAE", partial(error_at, values, grades), draws)


def read(folder: Path, names: list[str]) -> tuple[NDArray[np.float32], NDArray[np.float32], dict[str, Numbers]]:
    """Cells' features (N, K, 4), their areas (K,), and the trivial rules (N,) by name."""
    pictures = []
    for name in names:
        picture = np.asarray(cv2.imread(str(folder / name)), np.uint8)[..., ::-1].copy()
        pictures.append(picture)
    view = find_field_of_view(pictures[:1])  # all are of one make
    prepared = np.stack([prepare_frame(picture, view, SIZE) for picture in pictures])
    inside = (prepare_frame(np.full_like(pictures[0], 255), view, SIZE)[..., 0] > 127).astype(np.uint8)
    features, areas = indicator.cell_features(prepared, inside)
    sharp = [
        -cv2.Laplacian(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), cv2.CV_32F)[inside > 0].std() for image in prepared
    ]
    return (
        features,
        areas,
        {
            "brightness": features[..., 3].mean(1).astype(float),
            "share that is not green (g / r < 0.72)": (features[..., 0] < 0.72).mean(1),
            "sharpness (negative)": np.array(sharp, float),
        },
    )


def fitted(
    cells: torch.Tensor, areas: NDArray[np.float32], grades: Numbers, recordings: NDArray[np.str_], penalty: float
) -> tuple[torch.Tensor, Callable[[torch.Tensor], torch.Tensor]]:
    """Weights and intercept (15,), every recording counting the same, and what predicts (M,) shares from cells."""
    share = torch.tensor(areas / areas.sum())
    counts = {name: float((recordings == name).sum()) for name in set(recordings)}
    each = torch.tensor([1 / counts[name] / len(counts) for name in recordings])
    weights = torch.zeros(cells.shape[-1])
    weights[-1] = 1.2
    weights.requires_grad_()
    search = torch.optim.LBFGS([weights], max_iter=60, line_search_fn="strong_wolfe")
    target = torch.tensor(grades, dtype=torch.float32)

    def predict(some: torch.Tensor) -> torch.Tensor:
        return (torch.sigmoid(some[..., :-1] @ weights[:-1] + weights[-1]) * some[..., -1] * share).sum(-1)

    def loss() -> torch.Tensor:
        search.zero_grad()
        error = predict(cells) - target
        result = (each * torch.sqrt(error**2 + 1e-3)).sum() + penalty * (weights[:-1] ** 2).sum()
        result.backward()  # type: ignore[no-untyped-call]
        return result

    search.step(loss)  # type: ignore[no-untyped-call]
    return weights.detach(), predict


def held_out(
    cells: torch.Tensor, areas: NDArray[np.float32], grades: Numbers, recordings: NDArray[np.str_], penalty: float
) -> Numbers:
    """(N,) predictions for each recording by weights of the others."""
    result = np.zeros(len(grades))
    for name in set(recordings):
        rest = recordings != name
        _, predict = fitted(cells[rest], areas, grades[rest], recordings[rest], penalty)
        with torch.no_grad():
            result[~rest] = predict(cells[~rest]).numpy()
    return result


def nested(cells: torch.Tensor, areas: NDArray[np.float32], grades: Numbers, recordings: NDArray[np.str_]) -> Numbers:
    """The same; the penalty is the best one within the other recordings."""
    result = np.zeros(len(grades))
    for name in sorted(set(recordings)):
        rest = recordings != name
        inner = cells[rest], areas, grades[rest], recordings[rest]
        best = min(PENALTIES, key=lambda penalty: np.abs(held_out(*inner, penalty) - inner[2]).mean())
        _, predict = fitted(*inner, best)
        with torch.no_grad():
            result[~rest] = predict(cells[~rest]).numpy()
    return result


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
