"""Training of both encoders by NT-Xent, and the vectors they give (Intrator et al. 2023, sections 2.1, 2.2 and 3.1).

No frame is augmented: the second view of the tracklet takes the place of augmentation (section 2.1).
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from training.optimisation import lars, loop
from training.optimisation.ranks import Ranks
from training.reidentification.config import EncoderConfig, EncoderTraining
from training.reidentification.encoder import (
    EmbeddedTrackletContrast,
    FrameContrast,
    MultiViewEncoder,
    SingleFrameEncoder,
    TrackletContrast,
)
from training.reidentification.views import Crops, CropSource, ProcedureBatches, pseudo_pair, spread_views, two_views
from training.runs import checkpoint, folder
from training.runs.reporter import Cancelled, Reporter

EMBEDDED_AT_ONCE = 64
"""Crops that go through an encoder together when it is not trained."""


FRAMES, TRACKLETS = "training the single-frame encoder", "training the multi-view encoder"


def train_encoder(
    encoder: SingleFrameEncoder | MultiViewEncoder,
    crops: Sequence[CropSource],
    procedures: Sequence[str],
    settings: EncoderTraining,
    reporter: Reporter,
) -> None:
    """Train an encoder by positive pairs: two frames of a tracklet, or its first and its last part.

    The encoder is left in evaluation mode. A tracklet has at least two crops, for several views three.

    Raises:
        UserError: too few procedures, or the loss is not finite.
        Cancelled: a stop, or as the reporter asked.
    """
    optimizer = optimizer_of(encoder, settings)
    if isinstance(encoder, MultiViewEncoder):
        method: FrameContrast = TrackletContrast(encoder, settings.temperature)
        feed, steps, what = tracklet_feed(encoder, crops, procedures, settings), settings.tracklet_steps, TRACKLETS
    else:
        method = FrameContrast(encoder, settings.temperature)
        feed, steps, what = frame_feed(encoder, crops, procedures, settings), settings.frame_steps, FRAMES
    _whole(method, feed, optimizer, steps, what, settings, reporter)


def train_blocks(
    encoder: MultiViewEncoder,
    crops: Sequence[Crops],
    procedures: Sequence[str],
    settings: EncoderTraining,
    reporter: Reporter,
) -> None:
    """Train CLS, blocks and head on the embeddings of the finished single-frame encoder, which stays as it is. Ours.

    The paper trains on the single-frame encoder as well (`train_encoder`), at the cost of all views' images in each
    step. Here the embeddings are computed once, so that a step takes milliseconds. The arguments are those of
    `train_encoder`; the optimizer is AdamW, whatever the settings say (ours).
    """
    embeddings = frame_embeddings(encoder.frames.eval(), crops)
    batches = ProcedureBatches(procedures, batch_of(settings, procedures))
    own = [parameter for name, parameter in encoder.named_parameters() if not name.startswith("frames.")]

    def feed(step: int) -> tuple[Tensor, Tensor]:
        rng = np.random.default_rng([settings.seed, 1, step])
        views, mask = _tracklet_batch(embeddings, batches, settings, rng)
        return torch.from_numpy(views).to(own[0].device), mask.to(own[0].device)

    method = EmbeddedTrackletContrast(encoder, settings.temperature)
    optimizer = torch.optim.AdamW(own, settings.learning_rate)
    _whole(method, feed, optimizer, settings.tracklet_steps, TRACKLETS, settings, reporter)


def train_both(
    encoder: MultiViewEncoder,
    crops: Sequence[CropSource],
    procedures: Sequence[str],
    settings: EncoderTraining,
    plan: loop.LoopPlan,
    reporter: Reporter,
    shield: Reporter,
    on_point: Callable[[folder.Point], None],
    newest: checkpoint.Checkpoint | None,
) -> int:
    """Train the single-frame encoder and then the whole multi-view encoder, which starts from it; can be resumed.

    Steps, which are returned, are counted through: those of the multi-view encoder follow those of the single-frame
    encoder. A batch, and what dropout draws, depend on seed and step alone, so a resumed run equals one that was not
    interrupted. Number and name of the steps are filled into the plan here; `newest` is the checkpoint to go on from.
    """
    frames = encoder.frames
    stages = (
        (
            settings.frame_steps,
            FrameContrast(encoder, settings.temperature),
            optimizer_of(frames, settings),
            frame_feed(frames, crops, procedures, settings),
        ),
        (
            settings.frame_steps + settings.tracklet_steps,
            TrackletContrast(encoder, settings.temperature),
            optimizer_of(encoder, settings),
            tracklet_feed(encoder, crops, procedures, settings),
        ),
    )
    encoder.to(memory_format=torch.channels_last).train()
    done = plan.first_step
    if newest is not None:
        checkpoint.restore(newest, encoder, stages[int(done > settings.frame_steps)][2])
    for what, (last, method, optimizer, feed) in zip((FRAMES, TRACKLETS), stages, strict=True):
        if done < last and not reporter.stop_requested:
            part = replace(plan, first_step=done, steps=last, what=what)
            done = loop.train(method, optimizer, feed, part, reporter, shield, on_point)
    encoder.eval()
    return done


def make_method(recipe: Mapping[str, Any], ranks: Ranks) -> tuple[FrameContrast, AbstractContextManager[None]]:
    """The method for a process that helps, in both parts; the first process has the weights and computes the loss."""
    encoder = MultiViewEncoder(SingleFrameEncoder(EncoderConfig(**recipe["encoder"])))
    encoder = encoder.to(ranks.device(recipe["device"])).to(memory_format=torch.channels_last).train()
    return FrameContrast(encoder, temperature=1.0), nullcontext()


def frame_feed(
    encoder: SingleFrameEncoder, crops: Sequence[CropSource], procedures: Sequence[str], settings: EncoderTraining
) -> loop.Feed:
    """Step -> the first views of N tracklets and then their second ones, (2N, 3, S, S), and no labels."""
    batches = ProcedureBatches(procedures, batch_of(settings, procedures))

    def feed(step: int) -> tuple[Tensor, Tensor]:
        rng = np.random.default_rng([settings.seed, 0, step])
        pairs = [crops[at][two_views(len(crops[at]), rng)] for at in batches.draw(rng)]
        views = [pair[side] for side in (0, 1) for pair in pairs]
        return normalised(encoder, np.stack(views)), torch.zeros(0)

    return feed


def tracklet_feed(
    encoder: MultiViewEncoder, crops: Sequence[CropSource], procedures: Sequence[str], settings: EncoderTraining
) -> loop.Feed:
    """Step -> the views that there are of the first parts of N tracklets and of their last parts, and which those are.

    The second tensor is (2N, H) bool, H half of the views; the first one has a row (3, S, S) for each True in it.
    """
    batches = ProcedureBatches(procedures, batch_of(settings, procedures))

    def feed(step: int) -> tuple[Tensor, Tensor]:
        rng = np.random.default_rng([settings.seed, 1, step])
        torch.manual_seed(int(rng.integers(2**31)))  # dropout, too, is a function of the step
        views, mask = _tracklet_batch(crops, batches, settings, rng)
        images = normalised(encoder.frames, views)
        return images, mask.to(images.device)

    return feed


def _tracklet_batch(
    tracklets: Sequence[CropSource] | Sequence[NDArray[np.float32]],
    batches: ProcedureBatches,
    settings: EncoderTraining,
    rng: np.random.Generator,
) -> tuple[NDArray[Any], Tensor]:
    """Rows of the first parts of N tracklets and of their last parts, and which views (2N, H) they are."""
    chosen = [(tracklets[at], pseudo_pair(len(tracklets[at]), settings.views, rng)) for at in batches.draw(rng)]
    views = [each[pair.frames[side][pair.mask[side]]] for side in (0, 1) for each, pair in chosen]
    mask = torch.from_numpy(np.stack([pair.mask[side] for side in (0, 1) for _, pair in chosen]))
    return np.concatenate(views), mask


def batch_of(settings: EncoderTraining, procedures: Sequence[str]) -> int:
    """N: the procedures that were asked for, or all where there are fewer."""
    return max(2, min(settings.procedures, len(set(procedures))))


def normalised(encoder: SingleFrameEncoder, crops: Crops) -> Tensor:
    """(B, S, S, 3) RGB -> (B, 3, S, S) float32, channels last, on the encoder's device; as its trunk expects."""
    images = torch.from_numpy(np.ascontiguousarray(crops)).to(encoder.mean.device).permute(0, 3, 1, 2).float() / 255
    normal: Tensor = (images - encoder.mean) / encoder.std
    return normal.contiguous(memory_format=torch.channels_last)


def frame_embeddings(encoder: SingleFrameEncoder, crops: Sequence[Crops]) -> list[NDArray[np.float32]]:
    """T arrays (n, 128): the embedding of each crop; the encoder must be in evaluation mode."""
    result = []
    with torch.inference_mode():
        for each in crops:
            parts = [each[start : start + EMBEDDED_AT_ONCE] for start in range(0, len(each), EMBEDDED_AT_ONCE)]
            result.append(np.concatenate([encoder(normalised(encoder, part)).cpu().numpy() for part in parts]))
    return result


def tracklet_vectors(encoder: MultiViewEncoder, crops: Sequence[Crops], views: int) -> list[NDArray[np.float32]]:
    """T arrays (1, 128): the vector of each tracklet, from at most so many views spread over its length."""
    vectors = []
    with torch.inference_mode():
        for each in crops:
            images = normalised(encoder.frames, each[spread_views(len(each), views)])
            vectors.append(np.asarray(encoder(images.unsqueeze(0)).cpu().numpy(), np.float32))
    return vectors


def optimizer_of(network: nn.Module, settings: EncoderTraining) -> torch.optim.Optimizer:
    """The optimizer of all parameters of a network."""
    if settings.optimizer == "lars":
        return lars.Lars(network.parameters(), settings.learning_rate)
    return torch.optim.AdamW(network.parameters(), settings.learning_rate)


def _whole(
    method: FrameContrast,
    feed: loop.Feed,
    optimizer: torch.optim.Optimizer,
    steps: int,
    what: str,
    settings: EncoderTraining,
    reporter: Reporter,
) -> None:
    """All steps at a constant rate, without checkpoints; raises `Cancelled` where a stop was asked for before."""
    method.network.to(memory_format=torch.channels_last).train()
    plan = loop.LoopPlan(0, steps, lambda step: (settings.learning_rate,), None, 0.0, {}, what)
    if loop.train(method, optimizer, feed, plan, reporter, reporter, lambda point: None) < steps:
        raise Cancelled
    method.network.eval()
