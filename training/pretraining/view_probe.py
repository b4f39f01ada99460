"""What a pretraining keeps of a fixed sample: vectors of frames at each kept step (Vats et al., Fig. 3), and pictures
of reconstructed clips at each evaluation of a masked autoencoder (Xiang et al. 2023, Fig. 5).
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.datasets.sequence_feed import SequenceBatch
from training.errors import UserError, writing
from training.files import npz, outputs
from training.losses.masked_reconstruction import pixels_of_normalised
from training.methods import bank_method, videomae
from training.models.clip_encoder import clips_of_cubes, cubes_of_clips, tube_numbers
from training.optimisation.gradients import RunningStatistics
from training.pretraining.batches import FrameRows, PretrainBatches
from training.runs.reporter import Reporter

FRAMES = 128
SAMPLE_STEP = 2**31
"""The sample is the batches from this step on, which no run reaches; it depends on the seed only."""
NEGATIVE = "negative"

MAX_STUDIES = 1_000_000

_COLUMNS = {
    "step": npz.Column("<i8", ()),
    "kinds": npz.Column("U", ("K",)),
    "vectors": npz.Column("<f2 <f4", ("N", "D")),
    "kind": npz.Column("<i8", ("N",)),
    "study": npz.Column("<i8", ("N",)),
    "frame_index": npz.Column("<i8", ("N",)),
}


@dataclass(frozen=True)
class KeptViews:
    """Vectors of M frames at one step; negatives are rows of the memory bank."""

    step: int
    kinds: tuple[str, ...]
    """Names of the vectors: the method's views, then "negative"."""
    vectors: NDArray[np.float32]
    """(N, D) unit vectors; zero for rows of the memory bank that were never filled."""
    kind: NDArray[np.int64]
    """(N,) row of `kinds`."""
    study: NDArray[np.int64]
    """(N,) number of the study in the run's manifest."""
    frame_index: NDArray[np.int64]
    """(N,)"""

    @staticmethod
    def open(path: Path) -> "KeptViews":
        """Read a file; raises `UserError` if it is damaged."""
        try:
            file = npz.read_npz(path, _COLUMNS, "file of kept views")
            kinds, rows = file["kinds"], [file[name] for name in ("kind", "study", "frame_index")]
            if any((row < 0).any() for row in rows) or (rows[0] >= len(kinds)).any() or (rows[1] >= MAX_STUDIES).any():
                raise npz.NpzError("numbers out of range")
            if not np.isfinite(file["vectors"]).all():
                raise npz.NpzError("vectors that are not finite")
            names = tuple(str(name) for name in kinds)
            return KeptViews(int(file["step"]), names, file["vectors"].astype(np.float32), *rows)
        except npz.NpzError as error:
            raise UserError(
                "The kept views {path} are damaged ({error}).", "Leave that step out.", path, error
            ) from error

    def save(self, folder: Path) -> Path:
        """Write `step-000000.npz` atomically; raises `UserError` if the disk is full."""
        path = folder / f"step-{self.step:06d}.npz"
        columns = {"kind": self.kind, "study": self.study, "frame_index": self.frame_index}
        vectors = self.vectors.astype(np.float16)
        with writing(path, is_run=True):
            folder.mkdir(parents=True, exist_ok=True)
            with outputs.written_beside(path) as beside, beside.open("wb") as file:
                np.savez(file, step=self.step, kinds=np.array(self.kinds), vectors=vectors, **columns)  # type: ignore[arg-type]
        return path


class ViewProbe:
    """Embeds the views and negatives of a fixed sample of frames whenever weights are kept."""

    def __init__(
        self,
        feed: Callable[[int], SequenceBatch],
        batches: PretrainBatches,
        method: bank_method.BankMethod,
        rows: FrameRows,
        folder: Path,
    ) -> None:
        """Read the sample; `folder`: for the vectors of each step."""
        self._batches, self._method, self._rows, self._folder = batches, method, rows, folder
        self._sample: list[SequenceBatch] = []
        while sum(len(read.frames) for read in self._sample) < min(FRAMES, rows.count):
            self._sample.append(feed(SAMPLE_STEP + len(self._sample)))

    @torch.no_grad()
    def __call__(self, step: int) -> None:
        """Store the vectors of the sample as the loss sees them: normalised by the statistics of each batch.

        Running statistics mix prior views with tiles, which separates z_p and z_d in any network; they are restored.
        (With gradients in chunks, the loss sees the statistics of a chunk instead.)
        """
        statistics = RunningStatistics(self._method.network)
        before = statistics.read()
        result = [self._embed(number, read) for number, read in enumerate(self._sample)]
        statistics.write(before)
        vectors, kinds, rows = (torch.cat(column).numpy() for column in zip(*result, strict=True))
        study, frame_index = self._rows.frames(rows)
        names = (*self._method.view_names, NEGATIVE)
        KeptViews(step, names, vectors, kinds, study, frame_index).save(self._folder)

    def _embed(self, number: int, read: SequenceBatch) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Vectors (N, D), kinds (N,) and rows (N,) of one batch: its views, and a negative for each frame."""
        images, drawn, _ = self._batches.of(read, SAMPLE_STEP + number)
        views = self._method.embed(images).float()
        own, others = drawn[:, 0], drawn[:, 1]
        count = views.shape[1]
        vectors = torch.cat([*views.unbind(1), self._method.bank.of(others)])
        kinds = torch.arange(count + 1).repeat_interleave(len(own))
        directions = torch.nn.functional.normalize(vectors, dim=1)
        return directions.cpu(), kinds, torch.cat([own.repeat(count), others]).cpu()


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
        method: videomae.VideoMae,
        folder: Path,
        reporter: Reporter,
    ) -> None:
        """Read the clips; `folder`: for the pictures."""
        self._method, self._folder, self._reporter = method, folder, reporter
        result = batches.of(feed(SAMPLE_STEP), SAMPLE_STEP)
        self._clips, self._masked = method.unpack(result.images[:CLIPS])

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


def picture(pixels: Tensor, masked: Tensor, predicted: Tensor, method: videomae.VideoMae) -> NDArray[np.uint8]:
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
    with writing(path, is_run=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        with outputs.written_beside(path) as beside:
            beside.write_bytes(encoded.tobytes())


def _tiled(rows: Tensor) -> NDArray[np.uint8]:
    """(R, T, 3, S, S) in [0, 1] -> one picture, a row each, with gaps of `GAP_PX`."""
    count, columns, _, side, _ = rows.shape
    step = side + GAP_PX
    result = np.full((count * step - GAP_PX, columns * step - GAP_PX, 3), 255, np.uint8)
    frames = (rows * 255).round().byte().permute(0, 1, 3, 4, 2).cpu().numpy()
    for row in range(count):
        for column in range(columns):
            result[row * step : row * step + side, column * step : column * step + side] = frames[row, column]
    return result
