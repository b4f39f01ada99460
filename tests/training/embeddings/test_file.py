"""What a reader gets from an embedding file."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import h5py
import numpy as np
import pytest

from tests.training.embeddings.samples import HEADER, LAYOUT, SECONDS, begin, go_on, rows
from training.embeddings.chunk import EmbeddingChunk, EmbeddingLayout, share_codes
from training.embeddings.file import EmbeddingFile
from training.embeddings.writer import EmbeddingWriter
from training.errors import UserError


def test_it_reads_what_was_written(tmp_path: Path) -> None:
    wanted = rows(0, 50)
    with EmbeddingFile.open(go_on(begin(tmp_path / "a.h5"))) as file:
        assert file.header == HEADER
        assert len(file) == 50
        assert np.array_equal(file.frame_index, np.arange(50))
        assert np.array_equal(file.video_seconds, SECONDS)
        assert file.embeddings.dtype == np.float16
        assert np.allclose(file.embeddings, wanted.embeddings, rtol=1e-3)
        assert file.scores is not None
        assert file.cams is not None
        assert wanted.scores is not None
        assert wanted.cams is not None
        assert wanted.mean_color is not None
        assert file.scores.dtype == np.float32
        assert np.array_equal(file.scores, wanted.scores)
        assert np.array_equal(file.cams, wanted.cams.astype(np.float16))
        assert file.mean_color is not None
        assert np.array_equal(file.mean_color, wanted.mean_color)
        assert not file.missing.any()


def test_any_viewer_can_read_it(tmp_path: Path) -> None:
    with h5py.File(go_on(begin(tmp_path / "a.h5")), "r") as file:
        assert set(file) == {"embeddings", "scores", "cams", "frame_index", "video_seconds", "mean_color"}
        assert list(file.attrs["classes"]) == ["normal", "polyp", "blood"]
        assert file.attrs["video_path"] == "päth/of video.mp4"
        assert file.attrs["frames_done"] == 50
        assert file.attrs["complete"]


def test_a_missing_frame_is_nan_throughout(tmp_path: Path) -> None:
    writer = begin(tmp_path / "a.h5")
    missing = np.zeros(50, bool)
    missing[[3, 49]] = True
    writer.append(rows(0, 50).with_missing(missing))
    with EmbeddingFile.open(writer.finish()) as file:
        assert np.array_equal(file.missing, missing)
        assert file.scores is not None
        assert file.cams is not None
        assert file.mean_color is not None
        assert np.isnan(file.scores[missing]).all()
        assert np.isnan(file.cams[missing]).all()
        assert not file.mean_color[missing].any()
        assert np.isfinite(file.scores[~missing]).all()


def test_what_float16_cannot_hold_stays_finite(tmp_path: Path) -> None:
    writer = EmbeddingWriter.create(tmp_path / "a.h5", HEADER, EmbeddingLayout(2, 2), np.zeros(2))
    values = np.array([[1e9, -1e9], [0.5, np.nan]], np.float32)
    writer.append(EmbeddingChunk(values, np.zeros((2, 3), np.uint8)))
    with EmbeddingFile.open(writer.finish()) as file:
        assert np.array_equal(file.embeddings[0], np.array([65504, -65504]))
        assert np.isnan(file.embeddings[1, 1])
        assert file.scores is None
        assert file.cams is None


def test_tracks_are_shares_and_missing_frames_have_none(tmp_path: Path) -> None:
    header = HEADER.model_copy(update={"classes": (), "tracks": ("clear", "red")})
    shares = np.array([[0, 1], [0.5, 0.25], [0.1, 0.1], [np.nan, 0]])
    writer = EmbeddingWriter.create(tmp_path / "a.h5", header, EmbeddingLayout(4, 2, tracks=2), np.arange(4.0))
    chunk = EmbeddingChunk(np.ones((4, 2)), np.zeros((4, 3), np.uint8), tracks=share_codes(shares))
    writer.append(chunk.with_missing(np.array([False, False, True, False])))
    with EmbeddingFile.open(writer.finish()) as file:
        assert file.header.tracks == ("clear", "red")
        assert file.tracks is not None
        assert list(file.tracks) == ["clear", "red"]
        np.testing.assert_allclose(file.tracks["clear"], [0, 0.5, np.nan, np.nan], atol=1 / 500)
        np.testing.assert_allclose(file.tracks["red"], [1, 0.25, np.nan, 0], atol=1 / 500)


def test_files_without_tracks_and_rows_that_an_older_version_wrote(tmp_path: Path) -> None:
    with EmbeddingFile.open(go_on(begin(tmp_path / "old.h5"))) as file:
        assert file.header.tracks == ()
        assert file.tracks is None
    header = HEADER.model_copy(update={"tracks": ("clear",)})
    writer = EmbeddingWriter.create(tmp_path / "a.h5", header, replace(LAYOUT, tracks=1), SECONDS)
    with EmbeddingFile.open(go_on(writer)) as file:  # its chunks have no tracks
        assert file.tracks is not None
        assert np.isnan(file.tracks["clear"]).all()


def test_a_table_of_tracks_has_a_column_for_each_name(tmp_path: Path) -> None:
    header = HEADER.model_copy(update={"tracks": ("clear", "red")})
    writer = EmbeddingWriter.create(tmp_path / "a.h5", header, replace(LAYOUT, tracks=1), SECONDS)
    with pytest.raises(UserError, match="tracks is of a wrong shape"):
        EmbeddingFile.open(go_on(writer))


@pytest.mark.parametrize("compression", ["gzip", None])
def test_tables_in_hdf5_chunks_are_refused(tmp_path: Path, compression: str | None) -> None:
    path = go_on(begin(tmp_path / "a.h5"))
    with h5py.File(path, "r+") as file:
        values = file["embeddings"][...]
        del file["embeddings"]
        file.create_dataset("embeddings", data=values, chunks=(8, 16), compression=compression)
    with pytest.raises(UserError, match=r"a\.h5 is not a readable HDF5 file: embeddings is (compressed|not stored)"):
        EmbeddingFile.open(path)


def test_only_finished_files_open(tmp_path: Path) -> None:
    path = tmp_path / "a.h5"
    with pytest.raises(UserError, match="There is no file"):
        EmbeddingFile.open(path)
    begin(path).close()
    with pytest.raises(UserError, match="is not finished"):
        EmbeddingFile.open(path)
    path.with_name("a.h5.partial").rename(path)
    with pytest.raises(UserError, match=r"is not finished \(0 of 50 frames\)"):
        EmbeddingFile.open(path)


def test_files_of_another_kind_and_of_tomorrow(tmp_path: Path) -> None:
    path = tmp_path / "a.h5"
    path.write_text("hello")
    with pytest.raises(UserError, match="not a readable HDF5"):
        EmbeddingFile.open(path)
    with h5py.File(path, "w") as file:
        file["x"] = 1
    with pytest.raises(UserError, match="without embeddings"):
        EmbeddingFile.open(path)
    with h5py.File(path, "w") as file:
        file.attrs["schema_version"] = 99
    with pytest.raises(UserError, match=r"newer version.*99"):
        EmbeddingFile.open(path)
    with h5py.File(path, "w") as file:
        file.attrs["schema_version"] = 1
    with pytest.raises(UserError, match="model_id is missing"):
        EmbeddingFile.open(path)


def test_it_needs_no_torch_and_no_h5py_until_a_file_is_opened() -> None:
    code = (
        "import sys, training.embeddings.file, training.embeddings.writer;"
        "sys.exit(len({'torch', 'cv2', 'h5py'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0
