"""Export and import of labels. An import is shown and confirmed before anything changes."""

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QProgressDialog, QWidget

from training.files.outputs import ForeignFileError
from training.runs.events import Outcome, Progress
from wce_desktop.core.clock import counted
from wce_desktop.core.vocabulary import Vocabulary
from wce_desktop.features.exchange.import_review import importable_names, review_lines, source_notes
from wce_desktop.library.exchange import ImportPlan, apply_import, export_library, plan_import
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets.basic import JobBar
from wce_desktop.widgets.plain_text import MessageBox, PlainLabel, plain
from wce_desktop.workspace import Feature, Workspace, methods

MOST_LINES = 12
"""Limit for small screens."""
MOST_NOTES = 3
"""Sentences about what is left out that one message has room for."""


def import_question(parent: QWidget | None, plan: ImportPlan, vocabulary: Vocabulary) -> QMessageBox:
    """A dialog that asks whether to apply an import plan; No by default."""
    about, notes = review_lines(plan, vocabulary), source_notes(plan)
    is_long = len(plan.lines) > MOST_LINES
    shown = about if is_long else [*plan.lines, *about]
    box = MessageBox(parent)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle("Import labels")
    box.setText("\n\n".join(["\n".join(shown), "Import this?"]))
    if is_long or notes:
        box.setDetailedText("\n\n".join([*notes, "\n".join(plan.lines)]))
    box.setStandardButtons(QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.No)
    box.setDefaultButton(QMessageBox.StandardButton.No)
    return box


class ExchangeFeature(Feature):
    """Imports in a thread: a public data set of 47,000 images takes 15 seconds."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace, self._session = workspace, workspace.session
        self._dialog: QProgressDialog | None = None
        self._words = ""
        self._reading, self._taking_in = FunctionThread(self), FunctionThread(self)
        self._reading.returned.connect(workspace.guard(self._ask))
        self._taking_in.returned.connect(workspace.guard(self._show_imported))
        for thread in (self._reading, self._taking_in):
            thread.progressed.connect(self._show_progress)
            thread.failed.connect(self._fail)

    @property
    def is_busy(self) -> bool:
        """True while an import is read or applied."""
        return self._reading.is_busy or self._taking_in.is_busy

    def close(self) -> None:
        """Stop background work."""
        self._reading.close()
        self._taking_in.close()
        self._end_dialog()

    @property
    def actions(self) -> Mapping[str, Callable[[], object]]:
        """See `session.actions`."""
        return methods(self, ("export_labels", "import_labels"))

    # Actions

    def export_labels(self) -> None:
        """Ask for a folder and write manifest, labels, findings, boxes and links."""
        window, title = self._workspace.window, "Export labels into this folder"
        chosen = self._workspace.files.ask_folder(window, "labels", title)
        if chosen is not None:
            self._session.save_seen()
            self._export(chosen)

    def _export(self, folder: Path) -> None:
        """Write the files; foreign files are replaced only after confirmation."""
        library = self._session.library
        try:
            summary = export_library(library, folder)
        except ForeignFileError as error:
            question = f"{error.message}\n\nReplace the files in this folder?"
            if (
                QMessageBox.question(self._workspace.window, "Export labels", plain(question))
                != QMessageBox.StandardButton.Yes
            ):
                return
            summary = export_library(library, folder, overwrite=True)
        self._workspace.show_message(summary.sentence)

    def import_labels(self) -> None:
        """Ask for a folder, show what would be imported, and import it after confirmation."""
        window, title = self._workspace.window, "Import labels from this folder"
        chosen = self._workspace.files.ask_folder(window, "labels", title)
        if chosen is not None:
            library, names = self._session.library, importable_names(self._session.vocabulary)
            self._open_dialog("Reading what would be imported…", may_stop=True)
            self._reading.request(lambda reporter: plan_import(library, chosen, names, reporter))

    # From reading to the library

    def _ask(self, plan: ImportPlan) -> None:
        self._end_dialog()
        if plan.is_empty:
            self._workspace.show_message(" ".join(["There is nothing new to import.", *plan.left_out[:MOST_NOTES]]))
        elif (
            import_question(self._workspace.window, plan, self._session.vocabulary).exec()
            == QMessageBox.StandardButton.Yes
        ):
            self._open_dialog("Importing…", may_stop=False)
            self._taking_in.request(lambda reporter: apply_import(self._session.library, plan, reporter))

    def _show_imported(self, edits: int) -> None:
        self._end_dialog()
        self._session.reload_annotations()
        self._session.studies_changed.emit()
        self._workspace.show_message("Imported." + (" Each study's import can be undone with Ctrl+Z." if edits else ""))

    def _fail(self, outcome: Outcome) -> None:
        self._end_dialog()
        self._session.reload_annotations()  # studies imported before the failure stay
        self._session.studies_changed.emit()
        self._workspace.show_error(outcome.message, outcome.hint)

    # The dialog

    def _open_dialog(self, words: str, *, may_stop: bool) -> None:
        """Shown at once, modal: no label or other import may change the library after planning."""
        self._end_dialog()
        self._words = words
        dialog = QProgressDialog("", "Stop" if may_stop else "", 0, 0, self._workspace.window)
        dialog.setLabel(PlainLabel(words))
        dialog.setWindowTitle("Import labels")
        dialog.setWindowModality(Qt.WindowModality.WindowModal)
        dialog.setMinimumDuration(0)
        dialog.setBar(JobBar(dialog))
        dialog.setRange(0, 0)
        dialog.setAutoReset(False)
        if may_stop:
            dialog.canceled.connect(self._stop)
        else:
            dialog.setCancelButton(None)
        self._dialog = dialog
        dialog.show()

    def _show_progress(self, progress: Progress) -> None:
        if self._dialog is not None:
            self._dialog.setMaximum(max(progress.total, 1))
            self._dialog.setValue(progress.done)
            self._dialog.setLabelText(f"{self._words} {progress.done} of {counted(progress.total, 'study')}")

    def _stop(self) -> None:
        self._reading.cancel()
        self._end_dialog()
        self._workspace.show_message("Nothing was imported.")

    def _end_dialog(self) -> None:
        if self._dialog is not None:
            dialog, self._dialog = self._dialog, None
            dialog.blockSignals(True)  # closing it does not request a stop
            dialog.close()
            dialog.deleteLater()
