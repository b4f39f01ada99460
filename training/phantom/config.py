"""What a synthetic study is made from: a few numbers from which every byte of its frames follows."""

import zlib
from dataclasses import dataclass

import numpy as np

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
