"""Clip files: what is written is read, and what is damaged, unfinished or of another model is refused."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from training.embeddings.writer import partial_path
from training.errors import UserError
from training.files.kinds import CLIP_FILE, EMBEDDING_FILE
from training.retrieval.clip_file import ClipFile, ClipHeader
from training.retrieval.clips import Clips, clip_bounds

HEADER = ClipHeader(
    model_id="run step 600",
    model_sha256="a" * 64,
    length=8,
    stride=4,
    input_size=64,
    video_fingerprint="f" * 64,
    frames=30,
    clips=7,
    created_utc="2026-01-01T00:00:00+00:00",
)


def content(done: int = 7, **changed: Any) -> ClipFile:
    starts, stops = clip_bounds(30, 8, 4)
    vectors = np.random.default_rng(0).normal(size=(7, 5)).astype(np.float32)
    clips = Clips(starts[:done], stops[:done], vectors[:done])
    return ClipFile(HEADER.model_copy(update=changed), clips, clips.starts / 2.0, (clips.stops - 1) / 2.0)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "new" / "clips.h5"
    assert content().write(path) == path
    found = ClipFile.open(path)
    assert found.header == HEADER
    assert found.is_complete
    for name in ("starts", "stops", "vectors"):
        assert np.array_equal(getattr(found.clips, name), getattr(content().clips, name))
    assert found.stop_seconds.tolist() == content().stop_seconds.tolist()
    assert CLIP_FILE.is_ours(path)
    assert not EMBEDDING_FILE.is_ours(path)


def test_the_same_clips_are_the_same_bytes(tmp_path: Path) -> None:
    first, second = content().write(tmp_path / "a.h5"), content().write(tmp_path / "b.h5")
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize("done", [0, 3])
def test_an_unfinished_file_is_continued_and_not_read(tmp_path: Path, done: int) -> None:
    path = tmp_path / "clips.h5"
    assert content(done).write(path) == partial_path(path)
    assert not path.exists()
    with pytest.raises(UserError, match="not finished"):
        ClipFile.open(path)
    with pytest.raises(UserError, match=f"{done} of 7 clips"):
        ClipFile.open(partial_path(path))
    assert len(ClipFile.open_partial(path, HEADER).clips) == done
    content().write(path)
    assert not partial_path(path).exists()
    assert ClipFile.open(path).is_complete


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"model_sha256": "b" * 64}, "another model"),
        ({"video_fingerprint": "0" * 64}, "another study"),
        ({"length": 16}, "another length"),
        ({"stride": 2}, "another distance"),
    ],
)
def test_an_unfinished_file_of_something_else_is_not_continued(
    tmp_path: Path, changed: dict[str, Any], sentence: str
) -> None:
    path = tmp_path / "clips.h5"
    content(2).write(path)
    with pytest.raises(UserError, match=f"started with .*{sentence}"):
        ClipFile.open_partial(path, HEADER.model_copy(update=changed))


def test_clips_of_different_models_are_not_compared() -> None:
    assert HEADER.space == HEADER.model_copy(update={"video_fingerprint": "0" * 64, "stride": 1}).space
    assert HEADER.space != HEADER.model_copy(update={"model_sha256": "b" * 64, "model_id": "other"}).space


def test_what_is_no_clip_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="There is no file"):
        ClipFile.open(tmp_path / "none.h5")
    (tmp_path / "text.h5").write_text("no HDF5")
    with pytest.raises(UserError, match="not a readable clip file"):
        ClipFile.open(tmp_path / "text.h5")
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "empty.h5", "w", libver=("earliest", "v108")):
        pass
    with pytest.raises(UserError, match="without clips"):
        ClipFile.open(tmp_path / "empty.h5")


def test_a_newer_format_is_refused(tmp_path: Path) -> None:
    content(clip_schema_version=2).write(tmp_path / "new.h5")
    with pytest.raises(UserError, match="newer version"):
        ClipFile.open(tmp_path / "new.h5")


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"frames": 20}, "outside of the study"),
        ({"length": 4}, "too long"),
        ({"clips": 31}, "number of its clips"),
    ],
)
def test_numbers_that_do_not_agree_are_refused(tmp_path: Path, changed: dict[str, Any], sentence: str) -> None:
    made = content()
    bad = replace(made, header=made.header.model_copy(update=changed))
    place = bad.write(tmp_path / "clips.h5")
    with pytest.raises(UserError, match=sentence):
        ClipFile.open(place)


def test_vectors_and_times_must_be_numbers(tmp_path: Path) -> None:
    made = content()
    vectors = made.clips.vectors.copy()
    vectors[3, 2] = np.nan
    bad = replace(made, clips=Clips(made.clips.starts, made.clips.stops, vectors))
    with pytest.raises(UserError, match="vectors are wrong"):
        ClipFile.open(bad.write(tmp_path / "vectors.h5"))
    late = replace(made, stop_seconds=np.full(7, np.inf))
    with pytest.raises(UserError, match="times are wrong"):
        ClipFile.open(late.write(tmp_path / "times.h5"))


def test_every_cut_of_a_file_is_refused_with_a_sentence(tmp_path: Path) -> None:
    path = content().write(tmp_path / "clips.h5")
    data = path.read_bytes()
    for size in range(0, len(data), 97):
        path.write_bytes(data[:size])
        with pytest.raises(UserError):
            ClipFile.open(path)


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UserError, match="cannot be written"):
        content().write(tmp_path / "file" / "clips.h5")
