"""What is asked when the program starts for the first time: where the library lies, who reads, and what to open."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from PySide6 import QtWidgets
from PySide6.QtCore import Qt

from training.errors import writing
from training.texts import Text
from wce_desktop.core.language import tr
from wce_desktop.features.safekeeping.library_dialogs import CopiesDialog
from wce_desktop.library.backup.recovery import Recovery
from wce_desktop.session.places import account_name, remember_library, settings_file
from wce_desktop.session.settings import Settings
from wce_desktop.widgets import basic, dialogs, theme
from wce_desktop.widgets.plain_text import PlainLabel

Desk: TypeAlias = Literal["reading", "research"]
Opening: TypeAlias = Literal["demo", "own", "nothing"]


@dataclass(frozen=True)
class FirstChoices:
    """What was chosen; `reader` is "" for the name of the account, `recovery` restores a copy into the library.

    `desk` is the one that the window begins with.
    """

    library: Path
    reader: str = ""
    opening: Opening = "nothing"
    recovery: Recovery | None = None
    desk: Desk = "reading"


class FirstStartDialog(QtWidgets.QDialog):
    """Three short pages; every one can be left as it is, and all of them skipped."""

    def __init__(self, library: Path) -> None:
        super().__init__()
        self.setWindowTitle("wce_desktop")
        self._default = library
        self._recovery: Recovery | None = None
        self.folder, self.reader = QtWidgets.QLineEdit(str(library)), QtWidgets.QLineEdit()
        self.demo = QtWidgets.QRadioButton(tr("Open the demo study: synthetic images with scores"))
        self.own = QtWidgets.QRadioButton(tr("Open a study of my own"))
        self.nothing = QtWidgets.QRadioButton(tr("Open nothing yet"))
        self.reads = QtWidgets.QRadioButton(tr("I read studies: the reading desk, with a large picture"))
        self.trains = QtWidgets.QRadioButton(tr("I train and compare models: the research desk"))
        self.pages = QtWidgets.QStackedWidget()
        self.step, self.problem = basic.make_note(), basic.make_note()
        self.problem.setStyleSheet(f"color: {theme.COLORS.warning}")
        self.skip = basic.make_button(tr("Skip"), tr("Begin with the usual choices; all can be changed later"))
        self.back = basic.make_button(tr("Back"), tr("Go to the step before"))
        self.next = basic.make_button("", tr("Go on with what is chosen here"))
        self.next.setAutoDefault(True)
        self.next.setDefault(True)
        for page in (self._library_page(), self._reader_page(), self._opening_page()):
            self.pages.addWidget(page)
        buttons = basic.in_row(self.skip, 1, self.back, self.next)
        column = (self.step, (self.pages, 1), self.problem, buttons)
        basic.in_column(*column, of=self, margins=(24, 20, 24, 20), spacing=12)
        self.setMinimumWidth(560)
        self.skip.clicked.connect(self.reject)
        self.back.clicked.connect(lambda: self._show_page(self.pages.currentIndex() - 1))
        self.next.clicked.connect(self._go_on)
        self._show_page(0)

    def _library_page(self) -> QtWidgets.QWidget:
        self.folder.setAccessibleName(tr("Folder of the library"))
        self.choose = basic.make_button(tr("Choose…"), tr("Choose another folder"))
        self.choose.clicked.connect(self._choose_folder)
        self.copy = basic.make_button(
            tr("Restore from a copy…"), tr("Bring a library of another computer back from a folder of copies")
        )
        self.copy.clicked.connect(self._choose_copy)
        row = basic.in_row((self.folder, 1), self.choose)
        column = basic.in_column(row, (self.copy, 0, Qt.AlignmentFlag.AlignLeft))
        words = tr(
            "The library keeps your labels, findings, models and scores. Videos stay where they are. "
            "Choose a folder on this computer that is backed up."
        )
        return _page(tr("Where should the library be kept?"), words, column)

    def _reader_page(self) -> QtWidgets.QWidget:
        self.reader.setAccessibleName(tr("Name of the reader"))
        self.reader.setPlaceholderText(account_name())
        self.reads.setChecked(True)
        words = tr("Your name is stored with your labels and stands in reports. Empty: the name of your account.")
        later = basic.make_note(tr("The menu View switches between the two desks."))
        return _page(tr("Who works here?"), words, basic.in_column(self.reader, self.reads, self.trains, later))

    def _opening_page(self) -> QtWidgets.QWidget:
        self.demo.setChecked(True)
        words = tr("The demo shows every part of the program and contains no patient.")
        return _page(tr("What do you want to open first?"), words, basic.in_column(self.demo, self.own, self.nothing))

    def _show_page(self, index: int) -> None:
        self.pages.setCurrentIndex(index)
        self.problem.clear()
        is_last = index == self.pages.count() - 1
        self.step.setText(tr("Step {step} of {count}", step=index + 1, count=self.pages.count()))
        self.back.setEnabled(index > 0)
        self.next.setText(tr("Start") if is_last else tr("Next"))
        (self.folder, self.reader, self.demo)[index].setFocus()

    def _choose_folder(self) -> None:
        chosen = QtWidgets.QFileDialog.getExistingDirectory(
            self, tr("Choose the folder of the library"), self.folder.text()
        )
        if chosen:
            self.folder.setText(chosen)

    def _choose_copy(self) -> None:
        if why := why_no_library(self._folder):
            self.problem.setText(why)
            return
        dialog = CopiesDialog(parent=self)
        if dialog.exec():
            self._recovery = dialog.recovery
            self.accept()

    def _go_on(self) -> None:
        index = self.pages.currentIndex()
        if index == 0 and (why := why_no_library(self._folder)):
            self.problem.setText(why)
        elif index == self.pages.count() - 1:
            self.accept()
        else:
            self._show_page(index + 1)

    @property
    def _folder(self) -> Path:
        return Path(self.folder.text().strip()).expanduser() if self.folder.text().strip() else self._default

    @property
    def choices(self) -> FirstChoices:
        """What was chosen; the usual where the pages were skipped."""
        if self.result() != QtWidgets.QDialog.DialogCode.Accepted:
            return FirstChoices(self._default)
        if self._recovery is not None:
            return FirstChoices(self._folder, recovery=self._recovery)
        opening: Opening = "demo" if self.demo.isChecked() else "own" if self.own.isChecked() else "nothing"
        desk: Desk = "research" if self.trains.isChecked() else "reading"
        return FirstChoices(self._folder, self.reader.text().strip() or account_name(), opening, desk=desk)


def _page(title: str, words: str, content: QtWidgets.QLayout) -> QtWidgets.QWidget:
    heading = PlainLabel(title)
    heading.setStyleSheet("font-weight: bold; font-size: 13pt")
    return basic.as_widget(basic.in_column(heading, basic.make_note(words), content, 1, margins=0, spacing=10))


def why_no_library(folder: Path) -> str:
    """Why a library cannot be made in a folder, in a sentence; "" where it can."""
    if not folder.is_absolute():
        return tr("Write the whole path of a folder, or choose one.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".writable"
        probe.touch()
        probe.unlink()
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        return tr("Nothing can be saved in this folder ({reason}). Choose another one.", reason=reason)
    return ""


def ask_reader(parent: QtWidgets.QWidget) -> str:
    """Ask who works here, where only the account is known; "" without an answer.

    A name without a letter is none: keys of the frame, such as digits for labels, may have been pressed on.
    """
    label = tr("Your name is stored with what you enter and stands in reports:")
    name = (dialogs.ask_text(parent, tr("Who works here?"), label, tr("Keep"), account_name()) or "").strip()
    return name if any(letter.isalpha() for letter in name) else ""


def is_first_start(library: Path) -> bool:
    """Whether nothing was ever kept in the default library: no database, no settings, no sign of either."""
    try:
        return not any(library.iterdir())
    except OSError:
        return not library.exists()


def ask_first(library: Path) -> FirstChoices:
    """Show the pages and keep what was chosen, so that they are not shown again.

    Args:
        library: the usual folder.

    Raises:
        UserError: what was chosen cannot be kept.
    """
    dialog = FirstStartDialog(library)
    dialog.exec()
    choices = dialog.choices
    with writing(choices.library, hint=Text("Start again with --library.")):
        choices.library.mkdir(parents=True, exist_ok=True)
        if choices.library != library:
            remember_library(choices.library)
    if choices.recovery is None:  # a copy brings the settings back
        settings = Settings(settings_file(choices.library))
        settings.set("reader", choices.reader)
        settings.set("desk", choices.desk)
    return choices
