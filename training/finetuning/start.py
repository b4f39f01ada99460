"""Starts or resumes a fine-tuning in its run folder. Torch is imported only where the network is needed."""

from typing import Any

from training.finetuning import classifier_only, training_set
from training.finetuning.config import FinetuneConfig
from training.finetuning.folder import RunFolder
from training.runs.folder import RunLog
from training.runs.reporter import Reporter
from training.runs.resume import removed_if_refused


def finetune(config: FinetuneConfig, reporter: Reporter) -> dict[str, Any]:
    """Train on labelled frames and write the run folder; see `FinetuneConfig` for what can be set.

    Stopping writes a checkpoint and the model, and the run can be resumed; cancelling keeps the last checkpoint only.
    The card's figures come from held-out frames. Nothing is fitted to them, but they choose the stage that is kept and
    end the training early, so the figures are slightly optimistic.

    Returns:
        JSON values: run, model, model_id, finished, stages (see `stages_entry`), steps_done,
        steps, classes, unlabelled_classes, held_out figures, left_out, split, warning, comparison (path or None),
        verdict (of the comparison, or None), speeds (see `Stopwatch`; not where nothing but a classifier was fitted).

    Raises:
        UserError: unusable input, a diverged loss, a full disk.
        Cancelled: on request of the reporter.
    """
    folder = RunFolder(config.out)
    with removed_if_refused(folder.path, lambda: folder.has_results):
        is_new = not (config.resume and folder.has_results)
        if config.resume and folder.is_started:
            config = folder.resume(config)
        if is_new:
            training_set.read_targets(config)  # report invalid input before the folder is created
            config = folder.create(config)
        with RunLog(folder.path, reporter, "finetune", config) as log:
            if classifier_only.keeps_network(config):
                return log.ended(classifier_only.ClassifierUpdate(config, folder, log).run())
            from training.finetuning.run import Finetuning
            from training.optimisation.pace import threads_for_training

            with threads_for_training(config.threads):
                return log.ended(Finetuning(config, folder, log, reporter).run())
