"""What the window's process and the shell import is loaded without torch."""

from tests.test_import_rules import HEAVY, loaded_by

LIGHT = (
    "config", "fragmentation", "grouping", "linked", "matching", "model", "run_settings", "run_tracklets",
    "study_vectors", "tracklets", "views", "visits",
)  # fmt: skip


def test_all_but_the_encoders_are_loaded_without_torch() -> None:
    names = ", ".join(f"training.reidentification.{name}" for name in LIGHT)
    assert loaded_by(f"import {names}", HEAVY) == []
