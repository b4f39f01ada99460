"""A made-up patient and capsule: what stays the same through a recording and differs between recordings."""

from dataclasses import dataclass

import numpy as np

from training.phantom.config import PhantomConfig, patient_random

Colour = tuple[float, float, float]

_MUCOSA: tuple[Colour, ...] = (  # lit mucosa, RGB 0..255, as it varies between real recordings
    (224, 182, 138),
    (234, 164, 92),
    (220, 172, 82),
    (236, 152, 122),
    (206, 146, 138),
    (230, 186, 160),
    (240, 176, 116),
)
_STOMACH: tuple[Colour, ...] = ((240, 136, 78), (232, 146, 112), (226, 152, 88), (240, 158, 122))
_COLON: tuple[Colour, ...] = ((232, 176, 140), (222, 164, 92), (238, 186, 130), (226, 150, 124))
_FLUID: tuple[Colour, ...] = ((176, 146, 40), (136, 132, 48), (206, 150, 58), (160, 116, 40), (190, 130, 60))


@dataclass(frozen=True)
class Patient:
    """Looks of one patient through one capsule; lengths in tube radii of the small bowel, colours RGB 0..255."""

    mucosa: tuple[Colour, Colour, Colour]  # stomach, small bowel, colon
    fluid: Colour
    fold_spacing: float
    fold_height: float
    plumpness: float  # folds from thin ridges (0) to pillows (1)
    collapse: float  # how far the tube closes before and behind the capsule
    sag: float  # how far from round the tube is
    villi: float  # strength of the fine relief, 0..1
    mottling: float  # strength of colour variation
    vessels: float
    redness: float  # harmless red patches
    white_spots: float  # harmless lymph follicles and lipid: pale dots
    debris: float
    fluid_share: float
    murkiness: float  # 0 clear .. 1
    bubbles_per_unit: float
    wetness: float
    shape: str  # "circle" or "octagon"
    half_view_rad: float
    exposure: float
    contrast: float  # exponent of the tone curve
    jpeg_quality: int
    noise: float  # standard deviation, grey levels
    bluish: float  # white balance


def make_patient(config: PhantomConfig) -> Patient:
    """Draw the patient of a config."""
    rng = patient_random(config, "patient")
    mucosa = (_mix(_STOMACH, rng), _mix(_MUCOSA, rng), _mix(_COLON, rng))
    return Patient(
        mucosa=mucosa,
        fluid=_mix(_FLUID, rng),
        fold_spacing=rng.uniform(0.45, 0.85),
        fold_height=rng.uniform(0.14, 0.3),
        plumpness=rng.uniform(0.0, 1.0),
        collapse=rng.uniform(0.1, 0.75),
        sag=rng.uniform(0.5, 1.3),
        villi=rng.uniform(0.35, 1.0),
        mottling=rng.uniform(0.04, 0.12),
        vessels=rng.uniform(0.0, 1.0),
        redness=rng.uniform(0.0, 0.8),
        white_spots=float(rng.uniform() < 0.4) * rng.uniform(0.3, 1.0),
        debris=rng.uniform(0.1, 1.0),
        fluid_share=rng.uniform(0.08, 0.3),
        murkiness=rng.uniform(0.0, 1.0),
        bubbles_per_unit=rng.uniform(0.06, 0.35),
        wetness=rng.uniform(0.4, 1.0),
        shape="octagon" if (config.patient + config.seed) % 3 == 2 else "circle",
        half_view_rad=np.deg2rad(rng.uniform(66, 80)),
        exposure=rng.uniform(0.9, 1.15),
        contrast=rng.uniform(0.9, 1.25),
        jpeg_quality=int(rng.integers(55, 88)),
        noise=rng.uniform(0.8, 2.2),
        bluish=rng.uniform(0.92, 1.06),
    )


def _mix(palette: tuple[Colour, ...], rng: np.random.Generator) -> Colour:
    """A random colour between two of the palette, a little off both."""
    first, second = rng.choice(len(palette), 2, replace=False)
    share = rng.uniform(0.0, 1.0)
    mixed = share * np.array(palette[first]) + (1 - share) * np.array(palette[second]) + rng.normal(0, 4, 3)
    red, green, blue = np.clip(mixed, 10, 245)
    return float(red), float(green), float(blue)
