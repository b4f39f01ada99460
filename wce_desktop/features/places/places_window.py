"""The window: lists at the left, two studies side by side at the right, which are read in a thread."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QHideEvent, QImage, QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractButton, QWidget

from training.errors import UserError
from wce_desktop.core import Span, to_translate, tr
from wce_desktop.core.annotation.vocabulary import Vocabulary
from wce_desktop.features.places.pair_view import PairView
from wce_desktop.features.places.place_lists import PlaceLists
from wce_desktop.features.places.study_view import Read, ShownStudy, StudyReader
from wce_desktop.session import keys
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets import basic, dialogs, key_texts, theme, window_size
from wce_desktop.workspace import Part, Workspace

NO_PLACE = to_translate("Choose a place in the list.")


@dataclass(frozen=True)
class Pair:
    """Two places to show side by side; without `right_id` only the left one. The spans are marked."""

    left_id: str
    left_frame: int
    right_id: str = ""
    right_frame: int = 0
    left_span: Span | None = None
    right_span: Span | None = None


class PairOpening(Part):
    """The newest pair wins. A study that cannot be read is said in its place and passed on as an error."""

    opened = Signal()
    """Other studies are shown."""

    def __init__(self, workspace: Workspace, owner: Part, view: PairView, fail: Callable[[str, str], object]) -> None:
        super().__init__(workspace, owner)
        self._view, self._fail = view, fail
        self._thread = FunctionThread(
            self,
            returned=lambda result: self._show(*result),
            failed=lambda outcome: fail(tr(outcome.message), tr(outcome.hint)),
        )

    @property
    def left_id(self) -> str:
        """The study at the left, or ""."""
        study = self._view.left.study
        return study.study_id if study is not None else ""

    def open(self, pair: Pair) -> None:
        """Show two places; studies that are not shown yet are read first."""
        sides = (self._view.left, pair.left_id), (self._view.right, pair.right_id)
        wanted = [study_id for side, study_id in sides if study_id and not side.shows(study_id)]
        if wanted:
            reader = StudyReader(self._session)
            self._thread.request(lambda _: (pair, reader.read(wanted)))
        else:
            self._thread.cancel()
            self._show(pair, {})

    def _show(self, pair: Pair, read: Read) -> None:
        view = self._view
        studies: list[ShownStudy | None] = []
        for study_id, side in ((pair.left_id, view.left), (pair.right_id, view.right)):
            result = read.get(study_id)
            if isinstance(result, UserError):
                side.clear(tr(str(result)))
                self._fail(tr(result.message), tr(result.hint))
            studies.append(result if isinstance(result, ShownStudy) else None)
        if not pair.right_id:
            view.right.clear(tr(NO_PLACE))
        view.open_pair(studies[0], pair.left_frame, studies[1], pair.right_frame)
        view.left.timeline.set_marked_span(pair.left_span)
        view.right.timeline.set_marked_span(pair.right_span)
        self.opened.emit()


LISTS_PX = 270
HELP = to_translate(
    "Up, Down: next place. {step_back}, {step_forward}: step (Ctrl: ten frames). {toggle_play}: play. "
    "Y: the same place. N: not the same. U: step together or alone. {undo}: undo."
)


class PlacesWindow(window_size.DialogBase):
    """Does not block the main window; can be maximised."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        picture: Callable[[str, int], QImage | None],
        actions: Sequence[QAction],
        parent: QWidget | None = None,
    ) -> None:
        """`actions`: of the main window, whose keys work here, too."""
        super().__init__(tr("Find this place in another study"), 1500, 920, parent=parent, flags=Qt.WindowType.Window)
        self.addActions(actions)
        self.lists = PlaceLists(picture)
        self.pair = PairView(vocabulary)
        self._said = basic.make_text(theme.COLORS.muted, keys.with_keys(tr(HELP)))
        sizes = LISTS_PX, self.width() - LISTS_PX
        parts = basic.in_splitter((self.lists, 0), (self.pair, 1), sizes=sizes)
        basic.in_column((parts, 1), self._said, of=self, margins=8)
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
            "go_first": lambda: pair.step(-sys.maxsize),
            "go_last": lambda: pair.step(sys.maxsize),
            "toggle_play": self._press_space,
            "zoom_in": lambda: pair.zoom(1),
            "zoom_out": lambda: pair.zoom(-1),
            "zoom_fit": lambda: pair.zoom(0),
        }
        for action_id, step in of_actions.items():
            key_texts.share_key(self, action_id, step)
        own: dict[str, Callable[[], object]] = {
            "Ctrl+Up": lambda: pair.both(lambda player: player.faster()),
            "Ctrl+Down": lambda: pair.both(lambda player: player.slower()),
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
        dialogs.bring_to_front(self)
        lists = self.lists
        (lists.links if lists.currentIndex() == 1 else lists.found).setFocus(Qt.FocusReason.OtherFocusReason)

    def show_message(self, sentence: str) -> None:
        """Say what was done; "" shows the keys again."""
        basic.set_color(self._said, theme.COLORS.muted)
        self._said.setText(sentence or keys.with_keys(tr(HELP)))

    def show_error(self, message: str, hint: str = "") -> None:
        """Say what went wrong and what to do."""
        basic.set_color(self._said, theme.COLORS.warning)
        self._said.setText(f"{message} {hint}".strip())

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing plays in a window that is closed."""
        self.pair.pause()
        super().hideEvent(event)
