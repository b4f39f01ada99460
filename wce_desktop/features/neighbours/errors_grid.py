"""The window *Errors of a run*: what it got wrong on held-out frames as a grid, to relabel by a key."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from training.errors import NothingToDoError
from training.runs.events import Outcome
from wce_desktop.core import number_text, score_text, to_translate, tr, tr_count
from wce_desktop.core.annotation import shown_name
from wce_desktop.core.annotation.vocabulary import Vocabulary
from wce_desktop.core.selection import FrameSelection
from wce_desktop.features.neighbours import bulk_labelling, run_errors
from wce_desktop.features.neighbours.frame_access import FrameAccess
from wce_desktop.features.neighbours.frame_grid import GridWindow
from wce_desktop.features.neighbours.grid import SelectionGrid
from wce_desktop.features.neighbours.run_errors import FrameError
from wce_desktop.library.run_files import has_held_out_scores
from wce_desktop.session.keys import key_of
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets import basic, inputs, key_texts
from wce_desktop.widgets.frame_tile import FrameTile
from wce_desktop.widgets.tile_list import PictureProvider
from wce_desktop.workspace import Workspace

KINDS = {
    "false positive": to_translate("False positives"),
    "false negative": to_translate("False negatives"),
    "wrong class": to_translate("Wrong class"),
}
ORDERS = {
    "clearest": to_translate("Clearest error first"),
    "score": to_translate("Highest score first"),
    "study": to_translate("By study and time"),
}


class ErrorsWindow(GridWindow):
    """The grid of frames with the choice of a run, filters and an order.

    Keys and buttons concern the chosen frames, or the highlighted one.
    """

    empty = to_translate("No error can be shown.")
    run_chosen = Signal(str)
    filtered = Signal()

    def __init__(self, vocabulary: Vocabulary, picture: PictureProvider, parent: QWidget | None = None) -> None:
        super().__init__(vocabulary, picture, parent, lines=2)
        self.setWindowTitle(tr("Errors of a run"))
        self.run, self.kind = inputs.ComboBox(tr("Run")), inputs.ComboBox(tr("Kind of error"))
        self.name, self.patient = inputs.ComboBox(tr("Class")), inputs.ComboBox(tr("Patient"))
        self.order = inputs.ComboBox(tr("Order"))
        basic.fill_box(self.kind, [(tr("All errors"), ""), *((tr(title), kind) for kind, title in KINDS.items())])
        basic.fill_box(self.order, ((tr(title), order) for order, title in ORDERS.items()))
        self.run.currentIndexChanged.connect(lambda _: self.run_chosen.emit(self.run.currentData()))
        for box in (self.run, self.kind, self.name, self.patient, self.order):
            box.setMinimumContentsLength(8)
            box.setSizeAdjustPolicy(box.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            if box is not self.run:
                box.currentIndexChanged.connect(lambda _: self.filtered.emit())
        filters = basic.in_row((self.run, 2), (self.kind, 1), (self.name, 1), (self.patient, 1), (self.order, 1))
        self._column.insertLayout(1, filters)
        tip = tr("Give the chosen frames, or the highlighted one, another label (keys {label_0} to {label_9})")
        key_texts.set_tip(self.labels, tip)

    def offer(self, errors: Sequence[FrameError], vocabulary: Vocabulary) -> None:
        """Offer the classes and patients of these errors as filters."""
        names = dict.fromkeys(name for error in errors for name in (*error.labels, error.taken_for))
        patients = sorted({error.patient_id for error in errors})
        titles = sorted((vocabulary.of(name).shown_title, name) for name in names)
        basic.fill_box(self.name, [(tr("All classes"), ""), *titles])
        basic.fill_box(self.patient, [(tr("All patients"), ""), *((name, name) for name in patients)])

    @property
    def chosen(self) -> FrameSelection:
        """The frames picked in the grid; where none is, the highlighted one."""
        row = self.tiles.currentIndex().row()
        if self.tiles.chosen_rows or not 0 <= row < len(self.frames):
            return super().chosen if self.tiles.chosen_rows else FrameSelection()
        study_id, frame_index = self.frames[row]
        return FrameSelection({study_id: [frame_index]})

    def _count_words(self, frames: str, studies: str) -> str:
        if len(self.tiles.chosen_rows) > 1:
            return super()._count_words(frames, studies)
        return studies if self.frames else ""


class ErrorsGrid(SelectionGrid):
    """Reads the errors of a run, and relabels what is chosen."""

    def __init__(self, workspace: Workspace, shared: FrameAccess) -> None:
        super().__init__(workspace, shared)
        self._errors: tuple[FrameError, ...] = ()
        self._shown: list[FrameError] = []
        self._runs: dict[str, str] = {}
        self._reading = FunctionThread(self, workspace.guard(self._take), workspace.guard(self._fail))

    def show_run(self, run_id: str = "") -> None:
        """Show the errors of a run; without one those of the run shown last, or of the newest.

        Raises:
            NothingToDoError: no run kept scores of held-out frames.
        """
        runs = [run for run in reversed(self._session.library.runs.all()) if has_held_out_scores(run)]
        if not runs:
            key = key_of("cross_validate")
            raise NothingToDoError(
                "No run has scores of held-out frames.", "Cross-validate the model ({key}) or fine-tune it.", key
            )
        window = self.show()
        assert isinstance(window, ErrorsWindow)
        titles = [run.title for run in runs]
        rows = [
            (run.title if titles.count(run.title) == 1 else f"{run.title}, {run.created_utc[:16]}", run.run_id)
            for run in runs
        ]
        basic.fill_box(window.run, rows, run_id or None)
        self._read(window.run.currentData())

    def refresh(self) -> None:
        """Show the errors that fit the filters; nothing is done while the window is closed."""
        window = self.window
        if not isinstance(window, ErrorsWindow) or not window.isVisible():
            return
        studies = {study.study_id for study in self._session.library.studies.shown()}
        filters = window.kind.currentData(), window.name.currentData() or "", window.patient.currentData() or ""
        self._shown = run_errors.chosen_errors(self._errors, *filters, window.order.currentData(), studies)
        self._frames = [(error.study_id, error.frame_index) for error in self._shown]
        title = tr_count("{count} error", "{count} errors", len(self._shown))
        window.show_frames(title, self._frames, self._tile)
        elsewhere = sum(error.study_id not in studies for error in self._errors)
        note = tr_count(
            "{count} error is on a frame of a study that is not in this library.",
            "{count} errors are on frames of studies that are not in this library.",
            elsewhere,
        )
        advice = tr("Import images into the library before the training, and train on the studies that it exports.")
        window.show_message(f"{note} {advice}" if elsewhere else "")

    def label(self, name: str) -> None:
        """Give the chosen frames another label, as one edit; after a single one the next is highlighted."""
        window = self._grid_window
        if chosen := window.chosen:
            window.show_message(bulk_labelling.replace_labels(self._session, chosen, name))
            following = window.tiles.tiles.index(window.tiles.currentIndex().row() + 1)
            if chosen.count == 1 and following.isValid():
                window.tiles.setCurrentIndex(following)

    def _make(self) -> GridWindow:
        window = super()._make()
        assert isinstance(window, ErrorsWindow)
        window.run_chosen.connect(self._guard(self._read))
        window.filtered.connect(self._guard(self.refresh))
        return window

    def _new_window(self) -> GridWindow:
        return ErrorsWindow(self._session.vocabulary, self._shared.pictures.get, self._workspace.window)

    def _read(self, run_id: str) -> None:
        run = next(run for run in self._session.library.runs.all() if run.run_id == run_id)
        self._errors = ()
        self.refresh()
        self._grid_window.show_message(tr("Reading the scores…"))
        self._reading.request(lambda _: run_errors.read_errors(run))

    def _take(self, errors: tuple[FrameError, ...]) -> None:
        self._errors = errors
        if isinstance(self.window, ErrorsWindow):
            self.window.offer(errors, self._session.vocabulary)
            self.refresh()
            self.window.tiles.setFocus(Qt.FocusReason.TabFocusReason)

    def _fail(self, outcome: Outcome) -> None:
        self._grid_window.show_message(tr(str(outcome)), is_error=True)

    def _tile(self, row: int) -> FrameTile:
        """The label and what it was taken for, the score, and a mark once it is labelled otherwise."""
        error, of = self._shown[row], self._session.vocabulary.of
        fact = self._shared.facts.of(error.study_id, error.frame_index)
        label = ", ".join(of(name).shown_title for name in error.labels)
        taken = of(error.taken_for).shown_title
        caption = f"{label} → {taken}\n{fact.study_name} · {score_text(error.score)}"
        sentence = tr(
            "{frame}; in the run labelled {label}, taken for {taken}, score of any finding {score}",
            frame=fact.sentence,
            label=" + ".join(map(shown_name, error.labels)),
            taken=shown_name(error.taken_for),
            score=number_text(error.score, ".3f"),
        )
        is_changed = set(fact.labels) != set(error.labels)
        labels = tuple(map(of, fact.labels))
        answer = "accepted" if is_changed else ""
        return FrameTile(error.study_id, error.frame_index, caption, sentence, labels=labels, answer=answer)
