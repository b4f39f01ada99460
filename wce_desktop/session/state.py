"""What is open and selected, and the signals: shared by all parts of the session."""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import psygnal
from numpy.typing import NDArray

from training.embeddings.file import EmbeddingFile
from training.errors import UserError
from training.metrics.operating_points import RATES, USUAL_RATE, threshold_at
from training.models.linear_classifier import LinearClassifier
from training.models.scores import SCORES
from training.runs.provenance import patients_seen
from training.runs.reporter import Reporter
from wce_desktop.core.annotation.label import NORMAL
from wce_desktop.core.annotation.vocabulary import Vocabulary
from wce_desktop.core.rates import FEWEST_FRAMES, Stated
from wce_desktop.core.selection import FrameSelection
from wce_desktop.core.span import Span, SpanSet
from wce_desktop.core.study import Study
from wce_desktop.library import Library, Model
from wce_desktop.library.exchange.exporting import implicit_normals
from wce_desktop.library.run_files import read_card
from wce_desktop.library.sharing.listening import mark_of
from wce_desktop.session.completeness import protocol
from wce_desktop.session.places import account_name
from wce_desktop.session.reading import Reading
from wce_desktop.session.settings import Settings
from wce_desktop.session.study_files import StudyFiles, stated_thresholds

# Thresholds from the frames that readers of this library confirmed as normal, for a device that the card lacks.
#
# They are those labelled as normal and, of finished readings, those that were seen and not labelled. A study counts
# where at least half of it was confirmed, since readers who went to the flags only confirmed frames of high scores:
# among the frames that are left no more than as many again could reach a threshold. Patients whose frames the model was
# trained on do not count: such frames score too low.


LEAST_SHARE = 0.5
FEWEST_STUDIES = 3
"""Frames of a single other patient flag about twice as many normal frames as stated (docs/results/models.md)."""
MOST_STUDIES, MOST_OF_STUDY = 10, 2000
"""The newest studies, and frames evenly over each: enough for 0.5 of 1,000."""


def stated_by_library(library: Library, model: Model, study: Study) -> Stated | None:
    """From the studies of the same source; from this study alone where the source is not known, or they are fewer than
    `FEWEST_STUDIES`.

    None with fewer than `FEWEST_FRAMES` frames. Reads files, at most `MOST_STUDIES`.
    """
    try:
        learned = patients_seen(read_card(model))
    except UserError:
        return None
    studies = [study]
    if study.source:
        others = [each for each in library.studies.all() if each.source == study.source]
        others = [each for each in others if each.recording_id != study.recording_id]  # a second reading is its own
        studies += sorted(others, key=lambda each: each.created_utc, reverse=True)
    found = dict[str, dict[str, NDArray[np.float32]]]()
    for each in studies:
        if each.patient_id not in learned and (tracks := _confirmed(library, model, each)):
            found[each.study_id] = tracks
        if len(found) == MOST_STUDIES:
            break
    own = [found[study.study_id]] if study.study_id in found else []
    parts = own if len(found) < FEWEST_STUDIES else list(found.values())
    frames = sum(len(next(iter(part.values()))) for part in parts)
    if frames < FEWEST_FRAMES:
        return None
    every = {name: np.concatenate([part[name] for part in parts]) for name in model.classes if name != NORMAL}
    thresholds = {name: _rates(track) for name, track in every.items()}
    return Stated(thresholds, frames, len(parts))


def _rates(track: NDArray[np.float32]) -> dict[float, float]:
    return {rate: threshold for rate in RATES if (threshold := threshold_at(track, rate)) is not None}


def _confirmed(library: Library, model: Model, study: Study) -> dict[str, NDArray[np.float32]]:
    """Class -> scores of the confirmed normal frames; empty where too little was confirmed, or nothing is scored."""
    spans = _normal_spans(library, study)
    if sum(map(len, spans)) < LEAST_SHARE * study.frame_count:
        return {}
    files = StudyFiles(library.studies.folder(study.recording_id), study.fingerprint)
    try:
        with files.open_embeddings(files.scores_path(model.model_id)) as file:
            rows = np.flatnonzero(SpanSet(spans).to_mask(study.frame_count)[file.frame_index])
            rows = rows[np.unique(np.linspace(0, len(rows) - 1, min(len(rows), MOST_OF_STUDY)).astype(np.int64))]
            values = file.scores
            if values is None or file.header.classes != model.classes:
                return {}
            values = values[rows]
    except (UserError, IndexError):
        return {}
    values = values[~np.isnan(values).any(axis=1)]
    return {name: values[:, column] for column, name in enumerate(model.classes) if name != NORMAL and len(values)}


def _normal_spans(library: Library, study: Study) -> list[Span]:
    labelled: Iterable[Span] = (
        label.span
        for label in library.annotations.labels(study.study_id)
        if label.name == NORMAL and not label.is_from_rejecting
    )
    return [*labelled, *(Span(row.start, row.stop) for row in implicit_normals(library, study))]


ROWS = 4096
"""Frames that are scored together; in between the work can be cancelled."""


@dataclass(frozen=True, eq=False)
class LiveHead:
    """A linear classifier of the embeddings of one network."""

    model_id: str  # the model in use, whose network made the embeddings
    classes: tuple[str, ...]  # C names, normal first
    classifier: LinearClassifier  # of the embeddings
    counts: Mapping[str, int]  # labelled frames of each class that it was fitted to

    def scores(self, file: EmbeddingFile, reporter: Reporter) -> NDArray[np.float32]:
        """(N, C) float32 in [0, 1]: scores of every frame of an embedding file, NaN where a frame is missing.

        Raises:
            Cancelled: the reporter asked to end.
        """
        result = np.empty((len(file), len(self.classes)), np.float32)
        for start in range(0, len(file), ROWS):
            reporter.check()
            part = slice(start, start + ROWS)
            result[part] = self.classifier.scores(file.embeddings[part], SCORES)
        return result


def take_all(steps: Iterable[Callable[[], object]]) -> None:
    """Take every step, also after one of them raised; then raise the first error. The others are logged.

    Only a programming error leaves a traceback: while a server is away, each of them may fail for the same reason.
    """
    first: Exception | None = None
    for step in steps:
        try:
            step()
        except Exception as error:  # nobody goes without the news because another one failed
            if first is None:
                first = error
            else:
                cause = error.__cause__ if isinstance(error, psygnal.EmitLoopError) else error
                trace = None if isinstance(cause, UserError) else cause
                logging.getLogger(__name__).error("a further listener failed: %s", type(cause).__name__, exc_info=trace)
    if first is not None:
        raise first


class _ToAll(psygnal.SignalInstance):
    """Reaches every slot, also after one of them raised: then `emit` raises `EmitLoopError`."""

    def _run_emit_loop_immediate(self) -> None:
        arguments = self._emit_queue.popleft()
        take_all(partial(slot.cb, arguments) for slot in list(self._slots) if slot._is_alive())


Signal = partial(psygnal.Signal, signal_instance_class=_ToAll)


class SessionState:
    """The open and selected items; see `Session`."""

    studies_changed = Signal()
    present_changed = Signal()  # other readers opened or closed a study
    study_opened = Signal()
    study_closed = Signal()
    seen_saved = Signal()
    frame_changed = Signal(int)
    scores_changed = Signal()
    scores_grown = Signal()  # a running job has scored further frames of the open study
    events_changed = Signal()
    suggested_changed = Signal()  # the events are the same, grouped into other suggested findings or into none
    joining_changed = Signal()  # the suggested finding that is to be joined with another: see `Flags.joining`
    grouping_changed = Signal()  # what groups events into suggested findings was chosen
    comparing_changed = Signal()  # what compares places was chosen
    undone = Signal(object)  # the Edit that was undone, of the open study or of `undo_study`
    annotations_changed = Signal(object)  # the Edit that was made, or None when everything was read again
    seen_changed = Signal()
    span_changed = Signal()
    selection_changed = Signal()
    model_changed = Signal()
    scoring_changed = Signal()
    live_changed = Signal()  # the live scores of the open study, or whether they flag frames
    explained_changed = Signal()
    vocabulary_changed = Signal()
    classes_switched = Signal()  # a class was switched off or on
    runs_changed = Signal()  # a run was started, has ended, or was deleted
    settings_changed = Signal()  # in the dialog of settings
    saved = Signal(object)  # the title of an edit
    remarked = Signal(object)  # a sentence

    def __init__(self, library: Library, settings: Settings, vocabulary: Vocabulary) -> None:
        self.library = library
        self.settings = settings
        self.vocabulary = vocabulary
        self.own_reader = library.reader
        """Who reads; in a second reading `library.reader` is its reader."""
        self.reading: Reading | None = None
        self.current_model: Model | None = library.models.current
        self.live_head: LiveHead | None = None
        """What the live scores come from, while they are on."""
        self.flags_by_live = False
        """Whether the live head, while there is one, flags frames and suggests what to label next."""
        self.present: Mapping[str, tuple[str, ...]] = {}
        """What stands for a study (`server.mark_of`) -> the accounts at other windows that have it open."""
        self.selection = FrameSelection()
        self.undo_study = ""
        """The study to which undo applies; "" for the open one, and after every edit."""
        self.scoring: frozenset[tuple[str, str]] = frozenset()
        """Study and model of each scoring that waits or runs; see `set_scoring`."""
        self.is_grouping = False
        self.is_frame_shown = True  # not behind another page, such as the overview
        """Whether the events of the open study are being grouped into suggested findings."""
        self.explained: str | None = None
        """The class that the overlay explains; see `explain`."""
        self._by_library: dict[tuple[str, str], Stated | None] = {}
        """Model and source, or study -> see `stated_by_library`; kept so that nothing moves while a study is read."""
        self.ask_reader: Callable[[], str] | None = None
        """Asks who reads, before the first study is opened for reading; "" without an answer."""
        self._cards: dict[tuple[Path, str], dict[str, Any]] = {}
        self._unsaved_seen = SpanSet()
        self._unsaved_fast = SpanSet()
        self._unsaved_speeds: Counter[int] = Counter()

    def sign_as_reader_of(self, study: Study) -> None:
        """Give what is entered from now on the name of who reads: the second reader's, that of the settings, or of the
        patient record."""
        named = self.own_reader if self.settings["reader"] else study.read_by
        self.library.reader = self.library.account or study.second_reader or named or self.own_reader

    def take_reader(self) -> None:
        """Give what is entered from now on the name in the settings, or that of the account."""
        name = self.library.account or self.settings["reader"] or account_name()
        self.own_reader = self.library.reader = name
        if self.reading is not None:
            self.sign_as_reader_of(self.reading.study)

    def keep_reader(self, name: str, study: Study | None = None, replaced: str = "") -> None:
        """Let the reader of a study (None: of all) enter all studies, unless the settings name another than `replaced`.

        A second reader is the reader of one reading only.
        """
        if name and self.settings["reader"] in {"", replaced} and not (study and study.second_of):
            self.settings.set("reader", name)
            self.take_reader()

    def settle_reader(self, study: Study | None) -> None:
        """Ask once who reads a study (None: a new one), if only the account is known and the library can be written."""
        is_named = (
            self.library.account
            or self.settings["reader"]
            or (study is not None and (study.read_by or study.second_of))
        )
        if self.ask_reader is not None and not is_named and not self.library.read_only:
            ask, self.ask_reader = self.ask_reader, None
            self.keep_reader(ask())

    def read_now_by(self, study_id: str) -> str:
        """The names of others who have a study, or a second reading of it, open; empty: nobody."""
        return ", ".join(self.present.get(mark_of(study_id), ()))

    @property
    def open_id(self) -> str:
        """The id of the open study; empty: none is open."""
        return "" if self.reading is None else self.reading.study.study_id

    def opened(self) -> Reading:
        """The open study; `UserError` where none is open."""
        if self.reading is None:
            raise UserError("No study is open.", "Open a study first.")
        return self.reading

    def files(self, study: Study, *, has_all_classes: bool = False) -> StudyFiles:
        """The files that the library keeps beside a study's rows, without scores of classes that are switched off."""

        def stated(model_id: str) -> Stated:
            model = next((model for model in self.library.models.all() if model.model_id == model_id), None)
            if model is None:
                return Stated({})
            by_card = Stated(stated_thresholds(self.card(model), study))
            if any(USUAL_RATE in rates for rates in by_card.thresholds.values()):
                return by_card
            key = model_id, study.source or study.study_id
            if key not in self._by_library:
                self._by_library[key] = stated_by_library(self.library, model, study)
            return self._by_library[key] or by_card

        off = () if has_all_classes else self.vocabulary.off
        folder = self.library.studies.folder(study.recording_id)
        return StudyFiles(folder, study.fingerprint, stated, off, lambda: protocol.hides_flags(self, study))

    def card(self, model: Model, *, anew: bool = False) -> dict[str, Any]:
        """A model's card; read `anew` with its scores, and not at each look: a share may answer late."""
        key = model.folder, model.weights_sha256
        if (anew or key not in self._cards) and (card := read_card(model)):
            self._cards[key] = card
        return self._cards.get(key, {})

    def update_study(self, **fields: Any) -> None:
        """Change fields of the open study in the library."""
        reading = self.opened()
        reading.study = self.library.studies.update(reading.study.study_id, seen=reading.study, **fields)
        self.studies_changed.emit()

    @property
    def model_id(self) -> str:
        """The name of the current model; empty when there is none."""
        return self.current_model.model_id if self.current_model else ""
