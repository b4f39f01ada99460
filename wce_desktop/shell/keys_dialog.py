"""The page that lists every key (F1), and finding any action by its name (Ctrl+K)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QWidget

from wce_desktop.core.language import to_translate, tr
from wce_desktop.session.actions import MENUS, Action
from wce_desktop.session.keys import with_keys
from wce_desktop.session.local_keys import LOCAL_KEYS
from wce_desktop.widgets import basic, key_texts, theme, window_size
from wce_desktop.widgets.page_area import PageArea
from wce_desktop.widgets.plain_text import RichLabel


def keys_page(actions: Sequence[Action], titles: Mapping[str, str]) -> str:
    """HTML with a table for each menu and place; `titles` replaces titles by action id (class names)."""
    parts = [
        _table(
            tr(menu),
            (
                (action.shortcut, titles.get(action.action_id, tr(action.title)), tr(action.tip))
                for action in actions
                if action.menu == menu and action.shortcut
            ),
        )
        for menu in MENUS
    ]
    parts += [
        _table(tr(place), ((keys, tr(words), "") for keys, words in rows.items())) for place, rows in LOCAL_KEYS.items()
    ]
    return "".join(parts)


def _table(title: str, rows: Iterable[tuple[str, str, str]]) -> str:
    cells = "".join(
        f"<tr><td width=220 style='color:{theme.COLORS.accent}'>"
        f"{escape(key_texts.native_keys(keys))}</td>"
        f"<td width=290>{escape(words)}</td>"
        f"<td style='color:{theme.COLORS.muted}'>{escape(tip)}</td></tr>"
        for keys, words, tip in rows
    )
    return f"<h3>{escape(title)}</h3><table cellspacing=4>{cells}</table>"


class KeysDialog(window_size.DialogBase):
    """All keys on one page."""

    def __init__(self, actions: Sequence[Action], titles: Mapping[str, str], parent: QWidget | None = None) -> None:
        super().__init__(tr("All keys"), 960, 700, parent=parent)
        page = RichLabel(keys_page(actions, titles))
        page.setContentsMargins(16, 8, 16, 16)
        page.setWordWrap(True)
        area = PageArea(widgetResizable=True)
        area.setAccessibleName(tr("All keys"))
        area.setWidget(page)
        basic.in_column(area, of=self, margins=0)


SYNONYMS = {
    "remove_study": to_translate("delete erase"),
    "show_removed": to_translate("deleted restore undelete trash erase"),
    "remove_finding": to_translate("delete erase lesion"),
    "new_finding": to_translate("lesion add mark annotate"),
    "accept_event": to_translate("confirm yes true positive"),
    "reject_event": to_translate("dismiss no false positive wrong"),
    "choose_model": to_translate("AI network algorithm"),
    "score_study": to_translate("AI analyse detect"),
    "score_all": to_translate("AI analyse detect"),
    "finetune": to_translate("AI learn improve train"),
    "toggle_overlay": to_translate("AI heat map why explain"),
    "show_explain": to_translate("AI heat map why CAM"),
    "show_worklist": to_translate("patients list search find"),
    "edit_record": to_translate("name date of birth hospital number"),
    "show_report": to_translate("PDF print sign letter"),
    "show_calculators": to_translate("index Crohn inflammation cleanliness"),
    "import_labels": to_translate("load read in"),
    "export_labels": to_translate("save write out"),
    "next_unread": to_translate("unseen unread missed"),
    "next_blood": to_translate("bleeding haemorrhage red"),
    "show_settings": to_translate("options preferences language dark light"),
    "show_backups": to_translate("restore copy"),
}
"""By action: other words that physicians use for it."""


def search_texts(rows: Sequence[Action], titles: Mapping[str, str]) -> dict[str, str]:
    """By action the words by which it is found besides its title: its menu, its submenu, synonyms, and English."""
    return {
        row.action_id: " ".join(
            (titles.get(row.action_id, ""), row.title, tr(row.menu), tr(row.group.title), tr(row.tip))
            + ((tr(SYNONYMS[row.action_id]), SYNONYMS[row.action_id]) if row.action_id in SYNONYMS else ())
        )
        for row in rows
    }


def matches(query: str, text: str) -> bool:
    """Whether every word of `query` stands at the beginning of a word of `text`, or in it from three letters on."""
    text = text.casefold()
    begins = tuple(re.findall(r"\w+", text))
    return all(
        word in text if len(word) > 2 else any(each.startswith(word) for each in begins)
        for word in query.casefold().split()
    )


class FindActionDialog(window_size.DialogBase):
    """A list of all actions, filtered while typing; `chosen` is the action picked, or None."""

    def __init__(self, actions: Sequence[tuple[QAction, str]], parent: QWidget | None = None) -> None:
        """`actions` come with the words by which each is found besides its title."""
        super().__init__(tr("Find an action"), 520, 420, parent=parent)
        self.chosen: QAction | None = None
        self._actions = list(actions)
        self._query = QLineEdit(placeholderText=tr("What do you want to do?"))
        self._list = QListWidget()
        self._query.setAccessibleName(tr("What do you want to do?"))
        self._list.setAccessibleName(tr("Actions"))
        basic.in_column(self._query, self._list, of=self)
        self._query.textChanged.connect(self._narrow)
        self._query.returnPressed.connect(self._choose)
        self._query.installEventFilter(self)
        self._list.itemActivated.connect(lambda _: self._choose())
        self._narrow("")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrow keys move in the list while the query keeps the focus."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
            if step:
                self._list.setCurrentRow(max(0, min(self._list.count() - 1, self._list.currentRow() + step)))
                return True
        return super().eventFilter(watched, event)

    def _narrow(self, query: str) -> None:
        self._list.clear()
        titled = [(action.text().replace("&", ""), action, words) for action, words in self._actions]
        by_title = [entry for entry in titled if matches(query, entry[0])]
        by_words = [entry for entry in titled if entry not in by_title and matches(query, entry[2])]
        for title, action, _ in (*by_title, *by_words):
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            item = QListWidgetItem(f"{title}    {keys}" if keys else title, self._list)
            item.setData(Qt.ItemDataRole.UserRole, action)
            if not action.isEnabled():
                item.setFlags(Qt.ItemFlag.NoItemFlags)
        if not self._list.count():
            text = with_keys(tr("Nothing matches. Try another word; {show_keys} lists everything that has a key."))
            QListWidgetItem(text, self._list).setFlags(Qt.ItemFlag.NoItemFlags)
        enabled = (row for row in range(self._list.count()) if self._list.item(row).flags())
        self._list.setCurrentRow(next(enabled, -1))

    def _choose(self) -> None:
        item = self._list.currentItem()
        if item is not None and item.flags():
            self.chosen = item.data(Qt.ItemDataRole.UserRole)
            self.accept()
