"""The ways of explaining, in the words of the screen."""

from dataclasses import dataclass

from training.inference.explanation import Explanation, Method


@dataclass(frozen=True, slots=True)
class ExplainMethod:
    """A way of explaining: its name for requests, what the screen calls it, and what it does."""

    name: Method
    title: str
    tip: str


METHODS = (
    ExplainMethod("cam", "CAM", "The classifier's own evidence: coarse, at once, and while playing."),
    ExplainMethod("quick", "Score-CAM, quick", "Shows parts of the frame to the model and watches the score."),
    ExplainMethod(
        "score-cam", "Score-CAM, exact", "The same with every part; takes seconds, the quick one comes first."
    ),
)


def words_of(explanation: Explanation) -> str:
    """How a map was found, in words for a corner of the frame."""
    if explanation.method == "cam":
        return "CAM"
    if explanation.agreement is None:
        return "Score-CAM"
    return f"Score-CAM, quick (agrees {explanation.agreement:.2f})"


def waiting_words(explanation: Explanation, seconds_left: float | None) -> str:
    """What stands beside a quick map while the exact one is computed."""
    agrees = f"Quick: agrees {explanation.agreement:.2f} with the exact one" if explanation.agreement else "Quick"
    return f"{agrees}; exact in {max(1, round(seconds_left))} s." if seconds_left else f"{agrees}; exact follows."


def method_of(name: Method) -> ExplainMethod:
    """The method of this name."""
    return next(method for method in METHODS if method.name == name)
