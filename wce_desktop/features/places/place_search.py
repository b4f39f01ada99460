"""Searches other studies for a place (the marked span, finding or event, or around the frame); runs in a thread."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from training.errors import UserError
from training.retrieval.clips import find_clips
from training.runs.reporter import Reporter
from training.texts import Text
from wce_desktop.core import Span, counted, format_time, to_translate, tr, tr_count
from wce_desktop.core.annotation import Finding
from wce_desktop.core.study import Study
from wce_desktop.features.places.study_clips import ClipSource, SourceWords, StudyClips, UnusableClipsError
from wce_desktop.session.keys import key_of
from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session


@dataclass(frozen=True)
class StudyChoice:
    """A row of the list of studies."""

    key: str  # by which the row is known again after clips of studies were made
    title: str
    studies: tuple[Study, ...]  # that are searched
    missing: tuple[Study, ...]  # those of them that have no clips of the search's source

    @property
    def ready(self) -> tuple[str, ...]:
        """The ids of the studies that can be searched."""
        return tuple(study.study_id for study in self.studies if study not in self.missing)


def study_choices(
    studies: Sequence[Study],
    here: Study,
    is_there: Callable[[Study], bool],
    state: str,
) -> list[StudyChoice]:
    """The rows for the study that is compared: all of its patient first, then all others, then each by itself.

    Studies of the same patient come before others.

    Args:
        studies: of the library.
        here: the study that is compared.
        is_there: whether a study has clips of the search's source.
        state: behind the title of a study that has none.
    """
    others = [study for study in studies if study.study_id != here.study_id]
    own = [study for study in others if study.patient_id == here.patient_id]
    strangers = [study for study in others if study.patient_id != here.patient_id]

    def choice(key: str, title: str, rows: Sequence[Study]) -> StudyChoice:
        missing = tuple(study for study in rows if not is_there(study))
        return StudyChoice(key, f"{title} · {state}" if len(rows) == 1 and missing else title, tuple(rows), missing)

    choices: list[StudyChoice] = []
    if own:
        choices.append(choice("own", tr("All studies of this patient ({count})", count=len(own)), own))
    if strangers:
        choices.append(choice("others", tr("All other studies ({count})", count=len(others)), others))
    for study in (*own, *strangers):
        whose = f" · {tr('this patient')}" if study in own else ""
        choices.append(choice(f"study {study.study_id}", f"{study.shown_name}{whose}", [study]))
    return choices


def missing_words(studies: Sequence[Study], words: SourceWords, is_waiting: Callable[[Study], bool]) -> str:
    """Which studies have no clips, and whether a job makes them; "" for no studies."""
    waiting = [study.shown_name for study in studies if is_waiting(study)]
    missing = [study.shown_name for study in studies if not is_waiting(study)]
    sentences = []
    if waiting:
        sentences.append(tr(words.waiting, studies=_names(waiting)))
    if missing:
        sentences.append(tr(words.missing, studies=_names(missing)))
    return " ".join(sentences)


def _names(names: Sequence[str], most: int = 3) -> str:
    more, named = len(names) - most, ", ".join(names[:most])
    if more <= 0:
        return named
    return tr_count("{names} and {count} other", "{names} and {count} others", more, names=named)


FRAMES_AROUND = 8
"""Frames before and behind the frame on screen where nothing is marked and nothing flagged."""
LEAST_FRAMES = 4
"""A shorter place is widened to so many frames: one frame alone says little."""


@dataclass(frozen=True)
class PlaceQuery:
    """A place of a study."""

    study_id: str
    patient_id: str
    span: Span  # its frames
    frame_index: int  # the frame of it that is shown
    words: str  # what it is, for the reader


def place_query(reading: Reading) -> PlaceQuery:
    """The marked span; else the finding, else the event on screen; else the frames around the frame on screen."""
    frame, event = reading.place.frame_index, reading.event_here()
    finding = next((finding for finding in reading.entries.findings if frame in finding.span), None)
    if reading.place.is_span_marked:
        span, what = reading.place.span_to_label(), to_translate("{frames} from {time} (the marked span)")
    elif finding is not None:
        span, what = finding.span, to_translate("{frames} from {time} (the finding here)")
    elif event is not None:
        span, what = event.span, to_translate("{frames} from {time} (the flag here)")
    else:
        first, last = frame - FRAMES_AROUND, frame + FRAMES_AROUND
        span, what = (
            Span(max(0, first), min(reading.frame_count, last + 1)),
            to_translate("{frames} from {time} (around this frame)"),
        )
    span = _widened(span, reading.frame_count)
    start = format_time(float(reading.index.video_seconds[span.start]))
    words = tr(what, frames=counted(len(span), "frame"), time=start)
    shown = frame if frame in span else (span.start + span.stop) // 2
    return PlaceQuery(reading.study.study_id, reading.study.patient_id, span, shown, words)


def finding_query(study: Study, finding: Finding, frame_index: int, title: str, seconds: float) -> PlaceQuery:
    """A finding of a study that need not be open; its key frame where its span does not hold it.

    Args:
        frame_index: the frame that stands for it.
        title: of its class.
        seconds: the time of this frame.
    """
    span = finding.span if frame_index in finding.span else Span(frame_index, frame_index + 1)
    span = _widened(span, study.frame_count)
    words = tr("{title} of an earlier study, at {time}", title=title, time=format_time(seconds))
    return PlaceQuery(study.study_id, study.patient_id, span, frame_index, words)


def _widened(span: Span, frame_count: int) -> Span:
    """A span of `LEAST_FRAMES` at least, where the study has so many."""
    first = max(0, min(span.start - max(0, LEAST_FRAMES - len(span)) // 2, frame_count - LEAST_FRAMES))
    return Span(min(first, span.start), min(frame_count, max(span.stop, first + LEAST_FRAMES)))


def check_place(reading: Reading, other_studies: int, *, needs_scores: bool = True) -> None:
    """Check that places of the open study can be searched for.

    Args:
        reading: the open study.
        other_studies: of the library.
        needs_scores: places can only be compared by stored embeddings.

    Raises:
        UserError: the model in use has not scored it, or there is no other study.
    """
    if not other_studies:
        raise UserError("The library has no other study.", "Open another study with {key} first.", key_of("open_files"))
    if needs_scores and reading.flags.embeddings is None:
        raise UserError("This study was not scored by the model in use.", "Score it: {key}.", key_of("score_study"))


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
    """What a search has found."""

    query: PlaceQuery
    places: tuple[FoundPlace, ...]  # the most similar one first
    notes: tuple[str, ...]  # sentences about studies that could not be searched
    searched: int  # how many studies were
    unusable: tuple[str, ...] = ()  # ids of the studies whose clips can be made anew, since their file cannot be used


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
        path = self.path(here, source)
        if path is None:
            raise UserError(Text(source.words.missing, studies=here.shown_name), source.words.first)
        try:
            place = source.of_place(path, here, query.span, reporter.check)
        except UnusableClipsError as error:
            note = tr("“{study}” cannot be compared. {why}", study=here.shown_name, why=error)
            return FoundPlaces(query, (), (note,), 0, (here.study_id,))
        if not place.clips.vectors.any():
            raise UserError(
                "No frame of this place can be read.",
                "Mark other frames: {mark_start} and {mark_stop}.",
                key_of("mark_start"),
                key_of("mark_stop"),
            )
        places: list[FoundPlace] = []
        notes: list[str] = []
        unusable: list[str] = []
        ready = [(study, path) for study in studies if (path := self.path(study, source)) is not None]
        for done, (study, path) in enumerate(ready):
            reporter.check()
            reporter.progress(done, len(ready), "studies", "Searching")
            try:
                places += self._find_in(study, path, place, source, reporter)
            except UserError as error:
                why = str(error)
                notes.append(tr("“{study}” was left out. {why}", study=study.shown_name, why=why))
                unusable += [study.study_id] if isinstance(error, UnusableClipsError) else []
        places.sort(key=lambda place: -place.similarity)
        return FoundPlaces(query, tuple(places[:LISTED]), tuple(notes), len(ready) - len(notes), tuple(unusable))

    def path(self, study: Study, source: ClipSource) -> Path | None:
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
        result = self._kept[key]
        while len(self._kept) > 1 and sum(held.clips.vectors.nbytes for held in self._kept.values()) > KEPT_BYTES:
            self._kept.popitem(last=False)
        return result
