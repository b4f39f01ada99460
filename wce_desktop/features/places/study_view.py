"""One of two studies side by side: title, frame, timeline; read in a thread, without opening it in the session."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QStackedLayout, QWidget

from training.errors import UserError
from wce_desktop.core import format_frame, format_time, tr
from wce_desktop.core.annotation import NORMAL, Finding, LabelTrack, Landmark, Vocabulary
from wce_desktop.session.frame_facts import FramePlace, FramePlaces
from wce_desktop.session.session import Session
from wce_desktop.widgets.basic import as_widget, in_column, make_note
from wce_desktop.widgets.plain_text import PlainLabel, plain
from wce_desktop.widgets.player.player_view import PlayerView
from wce_desktop.widgets.theme import COLORS
from wce_desktop.widgets.timeline import TimelineView, Track


@dataclass(frozen=True, eq=False)
class ShownStudy:
    """A study, read only."""

    place: FramePlace  # where its frames are read
    tracks: dict[str, NDArray[np.float32]]  # class but normal -> (N,) scores of the model in use; none without scores
    colors: NDArray[np.uint8] | None  # (M, 3) mean tissue colours, or None
    threshold: float  # score at and above which a frame is flagged
    labels: LabelTrack
    findings: tuple[Finding, ...]
    landmarks: tuple[Landmark, ...]

    @property
    def study_id(self) -> str:
        """Its name in the library."""
        return self.place.study.study_id

    @property
    def name(self) -> str:
        """See `Study.shown_name`."""
        return self.place.study.shown_name

    @property
    def video_seconds(self) -> NDArray[np.float64]:
        """(N,) the times of its frames."""
        return self.place.index.video_seconds


Read = dict[str, ShownStudy | UserError]


class StudyReader:
    """Reads studies for one model; may be asked in any thread."""

    def __init__(self, session: Session) -> None:
        self._places = FramePlaces(session)
        self._library, self._files, self._model_id = session.library, session.files, session.model_id
        self._threshold = float(session.settings["threshold"])

    def read(self, study_ids: Sequence[str]) -> Read:
        """Studies with what is known of them; of one whose video is gone, the error."""
        result: Read = {}
        for study_id in study_ids:
            try:
                result[study_id] = self._read(study_id)
            except UserError as error:
                result[study_id] = error
        return result

    def _read(self, study_id: str) -> ShownStudy:
        place = self._places(study_id)
        tracks: dict[str, NDArray[np.float32]] = {}
        colors, frames = None, len(place.index)
        loaded = self._files(place.study).load_scores(self._model_id, frames) if self._model_id else None
        if loaded is not None:
            file, scores = loaded
            if scores is not None:
                tracks = {name: scores.dense(name, frames) for name in scores.classes if name != NORMAL}
            with file:
                colors = file.mean_color
        library = self._library
        return ShownStudy(
            place,
            tracks,
            colors,
            self._threshold if place.study.threshold is None else place.study.threshold,
            library.annotations.label_track(study_id),
            library.annotations.findings(study_id),
            library.annotations.landmarks(study_id),
        )


CACHE_BYTES = 64 * 2**20
TIMELINE_PX, PLAYER_PX = 190, 120
"""At most for the timeline, and at least for the frame."""


class StudyView(QWidget):
    """A player of its own, which marks nothing as seen and changes no study."""

    frame_changed = Signal(int)
    """Frame on screen."""
    frame_requested = Signal(int)
    """A click on the timeline."""
    steps_requested = Signal(int)
    """Frames to go; the wheel over the frame."""
    used = Signal()
    """The mouse is used here."""

    def __init__(self, vocabulary: Vocabulary, name: str, empty: str) -> None:
        """`name` is for screen readers; `empty` says what to do while there is no study."""
        super().__init__()
        self._vocabulary = vocabulary
        self.study: ShownStudy | None = None
        self.setAccessibleName(name)
        self._title = PlainLabel(name)
        self._title.setMinimumWidth(40)
        self._title.setWordWrap(True)
        self.player = PlayerView()
        self.player.transport.hide()
        self.player.setMinimumHeight(PLAYER_PX)  # the page without a study, which is never shown here, needs more
        self.player.controller.reader.cache_bytes = CACHE_BYTES
        self.player.frame_changed.connect(self._show_position)
        self.timeline = TimelineView()
        self.timeline.setMaximumHeight(TIMELINE_PX)
        self.timeline.frame_requested.connect(self.frame_requested)
        self.timeline.frame_requested.connect(lambda _: self.used.emit())
        self.player.frame_view.installEventFilter(self)
        shown = as_widget(in_column((self.player, 1), self.timeline, margins=0, spacing=2))
        self._empty = make_note(empty, is_centered=True)
        self._pages = QStackedLayout()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(shown)
        in_column(self._title, (self._pages, 1), of=self, margins=0, spacing=4)
        self.set_active(False)

    # What is shown

    def open(self, study: ShownStudy, frame_index: int) -> None:
        """Show a study at a frame."""
        self.study = study
        place = study.place
        self._pages.setCurrentIndex(1)
        timeline = self.timeline
        timeline.set_vocabulary(self._vocabulary)
        timeline.set_study(len(place.index), study.video_seconds)
        timeline.set_tracks([self._track(name, values) for name, values in study.tracks.items()])
        timeline.set_threshold(study.threshold)
        timeline.set_colors(study.colors)
        timeline.set_labels(study.labels.answers())
        timeline.set_findings(study.findings)
        timeline.set_landmarks(study.landmarks)
        self.player.open_path(place.path, place.index, frame_index)
        self.player.set_field_of_view(place.field_of_view)
        self._show_position(frame_index)

    def clear(self, sentence: str) -> None:
        """Show no study, and say why."""
        self.study = None
        self.player.close_study()
        self._empty.setText(sentence)
        self._pages.setCurrentIndex(0)
        self._title.setText("")

    def show_frame(self, frame_index: int) -> None:
        """Go to a frame, if it is not on its way already."""
        if self.study is not None and frame_index != self.position:
            self.player.show_frame(frame_index)

    def set_active(self, is_active: bool) -> None:
        """Mark the study that steps by frames; the other one follows it."""
        line = COLORS.accent if is_active else COLORS.border
        self._title.setStyleSheet(f"font-weight: bold; padding: 4px 6px; border-bottom: 2px solid {line}")

    # Where it is

    def shows(self, study_id: str) -> bool:
        """Whether this study is shown."""
        return self.study is not None and self.study.study_id == study_id

    @property
    def frame_index(self) -> int | None:
        """The frame on screen; None while there is none."""
        return self.player.frame_index if self.study is not None else None

    @property
    def position(self) -> int:
        """The frame that was asked for last."""
        return self.player.position

    @property
    def seconds(self) -> float:
        """The time of `position`."""
        assert self.study is not None
        return float(self.study.video_seconds[self.position])

    def frame_at(self, seconds: float) -> int:
        """The frame nearest to a time, the first or last one beyond the ends."""
        assert self.study is not None
        times = self.study.video_seconds
        after = min(int(np.searchsorted(times, seconds)), len(times) - 1)
        before = max(after - 1, 0)
        return before if seconds - times[before] <= times[after] - seconds else after

    @property
    def is_settled(self) -> bool:
        """Whether the frame that was asked for last is on screen, or there is no study."""
        return self.study is None or self.player.is_settled

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The wheel over the frame steps; with Ctrl it zooms."""
        if event.type() == QEvent.Type.Wheel and isinstance(event, QWheelEvent):
            self.used.emit()
            notches = event.angleDelta().y() / 120
            if notches and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.steps_requested.emit(-1 if notches > 0 else 1)
                event.accept()
                return True
        elif event.type() == QEvent.Type.MouseButtonPress:
            self.used.emit()
        return False

    def _track(self, name: str, values: NDArray[np.float32]) -> Track:
        entry = self._vocabulary.of(name)
        return Track(name, entry.shown_title, entry.color, values)

    def _show_position(self, frame_index: int) -> None:
        study = self.study
        if study is None:
            return
        time = format_time(float(study.video_seconds[frame_index]))
        number, count = format_frame(frame_index + 1), format_frame(len(study.video_seconds))
        place = tr("{time}  ·  frame {frame} of {count}", time=time, frame=number, count=count)
        self._title.setText(f"{study.name}\n{place}")
        self._title.setToolTip(plain(self._title.text()))
        self.timeline.set_cursor(frame_index)
        self.frame_changed.emit(frame_index)
