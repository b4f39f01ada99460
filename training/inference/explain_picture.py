"""Drawing an explanation: frame, overlay, scale, and the words that make the picture stand on its own."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError, writing
from training.files import kinds, outputs
from training.inference.explain import explain
from training.inference.explained_model import ExplainedModel, check_request
from training.inference.explanation import LAST_LAYER, SOURCES, TITLES, Explanation, Method, above, background
from training.runs.reporter import Reporter
from training.video import FrameIndex, open_source, paste_map, study_field_of_view

SIDE_PX = 448
GAP_PX = 16
LINE_PX = 26
SCALE_PX = 160
OPACITY = 0.75
BACKGROUND = (24, 26, 28)
TEXT = (225, 228, 230)
MUTED = (150, 155, 160)
NOTICE = "Research use only, not for diagnosis"


def draw_explanation(frame: NDArray[np.uint8], explanation: Explanation, title: str) -> NDArray[np.uint8]:
    """The whole picture (H', W', 3) uint8 RGB; it names the method and the model.

    Args:
        frame: (H, W, 3) uint8 RGB, already masked outside the field of view.
        explanation: of this frame.
        title: first line, such as frame and time.
    """
    overlay = shown_overlay(explanation, *frame.shape[:2])
    left, right = _fitted(frame), _fitted(overlaid(frame, overlay))
    height, width = left.shape[:2]
    lines = _lines(explanation, title)
    canvas = np.full((height + 3 * GAP_PX + LINE_PX * len(lines), 2 * width + 3 * GAP_PX, 3), BACKGROUND, np.uint8)
    canvas[GAP_PX : GAP_PX + height, GAP_PX : GAP_PX + width] = left
    canvas[GAP_PX : GAP_PX + height, 2 * GAP_PX + width : 2 * GAP_PX + 2 * width] = right
    _write_lines(canvas, lines, height + 2 * GAP_PX)
    _draw_scale(canvas)
    return canvas


def shown_overlay(explanation: Explanation, height: int, width: int) -> NDArray[np.float32]:
    """(height, width) in [0, 1]: what is drawn; 0 outside the field of view and where nothing stands out."""
    view = explanation.field_of_view
    values = above(explanation.map, background(explanation.map, explanation.method, view))
    return paste_map(values, view, height, width)


def method_line(explanation: Explanation) -> str:
    """The method in words: source, layer where it is not the last, whether it is an estimate, and the scale."""
    layer = "" if explanation.layer == LAST_LAYER else f" at {explanation.layer}"
    method = f"{TITLES[explanation.method]}{layer} ({SOURCES[explanation.method]})"
    quick = "" if explanation.is_exact else ", an estimate of the exact one"
    return f"{method}{quick}, scaled to the frame's own strongest evidence"


def _lines(explanation: Explanation, title: str) -> list[tuple[str, tuple[int, int, int], float]]:
    name, scores = explanation.class_name, explanation.scores
    said = f"{name}: {scores[name]:.3f}" if name in scores else f"explained: {name}"
    lines = [(f"{title}      {said}", TEXT, 0.62)]
    if scores:
        lines.append(("   ".join(f"{each} {score:.3f}" for each, score in scores.items()), MUTED, 0.5))
    lines.append((method_line(explanation), MUTED, 0.42))
    if explanation.note:
        lines.append((explanation.note, MUTED, 0.42))
    return [*lines, (f"Model {explanation.model_id}. {NOTICE}.", MUTED, 0.42)]


def overlaid(frame: NDArray[np.uint8], overlay: NDArray[np.float32]) -> NDArray[np.uint8]:
    """The map laid over the frame: opacity is proportional to it, so that a frame without evidence stays as it is."""
    import cv2

    strength = np.clip(overlay, 0, 1)
    colours = cv2.applyColorMap(np.rint(strength * 255).astype(np.uint8), cv2.COLORMAP_INFERNO)[..., ::-1]
    opacity = (OPACITY * strength)[..., None]
    return np.asarray(np.rint(frame * (1 - opacity) + colours * opacity), np.uint8)


def _draw_scale(canvas: NDArray[np.uint8]) -> None:
    """What the colours mean, in the lower right corner: none to strongest, as they look on black."""
    import cv2

    ramp = np.tile(np.linspace(0, 1, SCALE_PX, dtype=np.float32), (8, 1))
    bar = overlaid(np.zeros((*ramp.shape, 3), np.uint8), ramp)
    right, bottom = canvas.shape[1] - GAP_PX, canvas.shape[0] - GAP_PX
    canvas[bottom - 8 : bottom, right - SCALE_PX : right] = bar
    for word, left in (("none", right - SCALE_PX), ("strongest", right - 60)):
        cv2.putText(canvas, word, (left, bottom - 12), cv2.FONT_HERSHEY_SIMPLEX, 0.38, MUTED, 1, cv2.LINE_AA)


def write_png(path: Path, picture: NDArray[np.uint8]) -> None:
    """Write (H, W, 3) uint8 RGB beside and rename it; the picture says which program wrote it.

    Raises:
        UserError: the folder cannot be written.
    """
    import cv2

    done, encoded = cv2.imencode(".png", np.ascontiguousarray(picture[..., ::-1]))
    assert done
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with outputs.written_beside(path) as beside:
            beside.write_bytes(kinds.with_png_text(encoded.tobytes(), kinds.SOFTWARE, kinds.EXPLANATION_PICTURE))


def _fitted(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Scaled so that the shorter side is SIDE_PX, in whole or with averaging, never cropped."""
    import cv2

    height, width = picture.shape[:2]
    scale = SIDE_PX / min(height, width)
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    return np.asarray(cv2.resize(picture, size, interpolation=method), np.uint8)


def _write_lines(canvas: NDArray[np.uint8], lines: list[tuple[str, tuple[int, int, int], float]], top: int) -> None:
    import cv2

    room = canvas.shape[1] - 2 * GAP_PX
    for number, (text, colour, scale) in enumerate(lines):
        (width, _), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, 1)
        free = room - SCALE_PX - GAP_PX if number == len(lines) - 1 else room  # the scale stands beside the last line
        fitting = scale * min(1.0, free / max(1, width))
        place = (GAP_PX, top + LINE_PX * number + LINE_PX // 2)
        cv2.putText(canvas, text, place, cv2.FONT_HERSHEY_SIMPLEX, fitting, colour, 1, cv2.LINE_AA)


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
