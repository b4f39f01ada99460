"""What a model is to look at: a study's frame, a region of it that was drawn, or a picture from disk."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.runs.reporter import Reporter
from training.service.requests import Box, EmbedRequest, ExplainRequest
from training.service.studies import OpenStudies
from training.texts import Text
from training.video import FieldOfView, find_field_of_view, prepare_frame
from training.video.image_header import image_header
from training.video.image_reader import read_image

SMALLEST_REGION_PX = 8
REGION_NOTE = "The region is cut out as a square with the tissue around it, enlarged, and prepared like a whole frame."
IMAGE_NOTE = "The picture was prepared like a study with a single frame."


class Picture(NamedTuple):
    """A picture as decoded, and where in it the tissue is."""

    frame: NDArray[np.uint8]
    """(H, W, 3) RGB."""
    view: FieldOfView


def frame_of(request: ExplainRequest | EmbedRequest, studies: OpenStudies, reporter: Reporter) -> Picture:
    """The study's frame that a request names.

    Raises:
        UserError: no such study or frame, or it does not decode.
    """
    if request.path is None:
        raise UserError("Neither a study nor a picture was named.", "Name one of them.")
    study = studies.get(request.path, request.index, request.numbering, reporter)
    frame = study.read(request.frame_index)
    given = request.field_of_view
    return Picture(frame, study.view(reporter) if given is None else FieldOfView.from_json(given))


def image_of(path: Path) -> Picture:
    """A picture from disk; its field of view is looked for in itself.

    Raises:
        UserError: no such file, or it cannot be read as a picture.
    """
    frame = read_image(path) if path.is_file() else None
    if frame is None:
        header = image_header(path)
        if not header.is_supported:
            raise UserError(
                "{name} is of a kind that cannot be read: {kind}.",
                "Export it as a JPEG or PNG file.",
                path.name,
                header.kind,
            )
        why = Text("cannot be read as a picture") if path.exists() else Text("does not exist")
        raise UserError("{name} {why}.", "Choose a picture file (jpg, png, bmp, tif).", path.name, why)
    return Picture(frame, find_field_of_view([frame]))


def prepared_region(picture: Picture, region: Box, size: int) -> NDArray[np.uint8]:
    """A drawn box as a model's input (size, size, 3) uint8 RGB: ours, no paper says how.

    The smallest square around the box is cut out of the frame, black outside the field of view and beyond the frame's
    edges, and scaled as `prepare_frame` scales. What lies in the square beside the box stays: a stretched or padded box
    is nothing that the model has ever seen.

    Raises:
        UserError: the box is smaller than 8 x 8 px, or holds nothing of the field of view.
    """
    height, width = picture.frame.shape[:2]
    x_min, y_min, x_max, y_max = region
    left, top = max(int(np.floor(x_min)), 0), max(int(np.floor(y_min)), 0)
    right, bottom = min(int(np.ceil(x_max)), width), min(int(np.ceil(y_max)), height)
    inside = picture.view.mask(height, width)
    if min(right - left, bottom - top) < SMALLEST_REGION_PX or not inside[top:bottom, left:right].any():
        raise UserError(
            "The region drawn is too small or shows no tissue ({right} x {bottom} px).",
            "Draw at least {smallest_region_px} x {smallest_region_px} px inside the field of view.",
            max(right - left, 0),
            max(bottom - top, 0),
            SMALLEST_REGION_PX,
        )
    side = max(right - left, bottom - top)
    square = _square(picture.frame * inside[..., None], (left + right - side) // 2, (top + bottom - side) // 2, side)
    return prepare_frame(square, FieldOfView.full(side, side), size)


def _square(frame: NDArray[np.uint8], left: int, top: int, side: int) -> NDArray[np.uint8]:
    """(side, side, 3) cut out at (left, top), black beyond the frame's edges."""
    height, width = frame.shape[:2]
    out = np.zeros((side, side, 3), np.uint8)
    y0, y1, x0, x1 = max(top, 0), min(top + side, height), max(left, 0), min(left + side, width)
    out[y0 - top : y1 - top, x0 - left : x1 - left] = frame[y0:y1, x0:x1]
    return out
