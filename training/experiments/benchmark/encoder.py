"""What a method's network says of frames: the pooled embedding, and the projection that its loss saw.

Vats et al. 2022 call what kNN compares z_p, which is a prior view's, and do not say what the encoder sees at inference,
whole frames or prior views. Ours are whole frames, prepared as for scoring, in eval mode and float32, unless
`prior_frames` cuts their prior views first.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.datasets.frame_store import FrameStore
from training.experiments.benchmark.comparison import Comparison
from training.experiments.benchmark.pretraining import pretrain_fields
from training.methods import pgcon, simclr
from training.models import imagenet, projection_head
from training.pretraining.config import stored_config
from training.pretraining.pretrained import Pretrained
from training.pretraining.start import load_pretrainer
from training.runs.reporter import Reporter
from training.transforms import bank_views, prior_view

BATCH = 64


@dataclass(frozen=True)
class Embedded:
    """M frames in both spaces, float32."""

    backbone: NDArray[np.float32]
    """(M, D): pooled; what linear evaluation and few-shot take."""
    projection: NDArray[np.float32]
    """(M, P): after the projection head (z_p of Vats et al.); what kNN, alignment and uniformity take."""

    @classmethod
    def joined(cls, parts: Sequence[tuple[Tensor, Tensor]]) -> Self:
        """From both spaces of some batches."""
        return cls(*(torch.cat(part).numpy() for part in zip(*parts, strict=True)))


class Encoder:
    """A trunk with its projection head, in eval mode."""

    def __init__(self, network: projection_head.Pretrainer, device: torch.device) -> None:
        self.network = network.to(device).to(memory_format=torch.channels_last).eval()
        self.device = device

    def frames(self, pixels: NDArray[np.uint8], reporter: Reporter, what: str = "embedding frames") -> Embedded:
        """Embed prepared frames (M, S, S, 3) uint8."""
        parts = []
        for start in range(0, len(pixels), BATCH):
            reporter.check()
            reporter.progress(start, len(pixels), "frames", what)
            frames = torch.from_numpy(np.ascontiguousarray(pixels[start : start + BATCH])).to(self.device)
            parts.append(self._embed(frames.permute(0, 3, 1, 2).float() / 255.0))
        return Embedded.joined(parts)

    def views(
        self, pixels: NDArray[np.uint8], is_round: NDArray[np.bool_], seed: int, reporter: Reporter
    ) -> tuple[Embedded, Embedded]:
        """Embed two random views of each frame; the same views for every method (SimCLR's: ours)."""
        augmentation = simclr.SimClrSettings.model_validate({}).augmentation()
        first: list[tuple[Tensor, Tensor]] = []
        second: list[tuple[Tensor, Tensor]] = []
        for number, start in enumerate(range(0, len(pixels), BATCH)):
            reporter.check()
            part = slice(start, start + BATCH)
            frames = torch.from_numpy(np.ascontiguousarray(pixels[part])).to(self.device)
            rounds = torch.from_numpy(np.ascontiguousarray(is_round[part]))
            generator = torch.Generator().manual_seed((seed << 20) + number)
            for views in (first, second):
                views.append(self._embed(augmentation(frames, rounds, generator)))
        return Embedded.joined(first), Embedded.joined(second)

    @torch.inference_mode()
    def _embed(self, images: Tensor) -> tuple[Tensor, Tensor]:
        """(B, 3, S, S) float32 in [0, 1] -> pooled embeddings and projections, on the CPU."""
        network = self.network
        pooled = network.trunk((images - network.mean) / network.std).mean(dim=(2, 3))
        return pooled.cpu(), network.head(pooled).cpu()


def open_encoder(run: Path, device: torch.device) -> Encoder:
    """The newest weights of a pretraining; raises `UserError` where there are none."""
    return Encoder(load_pretrainer(Pretrained.open(run)), device)


def untrained_encoder(
    comparison: Comparison, method: str, seed: int, weights_cache: Path, device: torch.device, reporter: Reporter
) -> Encoder:
    """`random`: weights as they are drawn; `imagenet`: published ones below a random head.

    Batch normalisation has seen nothing in a random network: its means are 0 and its variances 1.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        config = stored_config({**pretrain_fields(comparison, "simclr", seed), "studies": "-", "out": "-"})
        network = projection_head.Pretrainer(config.backbone, config.projection)
    if method == "imagenet":
        state = imagenet.imagenet_state(comparison.backbone, weights_cache, reporter=reporter)
        imagenet.fill_trunk(network.trunk, state, comparison.backbone, "imagenet")
    return Encoder(network, device)


def prior_settings(comparison: Comparison) -> pgcon.PgConSettings:
    """How a comparison's `pgcon` cuts and shows prior views; `read_size` is the side of the frames that it needs."""
    result = stored_config({**pretrain_fields(comparison, pgcon.PgCon.name, 0), "studies": "-", "out": "-"})
    assert isinstance(result, pgcon.PgConSettings)
    return result


def prior_frames(store: FrameStore, settings: pgcon.PgConSettings) -> FrameStore:
    """The same frames, each only its prior view, with no transform; as large as a pretraining saw it.

    The settings are of `prior_settings`; without a share of their own, prior views take that of `PriorViews`.
    """
    shown, share = settings.prior_size, settings.prior_share or bank_views.PriorViews().prior_share
    pixels = np.empty((len(store), shown, shown, 3), np.uint8)
    for start in range(0, len(store), BATCH):
        part = slice(start, start + BATCH)
        frames = np.ascontiguousarray(store.pixels[part])
        size = frames.shape[1]
        squares = prior_view.prior_squares(
            torch.from_numpy(frames),
            torch.from_numpy(np.ascontiguousarray(store.is_round[part])),
            torch.full((len(frames),), min(max(round(share * size), 1), size)),
            rim_px=round(settings.rim_share * size),
            least_redness=settings.least_redness,
        )
        for row, (x_min, y_min, x_max, y_max) in enumerate(squares.boxes.tolist(), start):
            cut = frames[row - start, y_min:y_max, x_min:x_max]
            method = cv2.INTER_AREA if len(cut) > shown else cv2.INTER_LINEAR
            pixels[row] = cv2.resize(cut, (shown, shown), interpolation=method)
    nowhere = np.full_like(store.boxes, np.nan)
    return replace(store, pixels=pixels, is_round=np.zeros_like(store.is_round), boxes=nowhere)
