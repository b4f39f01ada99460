"""What the library keeps of the answers about a study."""

from pathlib import Path

import numpy as np

from training.inference.explanation import Explanation
from training.service.answer_files import ExplanationAnswer, write_answer
from training.service.requests import FOLDER, ExplainRequest, kept_path
from training.video import FieldOfView
from wce_desktop.features.explain.frame_cams import kept_answer

SHA256 = "a1" * 32
VIEW = FieldOfView("circle", 64, 64, (31.5, 31.5), 30.0)


def test_what_was_kept_is_found_by_model_and_method(tmp_path: Path) -> None:
    asked = ExplainRequest(
        model=Path("m1"),
        path=Path("v.mp4"),
        frame_index=12,
        method="score-cam",
        class_name="blood",
        refine=True,
        keep_in=tmp_path / FOLDER,
    )
    quick = asked.model_copy(update={"method": "quick"})
    assert kept_answer(asked, SHA256) is None
    made = Explanation("quick", "blood", "m1", "layer4", np.ones((2, 2), np.float32), VIEW, {"blood": 0.9}, 0.96)
    path = write_answer(kept_path(tmp_path / FOLDER, SHA256, quick), ExplanationAnswer(12, made, SHA256))
    assert kept_answer(asked, SHA256) is None
    found = kept_answer(quick, SHA256)
    assert found is not None
    assert found.explanation.to_json() == made.to_json()
    assert kept_answer(quick, "f" * 64) is None
    path.write_bytes(path.read_bytes()[:50])  # the computer died while it was written
    assert kept_answer(quick, SHA256) is None
