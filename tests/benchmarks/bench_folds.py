"""Calibration, and classes that training never saw, on stored embeddings of labelled frames, by folds of groups.

    python -m training score IMAGES --model resources/models/starter --out EMBEDDINGS
    python -m tests.benchmarks.bench_folds calibration EMBEDDINGS LABELS
    python -m tests.benchmarks.bench_folds unfamiliar EMBEDDINGS LABELS

LABELS is a CSV file with the columns filename, label, source, group; rows sorted by filename are the rows of the
embeddings. Frames with one label count, "Normal" is normal. *calibration*: a linear classifier of each fold's other
groups, of which a quarter calibrates; expected calibration error and Brier score of each class against normal on the
fold, mean of the classes, interval (95 %) over them. *unfamiliar*: the distance of `training.embeddings.familiar`
without one class, AUC of this class against the others of the same source, beside the Mahalanobis distance of the mean
colour; interval from resampling groups.
"""

import argparse
import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.isotonic import IsotonicRegression

from training.embeddings.familiar import Familiar
from training.embeddings.file import EmbeddingFile
from training.metrics.calibration import Platt, expected_error
from training.metrics.detector import auc
from training.models.linear_classifier import LinearClassifier
from training.models.logistic import fit_classifier
from training.models.scores import SCORES

DRAWS, SEEDS, FOLDS, COMPONENTS = 60, 20, 5, 128
Array = NDArray[Any]


class Frames(NamedTuple):
    """M frames with one label each."""

    names: list[str]
    labels: Array
    sources: Array
    groups: Array
    embeddings: Array
    colors: Array


def read(embeddings: Path, table: Path) -> Frames:
    """Frames in the order of their file names."""
    rows = sorted(csv.DictReader(table.open(encoding="utf-8")), key=lambda row: row["filename"])
    file = EmbeddingFile.open(embeddings)
    kept = np.array(["|" not in row["label"] for row in rows])
    labels = np.array([row["label"] for row in rows])[kept]
    names = ["Normal", *sorted({*labels.tolist()} - {"Normal"})]
    sources, groups = (np.array([row[key] for row in rows])[kept] for key in ("source", "group"))
    vectors, colors = (np.asarray(part, np.float32)[kept] for part in (file.embeddings, file.mean_color))
    return Frames(names, np.array([names.index(each) for each in labels]), sources, groups, vectors, colors)


def parts_of(groups: Array, random: np.random.Generator, count: int) -> Array:
    """(M,) a part of each frame; groups stay together."""
    names, number = np.unique(groups, return_inverse=True)
    return np.asarray((random.permutation(len(names)) % count)[number])


def of_temperature(scores: Array, positive: Array) -> Callable[[Array], Array]:
    """The slope of the log-odds with the least loss."""
    slopes = np.exp(np.linspace(-3, 3, 121))
    tried = (np.clip(Platt(slope).apply(scores), 1e-6, 1 - 1e-6) for slope in slopes)
    losses = [-np.log(np.where(positive, each, 1 - each)).mean() for each in tried]
    return Platt(float(slopes[int(np.argmin(losses))])).apply


def of_isotonic(scores: Array, positive: Array) -> Callable[[Array], Array]:
    """The best rising steps."""
    steps = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(scores, positive)
    return lambda other: np.asarray(steps.predict(other))


def of_platt(scores: Array, positive: Array) -> Callable[[Array], Array]:
    """As the program does."""
    return (Platt.fit(scores, positive) or Platt()).apply


WAYS: dict[str, Callable[[Array, Array], Callable[[Array], Array]]] = {
    "scores": lambda *_: lambda scores: scores,
    "share of the class": lambda _, positive: lambda scores: np.full(len(scores), positive.mean()),
    "temperature": of_temperature,
    "isotonic": of_isotonic,
    "Platt": of_platt,
}


def calibrate(frames: Frames) -> None:
    """Print a row for each way."""
    centred = frames.embeddings - frames.embeddings.mean(axis=0)
    points = centred @ np.linalg.svd(centred, full_matrices=False)[2][:COMPONENTS].T
    points = (points / points.std()).astype(np.float64)
    found: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for seed in range(SEEDS):
        random = np.random.default_rng(seed)
        fold, pooled = parts_of(frames.groups, random, FOLDS), dict[tuple[str, str], list[tuple[Array, Array]]]()
        for each in range(FOLDS):
            learn, test = np.flatnonzero(fold != each), np.flatnonzero(fold == each)
            inner = parts_of(frames.groups[learn], random, 4)
            hold, learn = learn[inner == 0], learn[inner != 0]
            zero = LinearClassifier(np.zeros((len(frames.names), COMPONENTS)), np.zeros(len(frames.names)))
            head = fit_classifier(zero, points[learn], frames.labels[learn], penalty=0.1)
            scores = [head.scores(points[rows], SCORES).astype(np.float64) for rows in (hold, test)]
            for number, name in enumerate(frames.names[1:], 1):
                used = [np.isin(frames.labels[rows], (0, number)) for rows in (hold, test)]
                truth = [frames.labels[rows][use] == number for rows, use in zip((hold, test), used, strict=True)]
                if truth[0].sum() < 10 or not truth[1].any():
                    continue
                for way, fit in WAYS.items():
                    scaled = fit(scores[0][used[0], number], truth[0])(scores[1][used[1], number])
                    pooled.setdefault((way, name), []).append((scaled, truth[1]))
        for key, held in pooled.items():
            scaled, truth_of = (np.concatenate(column) for column in zip(*held, strict=True))
            brier = float(np.square(scaled - truth_of).mean())
            found.setdefault(key, []).append((expected_error(scaled, truth_of), brier))
    for way in WAYS:
        rows = np.array([np.mean(values, axis=0) for (name, _), values in found.items() if name == way])
        drawn = np.random.default_rng(0).integers(0, len(rows), (1000, len(rows)))
        low, high = np.quantile(rows[drawn, 0].mean(axis=1), (0.025, 0.975))
        print(f"{way}: error {rows[:, 0].mean():.3f} [{low:.3f}, {high:.3f}], Brier {rows[:, 1].mean():.3f}")


def unfamiliar(frames: Frames) -> None:
    """Print a row for each class and source, and their mean."""
    fold, cells = parts_of(frames.groups, np.random.default_rng(0), 3), list[tuple[Array, Array, Array]]()
    for number, name in enumerate(frames.names[1:], 1):
        for source in np.unique(frames.sources).tolist():
            here, is_new = frames.sources == source, frames.labels == number
            if (here & is_new).sum() < 20 or not (here & (frames.labels == 0)).any():
                continue
            distances = np.full((len(here), 2), np.nan)
            for each in range(3):
                learn, test = (fold != each) & ~is_new, (fold == each) & here
                familiar = Familiar.fit(frames.embeddings[learn], frames.embeddings[learn])
                assert familiar is not None
                apart = frames.colors[test] - frames.colors[learn].mean(axis=0)
                inverse = np.linalg.inv(np.cov(frames.colors[learn].T))
                distances[test, 0] = familiar.distances(frames.embeddings[test])
                distances[test, 1] = np.einsum("ij,jk,ik->i", apart, inverse, apart)
            cells.append((distances[here], is_new[here], frames.groups[here]))
            print(name, source, *(f"{auc(is_new[here], column):.2f}" for column in distances[here].T))
    names, random = np.unique(frames.groups), np.random.default_rng(0)
    drawn = [None, *(random.multinomial(len(names), np.full(len(names), 1 / len(names))) for _ in range(DRAWS))]
    means = np.array([np.nanmean([drawn_aucs(cell, names, counts) for cell in cells], axis=0) for counts in drawn])
    for column, title in enumerate(("centroids", "mean colour")):
        low, high = np.quantile(means[1:, column], (0.025, 0.975))
        print(f"{title}: AUC {means[0, column]:.3f} [{low:.3f}, {high:.3f}]; chance 0.5")


def drawn_aucs(cell: tuple[Array, Array, Array], names: Array, counts: Array | None) -> list[float]:
    """Of both distances, where each group is drawn so often; NaN without one kind of frames."""
    distances, is_new, groups = cell
    times = np.ones(len(groups), int) if counts is None else counts[np.searchsorted(names, groups)]
    rows = np.repeat(np.arange(len(groups)), times)
    values = [auc(is_new[rows], column[rows]) for column in distances.T]
    return [np.nan if value is None else value for value in values]


def main() -> None:
    """Read the arguments and run one of the two."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("calibration", "unfamiliar"))
    parser.add_argument("embeddings", type=Path)
    parser.add_argument("labels", type=Path)
    options = parser.parse_args()
    (calibrate if options.what == "calibration" else unfamiliar)(read(options.embeddings, options.labels))


if __name__ == "__main__":
    main()
