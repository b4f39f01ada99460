"""What a method's network says of frames: the pooled embedding, and the projection that its loss saw.

Vats et al. 2022 call what kNN compares z_p, which is a prior view's, and do not say what the encoder sees at inference,
whole frames or prior views. Ours are whole frames, prepared as for scoring, in eval mode and float32, unless
`prior_frames` cuts their prior views first.
"""

from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.datasets.frame_store import FrameStore
from training.experiments.benchmark.comparison import Comparison
from training.experiments.benchmark.pretraining import pretrain_fields
from training.methods.pgcon import PgCon, PgConSettings
from training.methods.simclr import SimClrSettings
from training.models.imagenet import fill_trunk, imagenet_state
from training.models.projection_head import Pretrainer
from training.pretraining.config import stored_config
from training.pretraining.pretrained import Pretrained
from training.pretraining.start import load_pretrainer
from training.runs.reporter import Reporter
from training.transforms.bank_views import PriorViews
from training.transforms.prior_view import prior_squares

BATCH = 64


@dataclass(frozen=True)
class Embedded:
    """M frames in both spaces, float32."""

    backbone: NDArray[np.float32]
    """(M, D): pooled; what linear evaluation and few-shot take."""
    projection: NDArray[np.float32]
    """(M, P): after the projection head (z_p of Vats et al.); what kNN, alignment and uniformity take."""


class Encoder:
    """A trunk with its projection head, in eval mode."""

    def __init__(self, network: Pretrainer, device: torch.device) -> None:
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
        return _joined(parts)

    def views(
        self, pixels: NDArray[np.uint8], is_round: NDArray[np.bool_], seed: int, reporter: Reporter
    ) -> tuple[Embedded, Embedded]:
        """Embed two random views of each frame; the same views for every method (SimCLR's: ours)."""
        augmentation = SimClrSettings.model_validate({}).augmentation()
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
        return _joined(first), _joined(second)

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

    Raises:
        UserError: no ImageNet weights.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        config = stored_config({**pretrain_fields(comparison, "simclr", seed), "studies": "-", "out": "-"})
        network = Pretrainer(config.backbone, config.projection)
    if method == "imagenet":
        state = imagenet_state(comparison.backbone, weights_cache, reporter=reporter)
        fill_trunk(network.trunk, state, comparison.backbone, "imagenet")
    return Encoder(network, device)


def _joined(parts: list[tuple[Tensor, Tensor]]) -> Embedded:
    return Embedded(*(torch.cat([part[place] for part in parts]).numpy() for place in (0, 1)))


def prior_settings(comparison: Comparison) -> PgConSettings:
    """How a comparison's `pgcon` cuts and shows prior views; `read_size` is the side of the frames that it needs."""
    result = stored_config({**pretrain_fields(comparison, PgCon.name, 0), "studies": "-", "out": "-"})
    assert isinstance(result, PgConSettings)
    return result


def prior_frames(store: FrameStore, settings: PgConSettings) -> FrameStore:
    """The same frames, each only its prior view, with no transform; as large as a pretraining saw it.

    Args:
        store: frames of `settings.read_size` px.
        settings: from `prior_settings`; without a share of their own, prior views take that of `PriorViews`.
    """
    shown = settings.prior_size
    pixels = np.empty((len(store), shown, shown, 3), np.uint8)
    for start in range(0, len(store), BATCH):
        part = slice(start, start + BATCH)
        frames = np.ascontiguousarray(store.pixels[part])
        for row, (frame, box) in enumerate(zip(frames, _boxes(frames, store.is_round[part], settings), strict=True)):
            pixels[start + row] = _cut(frame, box, shown)
    nowhere = np.full_like(store.boxes, np.nan)
    return replace(store, pixels=pixels, is_round=np.zeros_like(store.is_round), boxes=nowhere)


def _boxes(frames: NDArray[np.uint8], is_round: NDArray[np.bool_], settings: PgConSettings) -> NDArray[np.int64]:
    """(B, 4) x_min, y_min, x_max, y_max in px."""
    count, size = frames.shape[:2]
    share = settings.prior_share or PriorViews().prior_share
    squares = prior_squares(
        torch.from_numpy(frames),
        torch.from_numpy(np.ascontiguousarray(is_round)),
        torch.full((count,), min(max(round(share * size), 1), size)),
        rim_px=round(settings.rim_share * size),
        least_redness=settings.least_redness,
    )
    return squares.boxes.numpy()


def _cut(frame: NDArray[np.uint8], box: NDArray[np.int64], side: int) -> NDArray[np.uint8]:
    x_min, y_min, x_max, y_max = box.tolist()
    part = frame[y_min:y_max, x_min:x_max]
    method = cv2.INTER_AREA if len(part) > side else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(part, (side, side), interpolation=method), np.uint8)
