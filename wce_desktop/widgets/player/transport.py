"""The row below the frame: playback, rate, position, views and overlay. Emits requests by signals."""

from collections.abc import Mapping

from PySide6 import QtCore, QtGui, QtWidgets

from wce_desktop.core import clock, dwell, playback
from wce_desktop.core.language import to_translate, tr
from wce_desktop.widgets import basic, glyphs, key_texts, plain_text, theme
from wce_desktop.widgets.player.annotation_painter import text_font
from wce_desktop.widgets.player.enhancement import ENHANCEMENTS, Enhancement

MIN_WIDTH_PX = 440
MARGINS_PX = 42
"""The margins of the row and the gaps between its groups."""
GUEST_PX = 780
"""Room for what else stands in the row: messages, the time of saving, the note on the intended use."""
LANDMARK_PX = 150
"""Room for the time since a landmark, kept so that nothing moves when the landmark changes."""
FLAGGED = to_translate("flagged frames only")
# Action's id in the table of actions: icon and name. The window may replace the tips by `set_tips`.
BUTTONS = {
    "go_first": ("first", to_translate("First frame")),
    "step_back": ("back", to_translate("Previous frame")),
    "toggle_play": ("play", to_translate("Play or pause")),
    "step_forward": ("forward", to_translate("Next frame")),
    "go_last": ("last", to_translate("Last frame")),
    "play_flagged": ("flagged", to_translate("Play flagged frames only")),
    "one_view": ("one_view", to_translate("One frame")),
    "two_views": ("two_views", to_translate("Two frames")),
    "four_views": ("four_views", to_translate("Four frames")),
    "next_enhancement": ("enhancement", to_translate("Views of the frame")),
    "toggle_overlay": ("overlay", to_translate("Show why (CAM)")),
    "collapse_similar": ("similar", to_translate("Similar frames as one")),
    "adaptive_speed": ("adaptive", to_translate("Adaptive speed")),
}
_PLAYING = ("go_first", "step_back", "toggle_play", "step_forward", "go_last", "play_flagged")
_VIEW_ACTIONS = dict(zip(("one_view", "two_views", "four_views"), playback.VIEWS, strict=True))


class Transport(QtWidgets.QWidget):
    """Buttons and texts; setters show the state, signals emit requests."""

    requested = QtCore.Signal(str)
    """Action's id in the table of actions; a button was clicked."""
    enhancement_requested = QtCore.Signal(str)
    """Name of a view of the frame."""
    opacity_requested = QtCore.Signal(float)
    """Opacity in [0.05, 1]."""

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_playing = False
        self.buttons = {action_id: _button(action_id) for action_id in BUTTONS}
        self.rate_label = _RateLabel(self)
        self.position_label = _label("", tr("Position"))
        self.time_label = _label("", tr("Time"))
        self.landmark_label = _label("", tr("Time since the last landmark"), color=theme.COLORS.muted)
        self.landmark_label.setMinimumWidth(LANDMARK_PX)
        self.time_label.setMinimumWidth(self.time_label.fontMetrics().horizontalAdvance("0:00:00"))
        self.note_label = _label("", tr("Progress"), color=theme.COLORS.muted)
        self.note_label.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Preferred)
        self.flagged_label = _label("", tr("What is played"), color=theme.COLORS.accent)
        self.flagged_label.setMinimumWidth(self.flagged_label.fontMetrics().horizontalAdvance(tr(FLAGGED)))
        self.opacity_slider = basic.make_slider(tr("Opacity of the overlay"), 5, 100)
        self.opacity_slider.setFixedWidth(60)
        self.opacity_slider.setFocusPolicy(QtCore.Qt.FocusPolicy.TabFocus)
        tip = tr("Opacity of the overlay ({overlay_weaker} weaker, {overlay_stronger} stronger)")
        key_texts.set_tip(self.opacity_slider, tip)
        buttons = self.buttons
        self._optional = (
            self.opacity_slider, self.landmark_label, self.flagged_label, buttons["go_last"], buttons["go_first"],
            buttons["adaptive_speed"], buttons["collapse_similar"], buttons["next_enhancement"],
            *(buttons[action_id] for action_id in _VIEW_ACTIONS), self.time_label,
        )  # fmt: skip
        """What gives way where there is no room for all in one row, first things first; each has a key and a menu."""
        self._guest: QtWidgets.QWidget | None = None
        self._frame_count = 0
        self._layout = QtWidgets.QBoxLayout(QtWidgets.QBoxLayout.Direction.LeftToRight, self)
        self._layout.setSizeConstraint(QtWidgets.QLayout.SizeConstraint.SetNoConstraint)
        self._layout.setContentsMargins(8, 4, 8, 4)
        self._layout.setSpacing(3)
        views = [buttons[action_id] for action_id in _VIEW_ACTIONS]
        similar = (buttons["collapse_similar"], buttons["adaptive_speed"])
        shown = (buttons["next_enhancement"], buttons["toggle_overlay"], self.opacity_slider)
        self._is_upright = False
        self._lay_out()
        self._views = QtWidgets.QButtonGroup(self)
        for button, count in zip(views, _VIEW_ACTIONS.values(), strict=True):
            self._views.addButton(button, count)
        for button in (*views, *similar, *shown[:2], buttons["play_flagged"]):
            button.setCheckable(True)
        buttons["play_flagged"].setObjectName("play_flagged")
        self.setStyleSheet(_style())
        self._offer_enhancements()
        for action_id, button in (buttons | self.rate_label.buttons).items():
            if button.menu() is None:
                button.clicked.connect(lambda _, action_id=action_id: self.requested.emit(action_id))
        self.opacity_slider.valueChanged.connect(lambda percent: self.opacity_requested.emit(percent / 100))
        self.set_study_open(False)

    def set_upright(self, is_upright: bool) -> None:
        """Stand in a narrow column beside the frame instead of lying below it."""
        self._is_upright = is_upright
        self._lay_out()
        self._fit()
        self.updateGeometry()

    def _lay_out(self) -> None:
        """Put buttons and texts into rows: two that may lie beside each other, or many short ones."""
        buttons = self.buttons
        play = [buttons[action_id] for action_id in _PLAYING]
        views = [buttons[action_id] for action_id in _VIEW_ACTIONS]
        similar = [buttons["collapse_similar"], buttons["adaptive_speed"]]
        shown = [buttons["next_enhancement"], buttons["toggle_overlay"]]
        texts = [self.time_label, self.landmark_label, self.flagged_label, self.note_label]
        for row in self._layout.findChildren(QtWidgets.QHBoxLayout):
            while row.count():
                row.takeAt(0)
            self._layout.removeItem(row)
            row.deleteLater()
        if self._is_upright:
            rows: list[list[QtWidgets.QWidget]] = [
                [*play[:-1]],
                [self.rate_label],
                [play[-1], *similar, *shown],
                [*views, self.opacity_slider],
            ]
            rows += [[widget] for widget in (self.position_label, *texts)]
            for items in rows:
                self._layout.addLayout(_row(*items))
            return
        self._moving_row = _row(*play, self.rate_label, *similar, 6, self.position_label)
        self._moving_row.addStretch(0)
        self._looking_row = _row(4, texts[0], 4, *texts[1:3], 4, texts[3], *views, 6, *shown, self.opacity_slider)
        self._looking_row.setStretch(6, 1)
        self._layout.addLayout(self._moving_row, 0)
        self._layout.addLayout(self._looking_row, 1)

    def _offer_enhancements(self) -> None:
        """The button opens the list of views; the one that is shown has a tick."""
        button = self.buttons["next_enhancement"]
        menu = QtWidgets.QMenu(button)
        menu.setToolTipsVisible(True)
        self._enhancements = QtGui.QActionGroup(menu)
        for view in ENHANCEMENTS:
            action = menu.addAction(tr(view.title))
            action.setToolTip(plain_text.plain(tr(view.tip)))
            action.setCheckable(True)
            action.setData(view.name)
            self._enhancements.addAction(action)
        self._enhancements.triggered.connect(lambda action: self.enhancement_requested.emit(action.data()))
        button.setMenu(menu)
        button.setPopupMode(QtWidgets.QToolButton.ToolButtonPopupMode.InstantPopup)
        self.set_enhancement(ENHANCEMENTS[0])

    def set_enhancement(self, chosen: Enhancement) -> None:
        """Show which view of the frame is chosen."""
        for action in self._enhancements.actions():
            action.setChecked(action.data() == chosen.name)
        self.buttons["next_enhancement"].setChecked(chosen.apply is not None)

    def set_pace(self, *, is_collapsed: bool, is_adaptive: bool) -> None:
        """Show whether similar frames are left out, and whether the speed follows what changes."""
        self.buttons["collapse_similar"].setChecked(is_collapsed)
        self.buttons["adaptive_speed"].setChecked(is_adaptive)

    def set_study_open(self, is_open: bool) -> None:
        """Enable the controls only while a study is open."""
        for widget in (*self.buttons.values(), self.rate_label, self.opacity_slider):
            widget.setEnabled(is_open)
        if not is_open:
            self.set_position(None, 0, None, "")
            self.set_note("")
            self.set_flagged_only(False)

    def set_playing(self, is_playing: bool, rate_fps: int, *, is_adaptive: bool = False) -> None:
        """Show whether it plays, and the rate chosen, which is a mean where the speed follows what changes."""
        self._is_playing = is_playing
        self.buttons["toggle_play"].setIcon(glyphs.player_icon("pause" if is_playing else "play"))
        before = self.rate_label.sizeHint().width()
        self.rate_label.rate_fps, self.rate_label.is_about = rate_fps, is_adaptive
        self.rate_label.show_rate()
        if self.rate_label.sizeHint().width() != before:  # "25 fps, not seen" needs more room
            self._fit()

    def set_flagged_only(self, is_limited: bool) -> None:
        """Show whether only flagged frames are played."""
        self.buttons["play_flagged"].setChecked(is_limited)
        self.flagged_label.setText(tr(FLAGGED) if is_limited else "")

    def set_guest(self, widget: QtWidgets.QWidget | None) -> None:
        """Give a widget the room at the right; None: what had it is elsewhere now."""
        if widget is not None:
            self._layout.addWidget(widget, 20)
        self._guest = widget
        self._fit()

    def set_position(self, frame_index: int | None, frame_count: int, seconds: float | None, landmark: str) -> None:
        """Show a frame (from 0) of `frame_count` (0: not yet known), its time, and the time since a landmark."""
        self.position_label.setText("" if frame_index is None else _position(frame_index + 1, frame_count))
        if frame_count != self._frame_count:  # room for the longest, so that nothing moves while playing
            self._frame_count = frame_count
            longest = _position(frame_count, frame_count) if frame_count else ""
            self.position_label.setMinimumWidth(self.position_label.fontMetrics().horizontalAdvance(longest))
            self._fit()
        self.time_label.setText("" if seconds is None else clock.format_time(seconds))
        self.landmark_label.setText(landmark)

    def set_note(self, text: str) -> None:
        """Show a note ("reading the index, 64 %")."""
        self.note_label.setText(text)

    def set_views(self, views: int) -> None:
        """Mark how many frames stand side by side."""
        self._views.button(views).setChecked(True)
        self.rate_label.views = views
        self.rate_label.show_rate()
        self._fit()

    def set_seen_limit(self, seen_up_to_fps: int) -> None:
        """Set up to which rate frames count as seen."""
        self.rate_label.seen_up_to_fps = seen_up_to_fps
        self.rate_label.show_rate()

    def set_overlay(self, is_visible: bool, opacity: float, is_available: bool) -> None:
        """Show the overlay's state without asking for a change."""
        self.buttons["toggle_overlay"].setChecked(is_visible)
        with QtCore.QSignalBlocker(self.opacity_slider):
            self.opacity_slider.setValue(round(opacity * 100))
        self.opacity_slider.setEnabled(is_visible and is_available)

    def set_tips(self, tips: Mapping[str, str]) -> None:
        """Replace tooltips by those of the table of actions: action's id to text."""
        for action_id, tip in tips.items():
            if action_id in self.buttons:
                self.buttons[action_id].setToolTip(plain_text.plain(tip))

    def changeEvent(self, event: QtCore.QEvent) -> None:
        """Icons have the colour of the theme's words."""
        if event.type() == QtCore.QEvent.Type.StyleChange:
            for action_id, (icon, _) in BUTTONS.items():
                is_pause = action_id == "toggle_play" and self._is_playing
                self.buttons[action_id].setIcon(glyphs.player_icon("pause" if is_pause else icon))
        super().changeEvent(event)

    def minimumSizeHint(self) -> QtCore.QSize:
        """Two rows fit where one does not: the width does not limit the window size."""
        if self._is_upright:
            return self._layout.minimumSize()
        return QtCore.QSize(MIN_WIDTH_PX, super().minimumSizeHint().height())

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        self._fit()
        super().resizeEvent(event)

    def _fit(self) -> None:
        """One row as long as possible, without what can give way; else two rows with everything that fits."""
        if self._is_upright:
            self._layout.setDirection(QtWidgets.QBoxLayout.Direction.TopToBottom)
            for widget in self._optional:
                widget.show()
            return
        shown = (*self.buttons.values(), self.rate_label, self.position_label, self.flagged_label, self.opacity_slider)
        needed = sum(max(widget.sizeHint().width(), widget.minimumWidth()) + 2 for widget in shown)
        needed += LANDMARK_PX + self.time_label.minimumWidth() + 4
        needed += MARGINS_PX + (GUEST_PX if self._guest is not None else 0)
        left_out = 0
        while needed > self.width() and left_out < len(self._optional):
            widget = self._optional[left_out]
            needed -= max(widget.sizeHint().width(), widget.minimumWidth()) + 2
            left_out += 1
        is_one_row = needed <= self.width()
        for at, widget in enumerate(self._optional):
            widget.setVisible(at >= left_out or not is_one_row)
        room = self.width() - self._layout.contentsMargins().left() - self._layout.contentsMargins().right()
        for widget in () if is_one_row else self._optional:  # either of two rows may still be too long
            row = self._moving_row if self._moving_row.indexOf(widget) >= 0 else self._looking_row
            row.invalidate()  # it does not notice that a widget was hidden
            if row.minimumSize().width() > room:
                widget.hide()
        across, down = QtWidgets.QBoxLayout.Direction.LeftToRight, QtWidgets.QBoxLayout.Direction.TopToBottom
        self._layout.setDirection(across if is_one_row else down)


class _RateLabel(QtWidgets.QWidget):
    """ "8 fps" between slower and faster; says when that is too fast to count as seen."""

    def __init__(self, parent: QtWidgets.QWidget) -> None:
        super().__init__(parent)
        self.rate_fps, self.views, self.seen_up_to_fps, self.is_about = 0, 1, dwell.SEEN_UP_TO_FPS, False
        self.slower, self.faster = (_tool_button(name, tr(name.capitalize())) for name in ("slower", "faster"))
        self.slower.setText("–")
        self.faster.setText("+")
        self.buttons = {"slower": self.slower, "faster": self.faster}
        self.text = _label("", tr("Play rate"))
        self.text.setAlignment(QtCore.Qt.AlignmentFlag.AlignCenter)
        self.text.setMinimumWidth(44)
        basic.in_row(self.slower, self.text, self.faster, of=self, margins=(4, 0, 0, 0), spacing=2)

    def show_rate(self) -> None:
        """Show the rate, and whether frames count as seen at it."""
        is_seen = dwell.counts_as_seen(self.rate_fps, self.views, self.seen_up_to_fps)
        rate = tr("{rate} fps", rate=self.rate_fps if self.views == 1 else f"{self.rate_fps} × {self.views}")
        rate = f"≈ {rate}" if self.is_about else rate
        self.text.setText(rate if is_seen else tr("{rate}\nnot seen", rate=rate))
        self.text.setMinimumWidth(44 if self.views == 1 and not self.is_about else 74)
        self.text.setFont(text_font(13 if is_seen else 11))  # two lines: there is no room for a longer one
        color = theme.COLORS.text if is_seen else theme.COLORS.warning
        self.text.setStyleSheet(f"color: {color}; background: transparent;")
        limit = self.seen_up_to_fps * min(self.views, dwell.MANY_VIEWS)
        words = tr(
            "Frames played at more than {limit} frames per second do not count as seen (Help, Settings).", limit=limit
        )
        self.text.setToolTip(plain_text.plain(tr("Play rate") if is_seen else words))


def _row(*items: QtWidgets.QWidget | int) -> QtWidgets.QHBoxLayout:
    """Widgets beside each other; a number is a gap in pixels."""
    row = QtWidgets.QHBoxLayout()
    row.setSpacing(2)
    for item in items:
        if isinstance(item, int):
            row.addSpacing(item)
        else:
            row.addWidget(item)
    return row


def _position(frame_number: int, frame_count: int) -> str:
    """ "frame 12 / 31,204", or "frame 12" while the number of frames is not known."""
    frame, count = clock.format_frame(frame_number), clock.format_frame(frame_count)
    return tr("frame {frame} / {count}", frame=frame, count=count) if frame_count else tr("frame {frame}", frame=frame)


def _button(action_id: str) -> QtWidgets.QToolButton:
    icon, title = BUTTONS[action_id]
    button = _tool_button(action_id, tr(title))
    button.setIcon(glyphs.player_icon(icon))
    button.setIconSize(QtCore.QSize(glyphs.PLAYER_ICON_PX, glyphs.PLAYER_ICON_PX))
    button.setAutoRepeat(icon in ("back", "forward"))
    return button


def _tool_button(action_id: str, name: str) -> QtWidgets.QToolButton:
    button = QtWidgets.QToolButton()
    key_texts.set_tip(button, f"{name} ({{{action_id}}})")
    button.setAccessibleName(name)
    button.setAutoRaise(True)
    button.setFocusPolicy(QtCore.Qt.FocusPolicy.TabFocus)
    return button


def _style() -> str:
    return f"""
QToolButton {{ background: transparent; border: 1px solid transparent; border-radius: 5px; padding: 5px 4px; }}
QToolButton:hover:enabled {{ background: {theme.COLORS.raised}; }}
QToolButton:pressed, QToolButton:checked {{ background: {theme.COLORS.border}; }}
QToolButton:checked:disabled {{ background: {theme.COLORS.raised}; }}
QToolButton::menu-indicator {{ image: none; }}
QToolButton:focus {{ border-color: {theme.COLORS.accent}; }}
QToolButton#play_flagged:checked {{ background: {theme.COLORS.primary}; border-color: {theme.COLORS.accent}; }}
QSlider::sub-page:horizontal:disabled {{ background: {theme.COLORS.border}; }}
QSlider::handle:horizontal:disabled {{ background: {theme.COLORS.disabled}; }}
"""


def _label(text: str, name: str, color: str = "") -> plain_text.PlainLabel:
    label = plain_text.PlainLabel(text)
    label.setFont(text_font(13))
    label.setStyleSheet(f"color: {color or theme.COLORS.text}; background: transparent;")
    label.setAccessibleName(name)
    return label
