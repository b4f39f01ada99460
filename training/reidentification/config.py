"""The settings of the encoders, and which tracklets train (Intrator et al. 2023, section 3.1); imports no torch."""

from collections import ChainMap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator, Field, model_validator

from training.errors import UserError
from training.models.backbones import BACKBONES
from training.settings import Choice, Settings, shortened

RESNET50_V2 = "resnet50v2"
"""The paper's trunk, which is not among `BACKBONES`: there are neither ImageNet weights nor an OpenVINO graph of it."""


def _known(name: str) -> str:
    if name != RESNET50_V2 and name not in BACKBONES:
        known = ", ".join((*BACKBONES, RESNET50_V2))
        raise ValueError(f"there is no trunk {shortened(repr(name))}; there are {known}")
    return name


class EncoderConfig(Settings):
    """Sizes of both encoders (Intrator et al. 2023, section 3.1). The paper states trunk, embedding and blocks.

    The other sizes are ours, chosen so that the single-frame encoder has the 24 M parameters and the multi-view encoder
    the additional 1 M that the paper gives.
    """

    backbone: Annotated[str, AfterValidator(_known), Choice(ChainMap({RESNET50_V2: None}, BACKBONES))] = Field(
        default=RESNET50_V2, description="Trunk of the single-frame encoder."
    )
    embedding: int = Field(
        default=128, ge=1, le=4096, description="Numbers of a frame's and of a tracklet's embedding."
    )
    head_hidden: int = Field(
        default=256, ge=1, le=8192, description="Width of the layer inside the frame's MLP head (ours)."
    )
    blocks: int = Field(default=3, ge=1, le=24, description="Transformer encoder blocks.")
    heads: int = Field(default=4, ge=1, le=64, description="Attention heads of a block (ours).")
    feed_forward: int = Field(default=1024, ge=1, le=16384, description="Width of a block's feed-forward layer (ours).")
    dropout: float = Field(
        default=0.1, ge=0, lt=1, description="Dropout inside the blocks (ours, as Vaswani et al. 2017)."
    )
    projection_hidden: int = Field(
        default=128, ge=1, le=8192, description="Width of the layer inside the tracklet's MLP head (ours)."
    )

    @model_validator(mode="after")
    def _check_heads(self) -> Self:
        if self.embedding % self.heads:
            raise ValueError(f"{self.heads} attention heads do not divide an embedding of {self.embedding} numbers")
        return self


class EncoderTraining(Settings):
    """How both encoders are trained; the defaults are the paper's (section 3.1)."""

    views: int = Field(
        default=8,
        ge=2,
        multiple_of=2,
        description="Views of a tracklet; a pair has half of them of its first part and half of its last.",
    )
    temperature: float = Field(default=0.1, gt=0, description="Temperature of NT-Xent.")
    procedures: int = Field(
        default=1024, ge=2, description="Procedures of a batch, one tracklet of each; fewer where there are fewer."
    )
    frame_steps: int = Field(default=5000, ge=1, description="Steps of the single-frame encoder.")
    tracklet_steps: int = Field(default=5000, ge=1, description="Steps of the multi-view encoder.")
    optimizer: Literal["lars", "adamw"] = Field(default="lars", description="Optimizer; the rate is constant.")
    learning_rate: float = Field(default=0.01, gt=0, description="Learning rate.")
    seed: int = Field(default=0, ge=0, description="Seed of weights and batches.")


@dataclass(frozen=True, eq=False)
class TrackletTable:
    """T tracklets of any procedures, in any order.

    Attributes:
        procedures: (T,) text, the procedure of each.
        starts, stops: (T,) float64 seconds from the procedure's beginning: of the first frame, and where the last one
            ends.
        scores: T arrays, the detector's score in [0, 1] in each frame of a tracklet.
    """

    procedures: NDArray[np.str_]
    starts: NDArray[np.float64]
    stops: NDArray[np.float64]
    scores: Sequence[NDArray[np.floating]]

    def __len__(self) -> int:
        """T."""
        return len(self.procedures)

    def of(self, rows: NDArray[np.int64]) -> "TrackletTable":
        """The table of these rows only."""
        scores = [self.scores[at] for at in rows]
        return TrackletTable(self.procedures[rows], self.starts[rows], self.stops[rows], scores)

    @property
    def seconds(self) -> NDArray[np.float64]:
        """(T,) how long each tracklet is."""
        return np.asarray(self.stops - self.starts, np.float64)


class TrackletFilter(Settings):
    """What a tracklet needs to train; the defaults are the paper's.

    The paper drops tracklets shorter than a second or with fewer than 15 detections of high confidence, and takes the
    longest one of each procedure. It does not say which confidence is high.
    """

    shortest_seconds: float = Field(default=1.0, ge=0, description="Shorter tracklets do not train.")
    fewest_detections: int = Field(
        default=15, ge=1, description="Tracklets with fewer confident detections do not train."
    )
    confidence: float = Field(default=0.5, ge=0, le=1, description="From this score a detection is confident (ours).")
    longest_only: bool = Field(default=True, description="Only the longest tracklet of each procedure trains.")


def kept_for_training(table: TrackletTable, settings: TrackletFilter) -> NDArray[np.int64]:
    """The numbers of the tracklets that train, in the table's order.

    The longest of a procedure is sought among those that are not dropped, by seconds; of equal ones the first is taken.

    Raises:
        UserError: no tracklet is left.
    """
    confident = np.array([int((scores >= settings.confidence).sum()) for scores in table.scores], np.int64)
    # Times of frames are sums of fractions: a second of 30 frames may come out as 0.9999999.
    is_long = table.seconds >= settings.shortest_seconds - 1e-6
    kept = np.flatnonzero(is_long & (confident >= settings.fewest_detections)).astype(np.int64)
    if not len(kept):
        raise UserError(
            "None of {count} tracklets lasts {shortest_seconds:g} s with {fewest_detections} confident detections.",
            "Set a shorter time and fewer detections, as for capsules.",
            len(table),
            settings.shortest_seconds,
            settings.fewest_detections,
        )
    if not settings.longest_only:
        return kept
    longest_first = kept[np.argsort(-table.seconds[kept], kind="stable")]
    _, first = np.unique(table.procedures[longest_first], return_index=True)
    return np.sort(longest_first[first])
