"""Searches other studies for a place; runs in a thread of the window."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from training.errors import UserError
from training.retrieval.clips import find_clips
from training.runs.reporter import Reporter
from training.texts import Text
from wce_desktop.core.clock import format_time
from wce_desktop.core.language import tr
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.features.places.model.place_query import PlaceQuery
from wce_desktop.features.places.model.study_clips import ClipSource, StudyClips, UnusableClipsError
from wce_desktop.session.keys import key_of
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
        unusable: ids of the studies whose clips can be made anew, since their file cannot be used.
    """

    query: PlaceQuery
    places: tuple[FoundPlace, ...]
    notes: tuple[str, ...]
    searched: int
    unusable: tuple[str, ...] = ()


class PlaceSearch:
    """Keeps the clips of the studies searched last."""

    def __init__(self, session: Session) -> None:
        self._library, self._files = session.library, session.files
        self._kept: OrderedDict[tuple[Path, int, float], StudyClips] = OrderedDict()

    def find(self, query: PlaceQuery, studies: Sequence[Study], source: ClipSource, reporter: Reporter) -> FoundPlaces:
        """The places of some studies that look like a place; studies without clips of this source are left out.

        Raises:
            UserError: the study of the place has no clips, or none of the place's frames can be read.
        """
        here = self._library.studies.get(query.study_id)
        path = self._path(here, source)
        if path is None:
            raise UserError(Text(source.words.missing, studies=here.name), source.words.first)
        try:
            place = source.of_place(path, here, query.span, reporter.check)
        except UnusableClipsError as error:
            note = tr("“{study}” cannot be compared. {why}", study=here.name, why=error)
            return FoundPlaces(query, (), (note,), 0, (here.study_id,))
        if not place.clips.vectors.any():
            raise UserError(
                "No frame of this place can be read.",
                "Mark other frames: {mark_start} and {mark_stop}.",
                key_of("mark_start"),
                key_of("mark_stop"),
            )
        found: list[FoundPlace] = []
        notes: list[str] = []
        unusable: list[str] = []
        ready = [(study, path) for study in studies if (path := self._path(study, source)) is not None]
        for done, (study, path) in enumerate(ready):
            reporter.check()
            reporter.progress(done, len(ready), "studies", "Searching")
            try:
                found += self._find_in(study, path, place, source, reporter)
            except UserError as error:
                why = str(error)
                notes.append(tr("“{study}” was left out. {why}", study=study.name, why=why))
                unusable += [study.study_id] if isinstance(error, UnusableClipsError) else []
        found.sort(key=lambda one: -one.similarity)
        return FoundPlaces(query, tuple(found[:LISTED]), tuple(notes), len(ready) - len(notes), tuple(unusable))

    def _path(self, study: Study, source: ClipSource) -> Path | None:
        """The file with the clips of a study, if it is there."""
        path = source.path(self._files(study))
        return path if path is not None and path.is_file() else None

    def _find_in(
        self, study: Study, path: Path, place: StudyClips, source: ClipSource, reporter: Reporter
    ) -> list[FoundPlace]:
        held = self._clips_of(study, path, place.seconds, source, reporter)
        if held.space != place.space:
            raise source.other_space
        if place.seconds > held.seconds:
            lasts, there = format_time(place.seconds), format_time(held.seconds)
            raise UserError(
                "The place lasts {time}, longer than the study ({there}).", "Mark fewer frames.", lasts, there
            )
        clips = held.clips
        rows = find_clips(place.clips.vectors, clips, count=LISTED)
        return [
            FoundPlace(study.study_id, Span(int(clips.starts[row]), int(clips.stops[row])), float(similarity))
            for row, similarity in zip(rows.rows, rows.similarities, strict=True)
        ]

    def _clips_of(self, study: Study, path: Path, seconds: float, source: ClipSource, reporter: Reporter) -> StudyClips:
        key = path, path.stat().st_mtime_ns, round(seconds, 3)
        if key not in self._kept:
            self._kept[key] = source.of_study(path, study, seconds, reporter.check)
        self._kept.move_to_end(key)
        found = self._kept[key]
        while len(self._kept) > 1 and sum(held.clips.vectors.nbytes for held in self._kept.values()) > KEPT_BYTES:
            self._kept.popitem(last=False)
        return found
