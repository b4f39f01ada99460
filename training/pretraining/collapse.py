"""Telling in words when an embedding collapses: all frames on one point, the loss stuck at the margin."""

from collections import deque
from collections.abc import Mapping

from training.runs.point import Point

RECENT = 20
CONTRAST_ADVICE = "Stop it and start again with another learning rate, or from ImageNet's weights."
PATIENCE = 100
"""Steps that a contrast may stay at chance: it begins there."""
SHRUNK_TO = 0.02
"""Of the first steps' length; below this an embedding has shrunk to nothing."""


class CollapseWatch:
    """Looks at the last steps of a curve; speaks once."""

    def __init__(self, margin: float, chance: Mapping[str, float] | None = None) -> None:
        """`margin` of a triplet loss; `chance`: of a contrast where each term stands when all frames are alike."""
        self._margin, self._chance = margin, chance or {}
        self._recent: deque[Point] = deque(maxlen=RECENT)
        self._first_norm: float | None = None
        self._has_told = False

    def look(self, point: Point) -> str:
        """A sentence when the last steps show a collapse, once; empty otherwise."""
        self._recent.append(point)
        if len(self._recent) < RECENT or self._has_told:
            return ""
        norm = sum(recent.embedding_norm for recent in self._recent) / RECENT
        if self._first_norm is None:
            self._first_norm = norm
        sentence = self._sentence(norm, self._first_norm)
        self._has_told = bool(sentence)
        return sentence

    def _sentence(self, norm: float, first: float) -> str:
        advice = "Stop it and start again with a lower learning rate, a larger margin, or ImageNet's weights."
        step = self._recent[-1].step
        if norm < SHRUNK_TO * first:
            return (
                f"The embedding is collapsing: by step {step} its length fell to {norm:.2g} (it was {first:.2g}), "
                f"so that all frames lie on one point. {advice}"
            )
        loss = sum(recent.loss for recent in self._recent) / RECENT
        violating = sum(recent.violating_share for recent in self._recent) / RECENT
        if self._margin and violating > 0.99 and abs(loss - self._margin) < 0.02 * self._margin:
            return (
                f"The embedding has collapsed: for {RECENT} steps up to {step} the loss stands at the margin "
                f"({loss:.3f}) and every triplet violates it, so all frames look alike to it. {advice}"
            )
        if self._chance and step >= PATIENCE and self._is_at_chance():
            return (
                f"The embedding tells frames no better than chance: for {RECENT} steps up to {step} every term of the "
                f"loss stands at {max(self._chance.values()):.2f}, where it is when all frames look alike. "
                f"{CONTRAST_ADVICE}"
            )
        return ""

    def _is_at_chance(self) -> bool:
        """Every term alone: one that falls and one that rises meet at chance together, and nothing is wrong."""
        means = {name: sum(recent.terms[name] for recent in self._recent) / RECENT for name in self._chance}
        return all(abs(means[name] - chance) < 0.01 * chance for name, chance in self._chance.items())
