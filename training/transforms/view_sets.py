"""The sets of transforms from which views are drawn: T_p, T_d and T_win (Vats et al. 2022 leave them open; ours)."""

from training.transforms.augment import Augmentation

T_P = Augmentation(rotations="free", flips=True, zoom=0.0, brightness=0.2, saturation=0.15, white_balance=0.05)
"""For the prior view and the tiles that overlap it. A capsule has no upright, so turns and mirrors are free; the square
was chosen for its colour, so colour is only nudged, and it is not zoomed, so that the reddest pixel stays in it."""

T_D = Augmentation(
    rotations="free",
    flips=True,
    zoom=0.1,
    brightness=0.4,
    saturation=0.4,
    white_balance=0.1,
    contrast=0.4,
    hue=0.1,
    grey=0.2,
)
"""For the other tiles: the strengths of SimCLR and PIRL, which change colour much. What surrounds the prior is to be
recognised whatever its colour."""

T_WIN = Augmentation(rotations="free", flips=True, zoom=0.1, brightness=0.2, saturation=0.15, white_balance=0.05)
"""For the WIN view: colours as in T_p, so that a negative differs from the prior view by what it lacks, not by tint."""
