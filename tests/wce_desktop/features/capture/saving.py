"""Saves pictures without a file dialog."""

from pathlib import Path

from tests.wce_desktop.windows import press
from wce_desktop.shell.main_window import MainWindow


def save_picture(window: MainWindow, path: Path) -> None:
    """Press the key; this file is chosen, also where the field of view is searched for first."""
    vars(window.workspace.files)["ask_new_file"] = lambda *_: path
    press(window, "save_picture")
