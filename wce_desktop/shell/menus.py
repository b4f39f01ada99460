"""Menus, shortcuts and tooltips from the table of actions."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from training.errors import NothingToDoError
from wce_desktop.core.annotation.vocabulary import Vocabulary
from wce_desktop.core.language import to_translate, tr
from wce_desktop.session import keys
from wce_desktop.session.actions import ACTIONS, CONTEXTS, FOR_RESEARCH, MENUS, Action, Group
from wce_desktop.session.session import Session
from wce_desktop.widgets.key_texts import follow_keys, native_key, native_keys
from wce_desktop.widgets.plain_text import plain


def class_titles(vocabulary: Vocabulary) -> dict[str, str]:
    """Titles of the labelling actions by action id, with the vocabulary's names."""
    return {f"label_{known.key}": tr("Label “{title}”", title=known.shown_title) for known in vocabulary if known.key}


_CONTEXT_TITLES = {
    "frame": to_translate("Menu of the frame"),
    "flag": to_translate("Menu of the flag"),
    "event": to_translate("Menu of the event"),
    "timeline": to_translate("Menu of the timeline"),
    "finding": to_translate("Menu of the finding"),
    "study": to_translate("Menu of the study"),
    "other study": to_translate("Menu of the other study"),
}
LEAST_SUBMENU = 3
ANSWERS = ("accept_event", "reject_event")


def fill(menu: QMenu, rows: Iterable[tuple[Group, QAction]]) -> None:
    """Add actions in blocks: separators where the group changes, and a submenu for each group that is one.

    A group of which only one or two actions are wanted needs no submenu.
    """
    wanted = list(rows)
    counts = Counter(group for group, _ in wanted)
    folded = {group for group, count in counts.items() if group.is_submenu and count >= LEAST_SUBMENU}
    submenus: dict[Group, QMenu] = {}
    before: Group | None = None
    for group, action in wanted:
        if before is not None and group != before and not (group in folded and before in folded):
            menu.addSeparator()
        if group in folded and group not in submenus:
            submenus[group] = menu.addMenu(tr(group.title))
            submenus[group].setToolTipsVisible(menu.toolTipsVisible())
        submenus.get(group, menu).addAction(action)
        before = group


class Menus:
    """Builds one QAction for each row of the table and keeps them enabled as the session allows."""

    def __init__(
        self,
        window: QMainWindow,
        session: Session,
        handlers: Mapping[str, Callable[[], object]],
        guard: Callable[[Callable[[], object]], Callable[..., None]],
        rows: Sequence[Action] = ACTIONS,
    ) -> None:
        """`handlers` maps action ids to the functions of the `rows`."""
        self.table = rows
        self.rows = keys.with_chosen(rows, keys.checked(session.settings.keys, rows))
        keys.use(self.rows, native_key)
        self.actions: dict[str, QAction] = {}
        self.titles = {row.action_id: tr(row.title) for row in rows} | class_titles(session.vocabulary)
        self.keys_changed: Callable[[], object] = lambda: None
        self._window = window
        self._session = session
        self._steps: dict[str, Callable[..., None]] = {}
        self._groups: dict[str, Group] = {}
        for row in self.rows:
            self.actions[row.action_id] = self._make(window, row, guard(handlers[row.action_id]))
            self._groups[row.action_id] = row.group
        for name in MENUS:
            bar = window.menuBar().addMenu(tr(name))
            bar.setToolTipsVisible(True)
            fill(bar, self._grouped(row.action_id for row in rows if row.menu == name))
        self._name_library()
        window.addActions(list(self.actions.values()))  # their keys work where the menu bar is hidden, too
        self._elsewhere = QAction(window)
        self._elsewhere.triggered.connect(lambda: guard(_say_other_desk)())
        window.addAction(self._elsewhere)
        self._set_other_keys()
        self.show_classes()
        self.refresh()

    def _name_library(self) -> None:
        """Say in the first row of Study > Library which library is open."""
        first = self.actions.get("show_backups")
        if first is None:
            return
        for menu in [one for one in first.associatedObjects() if isinstance(one, QMenu)]:
            name = self._session.library.folder.name.replace("&", "&&")
            row = QAction(tr("Open: {library}", library=name), menu, enabled=False)
            row.setToolTip(plain(str(self._session.library.folder)))
            menu.insertAction(first, row)

    def show_keys(self) -> None:
        """Use the keys of the settings from now on, and name them wherever a text does."""
        self.rows = keys.with_chosen(self.table, keys.checked(self._session.settings.keys, self.table))
        keys.use(self.rows, native_key)
        for row in self.rows:  # first none at all: two actions that swap their keys must never share one
            self.actions[row.action_id].setShortcuts([])
        for row in self.rows:
            _set_keys(self.actions[row.action_id], row)
        self._set_other_keys()
        follow_keys()
        self.keys_changed()

    def _set_other_keys(self) -> None:
        """On the reading desk the keys of the research desk say where they do something."""
        shortcuts = [self.actions[action_id].shortcuts() for action_id in FOR_RESEARCH & self.actions.keys()]
        self._elsewhere.setShortcuts([key for each in shortcuts for key in each])

    @property
    def tips(self) -> dict[str, str]:
        """The tooltips of all actions, with their keys."""
        return {action_id: action.toolTip() for action_id, action in self.actions.items()}

    def show_classes(self) -> None:
        """Name the classes in the labelling actions; a digit that no class has is hidden."""
        self.titles |= class_titles(self._session.vocabulary)
        for row in self.rows:
            if row.action_id.startswith("label_"):
                is_used = self._session.vocabulary.by_key(row.action_id[-1]) is not None
                self.actions[row.action_id].setText(self.titles[row.action_id])
                self.actions[row.action_id].setVisible(is_used)

    def _grouped(self, action_ids: Iterable[str]) -> list[tuple[Group, QAction]]:
        return [
            (self._groups[action_id], self.actions[action_id]) for action_id in action_ids if action_id in self.actions
        ]

    def _make(self, window: QMainWindow, row: Action, step: Callable[..., None]) -> QAction:
        action = QAction(self.titles[row.action_id], window)
        action.setObjectName(row.action_id)
        _set_keys(action, row)
        action.setStatusTip(tr(row.tip))
        action.setCheckable(row.is_checkable)
        self._steps[row.action_id] = step
        action.triggered.connect(lambda: step())
        return action

    def run(self, action_id: str) -> None:
        """Run an action, even if its shortcut is disabled."""
        self._steps[action_id]()

    def of_menu(self, menu: str, further: Collection[str] = ()) -> list[QAction]:
        """The actions of one menu, and further ones by their ids, for a window that shares their keys."""
        wanted = [row.action_id for row in self.rows if row.menu == menu or row.action_id in further]
        return [self.actions[action_id] for action_id in wanted if action_id in self.actions]

    def of_ids(self, action_ids: Sequence[str]) -> list[QAction]:
        """Actions by their ids."""
        return [self.actions[action_id] for action_id in action_ids]

    def show_context(self, context: str, at: QPoint) -> None:
        """Show what the table offers for a thing in the window (see `CONTEXTS`), at a place on the screen."""
        menu = QMenu(self._window)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setAccessibleName(tr(_CONTEXT_TITLES[context]))
        wanted, reading = CONTEXTS[context], self._session.reading
        if context == "frame" and (reading is None or reading.event_here() is None):
            wanted = tuple(one for one in wanted if one not in ANSWERS)
            menu.addAction(tr("Accept, reject: no flag on this frame")).setEnabled(False)
            menu.addSeparator()
        fill(menu, self._grouped(wanted))
        menu.popup(at)

    def refresh(self) -> None:
        """Enable the available actions, and update the titles of undo and redo."""
        self.refresh_but_history()
        for name, title in zip(("undo", "redo"), self._session.edits.next_titles, strict=True):
            self.actions[name].setEnabled(title is not None)
            word = tr(name.capitalize())
            self.actions[name].setText(f"{word}: {tr(title)}" if title else word)

    def refresh_but_history(self) -> None:
        """Enable the available actions after a change that was no edit; undo and redo are not updated."""
        rows = [row for row in self.rows if row.action_id in self.actions and row.action_id not in ("undo", "redo")]
        states = {row.needs: row.is_enabled(self._session) for row in {row.needs: row for row in rows}.values()}
        for row in rows:  # many ask the library the same
            self.actions[row.action_id].setEnabled(states[row.needs])

    def show_research(self, is_shown: bool) -> None:
        """Offer what only the research desk needs, or leave it out of menus, keys and the search for actions."""
        for action_id in FOR_RESEARCH & self.actions.keys():
            self.actions[action_id].setVisible(is_shown)
        self._elsewhere.setVisible(not is_shown)
        for menu in self._window.menuBar().findChildren(QMenu):
            menu.menuAction().setVisible(any(one.isVisible() for one in menu.actions()))

    def check(self, states: Mapping[str, bool]) -> None:
        """Set the ticks of checkable actions."""
        for action_id, is_on in states.items():
            self.actions[action_id].setChecked(is_on)


def _say_other_desk() -> None:
    key = keys.key_of("research_desk")
    raise NothingToDoError("This is on the research desk.", "{key} switches.", key)


def _set_keys(action: QAction, row: Action) -> None:
    action.setShortcuts(QKeySequence.listFromString(row.shortcut))
    action.setToolTip(plain(f"{tr(row.tip)} ({native_keys(row.shortcut)})" if row.shortcut else tr(row.tip)))
