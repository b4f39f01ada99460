"""What is asked before a kept map is renamed or deleted."""

from PySide6.QtWidgets import QInputDialog, QMessageBox, QWidget

from wce_desktop.widgets.plain_text import plain


def ask_name(parent: QWidget, title: str) -> str | None:
    """A new name for the map of this title; None where the question was left."""
    name, is_given = QInputDialog.getText(parent, "Rename the map", "Name", text=title)
    return name if is_given else None


def ask_deletion(parent: QWidget, title: str) -> bool:
    """Whether the map of this title is to go."""
    said = f"Delete the map “{title}”? Embeddings, labels and videos stay."
    return QMessageBox.question(parent, "Delete the map", plain(said)) == QMessageBox.StandardButton.Yes
