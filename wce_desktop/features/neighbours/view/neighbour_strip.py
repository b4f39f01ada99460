"""The strip of neighbours below the player: similar frames, distances, and the suggested label."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QPoint, QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from wce_desktop.core.annotation.vocabulary import Vocabulary
from wce_desktop.core.clock import counted, format_time
from wce_desktop.core.language import tr, tr_count
from wce_desktop.core.score_text import score_text
from wce_desktop.features.neighbours.model.neighbour_query import WINDOW_FRAMES, Found, FoundFrame, SearchSettings
from wce_desktop.features.neighbours.view.filter_box import FilterBox, settings_in_words
from wce_desktop.features.neighbours.view.frame_tile import RELATIONS, FrameTile, Relation, tile_size
from wce_desktop.features.neighbours.view.tile_list import PictureProvider, TileList, TileMaker
from wce_desktop.session.frame_facts import FrameFact, FrameFacts
from wce_desktop.widgets.basic import make_note
from wce_desktop.widgets.glyphs import draw_glyph
from wce_desktop.widgets.key_texts import set_tip
from wce_desktop.widgets.plain_text import PlainLabel, plain
from wce_desktop.widgets.theme import MUTED, WARNING

WAIT_SHOWN_AFTER_MILLISECONDS = 300
PICTURE_PX = ((760, 60), (1000, 84))
"""Up to which height of the window the pictures are so large."""
LARGEST_PX = 112
SCROLL_BAR_PX = 12


class ElidedLabel(PlainLabel):
    """A one-line label that is elided when too long; the tooltip has the full text."""

    def __init__(self, color: str = "") -> None:
        super().__init__()
        self._whole = ""
        self.setMinimumWidth(40)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        if color:
            self.setStyleSheet(f"color: {color}")

    def set_whole(self, text: str) -> None:
        """Set the text, elided if too long."""
        self._whole = text
        self.setToolTip(plain(text))
        self.setAccessibleName(text)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Elide to the width there is."""
        shown = QFontMetrics(self.font()).elidedText(self._whole, Qt.TextElideMode.ElideRight, self.width())
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)

    def sizeHint(self) -> QSize:
        """One line high."""
        return QSize(200, QFontMetrics(self.font()).height() + 2)


class RelationLegend(QWidget):
    """What the borders mean: shape, colour and line of each, with its words."""

    def __init__(self) -> None:
        super().__init__()
        self._texts = {name: tr(style.title) for name, style in RELATIONS.items() if name != "query"}
        self._texts["window"] = tr("within {count} frames", count=WINDOW_FRAMES)
        self.setAccessibleName(tr("Borders: {relations}", relations=", ".join(self._texts.values())))
        metrics = QFontMetrics(self.font())
        self._widths = [22 + metrics.horizontalAdvance(text) + 14 for text in self._texts.values()]
        self.setFixedSize(sum(self._widths), metrics.height() + 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the entries side by side."""
        painter = QPainter(self)
        left = 0
        for (name, text), width in zip(self._texts.items(), self._widths, strict=True):
            style = RELATIONS[name]
            draw_glyph(painter, QPointF(left + 8, self.height() / 2), 5, style.shape, QColor(style.color))
            painter.setPen(QColor(MUTED))
            painter.drawText(left + 20, 0, width, self.height(), Qt.AlignmentFlag.AlignVCenter, text)
            left += width


class NeighbourStrip(QWidget):
    """Shows tiles and emits the buttons' signals; independent of the library."""

    opened = Signal(str, int)
    settings_changed = Signal(object)
    follow_changed = Signal(bool)
    grid_requested = Signal()
    accept_requested = Signal()
    voters_requested = Signal(bool)
    stop_requested = Signal()

    def __init__(self, vocabulary: Vocabulary, picture: PictureProvider) -> None:
        super().__init__()
        self.setAccessibleName(tr("Similar frames"))
        self.title = ElidedLabel()
        self.tiles = TileList(tr("Similar frames"), picture, is_one_row=True, takes_keys_always=False)
        self.tiles.opened.connect(self.opened)
        self.message = make_note(is_centered=True)
        self.filters = FilterBox(vocabulary, self)
        self.filters.changed.connect(self._change_settings)
        self._make_buttons()
        self._pages = QStackedWidget()
        self._pages.addWidget(self.tiles)
        self._pages.addWidget(self.message)
        self._waiting_text = ""
        self._wait = QTimer(self, singleShot=True, interval=WAIT_SHOWN_AFTER_MILLISECONDS)
        self._wait.timeout.connect(self._show_waiting)
        self._arrange()
        self.fit_height(800)

    def _make_buttons(self) -> None:
        self.suggestion = _tool("", tr("Apply the label its neighbours suggest ({accept_votes})"))
        self.suggestion.clicked.connect(self.accept_requested)
        self.voters = _tool(
            tr("Show neighbours"), tr("Show the labelled frames behind the suggestion"), is_checkable=True
        )
        self.voters.toggled.connect(self.voters_requested)
        self.filter = _tool(tr("Filters…"), tr("Restrict the search by study, label, time or distance"))
        self.filter.clicked.connect(self.open_filters)
        self.follow = _tool(tr("Follow"), tr("Search again whenever playback stops"), is_checkable=True)
        self.follow.setChecked(True)
        self.follow.toggled.connect(self.follow_changed)
        self.grid = _tool(
            tr("Show as grid"), tr("Show these frames as a grid, to label or export them together ({show_selection})")
        )
        self.grid.clicked.connect(self.grid_requested)
        self.stop = _tool(tr("Stop"), tr("Stop searching"))
        self.stop.clicked.connect(self.stop_requested)
        self.stop.hide()
        self.show_suggestion("", "")

    def _arrange(self) -> None:
        top = QHBoxLayout()
        top.addWidget(self.title, 1)
        top.addWidget(RelationLegend())
        buttons = QGridLayout()
        buttons.setSpacing(3)
        buttons.addWidget(self.suggestion, 0, 0, 1, 2)
        buttons.addWidget(self.stop, 0, 0, 1, 2)
        for number, widget in enumerate((self.voters, self.filter, self.follow, self.grid)):
            buttons.addWidget(widget, 1 + number // 2, number % 2)
        buttons.setRowStretch(3, 1)
        row = QHBoxLayout()
        row.addWidget(self._pages, 1)
        row.addLayout(buttons)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 3, 8, 2)
        column.setSpacing(1)
        column.addLayout(top)
        column.addLayout(row)

    def fit_height(self, window_height: int) -> None:
        """Fit the size of the pictures to the height of the window."""
        side = next((side for height, side in PICTURE_PX if window_height <= height), LARGEST_PX)
        self.tiles.set_picture_px(side)
        self._pages.setFixedHeight(tile_size(side).height() + SCROLL_BAR_PX)

    # What is shown

    def show_tiles(self, title: str, count: int, make: TileMaker, note: str) -> None:
        """Show the neighbours; `note` says how they were searched, and whether there are fewer than requested."""
        self._end_waiting()
        self.title.set_whole(f"{title} · {note}" if note else title)
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
            self.show_voters_pressed(False)

    def show_voters_pressed(self, is_pressed: bool) -> None:
        """Press or release “Show neighbours” without emitting signals."""
        was = self.voters.blockSignals(True)
        self.voters.setChecked(is_pressed)
        self.voters.blockSignals(was)

    def show_message(self, message: str, hint: str = "", *, is_error: bool = False) -> None:
        """Say why there are no neighbours, and what to do."""
        self._end_waiting()
        self.title.set_whole("")
        self.show_suggestion("", "")
        self.message.setText(f"{message}\n{hint}".strip())
        self.message.setStyleSheet(f"color: {WARNING if is_error else MUTED}")
        self._pages.setCurrentIndex(1)
        self.grid.setEnabled(False)

    def wait_for(self, what: str) -> None:
        """Say what is waited for, once it takes longer than a blink; what was shown stays."""
        self._waiting_text = what
        if not self.stop.isHidden():
            self._show_waiting()
        else:
            self._wait.start()

    def show_follow(self, is_following: bool) -> None:
        """Press or release “Follow” without emitting signals."""
        was = self.follow.blockSignals(True)
        self.follow.setChecked(is_following)
        self.follow.blockSignals(was)

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

    def _change_settings(self, settings: SearchSettings) -> None:
        said = settings_in_words(settings)
        self.filter.setText(tr("Filters: on") if said else tr("Filters…"))
        self.filter.setToolTip(plain(said or tr("Restrict the search by study, label, time or distance")))
        self.settings_changed.emit(settings)

    def _show_waiting(self) -> None:
        self.suggestion.hide()
        self.stop.show()
        self.title.set_whole(self._waiting_text)

    def _end_waiting(self) -> None:
        self._wait.stop()
        self.stop.hide()


def _tool(text: str, tip: str, *, is_checkable: bool = False) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    set_tip(button, tip)
    button.setCheckable(is_checkable)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setStyleSheet("padding: 2px 6px")
    button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    return button


TileOfFact = Callable[[FrameFact, str, str, Relation], FrameTile]


class FoundTiles:
    """Fills the strip; `facts` and `tile` access the library."""

    def __init__(self, strip: NeighbourStrip, facts: FrameFacts, vocabulary: Vocabulary, tile: TileOfFact) -> None:
        self._strip, self._facts, self._vocabulary, self._tile_of = strip, facts, vocabulary, tile
        self.found: Found | None = None

    @property
    def is_showing_voters(self) -> bool:
        """Whether those that voted are shown instead of the nearest."""
        return self._strip.voters.isChecked()

    @property
    def frames(self) -> tuple[FoundFrame, ...]:
        """What is shown."""
        if self.found is None:
            return ()
        return self.found.voters if self.is_showing_voters else self.found.frames

    def show(self) -> None:
        """Show what was found, or those that voted."""
        found, frames = self.found, self.frames
        if found is None:
            return
        if not frames:
            self._strip.show_message(found.note or tr("No frame was found."), tr("Change the search: Filters…"))
            return
        note = " · ".join(filter(None, (found.searched, found.note.rstrip("."), found.votes.note.rstrip("."))))
        count, query = counted(len(frames), "frame"), found.query.words
        title = tr("{frames} like {query}", frames=count, query=query)
        if self.is_showing_voters:
            title = tr("{frames} voted on {query}", frames=count, query=query)
        # bound to these frames: they may be painted after `found` has changed
        make = partial(self._tile, frames, self.is_showing_voters)
        self._strip.show_tiles(title, len(frames), make, note)
        self.show_suggestion()

    def labels_changed(self) -> None:
        """Show labels as they are now."""
        if self.found is not None:
            self._strip.tiles.make_again()
            self.show_suggestion()

    def show_suggestion(self) -> None:
        """Offer the label with most votes for the query; nothing for an image file, or without votes."""
        found = self.found
        suggestion = found.suggestion if found else None
        if found is None or suggestion is None or not found.query.own_frames:
            self._strip.show_suggestion("", "")
            return
        name, share = suggestion
        title = self._vocabulary.of(name).title
        is_labelled = name in self._facts.of(*next(iter(found.query.own_frames))).labels
        tip = tr_count(
            "The {count} labelled frame nearest to it, nearer frames count more: {shares}.",
            "The {count} labelled frames nearest to it, nearer frames count more: {shares}.",
            len(found.voters),
            shares=found.shares_in_words,
        )
        if not found.is_decided:
            self._strip.show_suggestion(tr("Undecided"), f"{tip} {tr('They do not agree.')}", is_open=False)
            return
        then = tr("The frame already has this label.") if is_labelled else tr("Press Y to apply it.")
        self._strip.show_suggestion(f"{title} {score_text(share)}", f"{tip} {then}", is_open=not is_labelled)

    def _tile(self, frames: Sequence[FoundFrame], is_by_vote: bool, row: int) -> FrameTile:
        """Distance, or weight in the vote; then the time in the same study or the name of another one."""
        found = frames[row]
        item = found.neighbour
        fact = self._facts.of(item.study_id, item.frame_index)
        place = fact.study_name if found.relation == "other" else format_time(item.video_seconds)
        number = f"{found.weight:.1%}" if is_by_vote else f"{item.distance:#.3g}"
        said = tr("distance {distance}", distance=score_text(item.distance))
        if is_by_vote:
            said = tr("{share} of the votes", share=f"{found.weight:.1%}")
        sentence = f"{fact.sentence}; {tr(RELATIONS[found.relation].title)}, {said}"
        return self._tile_of(fact, f"{number} · {place}", sentence, found.relation)
