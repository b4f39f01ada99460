"""Export and import of labels and boxes. An import is shown and confirmed before anything changes."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from training.datasets.annotations.content import AnnotationFile
from training.errors import UserError
from training.files.outputs import ForeignFileError
from training.runs.events import Outcome
from training.runs.reporter import Reporter
from wce_desktop.core.annotation.vocabulary import Vocabulary
from wce_desktop.core.clock import counted
from wce_desktop.core.language import number_text, tr, tr_count
from wce_desktop.features.exchange.export_dialogs import ExportDialog, ExportRequest, ReportExport
from wce_desktop.features.exchange.import_dialogs import AnswersDialog, ImportDialog
from wce_desktop.features.exchange.import_review import importable_names, review_lines, source_notes
from wce_desktop.library.exchange import (
    AnnotationChoice,
    ExportSummary,
    ImportPlan,
    Survey,
    apply_import,
    export_annotations,
    export_library,
    find_annotations,
    plan_annotations,
    plan_import,
    survey,
)
from wce_desktop.session.dicom_child import read_in_child
from wce_desktop.session.keys import key_of
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets.dialogs import agrees
from wce_desktop.widgets.plain_text import MessageBox, free_text_question, wants_free_text
from wce_desktop.widgets.waiting import Waiting
from wce_desktop.workspace import Feature, Workspace, methods

MOST_LINES = 12
"""Limit for small screens."""
MOST_NOTES = 3
"""Sentences about what is left out that one message has room for."""


def import_question(parent: QWidget | None, plan: ImportPlan, vocabulary: Vocabulary) -> QMessageBox:
    """A dialog that asks whether to apply an import plan; No by default."""
    about, notes = review_lines(plan, vocabulary), source_notes(plan)
    is_long = len(plan.lines) > MOST_LINES
    examples = plan.examples[:MOST_NOTES]
    shown = [*(about or plan.lines[: MOST_LINES - len(examples)]), *examples] if is_long else [*plan.lines, *about]
    box = MessageBox(parent)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(tr("Import labels"))
    box.setText("\n\n".join(["\n".join(shown), tr("Import this?")]))
    if is_long or notes:
        box.setDetailedText("\n\n".join([*notes, "\n".join(plan.lines)]))
    box.setStandardButtons(QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.No)
    box.setDefaultButton(QMessageBox.StandardButton.No)
    return box


def comments_question(parent: QWidget | None, count: int) -> MessageBox:
    """A dialog that asks whether the free text of so many findings is exported, too; not by default."""
    return free_text_question(
        parent,
        tr("Export labels"),
        tr_count(
            "{count} finding has a comment or other words of a reader. Such text may name a patient. Export it, too?",
            "{count} findings have comments or other words of a reader. Such text may name a patient. Export it, too?",
            count,
        ),
    )


@dataclass(frozen=True)
class _Unclear:
    """Annotation files that were read, and what the reader has to say about them."""

    path: Path
    files: Sequence[AnnotationFile]
    asked: Survey


class ExchangeFeature(Feature):
    """Works in threads: a public data set of 47,000 images takes 15 seconds, an export of pictures longer."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._workspace, self._session = workspace, workspace.session
        self.reports = ReportExport(workspace)
        self._waiting = Waiting(workspace.window)
        self._to_import = 0
        """Studies that the import that runs will change."""
        guard, progress = workspace.guard, self._waiting.show_progress
        self._reading = FunctionThread(self, returned=guard(self._go_on), failed=self._fail, progressed=progress)
        self._taking_in = FunctionThread(
            self, returned=guard(self._show_imported), failed=self._fail, progressed=progress
        )
        self._writing = FunctionThread(
            self, returned=guard(self._show_exported), failed=self._fail_export, progressed=progress
        )

    @property
    def is_busy(self) -> bool:
        """True while an import is read or applied, or an export written."""
        return self.reports.is_busy or any(thread.is_busy for thread in (self._reading, self._taking_in, self._writing))

    def close(self) -> None:
        """Stop background work."""
        for thread in (self._reading, self._taking_in, self._writing):
            thread.close()
        self.reports.close()
        self._waiting.end()

    @property
    def actions(self) -> Mapping[str, Callable[[], object]]:
        """See `session.actions`."""
        return {**methods(self, ("export_labels", "import_labels")), **methods(self.reports, ("export_clinical",))}

    # Export

    def export_labels(self) -> None:
        """Ask for format and studies, then for a folder, and write."""
        dialog = ExportDialog(self._session.open_id, len(self._session.library.studies.all()), self._workspace.window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.requested.connect(self._workspace.guard(self._choose_place))
        dialog.open()

    def _choose_place(self, request: ExportRequest) -> None:
        chosen = self._workspace.files.ask_folder(self._workspace.window, "labels", tr("Export into this folder"))
        if chosen is None:
            return
        self._session.save_seen()
        studies = (request.study_id,) if request.study_id else None
        if request.format.name == "csv":
            self._export_tables(chosen, studies, has_paths=request.has_paths)
            return
        place = place_for_export(chosen, request.format.name)
        library, names = self._session.library, importable_names(self._session.vocabulary)
        words = tr("Writing {format}…", format=tr(request.format.title))
        self._waiting.begin(tr("Export"), words, self._stop_export)
        self._writing.request(
            lambda reporter: export_annotations(
                library, place, request.format, names, studies, with_normal=request.with_normal, reporter=reporter
            )
        )

    def _export_tables(self, folder: Path, studies: Collection[str] | None, *, has_paths: bool) -> None:
        """Ask whether comments and other free text are written, too, then write."""
        library = self._session.library
        shown = studies or [study.study_id for study in library.studies.all()]
        findings = [finding for study_id in shown for finding in library.annotations.findings(study_id)]
        with_text = sum(finding != finding.without_free_text() for finding in findings)
        has_free_text = wants_free_text(comments_question(self._workspace.window, with_text)) if with_text else False
        if has_free_text is None:
            return
        self._export(
            partial(export_library, library, folder, studies, has_free_text=has_free_text, has_paths=has_paths)
        )

    def _export(self, write: Callable[..., ExportSummary]) -> None:
        """Write the tables; foreign files are replaced only after confirmation."""
        try:
            summary = write()
        except ForeignFileError as error:
            question = f"{tr(error.message)}\n\n{tr('Replace the files in this folder?')}"
            if not agrees(self._workspace.window, tr("Export labels"), question, by_default=True):
                return
            summary = write(overwrite=True)
        self._workspace.show_message(summary.sentence)

    def _show_exported(self, summary: ExportSummary) -> None:
        self._waiting.end()
        self._workspace.show_message(" ".join([summary.sentence, *summary.notes[:MOST_NOTES]]))

    def _stop_export(self) -> None:
        self._writing.cancel()
        self._waiting.end()
        self._workspace.show_message(tr("Nothing was exported."))

    def _fail_export(self, outcome: Outcome) -> None:
        self._waiting.end()
        self._workspace.show_error(outcome.message, outcome.hint)

    # Import

    def import_labels(self) -> None:
        """Ask for a file or folder, show what would be imported, and import it after confirmation."""
        dialog = ImportDialog(self._workspace.files, self._workspace.window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.path_chosen.connect(self._workspace.guard(self._read))
        dialog.open()

    def _read(self, path: Path) -> None:
        library, names = self._session.library, importable_names(self._session.vocabulary)

        def read(reporter: Reporter) -> ImportPlan | _Unclear:
            files = find_annotations(path, reporter)
            if not files:
                return plan_import(
                    library, path, names, reporter, report_reader=lambda place: read_in_child(place, reporter)
                )
            asked = survey(files, library.studies.all(), names, AnnotationChoice())
            if asked.needs_answers:
                return _Unclear(path, files, asked)
            return plan_annotations(library, path, files, names, None, reporter)

        self._waiting.begin(tr("Import labels"), tr("Reading what would be imported…"), self._stop)
        self._reading.request(read)

    def _go_on(self, result: ImportPlan | _Unclear) -> None:
        self._waiting.end()
        if isinstance(result, ImportPlan):
            self._ask(result)
            return
        library, names = self._session.library, importable_names(self._session.vocabulary)
        if not library.studies.all():
            raise UserError("The library has no study yet.", "Open the recording that was annotated first.")

        def plan(choice: AnnotationChoice) -> None:
            self._waiting.begin(tr("Import labels"), tr("Working out what would change…"), self._stop)
            self._reading.request(
                lambda reporter: plan_annotations(library, result.path, result.files, names, choice, reporter)
            )

        dialog = AnswersDialog(
            result.asked, library.studies.all(), names, self._session.vocabulary, self._workspace.window
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.answered.connect(self._workspace.guard(plan))
        dialog.open()

    def _ask(self, plan: ImportPlan) -> None:
        if plan.is_empty:
            self._workspace.show_message(" ".join([tr("There is nothing new to import."), *plan.left_out[:MOST_NOTES]]))
        elif (
            import_question(self._workspace.window, plan, self._session.vocabulary).exec()
            == QMessageBox.StandardButton.Yes
        ):
            self._to_import = len(plan.changes)
            self._waiting.begin(tr("Import labels"), tr("Importing…"), self._taking_in.stop)
            self._taking_in.request(lambda reporter: apply_import(self._session.library, plan, reporter))

    def _show_imported(self, edits: int) -> None:
        self._waiting.end()
        self._session.edits.reload()
        self._session.studies_changed.emit()
        if edits < self._to_import:
            done, total = number_text(edits), counted(self._to_import, "study")
            message = tr(
                "Stopped. Imported: {done} of {total}; {key} takes each back.",
                done=done,
                total=total,
                key=key_of("undo"),
            )
            self._workspace.show_message(message)
            return
        undo = tr("Imported. Each study's import can be undone with {key}.", key=key_of("undo"))
        self._workspace.show_message(undo if edits else tr("Imported."))

    def _fail(self, outcome: Outcome) -> None:
        self._waiting.end()
        self._session.edits.reload()  # studies imported before the failure stay
        self._session.studies_changed.emit()
        self._workspace.show_error(outcome.message, outcome.hint)

    def _stop(self) -> None:
        self._reading.cancel()
        self._waiting.end()
        self._workspace.show_message(tr("Nothing was imported."))


def place_for_export(chosen: Path, name: str) -> Path:
    """The folder itself where it is empty, else a new one inside of it, called after the format."""
    try:
        is_empty = not any(chosen.iterdir())
    except OSError:
        return chosen  # whatever is wrong with it is said when it is written
    if is_empty:
        return chosen
    places = (chosen / (name if number == 1 else f"{name}-{number}") for number in count(1))
    return next(place for place in places if not place.exists())
