"""Answers on disk: the same after reading, never half of one, and no pickle."""

from pathlib import Path

import numpy as np
import pytest

from training.errors import UserError
from training.inference.explanation import Explanation
from training.service.answer_files import EmbeddingAnswer, ExplanationAnswer, read_answer, write_answer
from training.video import FieldOfView

MAP = np.linspace(0, 1, 49, dtype=np.float32).reshape(7, 7)
VIEW = FieldOfView("octagon", 32, 32, polygon=((1.0, 2.0), (30.0, 2.0), (16.0, 30.0)))
EXPLANATION = Explanation(
    "quick", "Blut “hell”", "m1", "layer3", MAP, VIEW, {"normal": 0.25, "blood": 0.75}, 0.96, "so"
)


def test_an_explanation_comes_back(tmp_path: Path) -> None:
    path = write_answer(tmp_path / "deep" / "a.npz", ExplanationAnswer(7, EXPLANATION, "ab" * 32, is_final=False))
    read = read_answer(path)
    assert isinstance(read, ExplanationAnswer)
    assert (read.frame_index, read.model_sha256, read.is_final) == (7, "ab" * 32, False)
    assert read.explanation.to_json() == EXPLANATION.to_json()
    assert read.explanation.field_of_view == VIEW
    assert read.explanation.map.dtype == np.float32
    np.testing.assert_allclose(read.explanation.map, MAP, atol=0.0003)


def test_a_vector_comes_back_to_the_last_bit(tmp_path: Path) -> None:
    vector = np.random.default_rng(0).normal(size=512).astype(np.float32)
    answer = EmbeddingAnswer(vector, "m1", "cd", "projection", normalized=True, note="a note")
    read = read_answer(write_answer(tmp_path / "a.npz", answer))
    assert isinstance(read, EmbeddingAnswer)
    assert (read.model_id, read.model_sha256, read.space) == ("m1", "cd", "projection")
    assert (read.normalized, read.note, read.is_final) == (True, "a note", True)
    np.testing.assert_array_equal(read.vector, vector)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 0.95])
def test_a_damaged_file_is_a_sentence(tmp_path: Path, share: float) -> None:
    path = write_answer(tmp_path / "a.npz", ExplanationAnswer(7, EXPLANATION, "ab"))
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(UserError, match=r"a\.npz is damaged or missing"):
        read_answer(path)


def test_a_missing_one_another_version_and_a_pickle_too(tmp_path: Path) -> None:
    np.savez(tmp_path / "old.npz", array=MAP, words=np.array('{"version": 0, "kind": "explain"}'))
    np.savez(tmp_path / "odd.npz", array=np.array([{}], dtype=object), words=np.array("{}"))
    for name in ("none.npz", "old.npz", "odd.npz"):
        with pytest.raises(UserError, match="damaged or missing"):
            read_answer(tmp_path / name)


def test_a_folder_that_cannot_be_written_is_a_sentence_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="cannot be written"):
        write_answer(tmp_path / "file" / "a.npz", ExplanationAnswer(7, EXPLANATION, "ab"))
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
