"""The FLAGS panel: events, sort order, threshold, and the number left to review."""

from collections.abc import Callable

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QPushButton, QStackedLayout, QWidget

from wce_desktop.core import counted, rates, to_translate, tr, tr_count
from wce_desktop.core.event import Event, Order
from wce_desktop.features.reading import further_parts
from wce_desktop.features.reading.budget import ReviewBudgetBar
from wce_desktop.features.reading.event_list import EventListView
from wce_desktop.features.reading.event_model import EVENT_ROLE, EventListModel
from wce_desktop.features.reading.event_painting import EventDelegate
from wce_desktop.features.reading.events import why_no_events
from wce_desktop.session import model_notes
from wce_desktop.session.session import Session
from wce_desktop.widgets import basic, key_texts
from wce_desktop.widgets.plain_text import PlainLabel, plain

THRESHOLD_STEPS = 100
UNANSWERED = to_translate(
    "Unanswered are flags that were neither accepted nor rejected nor labelled otherwise, seen or not."
)
UNSEEN = to_translate(
    "A flag is seen once its highest frame was on screen or it was answered, a flagged frame once it was on screen or "
    "labelled, accepted or rejected."
)
_OTHER_ORDER = {"time": to_translate("Sort by score"), "score": to_translate("Sort by time")}
"""Of an order, what a click does."""
LOW_PX, LOWEST_PX, LEAST_PX = 400, 340, 144
"""Heights of a panel in which notes leave the list no room, and in which the review budget leaves it none."""


class FlagsPanel(QWidget):
    """The list of events of the open study with the threshold below it."""

    event_chosen = Signal(object)
    threshold_changed = Signal(float)
    menu_requested = Signal(QPoint)
    """Screen position of a right click on an event, after highlighting it."""

    def __init__(self, session: Session, thumbnail: Callable[[int], QImage | None]) -> None:
        super().__init__()
        self._session = session
        self.order: Order = "time"
        self._shown_study = ""
        """The study whose events the list shows; "" for none, or for one whose place is not kept."""
        self._going_to: Event | None = None
        """The event that was chosen here, until its frame is on screen."""
        self.model = EventListModel(session)
        self._delegate = EventDelegate(session, thumbnail)
        self.list = EventListView(self.model, self._delegate)
        key_texts.give_keys(self.list)
        self.list.moved.connect(self._choose)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._ask_for_menu)
        self.list.clicked.connect(self._choose)
        self.list.activated.connect(self._choose)
        tip = tr(
            "Unlike the training: frames that look to the model like none that it was trained on, violet dashes on the "
            "timeline; about 5 % in studies like those of the training. More means another capsule or hospital, much "
            "bile or much blood: the scores are worth less, so read more yourself. A low figure does not mean that the "
            "scores are right, and it is no warning about findings that the model does not know."
        )
        self._model_notes = basic.make_note()
        self._model_notes.setToolTip(plain(tip))
        self._empty = basic.make_note(is_centered=True)
        self.next_step = QPushButton()
        self._order = basic.make_button(
            tr("Sort by score"), tr("Sort by the time of the first frame, or by score ({sort_events})")
        )
        self._order.setStyleSheet("QPushButton { padding: 3px; }")
        self._order.clicked.connect(self.switch_order)
        self._total, self._beside, self._below = basic.make_note(), basic.make_note(), basic.make_note()
        self.further = further_parts.FurtherParts(session, thumbnail)
        self.further.part_chosen.connect(self.event_chosen)
        self._slider = basic.make_slider(tr("Threshold"), 0, THRESHOLD_STEPS)
        self._slider.valueChanged.connect(lambda value: self.threshold_changed.emit(value / THRESHOLD_STEPS))
        self._value = PlainLabel()
        self._origin = basic.make_note()
        self.budget = ReviewBudgetBar(session.settings["review_percent"])
        self._arrange()
        self.refresh()

    def _arrange(self) -> None:
        empty = basic.as_widget(basic.in_column(1, self._empty, (self.next_step, 0, Qt.AlignmentFlag.AlignHCenter), 1))
        self._stack = QStackedLayout()
        self._stack.addWidget(self.list)
        self._stack.addWidget(empty)
        beside = basic.in_row((self._beside, 1), self._order, spacing=2)
        head = basic.in_column(self._total, beside, self._below, spacing=0)
        row = basic.in_row(PlainLabel(tr("Threshold")), (self._slider, 1), self._value, margins=0)
        self._threshold = basic.as_widget(row)
        self.for_research = basic.as_widget(basic.in_column(self._origin, self.budget, margins=0))
        parts = self._model_notes, head, (self._stack, 1), self.further, self._threshold, self.for_research
        basic.in_column(*parts, of=self, margins=8)
        self.setMinimumHeight(LEAST_PX)  # `_fit` then shows less; what is shown now must not hold the window open

    def switch_order(self) -> None:
        """Order by score instead of time, or back."""
        self.order = "score" if self.order == "time" else "time"
        self._order.setText(tr(_OTHER_ORDER[self.order]))
        self._shown_study = ""  # another order has another place to start from
        self.refresh()

    def refresh(self) -> None:
        """Show the session's events, threshold and counts."""
        events = self._session.scores.events_by(self.order)
        before = self.list.top_event
        self.model.set_events(events)
        self.list.lay_out_parts(self.model.rows_with_parts())
        self._stack.setCurrentIndex(0 if events else 1)
        self._order.setVisible(bool(events))
        reading = self._session.reading
        with QSignalBlocker(self._slider):
            is_rate = reading is not None and reading.flags.scale is not None
            ends = (rates.LOWEST, rates.HIGHEST) if is_rate else (0, 1)
            self._slider.setRange(*(round(THRESHOLD_STEPS * end) for end in ends))
            self._slider.setValue(round(THRESHOLD_STEPS * reading.flags.threshold) if reading else 0)
        has_scores = reading is not None and bool(reading.flags.flag_tracks)
        self._threshold.setVisible(reading is not None)
        self._slider.setEnabled(has_scores)
        self.budget.set_enabled(has_scores)
        self._value.setText(reading.flags.threshold_text if reading else "")
        scale = reading.flags.scale if reading is not None else None
        self._origin.setText(rates.origin_words(scale) if has_scores else "")
        tip = tr(
            "[ or a step to the left lowers the score that a flagged frame needs: more flags, more of them false. "
            "] or a step to the right raises it: fewer flags, and more is missed."
        )
        self._slider.setToolTip(plain("\n".join(filter(None, (tip, self._origin.text())))))
        self.say_why_empty()
        self.show_model_notes()
        self.further.refresh()
        self.repaint_rows()
        self._fit()
        self._highlight_event_here()
        self._keep_place(before)

    def _keep_place(self, before: Event | None) -> None:
        """Scroll to where the list was; a list that is new begins near the frame on screen.

        Args:
            before: the event of the first row on screen before the events changed.
        """
        reading = self._session.reading
        if reading is None or not self.model.rowCount():
            self._shown_study = ""
            return
        is_new = self._shown_study != reading.study.study_id
        self._shown_study = reading.study.study_id
        if not is_new and before is not None:
            self.list.show_at_top(self.model.nearest_row(before))
        elif self.order == "time":
            self.list.scrollTo(self.model.index(self.model.row_near(reading.place.frame_index)))

    def refresh_seen(self) -> None:
        """Update which events were seen or answered."""
        self.further.refresh()
        self.repaint_rows()
        self._show_counts()

    def _show_counts(self) -> None:
        """How much is left to review; in a low panel less of it."""
        reading, labels = self._session.reading, (self._total, self._beside, self._below)
        if reading is None or not reading.flags.events:
            for label in labels:
                label.setText("")
            return
        events, grouped = reading.flags.events, reading.flags.suggested
        flags = counted(len(events), "flag")
        total = tr(
            "{flags}, {unseen} not seen, {unanswered} unanswered",
            flags=tr("{flags} so far", flags=flags) if reading.flags.is_partial else flags,
            unseen=int(reading.unseen(events).sum()),
            unanswered=int(reading.unanswered(events).sum()),
        )
        findings = [] if grouped is None else [counted(len(grouped), "suggested finding")]
        frames = tr_count("{count} flagged frame not seen", "{count} flagged frames not seen", reading.count_left())
        is_low = self.height() < LOW_PX
        beside, below, *_ = (*findings, frames, "")
        means = "" if grouped is None else tr(grouped.means)
        grouping = tr("Flags are grouped {means}. Each is a part of a suggested finding.", means=means) if means else ""
        tip = "\n".join(filter(None, (beside, below, grouping, tr(UNSEEN), tr(UNANSWERED))))
        for label, text in zip(labels, (total, beside, "" if is_low else below), strict=True):
            label.setText(text)
            label.setToolTip(plain(tip))
        self._below.setVisible(bool(self._below.text()))

    def repaint_rows(self) -> None:
        """Paint the rows on screen again, and pictures that have arrived.

        Not by `dataChanged`: for that Qt asks every row, also of 50,000 events.
        """
        self.list.viewport().update()
        self.further.show_pictures()

    def show_joining(self) -> None:
        """Mark the suggested finding that is to be joined with another, and show it."""
        self.repaint_rows()
        reading = self._session.reading
        row = self.model.row_of(reading.flags.joining) if reading is not None else -1
        if row >= 0:
            self.list.scrollTo(self.model.index(row))

    def follow_frame(self) -> None:
        """Highlight the event on screen without moving; call it once no other frame is on its way."""
        self._going_to = None
        self.further.refresh()
        if self._highlight_event_here():
            self.list.scrollTo(self.list.currentIndex())

    def _highlight_event_here(self) -> bool:
        reading = self._session.reading
        going_to = reading.flags.current(self._going_to) if reading and self._going_to else None
        row = self.model.row_of(going_to or reading.event_here()) if reading else -1
        if row < 0:
            self.list.clearSelection()
            return False
        select = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.list.selectionModel().setCurrentIndex(self.model.index(row), select)
        return True

    @property
    def highlighted(self) -> Event | None:
        """The event that is highlighted: what keys act on."""
        chosen = self.list.selectionModel().selectedIndexes()
        event = chosen[0].data(EVENT_ROLE) if chosen else None
        return event if isinstance(event, Event) else None

    def _ask_for_menu(self, at: QPoint) -> None:
        if self.list.indexAt(at).isValid():
            self.menu_requested.emit(self.list.viewport().mapToGlobal(at))

    def _choose(self, index: QModelIndex) -> None:
        event = self.list.chosen_event(index)
        if event is not None:
            self._going_to = event
            self.event_chosen.emit(event)

    def show_model_notes(self) -> None:
        """Say how much of the study looks unlike the training, where it is much, and which classes are switched off."""
        reading = self._session.reading
        notes = [model_notes.unfamiliar_words(reading, model_notes.MANY_UNFAMILIAR)] if reading is not None else []
        if reading is not None and (off := model_notes.switched_off(self._session)):
            notes.append(tr("Switched off: {classes}.", classes=off))
        basic.show_text(self._model_notes, "\n".join(filter(None, notes)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show less where the panel is low."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """In a low panel the list keeps its room."""
        is_low = self.height() < LOW_PX
        self._origin.setVisible(bool(self._origin.text()) and not is_low)
        self.further.set_compact(is_low)
        self.budget.set_compact(is_low)
        self.budget.setVisible(self.height() >= LOWEST_PX)
        self._show_counts()

    def say_why_empty(self) -> None:
        """Show why there are no flags, and offer an action that changes it."""
        text, step, _ = why_no_events(self._session)
        self._empty.setText(text)
        basic.show_text(self.next_step, step)
