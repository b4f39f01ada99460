"""From what the chosen item descends, and what was made from it, as one line of links."""

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from wce_desktop.library.runs.lineage import Ancestor, Family
from wce_desktop.library.runs.run_files import Item, item_id
from wce_desktop.widgets.plain_text import RichLabel
from wce_desktop.widgets.theme import ACCENT, MUTED, TEXT


class LineageLine(RichLabel):
    """ "ImageNet weights → Pretrained 1 → Finetuned 2"; a click on a name, or Tab and Enter, chooses it."""

    item_requested = Signal(str)  # its name

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setWordWrap(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.setAccessibleName("Lineage")
        self.linkActivated.connect(self.item_requested)

    def show_item(self, item: Item | None, family: Family) -> None:
        """Show an item's lineage."""
        if item is None:
            self.setText("")
            return
        line = _chain(family.lineage(item))
        children = [Ancestor(child.title, child) for child in family.made_from(item)]
        if children:
            names = ", ".join(_link(child) for child in children)
            line += f'<br><span style="color:{MUTED}">Made from it:</span> {names}'
        self.setText(line)


def _chain(steps: Sequence[Ancestor]) -> str:
    arrow = f' <span style="color:{MUTED}">→</span> '
    shown = [_link(step) for step in steps[:-1]]
    return arrow.join([*shown, f'<b style="color:{TEXT}">{escape(steps[-1].title)}</b>'])


def _link(step: Ancestor) -> str:
    if step.item is None:
        return f'<span style="color:{MUTED}">{escape(step.title)}</span>'
    return f'<a style="color:{ACCENT}" href="{escape(item_id(step.item))}">{escape(step.title)}</a>'
