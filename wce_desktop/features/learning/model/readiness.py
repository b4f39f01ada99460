"""The labels that a fine-tuning would use, or why it cannot start."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from training.datasets.labelled_frames import target_classes
from training.datasets.manifest import Manifest
from training.datasets.usable_classes import usable_frames
from training.errors import UserError
from wce_desktop.core.annotation.label import NORMAL
from wce_desktop.core.language import tr
from wce_desktop.library.exchange.exporting import label_ends, training_labels
from wce_desktop.session.demo import DemoLabels, demo_labels
from wce_desktop.session.session import Session
from wce_desktop.session.work import learns_anew

STARTS_ANEW = (
    "The model in use was trained on synthetic images only, so training starts from ImageNet weights and the new model "
    "knows only the classes that are labelled (except with “Update the classifier only”)."
)


@dataclass(frozen=True)
class Readiness:
    """The labels that a fine-tuning would use.

    Attributes:
        counts: frames of each class labelled since the current model was trained.
        negatives: frames on which a class is not there, said since then, by that class.
        study_count: number of studies with these frames.
        problem: why fine-tuning cannot start; empty when it can.
        hint: what to do about it; else which labels a fine-tuning would leave out and what it starts from, if known
            (`checked_readiness`).
        demo: the labels of the demo study.
    """

    counts: Mapping[str, int]
    study_count: int
    problem: str = ""
    hint: str = ""
    demo: DemoLabels = field(default_factory=DemoLabels)
    negatives: Mapping[str, int] = field(default_factory=dict)


def finetune_readiness(session: Session) -> Readiness:
    """Check for what fine-tuning needs: new labels, normal frames and other frames."""
    library, demo = session.library, demo_labels(session)
    totals = library.models.label_totals(demo.left_out)
    ever, new = totals.ever, totals.new_frames
    studies = [study for study in library.studies.all() if study.study_id not in demo.left_out]
    has_normal = NORMAL in ever or any(study.state == "finished" for study in studies)
    has_others = any(name != NORMAL for name in ever)
    problem, hint = "", ""
    if not has_others and totals.new_negatives:
        problem = tr("Classes were only rejected: no frame has a label other than normal.")
        hint = tr("A rejection says where a class is not. Label some frames on which a class is there, with 1 to 9.")
    elif not ever:
        problem, hint = tr("No labels yet."), tr("Label what you see with 1 to 9, and normal frames with 0.")
    elif not has_others:
        problem, hint = tr("Only normal frames are labelled."), tr("Label what you find with 1 to 9.")
    elif not has_normal:
        problem, hint = tr("No normal frames are labelled."), tr("Label some with 0, or finish reading a study.")
    elif not new and not totals.new_negatives:
        problem, hint = tr("No new labels since this model was trained."), tr("Label some more frames first.")
    return Readiness(new, totals.new_studies, problem, hint, demo, totals.new_negatives)


def checked_readiness(session: Session) -> Readiness:
    """As `finetune_readiness`, and the sentences that the run says about labels that it cannot use.

    Reads every label of the library, so it belongs into a thread.
    """
    readiness = finetune_readiness(session)
    if readiness.problem:
        return readiness
    manifest, labels = training_labels(session.library)
    rows = [row for row in labels if row.study_id not in readiness.demo.left_out]
    ends = label_ends(manifest, rows)
    try:
        left_out = usable_frames(manifest, rows, ends, target_classes(rows, ())).sentences
    except UserError as error:
        return replace(readiness, problem=tr(error.message), hint=tr(error.hint))
    learns_from = {study.study_id for study in session.library.studies.all()} - readiness.demo.left_out
    anew = [tr(STARTS_ANEW)] if learns_anew(session, learns_from) else []
    used = Manifest(studies=tuple(study for study in manifest.studies if study.study_id in ends))
    note = [used.patients_note] if used.patients_note else []
    return replace(readiness, hint=" ".join([*map(tr, left_out), *anew, *map(tr, note)]))
