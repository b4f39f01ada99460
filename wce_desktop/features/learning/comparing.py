"""From a finished finetuning to the reader's choice between the old model and the new one."""

import shutil
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from wce_desktop.core.study import Study
from wce_desktop.features.learning.model.candidate import Candidate, changed_events, register_candidate
from wce_desktop.features.learning.model.starts import Start
from wce_desktop.features.learning.view.finetune_window import FinetuneWindow
from wce_desktop.jobs.job import Job
from wce_desktop.library import Model
from wce_desktop.library.database import now_utc
from wce_desktop.library.runs.run_files import inputs_folder
from wce_desktop.library.work import Run
from wce_desktop.session.reading import Reading
from wce_desktop.widgets.flag_changes import FlagChange
from wce_desktop.workspace import Scorer, Workspace

if TYPE_CHECKING:
    from wce_desktop.features.learning.finetuning import Finetuning

SHOWN_AFTER_MILLISECONDS = 200  # not while a threshold is dragged


class Comparing(QObject):
    """Registers what a run made, scores the open study with it, and shows what would change. Replaces nothing."""

    def __init__(self, workspace: Workspace, training: "Finetuning", scorer: Scorer) -> None:
        super().__init__(training)
        self._workspace = workspace
        self._session = workspace.session
        self._training, self._scorer = training, scorer
        self._run: Run | None = None
        self._labels_until = ""
        self.job_id = ""
        self.candidate: Candidate | None = None  # until the reader has chosen
        self._soon = QTimer(self, singleShot=True, interval=SHOWN_AFTER_MILLISECONDS)
        self._soon.timeout.connect(workspace.guard(self.show_changes))

    def follow(self, dialog: FinetuneWindow) -> None:
        """Follow the buttons of the comparison, and what is open while it stands there."""
        self._session.study_opened.connect(self._study_opened)
        self._session.study_closed.connect(self.show_changes)
        self._session.events_changed.connect(self._show_changes_soon)
        guard = self._workspace.guard
        dialog.comparison.new_model_chosen.connect(guard(self.use_new))
        dialog.comparison.old_model_kept.connect(guard(self.keep_old))
        dialog.comparison.event_chosen.connect(guard(self._workspace.go_to_frame))

    @property
    def run(self) -> Run | None:
        """The finetuning that was begun last."""
        return self._run

    def begin_run(self, start: Start | None = None) -> Run:
        """Note in the library that a finetuning begins; what is labelled from now on is not in it.

        Without a `start` it begins from the model in use.
        """
        library, model = self._session.library, self._session.current_model
        self._labels_until = now_utc()
        count = sum(run.kind == "finetune" for run in library.runs()) + 1
        base_model = start.model_id or None if start else model.model_id if model else None
        self._run = library.add_run(
            f"Finetuned {count}", base_model_id=base_model, base_run_id=start.run_id or None if start else None
        )
        self.candidate = None
        return self._run

    def resume_run(self, run: Run) -> None:
        """Note that a finetuning goes on; it learns from the labels that there were when it began."""
        self._labels_until = run.created_utc
        self._run = self._session.library.resume_run(run.run_id)
        self.candidate = None

    def drop_run(self, message: str = "") -> None:
        """Note that the run never began: what it was to learn from could not be written."""
        if self._run is not None:
            self._session.library.finish_run(self._run.run_id, "failed", {}, message)
            self._run = None

    def finetuning_ended(self, job: Job) -> None:
        """Take the new model into the library and show it beside the old one."""
        outcome, run = job.outcome, self._run
        assert outcome is not None
        if run is None:
            return
        shutil.rmtree(inputs_folder(run.folder), ignore_errors=True)  # the run keeps copies
        said = outcome.message if outcome.kind == "failed" else ""
        self._session.library.finish_run(run.run_id, outcome.kind, outcome.result or {}, said)
        if outcome.kind != "done":
            return
        self.candidate = register_candidate(self._session, run, self._labels_until)
        if self._workspace.jobs.queue.is_closed:  # the window only waits for its jobs to end
            return
        self._training.dialog.comparison.set_comparison(
            self.candidate.comparison, self.candidate.old_title, self.candidate.model.title
        )
        self._training.dialog.show_comparison()
        self._score_open_study()

    def _score_open_study(self) -> None:
        """Queue what the list of changed flags needs: the scores of both models."""
        candidate, reading = self.candidate, self._session.reading
        if candidate is not None and reading is not None:
            study, model = reading.study, candidate.model
            if self._session.current_model is not None and reading.scores is None:
                self._scorer.score(study)
            if not self._has_new_scores(study, model) and not self._scorer.is_scoring(study, model.model_id):
                self._scorer.submit_score(study, model, f"scoring {study.name} with {model.title}")
        self.show_changes()

    def _has_new_scores(self, study: Study, model: Model) -> bool:
        return self._session.files(study).has_scores(model.model_id)

    def _study_opened(self) -> None:
        if self._training.dialog.isVisible() and self._training.dialog.is_comparing:
            self._score_open_study()
        self.show_changes()

    def _show_changes_soon(self) -> None:
        self._soon.start()

    def show_changes(self) -> None:
        """Show which flags of the open study appear and vanish, or why that cannot be said."""
        self._soon.stop()
        candidate, reading = self.candidate, self._session.reading
        view = self._training.dialog.comparison
        if candidate is None:
            view.set_flags_message("")
        elif reading is None:
            view.set_flag_changes("", ())
        elif missing := self._missing_scores(reading, candidate.model):
            view.set_flags_message(missing)
        else:
            seconds = reading.index.video_seconds
            view.set_flag_changes(
                reading.study.name,
                [
                    FlagChange(
                        kind,
                        event.name,
                        event.peak_frame,
                        float(seconds[event.peak_frame]),
                        len(event.span),
                        event.peak_score,
                    )
                    for kind, event in changed_events(self._session, candidate)
                ],
            )

    def _missing_scores(self, reading: Reading, model: Model) -> str:
        """Whose scores of the open study are missing, in a sentence; empty when none are."""
        name, known = reading.study.name, self._has_new_scores(reading.study, model)
        if not known and self._scorer.is_scoring(reading.study, model.model_id):
            return f"{name} is being scored with the new model…"
        if not known:
            return f"{name} has not been scored with the new model."
        return "" if reading.scores is not None else f"{name} has no scores of the present model to compare with yet."

    def use_new(self) -> None:
        """Take the new model into use; the old one can be taken back."""
        if self.candidate is not None:
            chosen, self.candidate = self.candidate.model, None
            self._training.use_model(chosen.model_id)
            self._training.dialog.comparison.set_choice(f"{chosen.title} is in use.")
            reading = self._session.reading
            if reading is not None and not self._session.is_scored(reading.study):
                self._scorer.score(reading.study)

    def forget(self, model_id: str) -> None:
        """Ask no more whether a model is to be used: it was deleted."""
        if self.candidate is not None and self.candidate.model.model_id == model_id:
            self.candidate = None
            self._training.dialog.comparison.set_choice("The new model was deleted; nothing was changed.")
            self.show_changes()

    def keep_old(self) -> None:
        """Go on with the old model; the new one stays in the list."""
        if self.candidate is not None:
            self.candidate = None
            model = self._session.current_model
            self._training.dialog.comparison.set_choice(f"{model.title} stays." if model else "No model is in use.")
