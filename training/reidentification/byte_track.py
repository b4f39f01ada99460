"""ByteTrack's association of boxes into tracklets (Zhang et al. 2022, algorithm 1).

No library is used: `supervision` has no tracker any more, and `trackers` needs a second build of OpenCV (see the page
on decisions). The motion model is that of the authors' code, a Kalman filter of constant velocity (Wojke et al. 2017).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from training.settings import Settings

Boxes = NDArray[np.float64]
"""(n, 4): x_min, y_min, x_max, y_max in pixels."""
Matrix = NDArray[np.float64]
Matches = list[tuple[int, int]]
"""(track, box)."""

POSITION, VELOCITY = 1 / 20, 1 / 160
"""Standard deviations of a box's place and of its velocity, as shares of its height (the authors' code)."""


class TrackerSettings(Settings):
    """Of ByteTrack; the defaults are those of the authors' code."""

    confident: float = Field(default=0.5, ge=0, le=1, description="Boxes from this score on are associated first.")
    least: float = Field(default=0.1, ge=0, le=1, description="Boxes below this score are left out.")
    starts: float = Field(default=0.6, ge=0, le=1, description="From this score on a box may start a track.")
    overlap: float = Field(
        default=0.2, ge=0, le=1, description="Least overlap (IoU) of a confident box with its track."
    )
    low_overlap: float = Field(default=0.5, ge=0, le=1, description="Least overlap of another box with its track.")
    kept_frames: int = Field(default=30, ge=0, description="A track that has no box for longer ends.")


@dataclass(eq=False)
class _Track:
    """One track: its Kalman filter over (x, y, width / height, height) of the box's centre, and their velocities."""

    number: int
    mean: Matrix
    covariance: Matrix
    seen: int
    """Frame of the last box."""
    rows: list[int] = field(default_factory=list)


def track_boxes(
    frames: NDArray[np.int64], boxes: Boxes, scores: NDArray[np.floating], settings: TrackerSettings
) -> NDArray[np.int64]:
    """(n,) number of each box's track, from 0 in the order of their first boxes; -1 for a box of no track.

    Boxes (n, 4), in pixels and in any order, are of one study.
    """
    result = np.full(len(frames), -1, np.int64)
    alive: list[_Track] = []
    count, before = 0, 0
    for frame in np.unique(frames):
        alive = [track for track in alive if frame - track.seen <= settings.kept_frames + 1]
        for track in alive:
            for _ in range(int(frame - before)):
                _predict(track)
        before = int(frame)
        rows = np.flatnonzero((frames == frame) & (scores >= settings.least))
        high, low = rows[scores[rows] >= settings.confident], rows[scores[rows] < settings.confident]
        left = alive
        for part, least in ((high, settings.overlap), (low, settings.low_overlap)):
            pairs = associate([box_of(track.mean) for track in left], boxes[part], least)
            for at, row in pairs:
                _update(left[at], _measured(boxes[part[row]]))
                left[at].seen = int(frame)
                result[part[row]] = left[at].number
            taken = {at for at, _ in pairs}
            # A box of low score goes on with a track, but does not find a lost one again.
            left = [track for at, track in enumerate(left) if at not in taken and _was_seen(track, frames, int(frame))]
        for row in high:
            if result[row] < 0 and scores[row] >= settings.starts:
                alive.append(_started(count, boxes[row], int(frame)))
                result[row], count = count, count + 1
    return result


def associate(tracks: Sequence[NDArray[np.float64]], boxes: Boxes, least: float) -> Matches:
    """Pairs of a track and a box, each at most once, of the largest total overlap (IoU); those below the least are
    undone.
    """
    from scipy.optimize import linear_sum_assignment  # scipy takes time, and the window starts without it

    if not len(tracks) or not len(boxes):
        return []
    overlaps = overlap(np.stack(tracks), boxes)
    rows, columns = linear_sum_assignment(np.where(overlaps >= least, overlaps, 0.0), maximize=True)
    return [(int(at), int(row)) for at, row in zip(rows, columns, strict=True) if overlaps[at, row] >= least]


def overlap(first: Boxes, second: Boxes) -> Matrix:
    """(m, n) intersection over union."""
    low = np.maximum(first[:, None, :2], second[None, :, :2])
    high = np.minimum(first[:, None, 2:], second[None, :, 2:])
    shared = np.prod(np.maximum(high - low, 0.0), axis=2)
    areas = [np.prod(each[:, 2:] - each[:, :2], axis=1) for each in (first, second)]
    return np.asarray(shared / np.maximum(areas[0][:, None] + areas[1][None, :] - shared, 1e-12), np.float64)


def box_of(mean: Matrix) -> NDArray[np.float64]:
    """(4,) the box of a filter's state."""
    x, y, aspect, height = mean[:4]
    width = aspect * height
    return np.array([x - width / 2, y - height / 2, x + width / 2, y + height / 2], np.float64)


def _measured(box: NDArray[np.float64]) -> Matrix:
    width, height = box[2] - box[0], box[3] - box[1]
    return np.array([(box[0] + box[2]) / 2, (box[1] + box[3]) / 2, width / height, height], np.float64)


def _was_seen(track: _Track, frames: NDArray[np.int64], frame: int) -> bool:
    """Whether a track had a box in the frame before that has boxes."""
    earlier = frames[frames < frame]
    return bool(len(earlier)) and track.seen == int(earlier.max())


def _started(number: int, box: NDArray[np.float64], frame: int) -> _Track:
    place = _measured(box)
    height = place[3]
    spread = [2 * POSITION * height] * 2 + [1e-2, 2 * POSITION * height]
    spread += [10 * VELOCITY * height] * 2 + [1e-5, 10 * VELOCITY * height]
    return _Track(number, np.concatenate([place, np.zeros(4)]), np.diag(np.square(spread)), frame)


_MOVE = np.eye(8) + np.eye(8, k=4)


def _predict(track: _Track) -> None:
    """One frame on."""
    height = track.mean[3]
    spread = [POSITION * height] * 2 + [1e-2, POSITION * height] + [VELOCITY * height] * 2 + [1e-5, VELOCITY * height]
    track.mean = _MOVE @ track.mean
    track.covariance = _MOVE @ track.covariance @ _MOVE.T + np.diag(np.square(spread))


def _update(track: _Track, measured: Matrix) -> None:
    """Take a box in."""
    height = track.mean[3]
    noise = np.diag(np.square([POSITION * height, POSITION * height, 1e-1, POSITION * height]))
    innovation = track.covariance[:4, :4] + noise
    gain = np.linalg.solve(innovation, track.covariance[:4]).T
    track.mean = track.mean + gain @ (measured - track.mean[:4])
    track.covariance = track.covariance - gain @ innovation @ gain.T
