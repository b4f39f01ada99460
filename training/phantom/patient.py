"""A made-up patient and capsule: what stays the same through a recording and differs between recordings."""

from dataclasses import dataclass

import numpy as np

from training.phantom.config import PhantomConfig, patient_random

Colour = tuple[float, float, float]

_MUCOSA: tuple[Colour, ...] = (  # lit mucosa, RGB 0..255, as it varies between real recordings
    (206, 166, 128),
    (218, 156, 98),
    (200, 158, 84),
    (222, 146, 122),
    (190, 138, 132),
    (214, 168, 142),
)
_STOMACH: tuple[Colour, ...] = ((220, 128, 84), (214, 138, 112), (206, 142, 88), (224, 150, 118))
_COLON: tuple[Colour, ...] = ((212, 158, 128), (200, 146, 86), (220, 168, 120), (206, 134, 116))
_FLUID: tuple[Colour, ...] = ((150, 130, 30), (120, 120, 36), (170, 120, 36), (132, 96, 32))


@dataclass(frozen=True)
class Patient:
    """Looks of one patient through one capsule; lengths in tube radii of the small bowel, colours RGB 0..255."""

    mucosa: tuple[Colour, Colour, Colour]  # stomach, small bowel, colon
    fluid: Colour
    fold_spacing: float
    fold_height: float
    villi: float  # strength of the fine relief, 0..1
    mottling: float  # strength of colour variation
    vessels: float
    redness: float  # harmless red patches
    white_spots: float  # harmless lymph follicles and lipid: pale dots
    debris: float
    fluid_share: float
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
        villi=rng.uniform(0.35, 1.0),
        mottling=rng.uniform(0.04, 0.12),
        vessels=rng.uniform(0.0, 1.0),
        redness=rng.uniform(0.0, 0.8),
        white_spots=float(rng.uniform() < 0.4) * rng.uniform(0.3, 1.0),
        debris=rng.uniform(0.1, 1.0),
        fluid_share=rng.uniform(0.08, 0.3),
        bubbles_per_unit=rng.uniform(0.03, 0.14),
        wetness=rng.uniform(0.4, 1.0),
        shape="octagon" if rng.uniform() < 0.3 else "circle",
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
