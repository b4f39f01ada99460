"""The real child, asked as the window asks it: torch, a model folder, a video."""

from pathlib import Path

import numpy as np
from pytestqt.qtbot import QtBot

from tests.models import write_untrained_model
from tests.videos import write_video
from training.service.answer_files import Answer, EmbeddingAnswer, ExplanationAnswer
from training.service.requests import FOLDER, EmbedRequest, ExplainRequest
from wce_desktop.features.explain.frame_cams import kept_answer
from wce_desktop.threads.inference_client import InferenceClient


def test_a_frame_is_explained_kept_and_embedded(qtbot: QtBot, tmp_path: Path) -> None:
    model = write_untrained_model(tmp_path, "m1", ("normal", "polyp", "blood"))
    video = write_video(tmp_path / "v.mp4", 12)
    study = tmp_path / "study"
    explain = ExplainRequest(model=model, path=video, frame_index=7, class_name="blood", keep_in=study / FOLDER)
    embed = EmbedRequest(model=model, path=video, frame_index=7)
    client = InferenceClient(device=lambda: "cpu")
    answers: list[Answer] = []
    failures: list[object] = []
    client.answered.connect(lambda number, answer: answers.append(answer))
    client.failed.connect(lambda number, outcome: failures.append(outcome))
    try:
        client.ask(explain)
        client.ask(embed)
        qtbot.waitUntil(lambda: not client.is_busy, timeout=120_000)
    finally:
        client.close()
    assert not failures
    (explained,) = [one for one in answers if isinstance(one, ExplanationAnswer)]
    (embedded,) = [one for one in answers if isinstance(one, EmbeddingAnswer)]
    assert explained.explanation.title == "CAM: blood (model m1)"
    assert embedded.vector.shape == (512,)
    assert embedded.model_sha256 == explained.model_sha256
    found = kept_answer(explain, explained.model_sha256)
    assert found is not None
    np.testing.assert_array_equal(found.explanation.map, explained.explanation.map)
