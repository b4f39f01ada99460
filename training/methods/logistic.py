"""Fitting a linear classifier to fixed embeddings, by numpy and scipy: torch takes seconds to import."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cholesky, solve_triangular  # type: ignore[import-untyped]
from scipy.optimize import minimize  # type: ignore[import-untyped]

from training.models.linear_classifier import LinearClassifier

Doubles = NDArray[np.float64]

PENALTY = 1e-2
"""Weight of the squared distance from the trained classifier, which keeps classes without labels in this run."""
CURVATURE = 0.1
"""Assumed second derivative of a class's loss; it changes the number of iterations, not the result."""
MAX_ITERATIONS = 500
GRADIENT = 1e-8
"""Largest component of the gradient at the end; scores are then within 1e-6 of the optimum's."""


class SoftTargets(NamedTuple):
    """Frames without labels that keep what an old model knew; see `training.losses.distillation`."""

    embeddings: NDArray[np.float32]
    """(R, D)"""
    targets: NDArray[np.float32]
    """(R, 1 + K): the old model's scores of all other classes together, then of the kept ones; rows sum to 1."""
    kept: NDArray[np.int64]
    """(K,) rows of the classifier."""
    weight: float
    """Of their loss, relative to the cross-entropy."""


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
) -> LinearClassifier:
    """Class-balanced multinomial logistic regression by L-BFGS in float64; see `training.methods.refit`.

    Args:
        centre: the classifier at which the fit starts, and the centre of the penalty.
        embeddings: (M, D), finite, M at least 1.
        labels: (M,) in [0, C).
        soft: frames without labels, whose loss is added (`training.losses.distillation.kept_loss`).

    Returns:
        The fitted classifier, float64.
    """
    scale = max(float(np.sqrt(np.square(embeddings, dtype=np.float64).mean())), 1e-12)
    start = np.column_stack([np.asarray(centre.weight, np.float64) * scale, np.asarray(centre.bias, np.float64)])
    targets = [_labelled(embeddings / scale, labels, len(start))]
    if soft is not None and len(soft.embeddings):
        targets.append(_unlabelled(soft, scale, len(start)))
    found = start + _best_step(_Targets(*map(np.concatenate, zip(*targets, strict=True))), start)
    return LinearClassifier(found[:, :-1] / scale, found[:, -1].copy())


class _Targets(NamedTuple):
    """N frames and what they should score; a group is a set of classes of which only the sum is given."""

    points: Doubles
    """(N, D + 1), the last column is 1."""
    groups: NDArray[np.bool_]
    """(N, C) classes whose sum of scores has the target `of_group`."""
    of_group: Doubles
    """(N,)"""
    alone: Doubles
    """(N, C) targets of the other classes, 0 in the group."""
    share: Doubles
    """(N,) weight of each frame in the loss."""


def _labelled(points: NDArray[np.floating], labels: NDArray[np.int64], classes: int) -> _Targets:
    """The label's class is a group of its own with target 1."""
    groups = labels[:, None] == np.arange(classes)
    nothing = np.zeros((len(labels), classes))
    return _Targets(_with_ones(points), groups, np.ones(len(labels)), nothing, _shares(labels, classes))


def _unlabelled(soft: SoftTargets, scale: float, classes: int) -> _Targets:
    """The kept classes have targets, all others together form a group."""
    count = len(soft.embeddings)
    groups, alone = np.ones((count, classes), dtype=bool), np.zeros((count, classes))
    groups[:, soft.kept] = False
    alone[:, soft.kept] = soft.targets[:, 1:]
    points = _with_ones(soft.embeddings / scale)
    return _Targets(points, groups, soft.targets[:, 0].astype(np.float64), alone, np.full(count, soft.weight / count))


def _with_ones(points: NDArray[np.floating]) -> Doubles:
    return np.column_stack([np.asarray(points, np.float64), np.ones(len(points))])


def _best_step(data: _Targets, start: Doubles) -> Doubles:
    """The step (C, D + 1) from `start` that minimises the cross-entropy plus penalty.

    It is searched in coordinates in which the loss has about the same curvature in all directions (`root` is the
    Cholesky factor of an approximate Hessian): 30 iterations instead of 300.
    """
    points, share = data.points, data.share
    hessian = (points.T * (share * CURVATURE / len(start))) @ points
    hessian[np.diag_indices_from(hessian)] += PENALTY
    root = cholesky(hessian, lower=True, overwrite_a=True)
    turned = np.ascontiguousarray(solve_triangular(root, points.T, lower=True).T)
    base = points @ start.T

    def objective(flat: Doubles) -> tuple[float, Doubles]:
        place = flat.reshape(start.shape)
        losses, slopes = _losses(base + turned @ place.T, data)
        step = solve_triangular(root, place.T, lower=True, trans=1)
        gradient = (slopes * share[:, None]).T @ turned + PENALTY * solve_triangular(root, step, lower=True).T
        return float(share @ losses + 0.5 * PENALTY * np.square(step).sum()), gradient.ravel()

    options = {"maxiter": MAX_ITERATIONS, "maxfun": 2 * MAX_ITERATIONS, "gtol": GRADIENT, "ftol": 0.0}
    found = minimize(objective, np.zeros(start.size), jac=True, method="L-BFGS-B", options=options)
    best: Doubles = solve_triangular(root, found.x.reshape(start.shape).T, lower=True, trans=1).T
    return best


def _losses(logits: Doubles, data: _Targets) -> tuple[Doubles, Doubles]:
    """Cross-entropy (N,) of each frame, and its derivatives (N, C) by the logits."""
    scores = logits - logits.max(axis=1, keepdims=True)
    exponents = np.exp(scores)
    totals, in_group = exponents.sum(axis=1), np.where(data.groups, exponents, 0.0)
    of_group = np.maximum(in_group.sum(axis=1), np.finfo(np.float64).tiny)
    expected = data.of_group * np.log(of_group) + (data.alone * scores).sum(axis=1)
    weight = data.of_group + data.alone.sum(axis=1)
    slopes = exponents * (weight / totals)[:, None] - in_group * (data.of_group / of_group)[:, None] - data.alone
    return weight * np.log(totals) - expected, slopes


def _shares(labels: NDArray[np.int64], classes: int) -> Doubles:
    """(M,) weight of each frame in the mean loss; every class that has frames weighs the same in all."""
    counts = np.bincount(labels, minlength=classes)
    shares: Doubles = 1.0 / (np.count_nonzero(counts) * counts[labels])
    return shares
