"""Which stretches are tracklets: findings with boxes, and events of scored frames with the boxes of their CAMs."""

from pathlib import Path

import numpy as np
import pytest

from tests.training.reidentification.scored import known_scores, write_scores
from tests.videos import write_video
from training.datasets.labels import LabelRow
from training.datasets.manifest import StudyEntry
from training.embeddings.file import EmbeddingFile
from training.errors import UserError
from training.reidentification.tracklets import cut_tracklets
from training.reidentification.visits import event_visits, scores_of
from training.runs.reporter import SilentReporter


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_video(tmp_path_factory.mktemp("video") / "study.mp4", 40, height=48, width=48)


def study_of(video: Path) -> StudyEntry:
    return StudyEntry(study_id="S", patient_id="P", path=video)


def test_events_are_visits_with_their_scores(video: Path, tmp_path: Path) -> None:
    known = LabelRow(study_id="S", start=22, stop=30, label="polyp", finding_id="f1")
    with EmbeddingFile.open(write_scores(tmp_path / "S.h5", video)) as file:
        found = event_visits(study_of(video), file, 0.5, 3, [known])
    assert [(visit.label, visit.start, visit.stop, visit.finding) for visit in found] == [
        ("polyp", 4, 10, ""), ("polyp", 20, 26, "f1"), ("blood", 12, 15, ""),
    ]  # fmt: skip
    assert set(found[0].boxes.values()) == {None}, "without CAMs the whole field of view is cut"
    assert list(found[2].scores.values()) == pytest.approx([0.7] * 3)


def test_a_cam_gives_each_frame_a_box(video: Path, tmp_path: Path) -> None:
    with EmbeddingFile.open(write_scores(tmp_path / "S.h5", video, cam=(0, 3))) as file:
        found = event_visits(study_of(video), file, 0.5, 3)
    box = found[0].boxes[4]
    assert box is not None
    assert (box.x_min, box.x_max) > (24, 40), "the upper right cell of 4 x 4"
    assert box.y_max < 24
    crops = cut_tracklets(found, side_px=16, context=1.5, reporter=SilentReporter()).crops
    assert [each.shape for each in crops] == [(6, 16, 16, 3), (6, 16, 16, 3), (3, 16, 16, 3)]


def test_crops_in_a_file_are_those_in_memory(video: Path, tmp_path: Path) -> None:
    with EmbeddingFile.open(write_scores(tmp_path / "S.h5", video)) as file:
        visits = event_visits(study_of(video), file, 0.5, 3)
    memory, mapped = (
        cut_tracklets(visits, side_px=16, context=1.5, reporter=SilentReporter(), most_crops=4, spill=spill)
        for spill in (None, tmp_path / "crops.tmp")
    )
    assert [len(each) for each in memory.crops] == [4, 4, 3], "of a longer visit four frames are taken"
    for one, other in zip(memory.crops, mapped.crops, strict=True):
        assert np.array_equal(one, other)


def test_scores_of_another_video_or_model_are_not_taken(video: Path, tmp_path: Path) -> None:
    other = write_video(tmp_path / "other.mp4", 40, height=32, width=32)
    write_scores(tmp_path / "a.h5", other)
    write_scores(tmp_path / "S" / "b.h5", video, sha256="1" * 64)
    (tmp_path / "c.h5").write_bytes(b"no such file")
    found = scores_of(study_of(video), tmp_path)
    assert found is not None
    with found:
        assert found.path.name == "b.h5"
    assert scores_of(study_of(video), tmp_path, "2" * 64) is None


def test_frames_beyond_the_video_are_refused(video: Path, tmp_path: Path) -> None:
    scores = np.concatenate([known_scores(), known_scores()])
    with EmbeddingFile.open(write_scores(tmp_path / "S.h5", video, scores)) as file:
        visits = event_visits(study_of(video), file, 0.5, 3)
    with pytest.raises(UserError, match="has no frame 65"):
        cut_tracklets(visits, side_px=16, context=1.5, reporter=SilentReporter())
