"""The strip of neighbours below the player: similar frames, distances, the suggested label, and filters."""

from PySide6 import QtWidgets
from PySide6.QtCore import QPoint, QPointF, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent

from training.embeddings.neighbour import WINDOW
from wce_desktop.core.annotation.vocabulary import Vocabulary, shown_name
from wce_desktop.core.language import number_text, to_translate, tr
from wce_desktop.features.neighbours import neighbour_query
from wce_desktop.widgets import basic, frame_tile, glyphs, inputs, theme, tile_list
from wce_desktop.widgets.plain_text import ElidedLabel, plain

SCOPE_TITLES = {
    "all": to_translate("all studies"),
    "this study": to_translate("this study"),
    "other studies": to_translate("other studies"),
    "other patients": to_translate("other patients"),
}
METRIC_TITLES = {"euclidean": to_translate("Euclidean distance"), "cosine": to_translate("cosine distance")}
MOST_SECONDS, MOST_FRAMES = 36_000.0, 300


class FilterBox(QtWidgets.QFrame):
    """A popup form; Escape closes it."""

    changed = Signal(object)  # SearchSettings

    def __init__(self, vocabulary: Vocabulary, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setFrameShape(QtWidgets.QFrame.Shape.StyledPanel)
        self.setAccessibleName(tr("Restrict the search to some frames"))
        self.settings = neighbour_query.SearchSettings()
        self.scope = _combo(tr("Studies to search in"), SCOPE_TITLES)
        self.distance = _combo(tr("Distance"), METRIC_TITLES)
        self._vocabulary = vocabulary
        self.class_name = _combo(tr("Label of the frames"), {})
        self.show_classes()
        self.labelled = QtWidgets.QCheckBox(tr("only frames with a label"))
        self.live = QtWidgets.QCheckBox(tr("only frames that the live scores flag"))
        self.to_query = _seconds(tr("Minimum time from the query frame"))
        self.among = _seconds(tr("Minimum time between the frames found"))
        self.count = inputs.WholeBox(minimum=1, maximum=MOST_FRAMES)
        self.count.setAccessibleName(tr("Frames to show"))
        basic.pad(self.count)
        self.reset = basic.make_button(tr("Reset"), tr("Reset all filters"))
        form = basic.Form(self)
        form.setContentsMargins(14, 12, 14, 12)
        for title, widget in (
            (tr("Search in"), self.scope),
            (tr("Labelled"), self.class_name),
            ("", self.labelled),
            ("", self.live),
            (tr("Minimum time from the query"), self.to_query),
            (tr("Minimum time between results"), self.among),
            (tr("Nearest by"), self.distance),
            (tr("Show at most"), self.count),
            ("", self.reset),
        ):
            form.addRow(title, widget)
        for combo in (self.scope, self.distance, self.class_name):
            combo.currentIndexChanged.connect(self._emit_settings)
        for box in (self.to_query, self.among, self.count):
            box.editingFinished.connect(self._emit_settings)
        for check in (self.labelled, self.live):
            check.toggled.connect(self._emit_settings)
        self.reset.clicked.connect(lambda: self.change(neighbour_query.SearchSettings()))
        self.show_settings(self.settings)

    def show_classes(self) -> None:
        """Offer the classes of the vocabulary; the chosen one stays chosen where it is still there."""
        classes = ((entry.shown_title, entry.name) for entry in self._vocabulary)
        basic.fill_box(self.class_name, ((tr("any label"), ""), *classes))

    def change(self, settings: neighbour_query.SearchSettings) -> None:
        """Set it and emit `changed`."""
        self.show_settings(settings)
        self._emit_settings()

    def show_settings(self, settings: neighbour_query.SearchSettings) -> None:
        """Show this without emitting signals."""
        blocked = [QSignalBlocker(child) for child in self.findChildren(QtWidgets.QWidget)]
        self.scope.setCurrentIndex(self.scope.findData(settings.scope))
        self.distance.setCurrentIndex(self.distance.findData(settings.metric))
        self.class_name.setCurrentIndex(max(0, self.class_name.findData(settings.class_name)))
        self.labelled.setChecked(settings.is_labelled_only)
        self.live.setChecked(settings.is_live_only)
        self.to_query.setValue(settings.min_seconds_to_query)
        self.among.setValue(settings.min_seconds_among)
        self.count.setValue(settings.count)
        del blocked

    def _emit_settings(self) -> None:
        settings = neighbour_query.SearchSettings(
            count=self.count.value(),
            metric=self.distance.currentData(),
            scope=self.scope.currentData(),
            is_labelled_only=self.labelled.isChecked(),
            class_name=self.class_name.currentData(),
            is_live_only=self.live.isChecked(),
            min_seconds_to_query=self.to_query.value(),
            min_seconds_among=self.among.value(),
        )
        if settings != self.settings:
            self.settings = settings
            self.changed.emit(settings)


def settings_in_words(settings: neighbour_query.SearchSettings) -> str:
    """What is filtered: “other patients, labelled, 10 s apart”; "" without filters."""
    usual = neighbour_query.SearchSettings()
    words = [tr(SCOPE_TITLES[settings.scope])] if settings.scope != usual.scope else []
    if settings.class_name:
        words.append(tr("labelled {label}", label=shown_name(settings.class_name)))
    elif settings.is_labelled_only:
        words.append(tr("labelled"))
    if settings.is_live_only:
        words.append(tr("flagged by live scores"))
    if settings.min_seconds_to_query:
        words.append(tr("{seconds} s away", seconds=number_text(settings.min_seconds_to_query, "g")))
    if settings.min_seconds_among != usual.min_seconds_among:
        words.append(tr("{seconds} s apart", seconds=number_text(settings.min_seconds_among, "g")))
    if settings.metric != usual.metric:
        words.append(tr("cosine"))
    return ", ".join(words)


def _combo(name: str, titles: dict[str, str]) -> QtWidgets.QComboBox:
    box = inputs.ComboBox(name)
    basic.fill_box(box, ((tr(title), key) for key, title in titles.items()))
    return box


def _seconds(name: str) -> inputs.DecimalBox:
    box = inputs.DecimalBox(minimum=0.0, maximum=MOST_SECONDS, decimals=1, suffix=" s")
    box.setAccessibleName(name)
    basic.pad(box)
    return box


WAIT_SHOWN_AFTER_MILLISECONDS = 300
PICTURE_PX = ((760, 60), (1000, 84))
"""Up to which height of the window the pictures are so large."""
LARGEST_PX = 112
SCROLL_BAR_PX = 12


class RelationLegend(QtWidgets.QWidget):
    """What the borders mean: shape, colour and line of each, with its words."""

    def __init__(self) -> None:
        super().__init__()
        self._texts = {name: tr(style.title) for name, style in frame_tile.RELATIONS.items() if name != "query"}
        self._texts["window"] = tr("within {count} frames", count=WINDOW)
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


class NeighbourStrip(QtWidgets.QWidget):
    """Shows tiles and emits the buttons' signals; independent of the library."""

    def __init__(self, vocabulary: Vocabulary, picture: tile_list.PictureProvider) -> None:
        super().__init__()
        self.setAccessibleName(tr("Similar frames"))
        self.title = ElidedLabel()
        self.tiles = tile_list.TileList(tr("Similar frames"), picture, is_one_row=True, takes_keys_always=False)
        self.message = basic.make_note(is_centered=True)
        self.filters = FilterBox(vocabulary, self)
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
        self._pages = QtWidgets.QStackedWidget()
        self._pages.addWidget(self.tiles)
        self._pages.addWidget(self.message)
        self._waiting_text = ""
        self._wait = QTimer(self, singleShot=True, interval=WAIT_SHOWN_AFTER_MILLISECONDS)
        self._wait.timeout.connect(self._show_waiting)
        top = basic.in_row((self.title, 1), RelationLegend())
        pairs = (self.voters, self.filter), (self.follow, self.grid)
        rows = (basic.in_row(*pair, spacing=3) for pair in pairs)
        buttons = basic.in_column(self.suggestion, self.stop, *rows, 1, spacing=3)
        row = basic.in_row((self._pages, 1), buttons, spacing=8)
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
        message = settings_in_words(settings)
        self.filter.setText(tr("Filters: on") if message else tr("Filters…"))
        self.filter.setToolTip(plain(message or tr("Restrict the search by study, label, time or distance")))

    def _show_waiting(self) -> None:
        self.suggestion.hide()
        self.stop.show()
        self._show_title(self._waiting_text)

    def _end_waiting(self) -> None:
        self._wait.stop()
        self.stop.hide()


def _tool(text: str, tip: str, *, is_checkable: bool = False) -> QtWidgets.QToolButton:
    button = basic.bar_button(text, tip)
    button.setCheckable(is_checkable)
    button.setStyleSheet("padding: 2px 6px")
    button.setSizePolicy(QtWidgets.QSizePolicy.Policy.Expanding, QtWidgets.QSizePolicy.Policy.Fixed)
    return button
