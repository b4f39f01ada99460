"""The stored embeddings of a study's flagged frames: written, read, looked up, and refused."""

from pathlib import Path

import numpy as np
import pytest
import torch

from tests import tiny_backbone
from tests.training.reidentification.scored import write_scores
from tests.videos import write_video
from training.commands.common import find_command, make_config
from training.datasets.manifest import StudyEntry
from training.embeddings.file import EmbeddingFile
from training.errors import UserError
from training.files.kinds import REID_FILE
from training.reidentification.config import EncoderConfig
from training.reidentification.encoder import MultiViewEncoder, SingleFrameEncoder
from training.reidentification.model import ReidModel, ReidModelConfig, write_reid_model
from training.reidentification.study_vectors import StudyVectors
from training.reidentification.tracklets import cut_tracklets
from training.reidentification.training import tracklet_vectors
from training.reidentification.visits import event_visits
from training.runs.reporter import SilentReporter


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> ReidModel:
    torch.manual_seed(0)
    encoder = EncoderConfig(backbone=tiny_backbone.TINY.name, embedding=16, head_hidden=16, heads=2, feed_forward=16)
    config = ReidModelConfig(encoder=encoder, crop_px=16, context=1.5, views=4, limit=0.3, limit_source="a default")
    made = MultiViewEncoder(SingleFrameEncoder(encoder)).eval()
    return write_reid_model(tmp_path_factory.mktemp("models") / "reid", config, made, {"kind": "re-identification"})


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_video(tmp_path_factory.mktemp("video") / "study.mp4", 40, height=48, width=48)


def embed(video: Path, model: ReidModel, folder: Path, **changes: object) -> StudyVectors:
    config_class, run, _ = find_command("embed-reid")
    scores = write_scores(folder / "S.h5", video, cam=(1, 1))
    out = folder / "reid.safetensors"
    given = {"path": video, "scores": scores, "model": model.path, "out": out, "device": "cpu", **changes}
    run(make_config(config_class, given), SilentReporter())
    return StudyVectors.open(out)


def test_events_get_the_vectors_of_the_encoder(video: Path, model: ReidModel, tmp_path: Path) -> None:
    found = embed(video, model, tmp_path, findings=[[30, 34, "polyp"], [0, 2, "ulcer"]])
    assert found.floor == 0.25
    assert found.classes == ("normal", "polyp", "blood", "ulcer")
    assert found.frames[found.columns == 1].tolist() == [*range(4, 10), *range(20, 26), *range(30, 34)]
    assert found.of("ulcer", 0, 9).shape == (2, 16), "a finding of a class that is not scored"
    assert found.of("polyp", 10, 20).shape == (0, 16)
    with EmbeddingFile.open(tmp_path / "S.h5") as file:
        visits = event_visits(StudyEntry(study_id="S", patient_id="P", path=video), file, 0.5, 3)
    crops = cut_tracklets(visits, side_px=16, context=1.5, reporter=SilentReporter()).crops
    expected = np.concatenate(tracklet_vectors(model.encoder(), crops, 4))
    frames = [found.of(visit.label, visit.start, visit.stop) for visit in visits]
    np.testing.assert_allclose(model.joint().of_tracklets(frames, 4), expected, atol=1e-4)


def test_a_study_without_events_has_no_vectors(video: Path, model: ReidModel, tmp_path: Path) -> None:
    found = embed(video, model, tmp_path, threshold=1.0, findings=())
    lowest = found.frames.size
    assert lowest == 15, "half of the threshold is 0.5"
    write = write_scores(tmp_path / "quiet" / "S.h5", video, np.full((40, 3), 0.05, np.float32))
    config_class, run, _ = find_command("embed-reid")
    given = {"path": video, "scores": write, "model": model.path, "out": tmp_path / "none.safetensors"}
    result = run(make_config(config_class, {**given, "device": "cpu"}), SilentReporter())
    assert result["frames"] == 0
    assert StudyVectors.open(tmp_path / "none.safetensors").of("polyp", 0, 40).shape == (0, 16)


def test_scores_of_another_video_are_refused(video: Path, model: ReidModel, tmp_path: Path) -> None:
    other = write_video(tmp_path / "other.mp4", 40, height=32, width=32)
    config_class, run, _ = find_command("embed-reid")
    given = {"path": other, "scores": write_scores(tmp_path / "S.h5", video), "model": model.path}
    with pytest.raises(UserError, match=r"is not of the video other\.mp4"):
        run(make_config(config_class, {**given, "out": tmp_path / "o.safetensors"}), SilentReporter())


def test_damaged_files_are_refused(video: Path, model: ReidModel, tmp_path: Path) -> None:
    found, path = embed(video, model, tmp_path), tmp_path / "reid.safetensors"
    assert REID_FILE.is_ours(path)
    assert not REID_FILE.is_ours(model.path / "model.safetensors")
    with pytest.raises(UserError, match="does not hold embeddings for re-identification"):
        StudyVectors.open(model.path / "model.safetensors")
    broken = StudyVectors(**{**vars(found), "frames": found.frames[::-1]})
    broken.save(path)
    with pytest.raises(UserError, match="does not hold embeddings"):
        StudyVectors.open(path)
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(UserError, match="not a readable safetensors file"):
        StudyVectors.open(path)
