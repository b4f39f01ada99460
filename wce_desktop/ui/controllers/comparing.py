"""From a finished finetuning to the reader's choice between the old model and the new one."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from wce_desktop.app.candidate import Candidate, changed_events, register_candidate
from wce_desktop.jobs.job import Job
from wce_desktop.library.database import now_utc
from wce_desktop.library.work import Run
from wce_desktop.ui.finetune_window import FinetuneWindow
from wce_desktop.ui.flag_changes import FlagChange

if TYPE_CHECKING:
    from wce_desktop.ui.controllers.training_controller import TrainingController
    from wce_desktop.ui.main_window import MainWindow


class Comparing(QObject):
    """Registers what a run made, scores the open study with it, and shows what would change. Replaces nothing."""

    def __init__(self, window: "MainWindow", training: "TrainingController") -> None:
        super().__init__(training)
        self._window = window
        self._session = window.session
        self._training = training
        self._run: Run | None = None
        self._labels_until = ""
        self.job_id = ""
        self.candidate: Candidate | None = None

    def follow(self, dialog: FinetuneWindow) -> None:
        """Follow the buttons of the comparison."""
        guard = self._window.guard
        dialog.comparison.new_model_chosen.connect(guard(self.use_new))
        dialog.comparison.old_model_kept.connect(guard(self.keep_old))
        dialog.comparison.event_chosen.connect(guard(self._window.reading.go_to_frame))

    def begin_run(self) -> Run:
        """Note in the library that a finetuning begins; what is labelled from now on is not in it."""
        library, model = self._session.library, self._session.current_model
        self._labels_until = now_utc()
        count = sum(known.run_id is not None for known in library.models()) + 1
        title = f"Finetuned {count}"
        self._run = library.add_run(title, base_model_id=model.model_id if model else None)
        self.candidate = None
        return self._run

    def finetuning_ended(self, job: Job) -> None:
        """Take the new model into the library and show it beside the old one."""
        outcome, run = job.outcome, self._run
        assert outcome is not None
        if run is None:
            return
        self._session.library.finish_run(run.run_id, outcome.kind, outcome.result or {})
        if outcome.kind != "done":
            return
        self.candidate = register_candidate(self._session, run, self._labels_until)
        view = self._training.dialog.comparison
        view.set_comparison(self.candidate.comparison, self.candidate.old_title, self.candidate.model.title)
        self._training.dialog.show_comparison()
        self._score_open_study(self.candidate)

    def _score_open_study(self, candidate: Candidate) -> None:
        reading = self._session.reading
        view = self._training.dialog.comparison
        if reading is None:
            view.set_flag_changes("", ())
            return
        model = candidate.model
        view.set_flags_message(f"{reading.study.name} is being scored with the new model…")
        title = f"scoring {reading.study.name} with {model.title}"
        self._training.submit_score(reading.study, model, title)

    def study_scored(self, study_id: str, model_id: str) -> None:
        """Show which flags appear and vanish, once the candidate has scored the open study."""
        candidate, reading = self.candidate, self._session.reading
        if candidate is None or reading is None or candidate.model.model_id != model_id:
            return
        if reading.study.study_id != study_id:
            return
        seconds = reading.index.video_seconds
        rows = [
            FlagChange(
                kind, event.name, event.peak_frame, float(seconds[event.peak_frame]), len(event.span), event.peak_score
            )
            for kind, event in changed_events(self._session, candidate)
        ]
        self._training.dialog.comparison.set_flag_changes(reading.study.name, rows)

    def use_new(self) -> None:
        """Take the new model into use; the old one can be taken back."""
        if self.candidate is not None:
            self._training.use_model(self.candidate.model.model_id)
            self._training.dialog.comparison.set_choice(f"{self.candidate.model.title} is in use.")
            reading = self._session.reading
            if reading is not None and not self._session.is_scored(reading.study):
                self._training.score(reading.study)

    def keep_old(self) -> None:
        """Go on with the old model; the new one stays in the list."""
        if self.candidate is not None:
            self._training.dialog.comparison.set_choice(f"{self.candidate.old_title or 'The present model'} stays.")
