"""What the library keeps of the answers about a study."""

from pathlib import Path

import numpy as np

from training.inference.explanation import Explanation
from training.service.answer_files import ExplanationAnswer, write_answer
from training.service.requests import ExplainRequest, kept_path
from training.video import FieldOfView
from wce_desktop.features.explain.frame_cams import StoredExplanations

SHA256 = "a1" * 32
VIEW = FieldOfView("circle", 64, 64, (31.5, 31.5), 30.0)


def test_what_was_kept_is_found_by_model_and_method(tmp_path: Path) -> None:
    kept = StoredExplanations(tmp_path)
    asked = ExplainRequest(
        model=Path("m1"), path=Path("v.mp4"), frame_index=12, method="score-cam", class_name="blood", refine=True
    )
    assert kept.find(asked, SHA256) is None
    made = Explanation("quick", "blood", "m1", "layer4", np.ones((2, 2), np.float32), VIEW, {"blood": 0.9}, 0.96)
    path = write_answer(kept_path(kept.folder, SHA256, asked, "quick"), ExplanationAnswer(12, made, SHA256))
    assert kept.find(asked, SHA256) is None
    found = kept.find(asked, SHA256, "quick")
    assert found is not None
    assert found.explanation.to_json() == made.to_json()
    assert kept.find(asked, "f" * 64, "quick") is None
    path.write_bytes(path.read_bytes()[:50])  # the computer died while it was written
    assert kept.find(asked, SHA256, "quick") is None


def test_one_model_s_explanations_can_be_forgotten(tmp_path: Path) -> None:
    kept = StoredExplanations(tmp_path)
    for sha256 in ("a" * 64, "b" * 64):
        (kept.folder / sha256[:16]).mkdir(parents=True)
    kept.forget("a" * 64)
    assert [one.name for one in kept.folder.iterdir()] == ["b" * 16]
    kept.forget()
    assert not kept.folder.exists()
    kept.forget()  # nothing is there any more
