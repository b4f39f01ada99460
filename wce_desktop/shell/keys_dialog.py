"""The page that lists every key (F1), made from the table of actions."""

from collections.abc import Mapping
from html import escape

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QScrollArea, QVBoxLayout, QWidget

from wce_desktop.session.actions import ACTIONS, MENUS
from wce_desktop.widgets.plain_text import RichLabel
from wce_desktop.widgets.theme import ACCENT, MUTED
from wce_desktop.widgets.window_size import fit_to_screen


def keys_page(titles: Mapping[str, str]) -> str:
    """HTML with one table for each menu; `titles` replaces titles by action id (class names)."""
    parts = []
    for menu in MENUS:
        rows = [action for action in ACTIONS if action.menu == menu and action.shortcut]
        cells = "".join(
            f"<tr><td style='color:{ACCENT}; padding-right:18px'>{escape(native_keys(action.shortcut))}</td>"
            f"<td style='padding-right:18px'>{escape(titles.get(action.action_id, action.title))}</td>"
            f"<td style='color:{MUTED}'>{escape(action.tip)}</td></tr>"
            for action in rows
        )
        parts.append(f"<h3>{menu}</h3><table cellspacing=4>{cells}</table>")
    return "".join(parts)


def native_keys(shortcuts: str) -> str:
    """Key sequences of the table as this computer writes them: “+ or =”."""
    sequences = QKeySequence.listFromString(shortcuts)
    return " or ".join(sequence.toString(QKeySequence.SequenceFormat.NativeText) for sequence in sequences)


class KeysDialog(QDialog):
    """All keys on one page."""

    def __init__(self, titles: Mapping[str, str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("All keys")
        fit_to_screen(self, 760, 620)
        page = RichLabel(keys_page(titles))
        page.setContentsMargins(16, 8, 16, 16)
        area = QScrollArea(widgetResizable=True)
        area.setWidget(page)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(area)
