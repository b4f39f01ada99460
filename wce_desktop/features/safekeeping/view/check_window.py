"""Shows how far a check of the library is, stops it, and lists what was found."""

from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from training.runs.events import Progress
from wce_desktop.core.clock import counted
from wce_desktop.core.language import tr
from wce_desktop.library.checking import Checked
from wce_desktop.widgets.basic import JobBar, make_button, make_text
from wce_desktop.widgets.window_size import fit_to_screen


class CheckWindow(QDialog):
    """Does not block the main window: the check only reads."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Check the library"))
        fit_to_screen(self, 700, 420)
        self.summary, self.bar, self.report = make_text(), JobBar(), QPlainTextEdit()
        self.report.setReadOnly(True)
        self.report.setAccessibleName(tr("What was found"))
        self.stop = make_button(tr("Stop"), tr("Stop checking"))
        self.again = make_button(tr("Check again"), tr("Check the library again"))
        buttons = QHBoxLayout()
        buttons.addStretch()
        buttons.addWidget(self.again)
        buttons.addWidget(self.stop)
        layout = QVBoxLayout(self)
        for widget in (self.summary, self.bar, self.report):
            layout.addWidget(widget)
        layout.addLayout(buttons)

    def begin(self) -> None:
        """Show that the check runs."""
        self.report.clear()
        self._show_running(is_running=True)
        self.summary.setText(
            tr("Checking database, frame indexes, scores with embeddings, models, reports and backups…")
        )

    def show_progress(self, progress: Progress) -> None:
        """Say what is being checked."""
        self.bar.show_progress(progress)
        self.summary.setText(
            tr("{what}: {done} of {total}", what=progress.what, done=progress.done, total=progress.total)
        )

    def end(self, checked: Checked | None, sentence: str = "") -> None:
        """Show what was found; `checked` is None where the check was stopped or failed."""
        self._show_running(is_running=False)
        if checked is None:
            self.summary.setText(sentence or tr("Stopped. Nothing was changed."))
            return
        self.summary.setText(
            tr(
                "{studies} and {parts} checked: {problems}.",
                studies=counted(checked.studies, "study"),
                parts=counted(checked.files, "part"),
                problems=counted(len(checked.found), "problem") if checked.found else tr("no problems"),
            )
        )
        self.report.setPlainText("\n\n".join(f"{one.part}\n{one.problem}" for one in (*checked.found, *checked.notes)))

    def _show_running(self, *, is_running: bool) -> None:
        self.bar.setVisible(is_running)
        self.stop.setEnabled(is_running)
        self.again.setEnabled(not is_running)
