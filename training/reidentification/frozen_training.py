"""The multi-view encoder's own part alone: blocks and head on the embeddings of a finished single-frame encoder. Ours.

The paper trains on the single-frame encoder with it (`training.train_tracklets`), at the cost of all views' images in
each step. Here the embeddings are computed once, so that a step takes milliseconds.
"""

import math
from collections.abc import Sequence

import numpy as np
import torch
from torch import nn

from training.errors import UserError
from training.losses.info_nce import NTXentLoss
from training.reidentification.config import EncoderTraining
from training.reidentification.crop_store import Crops
from training.reidentification.encoder import MultiViewEncoder
from training.reidentification.training import batch_of, frame_embeddings
from training.reidentification.views import ProcedureBatches, pseudo_pair
from training.runs.reporter import Cancelled, Reporter


def train_blocks(
    encoder: MultiViewEncoder,
    crops: Sequence[Crops],
    procedures: Sequence[str],
    settings: EncoderTraining,
    reporter: Reporter,
) -> None:
    """Train CLS, blocks and head; the single-frame encoder stays as it is.

    Args:
        encoder: on its device; left in evaluation mode.
        crops: T tracklets of at least three crops.
        procedures: (T,) the procedure of each.
        settings: steps, batch, views, rate; AdamW, whatever the optimizer (ours).
        reporter: progress; asked to stop before each step.

    Raises:
        UserError: too few procedures, or the loss is not finite.
        Cancelled: a stop, or as the reporter asked.
    """
    batches = ProcedureBatches(procedures, batch_of(settings, procedures))
    embeddings = frame_embeddings(encoder.frames.eval(), crops)
    own: list[nn.Parameter] = [
        parameter for name, parameter in encoder.named_parameters() if not name.startswith("frames.")
    ]
    device, loss_of = own[0].device, NTXentLoss(settings.temperature)
    optimizer = torch.optim.AdamW(own, settings.learning_rate)
    encoder.train()
    encoder.frames.eval()
    for step in range(settings.tracklet_steps):
        reporter.check()
        if reporter.stop_requested:
            raise Cancelled
        reporter.progress(step, settings.tracklet_steps, "steps", "training the multi-view encoder")
        rng = np.random.default_rng([settings.seed, 1, step])
        chosen = [(embeddings[at], pseudo_pair(len(embeddings[at]), settings.views, rng)) for at in batches.draw(rng)]
        views = np.stack([each[pair.frames[side]] for side in (0, 1) for each, pair in chosen])
        mask = np.stack([pair.mask[side] for side in (0, 1) for _, pair in chosen])
        loss = loss_of(encoder.of_embeddings(torch.from_numpy(views).to(device), torch.from_numpy(mask).to(device)))
        if not math.isfinite(loss.item()):  # must never reach the weights
            raise UserError(f"Training the multi-view encoder diverged at step {step + 1}.", "Use a lower rate.")
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
    encoder.eval()
