"""The FINDINGS panel: findings as cards, key frames and fields of the chosen one, and label counts."""

from PySide6.QtCore import QPoint, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QListWidgetItem, QPushButton, QWidget

from wce_desktop.core import number_text, to_translate, tr
from wce_desktop.core.annotation.finding import FORM_ENTRIES, Finding
from wce_desktop.core.annotation.transit import place_of
from wce_desktop.core.clock import local_time
from wce_desktop.features.reading.finding_form import FindingForm
from wce_desktop.features.reading.finding_rows import FINDING_ROLE, FindingDelegate, row_lines
from wce_desktop.features.reading.key_frames import KeyFrames, Thumbnail
from wce_desktop.session.keys import key_of, with_keys
from wce_desktop.session.session import Session
from wce_desktop.widgets import basic, by_hand, window_size

_ORIGINS = {
    True: to_translate("{by}; suggested by {model}, seen before the flag"),
    False: to_translate("{by}; suggested by {model}, not seen before the flag"),
    None: to_translate("{by}; suggested by {model}"),
}
"""By whether the finding was seen before the model flagged it."""
CARDS = 3.2
"""So many have room at first in a window of 800 pixels; the fields get twice as much."""
DETAILS_LINES = 30
"""Lines of text that are as high as all fields."""
FIELDS = "comment", "kind", *(name for name in FORM_ENTRIES if name != "comment")


class FindingsPanel(QWidget):
    """The findings of the open study; the chosen one's details are edited below."""

    finding_chosen = Signal(object)
    remove_requested = Signal()
    menu_requested = Signal(QPoint)
    """Screen position of a right click on a finding, after highlighting it."""

    def __init__(self, session: Session, thumbnail: Thumbnail) -> None:
        super().__init__()
        self._session = session
        self._shown: list[Finding] = []
        """Those of the rows."""
        self._going_to = ""
        """The id of the finding that was chosen here, until its frame is on screen."""
        self._list = by_hand.HandList(tr("Findings"))
        self._delegate = FindingDelegate(session, thumbnail)
        self._list.setItemDelegate(self._delegate)
        self._list.setUniformItemSizes(True)
        self._list.entered.connect(self._go)
        self._list.currentItemChanged.connect(lambda *_: self._show_details())
        self._list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._list.customContextMenuRequested.connect(self._ask_for_menu)
        self._empty = basic.make_note(is_centered=True)
        self.key_frames = KeyFrames(session, thumbnail)
        self.form = FindingForm(session, FIELDS)
        self._comment = self.form.comment
        self.place, self.origin = basic.make_note(), basic.make_note()
        self.remove = QPushButton(tr("Remove…"))
        self.remove.setToolTip(
            tr("Remove the highlighted finding (Delete in the list); asks whether the labels that came with it go too")
        )
        self.new = QPushButton(tr("New finding here"))
        self.new.setToolTip("M")
        self._labels = basic.make_note()
        details = basic.in_column(self.form, self.place, self.origin, 1, margins=0, spacing=4)
        self._area = window_size.make_scrolling(basic.as_widget(details))
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setMinimumHeight(60)
        self._list.setMinimumHeight(self._delegate.height_px)
        below = basic.stacked((self.key_frames, 0), (self._area, 1))
        below.setMaximumHeight(DETAILS_LINES * self.fontMetrics().height())  # a high window shows more cards
        cards_px = round(CARDS * self._delegate.height_px)
        self._parts = basic.in_splitter((self._list, 1), (below, 1), sizes=(cards_px, 2 * cards_px), is_vertical=True)
        buttons = basic.in_row((self.new, 1), self.remove)
        basic.in_column(self._labels, (self._empty, 1), (self._parts, 1), buttons, of=self, margins=8)
        self.refresh()
        self.count_labels()

    @property
    def chosen(self) -> Finding | None:
        """The finding whose row is chosen."""
        at = self._list.currentRow()
        return self._shown[at] if 0 <= at < len(self._shown) else None

    def refresh(self) -> None:
        """Show the open study's findings and labels; the chosen row stays chosen, else that of the frame on screen."""
        reading, chosen = self._session.reading, self.chosen
        findings = sorted(reading.entries.findings if reading else (), key=_place_in_list)
        if [each.finding_id for each in findings] == [each.finding_id for each in self._shown]:
            before, self._shown = self._shown, findings
            for at, (old, new) in enumerate(zip(before, findings, strict=True)):
                if old is not new:
                    self._write(self._list.item(at), new)
        else:
            self._fill(findings, chosen)
        self._parts.setVisible(bool(findings))
        self._empty.setVisible(not findings)
        self._empty.setText(tr("No findings yet.\nPress {key} on a frame that shows one.", key=key_of("new_finding")))
        self._show_details()
        if reading is not None and not self._is_going_to_chosen:
            self._choose_at(reading.place.frame_index)

    def _fill(self, findings: list[Finding], chosen: Finding | None) -> None:
        place = self._list.verticalScrollBar().value()
        with QSignalBlocker(self._list):
            self._list.clear()
            self._shown = findings
            for finding in findings:
                item = QListWidgetItem(self._list)
                self._write(item, finding)
                if chosen and finding.finding_id == chosen.finding_id:
                    self._list.setCurrentItem(item)
        self._list.verticalScrollBar().setValue(place)

    def _write(self, item: QListWidgetItem, finding: Finding) -> None:
        item.setData(FINDING_ROLE, finding)
        item.setText("\n".join(row_lines(self._session, finding)))

    def picture_arrived(self, frame_index: int) -> None:
        """Paint what is on screen again where a picture has arrived."""
        self._list.viewport().update()
        finding = self.form.shown
        if finding is not None and frame_index in finding.key_frames:
            self.key_frames.show_pictures()

    def show_places(self) -> None:
        """Show again where findings lie: a landmark has changed."""
        for at, finding in enumerate(self._shown):
            self._write(self._list.item(at), finding)
        self._show_details()

    def show_classes(self) -> None:
        """Show again what the vocabulary says: it has changed."""
        self.form.show_classes()
        self._fill(self._shown, self.chosen)
        self.refresh()
        self.count_labels()

    def count_labels(self) -> None:
        """Say how many frames carry which label."""
        reading = self._session.reading
        if reading is None or not (len(reading.entries.labels) or len(reading.entries.labels.negatives)):
            no_labels = tr("No labels yet. Press {label_1} to {label_9} to label a frame, {label_0} labels it normal.")
            self._labels.setText(with_keys(no_labels))
            return
        labels, of = reading.entries.labels, self._session.vocabulary.of
        rows = []
        for name, count in labels.frame_counts.items():
            rejected = sum(len(label.span) for label in labels.named(name) if label.is_from_rejecting)
            row = f"{of(name).shown_title} {number_text(count)}"
            rows.append(tr("{label} ({count} by rejecting)", label=row, count=rejected) if rejected else row)
        rows += [
            tr("not {name} {count}", name=of(name).shown_title, count=count)
            for name, count in labels.negatives.frame_counts.items()
        ]
        self._labels.setText(tr("Labelled frames: {counts}", counts=", ".join(rows)))

    @property
    def _is_going_to_chosen(self) -> bool:
        return self.chosen is not None and self.chosen.finding_id == self._going_to

    def step(self, by: int) -> Finding | None:
        """Choose the next finding in order of time, or with -1 the one before; None where there is none."""
        frame = self._session.opened().place.frame_index
        rows = range(len(self._shown)) if by > 0 else range(len(self._shown) - 1, -1, -1)
        chosen = self._list.currentRow()
        if chosen >= 0 and (self._is_going_to_chosen or has_frame(self._shown[chosen], frame)):
            at = chosen + by
        else:
            at = next((row for row in rows if (self._shown[row].span.start - frame) * by > 0), -1)
        if not 0 <= at < len(self._shown):
            return None
        self._highlight(at)
        self._going_to = self._shown[at].finding_id
        return self._shown[at]

    def choose(self, finding: Finding) -> None:
        """Choose a finding and put the cursor into its comment."""
        for row, shown in enumerate(self._shown):
            if shown.finding_id == finding.finding_id:
                self._highlight(row)
                self._area.ensureWidgetVisible(self._comment)
                self._comment.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete in the list removes the highlighted finding."""
        if event.key() == Qt.Key.Key_Delete and self.window().focusWidget() is self._list and self.chosen is not None:
            self.remove_requested.emit()
        else:
            super().keyPressEvent(event)

    def show_at(self, frame_index: int) -> None:
        """Follow the frame on screen; call it once no other frame is on its way."""
        self._going_to = ""
        self._choose_at(frame_index)

    def _choose_at(self, frame_index: int) -> None:
        """Choose the finding that a frame belongs to, unless the chosen one has the frame or is being edited."""
        chosen = self.chosen
        if self.form.isAncestorOf(QApplication.focusWidget() or self) or (chosen and has_frame(chosen, frame_index)):
            return
        here = next((row for row, finding in enumerate(self._shown) if has_frame(finding, frame_index)), None)
        if here is not None:
            self._highlight(here)

    def _highlight(self, row: int) -> None:
        with QSignalBlocker(self._list):
            self._list.setCurrentRow(row)
        self._show_details()

    def _show_details(self) -> None:
        finding = self.chosen
        self.form.show_finding(finding)
        self.key_frames.show_finding(finding)
        self.key_frames.setVisible(finding is not None)
        self._area.setVisible(finding is not None)
        self.remove.setEnabled(finding is not None)
        if finding is not None:
            self.place.setText(self._place(finding))
            self.origin.setText(self._origin(finding))

    def _place(self, finding: Finding) -> str:
        """Where the finding lies after the landmarks, or that this is not known."""
        reading = self._session.opened()
        place = place_of(reading.entries.landmarks, reading.index.video_seconds, finding.span.start)
        unknown = with_keys(tr("no landmark before it ({landmark_stomach} to {landmark_end})"))
        return tr("Place: {place}", place=unknown if place is None else place.words)

    def _origin(self, finding: Finding) -> str:
        """ "By reader, 2026-11-23 10:12; suggested by Model 1, not seen before the flag"."""
        when = local_time(finding.when_utc)
        reader = finding.reader or tr("an unknown reader")
        message = tr("By {reader}, {time}", reader=reader, time=when) if when else tr("By {reader}", reader=reader)
        if finding.model_id is None:
            return message
        titles = {model.model_id: model.title for model in self._session.library.models.all()}
        model = titles.get(finding.model_id, finding.model_id)
        return tr(_ORIGINS[finding.was_seen_before], by=message, model=model)

    def _ask_for_menu(self, at: QPoint) -> None:
        """What was clicked is highlighted and on screen, as after a click with the left button."""
        item = self._list.itemAt(at)
        if item is not None:
            self._list.setCurrentItem(item)
            self._go(item)
            self.menu_requested.emit(self._list.viewport().mapToGlobal(at))

    def _go(self, item: QListWidgetItem) -> None:
        finding = item.data(FINDING_ROLE)
        self._going_to = finding.finding_id
        self.finding_chosen.emit(finding)


def _place_in_list(finding: Finding) -> tuple[int, str]:
    """In order of time; a change leaves a finding at its place among others of the same frame."""
    return finding.span.start, finding.finding_id


def has_frame(finding: Finding, frame_index: int) -> bool:
    """Whether a frame is one of a finding's frames or key frames."""
    return frame_index in finding.span or frame_index in finding.key_frames
