"""The FINDINGS panel: findings with their pictures, the details of the chosen one, and label counts."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QListWidgetItem, QMessageBox, QPushButton, QWidget

from wce_desktop.core import SpanSet, counted, format_time, number_text, tr, tr_count
from wce_desktop.core.annotation import Label, shown_name
from wce_desktop.core.annotation.finding import FORM_ENTRIES, Finding
from wce_desktop.core.annotation.transit import place_of
from wce_desktop.features.reading.finding_form import FindingForm
from wce_desktop.features.reading.key_frames import Thumbnail
from wce_desktop.session.keys import key_of, with_keys
from wce_desktop.session.session import Session
from wce_desktop.widgets import basic, by_hand, window_size
from wce_desktop.widgets.plain_text import MessageBox


class RemovalQuestion(MessageBox):
    """Enter removes finding and labels, Escape nothing. `open` does not block the window; it deletes itself."""

    decided = Signal(bool)
    """The finding is to be removed; whether the labels that came with it are, too."""

    def __init__(
        self, finding: Finding, with_it: Sequence[Label], others: Sequence[Label], parent: QWidget | None = None
    ) -> None:
        name = shown_name(finding.kind)
        question = tr_count(
            "Remove the finding {name} with the labels that came with it ({count} frame)?",
            "Remove the finding {name} with the labels that came with it ({count} frames)?",
            SpanSet(label.span for label in with_it).frame_count,
            name=name,
        )
        stay = tr_count(
            "Labels on {count} frame were there before the finding and stay.",
            "Labels on {count} frames were there before the finding and stay.",
            SpanSet(label.span for label in others).frame_count,
        )
        question = question if with_it else tr("Remove the finding {name}?", name=name)
        super().__init__(parent, tr("Remove finding"), question, stay if others else "")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        role = QMessageBox.ButtonRole.DestructiveRole
        both = self.addButton(tr("Remove finding and labels"), role) if with_it else None
        only = self.addButton(tr("Remove finding only") if with_it else tr("Remove finding"), role)
        only.clicked.connect(lambda: self.decided.emit(False))
        if both is not None:
            both.clicked.connect(lambda: self.decided.emit(True))
        self.setDefaultButton(both or only)
        cancel = self.addButton(tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
        self.setEscapeButton(cancel)


FINDING_ROLE = Qt.ItemDataRole.UserRole
PICTURE_PX = 48


class FindingsPanel(QWidget):
    """The findings of the open study; the chosen one's details are edited below."""

    finding_chosen = Signal(object)
    remove_requested = Signal()
    left = Signal()
    """The list had the focus and is no longer there."""
    menu_requested = Signal(QPoint)
    """Screen position of a right click on a finding, after highlighting it."""

    def __init__(self, session: Session, thumbnail: Thumbnail) -> None:
        super().__init__()
        self._session, self._thumbnail = session, thumbnail
        self._going_to = ""
        """The id of the finding that was chosen here, until its frame is on screen."""
        self._list = by_hand.HandList(tr("Findings"))
        self._list.setIconSize(QSize(PICTURE_PX, PICTURE_PX))
        self._list.entered.connect(self._go)
        self._list.currentItemChanged.connect(lambda *_: self._show_details())
        self._list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._list.customContextMenuRequested.connect(self._ask_for_menu)
        self._empty = basic.make_note(is_centered=True)
        self.form = FindingForm(session, thumbnail)
        self._comment = self.form.comment
        self.remove = QPushButton(tr("Remove finding…"))
        self.remove.setToolTip(
            tr("Remove the highlighted finding (Delete in the list); asks whether the labels that came with it go too")
        )
        self.new = QPushButton(tr("New finding here"))
        self.new.setToolTip("M")
        self._labels = basic.make_note()
        self._area = window_size.make_scrolling(self.form)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setMinimumHeight(80)
        self._list.setMinimumHeight(60)
        self._parts = basic.in_splitter((self._list, 2), (self._area, 3), is_vertical=True)
        buttons = basic.in_row((self.new, 1), self.remove)
        basic.in_column(self._labels, (self._empty, 1), (self._parts, 1), buttons, of=self, margins=8)
        self.refresh()
        self.count_labels()

    @property
    def chosen(self) -> Finding | None:
        """The finding whose row is chosen."""
        item = self._list.currentItem()
        return item.data(FINDING_ROLE) if item else None

    def refresh(self) -> None:
        """Show the open study's findings and labels; the chosen row stays chosen, else that of the frame on screen."""
        reading, chosen = self._session.reading, self.chosen
        had_focus = self.isAncestorOf(self.window().focusWidget() or self)
        place = self._list.verticalScrollBar().value()
        with QSignalBlocker(self._list):
            self._list.clear()
            for finding in sorted(reading.entries.findings if reading else (), key=lambda finding: finding.span.start):
                item = QListWidgetItem(self._sentence(finding), self._list)
                item.setData(FINDING_ROLE, finding)
                if chosen and finding.finding_id == chosen.finding_id:
                    self._list.setCurrentItem(item)
        has_findings = self._list.count() > 0
        self._parts.setVisible(has_findings)
        self._empty.setVisible(not has_findings)
        self._empty.setText(tr("No findings yet.\nPress {key} on a frame that shows one.", key=key_of("new_finding")))
        self._show_details()
        if reading is not None and not (self._going_to and self.chosen and self.chosen.finding_id == self._going_to):
            self._choose_at(reading.place.frame_index)
        self._list.verticalScrollBar().setValue(place)
        self.show_pictures()
        if had_focus and not has_findings:  # Qt would move it on to some other control
            self.left.emit()

    def show_pictures(self) -> None:
        """Show the pictures that have arrived."""
        reading = self._session.reading
        if reading is not None:
            frames_of = reading.entries.frames_of
            self._list.show_pictures(lambda item: self._thumbnail(frames_of(item.data(FINDING_ROLE))[0]))
        self.form.key_frames.show_pictures()

    def show_places(self) -> None:
        """Show again where findings lie: a landmark has changed."""
        for row in self._list.rows:
            row.setText(self._sentence(row.data(FINDING_ROLE)))
        self.form.show_place()

    def show_classes(self) -> None:
        """Show again what the vocabulary says: it has changed."""
        self.form.show_classes()
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

    def choose(self, finding: Finding) -> None:
        """Choose a finding and put the cursor into its comment."""
        for row in self._list.rows:
            if row.data(FINDING_ROLE).finding_id == finding.finding_id:
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
        if self.form.isAncestorOf(QApplication.focusWidget() or self) or (chosen and _has(chosen, frame_index)):
            return
        here = next((row for row in self._list.rows if _has(row.data(FINDING_ROLE), frame_index)), None)
        if here is not None:
            self._highlight(here)

    def _highlight(self, row: QListWidgetItem) -> None:
        with QSignalBlocker(self._list):
            self._list.setCurrentItem(row)
        self._show_details()

    def _sentence(self, finding: Finding) -> str:
        """The row of the list: kind, frames and time; place and details; the comment."""
        reading = self._session.opened()
        seconds = reading.index.video_seconds
        at = format_time(float(seconds[min(finding.span.start, reading.frame_count - 1)]))
        others = [frame for frame in finding.key_frames if frame not in finding.span and frame < reading.frame_count]
        times = ", ".join(format_time(float(seconds[frame])) for frame in others)
        also = tr("also at {times}", times=times) if others else ""
        place, where = place_of(reading.entries.landmarks, seconds, finding.span.start), tr(finding.segment)
        if not where and place is not None:
            where = tr("{region} + {minutes} min", region=tr(place.region), minutes=place.minutes)
        words = {name: entry.words(getattr(finding, name)) for name, entry in FORM_ENTRIES.items()}
        details = ", ".join(filter(None, (words | {"segment": where, "comment": ""}).values()))
        title = self._session.vocabulary.of(finding.kind).shown_title
        frames = counted(len(finding.span), "frame")
        first = tr("{title}, {frames}, at {time}", title=title, frames=frames, time=at)
        return "\n".join(filter(None, (first, also, details, finding.comment)))

    def _show_details(self) -> None:
        self.form.show_finding(self.chosen)
        self._area.setVisible(self.chosen is not None)
        self.remove.setEnabled(self.chosen is not None)

    def _ask_for_menu(self, at: QPoint) -> None:
        """What was clicked is highlighted and on screen, as after a click with the left button."""
        item = self._list.itemAt(at)
        if item is not None:
            self._list.setCurrentItem(item)
            self._go(item)
            self.menu_requested.emit(self._list.viewport().mapToGlobal(at))

    def _go(self, item: QListWidgetItem) -> None:
        self._going_to = item.data(FINDING_ROLE).finding_id
        self.finding_chosen.emit(item.data(FINDING_ROLE))


def _has(finding: Finding, frame_index: int) -> bool:
    """Whether a frame is one of a finding's frames or key frames."""
    return frame_index in finding.span or frame_index in finding.key_frames
