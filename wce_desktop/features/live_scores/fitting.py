"""Fits the live head to the labels of all scored studies; runs in threads of the window, no Qt."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from training.datasets.labelled_frames import LabelledFrames, target_classes
from training.datasets.usable_classes import usable_frames
from training.embeddings.stored import StoredEmbeddings
from training.errors import UserError
from training.finetuning import live_head
from training.finetuning.negatives import EmbeddedFrames, absent_classes, distinct, negatives_among, stored_rows
from training.models.folder import ModelFolder
from training.models.linear_classifier import network_digests
from training.models.logistic import AbsentClasses
from training.models.scores import SCORES
from training.runs.reporter import Reporter
from wce_desktop.core import counted, score_text, to_translate, tr
from wce_desktop.core.annotation.label import NORMAL
from wce_desktop.core.event import Scores
from wce_desktop.core.study import Study
from wce_desktop.library.exchange.exporting import label_ends, training_labels
from wce_desktop.session import demo, keys, state
from wce_desktop.session.session import Session

TOO_FEW = to_translate("too few labelled studies to estimate")
NO_MODEL = to_translate(
    "No model is in use, so there are no embeddings to learn from. Add a model folder: {add_model}."
)
NOT_SCORED = to_translate("No labelled study is scored by the model in use. Score this study: {score_study}.")
SAY_NORMAL = to_translate("Label some normal frames, too: {label_0}.")
SAY_OTHERS = to_translate("Label what you find, too: {label_1} to {label_9}.")


@dataclass(frozen=True, eq=False)
class LiveFit:
    """What the labels give now.

    Attributes:
        head: None where nothing can be fitted.
        problem: why there is no head, with what to do; empty where there is one.
        used: the labelled frames and their embeddings.
        negatives: frames on which a class is not there that take part, too.
        study_id: the study that was open.
        scores: of that study; None where it is not scored by this network, or without a head.
        not_scored: studies with labels that take no part: the network in use has not scored them.
    """

    head: state.LiveHead | None = None
    problem: str = ""
    used: EmbeddedFrames | None = None
    negatives: LabelledFrames | None = None
    study_id: str = ""
    scores: Scores | None = None
    not_scored: tuple[Study, ...] = ()

    @property
    def study_ids(self) -> frozenset[str]:
        """The studies whose labels take part."""
        parts = [self.used.labelled if self.used is not None else None, self.negatives]
        return frozenset(part.studies[at].study_id for part in parts if part is not None for at in set(part.study))


@dataclass
class LiveFitting:
    """Fits heads of one model's embeddings; used by one thread at a time.

    Except `penalty`: the newest one that was chosen by cross-validation.
    """

    session: Session
    penalty: float = live_head.PENALTY
    _folder: ModelFolder | None = field(default=None, repr=False)

    def fit(self, reporter: Reporter) -> LiveFit:
        """The head of all labels, and its scores of the open study."""
        model, library = self.session.current_model, self.session.library
        if model is None:
            return LiveFit(problem=keys.with_keys(tr(NO_MODEL)))
        if self._folder is None or self._folder.path != model.folder:
            self._folder = ModelFolder.open(model.folder)
        folder = self._folder
        try:
            left_out = demo.demo_labels(self.session).left_out
            manifest, labels = training_labels(library)
            rows = [row for row in labels if row.study_id not in left_out]
            ends = label_ends(manifest, rows)
            frames = usable_frames(
                manifest, rows, ends, target_classes(rows, ()), 1
            ).frames  # a fine-tuning would use them, too
        except UserError as error:
            return LiveFit(problem=tr(error))
        reporter.check()
        # Known fingerprints, so that no video is read: its drive may not be connected.
        known = {study.study_id: study.fingerprint for study in library.studies.all()}
        stored = StoredEmbeddings(library.folder / "studies", folder.config, network_digests(folder), reporter, known)
        with closing(stored):
            return self._fit(frames, stored, model.model_id, reporter)

    def _fit(self, frames: LabelledFrames, stored: StoredEmbeddings, model_id: str, reporter: Reporter) -> LiveFit:
        labelled = live_head.frames_to_learn(frames)
        embeddings, is_stored = stored_rows(labelled, stored)
        not_scored = self._without(labelled, is_stored)
        rows = np.flatnonzero(is_stored & np.isfinite(embeddings).all(axis=1))
        used = EmbeddedFrames(live_head.select_present(labelled, rows), embeddings[rows])
        if problem := _problem(used.labelled.counts()):
            return LiveFit(problem=problem, not_scored=not_scored)
        reporter.check()
        negatives, absent = _absent(frames.negatives, used.labelled.classes, stored)
        classifier = live_head.fit_head(used.labelled, used.embeddings, self.penalty, absent)
        head = state.LiveHead(model_id, used.labelled.classes, classifier, used.labelled.counts())
        study_id, scores = self._scores(head, stored, reporter)
        return LiveFit(head, "", used, negatives, study_id, scores, not_scored)

    def _without(self, frames: LabelledFrames, is_stored: NDArray[np.bool_]) -> tuple[Study, ...]:
        """The labelled studies of which no frame is stored."""
        numbers = set(np.unique(frames.study).tolist()) - set(np.unique(frames.study[is_stored]).tolist())
        return tuple(self.session.library.studies.get(frames.studies[number].study_id) for number in sorted(numbers))

    def _scores(self, head: state.LiveHead, stored: StoredEmbeddings, reporter: Reporter) -> tuple[str, Scores | None]:
        """The open study, and its scores."""
        reading = self.session.reading
        if reading is None:
            return "", None
        study_id = reading.study.study_id
        file = stored.file(study_id, reading.study.path)
        if file is None or len(file) != reading.frame_count:
            return study_id, None
        return study_id, Scores(head.classes, head.scores(file, reporter), file.frame_index, head.model_id)


def _absent(
    negatives: LabelledFrames | None, classes: Sequence[str], stored: StoredEmbeddings
) -> tuple[LabelledFrames | None, AbsentClasses | None]:
    """Frames on which a class is not there, as far as they are scored, and what they say; None if there are none."""
    if negatives is None:
        return None, None
    chosen = negatives_among(negatives, classes)
    frames = distinct(chosen)
    embeddings = stored_rows(frames, stored)[0]
    there = np.flatnonzero(np.isfinite(embeddings).all(axis=1))
    scored = frames.select(there)
    return scored, absent_classes(chosen, scored, embeddings[there], classes, SCORES)


def estimate_in_words(found: live_head.HeadEstimate | None, titles: Mapping[str, str]) -> str:
    """ "AUC of blood 0.93, cross-validated over 7 patients"; or why there is none."""
    if found is None:
        return tr(TOO_FEW)
    figures = ", ".join(f"{titles.get(name, name)} {score_text(value)}" for name, value in found.auc.items())
    return tr(
        "AUC of {figures}, cross-validated over {patients} with {labels}",
        figures=figures,
        patients=counted(found.patients, "patient"),
        labels=counted(found.labels, "label"),
    )


def _problem(counts: Mapping[str, int]) -> str:
    """Why these labelled frames cannot be told apart; empty where they can."""
    if not counts:
        return keys.with_keys(tr(NOT_SCORED))
    if NORMAL not in counts:
        return keys.with_keys(tr(SAY_NORMAL))
    return "" if len(counts) > 1 else keys.with_keys(tr(SAY_OTHERS))
