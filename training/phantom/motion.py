"""How the capsule moves: it rests, drifts, is pushed on, slips back, and tumbles all the while."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from training.phantom.patient import Anatomy, PhantomConfig, pass_random

Series = NDArray[np.float64]

_GAITS = (  # probability, shortest and longest duration in steps, slowest and fastest speed (relative)
    (0.34, 8, 60, 0.0, 0.05),  # rests
    (0.30, 8, 50, 0.3, 1.2),  # drifts
    (0.21, 3, 10, 4.0, 10.0),  # is pushed on
    (0.15, 3, 8, -7.0, -3.0),  # slips back
)


_STRETCHES = 6
"""Stretches of a region that are passed in times of their own, with `places`."""

_PACE = 1.5
"""Standard deviation of the logarithm of the time that a region takes in a pass, with `places`."""

_REST_FRAMES = (20, 200)
"""Shortest and longest stretch without any motion, in steps."""


@dataclass(frozen=True)
class Motion:
    """One value a frame, all (N,) float64; lengths in units, angles in radians."""

    depth: Series
    speed: Series  # units per frame, signed
    offset_x: Series  # where the capsule lies across the tube, as a share of its radius
    offset_y: Series
    yaw: Series
    pitch: Series
    roll: Series
    bend_x: Series  # curvature of the tube ahead
    bend_y: Series
    squeeze: Series  # 0..1, how far the tube is closed ahead
    squeeze_ahead: Series  # how far ahead of the capsule
    flutter: Series  # phase of the small waves in the wall
    fluid: Series  # 0..1, how high the fluid stands
    gravity: Series  # angle of "down" across the tube


def make_motion(config: PhantomConfig, anatomy: Anatomy, fluid_share: float) -> Motion:
    """Draw the motion of one pass, a value a frame."""
    motion = make_steps(config, anatomy, fluid_share)
    return motion if config.steps == config.frames else _stretched(motion, config.frames)


def make_steps(config: PhantomConfig, anatomy: Anatomy, fluid_share: float) -> Motion:
    """Draw the motion of one pass, a value a step; see `PhantomConfig.steps`."""
    if not config.rest_share:
        return _moving(config, config.steps, anatomy, fluid_share)
    moving = max(2, round(config.steps * (1 - config.rest_share)))
    return _with_rests(_moving(config, moving, anatomy, fluid_share), config)


def _stretched(motion: Motion, frames: int) -> Motion:
    """The same motion in another number of frames."""
    steps = len(motion.depth)
    places, known = np.linspace(0, steps - 1, frames), np.arange(steps)
    result = Motion(**{name: np.interp(places, known, series) for name, series in vars(motion).items()})
    return replace(result, speed=result.speed * (steps / frames))


def _with_rests(motion: Motion, config: PhantomConfig) -> Motion:
    """The same motion, held for stretches of steps until it is as long as the study."""
    rng = pass_random(config, "rests")
    left, lengths = config.steps - len(motion.depth), np.ones(len(motion.depth), dtype=np.int64)
    while left > 0:
        held = min(left, int(rng.integers(*_REST_FRAMES)))
        lengths[rng.integers(len(lengths))] += held
        left -= held
    held_at = np.repeat(np.arange(len(lengths)), lengths)
    result = Motion(**{name: series[held_at] for name, series in vars(motion).items()})
    result.speed[1:][np.diff(held_at) == 0] = 0.0
    return result


def _moving(config: PhantomConfig, steps: int, anatomy: Anatomy, fluid_share: float) -> Motion:
    rng = pass_random(config, "motion")
    depth = _depths(rng, config, steps, anatomy)
    turned, wide = _held(config)
    speed = np.gradient(depth)
    activity = np.cumsum(0.03 + np.minimum(np.abs(speed), 0.5) * 1.3)  # the capsule tumbles most while it is moved
    time = np.arange(steps)
    slow = time * 0.02 + depth * 0.35
    # What to add so that about that share of it is positive (a line through the normal's quantiles).
    threshold = float(np.interp(fluid_share, [0.0, 0.05, 0.16, 0.31, 0.5], [-9.0, -2.0, -1.2, -0.6, 0.0]))
    return Motion(
        depth=depth,
        speed=speed,
        offset_x=np.clip(wide * _wander(rng, activity * 0.8), -0.42, 0.42),
        offset_y=np.clip(wide * _wander(rng, activity * 0.8), -0.42, 0.42),
        yaw=np.clip(0.6 * _wander(rng, activity), -1.25, 1.25),
        pitch=np.clip(0.6 * _wander(rng, activity), -1.25, 1.25),
        roll=turned + 1.6 * _wander(rng, activity * 0.4),
        bend_x=0.2 * _wander(rng, depth * 0.5 + time * 0.01),
        bend_y=0.2 * _wander(rng, depth * 0.5 + time * 0.01),
        squeeze=np.clip(0.65 * _wander(rng, time * 0.11 + depth) + 0.05, 0, 0.9),
        squeeze_ahead=1.6 + 0.5 * _wander(rng, time * 0.07 + depth),
        flutter=np.cumsum(0.25 + np.abs(speed)),
        fluid=np.clip((_wander(rng, slow) + threshold) * 0.8, 0, 1),
        gravity=np.pi * _wander(rng, slow * 0.2),
    )


def _held(config: PhantomConfig) -> tuple[float, float]:
    """How the capsule is turned about its axis (rad) and how far it strays from the middle, of one pass."""
    if not config.places:
        return 0.0, 0.26
    rng = pass_random(config, "held")
    return float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0.15, 0.32))


def _depths(rng: np.random.Generator, config: PhantomConfig, frames: int, anatomy: Anatomy) -> Series:
    """Depth (N,): each region is passed in its share of the frames; nothing slips back through pylorus or valve."""
    shares = np.array(anatomy.frame_shares) * rng.uniform(0.9, 1.1, 3)
    if config.places:
        shares *= np.exp(pass_random(config, "pace").normal(0, _PACE, 3))
        shares /= shares.sum()
    counts = np.maximum(1, np.round(shares * frames).astype(int))
    counts[1] = max(1, frames - counts[0] - counts[2])
    parts = []
    for region, count in enumerate(counts):
        start, stop = anatomy.borders[region] + 0.3, anatomy.borders[region + 1] - 0.05
        walked = np.cumsum(_speeds(rng, int(count)))
        walked -= walked[0]
        longest = max(walked.max(), 1e-6)
        if config.places:
            walked = longest * _to_and_fro(pass_random(config, "ways", region), walked / longest, config.turns)
        parts.append(np.clip(start + walked * (stop - start) / longest, start, stop))
    return np.concatenate(parts)[:frames]


def _to_and_fro(rng: np.random.Generator, passed: Series, turns: int) -> Series:
    """Shares of a region's length (N,) on a way that turns back and passes some stretches sooner than others.

    Args:
        passed: shares of the way, from 0 to about 1.
        turns: how often it turns back.
    """
    ends = [0.0]
    for _ in range(turns):
        ends.append(rng.uniform(max(0.4, ends[-1] + 0.25), 0.9))
        ends.append(rng.uniform(0.05, ends[-1] - 0.25))
    ends.append(1.0)
    ways = np.append(0, np.cumsum(np.abs(np.diff(ends))))
    haste = np.cumsum(np.append(0, np.exp(rng.normal(0, 0.7, _STRETCHES))))
    way = np.interp(passed, haste / haste[-1], np.linspace(0, ways[-1], _STRETCHES + 1))
    return np.asarray(np.interp(way, ways, ends), np.float64)


def _speeds(rng: np.random.Generator, count: int) -> Series:
    """Relative speeds (count,) made of gaits, smoothed over three frames."""
    scale = float(np.clip(count / 500, 0.12, 1.0))  # short studies get short gaits, so that they still have several
    speeds = np.zeros(0)
    while speeds.size < count + 2:
        _, shortest, longest, slowest, fastest = _GAITS[rng.choice(len(_GAITS), p=[gait[0] for gait in _GAITS])]
        duration = max(1, int(rng.uniform(shortest, longest) * scale))
        piece = np.full(duration, rng.uniform(slowest, fastest)) + rng.normal(0, 0.02, duration)
        speeds = np.concatenate([speeds, piece, -piece * rng.uniform(0.8, 1.3)] if slowest < 0 else [speeds, piece])
    smoothed = np.convolve(speeds, np.ones(3) / 3, mode="same")[:count] + 0.02
    return smoothed if smoothed.sum() > 0.1 * count else smoothed + 0.2


def _wander(rng: np.random.Generator, clock: Series) -> Series:
    """Smooth noise (N,) of about unit variance that takes a new direction whenever `clock` gains one."""
    position = clock - clock.min()
    knots = rng.normal(0, 1, int(position.max()) + 3)
    left = position.astype(int)
    share = position - left
    share = share * share * (3 - 2 * share)
    return np.asarray((knots[left] * (1 - share) + knots[left + 1] * share) * 1.2)
