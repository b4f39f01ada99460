"""Retrieval evaluated: both studies of each patient as vectors of clips, and the figures of all queries together.

Vectors of clips without any learning from clips; ours, to compare encoders with.

Lesions and walls of the phantom have their own colours, so colours alone may find a place: an encoder has to be better.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.datasets.findings import read_links
from training.datasets.labels import read_labels
from training.datasets.manifest import StudyEntry, load_manifest
from training.embeddings.knn import normalised
from training.errors import UserError
from training.metrics.retrieval import QueryFigures, joined_figures, query_figures
from training.reidentification.matching import colour_histograms
from training.retrieval.clips import ClipPixels, embedded, read_clips
from training.retrieval.paired_clips import ClipSettings, PairedClips, paired_clips
from training.retrieval.study_pairs import paired_studies, read_pairs
from training.runs.reporter import Reporter
from training.video import study_field_of_view

Vectors = NDArray[np.floating]


def colour_mean(clip: ClipPixels) -> NDArray[np.float64]:
    """(3,) the mean colour of all pixels in [0, 255]; compared by distance."""
    return np.asarray(clip.mean(axis=(0, 1, 2)), np.float64)


def colour_histogram(clip: ClipPixels) -> NDArray[np.float64]:
    """(512,) mean over the frames of the roots of the colours' shares; compared by cosine."""
    return np.asarray(colour_histograms(clip).mean(axis=0), np.float64)


def redness(clip: ClipPixels) -> NDArray[np.float64]:
    """(1,) the mean share of red in a pixel's sum of red, green and blue, over pixels that are not black."""
    sums = clip.astype(np.float64).sum(axis=-1)
    is_seen = sums > 0
    reds = clip[..., 0][is_seen] / sums[is_seen]
    return np.array([reds.mean() if reds.size else 0.0])


COMPUTED: Mapping[str, Callable[[ClipPixels], NDArray[np.float64]]] = {
    "colour-mean": colour_mean,
    "histogram": colour_histogram,
    "redness": redness,
}
"""Name -> vector of a clip."""
BY_DISTANCE = ("colour-mean", "redness", "time")
"""Baselines whose vectors are compared by distance instead of cosine."""


def relative_time(starts: NDArray[np.int64], stops: NDArray[np.int64], frames: int) -> NDArray[np.float64]:
    """(n, 1) the middle of each clip as a share of its study, in [0, 1]: without looking at a frame."""
    return np.asarray((starts + stops)[:, None] / (2 * max(frames, 1)), np.float64)


def likeness(name: str, queries: Vectors, gallery: Vectors) -> NDArray[np.float64]:
    """(Q, G) similarity of vectors (Q, D) and (G, D): cosine, or for `BY_DISTANCE` the distance with its sign changed.

    A vector of zeros is as far from each clip as from every other one.
    """
    left, right = np.asarray(queries, np.float64), np.asarray(gallery, np.float64)
    if name in BY_DISTANCE:
        return np.asarray(-np.linalg.norm(left[:, None] - right[None], axis=-1), np.float64)
    return normalised(left) @ normalised(right).T


Embed = Callable[[NDArray[np.uint8]], Vectors]
"""(B, T, S, S, 3) uint8 -> (B, D)."""


@dataclass(frozen=True, eq=False)
class PairVectors:
    """The vectors of one patient's clips; zeros for a clip none of whose frames decodes.

    Attributes:
        queries: (Q, D).
        gallery: (G, D).
    """

    queries: Vectors
    gallery: Vectors


@dataclass(frozen=True, eq=False)
class Evaluated:
    """The figures of all queries, and whose they are: (n,)."""

    figures: QueryFigures
    patients: NDArray[np.str_]


def open_pairs(
    manifest: Path, labels: Path, settings: ClipSettings, pairs_file: Path | None = None
) -> list[PairedClips]:
    """The queries and galleries of all pairs of studies: those of a file, else two studies of each patient.

    What links.csv beside the labels says is the same counts as one lesion.

    Raises:
        UserError: a file cannot be read, nobody has two studies, or no clip of a query has a relevant one.
    """
    rows, beside, studies = read_labels(labels), labels.with_name("links.csv"), load_manifest(manifest)
    links = read_links(beside) if beside.is_file() else []
    pairs = [
        paired_clips(pair, (pair[0].frame_count(), pair[1].frame_count()), rows, settings, links)
        for pair in paired_studies(studies, read_pairs(pairs_file, studies) if pairs_file else ())
    ]
    if not any(pair.relevant.any() for pair in pairs):
        raise UserError(
            f"No lesion is labelled in {settings.fewest_shown} frames of a clip in both studies of a patient.",
            "Label findings in both studies, or set fewer frames.",
        )
    return pairs


def pair_vectors(pair: PairedClips, embed: Embed, *, length: int, size: int, reporter: Reporter) -> PairVectors:
    """Embed the clips of both studies of a patient."""
    options: dict[str, Any] = {"length": length, "size": size, "reporter": reporter}
    queries = study_vectors(pair.query_study, pair.query_starts, pair.query_stops, embed, **options)
    gallery = study_vectors(pair.gallery_study, pair.gallery_starts, pair.gallery_stops, embed, **options)
    # A study none of whose clips decodes has zeros of an unknown width.
    width = max(queries.shape[1], gallery.shape[1])
    sides = (each if each.any() else np.zeros((len(each), width), each.dtype) for each in (queries, gallery))
    return PairVectors(*sides)


def study_vectors(
    study: StudyEntry,
    starts: NDArray[np.int64],
    stops: NDArray[np.int64],
    embed: Embed,
    *,
    length: int,
    size: int,
    reporter: Reporter,
) -> Vectors:
    """(n, D) vectors of a study's clips; the arguments are those of `pair_vectors` and `read_clips`."""
    there: list[bool] = []
    result: list[Vectors] = []
    with study.open_source() as source:
        view = study_field_of_view(source)
        for is_there, found in embedded(read_clips(source, view, starts, stops, length=length, size=size), embed):
            reporter.check()
            there += is_there
            result += [found] if len(found) else []
    if not result:
        return np.zeros((len(starts), 1))
    vectors = np.zeros((len(starts), result[0].shape[1]), result[0].dtype)
    vectors[there] = np.concatenate(result)
    return vectors


def evaluate(pairs: Sequence[PairedClips], vectors: Sequence[PairVectors], name: str = "") -> Evaluated:
    """The figures of all queries; `name` says how vectors are compared, see `likeness`."""
    asked = [(pair, each) for pair, each in zip(pairs, vectors, strict=True) if len(pair.query_starts)]
    parts = [  # differences that are rounding alone are ties
        query_figures(np.round(likeness(name, each.queries, each.gallery), 9), pair.relevant) for pair, each in asked
    ]
    whose = [np.repeat(pair.patient, len(part.queries)) for (pair, _), part in zip(asked, parts, strict=True)]
    return Evaluated(joined_figures(parts), np.concatenate(whose).astype(np.str_))
