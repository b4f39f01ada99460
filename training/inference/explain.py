"""One frame explained by CAM or Score-CAM, by a model that stays loaded."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.inference.explained_model import ExplainedModel, check_request, choose_class, target_of
from training.inference.explanation import LAST_LAYER, LEAST_PX, SIMILARITY, Explanation, Method, normalise_cam
from training.inference.score_cam import MaskedPasses, agreement_note, agreement_of, finished, quick_passes
from training.models.backbones import find_backbone
from training.runs.reporter import Reporter, SilentReporter
from training.texts import Text, join_texts
from training.video import FieldOfView, prepare_frame

PRIOR_NOTE = "No class is explained: light parts look like the reddest part of the frame to the pretraining."
TOKENS_NOTE = (
    "The map is of a transformer's tokens, each of which sees the whole frame: it can point beside what it rests on."
)
SIMILARITY_NOTE = "No class: the overlay shows what determines the frame's embedding, not what is abnormal."


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
        method: "cam"; "score-cam", exact; "quick", a Score-CAM of fewer channels with its `agreement`; or "prior-grid"
            of a pretraining with pgcon or wincon.
        class_name: the class; "" for the highest score that is not normal's, `SIMILARITY` where there are no classes.
        layer: whose feature map is shown; CAMs are made of the last one.
        reporter: progress in channels, and whether to continue, for the two Score-CAMs.

    Raises:
        UserError: no such method, class or layer; a CAM of a model without classifier or of an earlier layer.
        Cancelled: the reporter asked to end.
    """
    size = max(model.input_size, LEAST_PX) if method == "prior-grid" else model.input_size
    prepared = prepare_frame(frame, view, size)
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
    check_request(model, method, layer)
    reporter = reporter or SilentReporter()
    if method == "prior-grid":
        from training.inference.prior_grid import prior_grid_of  # needs torch

        shown = normalise_cam(prior_grid_of(model)(prepared, view, reporter))
        return Explanation(method, SIMILARITY, model.model_id, LAST_LAYER, shown, view, {}, None, PRIOR_NOTE)
    seen = _Seen(model, prepared, view, class_name)
    if method == "cam":
        if seen.class_name not in model.classes:  # the similarity, which has no weights
            raise UserError("A CAM needs a class.", "Choose one of {classes}, or Score-CAM.", ", ".join(model.classes))
        return seen.explanation("cam", LAST_LAYER, seen.look.cams[model.classes.index(seen.class_name)])
    passes = seen.passes(prepared, layer)
    if method == "quick":
        return seen.quick(passes, layer, reporter)
    return seen.explanation("score-cam", layer, finished(passes, reporter).map)


def explain_refining(
    model: ExplainedModel,
    frame: NDArray[np.uint8],
    view: FieldOfView,
    *,
    class_name: str = "",
    layer: str = LAST_LAYER,
    reporter: Reporter | None = None,
) -> Iterator[Explanation]:
    """The quick Score-CAM as soon as it is there, then the exact one; no channel is asked twice.

    Arguments and errors are those of `explain`.
    """
    check_request(model, "score-cam", layer)
    reporter = reporter or SilentReporter()
    prepared = prepare_frame(frame, view, model.input_size)
    seen = _Seen(model, prepared, view, class_name)
    passes = seen.passes(prepared, layer)
    yield seen.quick(passes, layer, reporter)
    yield seen.explanation("score-cam", layer, finished(passes, reporter).map)


class _Seen:
    """What the model made of the frame itself, in float32."""

    def __init__(self, model: ExplainedModel, prepared: NDArray[np.uint8], view: FieldOfView, class_name: str) -> None:
        self.model, self.view, self.look = model, view, model.look(prepared)
        self.class_name = choose_class(model, self.look.output, class_name)

    def passes(self, prepared: NDArray[np.uint8], layer: str) -> MaskedPasses:
        target = target_of(self.model, prepared, self.look.output, self.class_name)
        return MaskedPasses(self.model, prepared, target, layer)

    def quick(self, passes: MaskedPasses, layer: str, reporter: Reporter) -> Explanation:
        raw = quick_passes(passes, reporter).map
        note = agreement_note(passes, layer, self.class_name in self.model.classes)
        return self.explanation("quick", layer, raw, agreement_of(passes), note)

    def explanation(
        self, method: Method, layer: str, raw: NDArray[np.float32], agreement: float | None = None, note: str = ""
    ) -> Explanation:
        shown, name = normalise_cam(raw), self.class_name
        if not shown.any():
            note = join_texts(" ", (Text("Nothing in this frame is evidence for {class_name}.", name), note))
        elif name == SIMILARITY:
            note = join_texts(" ", (SIMILARITY_NOTE, note))
        if find_backbone(self.model.network.backbone).sees_tokens:
            note = join_texts(" ", (TOKENS_NOTE, note))
        scores = self.model.scores(self.look.output)
        return Explanation(method, name, self.model.model_id, layer, shown, self.view, scores, agreement, note)
