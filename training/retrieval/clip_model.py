"""An encoder of clips, opened from the run folder of a pretraining; torch is imported when one is made."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from training.models.clip_config import ClipEncoderConfig

if TYPE_CHECKING:
    import torch

    from training.models.clip_encoder import ClipEncoder

UNTRAINED = "random weights"


@dataclass(frozen=True)
class ClipModel:
    """A clip encoder in evaluation mode. A clip's vector is its embedding, brought to length 1 (ours).

    Attributes:
        encoder: on its device.
        model_id: its name in files.
        sha256: of the weights file; "" for weights that are in no file.
        frame_step: the encoder sees every so many frames of a clip.
    """

    encoder: "ClipEncoder"
    model_id: str
    sha256: str = ""
    frame_step: int = 1

    @property
    def config(self) -> ClipEncoderConfig:
        """The encoder's sizes."""
        return self.encoder.config

    @property
    def length(self) -> int:
        """L: frames of a study that a clip spans."""
        return self.config.frames * self.frame_step

    def embed(self, clips: NDArray[np.uint8]) -> NDArray[np.float32]:
        """(B, L, S, S, 3) RGB, prepared -> (B, D) of length 1.

        Raises:
            ValueError: clips of another shape.
        """
        import torch

        pixels = torch.from_numpy(np.ascontiguousarray(clips[:, :: self.frame_step])).to(self.encoder.mean.device)
        with torch.inference_mode():
            vectors = self.encoder(self.encoder.normalise(pixels))
            return np.asarray(torch.nn.functional.normalize(vectors, dim=1).cpu().numpy(), np.float32)


def open_clip_model(run: Path, step: int | None = None, device: "torch.device | str" = "cpu") -> ClipModel:
    """The encoder of a pretraining's newest weights, or of a step that was kept.

    Raises:
        UserError: no run folder, without weights or without those of this step, of a method that trains no clips, or
            with damaged weights.
    """
    from training.models.folder import file_sha256
    from training.pretraining.pretrained import Pretrained
    from training.pretraining.start import clip_encoder, clip_settings

    pretrained = Pretrained.open(run, step, of_clips=True)
    encoder, settings = clip_encoder(pretrained), clip_settings(pretrained)
    return ClipModel(
        encoder.to(device), pretrained.model_id, file_sha256(pretrained.weights), frame_step=settings.frame_step
    )


def untrained_clip_model(config: ClipEncoderConfig, seed: int, device: "torch.device | str" = "cpu") -> ClipModel:
    """An encoder with random weights, which only the seed decides."""
    import torch

    from training.models.clip_encoder import ClipEncoder

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        encoder = ClipEncoder(config)
    return ClipModel(encoder.to(device).eval(), UNTRAINED)
