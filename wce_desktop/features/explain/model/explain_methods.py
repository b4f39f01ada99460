"""Explanation methods and their texts."""

from dataclasses import dataclass

from training.inference.explanation import Explanation, Method


@dataclass(frozen=True, slots=True)
class ExplainMethod:
    """An explanation method: name in requests, title and description."""

    name: Method
    title: str
    tip: str


METHODS = (
    ExplainMethod("cam", "CAM", "Class activation map: coarse, but shown at once and during playback."),
    ExplainMethod("quick", "Score-CAM, quick", "Measures how the score changes when the frame is masked."),
    ExplainMethod("score-cam", "Score-CAM, exact", "The same with all masks; takes seconds."),
)


def words_of(explanation: Explanation) -> str:
    """The method of a CAM as text for a corner of the frame."""
    if explanation.method == "cam":
        return "CAM"
    if explanation.agreement is None:
        return "Score-CAM"
    return f"Score-CAM, quick (agrees {explanation.agreement:.2f})"


def waiting_words(explanation: Explanation, seconds_left: float | None) -> str:
    """The text beside a quick CAM while the exact one is computed."""
    agrees = f"Quick: agrees {explanation.agreement:.2f} with the exact one" if explanation.agreement else "Quick"
    return f"{agrees}; exact in {max(1, round(seconds_left))} s." if seconds_left else f"{agrees}; exact follows."


def method_of(name: Method) -> ExplainMethod:
    """The method of this name."""
    return next(method for method in METHODS if method.name == name)
