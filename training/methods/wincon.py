"""WINCon, within-instance negatives: PGCon that also pushes away what is left of frames without their prior view.

Vats et al. 2022, eq. 5 to 7: z_win of every frame of the batch is appended to the negatives of both terms.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pydantic import Field

from training.methods.bank_method import BankMethod, BankSettings
from training.methods.pgcon import PgCon, PgConSettings

if TYPE_CHECKING:
    from training.transforms.pgcon_views import PriorViews


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
        from training.transforms.view_draws import T_WIN

        transform = self.settings.scaled(T_WIN, self.settings.win_colour)
        return replace(super().make_views(), win=True, win_size=self.settings.win_size, win_transform=transform)

    @property
    def negatives_of_batch(self) -> int:
        """z_win of each frame."""
        return self.settings.batch_frames
