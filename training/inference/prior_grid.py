"""What a prior-guided pretraining finds alike to a frame's prior view, in squares of the size that it learned from.

PGCon and WINCon (Vats et al. 2022) learn from a square around the reddest pixel, z_p, and never see a whole frame as
their anchor: Score-CAM of a whole frame asks them for something that they were not trained on. Here windows of the
prior view's size are laid over the frame in a grid, shown at the prior view's size, and compared with z_p as the loss
does, by the cosine of the projections. Ours: the paper shows Score-CAM alone, and does not say of which target.
"""

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from training.compute.plan import ComputePlan
from training.datasets.sequence_reader import study_sides
from training.errors import UserError
from training.inference.explained_model import ExplainedModel
from training.inference.explanation import LEAST_PX
from training.methods.pgcon import PgConSettings, prior_shares
from training.pretraining.pretrained import Pretrained
from training.pretraining.start import load_pretrainer
from training.runs.reporter import Reporter, SilentReporter
from training.transforms.prior_view import prior_squares
from training.video import FieldOfView, prepare_frame

GRID = 14
"""Windows in a row: half a window or less apart, for the paper's sizes."""


def prior_grid_of(model: ExplainedModel) -> "PriorGrid":
    """The grid of a model that was opened from a pretraining's run; raises `UserError` for any other."""
    if model.pretrained is None:
        raise UserError(
            "{model_id} is no pretraining, so it has no prior view.",
            "prior-grid explains pretrainings with pgcon and wincon.",
            model.model_id,
        )
    return PriorGrid(model.pretrained, model.plan)


class PriorGrid:
    """A pretraining of `pgcon` or `wincon` with its projection head."""

    def __init__(self, pretrained: Pretrained, plan: ComputePlan, grid: int = GRID) -> None:
        """Load the network.

        Args:
            pretrained: weights of a step.
            plan: device and batch.
            grid: windows in a row.

        Raises:
            UserError: another method, or damaged weights.
        """
        if not isinstance(pretrained.config, PgConSettings):
            raise UserError(
                "{model_id} is a pretraining with {method}, which has no prior view.",
                "prior-grid explains pretrainings with pgcon and wincon.",
                pretrained.model_id,
                pretrained.config.method,
            )
        self.settings, self.plan, self.grid = pretrained.config, plan, grid
        self._network = load_pretrainer(pretrained).to(plan.device)

    def __call__(
        self,
        prepared: NDArray[np.uint8],
        view: FieldOfView,
        reporter: Reporter | None = None,
    ) -> NDArray[np.float32]:
        """Each window's likeness to z_p, less the mean over the windows.

        Its maximum is at the prior view or beside it, because that is what all windows are compared with: what is left
        to see is how far around it, and where else, the encoder finds the same.

        Args:
            prepared: (S, S, 3) uint8 RGB, S at least `LEAST_PX`.
            view: of the study, in px of its frames: decides the prior view's side.
            reporter: asked for a cancel between batches.

        Returns:
            (grid, grid) over the prepared square: windows centred on its cells, moved inwards at its edges.

        Raises:
            UserError: the frame is too small.
        """
        if len(prepared) < LEAST_PX:
            raise UserError(
                "prior-grid needs frames of at least {least_px} px, not {count}.",
                "Give --input-size {least_px} or more.",
                LEAST_PX,
                len(prepared),
            )
        share = float(prior_shares(torch.tensor([study_sides(view)]), self.settings.prior_share)[0])
        side = min(max(round(share * len(prepared)), 1), len(prepared))  # of the prior view, in px of the frame
        corners = window_corners(len(prepared), side, self.grid)
        windows = [self._shown(prepared, *self._prior(prepared, view, side), side)]
        windows += [self._shown(prepared, x, y, side) for y in corners for x in corners]
        parts = []
        with torch.inference_mode():
            for first in range(0, len(windows), self.plan.batch):
                (reporter or SilentReporter()).check()
                batch = torch.from_numpy(np.stack(windows[first : first + self.plan.batch])).to(self.plan.device)
                images = batch.permute(0, 3, 1, 2).float().sub_(self._network.mean * 255).div_(self._network.std * 255)
                parts.append(torch.nn.functional.normalize(self._network(images).projection, dim=1).cpu())
        vectors = torch.cat(parts).numpy()
        likeness = (vectors[1:] @ vectors[0]).reshape(self.grid, self.grid)
        return np.asarray(likeness - likeness.mean(), np.float32)

    def _prior(self, prepared: NDArray[np.uint8], view: FieldOfView, side: int) -> tuple[int, int]:
        """Upper left corner of the prior view."""
        white = np.full((view.height_px, view.width_px, 3), 255, np.uint8)
        inside = prepare_frame(white, view, len(prepared))[..., 0] >= 128
        squares = prior_squares(
            torch.from_numpy(prepared)[None],
            torch.from_numpy(np.ascontiguousarray(inside))[None],
            torch.tensor([side]),
            rim_px=round(self.settings.rim_share * len(prepared)),
            least_redness=self.settings.least_redness,
        )
        x, y, _, _ = squares.boxes[0].tolist()
        return x, y

    def _shown(self, prepared: NDArray[np.uint8], x: int, y: int, side: int) -> NDArray[np.uint8]:
        """A window at the size at which the pretraining saw prior views."""
        shown = self.settings.prior_size
        method = cv2.INTER_AREA if side > shown else cv2.INTER_LINEAR
        part = prepared[y : y + side, x : x + side]
        return np.asarray(cv2.resize(part, (shown, shown), interpolation=method), np.uint8)


def window_corners(size: int, side: int, grid: int) -> list[int]:
    """First pixel of each of `grid` windows in a row: centred on equal cells, moved inwards at the edges."""
    centres = (np.arange(grid) + 0.5) * size / grid
    corners: list[int] = np.clip(np.round(centres - side / 2), 0, size - side).astype(int).tolist()
    return corners
