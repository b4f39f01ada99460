"""Evaluates one model's explanations frame by frame."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.experiments.explanations.config import SLOW, EvaluateExplanationsConfig, Way
from training.experiments.explanations.explainers import BoxedFrame, Explainer, Question, Questioner
from training.experiments.explanations.measures import (
    Baseline,
    Change,
    best_iou,
    chance_level,
    changed_scores,
    pointing_hit,
    strongest_first,
)
from training.files import inputs, json_text
from training.files.closing import Closing
from training.inference import explained_model, explanation
from training.video import paste_map


class StoredOverlays(Closing):
    """Appends a JSON line per frame and explanation; a file of another model or settings is replaced.

    Args:
        identity: JSON values that everything in the file depends on.
        resume: continue an existing file instead of replacing it.
    """

    def __init__(self, path: Path, identity: Mapping[str, Any], *, resume: bool) -> None:
        self._known: dict[tuple[str, str], dict[str, Any]] = {}
        lines = _lines(path) if resume else []
        is_same = bool(lines) and lines[0].get("identity") == identity
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("w", encoding="utf-8")
        # Written again even where nothing changed: the line that a crash cut short must not stay in the middle.
        self._write({"identity": dict(identity)})
        for line in lines[1:] if is_same else []:
            self.add(line.pop("explain"), line.pop("filename"), line)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def get(self, explain: str, filename: str) -> dict[str, Any] | None:
        """The stored values of a frame, or None."""
        return self._known.get((explain, filename))

    def add(self, explain: str, filename: str, values: dict[str, Any]) -> None:
        """Store JSON values of a frame."""
        self._known[explain, filename] = values
        self._write({"explain": explain, "filename": filename, **values})

    def _write(self, line: Mapping[str, Any]) -> None:
        self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._file.flush()


def _lines(path: Path) -> list[dict[str, Any]]:
    """All lines up to the first incomplete one."""
    result = []
    try:
        for text in inputs.read_text(path).splitlines():
            line = json_text.parse_json(text)
            if not isinstance(line, dict) or not ("identity" in line or {"explain", "filename"} <= line.keys()):
                break
            result.append(line)
    except (UserError, ValueError):
        return result
    return result


THRESHOLDS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
"""Further shares of an overlay's maximum at which boxes are evaluated."""


@dataclass(frozen=True)
class EvaluatedFrame:
    """A frame, the model's prediction, and the chance level."""

    filename: str
    group: str
    fold: int
    kind: str
    """Label of the image, whatever was explained."""
    class_name: str
    """Explained class, or `SIMILARITY`."""
    score: float
    """See `Question`."""
    is_recognised: bool
    """No class has a higher score."""
    is_sampled: bool
    chance: float
    """Of the pointing game."""
    model_id: str


@dataclass(frozen=True)
class EvaluatedOverlay:
    """One explanation of a frame and its figures."""

    frame: EvaluatedFrame
    explain: Way
    map: NDArray[np.float32] = field(repr=False)
    """(h, w) in [0, 1] over the prepared square."""
    hit: float | None
    """Of the pointing game; None where nothing is explained."""
    peak: tuple[int, int] | None
    """(x, y) of the maximum in px of the image."""
    iou: dict[float, float]
    """Threshold -> of the largest component's box with the best given one; 0 where there is none."""
    deletion: list[float] | None = None
    """(K + 1,) scores; None outside the sample."""
    insertion: list[float] | None = None


class FrameEvaluator:
    """One model and its explainers, frame by frame; what `kept` has of an earlier call is not computed again."""

    def __init__(
        self,
        config: EvaluateExplanationsConfig,
        model: explained_model.ExplainedModel,
        fold: int,
        explainers: Mapping[Way, Explainer],
        kept: StoredOverlays,
    ) -> None:
        self.config, self.model, self.fold, self.explainers, self.kept = config, model, fold, explainers, kept
        self._asked = Questioner(model)
        self._thresholds = sorted({*THRESHOLDS, config.threshold})

    def evaluate(self, boxed: BoxedFrame, is_sampled: bool) -> list[EvaluatedOverlay]:
        """Evaluate every explanation of a frame."""
        question = self._asked.question(boxed.prepared, self.config.class_name or boxed.class_name)
        frame = EvaluatedFrame(
            boxed.filename,
            boxed.group,
            self.fold,
            boxed.class_name,
            question.name,
            question.score,
            question.is_recognised,
            is_sampled,
            chance_level(boxed.boxes, boxed.inside, tolerance_px=self.config.tolerance_px),
            self.model.model_id,
        )
        result = []
        for way in self.config.ways(is_sampled=is_sampled):
            shown, values = self._explained(boxed, frame, question, way)
            overlay = paste_map(shown, boxed.view, boxed.view.height_px, boxed.view.width_px)
            boxes_at = {share: explanation.weak_boxes(overlay, threshold=share, most=1) for share in self._thresholds}
            y, x = np.unravel_index(int(overlay.argmax()), overlay.shape)
            hit = pointing_hit(overlay, boxed.boxes, tolerance_px=self.config.tolerance_px)
            iou = {
                share: best_iou(np.array([box.corners for box in boxes]), boxed.boxes)
                for share, boxes in boxes_at.items()
            }
            peak = (int(x), int(y)) if overlay.any() else None
            curves = values.get("deletion"), values.get("insertion")
            result.append(EvaluatedOverlay(frame, way, shown, hit, peak, iou, *curves))
        return result

    def _explained(
        self, boxed: BoxedFrame, frame: EvaluatedFrame, question: Question, way: Way
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """The overlay as it is shown, and its stored values: from an earlier call, or computed now."""
        before = self.kept.get(way, frame.filename) or {}
        values = dict(before)
        if "map" in values:
            raw = np.array(values["map"], np.float32)
        else:
            raw = self.explainers[way](boxed, question)
            values |= {"map": raw.astype(float).tolist()} if way in SLOW else {}
        shown = explanation.normalise_cam(raw)
        if frame.is_sampled and self.config.curve_steps and "deletion" not in values:
            values |= self._curves(boxed, question, shown)
        if values != before:
            self.kept.add(way, frame.filename, values)
        return shown, values

    def _curves(self, boxed: BoxedFrame, question: Question, shown: NDArray[np.float32]) -> dict[str, list[float]]:
        """Scores of both curves; the overlay is used as it is shown, with evidence against the class as 0."""
        size, asked = len(boxed.prepared), self.config
        large = np.asarray(cv2.resize(shown, (size, size), interpolation=cv2.INTER_LINEAR), np.float32)
        order = strongest_first(large, boxed.inside_square, boxed.row)

        def score(frames: NDArray[np.uint8]) -> NDArray[np.floating]:
            return self._asked.scores(question, frames)

        fillings: dict[Change, Baseline] = {"deletion": asked.deletion, "insertion": asked.insertion}
        return {
            change: changed_scores(
                score, boxed.prepared, order, change, steps=asked.curve_steps, baseline=baseline
            ).tolist()
            for change, baseline in fillings.items()
        }
