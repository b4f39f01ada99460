"""The window *Errors of a run*: what it got wrong on held-out frames as a grid, to relabel by a key."""

from collections.abc import Collection, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from training.errors import NothingToDoError
from training.runs.events import Outcome
from wce_desktop.core import counted, number_text, score_text, to_translate, tr, tr_count
from wce_desktop.core.annotation import shown_name
from wce_desktop.core.annotation.vocabulary import Vocabulary
from wce_desktop.core.selection import FrameSelection
from wce_desktop.features.neighbours import bulk_labelling, run_errors, run_images
from wce_desktop.features.neighbours.frame_access import FrameAccess
from wce_desktop.features.neighbours.frame_grid import GridWindow
from wce_desktop.features.neighbours.grid import SelectionGrid
from wce_desktop.features.neighbours.run_errors import FrameError
from wce_desktop.library.run_files import has_held_out_scores
from wce_desktop.session.keys import key_of
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets import basic, inputs, key_texts
from wce_desktop.widgets.frame_pictures import FramePictures
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


def not_in_library() -> NothingToDoError:
    """For an image of a run that can only be looked at."""
    return NothingToDoError(
        "This image is not in the library.",
        "Import its folder with the labels ({key}), and it can be relabelled here.",
        key_of("import_labels"),
    )


class ErrorsWindow(GridWindow):
    """The grid of frames with the choice of a run, filters and an order.

    Keys and buttons concern the chosen frames, or the highlighted one.
    """

    empty = to_translate("No error can be shown.")
    outside: Collection[tuple[str, int]] = ()
    """Images that are not in the library: they are only looked at."""
    patients = 0
    """Of the shown frames."""
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
        """The frames of the library picked in the grid; where none is picked, the highlighted one.

        Raises:
            NothingToDoError: only images that are not in the library are picked.
        """
        rows = self.tiles.chosen_rows or [self.tiles.currentIndex().row()]
        frames = [self.frames[row] for row in rows if 0 <= row < len(self.frames)]
        inside = [frame for frame in frames if frame not in self.outside]
        if frames and not inside:
            raise not_in_library()
        picked: dict[str, list[int]] = {}
        for study_id, frame_index in inside:
            picked.setdefault(study_id, []).append(frame_index)
        return FrameSelection(picked)

    def _count_words(self, frames: str, studies: str) -> str:
        patients = counted(self.patients, "patient")
        return super()._count_words(frames, patients) if len(self.tiles.chosen_rows) > 1 else patients


class ErrorsGrid(SelectionGrid):
    """Reads the errors of a run, and relabels what is chosen."""

    def __init__(self, workspace: Workspace, shared: FrameAccess) -> None:
        super().__init__(workspace, shared)
        self._errors: tuple[FrameError, ...] = ()
        self._missing = 0
        self._studies: set[str] = set()
        """Those of the library when the errors were read."""
        self._shown: list[FrameError] = []
        self._runs: dict[str, str] = {}
        self._reading = FunctionThread(self, workspace.guard(self._take), workspace.guard(self._fail))
        self._images = FramePictures(self)
        self._images.open(run_images.place_of_image)
        self._images.arrived.connect(lambda *_: self.repaint())

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
        filters = window.kind.currentData(), window.name.currentData() or "", window.patient.currentData() or ""
        self._shown = run_errors.chosen_errors(self._errors, *filters, window.order.currentData())
        self._frames = [error.address for error in self._shown]
        title = tr_count("{count} error", "{count} errors", len(self._shown))
        window.outside = {error.address for error in self._errors if error.file is not None}
        window.patients = len({error.patient_id for error in self._shown})
        window.show_frames(title, self._frames, self._tile)
        window.show_message(self._note(len(window.outside)))

    def _note(self, outside: int) -> str:
        """What cannot be relabelled, or not be shown, and what helps."""
        sentences = []
        if outside:
            note = tr_count(
                "{count} image is not in this library and can only be looked at.",
                "{count} images are not in this library and can only be looked at.",
                outside,
            )
            advice = tr(
                "Import the folder of images with its labels ({key}) to relabel here.", key=key_of("import_labels")
            )
            sentences += [note, advice]
        if self._missing:
            sentences.append(
                tr_count(
                    "{count} error is on a frame that is neither in this library nor in its folder.",
                    "{count} errors are on frames that are neither in this library nor in their folder.",
                    self._missing,
                )
            )
        return " ".join(sentences)

    def studies_changed(self) -> None:
        """Find the frames again where studies were added or removed."""
        window, studies = self.window, {study.study_id for study in self._session.library.studies.shown()}
        if isinstance(window, ErrorsWindow) and window.isVisible() and studies != self._studies:
            self._read(window.run.currentData())

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
        return ErrorsWindow(self._session.vocabulary, self._picture, self._workspace.window)

    def _picture(self, study_id: str, frame_index: int) -> QImage | None:
        window = self.window
        is_outside = isinstance(window, ErrorsWindow) and (study_id, frame_index) in window.outside
        return (self._images if is_outside else self._shared.pictures).get(study_id, frame_index)

    def _open(self, study_id: str, frame_index: int) -> None:
        if isinstance(self.window, ErrorsWindow) and (study_id, frame_index) in self.window.outside:
            raise not_in_library()
        super()._open(study_id, frame_index)

    @property
    def is_busy(self) -> bool:
        """True while errors are read or pictures are."""
        return super().is_busy or self._images.is_busy

    def close(self) -> None:
        """End the threads."""
        super().close()
        self._images.close()

    def _read(self, run_id: str) -> None:
        run = next(run for run in self._session.library.runs.all() if run.run_id == run_id)
        self._errors, self._missing = (), 0
        self.refresh()
        self._grid_window.show_message(tr("Reading the scores…"))
        session, classes = self._session, self._session.vocabulary.names
        self._studies = {study.study_id for study in session.library.studies.shown()}
        self._reading.request(lambda reporter: run_images.place_errors(session, run, classes, reporter))

    def _take(self, placed: run_images.PlacedErrors) -> None:
        self._errors, self._missing = placed.errors, placed.missing
        if isinstance(self.window, ErrorsWindow):
            self.window.offer(placed.errors, self._session.vocabulary)
            self.refresh()
            self.window.tiles.setFocus(Qt.FocusReason.TabFocusReason)

    def _fail(self, outcome: Outcome) -> None:
        self._grid_window.show_message(tr(str(outcome)), is_error=True)

    def _tile(self, row: int) -> FrameTile:
        """The label and what it was taken for, the score, and a mark once it is labelled otherwise."""
        error, of = self._shown[row], self._session.vocabulary.of
        fact = self._shared.facts.of(error.study_id, error.frame_index) if error.file is None else None
        where = error.patient_id if fact is None else fact.study_name
        name = error.image or f"{error.study_id}, {error.frame_index + 1}"
        label = ", ".join(of(name).shown_title for name in error.labels)
        taken = of(error.taken_for).shown_title
        caption = f"{label} → {taken}\n{where} · {score_text(error.score)}"
        sentence = tr(
            "{frame}; in the run labelled {label}, taken for {taken}, score of any finding {score}",
            frame=tr("{name}, not in the library", name=name) if fact is None else fact.sentence,
            label=" + ".join(map(shown_name, error.labels)),
            taken=shown_name(error.taken_for),
            score=number_text(error.score, ".3f"),
        )
        labels = error.labels if fact is None else fact.labels
        answer = "accepted" if set(labels) != set(error.labels) else ""
        return FrameTile(*error.address, caption, sentence, labels=tuple(map(of, labels)), answer=answer)
