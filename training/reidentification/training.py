"""Training of both encoders by NT-Xent, and the vectors they give (Intrator et al. 2023, sections 2.1, 2.2 and 3.1).

No frame is augmented: the second view of the tracklet takes the place of augmentation (section 2.1).
"""

import math
import time
from collections.abc import Callable, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from training.errors import UserError
from training.losses.info_nce import NtXentLoss
from training.optimisation.lars import Lars
from training.optimisation.pace import threads_for_training
from training.reidentification.config import EncoderTraining
from training.reidentification.encoder import MultiViewEncoder, SingleFrameEncoder
from training.reidentification.tracklets import Crops
from training.reidentification.views import procedure_batches, pseudo_pair, spread_views, two_views
from training.runs.reporter import Cancelled, Reporter

EMBEDDED_AT_ONCE = 64
"""Crops that go through an encoder together when it is not trained."""


def train_frames(
    encoder: SingleFrameEncoder,
    crops: Sequence[Crops],
    procedures: Sequence[str],
    settings: EncoderTraining,
    reporter: Reporter,
) -> None:
    """Train the single-frame encoder: two frames of a tracklet are a positive pair.

    Args:
        encoder: on its device; left in evaluation mode.
        crops: T tracklets of at least two crops.
        procedures: (T,) the procedure of each.
        settings: steps, batch, rate.
        reporter: progress; asked to stop before each step.

    Raises:
        UserError: too few procedures, or the loss is not finite.
        Cancelled: a stop, or as the reporter asked.
    """
    rng = np.random.default_rng([settings.seed, 0])
    batches = procedure_batches(procedures, batch_of(settings, procedures), rng)

    def embed() -> Tensor:
        chosen = [(crops[at], two_views(len(crops[at]), rng)) for at in next(batches)]
        views = [each[frames[side]] for side in (0, 1) for each, frames in chosen]
        return encoder(normalised(encoder, np.stack(views)))  # type: ignore[no-any-return]

    _train(encoder, embed, settings, settings.frame_steps, "single-frame encoder", reporter)


def train_tracklets(
    encoder: MultiViewEncoder,
    crops: Sequence[Crops],
    procedures: Sequence[str],
    settings: EncoderTraining,
    reporter: Reporter,
) -> None:
    """Train the multi-view encoder: the first and the last part of a tracklet are a positive pair.

    The arguments are those of `train_frames`; a tracklet needs three crops.
    """
    rng = np.random.default_rng([settings.seed, 1])
    batches = procedure_batches(procedures, batch_of(settings, procedures), rng)

    def embed() -> Tensor:
        chosen = [(crops[at], pseudo_pair(len(crops[at]), settings.views, rng)) for at in next(batches)]
        views = [each[pair.frames[side]] for side in (0, 1) for each, pair in chosen]
        mask = torch.from_numpy(np.stack([pair.mask[side] for side in (0, 1) for _, pair in chosen]))
        images = normalised(encoder.frames, np.concatenate(views))
        images = images.view(len(views), settings.views, *images.shape[1:])
        return encoder(images, mask.to(images.device))  # type: ignore[no-any-return]

    _train(encoder, embed, settings, settings.tracklet_steps, "multi-view encoder", reporter)


def batch_of(settings: EncoderTraining, procedures: Sequence[str]) -> int:
    """N: the procedures that were asked for, or all where there are fewer."""
    return max(2, min(settings.procedures, len(set(procedures))))


def normalised(encoder: SingleFrameEncoder, crops: Crops) -> Tensor:
    """(B, S, S, 3) RGB -> (B, 3, S, S) float32, channels last, on the encoder's device; as its trunk expects."""
    images = torch.from_numpy(np.ascontiguousarray(crops)).to(encoder.mean.device).permute(0, 3, 1, 2).float() / 255
    normal: Tensor = (images - encoder.mean) / encoder.std
    return normal.contiguous(memory_format=torch.channels_last)


def fastest_threads(encoder: SingleFrameEncoder, side_px: int) -> int:
    """All CPU threads or half of them: with which a few crops are embedded sooner.

    Where another program uses the cores, threads wait for each other and half of them may be 20 times as fast.
    """
    every = torch.get_num_threads()
    crops = np.zeros((8, side_px, side_px, 3), np.uint8)
    seconds: dict[int, float] = {}
    for threads in sorted({every, max(1, every // 2)}):
        with threads_for_training(threads), torch.inference_mode():
            for _ in range(2):  # the first one warms up
                started = time.perf_counter()
                encoder(normalised(encoder, crops))
                seconds[threads] = time.perf_counter() - started
    return min(seconds, key=lambda threads: seconds[threads])


def frame_embeddings(encoder: SingleFrameEncoder, crops: Sequence[Crops]) -> list[NDArray[np.float32]]:
    """T arrays (n, 128): the embedding of each crop; the encoder must be in evaluation mode."""
    with torch.inference_mode():
        return [np.concatenate([_embed(encoder, part) for part in _parts(each)]) for each in crops]


def tracklet_vectors(encoder: MultiViewEncoder, crops: Sequence[Crops], views: int) -> list[NDArray[np.float32]]:
    """T arrays (1, 128): the vector of each tracklet, from at most so many views spread over its length."""
    vectors = []
    with torch.inference_mode():
        for each in crops:
            images = normalised(encoder.frames, each[spread_views(len(each), views)])
            vectors.append(np.asarray(encoder(images.unsqueeze(0)).cpu().numpy(), np.float32))
    return vectors


def _parts(crops: Crops) -> list[Crops]:
    return [crops[start : start + EMBEDDED_AT_ONCE] for start in range(0, len(crops), EMBEDDED_AT_ONCE)]


def _embed(encoder: SingleFrameEncoder, crops: Crops) -> NDArray[np.float32]:
    return np.asarray(encoder(normalised(encoder, crops)).cpu().numpy(), np.float32)


def _train(
    network: nn.Module,
    embed: Callable[[], Tensor],
    settings: EncoderTraining,
    steps: int,
    what: str,
    reporter: Reporter,
) -> None:
    """So many steps; `embed` gives the (2N, 128) embeddings of the next batch."""
    loss_of, optimizer = NtXentLoss(settings.temperature), _optimizer(network, settings)
    network.to(memory_format=torch.channels_last).train()
    for step in range(steps):
        reporter.check()
        if reporter.stop_requested:
            raise Cancelled
        reporter.progress(step, steps, "steps", f"training the {what}")
        loss = loss_of(embed())
        if not math.isfinite(loss.item()):  # must never reach the weights
            raise UserError(f"Training the {what} diverged at step {step + 1}.", "Use a lower learning rate.")
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
    network.eval()


def _optimizer(network: nn.Module, settings: EncoderTraining) -> torch.optim.Optimizer:
    if settings.optimizer == "lars":
        return Lars(network.parameters(), settings.learning_rate)
    return torch.optim.AdamW(network.parameters(), settings.learning_rate)
