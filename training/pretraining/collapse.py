"""Detects a collapsed embedding: all frames at one point, the loss stuck at the margin."""

from collections import deque
from collections.abc import Mapping

from training.runs.point import Point
from training.texts import Text

RECENT = 20
CONTRAST_ADVICE = "Stop the run and start again with another learning rate, or from ImageNet weights."
PATIENCE = 100
"""Steps during which a contrastive loss may stay at chance, where it starts."""
SHRUNK_TO = 0.02
"""Share of the initial norm below which the embedding has collapsed."""


class CollapseWatch:
    """Checks the last steps of a curve; warns once."""

    def __init__(self, margin: float, chance: Mapping[str, float] | None = None) -> None:
        """`margin`: of a triplet loss; `chance`: value of each contrastive term when all embeddings are equal."""
        self._margin, self._chance = margin, chance or {}
        self._recent: deque[Point] = deque(maxlen=RECENT)
        self._first_norm: float | None = None
        self._has_warned = False

    def look(self, point: Point) -> str:
        """A warning when the last steps show a collapse, once; empty otherwise."""
        self._recent.append(point)
        if len(self._recent) < RECENT or self._has_warned:
            return ""
        norm = sum(recent.embedding_norm for recent in self._recent) / RECENT
        if self._first_norm is None:
            self._first_norm = norm
        sentence = self._sentence(norm, self._first_norm)
        self._has_warned = bool(sentence)
        return sentence

    def _sentence(self, norm: float, first: float) -> str:
        advice = Text("Stop the run and start again with a lower learning rate, a larger margin, or ImageNet weights.")
        step = self._recent[-1].step
        if norm < SHRUNK_TO * first:
            return Text(
                "The embedding is collapsing: by step {step} its norm fell from {first:.2g} to {norm:.2g}: all "
                "frames have nearly the same embedding. {advice}",
                step,
                first,
                norm,
                advice,
            )
        loss = sum(recent.loss for recent in self._recent) / RECENT
        violating = sum(recent.violating_share for recent in self._recent) / RECENT
        if self._margin and violating > 0.99 and abs(loss - self._margin) < 0.02 * self._margin:
            return Text(
                "The embedding has collapsed: for {recent} steps up to {step} the loss has been at the margin "
                "({loss:.3f}) and every triplet violates it: all frames have the same embedding. {advice}",
                RECENT,
                step,
                loss,
                advice,
            )
        if self._chance and step >= PATIENCE and self._is_at_chance():
            return Text(
                "The embedding separates frames no better than chance: for {recent} steps up to {step} every loss "
                "term has been at {values:.2f}, its value for equal embeddings. {advice}",
                RECENT,
                step,
                max(self._chance.values()),
                Text(CONTRAST_ADVICE),
            )
        return ""

    def _is_at_chance(self) -> bool:
        """Check each term separately: a falling and a rising term can average to chance without a collapse."""
        means = {name: sum(recent.terms[name] for recent in self._recent) / RECENT for name in self._chance}
        return all(abs(means[name] - chance) < 0.01 * chance for name, chance in self._chance.items())
