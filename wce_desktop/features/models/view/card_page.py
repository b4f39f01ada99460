"""The card of one model or run: by which settings it was made, on what data, by which versions."""

from collections.abc import Sequence

from PySide6.QtWidgets import QVBoxLayout, QWidget

from wce_desktop.features.models.model.run_words import Row, card_rows, setting_rows
from wce_desktop.features.models.view.plain_table import PlainTable
from wce_desktop.library.runs.run_files import Item, read_card
from wce_desktop.widgets.basic import make_heading, make_note


class CardPage(QWidget):
    """What the card says, then every setting."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.card = PlainTable("Card", ("", ""))
        self.settings = PlainTable("Settings", ("Setting", "Value"))
        self.card.horizontalHeader().hide()
        self._nothing = make_note("No card and no settings: the folder is half-written or gone.")
        self._heads = (make_heading("CARD"), make_heading("SETTINGS"))
        layout = QVBoxLayout(self)
        layout.addWidget(self._nothing)
        for head, table in zip(self._heads, (self.card, self.settings), strict=True):
            layout.addWidget(head)
            layout.addWidget(table, 1)
        layout.addStretch(0)

    def show_item(self, item: Item | None) -> None:
        """Show an item's card and settings."""
        contents: tuple[Sequence[Row], Sequence[Row]] = ([], [])
        if item is not None:
            contents = (card_rows(read_card(item)), setting_rows(item))
        for head, table, rows in zip(self._heads, (self.card, self.settings), contents, strict=True):
            table.show_rows(rows)
            table.setVisible(bool(rows))
            head.setVisible(bool(rows))
        self._nothing.setVisible(item is not None and not any(contents))
