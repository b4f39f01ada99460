"""PGCon, prior guided contrast: the reddest part of a frame and its jigsaw are positives (Vats et al. 2022).

Eq. 1 to 4: `alpha * InfoNCE(z_p, R_i) + beta * InfoNCE(z_p, z_d)`, k negatives for each term from the memory bank R,
tau 0.07, alpha = beta = 0.5. The bank remembers f_theta(v_p), that is z_p. z_p is the anchor of both terms: the paper
draws the negatives from the product of the marginals p(z_p) and p(R_j).

WINCon, within-instance negatives: PGCon that also pushes away what is left of frames without their prior view.

Vats et al. 2022, eq. 5 to 7: z_win of every frame of the batch is appended to the negatives of both terms.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pydantic import Field

from training.methods.bank_method import BankMethod, BankSettings, Views

if TYPE_CHECKING:
    import torch
    from torch import Tensor

    from training.datasets.sequence_feed import SequenceBatch
    from training.losses.terms import BankContrast
    from training.transforms.bank_views import PriorViews

SAME = ("prior_size", "tile_size", "tile_crop", "rim_share", "least_redness")
"""Settings of the same name as in `PriorViews`."""


class PgConSettings(BankSettings):
    """Position and augmentation of the prior view."""

    prior_share: float | None = Field(
        None, gt=0, le=1, description="Side of the prior view as a share of the frame's; empty: by the frame size."
    )
    rim_share: float = Field(
        0.02, ge=0, lt=0.5, description="Border of the field of view to ignore, as a share of the side."
    )
    least_redness: float = Field(
        1.0, ge=-128, le=127, description="Lowest a* that counts as red; without any, the middle of the frame is used."
    )
    prior_colour: float = Field(
        1.0, ge=0, le=2, description="Strength of the colour augmentation of the prior view (T_p)."
    )


class PgCon(BankMethod):
    """z_p of the prior view, z_d of nine tiles in random order, and the memory of every frame's z_p."""

    name = "pgcon"
    title = "Redness (PGCon, Vats et al.)"
    sentence = "The reddest part of a frame and its jigsaw are positives (Vats 2022)."
    settings: PgConSettings
    settings_class: type[PgConSettings] = PgConSettings

    def prepare(self) -> None:
        """Make the transform of the views."""
        super().prepare()
        self.views_of = self.make_views()

    def make_views(self) -> "PriorViews":
        """The transform that makes prior view and tiles."""
        from training.transforms.bank_views import PriorViews
        from training.transforms.view_batch import T_D, T_P

        settings = self.settings
        return PriorViews(
            **{name: getattr(settings, name) for name in SAME},
            win=False,
            prior_transform=settings.scaled(T_P, settings.prior_colour),
            distorted_transform=settings.scaled(T_D, settings.distorted_colour),
        )

    def show(self, read: "SequenceBatch", generator: "torch.Generator") -> Views:
        """Prior view and tiles, and the WIN view if there is one."""
        shares = prior_shares(read.sides_px, self.settings.prior_share)
        views = self.views_of(read.frames, read.is_round, generator, shares=shares)
        return Views((views.prior, views.tiles, views.win)[: len(self.layout)], views.found)

    def contrast(self, vectors: "Tensor", memory: "Tensor", negatives: "tuple[Tensor, Tensor]") -> "BankContrast":
        """The loss of (B, 2, D), or of (B, 3, D) with z_win."""
        from training.losses.info_nce import prior_contrast

        z_p, z_d, *z_win = vectors.unbind(1)
        return prior_contrast(
            z_p,
            z_d,
            memory,
            negatives,
            z_win=z_win[0] if z_win else None,
            temperature=self.settings.temperature,
            alpha=self.settings.memory_weight,
            beta=self.settings.view_weight,
        )


def prior_shares(sides_px: "Tensor", share: float | None) -> "Tensor":
    """(B,) float: side of each prior view as a share of the square around the field of view, which is read.

    The paper gives the side by frame size: 150 px at 576 px, which is 150 / 512 of a square of 512 px. A share above
    one selects the whole square.

    Args:
        sides_px: (B, 2) int64, see `SequenceBatch`.
        share: share for all frames; None: by the frame size, see `prior_share`.
    """
    import torch

    from training.transforms.prior_view import prior_share

    sides = [(frame, square) for frame, square in sides_px.tolist()]
    shares = {(frame, square): share or prior_share(frame) * frame / square for frame, square in set(sides)}
    return torch.tensor([shares[each] for each in sides])


if TYPE_CHECKING:
    from training.transforms.bank_views import PriorViews


class WinConSettings(PgConSettings):
    """Settings of PGCon, and of the WIN view."""

    win_size: int = Field(120, ge=32, le=1024, description="Side in px of the frame without its prior view.")
    win_colour: float = Field(
        1.0, ge=0, le=2, description="Strength of the colour augmentation of the WIN view (T_win)."
    )


class WinCon(PgCon):
    """z_p, z_d and z_win; z_win goes through the encoder of z_p, f_theta, as in the paper."""

    name = "wincon"
    title = "Redness, less the rest (WINCon, Vats et al.)"
    sentence = "As pgcon, with frames without that part as negatives (Vats 2022)."
    settings: WinConSettings
    settings_class = WinConSettings
    presets: Mapping[str, Mapping[str, Any]] = {
        "small": {**BankMethod.presets["small"], "win_size": 96},
        "smoke": {**BankMethod.presets["smoke"], "win_size": 48},
    }
    view_names: Mapping[str, str] = {**BankMethod.view_names, "win": "without the prior view"}
    relative_cost = 2.6

    @staticmethod
    def shapes(settings: BankSettings) -> tuple[tuple[int, ...], ...]:
        """Those of PGCon and the WIN view."""
        assert isinstance(settings, WinConSettings)
        return *PgCon.shapes(settings), (3, settings.win_size, settings.win_size)

    def make_views(self) -> "PriorViews":
        """With the WIN view."""
        from training.transforms.view_batch import T_WIN

        transform = self.settings.scaled(T_WIN, self.settings.win_colour)
        return replace(super().make_views(), win=True, win_size=self.settings.win_size, win_transform=transform)

    @property
    def negatives_of_batch(self) -> int:
        """z_win of each frame."""
        return self.settings.batch_frames
