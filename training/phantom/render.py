"""Rendering a study frame by frame.

What the capsule's electronics do to the picture: blur, noise, compression, mask, clock.

From hits on the wall to a lit, wet picture.
"""

from collections import deque
from collections.abc import Generator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import cv2
import numpy as np

from training.phantom.camera import Hits, Lens, Pose, pose_at, trace, wall_radius
from training.phantom.lesions import FrameTruth, Sighting, sightings
from training.phantom.lumen import ThingPainter, flood, murk
from training.phantom.patient import MM_PER_UNIT, REGIONS, Patient, PhantomConfig, patient_random
from training.phantom.plan import Plan, make_plan
from training.phantom.sheet import FINE, Piece, Sheet
from training.phantom.surface import SLOPE_UNIT, SLOPE_ZERO, Field, Image, as_field, as_image

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
        seconds = 1 + plan.config.frames // plan.config.frames_per_second
        # Drawn here, not by the threads that render: OpenCV loads its font anew in each of them.
        self._clocks = [_clock_picture(self._start + second, size) for second in range(seconds)]

    def finish(self, image: Image, frame: int, distance: float) -> Image:
        """The recorded frame (size, size, 3) uint8 RGB; `distance` is the wall's mean distance in tube radii."""
        # The lens is a little soft, and much so where the wall touches it.
        sigma = self._plan.config.size_px / 256 * (0.55 + 2.2 * max(0.0, 0.55 - distance))
        image = self._blurred(as_image(cv2.GaussianBlur(image, (0, 0), sigma)), frame)
        # What the capsule sends is compressed frame by frame.
        quality = [cv2.IMWRITE_JPEG_QUALITY, self._plan.patient.jpeg_quality]
        _, code = cv2.imencode(".jpg", self._noisy(image, frame), quality)
        image = as_image(cv2.multiply(as_image(cv2.imdecode(code, cv2.IMREAD_COLOR)), self._mask, scale=1 / 255.0))
        self._clock(image, frame)
        return image

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

    def _clock(self, image: Image, frame: int) -> None:
        """Time of day in the lower left corner, outside of the field of view."""
        second = frame // self._plan.config.frames_per_second
        clock = self._clocks[second]
        corner = image[-len(clock) :]
        if corner[clock > 0].any():  # the view reaches into the corner
            _write_clock(corner, self._start + second, image.shape[0])
        else:
            np.maximum(corner, clock, out=corner)


def _clock_picture(seconds: int, size: int) -> Image:
    """(H, size, 3): the lowest rows of a black frame of `size` px, with the time of day."""
    picture = np.zeros((min(size, 6 + size // 16), size, 3), np.uint8)
    _write_clock(picture, seconds, size)
    return picture


def _write_clock(rows: Image, seconds: int, size: int) -> None:
    text = f"{seconds // 3600 % 24:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
    scale, color = size / 256 * 0.34, (235, 235, 235)
    cv2.putText(rows, text, (2, len(rows) - 4), cv2.FONT_HERSHEY_SIMPLEX, scale, color, 1, cv2.LINE_AA)


def _streak(length: float, angle: float) -> Field:
    """A blur kernel along a line."""
    side = 2 * int(length / 2 + 1) + 1
    kernel = np.zeros((side, side), np.float32)
    middle = side // 2
    reach = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    start, stop = np.round(middle - reach).astype(int), np.round(middle + reach).astype(int)
    cv2.line(kernel, (int(start[0]), int(start[1])), (int(stop[0]), int(stop[1])), 1.0, 1)
    return as_field(kernel / kernel.sum())


@dataclass(frozen=True)
class Lit:
    """A picture of the bare wall.

    Attributes:
        image: (size, size, 3) uint8 RGB.
        distance: (size, size) float32, in units.
        points: (3, size * size) float32, where each pixel's ray ends, relative to the capsule, in the tube's frame.
    """

    image: Image
    distance: Field
    points: Field


class Shader:
    """Lights a patient's wall as seen through one lens; holds only what never changes, so threads may share it."""

    def __init__(self, patient: Patient, lens: Lens, cells: int) -> None:
        self._patient = patient
        self._size = lens.size_px
        self._rays = lens.rays(lens.size_px)
        self._vignette = lens.vignette(cells)
        self._tones = _tone_curves(patient)

    def light(self, hits: Hits, pose: Pose, window: Piece, rows_per_unit: int, radius: float) -> Lit:
        """The picture of the wall; `radius` is the tube's radius at the capsule, which sets the exposure."""
        size = (self._size, self._size)
        coarse = (hits.distance, hits.facing, hits.light_around, hits.light_along, self._exposed(hits, radius))
        grown = (as_field(cv2.resize(part, size, interpolation=cv2.INTER_LINEAR)) for part in coarse)
        distance, facing, light_around, light_along, fall = grown
        points, column, row = self._texels(distance, pose, window, rows_per_unit)
        skin = cv2.remap(window.colour, column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        slopes = cv2.remap(window.slopes, column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        fine = _fine(as_image(slopes), light_around, light_along)
        glint = self._glint(facing + np.float32(0.55) * fine, fall)
        facing = np.clip(facing + fine, 0, 1.1)
        # Light comes through what turns away.
        shade = fall * (np.float32(0.27) + np.float32(0.38) * facing * (3 - facing))
        tone = as_image(cv2.convertScaleAbs(shade, alpha=255.0))
        lit = cv2.multiply(skin, as_image(cv2.LUT(cv2.merge([tone, tone, tone]), self._tones)), scale=1 / 210.0)
        return Lit(as_image(cv2.add(lit, glint)), distance, points)

    def _exposed(self, hits: Hits, radius: float) -> Field:
        """Brightness by distance, (cells, cells), with the capsule's automatic exposure."""
        fall = self._vignette / (hits.distance / np.float32(radius) * np.float32(1.15) + np.float32(0.3))
        mean = float(np.mean(np.minimum(fall * np.maximum(hits.facing, 0.2), 1.5)))
        gain = self._patient.exposure * 0.86 * (0.62 / max(mean, 0.12)) ** 0.6
        return np.asarray(fall * np.float32(gain), dtype=np.float32)

    def _texels(self, distance: Field, pose: Pose, window: Piece, rows_per_unit: int) -> tuple[Field, Field, Field]:
        """End points of the rays (3, size * size) and the colour sheet's column and row (size, size) there."""
        points = (pose.turn @ self._rays) * distance.ravel()
        squared = np.minimum(points[2] * points[2], np.float32(16.0))
        x = points[0] + (np.float32(pose.x) - np.float32(pose.bend_x) * squared)
        y = points[1] + (np.float32(pose.y) - np.float32(pose.bend_y) * squared)
        angle = cv2.phase(x.reshape(distance.shape), y.reshape(distance.shape))
        columns = window.colour.shape[1] - 2 * FINE
        column = angle * np.float32(columns / (2 * np.pi)) + np.float32(FINE - 0.5)
        row = (points[2] + np.float32(pose.depth - window.start)) * np.float32(rows_per_unit * FINE) - np.float32(0.5)
        return points, column, row.reshape(distance.shape)

    def _glint(self, facing: Field, fall: Field) -> Image:
        """Highlights where the wet wall looks back at the lights."""
        glint = np.clip((facing - np.float32(0.95)) * np.float32(13), 0, 1)
        glint = cv2.convertScaleAbs(glint * glint * np.minimum(fall, 1.2), alpha=130.0 * self._patient.wetness)
        return as_image(cv2.merge([glint, glint, glint]))


def _fine(slopes: Image, light_around: Field, light_along: Field) -> Field:
    """How the fine slopes (size, size, 2) change the cosine between wall and light, (size, size)."""
    slope = cv2.split(slopes)
    around = (slope[0].astype(np.float32) - SLOPE_ZERO) * light_around
    along = (slope[1].astype(np.float32) - SLOPE_ZERO) * light_along
    return np.asarray((around + along) * np.float32(-1 / SLOPE_UNIT))


def _tone_curves(patient: Patient) -> Image:
    """(256, 1, 3) uint8: light to brightness for red, green, blue; deep shadow keeps its red longest."""
    light = np.arange(256) / 255.0
    curves = [light ** (patient.contrast * gamma) for gamma in (0.82, 1.08, 1.22)]
    curves[2] = np.minimum(curves[2] * patient.bluish, 1.0)
    return np.round(np.stack(curves, axis=-1)[:, None, :] * 255).astype(np.uint8)


_WORKERS = 2


def render_study(config: PhantomConfig) -> Generator[tuple[Image, FrameTruth]]:
    """Frames (size_px, size_px, 3) uint8 RGB with their truth, in order; the same bytes for the same config.

    Two frames are drawn at a time in threads; closing the iterator ends them.
    """
    return render_plan(make_plan(config))


def render_plan(plan: Plan) -> Generator[tuple[Image, FrameTruth]]:
    """The frames of a plan, as `render_study` gives them."""
    renderer = Renderer(plan)
    with ThreadPoolExecutor(_WORKERS, thread_name_prefix="phantom") as pool:
        waiting: deque[Future[tuple[Image, FrameTruth]]] = deque()
        for frame in range(plan.config.frames):
            waiting.append(pool.submit(renderer.frame, frame))
            if len(waiting) > 2 * _WORKERS:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


class Renderer:
    """Draws any frame of a plan; a frame depends on nothing but the plan and its number, so threads may share it."""

    def __init__(self, plan: Plan) -> None:
        config, patient = plan.config, plan.patient
        self._plan = plan
        self._cells = config.size_px // 2
        lens = Lens(config.size_px, patient.shape, patient.half_view_rad)
        self._rays = lens.rays(self._cells)
        self._sheet = Sheet(patient, plan.anatomy, plan.lesions, plan.sheet_seed, config.size_px)
        self._shader = Shader(patient, lens, self._cells)
        self._things = ThingPainter(config, patient, plan.anatomy, lens)
        self._finisher = Finisher(plan, lens)
        mask = cv2.resize(lens.mask()[..., 0], (self._cells, self._cells), interpolation=cv2.INTER_AREA)
        self._inside = mask > 127

    def frame(self, frame: int) -> tuple[Image, FrameTruth]:
        """Picture and truth of one frame."""
        plan, sheet = self._plan, self._sheet
        pose = pose_at(plan.motion, plan.anatomy, frame)
        window = sheet.window(pose.depth)
        wall, start = wall_radius(plan.motion, plan.anatomy, frame, window, sheet.rows_per_unit, plan.patient.collapse)
        hits = trace(self._rays, pose, wall, start, sheet.rows_per_unit)
        radius = float(plan.anatomy.radius(np.array([pose.depth]))[0])
        lit = self._shader.light(hits, pose, window, sheet.rows_per_unit, radius)
        image = lit.image
        fluid = murk(hits, pose, plan.motion, frame, radius, plan.patient)
        if fluid is not None:
            image = flood(image, fluid, plan.patient)
        self._things.paint(image, pose, lit.distance, float(plan.motion.squeeze[frame]))
        image = self._finisher.finish(image, frame, float(lit.distance.mean()) / radius)
        return image, self._truth(frame, hits, window, start + pose.depth - window.start, image)

    def _truth(self, frame: int, hits: Hits, window: Piece, offset: float, image: Image) -> FrameTruth:
        plan = self._plan
        depth = float(plan.motion.depth[frame])
        result: tuple[Sighting, ...] = ()
        if window.lesion.any():
            row = hits.row + np.float32(offset * self._sheet.rows_per_unit)
            numbers = cv2.remap(window.lesion, hits.column, row, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT)
            grey = cv2.resize(image, (self._cells, self._cells), interpolation=cv2.INTER_AREA).max(axis=2)
            result = sightings(as_image(numbers), grey, self._inside, plan.lesions, plan.config.size_px)
        return FrameTruth(frame, REGIONS[plan.anatomy.region_at(depth)], depth * MM_PER_UNIT, result)
