"""One frame explained by CAM or Score-CAM, of a model that stays loaded or of a folder; and the picture of it."""

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from training.errors import UserError
from training.inference.cam import class_activation_maps, normalise_cam
from training.inference.explain_picture import draw_explanation, write_png
from training.inference.explain_target import Judged, Target, class_logit, similarity_to
from training.inference.explained_model import ExplainedModel
from training.inference.explanation import LAST_LAYER, METHODS, SIMILARITY, Explanation, Method
from training.inference.layered_trunk import check_layer
from training.inference.score_cam import score_cam
from training.inference.score_cam_quick import AGREEMENT, quick_score_cam
from training.runs.reporter import Reporter
from training.video import FieldOfView, FrameIndex, open_source, prepare_frame, study_field_of_view


def explain(
    model: ExplainedModel,
    frame: NDArray[np.uint8],
    view: FieldOfView,
    method: Method = "cam",
    *,
    class_name: str = "",
    layer: str = LAST_LAYER,
    reporter: Reporter | None = None,
) -> Explanation:
    """Explain one frame.

    Args:
        model: kept loaded by the caller.
        frame: (H, W, 3) uint8 RGB as decoded.
        view: the study's field of view.
        method: "cam"; "score-cam", exact; or "quick", a Score-CAM of fewer channels with its `agreement`.
        class_name: the class; "" for the highest score that is not normal's, `SIMILARITY` where there are no classes.
        layer: whose feature map is shown; CAMs are made of the last one.
        reporter: progress in channels, and whether to go on, for the two Score-CAMs.

    Raises:
        UserError: no such method, class or layer; a CAM of a model without classifier or of an earlier layer.
        Cancelled: the reporter asked to end.
    """
    prepared = prepare_frame(frame, view, model.input_size)
    return explain_prepared(model, prepared, view, method, class_name=class_name, layer=layer, reporter=reporter)


def explain_prepared(
    model: ExplainedModel,
    prepared: NDArray[np.uint8],
    view: FieldOfView,
    method: Method = "cam",
    *,
    class_name: str = "",
    layer: str = LAST_LAYER,
    reporter: Reporter | None = None,
) -> Explanation:
    """`explain` of a frame (S, S, 3) that went through `prepare_frame` already."""
    _check(model, method, layer)
    with torch.inference_mode():
        features = model.exact.features(model.normalised(prepared))
        judged = model.judge(features)
    chosen = choose_class(model, judged, class_name)
    scores = model.scores(judged)
    if method == "cam":
        raw, agreement = _cams(model, features)[_column(model, chosen)], None
    elif method == "quick":
        target = target_of(model, judged, chosen)
        raw, agreement = quick_score_cam(model, prepared, target, layer=layer, reporter=reporter).map, AGREEMENT
    else:
        target = target_of(model, judged, chosen)
        raw, agreement = score_cam(model, prepared, target, layer=layer, reporter=reporter).map, None
    return Explanation(method, chosen, model.model_id, layer, normalise_cam(raw), view, scores, agreement)


def explain_classes(model: ExplainedModel, frame: NDArray[np.uint8], view: FieldOfView) -> dict[str, Explanation]:
    """Class -> CAM of one frame, from a single forward pass.

    Raises:
        UserError: the model has no linear classifier.
    """
    _check(model, "cam", LAST_LAYER)
    with torch.inference_mode():
        features = model.exact.features(model.normalised(prepare_frame(frame, view, model.input_size)))
        scores = model.scores(model.judge(features))
    return {
        name: Explanation("cam", name, model.model_id, LAST_LAYER, normalise_cam(raw), view, scores)
        for name, raw in zip(model.classes, _cams(model, features), strict=True)
    }


def choose_class(model: ExplainedModel, judged: Judged, wanted: str) -> str:
    """The class that is explained: the wanted one, else the highest but normal, else `SIMILARITY`.

    Raises:
        UserError: the model has no such class.
    """
    if wanted in model.classes or wanted == SIMILARITY:
        return wanted
    if wanted:
        has = f"It has: {', '.join(model.classes)}." if model.classes else "It knows no classes; leave the class out."
        raise UserError(f"The model has no class {wanted!r}.", has)
    if judged.logits is None:
        return SIMILARITY
    return model.classes[1 + int(judged.logits[0, 1:].argmax())]


def target_of(model: ExplainedModel, judged: Judged, class_name: str) -> Target:
    """A class's logit, or the similarity to the frame's own embedding."""
    if class_name in model.classes:
        return class_logit(model.classes.index(class_name))
    return similarity_to(judged.embedding[0])


def explain_frame(
    path: Path,
    frame_index: int,
    model: ExplainedModel,
    out: Path,
    method: Method = "cam",
    *,
    class_name: str = "",
    layer: str = LAST_LAYER,
    index: FrameIndex | None = None,
    reporter: Reporter | None = None,
) -> Explanation:
    """Write a PNG of the frame beside its explanation; everything outside the field of view (names, clock) is black.

    Args:
        path: the study.
        frame_index: counted from 0.
        model: what is explained.
        out: the picture.
        method: see `explain`; so are `class_name`, `layer` and `reporter`.
        class_name: the class.
        layer: whose feature map is shown.
        index: the study's, where it was saved.
        reporter: of the two Score-CAMs.

    Raises:
        UserError: as `explain`; no such study or frame, one that does not decode, a picture that cannot be written.
        Cancelled: the reporter asked to end.
    """
    _check(model, method, layer)
    with open_source(path, index=index) as source:
        if not 0 <= frame_index < len(source):
            raise UserError(f"{path.name} has no frame {frame_index:,}.", f"It has 0 to {len(source) - 1:,}.")
        frame = source.read(frame_index)
        seconds = float(source.index.video_seconds[frame_index])
        view = study_field_of_view(source)
    explanation = explain(model, frame, view, method, class_name=class_name, layer=layer, reporter=reporter)
    masked = (frame * view.mask(*frame.shape[:2])[..., None]).astype(np.uint8)
    title = f"Frame {frame_index:,}  at {int(seconds) // 3600}:{int(seconds) // 60 % 60:02d}:{int(seconds) % 60:02d}"
    write_png(out, draw_explanation(masked, explanation, title))
    return explanation


def _check(model: ExplainedModel, method: str, layer: str) -> None:
    """What can be told before any work is done."""
    if method not in METHODS:
        raise UserError(f"There is no explanation {method!r}.", f"There are: {', '.join(METHODS)}.")
    check_layer(layer)
    if method == "cam" and model.cam_weight is None:
        raise UserError(
            f"{model.model_id} has no linear classifier, so there is no CAM.",
            "Take Score-CAM, which then shows what the embedding is made of.",
        )
    if method == "cam" and layer != LAST_LAYER:
        raise UserError(f"A CAM is made of {LAST_LAYER}, not of {layer}.", "Take Score-CAM for other layers.")


def _cams(model: ExplainedModel, features: torch.Tensor) -> NDArray[np.float32]:
    assert model.cam_weight is not None
    return np.asarray(class_activation_maps(features, model.cam_weight)[0].cpu().numpy(), np.float32)


def _column(model: ExplainedModel, class_name: str) -> int:
    """Raises a UserError for a similarity, which is no class and has no weights."""
    if class_name not in model.classes:
        raise UserError("A CAM needs a class.", f"Choose one of {', '.join(model.classes)}, or Score-CAM.")
    return model.classes.index(class_name)
