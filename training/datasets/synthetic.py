"""What a model was trained on: synthetic studies, real ones, or both."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

TrainedOn = Literal["synthetic", "real", "mixed"]
TRUTH_SUFFIX = ".truth.json"
"""The ground truth that the phantom writes beside each video (`training.phantom.record.truth_path`)."""
SYNTHETIC_ONLY = "Trained on synthetic capsule images only"
_WITHOUT_STUDIES = ("random", "imagenet", "auto")


def is_synthetic(study: Path) -> bool:
    """Whether a study was rendered by the phantom: its ground truth lies beside it."""
    return (study.parent / f"{study.stem}{TRUTH_SUFFIX}").is_file()


def trained_on(studies: Iterable[Path], lineage: Mapping[str, Any]) -> TrainedOn | None:
    """The entry `trained_on` of a card.

    Args:
        studies: videos or folders of images of this training.
        lineage: of the card; its own `trained_on` says what the initial weights were trained on.

    Returns:
        None: unknown, because the initial weights come from elsewhere. ImageNet weights count as no capsule images.
    """
    kinds: set[Any] = {"synthetic" if is_synthetic(study) else "real" for study in studies}
    if lineage.get("init") not in _WITHOUT_STUDIES:
        kinds.add(lineage.get("trained_on"))
    if not kinds <= {"synthetic", "real", "mixed"}:
        return None
    return "mixed" if len(kinds) > 1 else kinds.pop() if kinds else None


def lineage_entry(card: Mapping[str, Any]) -> dict[str, Any]:
    """What a card says of its training data, for the lineage of a model that starts from it."""
    known = card.get("trained_on")
    return {"trained_on": known} if known else {}
