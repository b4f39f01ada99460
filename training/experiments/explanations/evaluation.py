"""An evaluation of explanations from settings to a report: the order of things."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.compute.plan import choose_device
from training.datasets.image_set import ImageSet, read_image_set
from training.errors import UserError
from training.experiments.explanations.boxed_frames import boxed_frames, boxed_rows, names_groups, read_image_boxes
from training.experiments.explanations.config import EvaluateExplanationsConfig
from training.experiments.explanations.explainers import make_explainer
from training.experiments.explanations.fold_models import fold_models
from training.experiments.explanations.judged_model import JudgedModel
from training.experiments.explanations.judging import FrameJudge, JudgedMap
from training.experiments.explanations.kept_maps import KeptMaps
from training.experiments.explanations.pictures import draw_frame
from training.experiments.explanations.report import make_report
from training.experiments.explanations.report_folder import ExplanationsFolder
from training.experiments.explanations.sample import draw_sample
from training.experiments.explanations.tables import write_tables
from training.inference.explained_class import check_wish
from training.inference.explained_model import ExplainedModel
from training.inference.explanation import LAST_LAYER
from training.runs.begun import removed_if_refused
from training.runs.folder import write_json
from training.runs.reporter import Reporter


class Judge(NamedTuple):
    """The images with boxes, and which of them are sampled."""

    images: ImageSet
    boxes: dict[str, NDArray[np.float64]]
    rows: NDArray[np.int64]
    """(m,) of the labelled images that have boxes."""
    sample: frozenset[int]
    """Rows."""
    shown: frozenset[int]
    """Rows of the sample of which the page has pictures."""
    model: JudgedModel | None
    """The one that was given; None where models of folds are judged."""

    @property
    def shown_names(self) -> frozenset[str]:
        """File names of the images of `shown`."""
        return frozenset(self.images.filenames[int(self.images.labelled.frame_index[row])] for row in self.shown)


def evaluate_explanations(config: EvaluateExplanationsConfig, reporter: Reporter) -> dict[str, Any]:
    """Explain, judge against the boxes, and write the report folder: report.json, CSV, page, pictures, fold models.

    Returns:
        What report.json says; after a stop only {"finished": False, "frames_done", "frames"}.

    Raises:
        UserError: unusable input, a class or layer that the model does not have, or a folder that holds something else.
        Cancelled: as the reporter asked; maps and models that are finished are kept.
    """
    judge = read_judge(config, reporter)
    note = choose_device(config.device)[1]
    if note:
        reporter.log(note)
    folder = ExplanationsFolder(config.out)
    with removed_if_refused(folder.path, lambda: folder.has_made):
        return _evaluate(config, folder, judge, reporter)


def _evaluate(
    config: EvaluateExplanationsConfig, folder: ExplanationsFolder, judge: Judge, reporter: Reporter
) -> dict[str, Any]:
    folder.begin(config)
    judged: list[JudgedMap] = []
    told: list[JudgedModel] = []
    for model in [judge.model] if judge.model else fold_models(config, reporter):
        told.append(model)
        judged += judge_model(config, folder, judge, model, model.open(config), reporter)
    done = len({item.frame.filename for item in judged})
    if reporter.stop_requested:
        return {"finished": False, "frames_done": done, "frames": len(judge.rows)}
    report = make_report(config, judge.images, told, judged, _warnings(config, judge, told), judge.shown_names)
    return _write(folder, report, judged, reporter)


def read_judge(config: EvaluateExplanationsConfig, reporter: Reporter) -> Judge:
    """Images, boxes and the sample; of the model only what it learned from decides on them, where `unseen` is set."""
    boxes = read_image_boxes(config.boxes)
    images = read_image_set(
        config.images,
        config.labels,
        normal_label=config.normal_label,
        classes=config.classes,
        needs_groups=config.folds is not None or names_groups(config.labels),
    )
    rows, groups = boxed_rows(images, boxes, reporter), images.labelled.patients
    model = JudgedModel.of_config(config, frozenset(groups.tolist())) if config.model else None
    if model is not None:
        rows = rows[np.isin(groups[rows], sorted(model.held_out))]
    if not len(rows):
        raise UserError("The model learned from every group that has boxes.", "Leave unseen out, or give other images.")
    order = draw_sample(rows, images.labelled.label, config.sample, config.sample_by, config.seed).tolist()
    return Judge(images, boxes, rows, frozenset(order), frozenset(order[: config.shown]), model)


def judge_model(
    config: EvaluateExplanationsConfig,
    folder: ExplanationsFolder,
    judge: Judge,
    model: JudgedModel,
    ready: ExplainedModel,
    reporter: Reporter,
) -> list[JudgedMap]:
    """Every explanation of every frame that the model has never seen; as far as it came after a stop."""
    groups = judge.images.labelled.patients[judge.rows]
    rows = judge.rows[np.isin(groups, sorted(model.held_out))]
    _check(config, judge, rows, ready)
    explainers = {way: make_explainer(way, config, ready, reporter) for way in config.explain}
    judged: list[JudgedMap] = []
    with KeptMaps(folder.kept(model.number), _identity(config, model, ready), resume=config.resume) as kept:
        one = FrameJudge(config, ready, model.number, explainers, kept)
        for done, boxed in enumerate(boxed_frames(judge.images, judge.boxes, rows, ready.input_size)):
            if reporter.stop_requested:
                break
            reporter.check()
            reporter.progress(done, len(rows), "frames", f"explaining with {ready.model_id}")
            mine = one.judge(boxed, boxed.row in judge.sample)
            judged += mine
            if boxed.row in judge.shown:
                draw_frame(folder.picture(boxed.filename), judge.images.folder / boxed.filename, boxed, mine, config)
    return judged


def _check(config: EvaluateExplanationsConfig, judge: Judge, rows: NDArray[np.int64], ready: ExplainedModel) -> None:
    if "cam" in config.explain:
        check_wish(ready, "cam", LAST_LAYER)
    if not ready.classes and not config.class_name:
        return
    labelled = judge.images.labelled
    names = {config.class_name or labelled.classes[label] for label in labelled.label[rows].tolist()}
    for name in sorted(names - set(ready.classes)):
        raise UserError(
            f"The model {ready.model_id} has no class {name}.",
            f"It has: {', '.join(ready.classes)}. Name the one to explain: --set class_name={ready.classes[-1]}"
            if ready.classes
            else "It knows no classes; leave class_name out.",
        )


def _identity(config: EvaluateExplanationsConfig, model: JudgedModel, ready: ExplainedModel) -> dict[str, Any]:
    """What every kept map and curve depends on."""
    named = ("layer", "class_name", "curve_steps", "deletion", "insertion", "seed")
    asked = {name: getattr(config, name) for name in named}
    return asked | {
        "model_sha256": model.sha256,
        "input_size": model.input_size,
        "precision": ready.plan.precision_name,
    }


LARGE_GROUP = 0.2
"""Share of the judged frames from which one group decides the figures."""


def _warnings(config: EvaluateExplanationsConfig, judge: Judge, told: list[JudgedModel]) -> list[str]:
    groups = judge.images.labelled.patients[judge.rows]
    names, counts = np.unique(groups, return_counts=True)
    said = [
        f"{count} of the {len(groups)} frames with boxes are of one group ({name}): it decides the figures."
        for name, count in zip(names.tolist(), counts.tolist(), strict=True)
        if count > LARGE_GROUP * len(groups) and len(names) > 1
    ]
    taught = told[0].taught & set(names.tolist()) if config.model else frozenset()
    if taught:
        said.append(
            f"The model learned from {len(taught)} of the {len(names)} groups (such as {min(taught)}): what it says of "
            "these frames is not what it would say of frames that it has never seen."
        )
    return said


def _write(
    folder: ExplanationsFolder, report: dict[str, Any], judged: list[JudgedMap], reporter: Reporter
) -> dict[str, Any]:
    """Tables and page first, report.json last: where it is, the report is whole."""
    from training.experiments.explanations.page import write_page

    write_tables(folder.path, report, judged)
    try:
        write_page(folder, report)
    except ImportError as error:
        reporter.log(f"{error.name} is not installed, so there is no page; the figures are there.")
    write_json(folder.report, report)
    for warning in report["warnings"]:
        reporter.log(warning)
    return report
