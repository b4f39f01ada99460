"""Frames that look like a landmark of other studies, by stored embeddings; runs in a thread, no Qt."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.embeddings.file import EmbeddingFile
from training.embeddings.organs import ORGANS, Learned, borders_in, learn_head, read_head
from training.errors import UserError
from training.texts import Text
from wce_desktop.core.annotation.landmark import Region, first_frames, regions
from wce_desktop.core.annotation.landmark_plans import room_for
from wce_desktop.session.keys import key_of
from wce_desktop.session.places import resources_folder
from wce_desktop.session.session import Session

# Landmarks proposed from the organs that all frames of a study show; runs in a thread, no Qt.
#
# The linear head is learned from the library's studies whose small bowel and colon are both set, once there are
# `LEAST_STUDIES`, else it is the shipped one of the model's network, which was learned from synthetic studies.


PROPOSED = (Region.SMALL_BOWEL, Region.COLON)
"""What begins with a border between two organs."""
LEAST_STUDIES = 3
Check = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Proposal:
    """Where a landmark is likely to be, and the first and last frame where it may be."""

    frame_index: int
    earliest: int
    latest: int
    studies: int
    """From how many studies of the library the organs were learned; 0: from synthetic ones."""


def learned_studies(session: Session) -> tuple[Learned, ...]:
    """All other recordings with small bowel and colon, scored by the model in use; none where they are too few."""
    reading, model_id = session.opened(), session.model_id
    own, result = reading.study.second_of or reading.study.study_id, []
    for study in session.library.studies.all():
        files = session.files(study)
        if own in (study.study_id, study.second_of) or not files.has_scores(model_id):
            continue
        landmarks = session.library.annotations.landmarks(study.study_id)
        if set(PROPOSED) <= first_frames(landmarks).keys():
            organs = np.full(study.frame_count, -1)
            for region, span in regions(landmarks, study.frame_count):
                if region.value in ORGANS:
                    organs[span.start : span.stop] = ORGANS.index(region.value)
            result.append(Learned(files.scores_path(model_id), study.fingerprint, organs))
    return tuple(result) if len(result) >= LEAST_STUDIES else ()


def shipped_head(model_sha256: str) -> Path:
    """Where the shipped head of a model lies, if there is one."""
    return resources_folder() / "organs" / f"{model_sha256}.npz"


def propose(
    file: EmbeddingFile, learned: Sequence[Learned], region: Region, start: int, stop: int, check: Check
) -> Proposal | None:
    """Where the organs put a landmark; None where they say that the recording does not show it.

    Args:
        file: of the study.
        learned: the studies to learn from; none: the shipped head.
        region: one of `PROPOSED`.
        start, stop: frames in question, between the landmarks that are set.
        check: raises when this shall stop.
    """
    head = learn_head(learned, check) if learned else read_head(shipped_head(file.header.model_sha256))
    border = borders_in(file, head, check)[ORGANS.index(region.value) - 1]
    if not 0 < border.row < len(file):
        return None
    frames = file.frame_index[np.minimum([border.row, border.low, border.high], len(file) - 1)]
    frame, earliest, latest = (int(each) for each in frames)
    if not start <= frame < stop:
        return None
    return Proposal(frame, max(earliest, start), min(latest, stop - 1), len(learned))


Array = NDArray[np.float32]
WINDOW = 8
"""Frames before and after a landmark that stand for it (ours)."""
MOST = 8
APART_SHARE = 0.005
"""Suggestions lie at least this share of the study apart (ours)."""
CHUNK = 8192


@dataclass(frozen=True, slots=True)
class Reference:
    """A landmark of another study."""

    study_name: str  # what the list of studies calls it
    path: Path  # its embedding file
    cut: int  # the first frame after the landmark's border: the landmark itself, of the end the frame after it
    recording: str = ""  # fingerprint of its recording; empty where it is not known


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A frame that may be the landmark: its `likeness` (cosine, in [-1, 1]) to that of the study `like`."""

    frame_index: int
    likeness: float
    like: str


@dataclass(frozen=True, slots=True)
class Found:
    """A proposal if there is one, the suggestions, best first, and how many studies they were compared with."""

    region: Region
    suggestions: tuple[Suggestion, ...]
    studies: int
    proposal: Proposal | None = None


def references(session: Session, region: Region) -> tuple[Reference, ...]:
    """The landmark of all other studies that were scored by the model in use.

    Raises:
        UserError: the open study has no scores, or no other study has this landmark and scores.
    """
    reading = session.reading
    if reading is None or reading.flags.embeddings is None:
        raise UserError(
            "This study was not scored by the model in use.", "Press {key} to score it.", key_of("score_study")
        )
    study = reading.study
    recording = study.second_of or study.study_id
    others = [other for other in session.library.studies.all() if recording not in (other.study_id, other.second_of)]
    marks = [(other, first_frames(session.library.annotations.landmarks(other.study_id))) for other in others]
    marked = [(other, frames[region] + (region is Region.END)) for other, frames in marks if region in frames]
    if not marked:
        raise UserError(
            "No other study has a {landmark} yet, so there is nothing to compare with.",
            "Set it in other studies; frames like it are then suggested here.",
            Text(region.landmark),
        )
    model_id, files = session.model_id, session.files
    scored = [(other, cut) for other, cut in marked if files(other).has_scores(model_id)]
    if not scored:
        raise UserError(
            "No other study with a {landmark} was scored by the model in use.",
            "Score one of them first.",
            Text(region.landmark),
        )
    return tuple(
        Reference(other.name, files(other).scores_path(model_id), cut, other.fingerprint) for other, cut in scored
    )


def search(session: Session, region: Region) -> Callable[[Callable[[], None]], Found]:
    """What finds the suggestions in another thread, given a function that raises when it shall stop."""
    reading = session.reading
    learned, can_propose = _head(session, region)
    try:
        examples = references(session, region)
    except UserError:
        if not can_propose:
            raise
        examples = ()
    assert reading is not None
    assert reading.flags.embeddings is not None
    recording = reading.study.fingerprint
    path, (start, stop) = (
        reading.flags.embeddings.path,
        room_for(reading.entries.landmarks, region, reading.frame_count),
    )

    def find(check: Callable[[], None]) -> Found:
        with EmbeddingFile.open(path, recording) as file:
            found = suggest(file, examples, start, stop, region, check)
            proposal = propose(file, learned, region, start, stop, check) if can_propose else None
            return Found(region, found, len(examples), proposal)

    return find


def _head(session: Session, region: Region) -> tuple[tuple[Learned, ...], bool]:
    """The studies that organs are learned from, and whether there is anything to propose this landmark by."""
    embeddings = session.reading.flags.embeddings if session.reading is not None else None
    if embeddings is None or region not in PROPOSED:
        return (), False
    learned = learned_studies(session)
    return learned, bool(learned) or shipped_head(embeddings.header.model_sha256).is_file()


def suggest(
    file: EmbeddingFile,
    examples: Sequence[Reference],
    start: int,
    stop: int,
    region: Region,
    check: Callable[[], None] = lambda: None,
) -> tuple[Suggestion, ...]:
    """The frames of a study that look most like a border between the frames before and after a landmark elsewhere.

    The likeness of a border is the mean cosine of the `WINDOW` frames after it with the mean of those after the known
    landmark, averaged with the same before it (ours).

    Args:
        file: of the study.
        known: landmarks of other studies, in the same space.
        start, stop: frames in question.
        region: whose landmark it is.
        check: raises when the search shall stop.
    """
    best = np.full(len(file), -np.inf, np.float32)
    source = np.zeros(len(file), np.int64)
    for number, reference in enumerate(examples):
        likeness = _likeness(file, *_sides(reference), check)
        is_better = likeness > best
        best[is_better], source[is_better] = likeness[is_better], number
    frames = file.frame_index - (region is Region.END)
    best[(frames < start) | (frames >= stop) | ~np.isfinite(best)] = -np.inf
    apart = max(WINDOW, round(len(file) * APART_SHARE))
    return tuple(
        Suggestion(int(frames[row]), float(best[row]), examples[source[row]].study_name) for row in _peaks(best, apart)
    )


def _sides(reference: Reference) -> tuple[Array | None, Array | None]:
    """(D,) unit vectors of the frames before and after the border of a known landmark; None without any frame."""
    with EmbeddingFile.open(reference.path, reference.recording) as file:
        row = int(np.searchsorted(file.frame_index, reference.cut))
        before = _unit(file.embeddings[max(0, row - WINDOW) : row])
        after = _unit(file.embeddings[row : row + WINDOW])
    return _mean(before), _mean(after)


def _mean(vectors: Array) -> Array | None:
    total = vectors.sum(axis=0)
    length = float(np.linalg.norm(total)) if len(vectors) else 0.0
    return total / np.float32(length) if length > 0 else None


def _unit(vectors: NDArray[np.floating]) -> Array:
    """(n, D) float32 of length 1; zeros for frames that do not decode."""
    values: Array = np.nan_to_num(np.asarray(vectors, np.float32))
    lengths: Array = np.linalg.norm(values, axis=1, keepdims=True)
    return np.asarray(values / np.where(lengths > 0, lengths, 1), np.float32)


def _likeness(file: EmbeddingFile, before: Array | None, after: Array | None, check: Callable[[], None]) -> Array:
    """(N,) how much the border in front of each row looks like the known one; -inf where nothing can be compared."""
    known = [side for side in (before, after) if side is not None]
    if not known:
        return np.full(len(file), -np.inf, np.float32)
    cosines = np.empty((len(file), len(known)), np.float32)
    sides = np.stack(known, axis=1)
    for first in range(0, len(file), CHUNK):
        check()
        cosines[first : first + CHUNK] = _unit(file.embeddings[first : first + CHUNK]) @ sides
    total, count = np.zeros(len(file), np.float32), np.zeros(len(file), np.float32)
    if before is not None:
        means = _window_means(cosines[::-1, 0])[::-1]  # of the rows up to and with each
        total[1:] += means[:-1]
        count[1:] += 1
    if after is not None:
        total += _window_means(cosines[:, -1])
        count += 1
    # The start of the recording has nothing before it: it counts as less alike, not as more.
    return np.where(count > 0, total / np.float32(len(known)), -np.inf).astype(np.float32)


def _window_means(values: Array) -> Array:
    """(N,) mean of each value and the `WINDOW` - 1 after it, of fewer at the end."""
    sums = np.concatenate(([0.0], np.cumsum(values, dtype=np.float64)))
    stops = np.minimum(np.arange(len(values)) + WINDOW, len(values))
    counts = stops - np.arange(len(values))
    return ((sums[stops] - sums[:-1]) / counts).astype(np.float32)


def _peaks(values: Array, apart: int) -> list[int]:
    """At most `MOST` rows with the highest values, no two of them less than `apart` rows from each other."""
    left = values.copy()
    rows: list[int] = []
    while len(rows) < MOST:
        row = int(np.argmax(left))
        if left[row] == -np.inf:
            break
        rows.append(row)
        left[max(0, row - apart + 1) : row + apart] = -np.inf
    return rows
