"""The FINDINGS panel: findings with comments, and label counts."""

from dataclasses import replace

from PySide6.QtCore import QPoint, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QListWidgetItem, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from wce_desktop.core.clock import format_time
from wce_desktop.core.finding import Finding
from wce_desktop.features.reading.view.event_list import frames_in_words
from wce_desktop.session.session import Session
from wce_desktop.widgets.basic import make_list, make_note

FINDING_ROLE = Qt.ItemDataRole.UserRole


SAVED_AFTER_MILLISECONDS = 1000
"""Comments are saved after this time without a key press."""


class CommentEdit(QPlainTextEdit):
    """A text field that emits signals when the reader pauses typing and when the focus leaves."""

    rested = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setPlaceholderText("Comment")
        self.setAccessibleName("Comment of the finding")
        self.setMaximumHeight(90)
        self.setTabChangesFocus(True)
        self.setAcceptDrops(False)  # files dropped here are handled by the window
        self._rest = QTimer(self, singleShot=True, interval=SAVED_AFTER_MILLISECONDS)
        self._rest.timeout.connect(self.rested)
        self.textChanged.connect(self._rest.start)

    def focusOutEvent(self, event: object) -> None:
        """Emit a signal, so that the comment is saved."""
        super().focusOutEvent(event)  # type: ignore[arg-type]
        self.left.emit()


class FindingsPanel(QWidget):
    """The findings of the open study; the chosen one's comment can be written below."""

    finding_chosen = Signal(object)
    finding_changed = Signal(object, object, bool)  # old, new, whether it continues the last saved comment
    remove_requested = Signal()
    new_requested = Signal()
    comment_left = Signal()
    menu_requested = Signal(QPoint)
    """Screen position of a right click on a finding, after highlighting it."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._shown: Finding | None = None
        self._is_sitting = False  # the comment was saved while it is being written
        self._list = make_list("Findings")
        self._list.itemClicked.connect(self._go)
        self._list.itemActivated.connect(self._go)
        self._list.currentItemChanged.connect(self._row_changed)
        self._list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._list.customContextMenuRequested.connect(self._ask_for_menu)
        self._empty = make_note("No findings yet.\nPress M on a frame that shows one.", is_centered=True)
        self._comment = CommentEdit()
        self._comment.rested.connect(self.save_comment)
        self._comment.left.connect(self._end_editing)
        self._remove = QPushButton("Remove")
        self._remove.clicked.connect(self.remove_requested)
        new = QPushButton("New finding here")
        new.setToolTip("M")
        new.clicked.connect(self.new_requested)
        self._labels = make_note()
        buttons = QHBoxLayout()
        buttons.addWidget(new, 1)
        buttons.addWidget(self._remove)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.addWidget(self._labels)
        layout.addWidget(self._empty, 1)
        layout.addWidget(self._list, 1)
        layout.addWidget(self._comment)
        layout.addLayout(buttons)
        self.refresh()
        self.count_labels()

    @property
    def chosen(self) -> Finding | None:
        """The finding whose row is chosen."""
        item = self._list.currentItem()
        return item.data(FINDING_ROLE) if item else None

    def refresh(self) -> None:
        """Show the open study's findings and labels; the chosen row stays chosen."""
        reading, chosen = self._session.reading, self.chosen
        with QSignalBlocker(self._list):
            self._list.clear()
            for finding in sorted(reading.findings if reading else (), key=lambda one: one.span.start):
                item = QListWidgetItem(self._sentence(finding), self._list)
                item.setData(FINDING_ROLE, finding)
                if chosen and finding.finding_id == chosen.finding_id:
                    self._list.setCurrentItem(item)
        has_findings = self._list.count() > 0
        self._list.setVisible(has_findings)
        self._empty.setVisible(not has_findings)
        self._show_comment()

    def count_labels(self) -> None:
        """Say how many frames carry which label."""
        self._labels.setText(self._label_counts())

    def choose(self, finding: Finding) -> None:
        """Choose a finding and put the cursor into its comment."""
        for row in range(self._list.count()):
            if self._list.item(row).data(FINDING_ROLE).finding_id == finding.finding_id:
                with QSignalBlocker(self._list):
                    self._list.setCurrentRow(row)
                self._show_comment()
                self._comment.setFocus()

    def _sentence(self, finding: Finding) -> str:
        reading = self._session.reading
        assert reading is not None
        title = self._session.vocabulary.of(finding.kind).title
        seconds = reading.index.video_seconds
        time = format_time(float(seconds[min(finding.span.start, reading.frame_count - 1)]))
        others = [frame for frame in finding.key_frames if frame not in finding.span and frame < reading.frame_count]
        also = "also at " + ", ".join(format_time(float(seconds[frame])) for frame in others) if others else ""
        details = [also, f"{finding.size_mm:g} mm" if finding.size_mm else "", finding.morphology, finding.comment]
        first = f"{title}, {frames_in_words(len(finding.span))}, at {time}"
        return "\n".join([first, *(detail for detail in details if detail)])

    def _label_counts(self) -> str:
        reading = self._session.reading
        if reading is None or not len(reading.labels):
            return "No labels yet. Press 1 to 9 to label a frame, 0 labels it normal."
        counts = reading.labels.frame_counts.items()
        rows = (f"{self._session.vocabulary.of(name).title} {count:,}" for name, count in counts)
        return f"Labelled frames: {', '.join(rows)}"

    def _show_comment(self) -> None:
        """Show the chosen finding's comment; what is being written stays until it is saved."""
        finding, shown = self.chosen, self._shown
        self._shown = finding
        self._comment.setEnabled(finding is not None)
        self._remove.setEnabled(finding is not None)
        text = finding.comment if finding else ""
        if finding and shown and finding.finding_id == shown.finding_id:
            if text in (shown.comment, self._comment.toPlainText().strip()):
                return
        else:
            self._is_sitting = False
        if self._comment.toPlainText() != text:
            self._comment.setPlainText(text)

    def save_comment(self) -> None:
        """Ask for the comment to be kept as it is written, if that is new."""
        finding, text = self._shown, self._comment.toPlainText().strip()
        if finding is not None and text != finding.comment:
            goes_on, self._is_sitting = self._is_sitting, True
            self.finding_changed.emit(finding, replace(finding, comment=text), goes_on)

    def _end_editing(self) -> None:
        self.save_comment()
        self._is_sitting = False
        self.comment_left.emit()

    def _row_changed(self, _: QListWidgetItem | None, before: QListWidgetItem | None) -> None:
        """Another row: its comment; moved there by keys, its frame too, for what is highlighted is what keys mean.

        A list that gets the focus, as when its tab is shown, chooses its first row by itself: the reader stays where
        they are.
        """
        self._show_comment()
        if before is not None and self._list.hasFocus() and self.chosen is not None:
            self.finding_chosen.emit(self.chosen)

    def _ask_for_menu(self, at: QPoint) -> None:
        """What was clicked is highlighted and on screen, as after a click with the left button."""
        item = self._list.itemAt(at)
        if item is not None:
            self._list.setCurrentItem(item)
            self._go(item)
            self.menu_requested.emit(self._list.viewport().mapToGlobal(at))

    def _go(self, item: QListWidgetItem) -> None:
        self.finding_chosen.emit(item.data(FINDING_ROLE))
