"""Text that is never taken for HTML: Qt guesses the format, and names of files and people may contain tags.

Every label, message box and tooltip of the window is made with what stands here; a test looks for any other.
"""

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent, QShowEvent, QTextDocument
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import QGridLayout, QLabel, QMessageBox, QSizePolicy, QTableWidget, QTableWidgetItem, QWidget

from wce_desktop.core.language import tr

UMLAUTS, UMLAUT_PX = frozenset("ÄÖÜ"), 2
AS_WRITTEN = "<span style='white-space:pre-wrap'>"


def plain(text: str) -> str:
    """`text` for a place where Qt guesses the format (tooltips, ready-made dialogs), so that it shows as written."""
    if not GuiQt.mightBeRichText(text):
        return text
    return f"{AS_WRITTEN}{escape(text)}</span>"


class PlainLabel(QLabel):
    """A label that never takes its text for HTML."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)

    def setText(self, text: str) -> None:
        """Show a text; the dots of capital umlauts stand out of the line's height, and get room."""
        if UMLAUTS & {*text} and self.contentsMargins().top() < UMLAUT_PX:
            self.setContentsMargins(0, UMLAUT_PX, 0, 0)
        super().setText(text)


class ElidedLabel(PlainLabel):
    """A label of one line that takes the room it gets and ends with "…" where that is too little."""

    def __init__(self) -> None:
        self._whole = ""
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def text(self) -> str:
        """The whole text."""
        return self._whole

    @property
    def shown(self) -> str:
        """What there is room for."""
        return super().text()

    def setText(self, text: str) -> None:
        """Show a text as far as there is room."""
        self._whole = text
        self.setAccessibleName(text)
        self._elide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show more or less of the text."""
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        room = self.contentsRect().width()
        super().setText(self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, room))


class RichLabel(QLabel):
    """A label whose text is HTML written by this program; whoever puts a name into it escapes it."""

    def __init__(self, html: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setText(html)


LINE_MARGIN_PX, MOST_LINE_PX = 16, 460


class MessageBox(QMessageBox):
    """A message box that never takes its texts for HTML, and has no icon of the system's."""

    def __init__(self, parent: QWidget | None = None, title: str = "", text: str = "", more: str = "") -> None:
        """`more` is the smaller text below."""
        super().__init__(parent)
        self._line_px = 0
        self.setTextFormat(Qt.TextFormat.PlainText)
        if title:
            self.setWindowTitle(title)
            self.setText(text)
            self.setInformativeText(more)

    def showEvent(self, event: QShowEvent) -> None:
        """Begin the text at the border: Qt leaves room for an icon."""
        layout = self.layout()
        if isinstance(layout, QGridLayout) and (item := layout.itemAtPosition(0, 0)) and (room := item.spacerItem()):
            room.changeSize(0, 0, QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            layout.setHorizontalSpacing(0)
            layout.setColumnStretch(1, 1)
            layout.setColumnMinimumWidth(1, min(self._line_px + LINE_MARGIN_PX, MOST_LINE_PX))
            layout.invalidate()
        super().showEvent(event)

    def setInformativeText(self, text: str) -> None:
        """Set the smaller text, as it is written; the box is as wide as its lines, up to `MOST_LINE_PX`."""
        super().setInformativeText(plain(text))
        self._line_px = max(map(self.fontMetrics().horizontalAdvance, text.splitlines()), default=0)

    def set_answers(self, accept: str, refuse: str = "", *, by_default: bool = False) -> None:
        """Offer to do it (a verb; `StandardButton.Yes`) or to cancel (`StandardButton.No`), which Escape does."""
        answers = QMessageBox.StandardButton
        self.setStandardButtons(answers.Yes | answers.No)
        self.button(answers.Yes).setText(accept)
        self.button(answers.No).setText(refuse or tr("Cancel"))
        self.setDefaultButton(answers.Yes if by_default else answers.No)
        self.setEscapeButton(answers.No)


def show_notice(parent: QWidget | None, title: str, text: str) -> None:
    """Show a text until it is closed."""
    box = MessageBox(parent, title, text)
    box.addButton(tr("Close"), QMessageBox.ButtonRole.RejectRole)
    box.exec()
    box.deleteLater()


def set_page(document: QTextDocument, html: str) -> None:
    """Fill a document with a page of HTML that a template of this program made, which escapes what it is given."""
    document.setHtml(html)


def free_text_question(parent: QWidget | None, title: str, text: str) -> MessageBox:
    """A dialog with this question; "Without free text" is the default."""
    box = MessageBox(parent, title, text)
    without = box.addButton(tr("Without free text"), QMessageBox.ButtonRole.NoRole)
    box.addButton(tr("With free text"), QMessageBox.ButtonRole.YesRole)
    box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(without)
    return box


def wants_free_text(box: MessageBox) -> bool | None:
    """Show the question; None where it was cancelled."""
    box.exec()
    role = box.buttonRole(box.clickedButton())
    return None if role == QMessageBox.ButtonRole.RejectRole else role == QMessageBox.ButtonRole.YesRole


def fill_row(table: QTableWidget, row: int, texts: Sequence[str]) -> None:
    """Show the texts of one row, each below its title and in its tooltip, too."""
    for column, text in enumerate(texts):
        item = QTableWidgetItem(text)
        item.setToolTip(plain(text))
        if (title := table.horizontalHeaderItem(column)) is not None:
            item.setTextAlignment(Qt.AlignmentFlag(title.textAlignment()))
        table.setItem(row, column, item)
