"""Two explanations never share a file when they could differ."""

from pathlib import Path

import pytest

from training.service.kept import kept_path
from training.service.requests import ExplainRequest

PLAIN = ExplainRequest(model=Path("m"), path=Path("v.mp4"), frame_index=7, method="score-cam")
SHA = "0123456789abcdef" * 4


def test_each_thing_that_counts_gives_another_file() -> None:
    changes: list[dict[str, object]] = [
        {},
        {"frame_index": 8},
        {"method": "quick"},
        {"class_name": "blood"},
        {"layer": "layer3"},
        {"precision": "float32"},
        {"field_of_view": {"kind": "full"}},
    ]
    paths = {kept_path(Path("k"), SHA, PLAIN.model_copy(update=change)) for change in changes}
    assert len(paths) == len(changes)
    assert kept_path(Path("k"), "f" * 64, PLAIN) not in paths


def test_another_calculation_gives_another_file(monkeypatch: pytest.MonkeyPatch) -> None:
    before = kept_path(Path("k"), SHA, PLAIN)
    monkeypatch.setattr("training.service.kept.CALCULATION", 2)
    assert kept_path(Path("k"), SHA, PLAIN) != before


def test_what_does_not_count_gives_the_same_file() -> None:
    other = PLAIN.model_copy(update={"path": Path("moved.mp4"), "index": Path("i"), "refine": True})
    assert kept_path(Path("k"), SHA, other) == kept_path(Path("k"), SHA, PLAIN)
    assert kept_path(Path("k"), SHA, PLAIN, "quick") == kept_path(
        Path("k"), SHA, PLAIN.model_copy(update={"method": "quick"})
    )


def test_any_class_name_makes_a_file_name() -> None:
    path = kept_path(Path("k"), SHA, PLAIN.model_copy(update={"class_name": "../../\u00fc:*?/x"}))
    assert path.parent == Path("k") / SHA[:16]
    assert path.name.startswith("00000007-score-cam-")
