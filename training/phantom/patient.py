"""A made-up patient and capsule: what stays the same through a recording and differs between recordings.

What a synthetic study is made from: a few numbers from which every byte of its frames follows.

The tube: how long its regions are and how wide it is where.
"""

import zlib
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError

FRAMES_PER_SECOND = 2
"""Usual rate: capsules record 2 to 6 frames a second. At 2, 3,000 frames are 25 minutes, 50,000 seven hours."""

CLASSES = ("normal", "polyp", "angiectasia", "ulcer", "blood")
"""Labels that a frame can carry; the first one excludes the others."""

REGIONS = ("stomach", "small bowel", "colon")
"""Regions in the order in which the capsule passes them."""


@dataclass(frozen=True)
class PhantomConfig:
    """One pass of a capsule through one made-up patient.

    Args:
        frames: number of frames, at least 2.
        seed: non-negative; studies of one data set share it.
        size_px: width and height of the frames, even, 48 to 1024.
        patient: number of the patient within the data set; decides looks, anatomy and lesions.
        passes: how many passes (1 or 2) the lesions were placed for; both passes of a patient need the same value.
        pass_index: which pass this is, from 0; another pass has other motion and fluids, the same tube and lesions.
        positive_share: wanted share of frames that show a lesion clearly, in [0, 0.5]. Approximate: at least one is
            placed unless it is 0, so very short studies have more. 1 % is what polyp studies have.
        rest_share: share of the frames, in [0, 0.9], in which the capsule lies still and only noise and clock change.
        frames_per_second: of the video, 1 to 60. More frames a second show the same motion in smaller steps, so that a
            lesion stays in view for more frames.
        speed: of the capsule, 0.1 to 2; 1 is the usual one. Short studies of a slow capsule have a shorter tube.
        alike: all lesions are polyps of the same colour; surface, outline, size and form distinguish them.
        places: places of the wall differ in vessels, folds and texture and hardly in colour; the passes of a patient
            differ in speed, rotation, distance, light and in what sticks to the wall. Without, fine texture repeats
            along the tube, and colours and time show the place.
        turns: with `places`: how often the capsule turns back in each region, 1 to 9. Places are passed again, some
            of them late; lesions lie where that happens, and each is in view for more frames.

    Raises:
        UserError: a value is out of its range.
    """

    frames: int = 3000
    seed: int = 0
    size_px: int = 256
    patient: int = 0
    passes: int = 1
    pass_index: int = 0
    positive_share: float = 0.01
    rest_share: float = 0.0
    frames_per_second: int = FRAMES_PER_SECOND
    speed: float = 1.0
    alike: bool = False
    places: bool = False
    turns: int = 1

    def __post_init__(self) -> None:
        """Refuse values that cannot be rendered."""
        if self.frames < 2:
            raise UserError(
                f"A phantom study of {self.frames} frames cannot be rendered.", "Ask for at least 2 frames."
            )
        if not 48 <= self.size_px <= 1024 or self.size_px % 2:
            raise UserError(
                f"Phantom frames of {self.size_px} px cannot be rendered.", "Choose an even size from 48 to 1024."
            )
        if self.seed < 0 or self.patient < 0:
            raise UserError(
                f"Seed {self.seed} and patient {self.patient} must not be negative.", "Use numbers from 0 on."
            )
        if self.passes not in (1, 2) or not 0 <= self.pass_index < self.passes:
            raise UserError(f"Pass {self.pass_index} of {self.passes} does not exist.", "A patient has 1 or 2 passes.")
        if not 0.0 <= self.positive_share <= 0.5:
            raise UserError(f"A positive share of {self.positive_share} is out of range.", "Choose from 0 to 0.5.")
        if not 0.0 <= self.rest_share <= 0.9:
            raise UserError(f"A share of rest of {self.rest_share} is out of range.", "Choose from 0 to 0.9.")
        if not 1 <= self.frames_per_second <= 60:
            raise UserError(f"{self.frames_per_second} frames a second are out of range.", "Choose from 1 to 60.")
        if not 0.1 <= self.speed <= 2.0:
            raise UserError(f"A speed of {self.speed} is out of range.", "Choose from 0.1 to 2.")
        if not 1 <= self.turns <= 9:
            raise UserError(f"A capsule that turns back {self.turns} times is out of range.", "Choose from 1 to 9.")

    @property
    def steps(self) -> int:
        """Steps of the motion, on which lesions are planned too: as many as frames at the usual rate and speed."""
        return max(2, round(self.frames * self.speed * FRAMES_PER_SECOND / self.frames_per_second))

    @property
    def patient_id(self) -> str:
        """ "P03" for the third patient (counted from 1)."""
        return f"P{self.patient + 1:02d}"

    @property
    def study_id(self) -> str:
        """The patient's id, with a letter for the pass where there are two."""
        return self.patient_id + ("ab"[self.pass_index] if self.passes > 1 else "")


def patient_random(config: PhantomConfig, purpose: str, number: int = 0) -> np.random.Generator:
    """Random numbers that only seed, patient, purpose and a number decide: the same for all passes of the patient."""
    return np.random.default_rng([config.seed, config.patient, zlib.crc32(purpose.encode()), number])


def pass_random(config: PhantomConfig, purpose: str, number: int = 0) -> np.random.Generator:
    """Random numbers that differ from pass to pass of one patient."""
    return np.random.default_rng(
        [config.seed, config.patient, zlib.crc32(purpose.encode()), number, config.pass_index + 1]
    )


MM_PER_UNIT = 12.0
"""One unit of length is the radius of the small bowel, about 12 mm."""

_RADII = (2.0, 1.0, 1.55)
_MINIMUM_LENGTHS = (6.0, 14.0, 10.0)
_FRAME_SHARES = (0.12, 0.66, 0.22)
_UNITS_PER_STEP = 0.035


@dataclass(frozen=True)
class Anatomy:
    """Depths are measured along the tube from its beginning in the stomach, in units of `MM_PER_UNIT`."""

    borders: tuple[float, float, float, float]
    """Where stomach, small bowel and colon begin, and where the colon ends."""
    frame_shares: tuple[float, float, float]
    """Share of the frames that each region takes."""

    def region_at(self, depth: float) -> int:
        """Index into `REGIONS` for a depth; depths outside belong to the nearest region."""
        return int(np.clip(np.searchsorted(self.borders[1:3], depth, side="right"), 0, 2))

    def radius(self, depth: NDArray[np.float64]) -> NDArray[np.float64]:
        """Radius (N,) at depths (N,): wide stomach, narrow bowel, colon; tight at pylorus and ileocaecal valve."""
        pylorus, valve = self.borders[1], self.borders[2]
        step = _RADII[0] + (_RADII[1] - _RADII[0]) * _smooth(depth - pylorus, 1.2)
        step = step + (_RADII[2] - _RADII[1]) * _smooth(depth - valve, 1.2)
        for border in (pylorus, valve):
            step = step * (1 - 0.45 * np.exp(-(((depth - border) / 0.45) ** 2)))
        return step


def make_anatomy(config: PhantomConfig) -> Anatomy:
    """Draw the patient's anatomy; long studies have long tubes, so that a capsule moves about as fast as real ones."""
    rng = patient_random(config, "anatomy")
    shares = np.array(_FRAME_SHARES) * rng.uniform(0.8, 1.2, len(REGIONS))
    shares /= shares.sum()
    shortest = np.array(_MINIMUM_LENGTHS) * min(1.0, config.speed)
    lengths = np.maximum(shortest, shares * config.steps * _UNITS_PER_STEP)
    borders = np.concatenate([[0.0], np.cumsum(lengths)])
    return Anatomy(
        (float(borders[0]), float(borders[1]), float(borders[2]), float(borders[3])),
        (float(shares[0]), float(shares[1]), float(shares[2])),
    )


def _smooth(distance: NDArray[np.float64], width: float) -> NDArray[np.float64]:
    return 0.5 + 0.5 * np.tanh(distance / width * 2)


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
    places: bool = False  # see `PhantomConfig`
    stains: str = ""  # ends the names of the noise of what sticks to the wall


def make_patient(config: PhantomConfig) -> Patient:
    """Draw the patient of a config."""
    rng = patient_random(config, "patient")
    mucosa = (_mix(_STOMACH, rng), _mix(_MUCOSA, rng), _mix(_COLON, rng))
    patient = Patient(
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
    return _of_one_colour(patient, rng) if config.places else patient


def _of_one_colour(patient: Patient, rng: np.random.Generator) -> Patient:
    """The patient with walls that are alike in colour, and that texture distinguishes."""
    return replace(
        patient,
        mucosa=(patient.mucosa[1],) * 3,
        mottling=rng.uniform(0.18, 0.26),
        vessels=rng.uniform(1.6, 2.6),
        redness=0.1,
        white_spots=rng.uniform(0.4, 0.8),
        villi=rng.uniform(0.9, 1.4),
        debris=rng.uniform(0.1, 0.5),
        places=True,
    )


def in_this_pass(patient: Patient, config: PhantomConfig) -> Patient:
    """The patient as one pass shows them: with `places` in another light, and with other things at the wall."""
    if not config.places:
        return patient
    rng = pass_random(config, "light")
    return replace(
        patient,
        exposure=patient.exposure * rng.uniform(0.7, 1.25),
        contrast=patient.contrast * rng.uniform(0.8, 1.25),
        bluish=patient.bluish * rng.uniform(0.85, 1.15),
        wetness=rng.uniform(0.4, 1.0),
        murkiness=rng.uniform(0.0, 1.0),
        collapse=patient.collapse * rng.uniform(0.6, 1.2),
        stains=f" {config.pass_index}",
    )


def _mix(palette: tuple[Colour, ...], rng: np.random.Generator) -> Colour:
    """A random colour between two of the palette, a little off both."""
    first, second = rng.choice(len(palette), 2, replace=False)
    share = rng.uniform(0.0, 1.0)
    mixed = share * np.array(palette[first]) + (1 - share) * np.array(palette[second]) + rng.normal(0, 4, 3)
    red, green, blue = np.clip(mixed, 10, 245)
    return float(red), float(green), float(blue)
