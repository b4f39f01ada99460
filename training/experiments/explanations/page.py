"""The report as a self-contained page with its pictures; jinja2 and matplotlib are imported when writing.

A picture is a frame with the given boxes, then every explanation with its own box and caption.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.typing import NDArray

from training.evaluation.page import BLUE, GREY, ORANGE, page_environment, share, svg, with_own_ids
from training.experiments.engine import NOTICE
from training.experiments.explanations import explainers, frame_evaluation
from training.experiments.explanations.config import EvaluateExplanationsConfig, Way
from training.files.outputs import write_text
from training.inference import explanation
from training.inference.explain_picture import overlaid, write_png
from training.video import paste_map

if TYPE_CHECKING:
    from matplotlib.axes import Axes


SIDE_PX, LINE_PX = 240, 22
GIVEN, FOUND, PEAK, GROUND, INK = (90, 220, 120), (255, 210, 70), (255, 255, 255), (24, 26, 28), (225, 228, 230)
WORDS: dict[Way, str] = {
    "cam": "CAM",
    "score-cam": "Score-CAM",
    "quick": "Score-CAM, quick",
    "prior-grid": "likeness to the prior view",
    "redness": "redness (a*)",
    "center": "centre of the view",
    "random": "random",
}


def draw_frame(
    path: Path,
    image: Path,
    boxed: explainers.BoxedFrame,
    evaluated: Sequence[frame_evaluation.EvaluatedOverlay],
    config: EvaluateExplanationsConfig,
) -> None:
    """Write a PNG: the frame, then its explanations; what lies outside the field of view is black."""
    bgr = cv2.imdecode(np.frombuffer(image.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    assert bgr is not None, "it was read before"
    frame = (cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB) * boxed.inside[..., None]).astype(np.uint8)
    explained = evaluated[0].frame
    panels = [_panel(frame, boxed, None, f"{explained.kind}: given boxes", config)]
    panels += [_panel(frame, boxed, item, WORDS[item.explain], config) for item in evaluated]
    asked = f"{explained.class_name} {explained.score:.3f}"
    what = "similarity to its own embedding" if explained.class_name == explanation.SIMILARITY else asked
    line = f"{explained.filename}   {what}   model {explained.model_id}   {NOTICE.rstrip('.')}"
    write_png(path, np.concatenate([np.concatenate(panels, axis=1), _line(line, SIDE_PX * len(panels))]))


def _panel(
    frame: NDArray[np.uint8],
    boxed: explainers.BoxedFrame,
    item: frame_evaluation.EvaluatedOverlay | None,
    words: str,
    config: EvaluateExplanationsConfig,
) -> NDArray[np.uint8]:
    """(SIDE_PX + LINE_PX, SIDE_PX, 3) RGB."""
    height, width = frame.shape[:2]
    shown, result = frame, []
    if item is not None:
        overlay = paste_map(item.map, boxed.view, height, width)
        shown = overlaid(frame, overlay)
        result = [box.corners for box in explanation.weak_boxes(overlay, threshold=config.threshold, most=1)]
        hit = "empty" if item.hit is None else "hit" if item.hit >= 0.5 else "miss"
        words = f"{words}: {hit}, IoU {item.iou[config.threshold]:.2f}"
    scale = SIDE_PX / max(height, width)
    panel = np.zeros((SIDE_PX, SIDE_PX, 3), np.uint8)
    fitted = cv2.resize(shown, (round(width * scale), round(height * scale)), interpolation=cv2.INTER_AREA)
    panel[: fitted.shape[0], : fitted.shape[1]] = fitted
    for corners in boxed.boxes.tolist():
        _rectangle(panel, corners, scale, GIVEN, 1)
    for box in result:
        _rectangle(panel, list(box), scale, FOUND, 1)
    if item is not None and item.peak is not None:
        centre = (round((item.peak[0] + 0.5) * scale), round((item.peak[1] + 0.5) * scale))
        cv2.drawMarker(panel, centre, PEAK, cv2.MARKER_CROSS, 11, 1)
    return np.concatenate([panel, _line(words, SIDE_PX)])


def _rectangle(
    panel: NDArray[np.uint8], corners: Sequence[float], scale: float, colour: tuple[int, int, int], thickness: int
) -> None:
    x_min, y_min, x_max, y_max = (round(corner * scale) for corner in corners)
    cv2.rectangle(panel, (x_min, y_min), (x_max - 1, y_max - 1), colour, thickness)


def _line(text: str, width: int) -> NDArray[np.uint8]:
    """(LINE_PX, width, 3): text that is made small enough to fit."""
    line = np.full((LINE_PX, width, 3), GROUND, np.uint8)
    (length, _), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.45, 1)
    scale = 0.45 * min(1.0, (width - 8) / max(1, length))
    cv2.putText(line, text, (4, LINE_PX - 7), cv2.FONT_HERSHEY_SIMPLEX, scale, INK, 1, cv2.LINE_AA)
    return line


TEMPLATES = Path(__file__).parent / "templates"
COLOURS = {
    "cam": BLUE,
    "score-cam": ORANGE,
    "quick": "#4f8a3c",
    "prior-grid": "#2f8f8f",
    "redness": "#b23b3b",
    "center": "#7d4f9e",
    "random": GREY,
}


def write_page(path: Path, report: dict[str, Any]) -> None:
    """Write report.html."""
    environment = page_environment(TEMPLATES, share=share, interval=interval)
    has_curves = any(row["curves"] for row in report["table"]["sample"].values())
    draws = {name: partial(curve, report=report, name=name) for name in ("deletion", "insertion") if has_curves}
    draws["threshold"] = partial(by_threshold, report=report)
    plots = {name: with_own_ids(svg(draw, 4.6), name) for name, draw in draws.items()}
    page = environment.get_template("explanations.html.j2")
    write_text(path, page.render(report=report, words=WORDS, plots=plots, knows=has_classes(report)))


def interval(figure: dict[str, float | None]) -> str:
    """A figure with its interval, where it has one."""
    if figure["low"] is None:
        return share(figure["value"])
    return f"{share(figure['value'])} ({share(figure['low'])} to {share(figure['high'])})"


def has_classes(report: dict[str, Any]) -> bool:
    """Whether the models know classes; a pretraining is asked for the likeness to the frame's own embedding."""
    return all(model["has_classes"] for model in report["models"])


def curve(axes: "Axes", report: dict[str, Any], name: str) -> None:
    """Mean score against the share of pixels that went or came."""
    lowest = 0.0
    for way, row in report["table"]["sample"].items():
        values = row["curves"].get(name)
        if values:
            across = [100 * k / (len(values) - 1) for k in range(len(values))]
            axes.plot(across, values, color=COLOURS[way], label=WORDS[way])
            lowest = min(lowest, *values)
    axes.set_xlabel("% of the pixels deleted" if name == "deletion" else "% of the pixels inserted")
    axes.set_ylabel("mean score of the explained class" if has_classes(report) else "mean similarity (cosine)")
    # A cosine may fall below 0, a score cannot.
    axes.set_ylim(lowest - 0.02, 1.02)
    axes.legend(frameon=False, fontsize=8)


def by_threshold(axes: "Axes", report: dict[str, Any]) -> None:
    """Mean IoU of the largest component's box against the threshold, on the sample."""
    for way, row in report["table"]["sample"].items():
        result = row["iou_by_threshold"]
        axes.plot(
            [float(key) for key in result],
            list(result.values()),
            color=COLOURS[way],
            label=WORDS[way],
            marker="o",
            ms=3,
        )
    axes.set_xlabel("threshold, share of the overlay's maximum")
    axes.set_ylabel("mean IoU")
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False, fontsize=8)
