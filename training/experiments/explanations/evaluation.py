"""An evaluation of explanations, from settings to a report."""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.compute.plan import inference_device
from training.datasets.image_set import ImageSet, read_image_set
from training.errors import UserError
from training.experiments.engine import ReportFolder, large_groups, machine
from training.experiments.explanations import frame_evaluation, page
from training.experiments.explanations.config import COMMAND, EvaluateExplanationsConfig, check_folder
from training.experiments.explanations.explainers import (
    boxed_frames,
    boxed_rows,
    draw_sample,
    make_explainer,
    names_groups,
    read_image_boxes,
)
from training.experiments.explanations.fold_models import EvaluatedModel, fold_models
from training.experiments.explanations.report import make_report, picture_name, write_tables
from training.inference.explained_model import ExplainedModel, check_request
from training.inference.explanation import LAST_LAYER
from training.runs.reporter import Reporter
from training.runs.resume import removed_if_refused


class EvaluationInputs(NamedTuple):
    """The images with boxes, and which of them are sampled."""

    images: ImageSet
    boxes: dict[str, NDArray[np.float64]]
    rows: NDArray[np.int64]
    """(m,) of the labelled images that have boxes."""
    sample: frozenset[int]
    """Rows."""
    shown: frozenset[int]
    """Rows of the sample of which the page has pictures."""
    model: EvaluatedModel | None
    """The given model; None where models of folds are evaluated."""


def evaluate_explanations(config: EvaluateExplanationsConfig, reporter: Reporter) -> dict[str, Any]:
    """Explain, inputs against the boxes, and write the report folder: report.json, CSV, page, pictures, fold models.

    Returns:
        What report.json says; after a stop only {"finished": False, "frames_done", "frames"}.

    Raises:
        UserError: unusable input, a class or layer that the model does not have, or a folder that holds something else.
        Cancelled: as the reporter asked; finished overlays and models are kept.
    """
    inputs = read_inputs(config, reporter)
    note = inference_device(config.device)[1]
    if note:
        reporter.log(note)
    folder = ReportFolder(config.out, COMMAND, ("models/*/fold.json", "maps/*"))
    with removed_if_refused(folder.path, lambda: folder.has_results):
        return _evaluate(config, folder, inputs, reporter)


def _evaluate(
    config: EvaluateExplanationsConfig, folder: ReportFolder, inputs: EvaluationInputs, reporter: Reporter
) -> dict[str, Any]:
    folder.begin(config, check_folder)
    evaluated: list[frame_evaluation.EvaluatedOverlay] = []
    models: list[EvaluatedModel] = []
    for model in [inputs.model] if inputs.model else fold_models(config, reporter):
        models.append(model)
        evaluated += evaluate_model(config, folder, inputs, model, model.open(config), reporter)
    done = len({item.frame.filename for item in evaluated})
    if reporter.stop_requested:
        return {"finished": False, "frames_done": done, "frames": len(inputs.rows)}
    images, warnings = inputs.images, _warnings(config, inputs, models)
    shown = {images.filenames[int(images.labelled.frame_index[row])] for row in inputs.shown}
    report = make_report(config, images, models, evaluated, warnings, shown)
    write_tables(folder.path, report, evaluated)
    folder.write(report, reporter, lambda: page.write_page(folder.page, report))
    return report


def read_inputs(config: EvaluateExplanationsConfig, reporter: Reporter) -> EvaluationInputs:
    """Images, boxes and the sample; where `unseen` is set, without the groups that the model was trained on."""
    boxes = read_image_boxes(config.boxes)
    images = read_image_set(
        config.images,
        config.labels,
        normal_label=config.normal_label,
        classes=config.classes,
        needs_groups=config.folds is not None or names_groups(config.labels),
    )
    images = replace(images, labelled=images.labelled.with_one_label())  # a box does not say which finding it shows
    if sentence := images.labelled.left_out.sentence():
        reporter.log(sentence)
    rows, groups = boxed_rows(images, boxes, reporter), images.labelled.patients
    model = EvaluatedModel.of_config(config, frozenset(groups.tolist())) if config.model else None
    if model is not None:
        rows = rows[np.isin(groups[rows], sorted(model.held_out))]
    if not len(rows):
        raise UserError(
            "The model was trained on every group that has boxes.", "Leave out unseen, or use other images."
        )
    order = draw_sample(rows, images.labelled.label, config.sample, config.sample_by, config.seed).tolist()
    return EvaluationInputs(images, boxes, rows, frozenset(order), frozenset(order[: config.shown]), model)


def evaluate_model(
    config: EvaluateExplanationsConfig,
    folder: ReportFolder,
    inputs: EvaluationInputs,
    model: EvaluatedModel,
    ready: ExplainedModel,
    reporter: Reporter,
) -> list[frame_evaluation.EvaluatedOverlay]:
    """Evaluate the explanations of the model's held-out frames; after a stop only the finished ones."""
    groups = inputs.images.labelled.patients[inputs.rows]
    rows = inputs.rows[np.isin(groups, sorted(model.held_out))]
    _check(config, inputs, rows, ready)
    explainers = {way: make_explainer(way, config, ready, reporter) for way in config.explain}
    evaluated: list[frame_evaluation.EvaluatedOverlay] = []
    stored = folder.path / "maps" / f"fold-{model.number:02}.jsonl"
    with frame_evaluation.StoredOverlays(stored, _identity(config, model, ready), resume=config.resume) as kept:
        one = frame_evaluation.FrameEvaluator(config, ready, model.number, explainers, kept)
        for done, boxed in enumerate(boxed_frames(inputs.images, inputs.boxes, rows, ready.input_size)):
            if reporter.stop_requested:
                break
            reporter.check()
            reporter.progress(done, len(rows), "frames", f"explaining with {ready.model_id}")
            mine = one.evaluate(boxed, boxed.row in inputs.sample)
            evaluated += mine
            if boxed.row in inputs.shown:
                place = folder.path / "pictures" / picture_name(boxed.filename)
                page.draw_frame(place, inputs.images.folder / boxed.filename, boxed, mine, config)
    return evaluated


def _check(
    config: EvaluateExplanationsConfig, inputs: EvaluationInputs, rows: NDArray[np.int64], ready: ExplainedModel
) -> None:
    if "cam" in config.explain:
        check_request(ready, "cam", LAST_LAYER)
    if not ready.classes and not config.class_name:
        return
    labelled = inputs.images.labelled
    names = {config.class_name or labelled.classes[label] for label in labelled.label[rows].tolist()}
    for name in sorted(names - set(ready.classes)):
        raise UserError(
            f"The model {ready.model_id} has no class {name}.",
            f"It has: {', '.join(ready.classes)}. Name the one to explain: --set class_name={ready.classes[-1]}"
            if ready.classes
            else "The model has no classes; leave out class_name.",
        )


def _identity(config: EvaluateExplanationsConfig, model: EvaluatedModel, ready: ExplainedModel) -> dict[str, Any]:
    """What every stored overlay and curve depends on."""
    named = ("layer", "class_name", "curve_steps", "deletion", "insertion", "seed")
    asked = {name: getattr(config, name) for name in named}
    return asked | {
        "model_sha256": model.sha256,
        "input_size": model.input_size,
        "precision": ready.plan.precision,
        "machine": machine(config.device, config.threads),
    }


def _warnings(config: EvaluateExplanationsConfig, inputs: EvaluationInputs, models: list[EvaluatedModel]) -> list[str]:
    groups = inputs.images.labelled.patients[inputs.rows]
    names, said = set(groups.tolist()), large_groups(groups, "frames with boxes")
    trained_on = models[0].trained_on & names if config.model else frozenset()
    if trained_on:
        said.append(
            f"The model was trained on {len(trained_on)} of the {len(names)} groups (such as {min(trained_on)}): its "
            "explanations of these frames may differ from those of unseen frames."
        )
    return said
