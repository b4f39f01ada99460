"""The layout of the window: three columns above the timeline, jobs at the bottom; side panels and the reading mode."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6 import QtCore, QtWidgets
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QResizeEvent

from wce_desktop.core.language import tr
from wce_desktop.session.settings import Settings
from wce_desktop.widgets import basic, inputs, theme
from wce_desktop.widgets.plain_text import PlainLabel, plain
from wce_desktop.widgets.player.player_view import PlayerView
from wce_desktop.widgets.player.transport import Transport
from wce_desktop.widgets.timeline import TimelineView
from wce_desktop.workspace import Menus

LEFT_WIDTH, RIGHT_WIDTH = 190, 280
HANDLE_PX = 12
LOW_PX, MORE_PX = 620, 16
FONT_PX, PADDING_PX = 10, 10
"""In a page that is lower the timeline begins as low as it can be; else with room for the names of four tracks."""
NARROW_PX = 400
"""Below this width a message stands alone."""


class FoldHandle(QtWidgets.QToolButton):
    """A bar at an edge of the frame that shows or hides the panel beside it."""

    def __init__(self, *, is_left: bool) -> None:
        super().__init__()
        self._is_left = is_left
        self.setFixedWidth(HANDLE_PX)
        self.setSizePolicy(QtWidgets.QSizePolicy.Policy.Fixed, QtWidgets.QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        colors = theme.COLORS
        self.setStyleSheet(
            f"QToolButton {{ background: {colors.background}; color: {colors.muted}; }}"
            "QToolButton { border: none; border-radius: 0; padding: 0; }"
            f"QToolButton:hover, QToolButton:focus {{ background: {colors.raised}; color: {colors.accent}; }}"
        )
        self.show_state(is_shown=True)

    def show_state(self, *, is_shown: bool) -> None:
        """Point to where the panel goes."""
        self.setText("‹" if is_shown == self._is_left else "›")

    def follow(self, action: QAction) -> None:
        """Do what the action of the menu does."""
        self.clicked.connect(lambda: action.trigger())
        self.setToolTip(plain(action.toolTip()))
        self.setAccessibleName(action.text())


class Strips(QtWidgets.QWidget):
    """The rows below the frame; hidden as a whole in the reading mode until one of them is asked for."""

    def __init__(self, rows: Sequence[tuple[QtWidgets.QWidget, int]]) -> None:
        super().__init__()
        basic.in_column(*rows, of=self, margins=0, spacing=0)
        for widget, _ in rows:
            parts = widget.findChildren(QtWidgets.QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
            for one in (widget, *parts):
                one.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A row that is shown is seen."""
        if event.type() == QEvent.Type.ShowToParent and self.isHidden():
            self.show()
        return super().eventFilter(watched, event)


class Foot(QtWidgets.QWidget):
    """Messages, jobs, and when the last edit was saved; where it is narrow a message takes the room of the others."""

    def __init__(self, parts: Sequence[tuple[QtWidgets.QWidget, int]], jobs: Sequence[QtWidgets.QWidget]) -> None:
        """The first of `parts` shows a message while it is visible; `jobs` are some of them."""
        super().__init__()
        self.line = basic.in_row(*parts, of=self, margins=0)
        (self._message, _), *others = parts
        self._jobs, self._others = jobs, [widget for widget, _ in others if widget not in jobs]
        self._message.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A message appears or goes."""
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self._fit()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out what has no room."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        is_narrow, has_message = self.width() < NARROW_PX, not self._message.isHidden()
        for widgets, is_out in ((self._jobs, is_narrow and has_message), (self._others, is_narrow)):
            for widget in widgets:
                widget.setMaximumWidth(0 if is_out else basic.NO_LIMIT_PX)


class Disclaimer(QtWidgets.QWidget):
    """What the program is not for, and above it what must be known of the model in use: the one place that says so.

    Both lines are small, so that they are never cut: they take as much height as one line of a menu.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.note, self._text = PlainLabel(), PlainLabel(text)
        basic.in_column(1, self.note, self._text, 1, of=self, margins=(12, 0, 12, 0), spacing=0)
        self.show_note("")

    def show_note(self, note: str) -> None:
        """Show what must be known of the model in use, or nothing."""
        self.note.setText(note)
        self.note.setVisible(bool(note))
        size = f"; font-size: {FONT_PX}px" if note else ""
        self.note.setStyleSheet(f"color: {theme.COLORS.warning}{size}")
        self._text.setStyleSheet(f"color: {theme.COLORS.muted}{size}")


class WindowPage(QtWidgets.QWidget):
    """Puts the panels together; the frame keeps most of the room, `left` and `right` can be folded away."""

    room_changed = QtCore.Signal()
    """The page became wider or narrower, or needs more room or less."""

    def __init__(
        self,
        left: QtWidgets.QWidget,
        player: PlayerView,
        strips: Sequence[tuple[QtWidgets.QWidget, int]],
        tabs: Mapping[str, QtWidgets.QWidget],
        timeline: TimelineView,
        foot: Sequence[tuple[QtWidgets.QWidget, int]],
        disclaimer: str,
        jobs: Sequence[QtWidgets.QWidget] = (),
    ) -> None:
        """`strips` lie below the frame, `tabs` stand at the right; of `foot` each has its share of the room left.

        `jobs` are those parts of the foot that the reading mode hides.
        """
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.left = left
        self.right = inputs.TabWidget(documentMode=True)
        self.right.setAccessibleName(tr("Flags, findings, explanations and landmarks"))
        self.right.tabBar().setDrawBase(False)
        self.right.tabBar().setStyleSheet(
            "QTabBar::tab { padding: 7px 4px; font-size: 11px; }"
        )  # so that all titles can be read
        self.tab_titles = tuple(tabs)
        for title, panel in tabs.items():
            self.right.addTab(panel, tr(title.capitalize()).upper())
        if self.right.tabBar().sizeHint().width() > RIGHT_WIDTH:  # titles are longer in other languages
            for at, title in enumerate(tabs):
                self.right.setTabText(at, tr(title.capitalize()))
        # else it grows, and its tabs move, when notes appear
        self.right.setMinimumWidth(max(RIGHT_WIDTH, self.right.tabBar().sizeHint().width()))
        self.handles = FoldHandle(is_left=True), FoldHandle(is_left=False)
        self.strips = Strips(strips)
        frame = basic.stacked((player, 1), (self.strips, 0))
        center = basic.as_widget(basic.in_row(self.handles[0], (frame, 1), self.handles[1], margins=0, spacing=0))
        sizes = LEFT_WIDTH, 10_000, RIGHT_WIDTH
        self.columns = basic.in_splitter((self.left, 0), (center, 1), (self.right, 0), sizes=sizes)
        self._timeline, self._is_moved = timeline, False
        self._rows = basic.in_splitter((self.columns, 1), (timeline, 0), is_vertical=True)
        self._rows.splitterMoved.connect(self._note_moved)
        timeline.overview.resized.connect(self._lay_out)
        self._player, self._jobs = player, tuple(jobs)
        self.foot = Foot(foot, jobs)
        line = self.foot.line
        self._column = basic.in_column((self._rows, 1), self.foot, of=self, margins=0, spacing=2)
        self.disclaimer = Disclaimer(disclaimer)
        self.disclaimer.setObjectName("disclaimer")
        self.back = basic.make_button(tr("Back ({only_frame})"), tr("Show everything again ({only_frame} or Escape)"))
        self.back.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        for widget in (self.disclaimer, self.back):
            widget.hide()
            line.addWidget(widget)

    def lend_foot(self, transport: Transport, *, is_lent: bool) -> None:
        """Move messages, the time of saving and the note on the intended use beside the playing buttons, or back."""
        for widget in self._jobs:
            widget.setVisible(not is_lent)
        for widget in (self.disclaimer, self.back):
            widget.setVisible(is_lent)
        if is_lent:
            self._column.removeWidget(self.foot)
        transport.set_guest(self.foot if is_lent else None)
        if not is_lent:
            self._column.addWidget(self.foot)
        self.foot.show()

    def show_desk(self, corner: "MenuCorner", *, is_for_research: bool) -> None:
        """Arrange the reading desk, whose frame has all the height, or the research desk with the timeline's detail."""
        self._timeline.set_whole_only(not is_for_research)
        self._player.set_upright(not is_for_research)
        self._rows.setHandleWidth(-1 if is_for_research else 1)  # the overview alone is as high as it is; -1: as usual
        self._column.removeWidget(self.foot)
        if is_for_research:
            self._column.addWidget(self.foot)
        corner.set_guest(None if is_for_research else self.foot)
        self._is_moved = False
        self._lay_out()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The pictures above the timeline are as large as the window allows."""
        super().resizeEvent(event)
        self.fit_pictures()
        self._lay_out()
        self.room_changed.emit()

    def event(self, event: QEvent) -> bool:
        """Parts of the page may need more room."""
        is_handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.room_changed.emit()
        return is_handled

    def fit_pictures(self) -> None:
        """Show pictures above the timeline, but none in the reading mode."""
        self._timeline.overview.fit(0 if self.handles[0].isHidden() else self.height())

    def _lay_out(self) -> None:
        """Keep the timeline low, so that the frame is large, until the reader gives it another height."""
        if not self._is_moved:
            low = self._timeline.minimumSizeHint().height()
            low += MORE_PX if self.height() >= LOW_PX and self._timeline.detail.isVisibleTo(self) else 0
            self._rows.setSizes([self.height() - low, low])

    def _note_moved(self) -> None:
        self._is_moved = True


class MenuCorner(QtWidgets.QWidget):
    """What stands at the right of the menus: the note on the intended use; messages and jobs where they are lent."""

    def __init__(self, bar: QtWidgets.QMenuBar, disclaimer: str) -> None:
        super().__init__()
        self._bar = bar
        self._guest: QtWidgets.QWidget | None = None
        self._is_measuring = False
        self.disclaimer = Disclaimer(disclaimer)
        self._row = basic.in_row(1, self.disclaimer, of=self, margins=0, spacing=0)
        self.setMaximumHeight(self.disclaimer.sizeHint().height() + PADDING_PX)
        bar.setCornerWidget(self)

    def set_guest(self, widget: QtWidgets.QWidget | None) -> None:
        """Lend a widget the room between the menus and the note; None: what had it is elsewhere now."""
        self._guest = widget
        if widget is not None:
            self._row.insertWidget(0, widget, 1000)
            widget.show()
        self._bar.adjustSize()

    def show_note(self, note: str) -> None:
        """Show what must be known of the model in use; the menus make room for it."""
        self.disclaimer.show_note(note)
        self._bar.adjustSize()

    def sizeHint(self) -> QtCore.QSize:
        """With a guest all the room that the menus leave; never higher than they are."""
        width = super().sizeHint().width()
        if self._guest is not None and not self._is_measuring:
            self._is_measuring = True  # the bar asks again while it says where its menus are
            menus = max((self._bar.actionGeometry(action).right() for action in self._bar.actions()), default=0)
            self._is_measuring = False
            width = self._bar.width() - menus - 8
        return QtCore.QSize(width, self.maximumHeight())

    def minimumSizeHint(self) -> QtCore.QSize:
        """As high as the note: the bar becomes no higher with a guest."""
        return QtCore.QSize(0, self.maximumHeight())


class SidePanels:
    """The two desks, the left column, the tabs at the right, and the reading mode, which hides panels and bars."""

    def __init__(
        self,
        window: QtWidgets.QMainWindow,
        page: WindowPage,
        player: PlayerView,
        settings: Settings,
        corner: MenuCorner,
        for_research: Sequence[QtWidgets.QWidget],
    ) -> None:
        """`for_research` are shown on the research desk only."""
        self._window, self._page, self._player, self._settings = window, page, player, settings
        self._corner, self._for_research = corner, for_research
        self._left, self._right = page.left, page.right
        self._asked_for: QtWidgets.QWidget | None = None
        self._folded = set[QtWidgets.QWidget]()
        """The panels that are hidden for want of room."""
        self._width = 0
        self._soon = QtCore.QTimer(page, singleShot=True, interval=0)  # once all parts know their room
        self._soon.timeout.connect(self._fit_panels)
        self._is_reading = False
        self.menus: Menus

    def start(self, actions: Mapping[str, QAction]) -> None:
        """Show the panels that were shown the last time, and let the handles do what the menu does."""
        for handle, action_id in zip(self._page.handles, ("toggle_left", "toggle_right"), strict=True):
            handle.follow(actions[action_id])
        self._page.back.clicked.connect(actions["only_frame"].trigger)
        self._show_desk()
        self._page.room_changed.connect(self._soon.start)
        self._check_panels()

    @property
    def actions(self) -> Mapping[str, Callable[[], object]]:
        """See `session.actions`."""
        tabs = {f"show_{title.lower()}": title for title in self._page.tab_titles}
        return {
            "toggle_left": lambda: self._toggle(self._left, self._left_key),
            "toggle_right": partial(self._toggle, self._right, "show_right"),
            "research_desk": self._switch_desk,
            "only_frame": self.only_frame,
            **{action_id: partial(self.show_tab, title) for action_id, title in tabs.items()},
        }

    def show_tab(self, title: str) -> str:
        """Bring a panel of the right side to the front; returns the title of the one before."""
        titles = self._page.tab_titles
        before = titles[self._right.currentIndex()]
        self.leave_reading_mode()
        self._asked_for = self._right
        self._folded.discard(self._right)
        self._right.setVisible(True)
        self._right.setCurrentIndex(titles.index(title))
        self._check_panels()
        return before

    def _toggle(self, panel: QtWidgets.QWidget, key: str) -> None:
        """Show or hide a panel, and remember it; in the reading mode all come back first."""
        if self._is_reading:
            self.leave_reading_mode()
            panel.show()
        else:
            panel.setVisible(panel.isHidden())
        self._asked_for = None if panel.isHidden() else panel
        self._folded.discard(panel)
        self._check_panels()
        self._settings.set(key, not panel.isHidden())

    # The desks

    @property
    def _is_for_research(self) -> bool:
        return bool(self._settings["desk"] == "research")

    @property
    def _left_key(self) -> str:
        return "show_left" if self._is_for_research else "show_left_reading"

    def _switch_desk(self) -> None:
        self.leave_reading_mode()
        self._settings.set("desk", "reading" if self._is_for_research else "research")
        self._show_desk()
        self._check_panels()

    def _show_desk(self) -> None:
        for widget in self._for_research:
            widget.setVisible(self._is_for_research)
        self._page.show_desk(self._corner, is_for_research=self._is_for_research)
        self._left.setVisible(self._settings[self._left_key])
        self._right.setVisible(self._settings["show_right"])
        self._asked_for, self._folded = None, set()
        self.menus.show_research(self._is_for_research)

    # The reading mode

    def only_frame(self) -> None:
        """Only frame, transport, labels and timeline; or everything again as it was."""
        if self._is_reading:
            self.leave_reading_mode()
            return
        self._is_reading = True
        self._before = [widget for widget in self._hidden_parts if not widget.isHidden()]
        for widget in self._before:
            widget.hide()
        if self._is_for_research:
            self._page.lend_foot(self._player.transport, is_lent=True)
        self._window.setWindowState(self._window.windowState() | Qt.WindowState.WindowFullScreen)
        self._check_panels()

    def leave_reading_mode(self) -> None:
        """Show everything as it was; nothing happens outside the reading mode."""
        if not self._is_reading:
            return
        self._is_reading = False
        self._window.setWindowState(self._window.windowState() & ~Qt.WindowState.WindowFullScreen)
        if self._is_for_research:
            self._page.lend_foot(self._player.transport, is_lent=False)
        for widget in self._before:
            widget.show()
        self._page.strips.show()
        self._check_panels()

    @property
    def _hidden_parts(self) -> tuple[QtWidgets.QWidget, ...]:
        page = self._page
        parts = self._left, self._right, *page.handles, page.strips
        return (*parts, self._window.menuBar()) if self._is_for_research else parts

    def _fit_panels(self) -> None:
        """Fold side panels away, the studies first, until the page fits; one that was asked for last stays.

        They come back in a wider window.
        """
        if self._is_reading:
            return
        before, self._width = self._width, self._window.width()
        was_folded = self._folded
        self._folded = set() if self._width > before else set(was_folded)
        for panel in was_folded - self._folded:
            panel.show()
        needed = self._page.columns.minimumSizeHint().width()
        for panel in (self._left, self._right):
            if needed > self._width and panel is not self._asked_for and not panel.isHidden():
                panel.hide()
                self._folded.add(panel)
                break  # what is left asks again
        if self._folded != was_folded:
            self._check_panels()

    def _check_panels(self) -> None:
        self._page.fit_pictures()
        left, right = not self._left.isHidden(), not self._right.isHidden()
        for handle, is_shown in zip(self._page.handles, (left, right), strict=True):
            handle.show_state(is_shown=is_shown)
        ticks = {"toggle_left": left, "toggle_right": right, "only_frame": self._is_reading}
        self.menus.check({**ticks, "research_desk": self._is_for_research})
