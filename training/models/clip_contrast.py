"""Momentum contrast on clips (Xiang et al. 2023, section IV-C; MoCo, He et al. 2020): two encoders and a queue."""

import copy
from collections.abc import Sequence
from typing import Protocol

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize

from training.models.clip_config import ClipEncoderConfig
from training.models.clip_encoder import ClipEncoder


class Queue(Protocol):
    """The keys that are negatives; a module."""

    keys: Tensor

    def push_(self, keys: Tensor) -> None:
        """Put in a batch's keys."""


class ClipProjector(nn.Module):
    """Encoder and projection head (ours, as MoCo's): clips -> unit vectors."""

    def __init__(self, encoder: ClipEncoder, widths: Sequence[int]) -> None:
        """`widths` of the head's layers, at least one; ReLU stands between them."""
        super().__init__()
        self.encoder = encoder
        layers: list[nn.Module] = []
        for before, after in zip((encoder.config.width, *widths), widths, strict=False):
            layers += [nn.Linear(before, after), nn.ReLU()]
        self.head = nn.Sequential(*layers[:-1])

    def forward(self, clips: Tensor) -> Tensor:
        """(B, T, 3, S, S) float, normalised -> (B, P) float32 of length one; the head computes in float32."""
        embedding = self.encoder(clips)
        with torch.autocast(clips.device.type, enabled=False):
            return normalize(self.head(embedding), dim=1)


class ClipContrast(nn.Module):
    """The encoder of queries, which is trained, and that of keys, which follows it slowly."""

    def __init__(self, config: ClipEncoderConfig, widths: Sequence[int], queue: Queue) -> None:
        """`queue`: the keys, part of the network so that checkpoints hold them."""
        super().__init__()
        self.query = ClipProjector(ClipEncoder(config), widths)
        self.key = copy.deepcopy(self.query).requires_grad_(False)
        self.queue = queue

    @property
    def encoder(self) -> ClipEncoder:
        """The encoder of queries, which is what a run is for."""
        return self.query.encoder

    def load_encoder(self, encoder: ClipEncoder) -> None:
        """Start both encoders from these weights."""
        self.encoder.load_state_dict(encoder.state_dict())
        self.key.load_state_dict(self.query.state_dict())

    @torch.no_grad()
    def follow_(self, momentum: float) -> None:
        """Eq. 3: `theta_k <- m theta_k + (1 - m) theta_q` for all weights of encoder and head."""
        for slow, fast in zip(self.key.parameters(), self.query.parameters(), strict=True):
            slow.lerp_(fast, 1 - momentum)
