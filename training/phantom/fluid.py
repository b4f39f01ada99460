"""Bile and water that stand in the tube: clear or murky, with a level that gravity sets."""

from dataclasses import dataclass

import cv2
import numpy as np

from training.phantom.motion import Motion
from training.phantom.noise import Field, Image, as_field, as_image
from training.phantom.patient import Patient
from training.phantom.pose import Pose
from training.phantom.trace import Hits


@dataclass(frozen=True)
class Murk:
    """What fluid does to a picture, at the resolution of the rays.

    Attributes:
        through: (cells, cells) float32, share of the wall's light that comes through, in [0, 1].
        glow: (cells, cells) uint8, brightness of the fluid itself.
    """

    through: Field
    glow: Image


def murk(hits: Hits, pose: Pose, motion: Motion, frame: int, radius: float, patient: Patient) -> Murk | None:
    """The fluid of a frame, or None where there is none.

    Light is weakened exponentially over the part of its way that lies below the level (Beer-Lambert).
    """
    amount = float(motion.fluid[frame])
    if amount < 0.02:
        return None
    down_x, down_y = np.cos(motion.gravity[frame]), np.sin(motion.gravity[frame])
    level = radius * (0.95 - 1.3 * amount)
    camera = pose.x * down_x + pose.y * down_y
    fall = (hits.directions[0] * np.float32(down_x) + hits.directions[1] * np.float32(down_y)).reshape(
        hits.distance.shape
    )
    end = fall * hits.distance + np.float32(camera)
    below_end, below_camera = end - np.float32(level), np.float32(camera - level)
    if below_camera > 0:
        share = np.where(below_end > 0, 1.0, below_camera / np.maximum(below_camera - below_end, 1e-3))
    else:
        share = np.clip(below_end / np.maximum(below_end - below_camera, 1e-3), 0, 1)
    way = (share * hits.distance).astype(np.float32)
    through = 0.35 + 0.65 * np.exp(-(0.25 + 1.1 * patient.murkiness**2) * way)
    entered = hits.distance - way
    glow = as_image(cv2.convertScaleAbs(255 * np.minimum((1 - through) * 0.55 / (0.45 + entered / radius), 1.0)))
    return Murk(through.astype(np.float32), glow)


def flood(image: Image, fluid: Murk, patient: Patient) -> Image:
    """The picture (size, size, 3) uint8 seen through the fluid."""
    size = (image.shape[1], image.shape[0])
    through = cv2.resize(fluid.through, size, interpolation=cv2.INTER_LINEAR)
    glow = cv2.resize(fluid.glow, size, interpolation=cv2.INTER_LINEAR)
    colour = cv2.multiply(cv2.merge([glow, glow, glow]), np.array((*patient.fluid, 0.0)), scale=1 / 255.0)
    return as_image(cv2.blendLinear(image, colour, through, 1 - as_field(through)))
