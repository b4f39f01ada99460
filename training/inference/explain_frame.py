"""A frame of a study on disk, explained into a picture."""

from pathlib import Path

import numpy as np

from training.errors import UserError
from training.inference.explain import explain
from training.inference.explain_picture import draw_explanation, write_png
from training.inference.explained_class import check_request
from training.inference.explained_model import ExplainedModel
from training.inference.explanation import LAST_LAYER, Explanation, Method
from training.runs.reporter import Reporter
from training.video import FrameIndex, open_source, study_field_of_view


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
    check_request(model, method, layer)
    with open_source(path, index=index) as source:
        if not 0 <= frame_index < len(source):
            raise UserError(f"{path.name} has no frame {frame_index:,}.", f"It has frames 0 to {len(source) - 1:,}.")
        frame = source.read(frame_index)
        seconds = float(source.index.video_seconds[frame_index])
        view = study_field_of_view(source)
    explanation = explain(model, frame, view, method, class_name=class_name, layer=layer, reporter=reporter)
    masked = (frame * view.mask(*frame.shape[:2])[..., None]).astype(np.uint8)
    title = f"Frame {frame_index:,}  at {int(seconds) // 3600}:{int(seconds) // 60 % 60:02d}:{int(seconds) % 60:02d}"
    write_png(out, draw_explanation(masked, explanation, title))
    return explanation
