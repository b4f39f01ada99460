"""The window of patient records: the studies at the left, the record of those chosen at the right."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from wce_desktop.core import counted, to_translate, tr
from wce_desktop.core.annotation.record import Record
from wce_desktop.core.study import Study
from wce_desktop.features.patients.record_form import RecordForm, RecordTable
from wce_desktop.session.keys import with_keys
from wce_desktop.widgets import basic, inputs, theme, window_size
from wce_desktop.widgets.plain_text import PlainLabel

HELP = to_translate(
    "Save: Ctrl+Return, or choose another study. Undo: {undo}. Shift or Ctrl with a click chooses several studies."
)
FORM_PX = 450


class RecordWindow(window_size.DialogBase):
    """Does not block the main window; independent of the library."""

    save_requested = Signal(object, object)
    """The ids of studies, and the typed texts by field."""
    keep_requested = Signal(object, object, bool)
    """The same, while it is being typed, and whether it goes on with what was kept last."""
    another_requested = Signal(object)
    guess_requested = Signal(object)
    remove_requested = Signal(object)
    """The ids of studies."""

    def __init__(self, undo: Sequence[QAction], parent: QWidget | None = None) -> None:
        """`undo`: the main window's actions for undo and redo, whose keys work here, too."""
        super().__init__(tr("Patient records"), 1080, 640, parent=parent, flags=Qt.WindowType.Window)
        self.addActions(undo)
        self.table, self.form = RecordTable(), RecordForm()
        self._records: Mapping[str, Record] = {}
        self._edited: tuple[str, ...] = ()
        self._goes_on = False
        """A field is being typed into, part of which was kept already."""
        self._unknown = basic.make_text(theme.COLORS.warning)
        self._heading = PlainLabel()
        self._heading.setStyleSheet("font-weight: bold")
        self._said = basic.make_text(theme.COLORS.muted)
        self._make_buttons(undo)
        choice = basic.in_row(self.folder, self.everything, 1, margins=0)
        choosing = basic.Halves(choice, basic.in_row(1, self.guess, margins=0))
        left = basic.in_column(self._unknown, (self.table, 1), choosing, margins=(8, 8, 0, 0))
        note = basic.make_note(
            tr(
                "A name that another study already has makes both one patient. Patient, year of birth and sex hold "
                "for all studies of the patient. Names stay in this library."
            )
        )
        acts = basic.in_row(self.another, self.remove, 1, margins=0)
        doing = basic.Halves(acts, basic.in_row(1, self.undo, self.save_button, margins=0))
        right = basic.in_column(self._heading, self.form, note, 1, doing, margins=(8, 8, 8, 0))
        sizes = self.width() - FORM_PX, FORM_PX
        halves = basic.in_splitter((basic.as_widget(left), 1), (basic.as_widget(right), 0), sizes=sizes)
        foot = basic.in_row((self._said, 1), margins=(8, 0, 8, 0))
        basic.in_column((halves, 1), foot, of=self, margins=(0, 0, 0, 8))
        self.table.chosen_changed.connect(self._follow_choice)
        self.form.changed.connect(self._enable)
        self._pause = inputs.TypingPause(self)
        self._pause.reached.connect(self._keep)
        self.form.changed.connect(self._pause.start)
        self.form.left.connect(self._leave_field)
        QShortcut(QKeySequence("Ctrl+Return"), self).activated.connect(self.save)
        self.show_message("")

    def _make_buttons(self, undo: Sequence[QAction]) -> None:
        self.folder = basic.make_button(
            tr("Choose this folder"), tr("Choose all studies whose files are in the same folder")
        )
        self.everything = basic.make_button(tr("Choose all"), tr("Choose all studies"))
        self.save_button = basic.make_button(tr("Save"), tr("Save what was typed for the chosen studies (Ctrl+Return)"))
        self.save_button.setProperty("primary", True)
        self.another = basic.make_button(
            tr("Separate patient"), tr("Separate the chosen studies from the patient they share")
        )
        self.guess = basic.make_button(
            tr("Fill from file names…"), tr("Guess values from file names by a pattern, with a preview")
        )
        self.remove = basic.make_button(tr("Remove"), tr("Remove the chosen studies; they can be brought back"))
        self.undo = basic.make_button(tr("Undo"), tr("Undo the last change ({undo})"))
        self.folder.clicked.connect(self.table.choose_folder)
        self.everything.clicked.connect(self.table.selectAll)
        self.save_button.clicked.connect(self.save)
        self.another.clicked.connect(lambda: self.another_requested.emit(self.table.chosen))
        self.guess.clicked.connect(lambda: self.guess_requested.emit(self.table.chosen))
        self.remove.clicked.connect(lambda: self.remove_requested.emit(self.table.chosen))
        self.undo.clicked.connect(lambda: undo[0].trigger() if undo else None)

    def show_studies(self, studies: Sequence[Study], records: Mapping[str, Record], note: str) -> None:
        """Show the studies and their records; what was typed and not saved is kept.

        Args:
            note: says that patients are not entered; may be empty.
        """
        self._records = records
        basic.show_text(self._unknown, note)
        self.table.blockSignals(True)
        self.table.show_studies(studies, records)
        self.table.blockSignals(False)
        if self.table.chosen != self._edited or not self.form.typed:
            self.show_chosen()
        self._enable()

    def choose(self, study_ids: Sequence[str]) -> None:
        """Choose these studies, with the first field ready for typing."""
        self.table.choose(study_ids)
        self.form.fields["pseudonym"].setFocus(Qt.FocusReason.OtherFocusReason)

    def _keep(self) -> None:
        if self.form.typed and self._edited:
            self.keep_requested.emit(self._edited, dict(self.form.typed), self._goes_on)

    def kept(self, typed: Mapping[str, str]) -> None:
        """These fields of what was typed are in the library; the reader goes on typing."""
        self._goes_on = True
        self.form.keep(typed)
        self._enable()

    def _leave_field(self) -> None:
        """Save at once; what is typed next is another undo step."""
        self._pause.stop()
        self._keep()
        self._goes_on = False

    def save(self) -> None:
        """Ask for what was typed to be saved."""
        self._pause.stop()
        if self.form.typed and self._edited:
            self.save_requested.emit(self._edited, dict(self.form.typed))

    def _follow_choice(self) -> None:
        if self.table.chosen == self._edited:
            return
        self.save()
        self.show_chosen()

    def show_chosen(self) -> None:
        """Show what the library has of the chosen studies; what was typed is saved, or given up."""
        self._pause.stop()
        self._goes_on = False
        self._edited = self.table.chosen
        records = [self._records[study_id] for study_id in self._edited if study_id in self._records]
        self.form.show_records(records)
        count = len(records)
        self._heading.setText(tr("Choose a study") if not count else counted(count, "study"))
        self._enable()

    def _enable(self) -> None:
        count = len(self._edited)
        self.save_button.setEnabled(bool(self.form.typed))
        self.another.setEnabled(count > 0)
        self.folder.setEnabled(count > 0)
        self.remove.setEnabled(count > 0)
        self.guess.setEnabled(bool(self._records))

    def show_message(self, sentence: str) -> None:
        """Say what was done; "" shows the keys again."""
        basic.set_color(self._said, theme.COLORS.muted)
        self._said.setText(sentence or with_keys(tr(HELP)))

    def show_error(self, message: str, hint: str = "") -> None:
        """Say what went wrong and what to do."""
        basic.set_color(self._said, theme.COLORS.warning)
        self._said.setText(f"{message} {hint}".strip())

    def reject(self) -> None:
        """Save what was typed and close: by Escape or the window's button."""
        self._leave_field()  # what raises no question is kept whatever the answer
        self.save()
        self.show_chosen()
        super().reject()
