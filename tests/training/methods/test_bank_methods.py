"""PGCon, WINCon and PIRL: what their losses see, what they remember, and that they learn."""

from typing import Any

import pytest
import torch
from torch import Tensor

from tests.training.losses.vectors import info_nce
from training.compute.out_of_memory import Chunks
from training.errors import UserError
from training.losses.info_nce import prior_contrast
from training.losses.memory_bank import MemoryBank
from training.methods.bank_method import BankMethod, with_negatives
from training.methods.pgcon import PgCon, WinCon
from training.methods.pgcon_heads import PriorPretrainer
from training.methods.pirl import Pirl
from training.optimisation.gradients import Gradients, cached_gradients
from training.runs.reporter import SilentReporter

PRIOR, TILES, WIN = (3, 32, 32), (9, 3, 32, 32), (3, 40, 40)
KINDS = (PgCon, WinCon, Pirl)
FRAMES = 6


SIZES: dict[str, Any] = {"prior_size": 32, "tile_size": 32}


def layout(kind: type[BankMethod]) -> tuple[tuple[int, ...], ...]:
    return (PRIOR, TILES, WIN) if kind is WinCon else (PRIOR, TILES)


def make(kind: type[BankMethod], frames: int = FRAMES) -> BankMethod:
    torch.manual_seed(0)
    network = PriorPretrainer("tiny")
    network.bank = MemoryBank(frames, start="random")
    sizes = SIZES | ({"win_size": 40} if kind is WinCon else {})
    made = kind(network, **sizes)
    assert made.layout == layout(kind)
    return made


def batch(kind: type[BankMethod], count: int = FRAMES) -> tuple[Tensor, Tensor]:
    """Frames of which prior view and tiles are the same scene, and a little noise; the rest is something else."""
    generator = torch.Generator().manual_seed(1)
    scenes = torch.randn(count, 3, 32, 32, generator=generator)
    views = [scenes, scenes.unsqueeze(1) + 0.3 * torch.randn(count, *TILES, generator=generator)]
    views += [torch.randn(count, *WIN, generator=generator)] if kind is WinCon else []
    rows = torch.arange(count)
    return make(kind).pack(views), with_negatives(rows, FRAMES, 4, generator, shared=False)


@pytest.mark.parametrize("kind", KINDS)
def test_a_few_frames_are_learned_by_heart(kind: type[BankMethod]) -> None:
    method = make(kind)
    images, labels = batch(kind)
    optimizer = torch.optim.SGD(method.network.parameters(), lr=0.05)
    told = []
    for _ in range(8):
        losses = method.losses(images, labels)
        optimizer.zero_grad()
        losses.total.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        method.settle()
        told.append(losses.total.item())
    assert told[-1] < 0.7 * told[0]
    assert method.embedding_norm > 0
    assert 0.0 <= method.violating_share <= 1.0
    assert all(parameter.grad is not None for parameter in method.network.parameters())


@pytest.mark.parametrize("kind", KINDS)
def test_the_loss_is_that_of_the_vectors_and_of_the_memory(kind: type[BankMethod]) -> None:
    method = make(kind)
    images, labels = batch(kind)
    vectors = method.embed(images)
    assert vectors.shape == (FRAMES, len(kind.view_names), 128)
    rows, first, second = labels[:, 0], labels[:, 1:5], labels[:, 5:]
    memory, negatives = method.bank.of(rows), (method.bank.of(first), method.bank.of(second))
    if kind is Pirl:
        terms = [info_nce(vectors[:, k], memory, negatives[k], 0.07).mean() for k in (0, 1)]
        expected = 0.5 * terms[0] + 0.5 * terms[1]
    else:
        z_win = vectors[:, 2] if kind is WinCon else None
        expected = prior_contrast(vectors[:, 0], vectors[:, 1], memory, negatives, z_win=z_win).total
    losses = method.losses_of(vectors, labels)
    torch.testing.assert_close(losses.total, expected)
    memory_term, view_term = (losses.terms[name] for name in method.terms)
    torch.testing.assert_close(0.5 * memory_term + 0.5 * view_term, losses.total)
    own = info_nce(vectors[:, 0], memory, negatives[0], 0.07).mean()
    assert kind is WinCon or torch.equal(memory_term, own)


def test_the_bank_changes_once_a_step_however_often_it_was_tried() -> None:
    method = make(PgCon)
    images, labels = batch(PgCon)
    before = method.bank.vectors.clone()
    method.losses(images, labels)
    method.losses(images, labels)  # as after memory ran out
    assert torch.equal(method.bank.vectors, before)
    method.settle()
    once = method.bank.vectors.clone()
    method.settle()
    assert torch.equal(method.bank.vectors, once)
    assert not torch.equal(once, before)
    Gradients(method, Chunks(), SilentReporter())(images, labels)
    assert not torch.equal(method.bank.vectors, once)


def test_cached_gradients_are_the_batchs() -> None:
    images, labels = batch(WinCon)
    grads = []
    for chunk in (FRAMES, 2):
        method = make(WinCon)
        method.network.eval()  # fixed statistics: there the gradient is exactly the batch's
        if chunk == FRAMES:
            method.losses(images, labels).total.backward()  # type: ignore[no-untyped-call]
        else:
            cached_gradients(method, images, labels, chunk)
        grads.append([parameter.grad for parameter in method.network.parameters()])
    for ours, theirs in zip(*grads, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-3, atol=1e-5)


def test_a_single_frame_has_nothing_to_be_told_from() -> None:
    images, labels = batch(PgCon, 1)
    with pytest.raises(UserError, match="at least two frames in a batch"):
        make(PgCon).losses_of(torch.zeros(1, 2, 128), labels)
    assert images.shape == (1, make(PgCon).pack([torch.zeros(1, *PRIOR), torch.zeros(1, *TILES)]).shape[1])


def test_views_come_out_as_they_went_in() -> None:
    packing = make(WinCon)
    views = [torch.randn(3, *shape) for shape in (PRIOR, TILES, WIN)]
    for before, after in zip(views, packing.unpack(packing.pack(views)), strict=True):
        assert torch.equal(before, after)
    with pytest.raises(ValueError, match="the views have the shapes"):
        packing.pack(views[:2])


def test_both_terms_share_negatives_where_asked() -> None:
    rows = torch.arange(4)
    shared = with_negatives(rows, 50, 6, torch.Generator().manual_seed(0), shared=True)
    apart = with_negatives(rows, 50, 6, torch.Generator().manual_seed(0), shared=False)
    assert torch.equal(shared[:, 1:7], shared[:, 7:])
    assert not torch.equal(apart[:, 1:7], apart[:, 7:])
    assert torch.equal(apart[:, 0], rows)


def test_without_a_bank_there_is_no_method() -> None:
    with pytest.raises(ValueError, match="needs a network with a memory bank"):
        PgCon(PriorPretrainer("resnet18"))
