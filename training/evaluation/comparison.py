"""Old model and new model side by side on the same held-out frames."""

from typing import Any, Literal

from training.evaluation.figures import ANY, trust_warning

Figures = dict[str, dict[str, Any]]


def compare(
    old: Figures, new: Figures, split: Literal["patients", "time"], sentence: str, old_model: str, new_model: str
) -> dict[str, Any]:
    """What comparison.json says.

    Args:
        old: figures of the old model, from `class_figures`; a class that it does not know has None for figures.
        new: figures of the new model on the same frames.
        split: how the frames were held out.
        sentence: what the split has to say of its own trustworthiness.
        old_model: id of the old model.
        new_model: id of the new model.
    """
    warning = " ".join(part for part in (trust_warning(new), sentence) if part)
    return {
        "old_model": old_model,
        "new_model": new_model,
        "classes": [name for name in new if name != ANY],
        "old": {name: row for name, row in old.items() if name != ANY},
        "new": {name: row for name, row in new.items() if name != ANY},
        "any": {"old": old[ANY], "new": new[ANY]},
        "split": split,
        "warning": warning,
    }
