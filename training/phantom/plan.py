"""Where a patient's lesions sit: so that the wanted share of frames shows them, if possible at more than one visit."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from training.phantom.camera import Lens, pose_at, trace, wall_radius
from training.phantom.lesions import KINDS, Lesion, draw_morphology, draw_pits, draw_size
from training.phantom.motion import Motion, Series, make_motion, make_steps
from training.phantom.patient import (
    Anatomy,
    Patient,
    PhantomConfig,
    in_this_pass,
    make_anatomy,
    make_patient,
    patient_random,
)
from training.phantom.sheet import Sheet

_CELLS = 24
_FRAMES_PER_LESION = 9.0
_MOST_LESIONS = 250
_MOST_TRIALS = 1500


@dataclass(frozen=True)
class Plan:
    """Everything about a study that is settled before its first frame is drawn."""

    config: PhantomConfig
    patient: Patient
    anatomy: Anatomy
    motion: Motion
    lesions: tuple[Lesion, ...]
    sheet_seed: int


def make_plan(config: PhantomConfig) -> Plan:
    """Draw patient, tube and motion, and place the lesions with all passes in view."""
    patient, anatomy = make_patient(config), make_anatomy(config)
    sheet_seed = int(patient_random(config, "sheet").integers(2**31))
    lesions = _place_lesions(replace(config, pass_index=0), sheet_seed)
    motion = make_motion(config, anatomy, patient.fluid_share)
    return Plan(config, in_this_pass(patient, config), anatomy, motion, lesions, sheet_seed)


@lru_cache(maxsize=2)  # the passes of a patient come after each other
def _place_lesions(config: PhantomConfig, sheet_seed: int) -> tuple[Lesion, ...]:
    """Take candidates until the wanted number of steps is reached."""
    wanted = config.positive_share * config.steps * config.passes
    if wanted <= 0:
        return ()
    patient, anatomy = make_patient(config), make_anatomy(config)
    motions = [
        make_steps(replace(config, pass_index=index), anatomy, patient.fluid_share) for index in range(config.passes)
    ]
    # Steps that one lesion should be seen in: few lesions in a short study, but one of each kind in a long one.
    most = float(np.clip(wanted / len(KINDS), 3.0, _FRAMES_PER_LESION * max(1.0, wanted / 600)))
    visits = 1 + 2 * config.turns  # of a place at most, besides slipping back
    most *= visits / 3
    scout = _Scout(config, patient, anatomy, motions, sheet_seed)
    rng = patient_random(config, "lesions")
    every_kind = ("polyp",) if config.alike else KINDS
    lesions: list[Lesion] = []
    kinds: list[str] = []
    shown = 0.0
    for _ in range(_MOST_TRIALS):
        left = max(wanted - shown, 3.0)
        if shown >= wanted * 0.93 or len(lesions) == _MOST_LESIONS:
            break
        kinds = kinds or [str(kind) for kind in rng.permutation(every_kind)]  # kinds take turns
        aim = min(left, most)
        candidate = _candidate(rng, kinds[-1], anatomy, motions, aim, visits)
        if any(abs(candidate.depth - other.depth) < 0.7 for other in lesions):
            continue
        placed, frames = scout.best_angle(candidate, aim)
        if 1 <= frames <= left * 1.25:
            placed = replace(placed, lesion_id=f"{config.patient_id}-L{len(lesions) + 1}")
            if config.alike:  # with the colours that all of the patient have, and with pits of its own
                colours = int(patient_random(config, "alike").integers(2**31))
                pits = draw_pits(patient_random(config, "pits", len(lesions)))
                placed = replace(placed, colours_seed=colours, pits=pits)
            lesions.append(placed)
            shown += frames
            kinds.pop()
    return tuple(lesions)


def _candidate(
    rng: np.random.Generator, kind: str, anatomy: Anatomy, motions: list[Motion], aim: float, visits: int
) -> Lesion:
    """A lesion of this kind at the most promising of a handful of random places."""
    depths = rng.uniform(anatomy.borders[0] + 1.5, anatomy.borders[3] - 1.0, 12)
    depth = max(depths, key=lambda place: _promise(place, motions, aim, visits))
    return Lesion(
        lesion_id="",
        kind=kind,
        size_mm=draw_size(rng, kind),
        morphology=draw_morphology(rng, kind),
        depth=float(depth),
        angle=float(rng.uniform(0, 2 * np.pi)),
        looks_seed=int(rng.integers(2**31)),
    )


def _promise(depth: float, motions: list[Motion], aim: float, most_visits: int) -> float:
    """How good a place is: passed in about twice the frames aimed at, and visited again up to `most_visits` times."""
    score = 0.0
    for motion in motions:
        near = _near(depth, motion.depth)
        frames = max(1, int(near.sum()))
        visits = int((np.diff(near.astype(np.int8)) == 1).sum())
        score += min(visits, most_visits) * 0.7 - abs(np.log(frames * len(motions) / (2.0 * aim)))
    return score


def _near(depth: float, depths: Series) -> NDArray[np.bool_]:
    """Frames (N,) bool from which a wall place can be seen at all."""
    ahead = depth - depths
    return (ahead > -0.8) & (ahead < 3.2)


class _Scout:
    """Looks at candidate places through coarse pictures of the bare tube."""

    def __init__(
        self, config: PhantomConfig, patient: Patient, anatomy: Anatomy, motions: list[Motion], sheet_seed: int
    ) -> None:
        self._anatomy = anatomy
        self._motions = motions
        self._collapse = patient.collapse
        self._rays = Lens(config.size_px, patient.shape, patient.half_view_rad).rays(_CELLS)
        line = (np.arange(_CELLS) + 0.5) / _CELLS * 2 - 1
        self._inside = np.hypot(line[:, None], line[None, :]) < 0.97
        self._sheet = Sheet(patient, anatomy, (), sheet_seed, 48)
        self._area = 0.008 * self._inside.sum()

    def best_angle(self, lesion: Lesion, aim: float) -> tuple[Lesion, float]:
        """The lesion turned around the tube to where it shows in about `aim` frames, and in how many it does."""
        angles = (lesion.angle + np.arange(8) * np.pi / 4) % (2 * np.pi)
        counts = np.zeros((len(self._motions), 8))
        for number, motion in enumerate(self._motions):
            frames = np.flatnonzero(_near(lesion.depth, motion.depth))
            if frames.size > 12 * aim + 40:
                return lesion, np.inf
            for frame in frames:
                counts[number] += self._shows(motion, int(frame), lesion, angles)
        total = np.where(counts.min(axis=0) > 0, counts.sum(axis=0), 0)  # every pass has to see it
        off = np.where(total > 0, np.abs(np.log(np.maximum(total, 1) / aim)), np.inf)
        best = int(np.argmin(off))
        return replace(lesion, angle=float(angles[best])), float(total[best])

    def _shows(self, motion: Motion, frame: int, lesion: Lesion, angles: Series) -> NDArray[np.bool_]:
        """For each angle whether the lesion there would be large enough in this frame, (8,) bool."""
        pose = pose_at(motion, self._anatomy, frame)
        window = self._sheet.window(pose.depth)
        wall, start = wall_radius(motion, self._anatomy, frame, window, self._sheet.rows_per_unit, self._collapse)
        hits = trace(self._rays, pose, wall, start, self._sheet.rows_per_unit)
        z = hits.row / self._sheet.rows_per_unit + start + pose.depth
        angle = hits.column * (2 * np.pi / self._sheet.columns)
        radius = self._anatomy.radius(np.array([lesion.depth]))[0]
        half = lesion.size_mm / 24.0
        around = (angle[..., None] - angles + np.pi) % (2 * np.pi) - np.pi
        inside = np.hypot(around * radius, (z - lesion.depth)[..., None]) < half
        visible = inside & (self._inside & (hits.distance < 1.9 * radius))[..., None]
        return np.asarray(visible.sum(axis=(0, 1)) >= self._area)
