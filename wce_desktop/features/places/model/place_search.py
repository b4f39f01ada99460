"""Searches other studies for a place; runs in a thread of the window."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from training.errors import UserError
from training.retrieval.search import find_clips
from training.runs.reporter import Reporter
from wce_desktop.core.clock import format_time
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.features.places.model.place_query import PlaceQuery
from wce_desktop.features.places.model.study_clips import StudyClips, clip_of_place, clips_of_study
from wce_desktop.session.session import Session

LISTED = 30
"""Places that are listed, of all studies searched."""
KEPT_BYTES = 256 * 2**20
"""Memory for the clips of the studies searched last, which a next search finds again."""


@dataclass(frozen=True)
class FoundPlace:
    """A clip of another study; `similarity` is a cosine in [-1, 1]."""

    study_id: str
    span: Span
    similarity: float


@dataclass(frozen=True)
class FoundPlaces:
    """What a search has found.

    Attributes:
        places: the most similar one first.
        notes: sentences about studies that could not be searched.
        searched: how many studies were.
    """

    query: PlaceQuery
    places: tuple[FoundPlace, ...]
    notes: tuple[str, ...]
    searched: int


class PlaceSearch:
    """Keeps the clips of the studies searched last."""

    def __init__(self, session: Session) -> None:
        self._library, self._files = session.library, session.files
        self._kept: OrderedDict[tuple[Path, int, float], StudyClips] = OrderedDict()

    def find(self, query: PlaceQuery, studies: Sequence[Study], model_id: str, reporter: Reporter) -> FoundPlaces:
        """The places of some studies that look like a place; studies that the model has not scored are left out.

        Raises:
            UserError: the study of the place was not scored, or none of its frames can be read.
        """
        path = self._files(self._library.study(query.study_id)).scores_path(model_id)
        place = clip_of_place(path, query.span, reporter.check)
        if not place.clips.vectors.any():
            raise UserError("No frame of this place can be read.", "Mark other frames: I and O.")
        found: list[FoundPlace] = []
        notes: list[str] = []
        scored = [study for study in studies if self._files(study).scores_path(model_id).is_file()]
        for done, study in enumerate(scored):
            reporter.check()
            reporter.progress(done, len(scored), "studies", "Searching")
            try:
                found += self._find_in(study, place, model_id, reporter)
            except UserError as error:
                notes.append(f"“{study.name}” was left out. {error.message} {error.hint}")
        found.sort(key=lambda one: -one.similarity)
        return FoundPlaces(query, tuple(found[:LISTED]), tuple(notes), len(scored) - len(notes))

    def _find_in(self, study: Study, place: StudyClips, model_id: str, reporter: Reporter) -> list[FoundPlace]:
        held = self._clips_of(self._files(study).scores_path(model_id), place.seconds, reporter)
        if held.space != place.space:
            raise UserError("Its scores were made by another model of this name.", "Score it again: S.")
        if place.seconds > held.seconds:
            lasts, there = format_time(place.seconds), format_time(held.seconds)
            raise UserError(f"The place lasts {lasts}, longer than the study ({there}).", "Mark fewer frames.")
        clips = held.clips
        rows = find_clips(place.clips.vectors, clips, count=LISTED)
        return [
            FoundPlace(study.study_id, Span(int(clips.starts[row]), int(clips.stops[row])), float(similarity))
            for row, similarity in zip(rows.rows, rows.similarities, strict=True)
        ]

    def _clips_of(self, path: Path, seconds: float, reporter: Reporter) -> StudyClips:
        key = path, path.stat().st_mtime_ns, round(seconds, 3)
        if key not in self._kept:
            self._kept[key] = clips_of_study(path, seconds, reporter.check)
        self._kept.move_to_end(key)
        found = self._kept[key]
        while len(self._kept) > 1 and sum(held.clips.vectors.nbytes for held in self._kept.values()) > KEPT_BYTES:
            self._kept.popitem(last=False)
        return found
