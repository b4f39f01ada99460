"""Pictures of reconstructed clips at each evaluation of a masked autoencoder (Xiang et al. 2023, Fig. 5)."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.datasets.sequence_feed import SequenceBatch
from training.errors import UserError, reason_of
from training.files.outputs import written_beside
from training.losses.masked_reconstruction import pixels_of_normalised
from training.methods.videomae import VideoMae
from training.models.clip_encoder import clips_of_cubes, cubes_of_clips
from training.models.masked_autoencoder import tube_numbers
from training.pretraining.batches import PretrainBatches
from training.pretraining.view_probe import SAMPLE_STEP
from training.runs.reporter import Reporter

CLIPS = 2
GREY = 0.5
GAP_PX = 4


class Reconstructions:
    """Writes a picture of the same clips, with the same masks, whenever it is called.

    Columns: one frame of each cube. Rows of each clip: input, masked input (grey), reconstruction. A masked cube shows
    the predicted pixels, scaled to mean and contrast of the cube that was masked, since the loss compares normalised
    pixels.
    """

    def __init__(
        self,
        feed: Callable[[int], SequenceBatch],
        batches: PretrainBatches,
        method: VideoMae,
        folder: Path,
        reporter: Reporter,
    ) -> None:
        """Read the clips; `folder`: for the pictures."""
        self._method, self._folder, self._reporter = method, folder, reporter
        made = batches.of(feed(SAMPLE_STEP), SAMPLE_STEP)
        self._clips, self._masked = method.unpack(made.images[:CLIPS])

    @torch.no_grad()
    def __call__(self, step: int) -> None:
        """Write `step-000000.png`, and tell the reporter."""
        encoder = self._method.network.encoder
        with self._method.precision(self._clips.device):
            predicted = self._method.network(self._clips, self._masked).reconstruction.float()
        pixels = (self._clips * encoder.std + encoder.mean).clamp(0, 1)
        path = self._folder / f"step-{step:06d}.png"
        write_png(path, picture(pixels, self._masked, predicted, self._method))
        self._reporter.partial("reconstruction", {"step": step, "file": path.name})


def picture(pixels: Tensor, masked: Tensor, predicted: Tensor, method: VideoMae) -> NDArray[np.uint8]:
    """(H, W, 3) uint8 RGB of clips (B, T, 3, S, S) in [0, 1], masks (B, places) and predictions (B, M, P)."""
    config = method.encoder_config
    cubes = cubes_of_clips(pixels, config)
    hidden = tube_numbers(masked, config.times).unsqueeze(2).expand(-1, -1, cubes.shape[2])
    known = cubes.gather(1, hidden)
    grey = cubes.scatter(1, hidden, GREY)
    filled = cubes.scatter(1, hidden, pixels_of_normalised(predicted, known).clamp(0, 1))
    rows = [clips_of_cubes(each, config)[:, :: config.cube_frames] for each in (cubes, grey, filled)]
    return _tiled(torch.stack(rows, 1).flatten(0, 1))


def write_png(path: Path, pixels: NDArray[np.uint8]) -> None:
    """Write (H, W, 3) uint8 RGB; raises `UserError` if the disk is full."""
    import cv2

    _, encoded = cv2.imencode(".png", np.ascontiguousarray(pixels[..., ::-1]))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with written_beside(path) as beside:
            beside.write_bytes(encoded.tobytes())
    except OSError as error:
        raise UserError(
            "{path} cannot be written ({reason}).", "Free some disk space and resume the run.", path, reason_of(error)
        ) from error


def _tiled(rows: Tensor) -> NDArray[np.uint8]:
    """(R, T, 3, S, S) in [0, 1] -> one picture, a row each, with gaps of `GAP_PX`."""
    count, columns, _, side, _ = rows.shape
    step = side + GAP_PX
    made = np.full((count * step - GAP_PX, columns * step - GAP_PX, 3), 255, np.uint8)
    frames = (rows * 255).round().byte().permute(0, 1, 3, 4, 2).cpu().numpy()
    for row in range(count):
        for column in range(columns):
            made[row * step : row * step + side, column * step : column * step + side] = frames[row, column]
    return made
