"""Embeds the clips of studies, searches the chosen studies for a place, and lists the places."""

from collections.abc import Callable

from PySide6.QtCore import Signal

from training.errors import UserError
from training.runs.events import Outcome, Progress
from wce_desktop.core import counted, score_text, to_translate, tr, tr_count
from wce_desktop.core.study import Study
from wce_desktop.features.places import place_search, study_clips
from wce_desktop.features.places.place_lists import FoundRow, PlaceLists
from wce_desktop.session import frame_facts, keys, places, run_models
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.threads.job import Job
from wce_desktop.workspace import Part, Scorer, Workspace

NOTHING = to_translate("Nothing was found.")


class PlaceSearching(Part):
    """The newest search wins; studies whose clips are made meanwhile are searched again with the others.

    What compares is decided once for a search, so a list never mixes vectors of two kinds.
    """

    found_nothing = Signal(str)
    """Why, in a sentence."""

    def __init__(
        self,
        workspace: Workspace,
        owner: Part,
        scorer: Scorer,
        lists: PlaceLists,
        facts: frame_facts.FrameFacts,
        fail: Callable[[str, str], object],
    ) -> None:
        super().__init__(workspace, owner)
        session = workspace.session
        self._scorer, self._lists, self._facts, self._fail = scorer, lists, facts, fail
        self.query: place_search.PlaceQuery | None = None
        self._source: study_clips.ClipSource = study_clips.chosen_source(session)[0]
        self._unusable: set[str] = set()  # studies whose clips have to be made anew
        self._searched: tuple[str, ...] | None = None
        self._wanted = ""  # the study to choose when the studies are listed next
        self._search = place_search.PlaceSearch(session)
        self._thread = FunctionThread(
            self, returned=self._show_found, progressed=self._show_progress, failed=self._search_failed
        )

    def start(self, query: place_search.PlaceQuery, study_id: str = "") -> None:
        """Search the chosen studies for a place; with an id this study."""
        self.query, self._wanted = query, study_id
        self._searched = None
        self._unusable.clear()
        self.refresh()

    def forget(self) -> None:
        """Show no search."""
        self._thread.cancel()
        self.query = self._searched = None
        self._lists.show_query(
            tr("Press {key} in the main window to search for a place.", key=keys.key_of("find_place")), ""
        )
        self._lists.show_choices(())
        self._lists.show_missing("")
        self._lists.show_state("")
        self._lists.show_found(())

    def refresh(self) -> None:
        """List the studies again, and search again if others of the chosen ones have clips now."""
        query = self.query
        if query is None:
            return
        self._choose_source(query)
        shown, files = self._session.library.studies.shown(), self._session.files
        studies = [each for each in shown if not files(each).is_hidden or each.study_id == query.study_id]
        here = next(study for study in studies if study.study_id == query.study_id)
        state = tr(self._source.words.state)
        choices = place_search.study_choices(studies, here, self._is_there, state)
        wanted, self._wanted = self._wanted, ""
        choice = self._lists.show_choices(choices, wanted)
        self._show_missing(choice)
        if choice is None:
            return
        if self._ready(choice) != self._searched:
            self.search(choice)
        elif not self._lists.places and not self._thread.is_busy:
            self.found_nothing.emit(self._nothing(choice))

    def _choose_source(self, query: place_search.PlaceQuery) -> None:
        """Say what compares places, and why if the chosen model cannot; another source makes a new search."""
        source, problem = study_clips.chosen_source(self._session)
        if source != self._source:
            self._source, self._searched = source, None
            self._unusable.clear()
        self._lists.show_query(tr("Place: {place}", place=query.words), f"{problem} {source.made_by}".strip())
        model = self._session.current_model
        stored = tr("Single frames ({model})", model=model.title) if model is not None else tr("Single frames")
        runs = run_models.clip_runs(self._session.library)
        titles = [("", stored), *((run.run_id, tr("Clip model: {model}", model=run.title)) for run in runs)]
        self._lists.show_sources(titles, source.model.run_id if isinstance(source, study_clips.EmbeddedClips) else "")

    def search(self, choice: place_search.StudyChoice) -> None:
        """Search these studies."""
        query, source = self.query, self._source
        if query is None:
            return
        self._show_missing(choice)
        self._lists.show_found(())
        self._searched = self._ready(choice)
        if not self._searched:
            self._thread.cancel()
            self._lists.show_state("")
            self.found_nothing.emit(self._nothing(choice))
            return
        self._lists.show_state(tr_count("Searching {count} study…", "Searching {count} studies…", len(self._searched)))
        self._thread.request(lambda reporter: self._search.find(query, choice.studies, source, reporter))

    def make_missing(self) -> None:
        """Score or embed the studies that could not be searched.

        Raises:
            UserError: a video is gone, or the library is read only; the other studies are done.
        """
        choice = self._lists.choice
        problem: UserError | None = None
        for study in self._missing(choice):
            try:
                self._make(study)
            except UserError as error:
                problem = error
        self.refresh()
        if problem is not None:
            raise problem

    def frame_like_query(self, place: place_search.FoundPlace) -> int:
        """The frame of a place that lies in it as the frame searched for lies in its place."""
        query = self.query
        share = 0.5 if query is None else (query.frame_index - query.span.start) / len(query.span)
        return place.span.start + int(share * len(place.span))

    def _make(self, study: Study) -> None:
        """Score a study, or embed its clips, unless a job does so; raises `UserError` where its video is gone."""
        if not isinstance(self._source, study_clips.EmbeddedClips):
            self._scorer.score(study)
        elif not self._is_waiting(study):
            if not places.is_there(study.path):
                raise UserError(
                    "The video of “{study}” was not found.",
                    "Open it from where it is now: {key}.",
                    study.shown_name,
                    keys.key_of("open_files"),
                )
            job = self._workspace.jobs.submit(run_models.embed_clips_job(self._session, study, self._source.model))
            job.ended.connect(self._embedding_ended)

    def _is_waiting(self, study: Study) -> bool:
        if isinstance(self._source, study_clips.EmbeddedClips):
            job = self._workspace.jobs.job_writing(self._source.model.path(self._session.files(study)))
            return job is not None and not job.has_ended
        return self._scorer.is_scoring(study, self._session.model_id)

    def _is_there(self, study: Study) -> bool:
        return self._search.path(study, self._source) is not None

    def _ready(self, choice: place_search.StudyChoice) -> tuple[str, ...]:
        """The studies of a choice that can be searched; none where the study of the place has no clips."""
        query = self.query
        is_here = query is not None and self._is_there(self._session.library.studies.get(query.study_id))
        return choice.ready if is_here else ()

    def _missing(self, choice: place_search.StudyChoice | None) -> list[Study]:
        """The studies whose clips have to be made: the one of the place first, then those to be searched."""
        if choice is None or self.query is None:
            return []
        studies = (self._session.library.studies.get(self.query.study_id), *choice.studies)
        return [study for study in studies if study.study_id in self._unusable or not self._is_there(study)]

    def _show_missing(self, choice: place_search.StudyChoice | None) -> None:
        missing = self._missing(choice)
        count = sum(not self._is_waiting(study) for study in missing)
        words = self._source.words
        button = tr_count(words.make_one, words.make_many, count) if count else ""
        self._lists.show_missing(place_search.missing_words(missing, words, self._is_waiting), button)

    def _nothing(self, choice: place_search.StudyChoice | None) -> str:
        """Why nothing is listed: the clips of studies are being made, have to be made first, or none is alike."""
        missing = self._missing(choice)
        why = place_search.missing_words(missing, self._source.words, self._is_waiting)
        if any(self._is_waiting(study) for study in missing):
            return tr("Nothing was found yet. {why} They are searched then.", why=why)
        return tr("Nothing was found. {why}", why=why) if missing else tr(NOTHING)

    def _embedding_ended(self, job: Job) -> None:
        if job.spec.study_id in self._unusable:
            self._unusable.discard(job.spec.study_id)
            self._searched = None  # its file was there before, too
        if self._lists.isVisible():
            self.refresh()
        if job.outcome is not None and job.outcome.kind == "failed":
            self._fail(tr(job.outcome.message), tr(job.outcome.hint))

    def _show_progress(self, progress: Progress) -> None:
        if progress.total > 1:
            studies = counted(progress.total, "study")
            self._lists.show_state(tr("Searching: {done} of {studies}", done=progress.done, studies=studies))

    def _show_found(self, result: place_search.FoundPlaces) -> None:
        message = tr(
            "{places} in {studies}, the most similar first.",
            places=counted(len(result.places), "place"),
            studies=counted(result.searched, "study"),
        )
        self._unusable |= set(result.unusable)
        nothing = self._nothing(self._lists.choice)
        self._lists.show_state(" ".join([message if result.places else nothing, *result.notes]))
        self._lists.show_found([self._row(place) for place in result.places])
        self._show_missing(self._lists.choice)
        if not result.places:
            self.found_nothing.emit(nothing)

    def _row(self, place: place_search.FoundPlace) -> FoundRow:
        frame = self.frame_like_query(place)
        caption = self._facts.of(place.study_id, frame).caption
        similarity = tr("similarity {similarity}", similarity=score_text(place.similarity))
        text = f"{caption}\n{similarity}\n{counted(len(place.span), 'frame')}"
        return FoundRow(place, text, frame)

    def _search_failed(self, outcome: Outcome) -> None:
        self._lists.show_state(tr(NOTHING))
        self.found_nothing.emit(tr(NOTHING))
        self._fail(tr(outcome.message), tr(outcome.hint))
