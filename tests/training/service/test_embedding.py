"""A vector that is asked for is the one that scoring stores, up to rounding."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from training.embeddings.file import EmbeddingFile
from training.errors import UserError
from training.inference.score import score_study
from training.models.folder import ModelFolder
from training.models.projection_head import Pretrainer
from training.pretraining.pretrained import Pretrained, open_network
from training.runs.reporter import SilentReporter
from training.service.answer_files import EmbeddingAnswer
from training.service.requests import EmbedRequest
from training.service.workbench import IMAGE_NOTE, REGION_NOTE, Workbench
from training.video import open_source, prepare_frame, study_field_of_view


def ask(bench: Workbench, **fields: Any) -> EmbeddingAnswer:
    """The one answer to a request."""
    (answer,) = bench.answers(EmbedRequest.model_validate(fields), SilentReporter())
    assert isinstance(answer, EmbeddingAnswer)
    return answer


def cosine(a: NDArray[np.floating], b: NDArray[np.floating]) -> float:
    a, b = a.astype(np.float64), b.astype(np.float64)
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))


@pytest.mark.parametrize(("precision", "tolerance"), [("float32", 1e-3), ("bfloat16", 0.03)])
def test_a_frame_lies_where_scoring_put_it(
    bench: Workbench, model: ModelFolder, study: Path, tmp_path: Path, precision: str, tolerance: float
) -> None:
    score_study(study, model, tmp_path / "a.h5", device="cpu", precision=precision)
    with EmbeddingFile.open(tmp_path / "a.h5") as file:
        stored, header = np.array(file.embeddings, np.float32), file.header
    for frame_index in (0, 7, 19):
        found = ask(bench, model=model.path, path=study, frame_index=frame_index, precision=precision)
        np.testing.assert_allclose(found.vector, stored[frame_index], atol=tolerance * np.abs(stored).max())
        assert found.model_sha256 == header.model_sha256
    between_frames = np.linalg.norm(stored[:, None] - stored[None], axis=2)
    assert np.linalg.norm(found.vector - stored[19]) < 0.02 * np.median(between_frames)


@pytest.mark.parametrize("space", ["backbone", "projection"])
def test_so_it_does_in_both_spaces_of_a_pretraining(
    bench: Workbench, run: Path, study: Path, tmp_path: Path, space: str
) -> None:
    scored = open_network(run, space)  # type: ignore[arg-type]
    score_study(study, scored, tmp_path / "a.h5", device="cpu", precision="float32")
    with EmbeddingFile.open(tmp_path / "a.h5") as file:
        stored, header = np.array(file.embeddings[5], np.float32), file.header
    found = ask(bench, model=run, path=study, frame_index=5, space=space, precision="float32")
    np.testing.assert_allclose(found.vector, stored, atol=1e-3 * np.abs(stored).max())
    assert (found.space, found.model_sha256, found.model_id) == (space, header.model_sha256, header.model_id)


def test_after_the_head_is_what_the_pretraining_itself_says(bench: Workbench, run: Path, study: Path) -> None:
    pretrained, network = Pretrained.open(run, 0), Pretrainer("resnet18")
    network.trunk.load_state_dict(pretrained.part("trunk."))
    network.head.load_state_dict(pretrained.part("head."))
    with open_source(study) as source, torch.inference_mode():
        prepared = torch.from_numpy(prepare_frame(source.read(5), study_field_of_view(source), 64))
        images = (prepared.permute(2, 0, 1)[None] / 255 - network.mean) / network.std
        wanted = network.eval()(images)
    before = ask(bench, model=run, path=study, frame_index=5, step=0, precision="float32")
    after = ask(bench, model=run, path=study, frame_index=5, step=0, precision="float32", space="projection")
    np.testing.assert_allclose(before.vector, wanted.embedding[0].numpy(), rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(after.vector, wanted.projection[0].numpy(), rtol=1e-3, atol=1e-4)
    assert "step 0" in before.model_id


def test_a_normalised_vector_has_length_one(bench: Workbench, model: ModelFolder, study: Path) -> None:
    plain = ask(bench, model=model.path, path=study, frame_index=3)
    scaled = ask(bench, model=model.path, path=study, frame_index=3, normalized=True)
    np.testing.assert_allclose(scaled.vector, plain.vector / np.linalg.norm(plain.vector), rtol=1e-5)
    assert scaled.normalized


def test_a_frame_saved_as_a_picture_lies_where_the_frame_does(
    bench: Workbench, model: ModelFolder, study: Path, tmp_path: Path
) -> None:
    """Of a study that is all tissue; a picture's own field of view is then the same."""
    rng = np.random.default_rng(0)
    frame = rng.integers(90, 250, (96, 96, 3), dtype=np.uint8)
    (tmp_path / "all").mkdir()
    assert cv2.imwrite(str(tmp_path / "all" / "0.png"), frame)
    assert cv2.imwrite(str(tmp_path / "a.png"), frame)
    of_study = ask(bench, model=model.path, path=tmp_path / "all", frame_index=0)
    of_file = ask(bench, model=model.path, image=tmp_path / "a.png")
    np.testing.assert_array_equal(of_study.vector, of_file.vector)
    assert (of_study.note, of_file.note) == ("", IMAGE_NOTE)


def test_a_region_of_everything_is_the_frame_and_a_small_one_is_not(
    bench: Workbench, model: ModelFolder, tmp_path: Path
) -> None:
    frame = np.random.default_rng(0).integers(90, 250, (96, 96, 3), dtype=np.uint8)
    assert cv2.imwrite(str(tmp_path / "a.png"), frame)
    whole = ask(bench, model=model.path, image=tmp_path / "a.png")
    region = ask(bench, model=model.path, image=tmp_path / "a.png", region=(0, 0, 96, 96))
    part = ask(bench, model=model.path, image=tmp_path / "a.png", region=(10, 10, 40, 40))
    np.testing.assert_array_equal(region.vector, whole.vector)
    assert cosine(part.vector, whole.vector) < 0.9999
    assert part.note == f"{IMAGE_NOTE} {REGION_NOTE}"


def test_a_given_field_of_view_counts(bench: Workbench, model: ModelFolder, study: Path) -> None:
    given = {"kind": "circle", "width_px": 96, "height_px": 96, "centre": [48, 48], "radius": 20.0, "polygon": []}
    plain = ask(bench, model=model.path, path=study, frame_index=3)
    inside = ask(bench, model=model.path, path=study, frame_index=3, field_of_view=given)
    assert cosine(plain.vector, inside.vector) < 0.9999


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"path": "none.mp4"}, r"none\.mp4"),
        ({}, "Neither a study nor a picture"),
        ({"path": "study", "frame_index": 20}, "has no frame 20"),
        ({"path": "study", "space": "projection"}, "no projection head"),
        ({"path": "study", "step": 3}, "one set of weights"),
        ({"path": "study", "model": "none"}, "no model folder"),
    ],
)
def test_what_cannot_be_used_is_a_sentence(
    bench: Workbench, model: ModelFolder, study: Path, fields: dict[str, Any], words: str
) -> None:
    named = {name: study if value == "study" else value for name, value in fields.items()}
    with pytest.raises(UserError, match=words):
        ask(bench, **{"model": model.path, **named})
