"""The parts of a map window around the map: the card of a frame, and the lines below with selection and job."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QIcon, QImage, QPixmap
from PySide6.QtWidgets import QDialog, QFrame, QMenu, QSplitter, QWidget

from wce_desktop.core.annotation.vocabulary import Vocabulary
from wce_desktop.core.clock import counted
from wce_desktop.core.language import to_translate, tr
from wce_desktop.features.embedding_map.map_canvas import MapCanvas
from wce_desktop.features.embedding_map.map_input import HINT
from wce_desktop.features.embedding_map.map_legend import MapLegend
from wce_desktop.session.keys import key_of
from wce_desktop.threads.job import Job
from wce_desktop.threads.job_texts import state_words
from wce_desktop.widgets import basic
from wce_desktop.widgets.basic import in_column, in_row, make_button
from wce_desktop.widgets.glyphs import class_pixmap
from wce_desktop.widgets.key_texts import borrow_key
from wce_desktop.widgets.plain_text import PlainLabel
from wce_desktop.widgets.theme import COLORS
from wce_desktop.widgets.window_size import fit_to_screen

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
        self.picture = PlainLabel()
        self.picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.picture.setFixedSize(SIDE_PX, SIDE_PX)
        self.picture.setStyleSheet(f"background: black; color: {COLORS.muted}")
        self.words = PlainLabel()
        self.words.setWordWrap(True)
        self.words.setFixedWidth(SIDE_PX)
        in_column(self.picture, self.words, of=self, margins=6)
        self.hide()

    def show_at(self, at: QPoint, words: str, picture: QImage | None) -> None:
        """Show a frame beside a place of the parent, on the side where there is room."""
        self.words.setText(words)
        self.set_picture(picture)
        self.adjustSize()
        room, size = self._area.rect(), self.size()
        right, left = at.x() + AWAY_PX, at.x() - AWAY_PX - size.width()
        across = right if right + size.width() <= room.width() else max(left, 0)
        down = min(max(at.y() - size.height() // 2, 0), max(room.height() - size.height(), 0))
        self.move(across, down)
        self.show()
        self.raise_()

    def set_picture(self, picture: QImage | None) -> None:
        """Show the picture; None: it is being read; a null one: it cannot be."""
        if picture is None or picture.isNull():
            self.picture.setText(tr(WAITING if picture is None else GONE))
            return
        keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        self.picture.setPixmap(QPixmap.fromImage(picture).scaled(SIDE_PX, SIDE_PX, keep, smooth))


NOTHING = to_translate("Nothing selected: draw a lasso or a box, or press Space.")


class MapFoot(QWidget):
    """Shows the selection and the job, and emits the buttons' signals."""

    label_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.selection = PlainLabel(tr(NOTHING))
        self.label = make_button(tr("Label all"), tr("Label all selected frames ({label_0} to {label_9})"))
        self.tiles = make_button(tr("Show as tiles"), tr("Show the selected frames as a grid ({show_selection})"))
        self.clear = make_button(tr("Clear"), tr("Clear the selection (Escape)"))
        self.job = self._make_job()
        self.hint = basic.make_note(tr(HINT))
        self.hint.setStyleSheet(f"color: {COLORS.muted}; font-size: 11px")
        first = basic.TurningRow(margins=(0, 0, 0, 0))
        first.arrange(self.selection, (self.label, self.tiles, self.clear))
        in_column(self.hint, first, self.job, of=self, margins=0)
        self.show_selection(0, 0, 0)
        self.show_job(None, "")

    def _make_job(self) -> QWidget:
        job = QWidget()
        room = job.sizePolicy()
        room.setRetainSizeWhenHidden(True)  # the map must not jump when its job begins or ends
        job.setSizePolicy(room)
        self._bar, self.words, self.stop = basic.JobBar(), PlainLabel(), basic.StopButton()
        in_row((self.words, 1), (self._bar, 1), self.stop, of=job, margins=0)
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

    def show_job(self, job: Job | None, picture: str) -> None:
        """Show the progress of the map's job; `picture` describes the shown result."""
        self.job.setVisible(job is not None and not job.has_ended)
        if job is None:
            return
        self._bar.show_progress(job.progress)
        self.words.setText("   ".join(filter(None, (state_words(job), picture))))
        self.stop.show_job(job)

    def show_wait(self, words: str) -> None:
        """Show that something is being prepared that has no job yet."""
        self.job.show()
        self._bar.show_progress(None)
        self.words.setText(words)
        self.stop.setEnabled(False)


class MapBase(QDialog):
    """A window around a map: columns that can be resized, of which the middle one takes what is left."""

    def __init__(self, title: str, shared: Sequence[QAction], parent: QWidget | None) -> None:
        """`shared` are actions of the main window whose keys work here too."""
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle(title)
        fit_to_screen(self, 1180, 760)
        self.canvas, self.legend, self.foot = MapCanvas(), MapLegend(), MapFoot()
        self.card = HoverCard(self.canvas)
        self.problem = basic.make_text(COLORS.warning)
        self.problem.hide()
        self.canvas.leave_requested.connect(self.focusNextPrevChild)
        self.legend.hidden_changed.connect(self.canvas.set_hidden)
        self.addActions(list(shared))

    def arrange_columns(self, left: QWidget, middle: QWidget, widths: Sequence[int]) -> None:
        """Fill the window; the legend is the right column."""
        splitter = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        for number, column in enumerate((left, middle, self.legend)):
            splitter.addWidget(column)
            splitter.setStretchFactor(number, number == 1)
        splitter.setSizes(widths)
        in_column(splitter, of=self, margins=(12, 10, 12, 10))

    def show_message(self, sentence: str) -> None:
        """Show what went wrong; "" hides it."""
        basic.show_text(self.problem, sentence)
