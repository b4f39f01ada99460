"""Rendering a study frame by frame."""

from collections import deque
from collections.abc import Generator
from concurrent.futures import Future, ThreadPoolExecutor

import cv2
import numpy as np

from training.phantom.anatomy import MM_PER_UNIT
from training.phantom.bubbles import ThingPainter
from training.phantom.config import REGIONS, PhantomConfig
from training.phantom.finish import Finisher
from training.phantom.fluid import flood, murk
from training.phantom.lens import Lens
from training.phantom.noise import Image, as_image
from training.phantom.plan import Plan, make_plan
from training.phantom.pose import pose_at, wall_radius
from training.phantom.shade import Shader
from training.phantom.sheet import Piece, Sheet
from training.phantom.trace import Hits, trace
from training.phantom.truth import FrameTruth, Sighting, sightings

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
        found: tuple[Sighting, ...] = ()
        if window.lesion.any():
            row = hits.row + np.float32(offset * self._sheet.rows_per_unit)
            numbers = cv2.remap(window.lesion, hits.column, row, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT)
            grey = cv2.resize(image, (self._cells, self._cells), interpolation=cv2.INTER_AREA).max(axis=2)
            found = sightings(as_image(numbers), grey, self._inside, plan.lesions, plan.config.size_px)
        return FrameTruth(frame, REGIONS[plan.anatomy.region_at(depth)], depth * MM_PER_UNIT, found)
