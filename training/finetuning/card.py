"""The card of a model: classes, method, data, metrics and lineage.

What every fine-tuning leaves in its run folder beside the weights: card, comparison, result.
"""

import datetime
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from training.datasets.data_digest import labelled_digest
from training.datasets.synthetic import lineage_entry, trained_on
from training.embeddings.familiar import Familiar
from training.finetuning.config import FinetuneConfig
from training.finetuning.folder import RunFolder
from training.finetuning.negatives import negatives_among, negatives_sentence
from training.finetuning.training_set import TrainingSet
from training.methods.registry import method_title
from training.metrics.figures import trust_warning
from training.metrics.within_source import within_source_sentence
from training.models.config import ModelConfig
from training.models.folder import ModelFolder
from training.runs.folder import write_json
from training.runs.provenance import CLASSIFIER_PATIENTS, first_start, patients_of_card
from training.runs.reporter import Reporter
from training.texts import Text, join_texts
from training.version import made_with

NOTICE = "Research use only, not for diagnosis."


@dataclass(frozen=True)
class Fit:
    """How far a training went; that of a classifier alone has no steps."""

    steps_done: int = 0
    """Fewer than requested after a stop."""
    steps: int = 0
    memory: str = ""
    """A sentence if GPU memory ran out and batches were split into smaller parts."""
    stopped_early: bool = False
    """Whether early stopping ended the training."""

    @property
    def is_finished(self) -> bool:
        """False if the training was stopped on request."""
        return self.stopped_early or self.steps_done >= self.steps


@dataclass(frozen=True)
class Made:
    """A new model apart from its weights."""

    network: ModelConfig
    lineage: Mapping[str, Any]
    """The origin of the weights."""
    fitted: Fit
    device: str
    precision: str
    rehearsed: int = 0
    """Frames that kept classes of the old model."""
    learned_from_held_out: bool = False
    """Whether the classifier, after its evaluation, learned from the held-out frames, too."""


def lineage_of(folder: ModelFolder) -> dict[str, Any]:
    """The lineage of a model that starts from another one."""
    lineage = {"init": "model", "model_id": folder.config.model_id, "sha256": folder.sha256}
    lineage |= {"first_start": first_start(folder.card)}
    return {**lineage, **lineage_entry(folder.card), "taught_patients": sorted(patients_of_card(folder.card))}


def model_card(
    config: FinetuneConfig, made: Made, data: TrainingSet, figures: Mapping[str, Any], warning: str
) -> dict[str, Any]:
    """JSON values.

    `unlabelled_classes`, `unlabelled_sentence` and `trained_on` (None if unknown): see the functions of these names.
    """
    network, fitted = made.network, made.fitted
    paths = {"studies", "labels", "boxes", "embeddings", "replaces", "out", "init", "weights_cache", "resume"}
    settings = config.model_dump(mode="json", exclude=paths)
    negatives = [negatives_among(side, network.classes) for side in data.negatives]
    numbers = {number for part in (data.everything, *negatives) for number in part.study.tolist()}
    used = [data.everything.studies[number] for number in sorted(numbers)]
    return {
        "schema_version": 1,
        "notice": NOTICE,
        "model_id": network.model_id,
        "classes": list(network.classes),
        "unlabelled_classes": unlabelled_classes(network.classes, data),
        "unlabelled_sentence": unlabelled_sentence(network.classes, data, made.rehearsed),
        "trained_on": trained_on((study.path for study in used), made.lineage),
        "method": {
            "name": config.method,
            "title": method_title(config.method),
            "preset": config.preset,
            "settings": settings,
        },
        "data": {
            "studies": sorted(study.study_id for study in used),
            "labelled": data.everything.counts(),
            "learned_from": data.training.counts(),
            "judged_by": data.held_out.counts(),
            "left_out": data.labelled.left_out,
            "not_there": negatives_sentence(*negatives),
            "sha256": labelled_digest(data.everything, *data.negatives),
        },
        "split": {
            "kind": data.split.kind,
            "training_patients": list(data.split.training_patients),
            "held_out_patients": list(data.split.held_out_patients),
            CLASSIFIER_PATIENTS: sorted({*data.held_out.patients.tolist(), *negatives[1].patients.tolist()})
            if made.learned_from_held_out
            else [],
            "sentence": data.split.sentence,
        },
        "held_out": dict(figures),
        "warning": warning,
        "lineage": dict(made.lineage),
        "finished": fitted.is_finished,
        "steps_done": fitted.steps_done,
        "steps": fitted.steps,
        "memory": fitted.memory,
        "device": made.device,
        "precision": made.precision,
        "seed": config.seed,
        "created_utc": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        **made_with(has_name=config.record_host),
    }


def unlabelled_classes(classes: Sequence[str], data: TrainingSet) -> list[str]:
    """Those of the model's classes without labels in this run, which are not evaluated."""
    return [name for name in classes if name not in data.everything.classes]


def unlabelled_sentence(classes: Sequence[str], data: TrainingSet, rehearsed: int) -> str:
    """Names the model's classes without labels in this run, and what keeps them; empty where there is none.

    `rehearsed`: number of frames that the run rehearses.
    """
    names = unlabelled_classes(classes, data)
    if not names:
        return ""
    sentence = Text("Classes of the model without labels in this run: {names}.", ", ".join(names))
    if not rehearsed:
        return sentence + " " + Text("Nothing was done to keep them, so the new model may have forgotten them.")
    return sentence + " " + Text("{rehearsed} frames keep what the old model knew of them.", rehearsed)


FROM_CARD = (
    "model_id", "finished", "stages", "steps_done", "steps", "classes", "unlabelled_classes", "held_out", "warning",
)  # fmt: skip


def write_results(
    folder: RunFolder,
    config: FinetuneConfig,
    made: Made,
    data: TrainingSet,
    figures: Mapping[str, Any],
    stages: Mapping[str, Any],
    save: Callable[[Mapping[str, Any]], object],
    comparison: dict[str, Any],
    reporter: Reporter,
    by_source: Mapping[str, Any],
    familiar: Familiar | None,
) -> dict[str, Any]:
    """Write model folder, comparison and card; returns the result of `finetune`.

    Args:
        folder: of the run.
        config: settings.
        made: the new model.
        data: labelled frames.
        figures: of the new model on held-out frames.
        stages: see `stages_entry`; may be empty.
        save: writes the model folder with the card that it gets.
        comparison: content of comparison.json; {} if there is no old model.
        reporter: logs the verdict and a warning about the figures.
        by_source: entries of the card about each source of the held-out frames; see `source_figures`.
        familiar: what the training frames look like; None: there are too few.
    """
    split = data.split
    warning = join_texts(" ", (trust_warning(dict(figures)), split.sentence))
    card = model_card(config, made, data, figures, warning) | {"stages": dict(stages), **by_source}
    within = within_source_sentence(by_source.get("within_source", {}))
    for sentence in (
        within,
        *(by_source.get(part, {}).get("sentence") for part in ("operating_points", "calibration")),
    ):
        if sentence:
            reporter.log(sentence)
    save(card)
    if familiar is not None:
        familiar.write(folder.model)
    if comparison:
        fit = {} if made.fitted.is_finished else {"stopped_after": [made.fitted.steps_done, made.fitted.steps]}
        write_json(folder.comparison, {**comparison, **fit, "stages": dict(stages), "within_source": within})
        reporter.log(comparison["verdict"]["sentence"])
    write_json(folder.card, card)
    if warning:
        reporter.log(warning)
    return {
        "run": str(folder.path),
        "model": str(folder.model),
        "comparison": str(folder.comparison) if comparison else None,
        "verdict": comparison.get("verdict"),
        "left_out": data.labelled.left_out,
        "split": split.kind,
        **{name: card[name] for name in FROM_CARD},
    }
