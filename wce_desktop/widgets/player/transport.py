"""The row below the frame: playback, rate, position, views and overlay. Emits requests by signals."""

from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QActionGroup, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QButtonGroup, QHBoxLayout, QLayout, QMenu, QSlider, QToolButton, QWidget

from wce_desktop.core.clock import format_frame, format_time
from wce_desktop.core.playback import VIEWS
from wce_desktop.widgets import theme
from wce_desktop.widgets.plain_text import PlainLabel, plain
from wce_desktop.widgets.player.annotation_painter import text_font
from wce_desktop.widgets.player.enhancement import ENHANCEMENTS, Enhancement
from wce_desktop.widgets.player.icons import icon_size, transport_icon

ONE_ROW_PX = 1070
MIN_WIDTH_PX = 556
_STYLE = f"""
QToolButton {{ background: transparent; border: 1px solid transparent; border-radius: 5px; padding: 5px 5px; }}
QToolButton:hover:enabled {{ background: {theme.RAISED}; }}
QToolButton:pressed, QToolButton:checked {{ background: {theme.BORDER}; }}
QToolButton:checked:disabled {{ background: {theme.RAISED}; }}
QToolButton::menu-indicator {{ image: none; }}
QToolButton:focus {{ border-color: {theme.ACCENT}; }}
QSlider::sub-page:horizontal:disabled {{ background: {theme.BORDER}; }}
QSlider::handle:horizontal:disabled {{ background: #5c5c5c; }}
"""
# Action's id in the table of actions: icon, name, key. The window may replace the tips by `set_tips`.
BUTTONS = {
    "go_first": ("first", "First frame", "Home"),
    "step_back": ("back", "Previous frame", "Left"),
    "toggle_play": ("play", "Play or pause", "Space"),
    "step_forward": ("forward", "Next frame", "Right"),
    "go_last": ("last", "Last frame", "End"),
    "one_view": ("one_view", "One frame", "Alt+1"),
    "two_views": ("two_views", "Two frames", "Alt+2"),
    "four_views": ("four_views", "Four frames", "Alt+4"),
    "next_enhancement": ("enhancement", "Views of the frame", "Q"),
    "toggle_overlay": ("overlay", "Show why (CAM)", "C"),
    "collapse_similar": ("similar", "Similar frames as one", "H"),
    "adaptive_speed": ("adaptive", "Adaptive speed", "Shift+H"),
}
_VIEW_ACTIONS = dict(zip(("one_view", "two_views", "four_views"), VIEWS, strict=True))


class Transport(QWidget):
    """Buttons and texts; setters show the state, signals emit requests."""

    play_toggled = Signal()
    step_requested = Signal(int)
    """Frames to go: -1 or 1."""
    first_requested = Signal()
    last_requested = Signal()
    faster_requested = Signal()
    slower_requested = Signal()
    views_requested = Signal(int)
    collapse_requested = Signal()
    adaptive_requested = Signal()
    enhancement_requested = Signal(str)
    """Name of a view of the frame."""
    overlay_requested = Signal(bool)
    opacity_requested = Signal(float)
    """Opacity in [0.05, 1]."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons = {action_id: _button(*BUTTONS[action_id]) for action_id in BUTTONS}
        self.rate_label = _rate_label(self)
        self.position_label = _label("", "Position")
        self.time_label = _label("", "Time")
        self.landmark_label = _label("", "Time since the last landmark", color=theme.MUTED)
        self.note_label = _label("", "Progress", color=theme.MUTED)
        self.opacity_slider = _opacity_slider()
        self._frame_count = 0
        self._layout = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._layout.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self._layout.setContentsMargins(8, 4, 8, 4)
        self._layout.setSpacing(4)
        self._layout.addLayout(self._moving(), 0)
        self._layout.addLayout(self._looking(), 1)
        self.setStyleSheet(_STYLE)
        self._connect()
        self.set_study_open(False)

    def _moving(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(2)
        for action_id in ("go_first", "step_back", "toggle_play", "step_forward", "go_last"):
            row.addWidget(self.buttons[action_id])
        row.addWidget(self.rate_label)
        for action_id in ("collapse_similar", "adaptive_speed"):
            self.buttons[action_id].setCheckable(True)
            row.addWidget(self.buttons[action_id])
        row.addSpacing(6)
        row.addWidget(self.position_label)
        row.addStretch(0)
        return row

    def _looking(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(2)
        row.addSpacing(8)
        row.addWidget(self.time_label)
        row.addSpacing(8)
        row.addWidget(self.landmark_label)
        row.addSpacing(8)
        row.addWidget(self.note_label)
        row.addStretch(1)
        self._views = QButtonGroup(self)
        for action_id, views in _VIEW_ACTIONS.items():
            self.buttons[action_id].setCheckable(True)
            self._views.addButton(self.buttons[action_id], views)
            row.addWidget(self.buttons[action_id])
        row.addSpacing(12)
        row.addWidget(self.buttons["next_enhancement"])
        self.buttons["toggle_overlay"].setCheckable(True)
        row.addWidget(self.buttons["toggle_overlay"])
        row.addWidget(self.opacity_slider)
        return row

    def _connect(self) -> None:
        buttons = self.buttons
        buttons["go_first"].clicked.connect(lambda: self.first_requested.emit())
        buttons["step_back"].clicked.connect(lambda: self.step_requested.emit(-1))
        buttons["toggle_play"].clicked.connect(lambda: self.play_toggled.emit())
        buttons["step_forward"].clicked.connect(lambda: self.step_requested.emit(1))
        buttons["go_last"].clicked.connect(lambda: self.last_requested.emit())
        buttons["toggle_overlay"].clicked.connect(lambda is_on: self.overlay_requested.emit(is_on))
        self._views.idClicked.connect(self.views_requested.emit)
        self.opacity_slider.valueChanged.connect(lambda percent: self.opacity_requested.emit(percent / 100))
        buttons["collapse_similar"].clicked.connect(lambda: self.collapse_requested.emit())
        buttons["adaptive_speed"].clicked.connect(lambda: self.adaptive_requested.emit())
        self._offer_enhancements()
        self.rate_label.slower.clicked.connect(lambda: self.slower_requested.emit())
        self.rate_label.faster.clicked.connect(lambda: self.faster_requested.emit())

    def _offer_enhancements(self) -> None:
        """The button opens the list of views; the one that is shown has a tick."""
        button = self.buttons["next_enhancement"]
        menu = QMenu(button)
        menu.setToolTipsVisible(True)
        self._enhancements = QActionGroup(menu)
        for one in ENHANCEMENTS:
            action = menu.addAction(one.title)
            action.setToolTip(plain(one.tip))
            action.setCheckable(True)
            action.setData(one.name)
            self._enhancements.addAction(action)
        self._enhancements.triggered.connect(lambda action: self.enhancement_requested.emit(action.data()))
        button.setCheckable(True)
        button.setMenu(menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
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

    def set_playing(self, is_playing: bool, rate_fps: int, *, is_adaptive: bool = False) -> None:
        """Show whether it plays, and the rate chosen, which is a mean where the speed follows what changes."""
        self.buttons["toggle_play"].setIcon(transport_icon("pause" if is_playing else "play"))
        self.rate_label.set_rate(rate_fps, is_about=is_adaptive)

    def set_position(self, frame_index: int | None, frame_count: int, seconds: float | None, landmark: str) -> None:
        """Show a frame (from 0) of `frame_count` (0: not yet known), its time, and the time since a landmark."""
        total = f" / {format_frame(frame_count)}" if frame_count else ""
        self.position_label.setText("" if frame_index is None else f"frame {format_frame(frame_index + 1)}{total}")
        if frame_count != self._frame_count:  # room for the longest, so that nothing moves while playing
            self._frame_count = frame_count
            longest = f"frame {format_frame(frame_count)}{total}" if frame_count else ""
            self.position_label.setMinimumWidth(self.position_label.fontMetrics().horizontalAdvance(longest))
        self.time_label.setText("" if seconds is None else format_time(seconds))
        self.landmark_label.setText(landmark)

    def set_note(self, text: str) -> None:
        """Show a note ("reading the index, 64 %")."""
        self.note_label.setText(text)

    def set_views(self, views: int) -> None:
        """Mark how many frames stand side by side."""
        self._views.button(views).setChecked(True)

    def set_overlay(self, is_visible: bool, opacity: float, is_available: bool) -> None:
        """Show the overlay's state without asking for a change."""
        self.buttons["toggle_overlay"].setChecked(is_visible)
        self.opacity_slider.blockSignals(True)
        self.opacity_slider.setValue(round(opacity * 100))
        self.opacity_slider.blockSignals(False)
        self.opacity_slider.setEnabled(is_visible and is_available)

    def set_tips(self, tips: Mapping[str, str]) -> None:
        """Replace tooltips by those of the table of actions: action's id to text."""
        for action_id, tip in tips.items():
            if action_id in self.buttons:
                self.buttons[action_id].setToolTip(plain(tip))

    def minimumSizeHint(self) -> QSize:
        """Two rows fit where one does not: the width does not limit the window size."""
        return QSize(MIN_WIDTH_PX, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        wide = self.width() >= ONE_ROW_PX
        self._layout.setDirection(QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom)
        super().resizeEvent(event)


class _RateLabel(QWidget):
    """ "8 fps" between slower and faster."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.slower = _small_button("–", "Slower", "Down")
        self.faster = _small_button("+", "Faster", "Up")
        self.text = _label("", "Play rate")
        self.text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.text.setMinimumWidth(60)
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 0, 0, 0)
        row.setSpacing(2)
        for widget in (self.slower, self.text, self.faster):
            row.addWidget(widget)

    def set_rate(self, rate_fps: int, *, is_about: bool = False) -> None:
        """Show frames a second, exact or about."""
        self.text.setText(f"≈ {rate_fps} fps" if is_about else f"{rate_fps} fps")


def _rate_label(parent: QWidget) -> _RateLabel:
    return _RateLabel(parent)


def _button(icon: str, name: str, key: str) -> QToolButton:
    button = QToolButton()
    button.setIcon(transport_icon(icon))
    button.setIconSize(icon_size())
    button.setToolTip(plain(f"{name} ({key})"))
    button.setAccessibleName(name)
    button.setAutoRaise(True)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setAutoRepeat(icon in ("back", "forward"))
    return button


def _small_button(text: str, name: str, key: str) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    button.setToolTip(plain(f"{name} ({key})"))
    button.setAccessibleName(name)
    button.setAutoRaise(True)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


def _label(text: str, name: str, color: str = theme.TEXT) -> PlainLabel:
    label = PlainLabel(text)
    label.setFont(text_font(13))
    label.setStyleSheet(f"color: {color}; background: transparent;")
    label.setAccessibleName(name)
    return label


def _opacity_slider() -> QSlider:
    slider = QSlider(Qt.Orientation.Horizontal)
    slider.setRange(5, 100)
    slider.setFixedWidth(72)
    slider.setToolTip("Opacity of the overlay (Shift+C weaker, Ctrl+Shift+C stronger)")
    slider.setAccessibleName("Opacity of the overlay")
    slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return slider
