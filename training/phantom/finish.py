"""What the capsule's electronics do to the picture: blur, noise, compression, mask, clock."""

import cv2
import numpy as np

from training.phantom.config import patient_random
from training.phantom.lens import Lens
from training.phantom.noise import Field, Image, as_field, as_image
from training.phantom.plan import Plan

_CLOCK_START_SECONDS = 8 * 3600


class Finisher:
    """Turns the lit wall into the frame that is recorded."""

    def __init__(self, plan: Plan, lens: Lens) -> None:
        self._plan = plan
        self._mask = lens.mask()
        rng = patient_random(plan.config, "noise")
        size = plan.config.size_px
        self._noise = np.round(rng.normal(0, plan.patient.noise, (size * 2, size * 2, 3)) + 8).astype(np.uint8)
        self._start = _CLOCK_START_SECONDS + int(rng.integers(3 * 3600))

    def finish(self, image: Image, frame: int, distance: float) -> Image:
        """The recorded frame (size, size, 3) uint8 RGB; `distance` is the wall's mean distance in tube radii."""
        image = self._focused(image, distance)
        image = self._blurred(image, frame)
        image = self._noisy(image, frame)
        image = self._compressed(image)
        image = as_image(cv2.multiply(image, self._mask, scale=1 / 255.0))
        self._clock(image, frame)
        return image

    def _focused(self, image: Image, distance: float) -> Image:
        """The lens is a little soft, and much so where the wall touches it."""
        size = self._plan.config.size_px
        return as_image(cv2.GaussianBlur(image, (0, 0), size / 256 * (0.55 + 2.2 * max(0.0, 0.55 - distance))))

    def _blurred(self, image: Image, frame: int) -> Image:
        """Blur of motion, along the way the picture moves."""
        motion = self._plan.motion
        before = max(frame - 1, 0)
        turned_x = float(motion.yaw[frame] - motion.yaw[before])
        turned_y = float(motion.pitch[frame] - motion.pitch[before])
        length = min(
            0.045 * self._plan.config.size_px * float(np.hypot(turned_x, turned_y) + abs(motion.speed[frame]) * 0.4), 9
        )
        if length < 1.2:
            return image
        return as_image(cv2.filter2D(image, -1, _streak(length, float(np.arctan2(turned_y, turned_x)))))

    def _noisy(self, image: Image, frame: int) -> Image:
        size = image.shape[0]
        top, left = (frame * 131) % size, (frame * 197) % size
        noisy = cv2.add(image, self._noise[top : top + size, left : left + size])
        return as_image(cv2.subtract(noisy, np.array((8.0, 8.0, 8.0, 0.0))))

    def _compressed(self, image: Image) -> Image:
        """What the capsule sends is compressed frame by frame."""
        _, code = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, self._plan.patient.jpeg_quality])
        return as_image(cv2.imdecode(code, cv2.IMREAD_COLOR))

    def _clock(self, image: Image, frame: int) -> None:
        """Time of day in the lower left corner, outside of the field of view."""
        seconds = self._start + frame // self._plan.config.frames_per_second
        text = f"{seconds // 3600 % 24:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
        scale = image.shape[0] / 256 * 0.34
        cv2.putText(
            image, text, (2, image.shape[0] - 4), cv2.FONT_HERSHEY_SIMPLEX, scale, (235, 235, 235), 1, cv2.LINE_AA
        )


def _streak(length: float, angle: float) -> Field:
    """A blur kernel along a line."""
    side = 2 * int(length / 2 + 1) + 1
    kernel = np.zeros((side, side), np.float32)
    middle = side // 2
    reach = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    start, stop = np.round(middle - reach).astype(int), np.round(middle + reach).astype(int)
    cv2.line(kernel, (int(start[0]), int(start[1])), (int(stop[0]), int(stop[1])), 1.0, 1)
    return as_field(kernel / kernel.sum())
