"""The About box: version, what the program is not for, and the licences of what it uses."""

import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

import wce_desktop
from training.version import DISTRIBUTION, version
from wce_desktop.core.language import to_translate, tr
from wce_desktop.widgets.inputs import TabWidget
from wce_desktop.widgets.plain_text import PlainLabel
from wce_desktop.widgets.window_size import fit_to_screen

NOTICE = to_translate(
    "Read capsule endoscopy studies and train the models behind them.\n\n"
    "Research use only, not for diagnosis.\n\n"
    "The demo study is synthetic, and the starter model was trained on synthetic images only: neither contains "
    "patient images."
)
LICENCES = Path(wce_desktop.__file__).resolve().parents[1] / "LICENCES.txt"
"""In an installed package: the licences of everything in it, which `installer` wrote."""
LONGEST_NAME = 60
"""A longer field holds the text of a licence instead of its name."""


def licences() -> str:
    """The licences of everything that is installed with the program, as text."""
    try:
        return LICENCES.read_text(encoding="utf-8")
    except OSError:  # run from a checkout or a wheel
        return "\n".join([f"wce_desktop {version()}: Apache-2.0", "", tr("It uses"), *sorted(_used(), key=str.lower)])


def _used() -> list[str]:
    """A line with name, version and licence for every installed distribution that the program needs."""
    found: dict[str, str] = {}
    waiting = [DISTRIBUTION]
    while waiting:
        name = waiting.pop()
        try:
            package = distribution(name)
        except PackageNotFoundError:
            continue  # of another system or of an extra that is not installed
        if package.name not in found:
            found[package.name] = f"{package.name} {package.version}: {_licence(package)}"
            lines = (line for line in package.requires or () if name == DISTRIBUTION or "extra ==" not in line)
            waiting += [re.split(r"[^\w.-]", line, maxsplit=1)[0] for line in lines]
    found.pop(DISTRIBUTION, None)
    return list(found.values())


def _licence(package: Distribution) -> str:
    """As the publisher states it, in one line."""
    lines = package.metadata.get_all
    said = next(iter((lines("License-Expression") or []) + (lines("License") or [])), "").strip()
    if said and len(said) <= LONGEST_NAME and "\n" not in said:
        return said
    classifiers = [line.rpartition("::")[2].strip() for line in lines("Classifier") or ()]
    return next((name for name in classifiers if "License" in name), tr("see its package"))


class AboutDialog(QDialog):
    """Version and notice, and in a second tab the licences."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("About wce_desktop"))
        fit_to_screen(self, 680, 460)
        self.tabs = TabWidget()
        about = PlainLabel(f"wce_desktop {version()}\n\n{tr(NOTICE)}")
        about.setWordWrap(True)
        about.setMargin(12)
        about.setAlignment(Qt.AlignmentFlag.AlignTop)
        about.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.licences = QPlainTextEdit(readOnly=True)
        self.licences.setAccessibleName(tr("Licences"))
        self.licences.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.tabs.addTab(about, tr("About"))
        self.tabs.addTab(self.licences, tr("Licences"))
        self.tabs.currentChanged.connect(self._show_licences)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.tabs)
        layout.addWidget(buttons)

    def _show_licences(self) -> None:
        """Read them once they are wanted: in a package they are some 40,000 lines."""
        if self.tabs.currentWidget() is self.licences and not self.licences.toPlainText():
            self.licences.setPlainText(licences())
