"""The visible part of the player: pages, frame, overlay, notes; independent of decoding.

What the player shows before a study is open: what to do next, and a button for it.
"""

from collections.abc import Mapping
from dataclasses import asdict
from string import Template

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedLayout, QVBoxLayout, QWidget

from wce_desktop.core.language import tr
from wce_desktop.session.places import resource
from wce_desktop.widgets import theme
from wce_desktop.widgets.key_texts import set_tip
from wce_desktop.widgets.plain_text import PlainLabel
from wce_desktop.widgets.player.enhancement import RAW
from wce_desktop.widgets.player.frame_view import FrameView
from wce_desktop.widgets.player.overlay_layer import CamProvider
from wce_desktop.widgets.player.transport import Transport

PICTURE_FROM_PX, WORDS_FROM_PX, BORDER_FROM_PX = 330, 190, 150
"""Heights from which the picture, the sentence, and the margin of the border have room."""


LAST_PX = 420
"""Room for the words of the button that continues a reading; longer ones are cut in the middle."""


class EmptyState(QWidget):
    """A drop zone with a picture, a text and buttons; in a low window the picture and the sentence give way."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = _label(tr("Drop a study here"), 22, theme.COLORS.text)
        self.hint = _label(
            tr("A capsule video (mp4, mov, mkv, avi, mpg …) or a folder of images."), 14, theme.COLORS.muted
        )
        self.picture = _Capsule()
        self.last = _button(
            "", tr("Open the study read last, where reading stopped ({continue_reading})"), is_primary=True
        )
        self.last.hide()
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(34, 30, 34, 30)
        column.setSpacing(10)
        column.addStretch(1)
        column.addWidget(self.picture, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self.title)
        column.addWidget(self.hint)
        column.addWidget(self.last, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addLayout(self._buttons())
        column.addStretch(1)

    def offer_last(self, name: str, progress: str) -> None:
        """Offer to continue with the study read last; without a name nothing is offered."""
        self.last.setAccessibleName(
            tr("Continue reading {name}  ·  {progress}", name=name, progress=progress) if name else ""
        )
        self.last.setVisible(bool(name))
        self.open_button.setProperty("primary", "false" if name else "true")
        self.open_button.style().polish(self.open_button)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show less in a low window."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        height = self.height() - (46 if not self.last.isHidden() else 0)
        room = min(LAST_PX, self.width() - 110)
        words = self.last.fontMetrics().elidedText(self.last.accessibleName(), Qt.TextElideMode.ElideMiddle, room)
        self.last.setText(words.replace("&", "&&"))
        self.picture.setVisible(height >= PICTURE_FROM_PX)
        self.hint.setVisible(height >= WORDS_FROM_PX)
        self.title.setVisible(height >= BORDER_FROM_PX)
        margin = 30 if height >= BORDER_FROM_PX else 8
        self._column.setContentsMargins(margin + 4, margin, margin + 4, margin)
        self.update()

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(12)
        self.open_button = _button(tr("Open…"), tr("Open a video file ({open_files})"), is_primary=True)
        self.demo_button = _button(tr("Open the demo"), tr("Open a synthetic study with scores"), is_primary=False)
        row.addStretch(1)
        row.addWidget(self.open_button)
        row.addWidget(self.demo_button)
        row.addStretch(1)
        return row

    def minimumSizeHint(self) -> QSize:
        """In a low window the picture and the words give way; they must not limit the window size."""
        return QSize(260, 96)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(theme.COLORS.background))
        pen = QPen(QColor(theme.COLORS.border), 1.5, Qt.PenStyle.CustomDashLine)
        pen.setDashPattern([6, 5])
        painter.setPen(pen)
        inset = min(24, self._column.contentsMargins().top() - 6)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), 14, 14)


class _Capsule(QWidget):
    """A capsule with its dome and its light, in greys and the accent."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(QSize(150, 92))
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def paintEvent(self, event: QPaintEvent) -> None:
        drawing = Template(resource("icons", "capsule.svg").read_text(encoding="utf-8"))
        painter = QPainter(self)
        QSvgRenderer(drawing.substitute(asdict(theme.COLORS)).encode()).render(painter, QRectF(self.rect()))


def _label(text: str, size_px: int, color: str) -> PlainLabel:
    label = PlainLabel(text)
    label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
    label.setWordWrap(True)
    label.setStyleSheet(f"color: {color}; font-size: {size_px}px; background: transparent;")
    return label


def _button(text: str, tip: str, *, is_primary: bool) -> QPushButton:
    button = QPushButton(text)
    set_tip(button, tip)
    button.setProperty("primary", "true" if is_primary else "false")
    button.setMinimumSize(120, 34)
    button.setCursor(Qt.CursorShape.PointingHandCursor)
    return button


class PlayerSurface(QWidget):
    """Empty state or frames, above the transport; plain setters for all that is laid over a frame."""

    overlay_visible_changed = Signal(bool)
    menu_requested = Signal(QPoint)
    """Place on the screen; a right click on the frame, or the menu key."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.frame_view = FrameView()
        self.empty_state = EmptyState()
        self.transport = Transport()
        self._is_study_open = False
        self._pages = QStackedLayout()
        self._pages.addWidget(self.empty_state)
        self._pages.addWidget(self.frame_view)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._row = QHBoxLayout()
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._row.addLayout(self._pages, 1)
        column.addLayout(self._row, 1)
        column.addWidget(self.transport)
        view = self.frame_view
        self.zoom_in, self.zoom_out, self.zoom_fit = view.zoom_in, view.zoom_out, view.zoom_fit
        self.set_notes_provider, self.refresh_notes = view.set_notes_provider, view.update_notes
        self.set_field_of_view = view.overlay.set_field_of_view
        self._show_overlay()

    def put_beside_frame(self, widget: QWidget) -> None:
        """Put a widget at the right of the frame, above the transport; the frame is as high with it as without."""
        self._row.addWidget(widget)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the frame; without a study there is none."""
        is_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        if self._is_study_open and (is_key or self.frame_view.geometry().contains(event.pos())):
            middle = self.frame_view.mapToGlobal(self.frame_view.rect().center())
            self.menu_requested.emit(middle if is_key else event.globalPos())

    # The explanation

    def set_overlay_provider(self, provider: CamProvider | None, missing_words: str = "") -> None:
        """Take explanations by frame index from here, None if there is none (asked while painting, then kept).

        `missing_words` stand in the corner of a frame without one.
        """
        self.frame_view.overlay.set_provider(provider)
        self.frame_view.overlay.missing_words = missing_words or tr("No explanation for this frame")
        self._show_overlay()

    def refresh_explanation(self, frame_index: int) -> None:
        """Ask the provider again for one frame: its explanation has come, or a better one."""
        self.frame_view.overlay.forget(frame_index)
        self.frame_view.update()

    def set_busy_words(self, text: str) -> None:
        """Say in the corner what is being computed for the frame on screen; "" says nothing."""
        if text != self.frame_view.overlay.busy_words:
            self.frame_view.overlay.busy_words = text
            self.frame_view.update()

    def set_contour(self, level: float | None) -> None:
        """Draw a line around what reaches this share of the frame's strongest evidence; None draws none."""
        self.frame_view.overlay.set_contour(level)
        self.frame_view.update()

    def set_beside(self, is_beside: bool) -> None:
        """Show the frame without overlay beside the explained one, if one frame is shown and the overlay is on."""
        self.frame_view.overlay.is_beside = is_beside
        self.frame_view.update()

    def set_overlay_visible(self, is_visible: bool) -> None:
        """Lay the explanation over the frame, or show the frame alone."""
        is_changed = is_visible != self.frame_view.overlay.is_visible
        self.frame_view.overlay.is_visible = is_visible
        self._show_overlay()
        if is_changed:
            self.overlay_visible_changed.emit(is_visible)

    def set_overlay_opacity(self, opacity: float) -> None:
        """Set the overlay's opacity, held to 0.05..1."""
        self.frame_view.overlay.opacity = max(0.05, min(opacity, 1.0))
        self._show_overlay()

    def set_enhancement(self, name: str) -> None:
        """Show frames in a view of `widgets.player.enhancement`; only on the screen."""
        self.frame_view.enhancer.choose(name)
        self.transport.set_enhancement(self.frame_view.enhancer.chosen)
        self.frame_view.update()

    def set_tips(self, tips: Mapping[str, str]) -> None:
        """Replace the buttons' tooltips by those of the table of actions: action's id to text."""
        self.transport.set_tips(tips)
        self.frame_view.tips = tips

    # Inside

    def _set_study_open(self, is_open: bool) -> None:
        """Whether there is something to move through; without, the overlay has nothing to lie on."""
        self._is_study_open = is_open
        self.transport.set_study_open(is_open)
        self._show_overlay()

    def _clear(self) -> None:
        """Forget all that belongs to a study."""
        self.frame_view.clear()
        self.frame_view.overlay.set_provider(None)
        self.set_enhancement(RAW)
        self.set_field_of_view(None)
        self._set_study_open(False)

    def _show_overlay(self) -> None:
        overlay = self.frame_view.overlay
        self.transport.set_overlay(overlay.is_visible, overlay.opacity, self._is_study_open)
        self.frame_view.update()
