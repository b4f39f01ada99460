"""Dialogs for files and folders that begin where the last one of their kind ended."""

import contextlib
from pathlib import Path
from typing import Literal, TypeAlias

from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QFileDialog, QWidget

from training.errors import UserError
from wce_desktop.session.settings import Settings

Kind: TypeAlias = Literal["studies", "labels", "models", "pictures", "reports"]
"""What a dialog asks for; each kind has a folder of its own in the settings."""


class FileDialogs:
    """Asks for files and folders, and remembers where they were; None where the dialog was cancelled.

    The first dialog of a kind begins in the person's folder of documents, not in that of the program.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def ask_file(self, parent: QWidget, kind: Kind, title: str, name_filter: str) -> Path | None:
        """Ask for a file that is there."""
        chosen, _ = QFileDialog.getOpenFileName(parent, title, self.start(kind), name_filter)
        return self._remember(kind, chosen, is_folder=False)

    def ask_folder(self, parent: QWidget, kind: Kind, title: str) -> Path | None:
        """Ask for a folder."""
        chosen = QFileDialog.getExistingDirectory(parent, title, self.start(kind))
        return self._remember(kind, chosen, is_folder=True)

    def ask_new_file(self, parent: QWidget, kind: Kind, title: str, name: str, name_filter: str) -> Path | None:
        """Ask for a file to be written, by default called `name`."""
        start = self.start(kind)
        chosen, _ = QFileDialog.getSaveFileName(parent, title, str(Path(start) / name) if start else name, name_filter)
        return self._remember(kind, chosen, is_folder=False)

    def start(self, kind: Kind) -> str:
        """The folder in which a dialog begins: the last one of its kind, the person's own where it has gone."""
        folder = self._settings[f"folder_{kind}"]
        with contextlib.suppress(OSError, ValueError):
            if folder and Path(folder).is_dir():
                return str(folder)
        places = QStandardPaths.standardLocations(QStandardPaths.StandardLocation.DocumentsLocation)
        return next((place for place in places if Path(place).is_dir()), str(Path.home()))

    def _remember(self, kind: Kind, chosen: str, *, is_folder: bool) -> Path | None:
        if not chosen:
            return None
        path = Path(chosen)
        with contextlib.suppress(UserError):  # a library that cannot be written only forgets the folder
            self._settings.set(f"folder_{kind}", str(path if is_folder else path.parent))
        return path
