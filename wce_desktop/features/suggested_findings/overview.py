"""The overview: the best picture of each suggested finding, or the parts of one, to answer one after the other."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QButtonGroup

from wce_desktop.core import counted, format_time, score_text, to_translate, tr, tr_count
from wce_desktop.core.annotation.landmark import BODY_REGIONS
from wce_desktop.core.blood import TRACK
from wce_desktop.core.event import Event
from wce_desktop.features.suggested_findings.audit_page import TilePage
from wce_desktop.features.suggested_findings.earlier_box import EarlierBox
from wce_desktop.features.suggested_findings.filters import BLOOD, Filter, Key, key_of_event
from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session
from wce_desktop.widgets import basic, inputs
from wce_desktop.widgets.frame_tile import FrameTile

SIZES = {"S": 112, "M": 176, "L": 224}
"""Sides of a picture in pixels."""
SCORES = (0.6, 0.7, 0.8, 0.9)
STATES = {"accepted": to_translate("accepted"), "rejected": to_translate("rejected"), "": to_translate("no answer yet")}


class Overview(TilePage):
    """A grid of tiles in place of the frame; keys mean the tile that is highlighted."""

    answered = Signal(object, bool)
    """The event of a tile, and whether it is accepted."""
    opened = Signal(object)
    """The event whose frame is asked for."""
    parts_requested = Signal()

    def __init__(
        self,
        session: Session,
        thumbnail: Callable[[int], QImage | None],
        picture: Callable[[str, int], QImage | None],
    ) -> None:
        """`thumbnail`: frame of the open study -> its picture, None until it has arrived; `picture`: of any study."""
        acts = (
            (tr("Accept"), tr("Accept what is highlighted, and go on ({accept_event})"), partial(self.answer, True)),
            (tr("Reject"), tr("Reject what is highlighted, and go on ({reject_event})"), partial(self.answer, False)),
            (tr("Show the frame"), tr("Show the frame; Escape comes back ({toggle_play})"), self.open),
            (tr("Show parts"), tr("Show the parts of this finding ({show_parts})"), self._request_parts),
        )
        keys: dict[str, Callable[[], object]] = {
            "accept_event": partial(self.answer, True), "reject_event": partial(self.answer, False),
            "toggle_play": self.open, "clear_span": self.leave,
            "zoom_in": partial(self.resize_tiles, 1), "zoom_out": partial(self.resize_tiles, -1),
        }  # fmt: skip
        super().__init__(tr("Suggested findings"), thumbnail, keys, acts, lines=2)
        self._session = session
        self._events: Sequence[Event] = ()
        self._of: Event | None = None
        """A part of the suggested finding whose parts are shown; None: all findings are."""
        self._kept: set[Key] = set()
        self._answers: list[Event] = []
        """What was answered here, the last one last."""
        self.tiles.selectionModel().currentChanged.connect(lambda *_: self._show_current())
        self.earlier = EarlierBox(picture)
        self._arrange()
        self.resize_tiles(0)

    def _arrange(self) -> None:
        self._sizes = QButtonGroup(self)
        self._sizes.idClicked.connect(lambda _: self.resize_tiles(0))
        sizes = []
        for number, name in enumerate(SIZES):
            button = basic.bar_button(name, tr("Size of the pictures (larger {zoom_in}, smaller {zoom_out})"))
            button.setCheckable(True)
            button.setChecked(name == "M")
            self._sizes.addButton(button, number)
            sizes.append(button)
        self.name, self.region = inputs.ComboBox(tr("Class")), inputs.ComboBox(tr("Segment"))
        self.score, self.state = inputs.ComboBox(tr("Lowest score")), inputs.ComboBox(tr("Answer"))
        self.order = inputs.ComboBox(tr("Order"))
        scores = [(tr("{score} or more", score=score_text(score)), score) for score in SCORES]
        basic.fill_box(self.score, [(tr("Score"), 0.0), *scores])
        states = [(tr("Answer"), ""), (tr("No answer yet"), "none")]
        basic.fill_box(self.state, [*states, (tr("Accepted"), "accepted"), (tr("Rejected"), "rejected")])
        basic.fill_box(self.order, [(tr("By score"), "score"), (tr("By time"), "time")])
        boxes = self.name, self.region, self.score, self.state, self.order
        for box in boxes:
            box.setMinimumContentsLength(6)
            box.setSizeAdjustPolicy(box.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.activated.connect(lambda _: self._filter())
        most, rest = (basic.in_row(*((box, 1) for box in line), margins=0) for line in (boxes[:3], boxes[3:]))
        self._filters = basic.Halves(most, rest, (3, 2))
        self._empty = basic.make_note(tr("No suggested finding fits the filters."), is_centered=True)
        head = basic.in_row((self._title, 1), *sizes, self.back, margins=0)
        pages = basic.in_column((self.tiles, 1), (self._empty, 1), margins=0)
        acts = basic.Halves(basic.button_row(*self.acts[:2]), basic.button_row(*self.acts[2:]), (0, 1))
        basic.in_column(head, self._filters, (pages, 1), self.earlier, self._note, acts, of=self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fill the rows."""
        super().resizeEvent(event)
        self.resize_tiles(0)

    # What is shown

    @property
    def current(self) -> Event | None:
        """The event of the tile that is highlighted; of a suggested finding the part with the highest score."""
        row = self.tiles.currentIndex().row()
        return self._events[row] if 0 <= row < len(self._events) else None

    def show_parts(self, of: Event | None) -> None:
        """Show the parts of the suggested finding of an event, or (None) all findings; the event is highlighted."""
        before, self._of = self._of, of
        self.refresh()
        at = of or before
        if at is not None:
            self.highlight(at)

    def highlight(self, event: Event) -> None:
        """Highlight the tile of an event, or of its suggested finding, where it is shown."""
        keys = [key_of_event(each) for each in self._events]
        main = self._session.opened().flags.main_of(event)
        row = next((keys.index(key) for key in map(key_of_event, (event, main)) if key in keys), -1)
        if row >= 0:
            self.tiles.setCurrentIndex(self.tiles.tiles.index(row))

    def refresh(self) -> None:
        """Show the findings, their answers and the choices of the filters as they are now."""
        reading, before = self._session.reading, self.current
        self._of = reading.flags.current(self._of) if reading is not None and self._of is not None else None
        self._fill_filters(reading)
        events: Sequence[Event] = ()
        if reading is not None:
            events = reading.flags.parts_of(self._of) if self._of else self._shown(reading)
        if list(map(key_of_event, events)) != list(map(key_of_event, self._events)):
            self._events = events
            place = self.tiles.verticalScrollBar().value()
            self.tiles.show_tiles(len(events), self._tile)
            self.tiles.executeDelayedItemsLayout()
            self.tiles.verticalScrollBar().setValue(place)
            if before is not None:
                self.highlight(before)
        self._events = events
        if events and not self.tiles.chosen_rows:
            self.tiles.setCurrentIndex(self.tiles.tiles.index(max(0, self.tiles.currentIndex().row())))
        self.tiles.setVisible(bool(events))
        self._empty.setVisible(not events)
        self._filters.setVisible(self._of is None)
        self.show_answers()

    def show_answers(self) -> None:
        """Paint the tiles again; an answer that was taken back is highlighted."""
        reading = self._session.reading
        while reading is not None and self._answers and not reading.answer(self._answers[-1]):
            self.highlight(self._answers.pop())
        self.tiles.make_again()
        self._show_current()

    def _shown(self, reading: Reading) -> Sequence[Event]:
        chosen = Filter(
            self.name.currentData() or "", self.region.currentData(), self.score.currentData(), self.state.currentData()
        )
        return chosen.apply(reading, self.order.currentData(), self._kept)

    def _fill_filters(self, reading: Reading | None) -> None:
        """Offer the classes that are flagged, and the segments whose landmarks are set."""
        names = reading.flags.listed.class_names if reading is not None else ()
        marks = {mark.region for mark in reading.entries.landmarks} if reading is not None else set()
        classes = [(self._session.vocabulary.of(name).shown_title, name) for name in names]
        if reading is not None and reading.flags.indicator(TRACK) is not None:
            classes.append((tr("Blood indicator"), BLOOD))
        places = [(tr(region).capitalize(), region) for region in BODY_REGIONS if region in marks]
        for box, title, rows in ((self.name, tr("Class"), classes), (self.region, tr("Segment"), places)):
            with QSignalBlocker(box):
                basic.fill_box(box, [(title, None), *rows], box.currentData())
        self.region.setEnabled(bool(places))

    def _filter(self) -> None:
        self._kept.clear()
        self.refresh()
        self.tiles.setFocus()

    def resize_tiles(self, steps: int) -> None:
        """Show larger (1) or smaller (-1) pictures, or those of the size that is checked."""
        at = min(max(self._sizes.checkedId() + steps, 0), len(SIZES) - 1)
        self._sizes.button(at).setChecked(True)
        self.tiles.fill_rows(list(SIZES.values())[at])
        self.tiles.scrollTo(self.tiles.currentIndex())

    def _tile(self, row: int) -> FrameTile:
        event, reading = self._events[row], self._session.opened()
        known, time = self._session.vocabulary.of(event.name), self._time(event)
        count = 1 if self._of else len(reading.flags.parts_of(event))
        parts = "" if count == 1 else f" · {tr_count('{count} part', '{count} parts', count)}"
        caption = f"{known.shown_title} · {score_text(event.peak_score)}\n{time}{parts}"
        return FrameTile("", event.peak_frame, caption, self._sentence(event), labels=(known,),
                         answer=reading.answer(event))  # fmt: skip

    def _time(self, event: Event) -> str:
        return format_time(float(self._session.opened().index.video_seconds[event.peak_frame]))

    def _sentence(self, event: Event) -> str:
        """What an answer to a tile is about."""
        reading = self._session.opened()
        words = tr(
            "{title} on {frames} at {time}, score {score}, {answer}",
            title=self._session.vocabulary.of(event.name).shown_title,
            frames=counted(len(event.span), "frame"),
            time=self._time(event),
            score=score_text(event.peak_score),
            answer=tr(STATES[reading.answer(event)]),
        )
        others = reading.flags.parts_of(event)
        left = sum(part != event and not reading.answer(part) for part in others)
        if left and self._of is None:
            further = tr_count(
                "{count} further part without an answer", "{count} further parts without an answer", left
            )
            words = f"{words}; {further}"
        return words

    def _show_current(self) -> None:
        """Say what keys mean, and show what is known of an earlier study."""
        event, reading = self.current, self._session.reading
        suggested = reading.flags.suggested if reading is not None else None
        self._note.setText(f"{self._sentence(event)}." if event is not None and reading is not None else "")
        earlier = suggested.earlier_of(event) if suggested is not None and event is not None else None
        self.earlier.show_finding(
            earlier, self._session.vocabulary.of(event.name).shown_title if event is not None else ""
        )
        shown, count = self.tiles.currentIndex().row() + 1, len(self._events)
        title = tr("Suggested findings: {shown} of {count}", shown=shown, count=count)
        if suggested is None:
            title = tr("Flags: {shown} of {count}", shown=shown, count=count)
        if self._of is not None:
            kind = self._session.vocabulary.of(self._of.name).shown_title
            title = tr("{kind}: part {shown} of {count}", kind=kind, shown=shown, count=count)
        self._title.setText(title)

    def forget(self) -> None:
        """Show nothing: the study was closed."""
        self._kept.clear()
        self._answers.clear()
        self._of, self._events = None, ()
        self.tiles.show_tiles(0, self._tile)

    # What the reader does

    def answer(self, is_accepted: bool) -> None:
        """Ask for an answer to the highlighted tile."""
        if (event := self.current) is not None:
            self._kept.add(key_of_event(event))
            self.answered.emit(event, is_accepted)

    def go_on(self, answered: Event) -> None:
        """Highlight the next tile without an answer; call it after an answer."""
        self._answers.append(answered)
        reading, at, count = self._session.opened(), self.tiles.currentIndex().row(), len(self._events)
        rows = (row % count for row in range(at + 1, at + count))
        row = next((row for row in rows if not reading.answer(self._events[row])), at)
        self.tiles.setCurrentIndex(self.tiles.tiles.index(row))

    def _request_parts(self) -> None:
        self.parts_requested.emit()

    def open(self) -> None:
        """Ask for the frame of the highlighted tile."""
        if (event := self.current) is not None:
            self.opened.emit(event)

    def leave(self) -> None:
        """Go back from the parts of a finding to all findings, or from those to the frame."""
        if self._of is not None:
            self.show_parts(None)
        else:
            self.left.emit()
