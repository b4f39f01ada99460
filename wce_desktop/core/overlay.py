"""A CAM of one frame, its contour (by marching squares), and its rendering as an overlay."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from training.inference.explanation import above

# Which edges of a square of four neighbours the line crosses, by the corners that are inside (upper left 1, upper right
# 2, lower right 4, lower left 8). Edges: 0 top, 1 right, 2 bottom, 3 left. Saddles (5, 10) keep their corners apart.
_CROSSED: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((3, 0),),
    2: ((0, 1),),
    3: ((3, 1),),
    4: ((1, 2),),
    5: ((3, 0), (1, 2)),
    6: ((0, 2),),
    7: ((3, 2),),
    8: ((2, 3),),
    9: ((2, 0),),
    10: ((0, 1), (2, 3)),
    11: ((2, 1),),
    12: ((1, 3),),
    13: ((1, 0),),
    14: ((0, 3),),
}


def contour(values: NDArray[np.float32], level: float) -> NDArray[np.float32]:
    """The line that separates `values >= level` from what is below, left open at the edges of the map.

    Args:
        values: (H, W) float32, at least 1 x 1, without NaN.
        level: above 0.

    Returns:
        (S, 2, 2) float32: S segments, each two points (x, y) in [0, 1] x [0, 1] of the map, in no order.

    Raises:
        ValueError: a map that is not two-dimensional, or a level of 0 or below.
    """
    if values.ndim != 2 or 0 in values.shape or not level > 0:
        raise ValueError(f"a contour needs a CAM (H, W) and a level above 0, got {values.shape} and {level}")
    padded = np.pad(values, 1, mode="edge")
    inside = padded >= level
    kinds = inside[:-1, :-1] + 2 * inside[:-1, 1:] + 4 * inside[1:, 1:] + 8 * inside[1:, :-1].astype(np.uint8)
    rows, columns = np.nonzero((kinds > 0) & (kinds < 15))
    points = _crossings(padded, level, rows, columns)
    result = kinds[rows, columns]
    segments = []
    for kind, first, second in ((kind, *edges) for kind, crossed in _CROSSED.items() for edges in crossed):
        at = np.flatnonzero(result == kind)
        segments.append(np.stack([points[first, at], points[second, at]], axis=1))
    lines = np.concatenate(segments)
    size = np.array([values.shape[1], values.shape[0]], np.float32)
    return np.clip((lines - 0.5) / size, 0, 1).astype(np.float32)


def _crossings(
    padded: NDArray[np.float32], level: float, rows: NDArray[np.intp], columns: NDArray[np.intp]
) -> NDArray[np.float32]:
    """(4, M, 2): where the line would cross each edge of M squares, in cells of the padded map."""
    corners = [padded[rows + down, columns + right] for down, right in ((0, 0), (0, 1), (1, 1), (1, 0))]
    places = [(0, 0), (1, 0), (1, 1), (0, 1)]
    out = np.empty((4, rows.size, 2), np.float32)
    for edge in range(4):
        start, stop = corners[edge], corners[(edge + 1) % 4]
        rise = stop - start
        share = np.where(rise != 0, (level - start) / np.where(rise != 0, rise, 1), 0.5)
        (x0, y0), (x1, y1) = places[edge], places[(edge + 1) % 4]
        out[edge, :, 0] = columns + x0 + share * (x1 - x0)
        out[edge, :, 1] = rows + y0 + share * (y1 - y0)
    return out


@dataclass(frozen=True, eq=False, slots=True)
class FrameCam:
    """The evidence for one class on one frame, over the square that the model saw.

    Attributes:
        values: (h, w) of any float type, raw; above zero speaks for the class.
        full_scale: the value drawn as the strongest colour; None: the maximum of the CAM.
        method: the method as text ("Score-CAM, quick estimate").
        model: the title of the model.
        floor: the value up to which nothing is drawn (`training.inference.explanation.background`).
    """

    values: NDArray[np.floating]
    full_scale: float | None = None
    method: str = ""
    model: str = ""
    floor: float = 0.0


OVERLAY_SIDE_PX = 192  # a CAM has some 8 x 8 cells; the painter enlarges the rest smoothly
_KEYS = -0.5  # Keys' cubic kernel, as in "bicubic" resizing


def full_scale_of(cams: NDArray[np.floating], quantile: float = 0.999) -> float | None:
    """One scale for a study: the `quantile` of the frames' strongest evidence in `cams` (N, h, w); None without any."""
    if cams.shape[0] == 0:
        return None
    peaks = np.nan_to_num(cams.reshape(cams.shape[0], -1).max(axis=1).astype(np.float32))
    scale = float(np.quantile(peaks, quantile))
    return scale if scale > 0 else None


def enlarge(cam: NDArray[np.float32], side_px: int = OVERLAY_SIDE_PX) -> NDArray[np.float32]:
    """Resize a CAM (h, w) to (side_px, side_px): cubic between the centres of its cells, clipped to [0, 1]."""
    rows, columns = _weights(cam.shape[0], side_px), _weights(cam.shape[1], side_px)
    # Not `@`: for so little work BLAS would wake its threads, which costs milliseconds while a model is scoring.
    enlarged: NDArray[np.float32] = np.einsum("ik,lk->il", np.einsum("ij,jk->ik", rows, cam), columns)
    return np.clip(enlarged, 0, 1)


@cache
def _weights(cells: int, side_px: int) -> NDArray[np.float32]:
    """Interpolation as a matrix (side_px, cells); cells beyond the edge repeat the edge."""
    at = (np.arange(side_px) + 0.5) * cells / side_px - 0.5
    weights = np.zeros((side_px, cells), np.float32)
    for offset in (-1, 0, 1, 2):
        cell = np.floor(at).astype(int) + offset
        distance = np.abs(at - cell)
        near = (_KEYS + 2) * distance**3 - (_KEYS + 3) * distance**2 + 1
        far = _KEYS * (distance**3 - 5 * distance**2 + 8 * distance - 4)
        weight = np.where(distance <= 1, near, np.where(distance < 2, far, 0))
        np.add.at(weights, (np.arange(side_px), np.clip(cell, 0, cells - 1)), weight.astype(np.float32))
    return weights


LEAST_STRENGTH = 0.03
"""Share of the full scale below which evidence counts as none."""
DEFAULT_LEVEL = 0.5
"""Share of a frame's strongest evidence that its contour surrounds."""


def strength(cam: FrameCam) -> float:
    """The frame's strongest evidence as a share of the full scale, in [0, 1]; 0 where no part stands out."""
    largest = float(above(cam.values, cam.floor, cam.full_scale).max(initial=0))
    return largest if largest >= LEAST_STRENGTH else 0.0


def evidence_contour(
    cam: FrameCam, level: float = DEFAULT_LEVEL, mask: NDArray[np.bool_] | None = None
) -> list[NDArray[np.float32]]:
    """The lines around all that reaches a share `level`, in (0, 1], of the frame's strongest evidence.

    Each is (P, 2) float32, points (x, y) in [0, 1] x [0, 1] of the map; none where no part stands out. `mask` is that
    of `overlay_rgba`: lines are open at the edge of the field of view, which is no edge of the evidence.
    """
    if not strength(cam):
        return []
    segments = contour(enlarge(above(cam.values, cam.floor)), level)
    if mask is not None:
        at = np.minimum((segments.mean(axis=1) * OVERLAY_SIDE_PX).astype(int), OVERLAY_SIDE_PX - 1)
        segments = segments[mask[at[:, 1], at[:, 0]]]
    return _joined(segments)


def _joined(segments: NDArray[np.float32]) -> list[NDArray[np.float32]]:
    """Lines of segments (S, 2, 2) that follow each other; all have the inside on their left."""
    ends = [(tuple(start), tuple(stop)) for start, stop in np.rint(segments * 2**16).astype(int).tolist()]
    following = {start: at for at, (start, _) in enumerate(ends)}
    stops = {stop for _, stop in ends}
    first = sorted(following.values(), key=lambda at: ends[at][0] in stops)
    lines = []
    for begin in first:  # open lines before closed ones
        at, line = following.pop(ends[begin][0], None), []
        while at is not None:
            line.append(at)
            at = following.pop(ends[at][1], None)
        if line:
            lines.append(np.concatenate([segments[line, 0], segments[line[-1:], 1]]))
    return lines


def overlay_rgba(
    cam: NDArray[np.floating],
    *,
    full_scale: float | None = None,
    floor: float = 0.0,
    mask: NDArray[np.bool_] | None = None,
    side_px: int = OVERLAY_SIDE_PX,
) -> NDArray[np.uint8]:
    """Draw a raw CAM (h, w) as (side_px, side_px, 4) uint8 RGBA to be laid over the model's crop; alpha is straight.

    Alpha is proportional to the evidence, so that tissue without any stays as it is. `mask` (side_px, side_px) bool is
    False outside the field of view, where nothing is drawn.
    """
    value = enlarge(above(cam, floor, full_scale), side_px)
    level = np.rint(value * 255).astype(np.uint8)
    alpha = value * 255
    alpha = np.rint(alpha if mask is None else np.where(mask, alpha, 0)).astype(np.uint8)
    return np.concatenate([color_map()[level], alpha[..., None]], axis=2)


_TO_LMS = [[1, 0.3963377774, 0.2158037573], [1, -0.1055613458, -0.0638541728], [1, -0.0894841775, -1.2914855480]]
_TO_RGB = [
    [4.0767416621, -3.3077115913, 0.2309699292],
    [-1.2684380046, 2.6097574011, -0.3413193965],
    [-0.0041960863, -0.7034186147, 1.7076147010],
]
"""From OKLab to linear sRGB, by way of the cones' answers: the matrices of the definition."""


@cache
def color_map() -> NDArray[np.uint8]:
    """(256, 3) uint8 sRGB from deep blue over cyan to light mint.

    Made in OKLab (Ottosson 2020): lightness rises in equal steps, so that equal differences look equal, also in grey
    and to colour-blind eyes; and its hues, blue to green, are those that tissue, blood and bile do not have.
    """
    at = np.linspace(0, 1, 256)
    lightness = 0.36 + 0.54 * at
    hue = np.radians(np.interp(at, [0, 0.5, 1], [268, 220, 168]))
    chroma = np.interp(at, [0, 0.12, 0.3, 0.45, 0.75, 1], [0.17, 0.14, 0.117, 0.11, 0.12, 0.13])  # within sRGB
    oklab = np.stack([lightness, chroma * np.cos(hue), chroma * np.sin(hue)], axis=1)
    linear = (oklab @ np.transpose(_TO_LMS)) ** 3 @ np.transpose(_TO_RGB)
    srgb = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * np.maximum(linear, 1e-9) ** (1 / 2.4) - 0.055)
    colors: NDArray[np.uint8] = np.rint(np.clip(srgb, 0, 1) * 255).astype(np.uint8)
    return colors
