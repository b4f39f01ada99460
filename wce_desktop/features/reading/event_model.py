"""The flagged events, or the suggested findings with their parts, as a Qt model."""

import numpy as np
from PySide6 import QtCore

from wce_desktop.core import counted, format_time, score_text, to_translate, tr
from wce_desktop.core.event import Event, EventList
from wce_desktop.core.suggested import earlier_words
from wce_desktop.session.model_notes import calibrated_words
from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session
from wce_desktop.widgets.plain_text import plain

Index = QtCore.QModelIndex | QtCore.QPersistentModelIndex
EVENT_ROLE = QtCore.Qt.ItemDataRole.UserRole
JOINING = to_translate("to be joined")
ANSWERS = {"accepted": to_translate("accepted"), "rejected": to_translate("rejected"), "": ""}


def is_joining(reading: Reading, event: Event) -> bool:
    """Whether the suggested finding of an event is to be joined with another one."""
    joining, main_of = reading.flags.joining, reading.flags.main_of
    return joining is not None and main_of(joining) == main_of(event)


def answer_words(reading: Reading, event: Event) -> str:
    """The answer to an event; where the parts of its suggested finding have several, how many have one."""
    parts = reading.flags.parts_of(event)
    answers = [reading.answer(part) for part in parts]
    if len(set(answers)) == 1:
        return tr(ANSWERS[answers[0]])
    return tr("{count} of {parts} parts answered", count=sum(map(bool, answers)), parts=len(parts))


class EventListModel(QtCore.QAbstractListModel):
    """The events of the open study in the order chosen; whether they were seen is asked of the session.

    Where events are grouped, a row is a suggested finding, and its event is the main part.
    """

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._events = EventList()

    def set_events(self, events: EventList) -> None:
        """Show these events."""
        self.beginResetModel()
        self._events = events
        self.endResetModel()

    def row_of(self, event: Event | None) -> int:
        """The row of an event, or of the suggested finding that it is a part of; or -1."""
        reading = self._session.reading
        if event is not None and reading is not None:
            event = reading.flags.main_of(event)
        return self._events.row_of(event)

    def nearest_row(self, event: Event) -> int:
        """The row of an event, or of the one nearest to it in the order shown; the list is not empty."""
        row = self.row_of(event)
        if row >= 0:
            return row
        if self._events.order == "score":
            return int(np.abs(self._events.peak_scores - event.peak_score).argmin())
        return self.row_near(event.span.start)

    def row_near(self, frame_index: int) -> int:
        """The row of the event that begins nearest to a frame; the list is not empty."""
        return int(np.abs(self._events.starts - frame_index).argmin())

    def rows_with_parts(self) -> list[int]:
        """The rows of suggested findings that have several parts."""
        suggested = self._session.reading.flags.suggested if self._session.reading else None
        if suggested is None:
            return []
        counts = suggested.main_part_counts[suggested.ranking(self._events.order)]
        return list(map(int, np.flatnonzero(counts > 1)))

    def parts_of(self, row: int) -> list[Event]:
        """The parts of the suggested finding of a row, in order of time; empty where it has one part only."""
        reading = self._session.reading
        parts = reading.flags.parts_of(self._events[row]) if reading is not None else []
        return parts if len(parts) > 1 else []

    def rowCount(self, parent: Index = QtCore.QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """The number of events."""
        return 0 if parent.isValid() else len(self._events)

    def data(self, index: Index, role: int = QtCore.Qt.ItemDataRole.DisplayRole) -> object:
        """The event of a row, and its text for screen readers."""
        if not index.isValid():
            return None
        event = self._events[index.row()]
        if role == EVENT_ROLE:
            return event
        if role in {QtCore.Qt.ItemDataRole.AccessibleTextRole, QtCore.Qt.ItemDataRole.DisplayRole}:
            return self._sentence(event)
        if role == QtCore.Qt.ItemDataRole.ToolTipRole:
            return plain("; ".join(filter(None, (self._sentence(event), calibrated_words(self._session, event)))))
        return None

    def _sentence(self, event: Event) -> str:
        title = self._session.vocabulary.of(event.name).shown_title
        reading = self._session.reading
        parts = reading.flags.parts_of(event) if reading is not None else [event]
        frames = counted(sum(len(part.span) for part in parts), "frame")
        values = {"title": title, "frames": frames, "time": self.time_of(parts[0])}
        message = tr("{title}, {frames}, at {time}, score {score}", **values, score=score_text(event.peak_score))
        suggested = reading.flags.suggested if reading is not None else None
        if suggested is not None:
            message = f"{message}, {tr('mean {score}', score=score_text(suggested.score_of(event)))}"
        if len(parts) > 1:
            times = ", ".join(map(self.time_of, parts))
            same = tr("{count} parts that seem to show the same, at {times}", count=len(parts), times=times)
            message = f"{message}; {same}"
        joining = tr(JOINING) if reading and is_joining(reading, event) else ""
        for note in (answer_words(reading, event), joining) if reading else ():
            message = f"{message}, {note}" if note else message
        earlier = suggested.earlier_of(event) if suggested is not None else None
        return message if earlier is None else f"{message}; {earlier_words(earlier, title)}"

    def time_of(self, event: Event) -> str:
        """The time of an event's first frame as h:mm:ss."""
        reading = self._session.reading
        return "" if reading is None else format_time(float(reading.index.video_seconds[event.span.start]))
