"""The explanations of frames of the open study: from scoring, stored, or computed on request."""

import contextlib
import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.inference.explanation import SIMILARITY, Explanation, Method, background
from training.methods.pgcon import PgConSettings
from training.pretraining.config import PretrainConfig
from training.service.answer_files import ExplanationAnswer, read_answer
from training.service.requests import FOLDER, ExplainRequest, kept_path
from wce_desktop.core.annotation.label import NORMAL
from wce_desktop.core.language import to_translate, tr
from wce_desktop.core.overlay import FrameCam, full_scale_of
from wce_desktop.library import lineage, run_files, unfinished_runs
from wce_desktop.library.runs import Run
from wce_desktop.session.session import Session


def prior_pretraining(session: Session) -> Run | None:
    """The nearest pretraining with PGCon or WINCon that the model in use was derived from; None if there is none.

    Reads the library and cards.
    """
    if session.current_model is None:
        return None
    ancestors = lineage.Family.of(session.library).ancestors(session.current_model)
    guided = {name for name in PretrainConfig.methods if issubclass(PretrainConfig.of(name), PgConSettings)}
    runs = (item for item in ancestors if isinstance(item, Run) and run_files.method_of(item) in guided)
    return next(filter(unfinished_runs.can_start_from, runs), None)


@dataclass(frozen=True, slots=True)
class ExplainMethod:
    """An explanation method: name in requests; title and description, shown by `tr`."""

    name: Method
    title: str
    tip: str


METHODS = (
    ExplainMethod("cam", "CAM", to_translate("Class activation map: coarse, but shown at once and during playback.")),
    ExplainMethod(
        "quick",
        to_translate("Score-CAM, quick"),
        to_translate("Measures how the score changes when the frame is masked."),
    ),
    ExplainMethod(
        "score-cam",
        to_translate("Score-CAM, exact"),
        to_translate("The same with all masks; takes seconds."),
    ),
)
PRIOR = ExplainMethod(
    "prior-grid",
    to_translate("Like the reddest part"),
    to_translate(
        "For models from a pretraining with PGCon or WINCon: which parts of the frame look like its reddest part to "
        "this pretraining. Shows no class."
    ),
)


def words_of(explanation: Explanation) -> str:
    """The method of a CAM as text for a corner of the frame."""
    if explanation.method == "cam":
        return "CAM"
    if explanation.method == "prior-grid":
        return tr(PRIOR.title)
    return tr("Score-CAM, exact") if explanation.is_exact else tr("Score-CAM, quick estimate")


def explain_method(name: Method) -> ExplainMethod:
    """The method of this name."""
    return next(method for method in (*METHODS, PRIOR) if method.name == name)


def kept_answer(request: ExplainRequest, weights_sha256: str) -> ExplanationAnswer | None:
    """The kept answer to a request about a study; None if there is none that can be read.

    `weights_sha256`: of the model (`library.Model.weights_sha256`).
    """
    if request.keep_in is None:
        return None
    with contextlib.suppress(UserError):
        answer = read_answer(kept_path(request.keep_in, weights_sha256, request))
        return answer if isinstance(answer, ExplanationAnswer) else None
    return None


SCALE_SAMPLE = 2000  # frames that the overlay's scale is taken from
KEPT = 512  # explanations in memory; the study's folder has them all


def explained_classes(session: Session) -> tuple[str, ...]:
    """The classes that can be explained: those of the scores, else those of the model in use, without normal."""
    reading, model = session.reading, session.current_model
    if reading is None or reading.flags.scores is not None or reading.flags.is_hidden or model is None:
        return reading.flags.pathology_names if reading is not None else ()
    return tuple(name for name in model.classes if name != NORMAL)


class FrameCams:
    """The CAMs of the explained class on the frames of the open study, by the chosen method.

    With exact Score-CAM, the quick one is shown until the exact one is ready.
    """

    def __init__(self, session: Session, read_later: Callable[[ExplainRequest, str], object] | None = None) -> None:
        """`read_later` reads kept answers in another thread (see `kept_answer`) and gives them to `take`; without it
        they are read at once."""
        self._session, self._read_later = session, read_later
        self.method: Method = "cam"
        self.pretraining: Run | None = None
        """The prior-guided pretraining behind the model in use; see `note_model`."""
        self.is_imported = False
        """Whether the model in use has no network to explain with; see `note_model`."""
        self.class_name: str | None = None
        self.asked: set[int] = set()
        """Frames that the reader wants explained, flagged or not."""
        self.is_all_wanted = False
        """Whether every frame is to be explained, as while the overlay is filled."""
        self._scales: tuple[ref[NDArray[np.floating]] | None, dict[int, float | None]] = None, {}
        self._kept: OrderedDict[tuple[Any, ...], Explanation] = OrderedDict()
        self._looked_for: set[tuple[Any, ...]] = set()

    def note_model(self) -> None:
        """Find out what the model in use can be explained by; call it when the model changed."""
        self.pretraining = prior_pretraining(self._session)
        self.is_imported = self._session.current_model is not None and run_files.is_imported(
            self._session.current_model
        )
        if self.method not in (method.name for method in self.methods):
            self.method = "cam"

    @property
    def methods(self) -> tuple[ExplainMethod, ...]:
        """The methods for the model in use."""
        return METHODS if self.pretraining is None else (*METHODS, PRIOR)

    @property
    def is_of_a_class(self) -> bool:
        """Whether the chosen method explains a class."""
        return self.method != PRIOR.name

    # What is drawn

    def is_wanted(self, frame_index: int) -> bool:
        """Whether a frame is flagged as the explained class and not rejected, or was asked for.

        Without any scores every frame is.
        """
        reading = self._session.reading
        if reading is None or self.is_all_wanted or frame_index in self.asked or not reading.flags.flag_tracks:
            return True
        name = self.class_name or ""
        track, denied = (
            reading.flags.flag_tracks.get(name),
            reading.entries.labels.negatives.named_at(name, frame_index),
        )
        return track is not None and denied is None and bool(track[frame_index] >= reading.flags.threshold)

    def drawn_on(self, frame_index: int) -> FrameCam | None:
        """The CAM to draw on a frame; None where none is wanted, or while there is none."""
        return self.of(frame_index) if self.is_wanted(frame_index) else None

    def wants_better(self, frame_index: int) -> bool:
        """Whether a frame is to be explained, and could be better than it is."""
        return self.is_wanted(frame_index) and self.can_improve(frame_index)

    # What a frame has

    def of(self, frame_index: int) -> FrameCam | None:
        """The CAM of a frame, or None while it has none."""
        if self.is_from_scores:
            return self._from_scores(frame_index)
        explanation = self.explanation(frame_index)
        model = self._session.current_model
        if explanation is None or model is None:
            return None
        is_prior = explanation.method == PRIOR.name
        origin = tr("pretraining of {model}", model=model.title) if is_prior else model.title
        floor = background(explanation.map, explanation.method, explanation.field_of_view)
        return FrameCam(explanation.map, None, words_of(explanation), origin, floor)

    def explanation(self, frame_index: int) -> Explanation | None:
        """What was computed for a frame, the best there is; None where nothing was."""
        methods: tuple[Method, ...] = ("score-cam", "quick") if self.method == "score-cam" else (self.method,)
        explanations = (self._find(self.request(frame_index, method)) for method in methods)
        return next((explanation for explanation in explanations if explanation is not None), None)

    def shown_method(self, frame_index: int) -> Method:
        """The method of the CAM shown on a frame."""
        explanation = None if self.is_from_scores else self.explanation(frame_index)
        return explanation.method if explanation is not None else self.method

    def score(self, frame_index: int, class_name: str) -> float:
        """A class's score on a frame in [0, 1]: of the study's scores, else of what was computed; NaN without any."""
        reading = self._session.reading
        if reading is not None and class_name in reading.flags.pathology_names:
            return float(reading.flags.track(class_name)[frame_index])
        explanation = self.explanation(frame_index)
        return explanation.scores.get(class_name, math.nan) if explanation else math.nan

    def can_improve(self, frame_index: int) -> bool:
        """Whether something better than what is shown could be computed for a frame."""
        if self.is_from_scores or self.request(frame_index) is None:
            return False
        explanation = self.explanation(frame_index)
        return explanation is None or explanation.method != self.method

    @property
    def is_from_scores(self) -> bool:
        """Whether scoring stored the CAMs of all frames."""
        return self.method == "cam" and self.stored is not None and self.class_name in self._columns()

    @property
    def stored(self) -> NDArray[np.floating] | None:
        """(N, C, h, w) the CAMs that scoring stored; None where it stored none."""
        file = self._session.reading.flags.embeddings if self._session.reading is not None else None
        return None if file is None else file.cams

    # What is computed

    def request(self, frame_index: int, method: Method | None = None, *, refine: bool = False) -> ExplainRequest | None:
        """The request for a frame by a method (default: the chosen one); None without study, network or class."""
        reading, model = self._session.reading, self._session.current_model
        if reading is None or model is None or self.class_name is None or self.is_imported:
            return None
        folder, view = self._session.library.studies.folder(reading.study.recording_id), reading.flags.field_of_view
        run = self.pretraining if (method or self.method) == PRIOR.name else None
        return ExplainRequest(
            model=run.folder if run is not None else model.folder,
            path=reading.study.path,
            index=reading.usable_index,
            numbering=reading.study.frame_numbering,
            frame_index=frame_index,
            method=method or self.method,
            class_name=SIMILARITY if run is not None else self.class_name,
            refine=refine,
            keep_in=folder / FOLDER,
            field_of_view=None if view is None else view.to_json(),
        )

    def take(self, request: ExplainRequest, answer: ExplanationAnswer) -> None:
        """Keep what was answered to a request."""
        self._keep(self._key(request, answer.explanation.method), answer.explanation)

    def forget(self) -> None:
        """Clear the memory, for another study."""
        self._kept.clear()
        self._looked_for.clear()
        self.asked.clear()

    def _find(self, request: ExplainRequest | None) -> Explanation | None:
        """From memory, else from the study's folder."""
        model, reading = self._session.current_model, self._session.reading
        if request is None or model is None or reading is None:
            return None
        key = self._key(request, request.method)
        if key not in self._kept and self._read_later is None:
            if (answer := kept_answer(request, model.weights_sha256)) is not None:
                self._keep(key, answer.explanation)
        elif key not in self._kept and self._read_later is not None and key not in self._looked_for:
            self._looked_for.add(key)
            self._read_later(request, model.weights_sha256)
        if key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key]

    def _keep(self, key: tuple[Any, ...], explanation: Explanation) -> None:
        self._kept[key] = explanation
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    def _key(self, request: ExplainRequest, method: str) -> tuple[Any, ...]:
        return request.path, request.model, request.frame_index, method, request.class_name

    # What scoring kept

    def _columns(self) -> tuple[str, ...]:
        reading = self._session.reading
        file = reading.flags.embeddings if reading is not None else None
        return () if file is None else file.header.classes

    def _from_scores(self, frame_index: int) -> FrameCam | None:
        """The CAM that scoring kept; all frames on one scale, so that weak evidence looks weak."""
        cams, model = self.stored, self._session.current_model
        if cams is None or model is None:
            return None
        column = self._columns().index(self.class_name or "")
        values = np.asarray(cams[frame_index, column], dtype=np.float32)
        if np.isnan(values).any():
            return None
        return FrameCam(values, self._scale_of(cams, column), "CAM", model.title)

    def _scale_of(self, cams: NDArray[np.floating], column: int) -> float | None:
        kept, scales = self._scales
        if kept is None or kept() is not cams:  # not held: on Windows a mapped file cannot be replaced
            scales = {}
            self._scales = ref(cams), scales
        if column not in scales:
            every = max(1, len(cams) // SCALE_SAMPLE)
            scales[column] = full_scale_of(np.asarray(cams[::every, column]))
        return scales[column]
