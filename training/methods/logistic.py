"""Fitting a linear classifier to fixed embeddings, by numpy and scipy: torch takes seconds to import."""

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


def fit_classifier(
    centre: LinearClassifier, embeddings: NDArray[np.floating], labels: NDArray[np.int64]
) -> LinearClassifier:
    """Class-balanced multinomial logistic regression by L-BFGS in float64; see `training.methods.refit`.

    Args:
        centre: the classifier at which the fit starts, and the centre of the penalty.
        embeddings: (M, D), finite, M at least 1.
        labels: (M,) in [0, C).

    Returns:
        The fitted classifier, float64.
    """
    scale = max(float(np.sqrt(np.square(embeddings, dtype=np.float64).mean())), 1e-12)
    points = np.column_stack([np.asarray(embeddings, np.float64) / scale, np.ones(len(embeddings))])
    start = np.column_stack([np.asarray(centre.weight, np.float64) * scale, np.asarray(centre.bias, np.float64)])
    found = start + _best_step(points, labels, start)
    return LinearClassifier(found[:, :-1] / scale, found[:, -1].copy())


def _best_step(points: Doubles, labels: NDArray[np.int64], start: Doubles) -> Doubles:
    """The step (C, D + 1) from `start` that minimises balanced cross-entropy plus penalty.

    It is searched in coordinates in which the loss has about the same curvature in all directions (`root` is the
    Cholesky factor of an approximate Hessian): 30 iterations instead of 300.
    """
    share = _shares(labels, len(start))
    hessian = (points.T * (share * CURVATURE / len(start))) @ points
    hessian[np.diag_indices_from(hessian)] += PENALTY
    root = cholesky(hessian, lower=True, overwrite_a=True)
    turned = np.ascontiguousarray(solve_triangular(root, points.T, lower=True).T)
    base, rows = points @ start.T, np.arange(len(labels))

    def objective(flat: Doubles) -> tuple[float, Doubles]:
        place = flat.reshape(start.shape)
        logits = base + turned @ place.T
        logits -= logits.max(axis=1, keepdims=True)
        slopes = np.exp(logits)
        totals = slopes.sum(axis=1, keepdims=True)
        losses = np.log(totals[:, 0]) - logits[rows, labels]
        slopes /= totals
        slopes[rows, labels] -= 1
        step = solve_triangular(root, place.T, lower=True, trans=1)
        gradient = (slopes * share[:, None]).T @ turned + PENALTY * solve_triangular(root, step, lower=True).T
        return float(share @ losses + 0.5 * PENALTY * np.square(step).sum()), gradient.ravel()

    options = {"maxiter": MAX_ITERATIONS, "maxfun": 2 * MAX_ITERATIONS, "gtol": GRADIENT, "ftol": 0.0}
    found = minimize(objective, np.zeros(start.size), jac=True, method="L-BFGS-B", options=options)
    best: Doubles = solve_triangular(root, found.x.reshape(start.shape).T, lower=True, trans=1).T
    return best


def _shares(labels: NDArray[np.int64], classes: int) -> Doubles:
    """(M,) weight of each frame in the mean loss; every class that has frames weighs the same in all."""
    counts = np.bincount(labels, minlength=classes)
    shares: Doubles = 1.0 / (np.count_nonzero(counts) * counts[labels])
    return shares
