"""Fitting a linear classifier to fixed embeddings, by numpy and scipy: torch takes seconds to import."""

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.compute.plan import one_blas_thread
from training.models.linear_classifier import LinearClassifier
from training.models.scores import ScoreKind

Doubles = NDArray[np.float64]

PENALTY = 1e-2
"""Weight of the squared distance from the trained classifier, which keeps classes without labels in this run."""
PENALTY_WITH_TARGETS = 0.1
"""The same where an old model's scores are kept as well (ours): classes without labels then lose least, see
docs/results/labels.md."""
CURVATURE = 0.1
"""Assumed second derivative of a class's loss; it changes the number of iterations, not the result."""
MAX_ITERATIONS = 500
SOLVED_TOGETHER = 64
"""Frames of a block."""
GRADIENT = 1e-8
"""Largest component of the gradient at the end; scores are then within 1e-6 of the optimum's."""


class SoftTargets(NamedTuple):
    """Frames without labels that keep what an old model knew of classes without labels."""

    embeddings: NDArray[np.floating]
    """(R, D), R at least 1"""
    targets: NDArray[np.floating]
    """(R, 1 + K): the old model's scores of all other classes together, then of each kept class; see `kept_targets`."""
    kept: NDArray[np.int64]
    """(K,) rows of the classifier"""
    weight: float
    """Of the divergence, relative to the cross-entropy of the labelled frames."""


class AbsentClasses(NamedTuple):
    """Frames of which it was said that a class is not there; one row for each frame and class."""

    embeddings: NDArray[np.floating]
    """(N, D), finite"""
    labels: NDArray[np.int64]
    """(N,) the class that is not there, in [0, C)"""
    kind: ScoreKind = "softmax"
    """Of the scores that are to be low."""


def kept_targets(scores: NDArray[np.float32], kept: NDArray[np.int64]) -> NDArray[np.float32]:
    """The old model's scores (R, C) as targets (R, 1 + K): of the rest, then of each class in `kept`.

    Args:
        scores: softmax of the old model, rows sum to 1.
        kept: (K,) columns of the classes without labels.
    """
    own = scores[:, kept]
    return np.concatenate([np.maximum(1 - own.sum(axis=1, keepdims=True), 0), own], axis=1)


def fit_classifier(
    centre: LinearClassifier,
    embeddings: NDArray[np.floating],
    labels: NDArray[np.int64],
    soft: SoftTargets | None = None,
    penalty: float | None = None,
    absent: AbsentClasses | None = None,
) -> LinearClassifier:
    """Class-balanced multinomial logistic regression by L-BFGS in float64; see `training.finetuning.linear_stage`.

    Args:
        centre: the classifier at which the fit starts, and the centre of the penalty.
        embeddings: (M, D), finite, M at least 1.
        labels: (M,) in [0, C).
        soft: adds the mean Kullback-Leibler divergence of the new scores from these targets.
        penalty: weight of the squared distance from the centre, in units of the embeddings' root mean square; None:
            `PENALTY`, with soft targets `PENALTY_WITH_TARGETS`.
        absent: frames without a class of which it is known that one is not there; see `fit_absent`.

    Returns:
        The fitted classifier, float64.
    """
    scale = _scale(embeddings)
    start = _scaled(centre, scale)
    points, share = _weighted(embeddings, labels, soft, scale, len(start))
    penalty = _penalty(penalty, soft)
    with one_blas_thread():
        step = _best_step(start, points, share, penalty, lambda logits: _losses(logits, labels, soft))
    result = start + step
    fitted = LinearClassifier(result[:, :-1] / scale, result[:, -1].copy())
    return fitted if absent is None else fit_absent(centre, fitted, embeddings, labels, absent, soft, penalty)


def fit_absent(
    centre: LinearClassifier,
    fitted: LinearClassifier,
    embeddings: NDArray[np.floating],
    labels: NDArray[np.int64],
    absent: AbsentClasses,
    soft: SoftTargets | None = None,
    penalty: float | None = None,
) -> LinearClassifier:
    """Fit the rows of those classes that are not there on some frames once more; all other rows stay. Ours.

    That a class is not there says nothing of the other classes. So each of these rows is fitted alone, with the other
    rows as in `fitted`, on the loss of `fit_classifier` and `absent_losses`. One of these frames weighs as much as a
    frame labelled with that class (without such a frame: with the rarest class), all of a class together at most as
    much as a labelled class.

    Args:
        centre: where the fit of a row starts, and the centre of its penalty.
        fitted: of the labelled frames.
        embeddings: (M, D) of the labelled frames, M at least 1.
        labels: (M,) in [0, C).
        absent: frames without these classes.
        soft: as in `fit_classifier`.
        penalty: as in `fit_classifier`.

    Returns:
        The fitted classifier, float64.
    """
    scale = _scale(embeddings)
    start, other_rows = _scaled(centre, scale), _scaled(fitted, scale)
    points, share = _weighted(embeddings, labels, soft, scale, len(start))
    penalty = _penalty(penalty, soft)
    result = other_rows.copy()
    for label in np.unique(absent.labels).tolist():
        more = _with_ones(absent.embeddings[absent.labels == label], scale)
        counts = np.bincount(labels, minlength=len(start))
        alike = counts[label] or counts[counts > 0].min()
        weight = 1 / (np.count_nonzero(counts) * max(alike, len(more)))
        every, shares = np.concatenate([points, more]), np.concatenate([share, np.full(len(more), weight)])
        losses_of = partial(_losses_of_row, every @ other_rows.T, label, labels, soft, absent.kind)
        with one_blas_thread():
            step = _best_step(start[label : label + 1], every, shares, penalty, losses_of)
        result[label] = start[label] + step[0]
    return LinearClassifier(result[:, :-1] / scale, result[:, -1].copy())


def absent_losses(logits: Doubles, label: int, kind: ScoreKind = "softmax") -> tuple[Doubles, Doubles]:
    """-log(1 - score) (N,) of a class that is not there, and its slopes (N,) by the logit of that class. Ours.

    All other logits count as fixed, so that the loss says nothing of other classes.

    Args:
        logits: (N, C), C at least 2.
        label: the class.
        kind: of the score.
    """
    others = logits[:, :1] if kind == "against_normal" else np.delete(logits, label, axis=1)
    apart = logits[:, label] - np.logaddexp.reduce(others, axis=1)
    return np.logaddexp(0, apart), np.exp(-np.logaddexp(0, -apart))


def _losses_of_row(
    logits: Doubles,
    label: int,
    labels: NDArray[np.int64],
    soft: SoftTargets | None,
    kind: ScoreKind,
    row: Doubles,
) -> tuple[Doubles, Doubles]:
    """Losses (P,) and slopes (P, 1) of the logits `row` (P, 1) of one class; the others are those of `logits` (P, C).

    Of the labelled frames first, then of those with soft targets, then of those without the class.
    """
    logits = logits.copy()
    logits[:, label] = row[:, 0]
    count = len(labels) + (0 if soft is None else len(soft.embeddings))
    more, of_more = absent_losses(logits[count:], label, kind)
    losses, slopes = _losses(logits[:count], labels, soft)
    return np.concatenate([losses, more]), np.concatenate([slopes[:, label], of_more])[:, None]


def _penalty(given: float | None, soft: SoftTargets | None) -> float:
    if given is not None:
        return given
    return PENALTY if soft is None else PENALTY_WITH_TARGETS


def _scale(embeddings: NDArray[np.floating]) -> float:
    """Root mean square of the embeddings, the unit of the penalty."""
    return max(float(np.sqrt(np.square(embeddings, dtype=np.float64).mean())), 1e-12)


def _scaled(classifier: LinearClassifier, scale: float) -> Doubles:
    """(C, D + 1) weights and bias for points of `_with_ones`."""
    return np.column_stack([np.asarray(classifier.weight, np.float64) * scale, np.asarray(classifier.bias, np.float64)])


def _weighted(
    embeddings: NDArray[np.floating], labels: NDArray[np.int64], soft: SoftTargets | None, scale: float, classes: int
) -> tuple[Doubles, Doubles]:
    """Points (M + R, D + 1) of labelled frames and of those with soft targets, and their weights (M + R,).

    Every class that has frames weighs the same in all.
    """
    points, counts = _with_ones(embeddings, scale), np.bincount(labels, minlength=classes)
    share: Doubles = 1.0 / (np.count_nonzero(counts) * counts[labels])
    if soft is not None:
        points = np.concatenate([points, _with_ones(soft.embeddings, scale)])
        share = np.concatenate([share, np.full(len(soft.embeddings), soft.weight / len(soft.embeddings))])
    return points, share


def in_their_span(points: Doubles) -> tuple[Doubles, Doubles | None]:
    """Coordinates of M < N points (M, N) in an orthonormal basis (N, M) of their span; of more points as they are.

    The best step lies in this span, because any part outside it changes the penalty only. With 50 frames of 2048
    numbers a fit takes 0.015 s instead of 0.56 s; from half as many frames as numbers on, finding the basis costs more
    than one fit saves.
    """
    if len(points) >= points.shape[1]:
        return points, None
    basis: Doubles = np.linalg.qr(points.T)[0]
    return points @ basis, basis


def _best_step(
    start: Doubles,
    points: Doubles,
    share: Doubles,
    penalty: float,
    losses_of: Callable[[Doubles], tuple[Doubles, Doubles]],
) -> Doubles:
    """The step (C, N) that minimises the weighted mean of losses plus penalty.

    It is searched in coordinates in which the loss has about the same curvature in all directions (`root` is the
    Cholesky factor of an approximate Hessian): 30 iterations instead of 300.

    Args:
        start: (C, N) rows of the classifier.
        points: (M, N).
        share: (M,) weights of the frames.
        penalty: weight of the squared step.
        losses_of: logits (M, C), which it may overwrite -> losses (M,) and their slopes (M, C).
    """
    # Here, because scipy takes long to import, and the window loads this module when it starts.
    from scipy.linalg import solve_triangular
    from scipy.optimize import minimize

    base = points @ start.T
    points, basis = in_their_span(points) if 2 * len(points) <= points.shape[1] else (points, None)
    hessian = (points.T * (share * CURVATURE / base.shape[1])) @ points
    hessian[np.diag_indices_from(hessian)] += penalty
    root = np.linalg.cholesky(hessian)
    forward = partial(solve_triangular, root, lower=True, check_finite=False)
    backward = partial(forward, trans=1)
    # In blocks: scipy's solver holds the interpreter's lock, and the window would wait for all of it.
    blocks = (points[at : at + SOLVED_TOGETHER] for at in range(0, len(points), SOLVED_TOGETHER))
    turned = np.concatenate([np.ascontiguousarray(forward(block.T).T) for block in blocks])
    shape = (base.shape[1], points.shape[1])

    def objective(flat: Doubles) -> tuple[float, Doubles]:
        place = flat.reshape(shape)
        losses, slopes = losses_of(base + turned @ place.T)
        step = backward(place.T)
        gradient = (slopes * share[:, None]).T @ turned + penalty * forward(step).T
        return float(share @ losses + 0.5 * penalty * np.square(step).sum()), gradient.ravel()

    options = {"maxiter": MAX_ITERATIONS, "maxfun": 2 * MAX_ITERATIONS, "gtol": GRADIENT, "ftol": 0.0}
    solution = minimize(objective, np.zeros(math.prod(shape)), jac=True, method="L-BFGS-B", options=options)
    best: Doubles = backward(solution.x.reshape(shape).T).T
    return best if basis is None else best @ basis.T


def _losses(logits: Doubles, labels: NDArray[np.int64], soft: SoftTargets | None) -> tuple[Doubles, Doubles]:
    """Losses (M + R,) and slopes (M + R, C): cross-entropy of M labelled frames, then divergence of the others."""
    logits -= logits.max(axis=1, keepdims=True)
    logits -= np.log(np.exp(logits).sum(axis=1, keepdims=True))
    slopes, rows = np.exp(logits), np.arange(len(labels))
    losses = -logits[rows, labels]
    slopes[rows, labels] -= 1
    if soft is not None:
        more, wanted = _divergence(logits[len(labels) :], soft)
        slopes[len(labels) :] -= wanted
        losses = np.concatenate([losses, more])
    return losses, slopes


def _divergence(logs: Doubles, soft: SoftTargets) -> tuple[Doubles, Doubles]:
    """Kullback-Leibler divergence (R,) of log scores (R, C) from the targets, and the scores (R, C) that are wanted.

    What the targets say of all other classes together is wanted in the proportions that these have now.
    """
    is_rest = np.ones(logs.shape[1], dtype=bool)
    is_rest[soft.kept] = False
    rest = np.logaddexp.reduce(logs[:, is_rest], axis=1, keepdims=True)
    targets = np.asarray(soft.targets, np.float64)
    wanted = np.empty_like(logs)
    wanted[:, soft.kept] = targets[:, 1:]
    wanted[:, is_rest] = targets[:, :1] * np.exp(logs[:, is_rest] - rest)
    apart = np.log(np.maximum(targets, 1e-300)) - np.concatenate([rest, logs[:, soft.kept]], axis=1)
    return np.asarray((targets * apart).sum(axis=1)), wanted


def _with_ones(embeddings: NDArray[np.floating], scale: float) -> Doubles:
    """(M, D) -> (M, D + 1): divided by the scale, and a column of ones for the bias."""
    return np.column_stack([np.asarray(embeddings, np.float64) / scale, np.ones(len(embeddings))])
