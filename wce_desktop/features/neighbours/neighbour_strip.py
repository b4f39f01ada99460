"""The strip of neighbours below the player: similar frames, distances, and the suggested label."""

from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QStackedWidget, QToolButton, QWidget

from wce_desktop.core.annotation.vocabulary import Vocabulary
from wce_desktop.core.language import tr
from wce_desktop.features.neighbours import filter_box, frame_tile, neighbour_query, tile_list
from wce_desktop.widgets import basic, glyphs, theme
from wce_desktop.widgets.plain_text import ElidedLabel, plain

WAIT_SHOWN_AFTER_MILLISECONDS = 300
PICTURE_PX = ((760, 60), (1000, 84))
"""Up to which height of the window the pictures are so large."""
LARGEST_PX = 112
SCROLL_BAR_PX = 12


class RelationLegend(QWidget):
    """What the borders mean: shape, colour and line of each, with its words."""

    def __init__(self) -> None:
        super().__init__()
        self._texts = {name: tr(style.title) for name, style in frame_tile.RELATIONS.items() if name != "query"}
        self._texts["window"] = tr("within {count} frames", count=neighbour_query.WINDOW_FRAMES)
        self.setAccessibleName(tr("Borders: {relations}", relations=", ".join(self._texts.values())))
        metrics = QFontMetrics(self.font())
        self._widths = [22 + metrics.horizontalAdvance(text) + 14 for text in self._texts.values()]
        self.setFixedSize(sum(self._widths), metrics.height() + 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the entries side by side."""
        painter = QPainter(self)
        left = 0
        for (name, text), width in zip(self._texts.items(), self._widths, strict=True):
            style = frame_tile.RELATIONS[name]
            glyphs.draw_glyph(painter, QPointF(left + 8, self.height() / 2), 5, style.shape, QColor(style.color))
            painter.setPen(QColor(theme.COLORS.muted))
            painter.drawText(left + 20, 0, width, self.height(), Qt.AlignmentFlag.AlignVCenter, text)
            left += width


class NeighbourStrip(QWidget):
    """Shows tiles and emits the buttons' signals; independent of the library."""

    def __init__(self, vocabulary: Vocabulary, picture: tile_list.PictureProvider) -> None:
        super().__init__()
        self.setAccessibleName(tr("Similar frames"))
        self.title = ElidedLabel()
        self.tiles = tile_list.TileList(tr("Similar frames"), picture, is_one_row=True, takes_keys_always=False)
        self.message = basic.make_note(is_centered=True)
        self.filters = filter_box.FilterBox(vocabulary, self)
        self.filters.changed.connect(self._change_settings)
        self.suggestion = _tool("", tr("Apply the label its neighbours suggest ({accept_votes})"))
        self.voters = _tool(
            tr("Show neighbours"), tr("Show the labelled frames behind the suggestion"), is_checkable=True
        )
        self.filter = _tool(tr("Filters…"), tr("Restrict the search by study, label, time or distance"))
        self.filter.clicked.connect(self.open_filters)
        self.follow = _tool(tr("Follow"), tr("Search again whenever playback stops"), is_checkable=True)
        self.follow.setChecked(True)
        self.grid = _tool(
            tr("Show as grid"), tr("Show these frames as a grid, to label or export them together ({show_selection})")
        )
        self.stop = _tool(tr("Stop"), tr("Stop searching"))
        self.stop.hide()
        self.show_suggestion("", "")
        self._pages = QStackedWidget()
        self._pages.addWidget(self.tiles)
        self._pages.addWidget(self.message)
        self._waiting_text = ""
        self._wait = QTimer(self, singleShot=True, interval=WAIT_SHOWN_AFTER_MILLISECONDS)
        self._wait.timeout.connect(self._show_waiting)
        top = basic.in_row((self.title, 1), RelationLegend())
        buttons = QGridLayout()
        buttons.setSpacing(3)
        buttons.addWidget(self.suggestion, 0, 0, 1, 2)
        buttons.addWidget(self.stop, 0, 0, 1, 2)
        for number, widget in enumerate((self.voters, self.filter, self.follow, self.grid)):
            buttons.addWidget(widget, 1 + number // 2, number % 2)
        buttons.setRowStretch(3, 1)
        row = basic.in_row((self._pages, 1), buttons)
        basic.in_column(top, row, of=self, margins=(8, 3, 8, 2), spacing=1)
        self.fit_height(800)

    def fit_height(self, window_height: int) -> None:
        """Fit the size of the pictures to the height of the window."""
        side = next((side for height, side in PICTURE_PX if window_height <= height), LARGEST_PX)
        self.tiles.set_picture_px(side)
        self._pages.setFixedHeight(frame_tile.tile_size(side).height() + SCROLL_BAR_PX)

    # What is shown

    def _show_title(self, text: str) -> None:
        self.title.setText(text)
        self.title.setToolTip(plain(text))

    def show_tiles(self, title: str, count: int, make: tile_list.TileMaker, note: str) -> None:
        """Show the neighbours; `note` says how they were searched, and whether there are fewer than requested."""
        self._end_waiting()
        self._show_title(f"{title} · {note}" if note else title)
        self.tiles.show_tiles(count, make)
        self.tiles.scrollToTop()
        self._pages.setCurrentIndex(0)
        self.grid.setEnabled(bool(count))

    def show_suggestion(self, text: str, tip: str, *, is_open: bool = True) -> None:
        """Show the suggested label, such as “Blood 0.83”; "" for none; `is_open` is False once it is accepted."""
        self.suggestion.setText(f"{text}   Y" if text and is_open else text)
        self.suggestion.setVisible(bool(text) and self.stop.isHidden())
        self.suggestion.setEnabled(is_open)
        self.suggestion.setToolTip(plain(tip))
        self.suggestion.setAccessibleName(tr("Label {suggestion}", suggestion=text) if text else tr("No suggestion"))
        self.voters.setEnabled(bool(text))
        if not text:
            basic.check_quietly(self.voters, False)

    def show_message(self, message: str, hint: str = "", *, is_error: bool = False) -> None:
        """Say why there are no neighbours, and what to do."""
        self._end_waiting()
        self._show_title("")
        self.show_suggestion("", "")
        self.message.setText(f"{message}\n{hint}".strip())
        self.message.setStyleSheet(f"color: {theme.COLORS.warning if is_error else theme.COLORS.muted}")
        self._pages.setCurrentIndex(1)
        self.grid.setEnabled(False)

    def wait_for(self, what: str) -> None:
        """Say what is waited for, once it takes longer than a blink; what was shown stays."""
        self._waiting_text = what
        if not self.stop.isHidden():
            self._show_waiting()
        else:
            self._wait.start()

    def open_filters(self) -> None:
        """Show the form under its button, within the screen."""
        self.filters.show_classes()
        self.filters.adjustSize()
        corner = self.filter.mapToGlobal(QPoint(0, 0))
        left, top = corner.x() + self.filter.width() - self.filters.width(), corner.y() - self.filters.height()
        room = self.screen().availableGeometry()
        self.filters.move(max(room.left(), left), max(room.top(), top))
        self.filters.show()
        self.filters.scope.setFocus(Qt.FocusReason.TabFocusReason)

    def _change_settings(self, settings: neighbour_query.SearchSettings) -> None:
        message = filter_box.settings_in_words(settings)
        self.filter.setText(tr("Filters: on") if message else tr("Filters…"))
        self.filter.setToolTip(plain(message or tr("Restrict the search by study, label, time or distance")))

    def _show_waiting(self) -> None:
        self.suggestion.hide()
        self.stop.show()
        self._show_title(self._waiting_text)

    def _end_waiting(self) -> None:
        self._wait.stop()
        self.stop.hide()


def _tool(text: str, tip: str, *, is_checkable: bool = False) -> QToolButton:
    button = basic.bar_button(text, tip)
    button.setCheckable(is_checkable)
    button.setStyleSheet("padding: 2px 6px")
    button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    return button
