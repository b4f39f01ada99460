"""What every fine-tuning leaves in its run folder beside the weights: card, comparison, result."""

from collections.abc import Callable, Mapping
from typing import Any

from training.finetuning.card import Made, model_card
from training.finetuning.config import FinetuneConfig
from training.finetuning.folder import RunFolder
from training.finetuning.training_set import TrainingSet
from training.metrics.figures import trust_warning
from training.runs.folder import write_json
from training.runs.reporter import Reporter
from training.texts import join_texts

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
    """
    split = data.split
    warning = join_texts(" ", (trust_warning(dict(figures)), split.sentence))
    card = model_card(config, made, data, figures, warning) | {"stages": dict(stages)}
    save(card)
    if comparison:
        write_json(folder.comparison, {**comparison, "stages": dict(stages)})
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
