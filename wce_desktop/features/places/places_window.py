"""The window: lists at the left, two studies side by side at the right."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QHideEvent, QImage, QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractButton, QDialog, QSplitter, QVBoxLayout, QWidget

from wce_desktop.core.annotation.vocabulary import Vocabulary
from wce_desktop.core.language import to_translate, tr
from wce_desktop.features.places.pair_view import PairView
from wce_desktop.features.places.place_lists import PlaceLists
from wce_desktop.session.keys import with_keys
from wce_desktop.widgets.basic import make_text, set_color
from wce_desktop.widgets.key_texts import share_key
from wce_desktop.widgets.theme import MUTED, WARNING
from wce_desktop.widgets.window_size import fit_to_screen

LISTS_PX = 270
HELP = to_translate(
    "Up, Down: next place. {step_back}, {step_forward}: step (Ctrl: ten frames). {toggle_play}: play. "
    "Y: the same place. N: not the same. U: step together or alone. {undo}: undo."
)


class PlacesWindow(QDialog):
    """Does not block the main window; can be maximised."""

    closed = Signal()

    def __init__(
        self,
        vocabulary: Vocabulary,
        picture: Callable[[str, int], QImage | None],
        actions: Sequence[QAction],
        parent: QWidget | None = None,
    ) -> None:
        """`actions`: of the main window, whose keys work here, too."""
        super().__init__(parent, Qt.WindowType.Window)
        self.addActions(actions)
        self.setWindowTitle(tr("Find this place in another study"))
        fit_to_screen(self, 1500, 920)
        self.lists = PlaceLists(picture)
        self.pair = PairView(vocabulary)
        self._said = make_text(MUTED)
        self._said.setText(with_keys(tr(HELP)))
        parts = QSplitter(Qt.Orientation.Horizontal)
        parts.setChildrenCollapsible(False)
        parts.addWidget(self.lists)
        parts.addWidget(self.pair)
        parts.setStretchFactor(1, 1)
        parts.setSizes([LISTS_PX, self.width() - LISTS_PX])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.addWidget(parts, 1)
        layout.addWidget(self._said)
        for button in self.findChildren(QAbstractButton):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # after a click keys keep their meaning
        self._make_keys()

    def _make_keys(self) -> None:
        pair = self.pair
        of_actions: dict[str, Callable[[], object]] = {
            "step_back": lambda: pair.step(-1),
            "step_forward": lambda: pair.step(1),
            "jump_back": lambda: pair.step(-10),
            "jump_forward": lambda: pair.step(10),
            "go_first": pair.go_first,
            "go_last": pair.go_last,
            "toggle_play": self._press_space,
            "zoom_in": lambda: pair.zoom(1),
            "zoom_out": lambda: pair.zoom(-1),
            "zoom_fit": lambda: pair.zoom(0),
        }
        for action_id, step in of_actions.items():
            share_key(self, action_id, step)
        own: dict[str, Callable[[], object]] = {
            "Ctrl+Up": pair.faster,
            "Ctrl+Down": pair.slower,
            "U": pair.together.toggle,
            "Y": pair.same.click,
            "N": pair.different.click,
            "Delete": self.lists.remove,
        }
        for key, step in own.items():
            QShortcut(QKeySequence(key), self).activated.connect(lambda step=step: step())

    def _press_space(self) -> None:
        """Press the button that Tab led to; else play or pause."""
        button = self.focusWidget()
        if isinstance(button, QAbstractButton):
            button.click()
        else:
            self.pair.toggle()

    def open(self) -> None:
        """Show the window, in front."""
        self.show()
        self.raise_()
        self.activateWindow()
        self.lists.active_list().setFocus(Qt.FocusReason.OtherFocusReason)

    def show_message(self, sentence: str) -> None:
        """Say what was done; "" shows the keys again."""
        set_color(self._said, MUTED)
        self._said.setText(sentence or with_keys(tr(HELP)))

    def show_error(self, message: str, hint: str = "") -> None:
        """Say what went wrong and what to do."""
        set_color(self._said, WARNING)
        self._said.setText(f"{message} {hint}".strip())

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing plays in a window that is closed."""
        self.pair.pause()
        self.closed.emit()
        super().hideEvent(event)
