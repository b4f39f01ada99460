"""What the card says beside a model's scores: its training images, and thresholds."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from training.datasets.synthetic import SYNTHETIC_ONLY, is_synthetic
from training.metrics.calibration import calibrated_by
from training.models.backbones import GRAPH
from wce_desktop.core import rate_text
from wce_desktop.core.event import Event
from wce_desktop.core.language import to_translate, tr
from wce_desktop.core.study import Study
from wce_desktop.library import Model
from wce_desktop.library.run_files import backbone_of, is_imported, read_card
from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session

DEMO_MODEL_SHA256 = "33e7887935af397dfb30590b16e903b0ca67b0698602616205fba6a4de5b35b7"
"""Weights of the model that older versions shipped, of which libraries have a copy."""

BY_LIVE = to_translate("Flags are those of the live scores")


def training_note(model: Model, card: Mapping[str, Any] | None = None) -> str:
    """A short text if a model was trained on synthetic images only; empty for others and where it is unknown.

    Args:
        card: of the model; None: it is read.
    """
    unsaid = "synthetic" if model.weights_sha256 == DEMO_MODEL_SHA256 else ""
    card = read_card(model) if card is None else card
    return tr(SYNTHETIC_ONLY) if card.get("trained_on", unsaid) == "synthetic" else ""


def is_graph(model: Model) -> bool:
    """Whether it is a classifier of another program, which scores and can do nothing else."""
    return backbone_of(model) == GRAPH


def why_not_trained(model: Model | None) -> str:
    """Why a model cannot be fine-tuned; empty where it can be, also where only its classifier can."""
    if model is None or not is_graph(model):
        return ""
    return tr("This classifier of another program can only score; it cannot be trained.")


def why_not_cross_validated(model: Model | None) -> str:
    """Why a model cannot be cross-validated; empty where it can be."""
    if model is not None and is_imported(model):
        return tr("The embeddings of this model were imported: it has no network that could be trained once more.")
    return why_not_trained(model)


MANY_UNFAMILIAR = 0.1
"""Share of unfamiliar frames from which the window says so: twice that of studies like those of the training."""


def unfamiliar_words(reading: Reading, least: float = 0.0) -> str:
    """How much of a study looks unlike the training; empty where that is not known, or less than `least`."""
    marks = reading.flags.unfamiliar
    if marks is None or np.isnan(marks).all() or (share := float(np.nanmean(marks))) < least:
        return ""
    return tr("{share} of the frames of this study are unlike the training of the model.", share=rate_text(share))


def switched_off(session: Session) -> str:
    """The titles of the classes of the model in use that are switched off; empty where there are none."""
    classes = session.current_model.classes if session.current_model is not None else ()
    return ", ".join(session.vocabulary.of(name).shown_title for name in classes if name in session.vocabulary.off)


def calibrated_words(session: Session, event: Event) -> str:
    """How often frames with the score of an event show its class, by the model's card; empty where it does not say.

    Nor is anything said of live scores, and of real studies by a model of synthetic images.
    """
    reading, model = session.reading, session.current_model
    scores = reading.flags.scores if reading is not None else None
    if model is None or scores is None or event.name not in scores.classes or score_note(session):
        return ""
    platt = calibrated_by(session.card(model), event.name)
    row = int(np.searchsorted(scores.frame_index, event.peak_frame))
    if platt is None or row >= len(scores.frame_index):
        return ""
    share = 100 * float(platt.apply(scores.track(event.name)[row : row + 1])[0])
    return tr("of 100 labelled frames of held-out patients with such a score {count} show it", count=round(share))


def score_note(session: Session, study: Study | None = None) -> str:
    """The `training_note` of the model in use beside its scores of a study; empty for a synthetic study.

    Where the live scores flag frames, that is said instead.

    Args:
        session: its model.
        study: None: the open study, and without one the model alone.
    """
    reading = session.reading
    if session.scores.are_flags_live:
        return tr(BY_LIVE)
    is_rendered = reading is not None and reading.is_synthetic if study is None else is_synthetic(study.path)
    if session.current_model is None or is_rendered:
        return ""
    return training_note(session.current_model, session.card(session.current_model))
