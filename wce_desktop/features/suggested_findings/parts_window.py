"""The parts of a suggested finding side by side, how alike their frames look, and a finding of an earlier study."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QModelIndex, QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QImage, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QListWidgetItem, QWidget

from wce_desktop.core import clock, score_text, span, suggested, to_translate, tr, tr_count
from wce_desktop.core.event import Event
from wce_desktop.session.keys import key_of
from wce_desktop.widgets import by_hand, key_texts, plain_text, window_size
from wce_desktop.widgets.basic import in_column, in_row, make_button, make_heading, make_note, make_text
from wce_desktop.widgets.player.pictures import fitted, picture_icon
from wce_desktop.widgets.theme import COLORS

SIDE_PX = 96


class EarlierBox(QWidget):
    """Picture, study, time and similarity, and two buttons; hidden where there is no such finding."""

    def __init__(self, picture: Callable[[str, int], QImage | None], parent: QWidget | None = None) -> None:
        """`picture`: study and frame -> the picture, or None until it has arrived."""
        super().__init__(parent)
        self._get_picture = picture
        self._shown: suggested.EarlierFinding | None = None
        self._picture = plain_text.PlainLabel()
        self._picture.setFixedSize(SIDE_PX, SIDE_PX)
        self._picture.setAccessibleName(tr("Finding of an earlier study"))
        self.words = make_text()
        self.same = make_button(tr("Same finding"), tr("Link the two ({link_earlier})"))
        tip = tr("Do not offer it for this finding again ({reject_earlier})")
        self.other = make_button(tr("Another finding"), tip)
        right = in_column((self.words, 1), in_row(self.same, self.other, 1))
        heading = make_heading(tr("SEEN IN AN EARLIER STUDY?"))
        in_column(heading, in_row(self._picture, (right, 1)), of=self, margins=0)
        self.hide()

    def show_finding(self, earlier: suggested.EarlierFinding | None, title: str) -> None:
        """Show a finding, or nothing; `title` is that of its class."""
        self._shown = earlier
        self.setVisible(earlier is not None)
        if earlier is None:
            return
        message = suggested.earlier_words(earlier, title)
        self.words.setText(f"{message[:1].upper()}{message[1:]}.")
        self.same.setEnabled(not earlier.is_linked)
        self.show_picture(earlier.study_id, earlier.frame_index)

    def show_picture(self, study_id: str, frame_index: int) -> None:
        """Show the picture that has arrived, if it is the one on screen."""
        shown = self._shown
        if shown is None or (study_id, frame_index) != (shown.study_id, shown.frame_index):
            return
        image = fitted(self._get_picture(study_id, frame_index), SIDE_PX, COLORS.panel)
        self._picture.setPixmap(QPixmap.fromImage(image))


THUMBNAIL_PX = 112
FRAMES_OF_A_PART = 24
"""Of a longer part this many frames are compared, spread over its length."""
MOST_FRAMES = 240
DARK, BRIGHT = np.array((0x1F, 0x1F, 0x1F)), np.array((0x9F, 0xF0, 0xE0))
ONE_FRAME = to_translate("The finding has one frame only: there is nothing to compare it with.")
HELP = to_translate(
    "Each row and each column is a frame; bright: the two frames look alike. Click to go to the frame of the column."
)
FRAME_ROLE = Qt.ItemDataRole.UserRole


class Part(NamedTuple):
    """One part: its event, the title of its class, and the time of its peak in words."""

    event: Event
    title: str
    time: str


class SimilarityView(QWidget):
    """The matrix of likeness as a picture, with lines between the parts; emits `frame_requested` (frame_index)."""

    frame_requested = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumSize(260, 260)
        self.setAccessibleName(tr("Likeness of frames"))
        self.setMouseTracking(True)
        self.setToolTip(tr(HELP))
        self._frames = np.zeros(0, np.int64)
        self._edges: tuple[int, ...] = ()
        self._image = QImage()
        self._current = -1

    def clear(self, frames: NDArray[np.int64], edges: Sequence[int]) -> None:
        """Show nothing yet for these frames; `edges` are the places where a part begins."""
        self._frames, self._edges, self._image = frames, tuple(edges), QImage()
        self.update()

    def show_similarities(self, similarities: NDArray[np.float32]) -> None:
        """(n, n) in [-1, 1]; what is below 0 is as dark as 0."""
        share = np.clip(similarities, 0.0, 1.0)[..., None]
        pixels = np.ascontiguousarray(DARK + share * (BRIGHT - DARK), np.uint8)
        side = len(pixels)
        self._image = QImage(pixels.data, side, side, 3 * side, QImage.Format.Format_RGB888).copy()
        self.update()

    def mark_frame(self, frame_index: int) -> None:
        """Mark the row and column of the frame on screen."""
        places = np.flatnonzero(self._frames == frame_index)
        self._current = int(places[0]) if places.size else -1
        self.update()

    def frame_at(self, at: QPointF) -> int:
        """The frame of the column under a point, or -1."""
        square = self._square()
        if not len(self._frames) or not square.contains(at):
            return -1
        column = int((at.x() - square.left()) / square.width() * len(self._frames))
        return int(self._frames[min(column, len(self._frames) - 1)])

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the frame of the column."""
        frame = self.frame_at(event.position())
        if frame >= 0:
            self.frame_requested.emit(frame)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The picture, lines between the parts, and the frame on screen."""
        painter = QPainter(self)
        square = self._square()
        painter.fillRect(self.rect(), QColor(COLORS.panel))
        if self._image.isNull():
            return
        painter.drawImage(square, self._image)
        step = square.width() / max(1, len(self._frames))
        current = [self._current + 0.5] if self._current >= 0 else []
        for color, width, places in ((COLORS.muted, 1.0, self._edges[1:]), (COLORS.accent, 1.5, current)):
            painter.setPen(QPen(QColor(color), width))
            for place in places:
                right, down = QPointF(place * step, 0), QPointF(0, place * step)
                painter.drawLine(square.topLeft() + right, square.bottomLeft() + right)
                painter.drawLine(square.topLeft() + down, square.topRight() + down)

    def _square(self) -> QRectF:
        side = min(self.width(), self.height()) - 8
        return QRectF((self.width() - side) / 2, (self.height() - side) / 2, side, side)


class PartsWindow(window_size.DialogBase):
    """Does not block the main window; emits `event_requested` (a part's event, frame_index)."""

    event_requested = Signal(object, int)

    def __init__(
        self,
        thumbnail: Callable[[int], QImage | None],
        picture: Callable[[str, int], QImage | None],
        actions: Sequence[QAction],
        parent: QWidget | None = None,
    ) -> None:
        """No finding yet.

        `thumbnail`: frame of the open study -> its picture, or None until it has arrived; `picture`: study and frame ->
        the same for any study; `actions`: of the main window, whose keys work here, too.
        """
        super().__init__(tr("Parts of a suggested finding"), 860, 560, parent)
        self.addActions(actions)
        self._thumbnail = thumbnail
        self._parts: tuple[Part, ...] = ()
        self.frames = np.zeros(0, np.int64)
        """(n,) the frames that are compared."""
        self._title = make_heading("")
        self._list = by_hand.HandList(tr("Parts"))
        key_texts.give_keys(self._list)
        self._list.setIconSize(QSize(THUMBNAIL_PX, THUMBNAIL_PX))
        self._list.moved.connect(self._choose)
        self._list.clicked.connect(self._choose)
        self.earlier = EarlierBox(picture)
        self._means = make_text(COLORS.muted)
        self.matrix = SimilarityView()
        self.matrix.frame_requested.connect(self._request)
        split, join = key_of("split_finding"), key_of("join_findings")
        keys = make_note(tr("{split} splits off the part on screen, {join} joins findings.", split=split, join=join))
        self._help = make_note(tr(HELP))
        left = in_column(self._title, (self._list, 1), self.earlier, self._means, keys)
        in_row((left, 1), (in_column((self.matrix, 1), self._help), 1), of=self)

    def show_parts(self, parts: Sequence[Part], current: span.Span | None) -> bool:
        """Show these parts, with the one of a span highlighted; returns whether they are others than before."""
        is_new = tuple(parts) != self._parts
        if is_new:
            self._parts = tuple(parts)
            self._fill()
        with QSignalBlocker(self._list):
            for row, part in enumerate(self._parts):
                if part.event.span == current:
                    self._list.setCurrentRow(row)
        return is_new

    def show_means(self, means: str, earlier: suggested.EarlierFinding | None) -> None:
        """Say how flags were grouped ("" where they are not), and show the finding of an earlier study, if any."""
        self._means.setText(tr("Grouped {means}.", means=means) if means else "")
        self.earlier.show_finding(earlier, self._parts[0].title if self._parts else "")

    def show_similarities(self, frames: NDArray[np.int64], similarities: NDArray[np.float32]) -> None:
        """(n, n) likeness of `frames`; others than those shown are left alone."""
        if np.array_equal(frames, self.frames):
            self.matrix.show_similarities(similarities)

    def show_thumbnail(self, frame_index: int) -> None:
        """Show the picture of a part that has arrived."""
        for row in range(self._list.count()):
            item = self._list.item(row)
            if item.data(FRAME_ROLE) == frame_index:
                self._set_icon(item)

    def _fill(self) -> None:
        count, title = len(self._parts), tr("No finding here.")
        if count:
            kind = self._parts[0].title
            title = tr_count("{kind}: {count} part, a flag", "{kind}: {count} parts, each a flag", count, kind=kind)
        self._title.setText(title)
        each = max(2, min(FRAMES_OF_A_PART, MOST_FRAMES // max(1, count)))
        chosen = [span.spread_frames(part.event.span, each, part.event.peak_frame) for part in self._parts]
        self.frames = np.array([frame for frames in chosen for frame in frames], np.int64)
        edges = np.cumsum([0, *(len(frames) for frames in chosen)])[:-1]
        self.matrix.clear(self.frames, edges.tolist())
        is_one = len(self.frames) == 1
        self.matrix.setHidden(is_one)
        self._help.setText(tr(ONE_FRAME) if is_one else tr(HELP))
        with QSignalBlocker(self._list):
            self._list.clear()
            for part in self._parts:
                event = part.event
                words = tr(
                    "{kind} at {time}\n{frames}, score {score}",
                    kind=part.title,
                    time=part.time,
                    frames=clock.counted(len(event.span), "frame"),
                    score=score_text(event.peak_score),
                )
                item = QListWidgetItem(words, self._list)
                item.setData(FRAME_ROLE, event.peak_frame)
                self._set_icon(item)

    def _set_icon(self, item: QListWidgetItem) -> None:
        item.setIcon(picture_icon(fitted(self._thumbnail(item.data(FRAME_ROLE)), THUMBNAIL_PX, COLORS.panel)))

    def _choose(self, index: QModelIndex) -> None:
        self.event_requested.emit(self._parts[index.row()].event, index.data(FRAME_ROLE))

    def _request(self, frame_index: int) -> None:
        part = next(part for part in self._parts if frame_index in part.event.span)
        self.event_requested.emit(part.event, frame_index)
