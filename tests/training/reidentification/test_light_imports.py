"""What the window's process and the shell import is loaded without torch."""

from tests.test_import_rules import HEAVY, loaded_by

LIGHT = (
    "config", "filtering", "fragmentation", "grouping", "joint", "matching", "merging", "model", "similarity",
    "study_vectors", "tracklets", "training_run.config", "training_run.limit", "views", "visits", "voting",
)  # fmt: skip


def test_all_but_the_encoders_are_loaded_without_torch() -> None:
    names = ", ".join(f"training.reidentification.{name}" for name in LIGHT)
    assert loaded_by(f"import {names}", HEAVY) == []
