"""What must be said beside a model's scores: which images it was trained on."""

from training.datasets.synthetic import SYNTHETIC_ONLY, is_synthetic
from wce_desktop.core.study import Study
from wce_desktop.library import Model
from wce_desktop.library.runs.run_files import read_card
from wce_desktop.session.places import resources_folder
from wce_desktop.session.session import Session


def training_note(model: Model) -> str:
    """A short text if a model was trained on synthetic images only; empty for others and where it is unknown."""
    card = read_card(model)
    is_synthetic_only = card["trained_on"] == "synthetic" if "trained_on" in card else _is_demo_model(model)
    return SYNTHETIC_ONLY if is_synthetic_only else ""


def _is_demo_model(model: Model) -> bool:
    """Whether it is the shipped demo model, which libraries of older versions hold with a card that does not say it."""
    sums = resources_folder() / "models" / "demo" / "SHA256SUMS"
    return sums.is_file() and model.weights_sha256 in sums.read_text(encoding="utf-8")


def score_note(session: Session, study: Study | None = None) -> str:
    """The `training_note` of the model in use beside its scores of a study; empty for a synthetic study.

    Args:
        session: its model; reads the card from disk.
        study: None: the open study, and without one the model alone.
    """
    shown = study or (session.reading.study if session.reading is not None else None)
    if session.current_model is None or (shown is not None and is_synthetic(shown.path)):
        return ""
    return training_note(session.current_model)
