"""What a fine-tuning of the model in use will take; frames that it has not scored yet are computed first."""

from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import cast

from training.datasets.labelled_frames import target_classes
from training.datasets.labels import LabelRow
from training.datasets.manifest import Manifest
from training.datasets.usable_classes import usable_frames
from training.embeddings.stored import StoredEmbeddings
from training.finetuning.classifier_only import keeps_network, sides_to_embed
from training.finetuning.config import FinetuneConfig
from training.finetuning.embedded_frames import count_missing
from training.finetuning.training_set import Labelled, training_set
from training.models.folder import ModelFolder
from training.models.linear_classifier import network_digests
from training.runs.provenance import patients_of_card
from training.runs.reporter import Reporter, SilentReporter
from wce_desktop.features.learning.model.estimate import Estimate, LabelledCount, estimate_finetuning
from wce_desktop.features.learning.model.speed_book import SpeedBook
from wce_desktop.features.learning.model.starts import default_start, own_network
from wce_desktop.library.exchange.exporting import training_labels
from wce_desktop.session.demo import studies_to_learn_from
from wce_desktop.session.presets import built_in, full_config, methods
from wce_desktop.session.session import Session
from wce_desktop.session.study_choice import label_counts, study_rows
from wce_desktop.session.work import finetuning_start


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
    known = {study.study_id: study.fingerprint for study in library.studies()}
    stored = StoredEmbeddings(library.folder / "studies", folder.config, network_digests(folder), silent, known)
    try:
        return LabelledCount(sum(map(len, sides)), count_missing(sides, stored, reporter))
    finally:
        stored.close()


def label_ends(manifest: Manifest, rows: Iterable[LabelRow]) -> dict[str, int]:
    """Study -> frames, enough of them for its labels and spans; its file is not opened."""
    ends = Counter[str]()
    for row in rows:
        ends[row.study_id] = max(ends[row.study_id], row.stop)
    for study in manifest.studies:
        if study.study_id in ends:
            ends[study.study_id] = max(ends[study.study_id], *(span.stop for span in study.spans), 0)
    return ends
