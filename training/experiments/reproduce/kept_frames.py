"""Frames for the pages of tables, which are kept beside the cells: queries, retrieved clips, crops of tracklets."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from training.datasets.manifest import StudyEntry
from training.inference.explain_picture import write_png
from training.reidentification.tracklets import Tracklets
from training.reidentification.views import spread_views
from training.retrieval.clips import read_clips
from training.retrieval.evaluation import PairVectors, likeness
from training.retrieval.paired_clips import PairedClips
from training.video import study_field_of_view

QUERIES, FRAMES, CLIPS = 4, 4, 5
"""Queries that are shown, frames of each of them, and retrieved clips, each by its middle frame."""
SIDE_PX = 112
CROPS = 16
"""Crops of a finding that are shown."""


def keep_crops(evaluated: Tracklets, place: Path) -> list[int]:
    """Keep crops of the finding with the most tracklets, in order of time; returns the tracklet of each of them."""
    names = np.char.add(np.char.add(evaluated.table.procedures, "/"), evaluated.findings)
    counted, counts = np.unique(names, return_counts=True)
    rows = np.flatnonzero(names == counted[np.argmax(counts)])[:CROPS]
    shown = list[int]()
    place.mkdir(parents=True, exist_ok=True)
    for row in rows[np.argsort(evaluated.table.starts[rows], kind="stable")].tolist():
        crops = evaluated.crops[row]
        for at in spread_views(len(crops), CROPS // len(rows)).tolist():
            write_png(place / crop_name(len(shown)), crops[at])
            shown.append(row)
    return shown


def crop_name(number: int) -> str:
    """File of a crop, from 0."""
    return f"crop-{number + 1}.png"


def keep_queries(pairs: Sequence[PairedClips], length: int, place: Path) -> int:
    """Keep frames of some queries (clips of `length` frames) in a folder; returns how many queries."""
    chosen = _queries(pairs)
    for number, (at, row) in enumerate(chosen):
        pair = pairs[at]
        bounds = [(pair.query_starts[row], pair.query_stops[row])]
        _keep(pair.query_study, bounds, length, FRAMES, place, number)
    return len(chosen)


def keep_retrieved(
    pairs: Sequence[PairedClips], vectors: Sequence[PairVectors], length: int, place: Path
) -> list[list[bool]]:
    """Keep a frame of the clips most like each of these queries; returns whether each of the clips is relevant."""
    result = []
    for number, (at, row) in enumerate(_queries(pairs)):
        pair, each = pairs[at], vectors[at]
        best = np.argsort(-likeness("", each.queries[row : row + 1], each.gallery)[0], kind="stable")[:CLIPS]
        bounds = zip(pair.gallery_starts[best], pair.gallery_stops[best], strict=True)
        _keep(pair.gallery_study, bounds, length, 1, place, number)
        result.append(pair.relevant[row, best].tolist())
    return result


def frame_name(query: int, number: int) -> str:
    """File of a frame of a query or of a retrieved clip, both from 0."""
    return f"query-{query + 1}-{number + 1}.png"


def _queries(pairs: Sequence[PairedClips]) -> list[tuple[int, int]]:
    """(pair, query) of some queries with a relevant clip, spread over the patients."""
    every = [(at, int(row)) for at, pair in enumerate(pairs) for row in np.flatnonzero(pair.relevant.any(axis=1))]
    return [every[at] for at in spread_views(len(every), QUERIES).tolist()]


def _keep(
    study: StudyEntry, bounds: Iterable[tuple[int, int]], length: int, frames: int, place: Path, query: int
) -> None:
    """Keep so many frames of each clip, evenly spread; those of a clip that does not decode are black."""
    place.mkdir(parents=True, exist_ok=True)
    places = ((np.arange(frames) + 0.5) * length / frames).astype(np.int64)
    kept = []
    with study.open_source() as source:
        view = study_field_of_view(source)
        for start, stop in bounds:  # one by one: clips come by their likeness, not in time
            clips = read_clips(source, view, np.array([start]), np.array([stop]), length=length, size=SIDE_PX)
            (clip,) = (np.zeros((length, SIDE_PX, SIDE_PX, 3), np.uint8) if each is None else each for each in clips)
            kept += list(clip[places])
    for number, frame in enumerate(kept):
        write_png(place / frame_name(query, number), frame)
