"""The parts of a map window around the map: the card of a frame, and the lines below with selection and job."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QImage, QPixmap
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QMenu, QSplitter, QVBoxLayout, QWidget

from wce_desktop.core.annotation.vocabulary import Vocabulary
from wce_desktop.core.clock import counted
from wce_desktop.core.language import to_translate, tr
from wce_desktop.features.embedding_map.map_input import HINT
from wce_desktop.session.keys import key_of
from wce_desktop.threads.job import Job
from wce_desktop.threads.job_texts import state_words, stop_words
from wce_desktop.widgets.basic import JobBar, TurningRow, make_button, make_note
from wce_desktop.widgets.glyphs import class_pixmap
from wce_desktop.widgets.key_texts import borrow_key
from wce_desktop.widgets.plain_text import PlainLabel, plain
from wce_desktop.widgets.theme import COLORS

SIDE_PX = 160
AWAY_PX = 18
WAITING, GONE = to_translate("reading the frame…"), to_translate("no picture")


class HoverCard(QFrame):
    """A small card over the map, transparent to the mouse."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._area = parent
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setStyleSheet(
            f"HoverCard {{ background: {COLORS.raised}; border: 1px solid {COLORS.border}; border-radius: 6px; }}"
        )
        self._picture = PlainLabel()
        self._picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._picture.setFixedSize(SIDE_PX, SIDE_PX)
        self._picture.setStyleSheet(f"background: black; color: {COLORS.muted}")
        self._words = PlainLabel()
        self._words.setWordWrap(True)
        self._words.setFixedWidth(SIDE_PX)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 6, 6, 6)
        column.addWidget(self._picture)
        column.addWidget(self._words)
        self.hide()

    @property
    def words(self) -> str:
        """The text."""
        return self._words.text()

    @property
    def picture(self) -> QPixmap:
        """The picture that it shows; a null one while there is none."""
        return self._picture.pixmap()

    def show_at(self, at: QPoint, words: str, picture: QImage | None) -> None:
        """Show a frame beside a place of the parent, on the side where there is room."""
        self._words.setText(words)
        self.set_picture(picture)
        self.adjustSize()
        self.move(self._corner(at, self.size()))
        self.show()
        self.raise_()

    def set_picture(self, picture: QImage | None) -> None:
        """Show the picture; None: it is being read; a null one: it cannot be."""
        if picture is None or picture.isNull():
            self._picture.setText(tr(WAITING if picture is None else GONE))
            return
        keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        self._picture.setPixmap(QPixmap.fromImage(picture).scaled(SIDE_PX, SIDE_PX, keep, smooth))

    def _corner(self, at: QPoint, size: QSize) -> QPoint:
        room = self._area.rect()
        right, left = at.x() + AWAY_PX, at.x() - AWAY_PX - size.width()
        across = right if right + size.width() <= room.width() else max(left, 0)
        down = min(max(at.y() - size.height() // 2, 0), max(room.height() - size.height(), 0))
        return QPoint(across, down)


NOTHING = to_translate("Nothing selected: draw a lasso or a box, or press Space.")


class MapFoot(QWidget):
    """Shows the selection and the job, and emits the buttons' signals."""

    label_requested = Signal(str)
    tiles_requested = Signal()
    clear_requested = Signal()
    stop_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.selection = PlainLabel(tr(NOTHING))
        self.label = make_button(tr("Label all"), tr("Label all selected frames ({label_0} to {label_9})"))
        self.tiles = make_button(tr("Show as tiles"), tr("Show the selected frames as a grid ({show_selection})"))
        self.clear = make_button(tr("Clear"), tr("Clear the selection (Escape)"))
        self.tiles.clicked.connect(self.tiles_requested)
        self.clear.clicked.connect(self.clear_requested)
        self.job = self._make_job()
        self.hint = make_note(tr(HINT))
        self.hint.setStyleSheet(f"color: {COLORS.muted}; font-size: 11px")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.hint)
        first = TurningRow(margins=(0, 0, 0, 0))
        first.arrange(self.selection, (self.label, self.tiles, self.clear))
        column.addWidget(first)
        column.addWidget(self.job)
        self.show_selection(0, 0, 0)
        self.show_job(None, "")

    def _make_job(self) -> QWidget:
        job = QWidget()
        room = job.sizePolicy()
        room.setRetainSizeWhenHidden(True)  # the map must not jump when its job begins or ends
        job.setSizePolicy(room)
        self._bar, self.words = JobBar(), PlainLabel()
        self.stop = make_button(tr("Stop"), "")
        self.stop.clicked.connect(self.stop_requested)
        line = QHBoxLayout(job)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.words, 1)
        line.addWidget(self._bar, 1)
        line.addWidget(self.stop)
        return job

    def show_selection(self, on_map: int, in_all: int, studies: int) -> None:
        """Say how many frames are selected, and how many of them the map does not hold."""
        values = {"frames": counted(in_all, "frame"), "studies": counted(studies, "study")}
        values |= {"first": key_of("label_0"), "last": key_of("label_9")}
        if not in_all:
            words = tr(NOTHING)
        elif in_all <= on_map:
            words = tr("{frames} of {studies} selected: press {first} to {last} to label all", **values)
        else:
            words = tr(
                "{frames} of {studies} selected, {elsewhere} of them not on this map: "
                "press {first} to {last} to label all",
                elsewhere=in_all - on_map,
                **values,
            )
        self.selection.setText(words)
        for widget in (self.label, self.tiles, self.clear):
            widget.setEnabled(in_all > 0)

    def set_classes(self, vocabulary: Vocabulary) -> None:
        """Offer the classes of a vocabulary; their keys label all selected frames, wherever the focus is."""
        menu = QMenu(self.label)
        for entry in vocabulary:
            if entry.key:
                title = tr("Label “{title}”", title=entry.shown_title)
                action = menu.addAction(QIcon(class_pixmap(entry, 14, 2.0)), title)
                borrow_key(action, f"label_{entry.key}")
                action.triggered.connect(lambda *_, name=entry.name: self.label_requested.emit(name))
        self.label.setMenu(menu)
        self.addActions(menu.actions())

    def say(self, words: str) -> None:
        """Say what was done with the selection, until another one is made."""
        self.selection.setText(words)

    def show_job(self, job: Job | None, picture: str) -> None:
        """Show the progress of the map's job; `picture` describes the shown result."""
        self.job.setVisible(job is not None and not job.has_ended)
        if job is None:
            return
        self._bar.show_progress(job.progress)
        self.words.setText("   ".join(filter(None, (state_words(job), picture))))
        self.stop.setEnabled(job.state in ("running", "queued"))
        self.stop.setToolTip(plain(stop_words(job)))

    def show_wait(self, words: str) -> None:
        """Show that something is being prepared that has no job yet."""
        self.job.show()
        self._bar.show_progress(None)
        self.words.setText(words)
        self.stop.setEnabled(False)


def arrange_columns(window: QDialog, columns: Sequence[QWidget], widths: Sequence[int]) -> None:
    """Fill a window with columns that can be resized; the middle one takes what is left."""
    splitter = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
    for number, column in enumerate(columns):
        splitter.addWidget(column)
        splitter.setStretchFactor(number, number == len(columns) // 2)
    splitter.setSizes(widths)
    layout = QVBoxLayout(window)
    layout.setContentsMargins(12, 10, 12, 10)
    layout.addWidget(splitter)
