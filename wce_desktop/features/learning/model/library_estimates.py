"""What trainings will take, as far as the labels and studies of the library decide it."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import cast

from training.datasets.labelled_frames import target_classes
from training.datasets.usable_classes import usable_frames
from training.embeddings.stored import StoredEmbeddings
from training.finetuning.classifier_only import keeps_network, sides_to_embed
from training.finetuning.config import FinetuneConfig
from training.finetuning.negatives import count_missing
from training.finetuning.training_set import Labelled, training_set
from training.models.backbones import BACKBONES, find_backbone
from training.models.folder import ModelFolder
from training.models.linear_classifier import network_digests
from training.reidentification.run_settings import ReidConfig
from training.runs.provenance import patients_of_card
from training.runs.reporter import Reporter, SilentReporter
from wce_desktop.core.clock import counted
from wce_desktop.core.language import tr
from wce_desktop.features.learning.model.estimate import (
    RESUMABLE,
    Estimate,
    LabelledCount,
    estimate_finetuning,
    free_bytes,
)
from wce_desktop.features.learning.model.speed_book import SpeedBook
from wce_desktop.features.learning.model.starts import default_start, own_network
from wce_desktop.library.exchange.exporting import label_ends, training_labels
from wce_desktop.session.demo import studies_to_learn_from
from wce_desktop.session.presets import built_in, full_config, methods
from wce_desktop.session.session import Session
from wce_desktop.session.study_choice import StudyRow, label_counts, patients_note_on, study_rows
from wce_desktop.session.work import finetuning_start

RESNET50_PARAMETERS = 24_000_000
"""Of the paper's trunk, which is not among the backbones."""
JOINT_PARAMETERS = 1_000_000


def estimate_reid(config: ReidConfig, rows: Sequence[StudyRow], book: SpeedBook, place: Path) -> Estimate:
    """Estimate a training of re-identification on these studies."""
    patients = len({row.study.patient_id for row in rows})
    batch = 2 * min(config.procedures, patients)
    images = batch * (config.frame_steps + config.tracklet_steps * config.views)
    speed = book.expect(config.device, config.backbone, config.crop_px)
    frames = sum(row.study.frame_count for row in rows)
    seconds = book.start.value + frames / book.reading.value + images / speed.value
    is_known = config.backbone in BACKBONES
    trunk = find_backbone(config.backbone).parameters if is_known else RESNET50_PARAMETERS
    weights = 4 * (trunk + JOINT_PARAMETERS)
    optimizer = weights * (2 if config.optimizer == "adamw" else 1)
    disk = RESUMABLE * (weights + optimizer) + weights
    doubt = max(speed.doubt, book.reading.doubt, book.start.doubt)
    steps = counted(config.steps, "step")
    work = tr("Tracklets of {patients}, {steps}.", patients=counted(patients, "patient"), steps=steps)
    work = f"{work} {patients_note_on(rows)}".strip()
    return Estimate(frames, config.steps, images, seconds, doubt, speed.value, disk, free_bytes(place), work=work)


def estimate_current(session: Session, preset: str, book: SpeedBook, reporter: Reporter) -> Estimate:
    """Estimate fine-tuning the model in use on all labels of the library with a built-in preset.

    Reads every label where only the classifier is trained, so it belongs into a thread.
    """
    rows = [row for row in study_rows(session) if row.label_count or row.study.state == "finished"]
    study_ids = studies_to_learn_from(session)
    given, start = finetuning_start(session, preset, study_ids), default_start(session, preset, study_ids)
    chosen = next(one for one in built_in("finetune") if one.name == preset)
    fields = {**given, "device": session.settings["device"], **own_network(start)}
    config = cast(FinetuneConfig, full_config("finetune", next(iter(methods("finetune"))), chosen, fields))
    reporter.check()
    counts, counted = label_counts(session, rows), count_labelled(session, config, study_ids, reporter)
    return estimate_finetuning(config, rows, counts, book, session.library.folder, counted)


def count_labelled(
    session: Session, config: FinetuneConfig, study_ids: Collection[str] | None, reporter: Reporter
) -> LabelledCount | None:
    """Count the frames that a training of the classifier uses; None where it does not keep a model's network.

    Chooses them as the run does. Reads every label of these studies (None: of all), so it belongs into a thread.

    Raises:
        UserError: the labels cannot be used, or the model is damaged.
    """
    if not config.is_classifier_only or not keeps_network(config):
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
    sides = sides_to_embed(config, data, folder.config.classes)
    # Known fingerprints, so that no video is read: its drive may not be connected.
    known = {study.study_id: study.fingerprint for study in library.studies.all()}
    stored = StoredEmbeddings(library.folder / "studies", folder.config, network_digests(folder), silent, known)
    try:
        return LabelledCount(sum(map(len, sides)), count_missing(sides, stored, reporter))
    finally:
        stored.close()
