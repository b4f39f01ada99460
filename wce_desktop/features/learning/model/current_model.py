"""What a fine-tuning of the model in use is expected to take."""

from typing import TYPE_CHECKING, cast

from training.runs.reporter import Reporter
from wce_desktop.features.learning.model.estimate import Estimate, estimate_finetuning
from wce_desktop.features.learning.model.missing_embeddings import count_labelled
from wce_desktop.features.learning.model.speed_book import SpeedBook
from wce_desktop.features.learning.model.starts import default_start, own_network
from wce_desktop.session.demo import studies_to_learn_from
from wce_desktop.session.presets import built_in, full_config, methods
from wce_desktop.session.session import Session
from wce_desktop.session.study_choice import label_counts, study_rows
from wce_desktop.session.work import finetuning_start

if TYPE_CHECKING:
    from training.finetuning.config import FinetuneConfig


def estimate_current(session: Session, preset: str, book: SpeedBook, reporter: Reporter) -> Estimate:
    """Estimate fine-tuning the model in use on all labels of the library with a built-in preset.

    Reads every label where only the classifier is trained, so it belongs into a thread.
    """
    rows = [row for row in study_rows(session) if row.label_count or row.study.state == "finished"]
    study_ids = studies_to_learn_from(session)
    given, start = finetuning_start(session, preset, study_ids), default_start(session, preset, study_ids)
    chosen = next(one for one in built_in("finetune") if one.name == preset)
    fields = {**given, "device": session.settings["device"], **own_network(start)}
    config = cast("FinetuneConfig", full_config("finetune", next(iter(methods("finetune"))), chosen, fields))
    reporter.check()
    counts, counted = label_counts(session, rows), count_labelled(session, config, study_ids, reporter)
    return estimate_finetuning(config, rows, counts, book, session.library.folder, counted)
