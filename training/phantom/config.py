"""What a synthetic study is made from: a few numbers from which every byte of its frames follows."""

import zlib
from dataclasses import dataclass

import numpy as np

from training.errors import UserError

FRAMES_PER_SECOND = 2
"""Rate of the videos: capsules record 2 to 6 frames a second. At 2, 3,000 frames are 25 minutes, 50,000 seven hours."""

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
