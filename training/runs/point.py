"""One step of a training's curves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Point:
    """The figures of a step; with several ranks the mean over them, and the images of all."""

    step: int
    """Steps done, this one included."""
    loss: float
    terms: Mapping[str, float]
    """What the loss is made of, by the method's names; empty where it is one."""
    share: Mapping[str, float]
    """The share that is not in order yet, by the method's name for it."""
    learning_rate: float
    embedding_norm: float
    images_per_second: float
    """Since the point before, everything included; the one column that no two runs share."""

    @staticmethod
    def columns(terms: Sequence[str], share_name: str = "violating_share") -> list[str]:
        """Names of `figures`, in their order, of a method with such terms and such a share."""
        return list(Point(0, 0.0, dict.fromkeys(terms, 0.0), {share_name: 0.0}, 0.0, 0.0, 0.0).figures)

    @property
    def figures(self) -> dict[str, float]:
        """The values of the curves at this step, by name."""
        rates = {name: getattr(self, name) for name in ("learning_rate", "embedding_norm", "images_per_second")}
        return {"step": self.step, "loss": self.loss, **self.terms, **self.share, **rates}

    @property
    def violating_share(self) -> float:
        """The share, whatever it is called."""
        return next(iter(self.share.values()), 0.0)
