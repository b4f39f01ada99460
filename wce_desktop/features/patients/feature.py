"""Patient records of studies; studies removed, and erased with everything that was derived from them."""

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QWidget

from training.errors import NothingToDoError, UserError
from training.texts import Text
from wce_desktop.core.annotation.record import Record
from wce_desktop.core.language import to_translate, tr, tr_count
from wce_desktop.core.study import Study
from wce_desktop.features.patients import record_fields, record_plan
from wce_desktop.features.patients.guess_dialog import GuessDialog
from wce_desktop.features.patients.record_window import RecordWindow
from wce_desktop.jobs.spec import uses_study
from wce_desktop.library.errors import ConflictError
from wce_desktop.session import keys, study_choice
from wce_desktop.session.removing import (
    ERASED_AFTER,
    RemovalFacts,
    erase_overdue,
    erase_studies,
    hide_studies,
    removal_facts,
)
from wce_desktop.widgets import basic, dialogs, theme, window_size
from wce_desktop.widgets.plain_text import PlainLabel
from wce_desktop.workspace import Connections, Feature, Workspace, guard

AGREE = to_translate("I understand that this cannot be undone")


class ErasingDialog(QDialog):
    """Says what erasing studies deletes, and asks for it."""

    def __init__(self, facts: RemovalFacts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Erase studies"))
        studies = facts.studies
        title = PlainLabel(
            tr_count(
                "Erase “{study}” with everything derived from it?",
                "Erase {count} studies with everything derived from them?",
                len(studies),
                study=studies[0].shown_name,
            )
        )
        title.setWordWrap(True)
        title.setStyleSheet("font-weight: bold")
        self.said = basic.make_text(text="\n\n".join(facts.sentences))
        self.agree = QCheckBox(tr(AGREE))
        self.erase = basic.make_button(
            tr_count("Erase {count} study", "Erase {count} studies", len(studies)), tr("Erase it for good")
        )
        self.erase.setStyleSheet(f"QPushButton:enabled {{ color: {theme.COLORS.warning} }}")
        self.erase.setEnabled(False)
        buttons = dialogs.accept_buttons(self, self.erase)
        self.keep = buttons.button(QDialogButtonBox.StandardButton.Cancel)
        self.keep.setDefault(True)
        basic.in_column(title, self.said, 1, self.agree, buttons, of=self)
        self.agree.toggled.connect(self.erase.setEnabled)
        window_size.fit_to_screen(self, 620)
        self.keep.setFocus()


class PatientsFeature(Feature):
    """Edits records, for one study or several; every change but erasing is one step for undo."""

    own_actions = ("edit_record", "guess_records", "remove_study")

    def __init__(self, workspace: Workspace, leave: Callable[[], None]) -> None:
        """`leave` closes the open study and everything that belongs to it."""
        super().__init__(workspace)
        self._leave = leave
        workspace.edit_records, workspace.remove_studies = self.edit_records, self.remove
        self._window: RecordWindow | None = None
        self._shown: dict[str, Record] = {}
        session = self._session
        self._connections = Connections((session.studies_changed, self._refresh), (session.study_opened, self._refresh))

    def close(self) -> None:
        """Close the window and disconnect."""
        if self._window is not None:
            self._window.close()
        self._connections.close()

    # The window

    @property
    def has_unsaved(self) -> bool:
        """Whether a record was typed and not saved; saving it may raise a question."""
        return self._window is not None and bool(self._window.form.typed)

    @property
    def window(self) -> RecordWindow:
        """The window of patient records, made when first needed."""
        if self._window is None:
            undo = self._workspace.share_undo(self, lambda message: self.window.show_message(message), (Record,))
            self._window = window = RecordWindow(undo, self._workspace.window)
            window.save_requested.connect(self._guard(self.save))
            window.keep_requested.connect(self._guard(self.keep))
            window.another_requested.connect(self._guard(self.separate))
            window.guess_requested.connect(self._guard(self.guess))
            window.remove_requested.connect(self._guard(partial(self.remove, parent=window)))
        return self._window

    def edit_record(self) -> None:
        """Show the record of the open study, or all records."""
        if not self._session.library.studies.all():
            raise NothingToDoError("There are no studies yet.", "Open one first ({key}).", keys.key_of("open_files"))
        self.edit_records([self._session.open_id] if self._session.open_id else [])

    def edit_records(self, study_ids: Sequence[str]) -> None:
        """Show the records of these studies, ready for typing."""
        dialogs.bring_to_front(self.window)
        self._refresh()
        if study_ids:
            self.window.choose(study_ids)
        self.window.show_message("")

    def _refresh(self) -> None:
        if self._window is not None and self._window.isVisible():
            studies = self._session.library.studies.all()
            note = study_choice.patients_note(self._session) if self._session.settings["desk"] == "research" else ""
            self._shown = self._records()
            self._window.show_studies(studies, self._shown, note)

    def _records(self) -> dict[str, Record]:
        library = self._session.library
        return {study.study_id: library.studies.record(study.study_id) for study in library.studies.all()}

    def _seen_records(self) -> Iterable[Record]:
        """The records that a change is made from: on a server those that this window shows."""
        shown = self._shown if self._session.library.is_on_server else {}
        return (shown or self._records()).values()

    # What it does

    def save(self, study_ids: Sequence[str], typed: Mapping[str, str]) -> None:
        """Set what was typed for these studies, after a question where patients are joined."""
        values = record_fields.parsed(typed)
        self._make(record_plan.plan_values(self._seen_records(), dict.fromkeys(study_ids, values)))
        self._session.keep_reader(str(values.get("read_by") or ""), self._session.library.studies.get(study_ids[0]))

    def keep(self, study_ids: Sequence[str], typed: Mapping[str, str], goes_on: bool = False) -> None:
        """Save what is being typed, as far as it is a whole value and raises no question; `save` takes the rest.

        If it `goes_on` with the last edit, both are one undo step, where only the open study is changed.
        """
        values = {}
        for name, text in typed.items():
            with contextlib.suppress(UserError):  # half of a date, for example
                values[name] = record_fields.BY_NAME[name].parse(text)
        own = {name for name in values if not record_fields.BY_NAME[name].is_of_patient}
        for names in (set(values), set(values) - {"pseudonym"}, own):
            with contextlib.suppress(UserError):
                given = {name: values[name] for name in names}
                plan = record_plan.plan_values(self._seen_records(), dict.fromkeys(study_ids, given))
                if not plan.question:
                    break
        else:
            return
        study = self._session.library.studies.get(study_ids[0])
        if plan.changes and not (goes_on and self._extend(plan)):
            self._session.edits.apply_to_studies(plan.title, plan.changes)
        self._session.keep_reader(str(values.get("read_by") or ""), study, study.read_by if goes_on else "")
        self.window.kept({name: typed[name] for name in names})

    def _extend(self, plan: record_plan.RecordPlan) -> bool:
        """Make the plan a part of the last edit, if that changed the same record of the open study."""
        reading = self._session.reading
        if reading is None or list(plan.changes) != [reading.study.study_id]:
            return False
        (change,) = plan.changes[reading.study.study_id]
        return self._session.edits.extend(change)

    def separate(self, study_ids: Sequence[str]) -> None:
        """Let these studies be of another patient."""
        self._make(record_plan.plan_another_patient(self._seen_records(), study_ids))
        self.window.show_message(tr("Enter who the other patient is."))

    def guess_records(self) -> None:
        """Guess the records of all studies from the names of their files."""
        self.edit_record()
        self.guess(())

    def guess(self, study_ids: Sequence[str]) -> None:
        """Ask for a pattern, show what it finds, and set that."""
        library, settings = self._session.library, self._session.settings
        dialog = GuessDialog(library.studies.all(), self._records(), study_ids, settings["name_pattern"], self.window)
        is_accepted = dialog.exec() == QDialog.DialogCode.Accepted
        values, pattern = dialog.values, dialog.pattern.text()
        dialog.deleteLater()
        if is_accepted:
            self._make(record_plan.plan_values(self._records().values(), values))
            settings.set("name_pattern", pattern)

    def remove_study(self) -> None:
        """Remove the open study."""
        self.remove([self._workspace.reading.study.study_id], self._workspace.window)

    def remove(self, study_ids: Sequence[str], parent: QWidget) -> None:
        """Remove studies, which undo takes back; erase those that were removed before, after a question.

        Raises:
            UserError: a job uses one, or the library cannot be written.
        """
        library = self._session.library
        library.check_writable(Text("the removal of a study"))
        studies = [library.studies.get(study_id) for study_id in study_ids]
        self._check_jobs(studies)
        if all(study.removed_utc for study in studies):
            self._erase(studies, parent)
        else:
            self._hide([study for study in studies if not study.removed_utc])

    def _check_jobs(self, studies: Sequence[Study]) -> None:
        for job in self._workspace.jobs.open:
            if any(uses_study(job.spec, study.study_id) for study in studies):
                raise UserError(
                    "The job “{job}” uses this study, so it was not removed.",
                    "Stop the job first ({key}), or wait until it has ended.",
                    job.spec.title,
                    keys.key_of("stop_job"),
                )

    def _hide(self, studies: Sequence[Study]) -> None:
        reading = self._session.reading
        if reading is not None and reading.study.study_id in {study.study_id for study in studies}:
            self._leave()
        hide_studies(self._session, [study.study_id for study in studies])
        self._show_message(
            tr_count(
                "“{study}” was removed. It can be brought back in the worklist for {days} days; {key} undoes it now.",
                "{count} studies were removed. They can be brought back in the worklist for {days} days; {key} undoes "
                "it now.",
                len(studies),
                study=studies[0].shown_name,
                days=ERASED_AFTER.days,
                key=keys.key_of("undo"),
            ),
            can_undo=True,
        )

    def _erase(self, studies: Sequence[Study], parent: QWidget) -> None:
        facts = removal_facts(self._session, studies)
        dialog = ErasingDialog(facts, parent)
        is_agreed = dialog.exec() == QDialog.DialogCode.Accepted
        dialog.deleteLater()
        if is_agreed:
            erase_studies(self._session, facts)
            self._show_message(tr_count("{count} study erased.", "{count} studies erased.", len(studies)))

    def start(self) -> None:
        """Erase what was removed long ago."""
        self._workspace.guard(self._erase_overdue)()

    def _erase_overdue(self) -> None:
        if count := erase_overdue(self._session):
            days = ERASED_AFTER.days
            self._show_message(
                tr_count(
                    "{count} study, removed {days} days ago, was erased.",
                    "{count} studies, removed {days} days ago, were erased.",
                    count,
                    days=days,
                )
            )

    def _show_message(self, message: str, *, can_undo: bool = False) -> None:
        self._workspace.show_message(message, can_undo=can_undo)
        if self._window is not None and self._window.isVisible():
            self._window.show_message(message)

    def _make(self, plan: record_plan.RecordPlan) -> None:
        if plan.changes and (not plan.question or self._agrees(plan.question)):
            self._session.edits.apply_to_studies(plan.title, plan.changes)
            self.window.show_message(
                tr_count(
                    "Saved for {count} study. {key} takes it back.",
                    "Saved for {count} studies. {key} takes it back.",
                    len(plan.changes),
                    key=keys.key_of("undo"),
                )
            )
        elif plan.changes:
            self.window.show_message(tr("The patients were not joined. What is still typed here is not saved."))
            return
        self._refresh()
        self.window.show_chosen()

    def _agrees(self, question: str) -> bool:
        more = tr("Patient, year of birth and sex then hold for all of them.")
        return dialogs.agrees(self.window, tr("Join patients"), question, tr("Join"), more=more)

    def _guard(self, step: Callable[..., object]) -> Callable[..., None]:
        """`step` as a slot: an error that is meant for the reader is shown in this window."""
        return guard(step, self._show_caught)

    def _show_caught(self, error: UserError) -> None:
        self.window.show_error(tr(error.message), tr(error.hint))
        if isinstance(error, ConflictError):
            self._workspace.conflicted.emit()
