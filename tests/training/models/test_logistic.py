"""The linear classifier, against the same objective written with torch's automatic derivatives."""

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from training.models.linear_classifier import LinearClassifier
from training.models.logistic import (
    PENALTY,
    PENALTY_WITH_TARGETS,
    AbsentClasses,
    SoftTargets,
    absent_losses,
    fit_classifier,
    in_their_span,
)


def material(frames: int, size: int, classes: int) -> tuple[LinearClassifier, NDArray[np.float32], NDArray[np.int64]]:
    """A random classifier, and embeddings that are never negative (as after a ReLU) with unequal classes."""
    random = np.random.default_rng(frames)
    shares = np.arange(1, classes + 1) / np.arange(1, classes + 1).sum()
    labels = random.choice(classes, frames, p=shares)
    centres = random.normal(size=(classes, size))
    points = 30 * np.abs(random.normal(size=(frames, size)) + 0.3 * centres[labels])
    start = LinearClassifier(random.normal(size=(classes, size)) / size, random.normal(size=classes))
    return start, points.astype(np.float32), labels


def slow_fit(
    centre: LinearClassifier,
    embeddings: NDArray[np.float32],
    labels: NDArray[np.int64],
    soft: SoftTargets | None = None,
) -> LinearClassifier:
    """The definition: balanced cross-entropy plus penalty, minimised by torch's L-BFGS until nothing changes."""
    points = torch.from_numpy(embeddings).double()
    scale = float(points.square().mean().sqrt())
    start = [torch.from_numpy(centre.weight) * scale, torch.from_numpy(centre.bias)]
    weight, bias = (torch.nn.Parameter(part.clone()) for part in start)
    truth = torch.from_numpy(labels)
    counts = torch.bincount(truth, minlength=len(bias)).double()
    balance = counts.sum() / ((counts > 0).sum() * counts.clamp_min(1))
    optimizer = torch.optim.LBFGS(
        [weight, bias], max_iter=20_000, tolerance_grad=1e-9, tolerance_change=0, line_search_fn="strong_wolfe"
    )

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(points / scale @ weight.T + bias, truth, weight=balance)
        if soft is not None:
            loss = loss + soft.weight * divergence(soft, torch.from_numpy(soft.embeddings) / scale @ weight.T + bias)
        apart = (weight - start[0]).square().sum() + (bias - start[1]).square().sum()
        objective = loss + 0.5 * (PENALTY if soft is None else PENALTY_WITH_TARGETS) * apart
        objective.backward()  # type: ignore[no-untyped-call]
        return objective

    optimizer.step(closure)  # type: ignore[no-untyped-call]
    return LinearClassifier(weight.detach().numpy() / scale, bias.detach().numpy())


def divergence(soft: SoftTargets, logits: torch.Tensor) -> torch.Tensor:
    """Mean Kullback-Leibler divergence of the scores, those of all classes that are not kept taken together."""
    scores, kept = logits.softmax(dim=1), torch.from_numpy(soft.kept)
    grouped = torch.cat([1 - scores[:, kept].sum(1, keepdim=True), scores[:, kept]], dim=1)
    targets = torch.from_numpy(soft.targets)
    return (torch.xlogy(targets, targets) - targets * grouped.log()).sum(1).mean()


def test_frames_without_labels_keep_what_was_known() -> None:
    centre, points, labels = material(60, 12, 3)
    is_labelled = labels < 2
    others = points[~is_labelled].astype(np.float64)
    kept = np.array([2])
    own = centre.scores(others).astype(np.float64)[:, kept]
    own[0] = 0.9
    targets = np.column_stack([1 - own.sum(axis=1), own]).clip(0)
    soft = SoftTargets(others, targets, kept, weight=0.7)
    fitted = fit_classifier(centre, points[is_labelled], labels[is_labelled], soft)
    slow = slow_fit(centre, points[is_labelled], labels[is_labelled], soft)
    assert np.abs(fitted.scores(points) - slow.scores(points)).max() < 1e-6
    forgetful = fit_classifier(centre, points[is_labelled], labels[is_labelled])
    lost, kept_well = (np.abs(one.scores(others)[1:, kept] - own[1:]).mean() for one in (forgetful, fitted))
    assert kept_well < 0.5 * lost


@pytest.mark.parametrize(("frames", "size", "classes"), [(60, 20, 2), (40, 64, 3), (150, 24, 5), (20, 64, 3)])
def test_the_scores_equal_those_of_the_definition(frames: int, size: int, classes: int) -> None:
    centre, points, labels = material(frames, size, classes)
    found, slow = (fit(centre, points, labels).scores(points) for fit in (fit_classifier, slow_fit))
    assert np.abs(found - slow).max() < 1e-6
    right, before = ((scores.argmax(1) == labels).mean() for scores in (found, centre.scores(points)))
    assert right > before + 0.1


def test_few_frames_that_stand_twice_have_a_span_too() -> None:
    centre, points, labels = material(10, 64, 2)
    twice = np.concatenate([points, points])
    fitted = fit_classifier(centre, twice, np.concatenate([labels, labels]))
    once = fit_classifier(centre, points, labels)
    assert np.abs(fitted.weight - once.weight).max() < 1e-8
    other = np.random.default_rng(1).normal(size=(5, 64)).astype(np.float32)
    assert np.abs(fitted.scores(other) - once.scores(other)).max() < 1e-6


def test_a_class_without_frames_is_kept_near_its_start() -> None:
    centre, points, labels = material(60, 20, 3)
    chosen = labels != 2
    found = fit_classifier(centre, points[chosen], labels[chosen])
    slow = slow_fit(centre, points[chosen], labels[chosen])
    assert np.abs(found.scores(points) - slow.scores(points)).max() < 1e-6
    moved = np.linalg.norm(found.weight - centre.weight, axis=1)
    assert 0 < moved[2] < moved[:2].min()


def test_all_embeddings_may_be_zero() -> None:
    centre = LinearClassifier(np.zeros((2, 3)), np.zeros(2))
    found = fit_classifier(centre, np.zeros((4, 3), np.float32), np.array([0, 0, 0, 1]))
    assert np.isfinite(found.weight).all()
    assert found.scores(np.zeros((1, 3))) == pytest.approx(0.5)


def test_the_loss_of_an_absent_class_is_that_of_the_definition() -> None:
    logits = np.random.default_rng(3).normal(size=(6, 4)) * 4
    logits[0, 2] = 800  # neither infinite nor nan
    found, slopes = absent_losses(logits, 2)
    points = torch.from_numpy(logits)
    own = points[:, 2].clone().requires_grad_()
    others = torch.logsumexp(points[:, [0, 1, 3]], dim=1).detach()
    loss = torch.nn.functional.softplus(own - others)
    assert np.abs(found - loss.detach().numpy()).max() < 1e-9
    assert np.abs(found[1:] + np.log(1 - torch.softmax(points, 1)[1:, 2].numpy())).max() < 1e-9
    (gradient,) = torch.autograd.grad(loss.sum(), own)
    assert np.abs(slopes - gradient.numpy()).max() < 1e-9


def slow_row(
    centre: LinearClassifier,
    fitted: LinearClassifier,
    points: NDArray[np.float32],
    labels: NDArray[np.int64],
    more: NDArray[np.float32],
    label: int,
) -> NDArray[np.float64]:
    """The definition: cross-entropy and the absent class's loss by the row of one class, minimised by torch's L-BFGS.

    Returns:
        (D + 1,) weights and bias of the row.
    """
    scale = float(np.sqrt(np.square(points, dtype=np.float64).mean()))

    def ones(given: NDArray[np.float32]) -> torch.Tensor:
        return torch.from_numpy(np.column_stack([given.astype(np.float64) / scale, np.ones(len(given))]))

    def rows(one: LinearClassifier) -> torch.Tensor:
        return torch.from_numpy(np.column_stack([np.asarray(one.weight, np.float64) * scale, one.bias]))

    truth, counts = torch.from_numpy(labels), torch.bincount(torch.from_numpy(labels), minlength=len(fitted.bias))
    balance = counts.sum() / ((counts > 0).sum() * counts.clamp_min(1)).double()
    weight = 1 / (int((counts > 0).sum()) * max(int(counts[label]), len(more)))
    fixed, start = rows(fitted), rows(centre)[label]
    row = torch.nn.Parameter(start.clone())
    optimizer = torch.optim.LBFGS(
        [row], max_iter=20_000, tolerance_grad=1e-10, tolerance_change=0, line_search_fn="strong_wolfe"
    )

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        every = torch.stack([row if number == label else one for number, one in enumerate(fixed)])
        loss = torch.nn.functional.cross_entropy(ones(points) @ every.T, truth, weight=balance)
        score = torch.softmax(ones(more) @ every.T, dim=1)[:, label]
        objective = loss - weight * torch.log1p(-score).sum() + 0.5 * PENALTY * (row - start).square().sum()
        objective.backward()  # type: ignore[no-untyped-call]
        return objective

    optimizer.step(closure)  # type: ignore[no-untyped-call]
    found: NDArray[np.float64] = row.detach().numpy()
    return np.append(found[:-1] / scale, found[-1])


@pytest.mark.parametrize("count", [3, 50])
def test_an_absent_class_moves_its_own_row_only_and_as_defined(count: int) -> None:
    centre, points, labels = material(80, 12, 3)
    more = points[labels == 2][:1].repeat(count, axis=0) + np.arange(count, dtype=np.float32)[:, None]
    plain = fit_classifier(centre, points, labels)
    found = fit_classifier(centre, points, labels, absent=AbsentClasses(more, np.full(count, 1)))
    assert np.abs(np.delete(found.weight, 1, 0) - np.delete(plain.weight, 1, 0)).max() == pytest.approx(0, abs=1e-12)
    slow = slow_row(centre, plain, points, labels, more, 1)
    assert np.abs(np.append(found.weight[1], found.bias[1]) - slow).max() < 1e-6
    assert (found.scores(more)[:, 1] < plain.scores(more)[:, 1]).all()
    assert (found.scores(more)[:, [0, 2]] >= plain.scores(more)[:, [0, 2]]).all()


def test_absent_classes_do_not_depend_on_their_order() -> None:
    centre, points, labels = material(60, 40, 4)
    absent = AbsentClasses(points[:6] + 3, np.array([1, 3, 1, 3, 3, 1]))
    turned = AbsentClasses(absent.embeddings[::-1], absent.labels[::-1])
    first, second = (fit_classifier(centre, points, labels, absent=one) for one in (absent, turned))
    assert np.abs(first.weight - second.weight).max() < 1e-6


def test_coordinates_of_few_frames_keep_the_inner_products() -> None:
    points = np.random.default_rng(0).normal(size=(12, 50))
    turned, basis = in_their_span(points)
    assert turned.shape == (12, 12)
    assert basis is not None
    np.testing.assert_allclose(turned @ turned.T, points @ points.T, atol=1e-9)
    np.testing.assert_allclose(turned @ basis.T, points, atol=1e-9)
    many = np.random.default_rng(0).normal(size=(50, 12))
    np.testing.assert_array_equal(in_their_span(many)[0], many)


def test_few_frames_have_the_optimum_of_the_full_fit_and_of_scikit_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    _, points, labels = material(24, 96, 3)
    zero = LinearClassifier(np.zeros((3, 96)), np.zeros(3))
    quick = fit_classifier(zero, points, labels, penalty=0.3)
    with monkeypatch.context() as patched:
        patched.setattr("training.models.logistic.in_their_span", lambda given: (given, None))
        full = fit_classifier(zero, points, labels, penalty=0.3)
    np.testing.assert_allclose(quick.weight, full.weight, atol=1e-6 * np.abs(full.weight).max())
    np.testing.assert_allclose(quick.bias, full.bias, atol=1e-6)
    scale = float(np.sqrt(np.square(points, dtype=np.float64).mean()))
    ones = np.column_stack([points / scale, np.ones(len(points))])
    slow = LogisticRegression(
        C=1 / (0.3 * len(points)), class_weight="balanced", fit_intercept=False, tol=1e-12, max_iter=50_000
    ).fit(ones, labels)
    np.testing.assert_allclose(quick.scores(points), slow.predict_proba(ones), atol=1e-5)
