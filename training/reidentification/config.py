"""The settings of the encoders. Importing this module does not import torch."""

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from training.models.backbones import BACKBONES
from training.settings import Settings, shortened

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

    backbone: Annotated[str, AfterValidator(_known)] = Field(
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

    views: int = Field(default=8, ge=1, description="Views of each part of a tracklet, and of an evaluated tracklet.")
    temperature: float = Field(default=0.1, gt=0, description="Temperature of NT-Xent.")
    procedures: int = Field(
        default=1024, ge=2, description="Procedures of a batch, one tracklet of each; fewer where there are fewer."
    )
    frame_steps: int = Field(default=5000, ge=1, description="Steps of the single-frame encoder.")
    tracklet_steps: int = Field(default=5000, ge=1, description="Steps of the multi-view encoder.")
    optimizer: Literal["lars", "adamw"] = Field(default="lars", description="Optimizer; the rate is constant.")
    learning_rate: float = Field(default=0.01, gt=0, description="Learning rate.")
    seed: int = Field(default=0, ge=0, description="Seed of weights and batches.")
