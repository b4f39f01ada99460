"""The page of the settings on which keys are changed: a table of all actions, searched by name or key."""

from collections.abc import Mapping, Sequence

from PySide6 import QtWidgets
from PySide6.QtCore import QEvent, QKeyCombination, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence

from wce_desktop.core.language import to_translate, tr
from wce_desktop.session import keys
from wce_desktop.session.actions import MENUS, Action
from wce_desktop.shell.keys_dialog import matches
from wce_desktop.widgets.basic import in_column, in_row, make_button, make_note
from wce_desktop.widgets.key_texts import native_key, native_keys
from wce_desktop.widgets.plain_text import plain

_MODIFIERS = (Qt.Key.Key_Control, Qt.Key.Key_Shift, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr)
WAITING = to_translate("Press the new key; Escape keeps the old one.")


def pressed_key(event: QKeyEvent) -> str:
    """What was pressed, in Qt's portable spelling; Shift only counts where the key alone does not tell."""
    key = Qt.Key.Key_Tab if event.key() == Qt.Key.Key_Backtab else Qt.Key(event.key())
    modifiers = event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.GroupSwitchModifier)
    text = event.text()
    if text and text.isprintable() and not text.isalnum() and not text.isspace():
        modifiers &= ~Qt.KeyboardModifier.ShiftModifier  # "+" is typed with Shift on some keyboards
    return QKeySequence(QKeyCombination(modifiers, key)).toString(QKeySequence.SequenceFormat.PortableText)


class KeyCatcher(QtWidgets.QPushButton):
    """A button that, once clicked, takes the next key that is pressed."""

    caught = Signal(str)
    """The key, in Qt's portable spelling."""
    waiting_changed = Signal(bool)

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.setAutoDefault(False)
        self.is_waiting = False
        self.clicked.connect(lambda: self._wait(is_waiting=True))

    def _wait(self, *, is_waiting: bool) -> None:
        if is_waiting != self.is_waiting:
            self.is_waiting = is_waiting
            self.waiting_changed.emit(is_waiting)

    def event(self, event: QEvent) -> bool:
        """Take every key while waiting: shortcuts, Tab and Return, too."""
        if self.is_waiting and isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:
                self._take(event)
                return True
        return super().event(event)

    def _take(self, event: QKeyEvent) -> None:
        if Qt.Key(event.key()) in _MODIFIERS:
            return
        self._wait(is_waiting=False)
        if event.key() != Qt.Key.Key_Escape or event.modifiers():
            self.caught.emit(pressed_key(event))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """A click elsewhere keeps the old key."""
        self._wait(is_waiting=False)
        super().focusOutEvent(event)


class KeysPage(QtWidgets.QWidget):
    """All actions with their keys; what is changed here counts once `chosen` is saved."""

    def __init__(self, table: Sequence[Action], chosen: Mapping[str, str], titles: Mapping[str, str]) -> None:
        """`table` has the keys as they come with the program; `titles` names actions by their ids."""
        super().__init__()
        self._table = {row.action_id: row for row in table}
        self.chosen = dict(chosen)
        self._titles = titles
        self._wanted = ""  # a key that another action has
        self.search = QtWidgets.QLineEdit(placeholderText=tr("Search for an action or a key"))
        self.search.setAccessibleName(tr("Search for an action or a key"))
        self.tree = QtWidgets.QTreeWidget()
        self.change, self.add = KeyCatcher(tr("Change the key")), KeyCatcher(tr("Add a key"))
        self.remove = make_button(tr("Remove the key"), tr("Leave this action without a key"))
        self.reset = make_button(tr("Reset"), tr("Give this action the key back that it came with"))
        self.reset_all = make_button(tr("Reset all"), tr("Give all actions the keys back that they came with"))
        self.said = make_note()
        self.take = make_button("", tr("Give this key to the highlighted action"))
        self.leave = make_button(tr("Keep it there"), tr("Leave the key where it is"))
        self.tree.setAccessibleName(tr("Actions and their keys"))
        self.tree.setHeaderLabels([tr("Action"), tr("Key")])
        self.tree.setSelectionMode(QtWidgets.QAbstractItemView.SelectionMode.SingleSelection)
        self.tree.header().setSectionResizeMode(0, QtWidgets.QHeaderView.ResizeMode.Stretch)
        self.tree.header().setSectionResizeMode(1, QtWidgets.QHeaderView.ResizeMode.ResizeToContents)
        self.tree.header().setStretchLastSection(False)
        lines = (self.take, self.leave), (self.change, self.add, self.remove), (self.reset, self.reset_all)
        in_column(self.search, (self.tree, 1), self.said, *(in_row(*line, 1) for line in lines), of=self)
        self.search.textChanged.connect(lambda: self._narrow())
        self.tree.currentItemChanged.connect(lambda: self._show_current())
        self.change.caught.connect(lambda key: self._offer(key, is_further=False))
        self.add.caught.connect(lambda key: self._offer(key, is_further=True))
        for catcher in (self.change, self.add):
            catcher.waiting_changed.connect(lambda is_waiting: self._say(tr(WAITING) if is_waiting else ""))
        self.remove.clicked.connect(lambda: self._set(self.current, ""))
        self.reset.clicked.connect(self._reset)
        self.reset_all.clicked.connect(self._reset_all)
        self.take.clicked.connect(self._take)
        self.leave.clicked.connect(lambda: self._say(""))
        self._fill()

    # What is shown

    def _fill(self) -> None:
        self.items: dict[str, QtWidgets.QTreeWidgetItem] = {}
        for menu in MENUS:
            top = QtWidgets.QTreeWidgetItem(self.tree, [tr(menu)])
            top.setFlags(Qt.ItemFlag.ItemIsEnabled)
            for row in self._rows:
                if row.menu == menu:
                    item = QtWidgets.QTreeWidgetItem(top, [self._title(row.action_id), native_keys(row.shortcut)])
                    item.setData(0, Qt.ItemDataRole.UserRole, row.action_id)
                    item.setToolTip(0, plain(tr(row.tip)))
                    self.items[row.action_id] = item
            top.setExpanded(True)
        self.tree.setCurrentItem(next(iter(self.items.values())))

    def _title(self, action_id: str) -> str:
        return self._titles.get(action_id, tr(self._table[action_id].title))

    def _narrow(self) -> None:
        """Hide what was not searched for; its key counts as written here, so that “Ctrl+Z” finds Undo."""
        query = self.search.text()
        for row in self._rows:
            item = self.items[row.action_id]
            is_key = query.casefold().replace(" ", "") == item.text(1).casefold() != ""
            item.setHidden(not (is_key or matches(query, f"{item.text(0)} {tr(row.tip)}")))
        shown = [item for item in self.items.values() if not item.isHidden()]
        named = [item for item in shown if matches(query, item.text(0))] or shown
        if named and self.tree.currentItem() not in named:
            self.tree.setCurrentItem(named[0])
        kept = [item.parent() for item in shown]
        for top in filter(None, map(self.tree.topLevelItem, range(self.tree.topLevelItemCount()))):
            top.setHidden(not any(top is parent for parent in kept))
        self._show_current()

    def _show_keys(self) -> None:
        for row in self._rows:
            item = self.items[row.action_id]
            item.setText(1, native_keys(row.shortcut))
            font = item.font(1)
            font.setBold(row.action_id in self.chosen)
            item.setFont(1, font)
        self._show_current()

    def _show_current(self) -> None:
        current = self.current
        why = tr(keys.why_fixed(current)) if current else ""
        is_free = bool(current) and not why
        for button in (self.change, self.add):
            button.setEnabled(is_free)
        self.remove.setEnabled(is_free and bool(self._row(current).shortcut))
        self.reset.setEnabled(current in self.chosen)
        self.reset_all.setEnabled(bool(self.chosen))
        self._say(why)

    def _say(self, sentence: str, wanted: str = "") -> None:
        """Say something, and offer to take a wanted key from the action that has it."""
        self._wanted = wanted
        self.said.setText(sentence)
        for button in (self.take, self.leave):
            button.setVisible(bool(wanted))

    # What is changed

    @property
    def _rows(self) -> tuple[Action, ...]:
        return keys.with_chosen(self._table.values(), self.chosen)

    def _row(self, action_id: str) -> Action:
        return next(row for row in self._rows if row.action_id == action_id)

    @property
    def current(self) -> str:
        """The id of the highlighted action; "" where none is, or where it is not among those searched for."""
        item = self.tree.currentItem()
        return item.data(0, Qt.ItemDataRole.UserRole) or "" if item is not None and not item.isHidden() else ""

    def _offer(self, key: str, *, is_further: bool) -> None:
        """Give a pressed key to the highlighted action, unless it cannot be used or another action has it."""
        why, current = keys.why_refused(key), self.current
        has = holder.action_id if (holder := keys.holder(self._rows, key, current)) is not None else ""
        self._is_further = is_further
        if why:
            self._say(tr("{key} cannot be used.", key=native_key(key)) + f" {tr(why)}" if key else tr(why))
        elif has and keys.why_fixed(has):
            self._say(tr(keys.why_fixed(has)))
        elif has:
            self.take.setText(tr("Use it for “{action}”", action=self._title(current)))
            rest, words = (
                keys.without(self._row(has).shortcut, key),
                {"key": native_key(key), "action": self._title(has)},
            )
            text = tr("{key} is the key of “{action}”, which would have no other.", **words)
            if rest:
                text = tr("{key} is a key of “{action}”, which would keep {rest}.", rest=native_keys(rest), **words)
            self._say(text, key)
            self.take.setFocus()
        else:
            self._give(key)

    def _give(self, key: str) -> None:
        before = keys.parts(self._row(self.current).shortcut) if self._is_further else ()
        self._set(self.current, keys.JOINT.join(dict.fromkeys((*before, key))))

    def _take(self) -> None:
        key = self._wanted
        self._free(key)
        self._give(key)

    def _free(self, key: str) -> None:
        """Take a key from another action that has it."""
        if (holder := keys.holder(self._rows, key, self.current)) is not None:
            self._set(holder.action_id, keys.without(holder.shortcut, key))

    def _set(self, action_id: str, shortcut: str) -> None:
        if shortcut == self._table[action_id].shortcut:
            self.chosen.pop(action_id, None)
        else:
            self.chosen[action_id] = shortcut
        self._show_keys()

    def _reset(self) -> None:
        """Give the action its own key back, and take it from any other that has it now."""
        current = self.current
        for key in keys.parts(self._table[current].shortcut):
            self._free(key)
        self._set(current, self._table[current].shortcut)

    def _reset_all(self) -> None:
        self.chosen.clear()
        self._show_keys()
