"""One step of a training's curves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Point:
    """The figures of a step; with several ranks the mean over them, and the images of all."""

    step: int
    """Steps done, this one included."""
    loss: float
    terms: Mapping[str, float]
    """What the loss is made of, by the method's names; empty where it is one."""
    share: Mapping[str, float]
    """The share that is not in order yet, by the method's name for it; empty where it has none."""
    learning_rate: float
    embedding_norm: float
    images_per_second: float
    """Since the point before, everything included; the one column that no two runs share."""
    scales: Mapping[str, float] = field(default_factory=dict)
    """How far embeddings lie apart, by the method's names; empty for methods without a margin."""

    @staticmethod
    def columns(terms: Sequence[str], share_name: str = "violating_share", scales: Sequence[str] = ()) -> list[str]:
        """Names of `figures`, in their order, of a method with such terms, such a share and such scales."""
        share = {share_name: 0.0} if share_name else {}
        nothing = dict.fromkeys(terms, 0.0), share, 0.0, 0.0, 0.0, dict.fromkeys(scales, 0.0)
        return list(Point(0, 0.0, *nothing).figures)

    @property
    def figures(self) -> dict[str, float]:
        """The values of the curves at this step, by name."""
        rates = {name: getattr(self, name) for name in ("learning_rate", "embedding_norm", "images_per_second")}
        return {"step": self.step, "loss": self.loss, **self.terms, **self.share, **rates, **self.scales}

    @property
    def violating_share(self) -> float:
        """The share, whatever it is called."""
        return next(iter(self.share.values()), 0.0)
