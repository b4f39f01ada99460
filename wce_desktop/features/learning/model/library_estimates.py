"""What a training would use of the labels and studies of the library, and what it will take; or why it cannot start."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

from training.datasets.labelled_frames import target_classes
from training.datasets.manifest import Manifest
from training.datasets.usable_classes import usable_frames
from training.embeddings.stored import StoredEmbeddings
from training.errors import UserError
from training.finetuning import classifier_only
from training.finetuning.config import FinetuneConfig
from training.finetuning.negatives import count_missing
from training.finetuning.training_set import Labelled, training_set
from training.models.backbones import BACKBONES, find_backbone
from training.models.folder import ModelFolder
from training.models.linear_classifier import network_digests
from training.planning import speed_book
from training.reidentification.run_settings import ReidConfig
from training.runs.provenance import patients_of_card
from training.runs.reporter import Reporter, SilentReporter
from wce_desktop.core import counted, needs, tr
from wce_desktop.core.annotation.label import NORMAL
from wce_desktop.features.learning.model import estimate, starts
from wce_desktop.library.exchange.exporting import label_ends, training_labels
from wce_desktop.library.run_files import is_imported
from wce_desktop.session.demo import DemoLabels, demo_labels, studies_to_learn_from
from wce_desktop.session.keys import key_of
from wce_desktop.session.model_notes import why_not_trained
from wce_desktop.session.presets import built_in, full_config, methods
from wce_desktop.session.session import Session
from wce_desktop.session.study_choice import StudyRow, label_counts, patients_note_on, study_rows
from wce_desktop.session.work import finetuning_start, learns_anew

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
        is_classifier_only: whether the model in use has no network, so that only its classifier can be trained.
    """

    counts: Mapping[str, int]
    study_count: int
    problem: str = ""
    hint: str = ""
    demo: DemoLabels = field(default_factory=DemoLabels)
    negatives: Mapping[str, int] = field(default_factory=dict)
    is_classifier_only: bool = False


def finetune_readiness(session: Session) -> Readiness:
    """Check for what fine-tuning needs: new labels, normal frames and other frames."""
    library, demo = session.library, demo_labels(session)
    totals = library.models.label_totals(demo.left_out)
    ever, new = totals.ever, totals.new_frames
    studies = [study for study in library.studies.all() if study.study_id not in demo.left_out]
    has_normal = NORMAL in ever or any(study.state == "finished" for study in studies)
    has_others = any(name != NORMAL for name in ever)
    model, problem, hint = session.current_model, "", ""
    if why_not := why_not_trained(model):
        problem, hint = why_not, tr("Choose another model: {key}.", key=key_of("choose_model"))
    elif not has_others and totals.new_negatives:
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
    is_classifier_only = model is not None and is_imported(model)
    return Readiness(new, totals.new_studies, problem, hint, demo, totals.new_negatives, is_classifier_only)


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


RESNET50_PARAMETERS = 24_000_000
"""Of the paper's trunk, which is not among the backbones."""
JOINT_PARAMETERS = 1_000_000


def estimate_reid(
    config: ReidConfig, rows: Sequence[StudyRow], book: speed_book.SpeedBook, place: Path
) -> estimate.Estimate:
    """Estimate a training of re-identification on these studies."""
    patients = len({row.study.patient_id for row in rows})
    batch = min(config.procedures, patients)
    images = batch * (2 * config.frame_steps + config.views * config.tracklet_steps)
    speed = book.expect(config.device, config.backbone, config.crop_px)
    frames = sum(row.study.frame_count for row in rows)
    seconds = book.start.value + frames / book.reading.value + images / speed.value
    is_known = config.backbone in BACKBONES
    trunk = find_backbone(config.backbone).parameters if is_known else RESNET50_PARAMETERS
    weights = 4 * (trunk + JOINT_PARAMETERS)
    optimizer = weights * (2 if config.optimizer == "adamw" else 1)
    disk = estimate.RESUMABLE * (weights + optimizer) + weights
    doubt = max(speed.doubt, book.reading.doubt, book.start.doubt)
    steps = counted(config.steps, "step")
    work = tr("Tracklets of {patients}, {steps}.", patients=counted(patients, "patient"), steps=steps)
    work = f"{work} {patients_note_on(rows)}".strip()
    return estimate.Estimate(frames, config.steps, images, seconds, doubt, disk, needs.free_bytes(place), work=work)


def estimate_current(session: Session, preset: str, reporter: Reporter) -> estimate.Estimate:
    """Estimate fine-tuning the model in use on all labels of the library with a built-in preset.

    Reads every label where only the classifier is trained, so it belongs into a thread.
    """
    rows = [row for row in study_rows(session) if row.label_count or row.study.state == "finished"]
    study_ids = studies_to_learn_from(session)
    given, start = finetuning_start(session, preset, study_ids), starts.default_start(session, preset, study_ids)
    chosen = next(one for one in built_in("finetune") if one.name == preset)
    fields = {**given, "device": session.settings["device"], **starts.own_network(start)}
    config = cast(FinetuneConfig, full_config("finetune", next(iter(methods("finetune"))), chosen, fields))
    reporter.check()
    counts, counted = label_counts(session, rows), count_labelled(session, config, study_ids, reporter)
    return estimate.estimate_finetuning(config, rows, counts, session.speeds, session.library.folder, counted)


def count_labelled(
    session: Session, config: FinetuneConfig, study_ids: Collection[str] | None, reporter: Reporter
) -> estimate.LabelledCount | None:
    """Count the frames that a training of the classifier uses; None where it does not keep a model's network.

    Chooses them as the run does. Reads every label of these studies (None: of all), so it belongs into a thread.

    Raises:
        UserError: the labels cannot be used, or the model is damaged.
    """
    if not config.is_classifier_only or not classifier_only.keeps_network(config):
        return None
    folder, library = ModelFolder.open(Path(config.init)), session.library
    manifest, labels = training_labels(library)
    reporter.check()
    rows = [row for row in labels if study_ids is None or row.study_id in study_ids]
    ends, classes = label_ends(manifest, rows), target_classes(rows, config.classes)
    frames = usable_frames(manifest, rows, ends, classes, config.least_frames).frames
    reporter.check()
    labelled, silent = Labelled(frames, tuple(rows), ends), SilentReporter()
    data = training_set(config, labelled, patients_of_card(folder.card), silent)
    sides = classifier_only.sides_to_embed(config, data, folder.config.classes)
    # Known fingerprints, so that no video is read: its drive may not be connected.
    known = {study.study_id: study.fingerprint for study in library.studies.all()}
    stored = StoredEmbeddings(library.folder / "studies", folder.config, network_digests(folder), silent, known)
    with closing(stored):
        return estimate.LabelledCount(sum(map(len, sides)), count_missing(sides, stored, reporter))
