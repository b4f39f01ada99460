"""What cannot be opened says why in a sentence."""

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.videos import cut_tail, number_of, write_video
from training.errors import UserError
from training.runs.reporter import Cancelled, SilentReporter
from training.video import FrameIndex, build_index, fingerprint, first_picture, frame_index, is_study, open_source
from training.video.image_header import image_size


def sound_only(path: Path) -> Path:
    import av

    with av.open(str(path), "w") as container:
        stream = container.add_stream("aac", rate=44100)
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), format="fltp", layout="mono")
        frame.sample_rate = 44100
        container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def moov_cut_off(path: Path) -> Path:
    return cut_tail(write_video(path.with_name("whole.mp4"), 30), path, 0.6)


def text(path: Path) -> Path:
    path.write_text("Dear colleague,\nplease find the video attached.\n" * 20)
    return path


def nothing(path: Path) -> Path:
    path.write_bytes(b"")
    return path


def noise(path: Path) -> Path:
    path.write_bytes(np.random.default_rng(0).integers(0, 256, 50_000, dtype=np.uint8).tobytes())
    return path


def folder(path: Path) -> Path:
    path.mkdir()
    return path


CASES = [
    (lambda path: path, "no file"),
    (nothing, r"study\.mp4 is empty"),
    (text, r"study\.mp4 is a text file"),
    (noise, r"study\.mp4 is not a video"),
    (sound_only, r"study\.mp4 holds no video stream"),
    (moov_cut_off, r"study\.mp4 is cut short"),
    (folder, "holds no images"),
]


@pytest.mark.parametrize(("make", "sentence"), CASES, ids=[sentence for _, sentence in CASES])
def test_a_bad_path_gets_a_sentence(make, sentence: str, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    path = make(tmp_path / "study.mp4")
    for action in (build_index, open_source, first_picture):
        with pytest.raises(UserError, match=sentence) as caught:
            action(path)
        assert caught.value.hint
        assert "\n" not in caught.value.message


@pytest.mark.skipif(os.name == "nt" or (hasattr(os, "geteuid") and os.geteuid() == 0), reason="nothing is denied here")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.mp4", 3)
    path.chmod(0)
    with pytest.raises(UserError, match="cannot be read"):
        build_index(path)


@pytest.mark.parametrize("name", ["Kapsel-Übung 日本語 🎥.mp4", "a:b.mp4", "frame %03d.mp4", "-i.mp4", " .mp4"])
def test_names_of_all_kinds(name: str, tmp_path: Path) -> None:
    if os.name == "nt" and ":" in name:
        pytest.skip("no colons in names here")
    path = write_video(tmp_path / "plain.mp4", 20)
    path = path.rename(tmp_path / name)
    with open_source(path) as source:
        assert number_of(source.read(13)) == 13
    assert number_of(first_picture(path)) == 0


@pytest.mark.skipif(os.name == "nt", reason="paths beyond 260 characters must be allowed by the system there")
def test_a_very_long_path(tmp_path: Path) -> None:
    deep = tmp_path
    for _ in range(12):
        deep /= "ein sehr langer Ordnername " * 8
    deep.mkdir(parents=True)
    path = write_video(tmp_path / "plain.mp4", 20).rename(deep / "study.mp4")
    assert len(str(path)) > 2500
    with open_source(path) as source:
        assert number_of(source.read(13)) == 13


def test_a_read_only_folder_is_enough(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    path = write_video(closed / "a.mp4", 20)
    closed.chmod(0o555)
    try:
        with open_source(path) as source:
            assert number_of(source.read(7)) == 7
    finally:
        closed.chmod(0o755)


@pytest.mark.parametrize(("height", "width"), [(35, 51), (2, 2), (4096, 4096)])
def test_odd_tiny_and_large_frames(height: int, width: int, tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.avi", 3, codec="mjpeg", height=height, width=width)
    with open_source(path, cache_bytes=1024) as source:
        assert source.read(2).shape == (height, width, 3)
        assert height < 16 or number_of(source.read(1)) == 1


def test_another_file_under_an_old_name_is_noticed(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.mp4", 20)
    index = build_index(path)
    write_video(path, 25)
    with pytest.raises(UserError, match="has changed since"):
        open_source(path, index=index)


def test_a_moved_file_is_known_again(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.mp4", 20)
    index = build_index(path)
    with open_source(path.rename(tmp_path / "b.mp4"), index=index) as source:
        assert number_of(source.read(11)) == 11
    assert fingerprint(tmp_path / "b.mp4") == index.fingerprint


def test_indexing_can_be_cancelled(tmp_path: Path) -> None:
    class Impatient(SilentReporter):
        def check(self) -> None:
            raise Cancelled

    with pytest.raises(Cancelled):
        build_index(write_video(tmp_path / "a.mp4", 20), Impatient())


def test_what_is_a_study(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("x")
    (tmp_path / "A.MP4").write_bytes(b"x")
    assert is_study(tmp_path / "A.MP4")
    assert not is_study(tmp_path / "notes.txt")
    assert not is_study(tmp_path / "empty")
    assert not is_study(tmp_path / "none.mp4")


def test_an_index_survives_saving(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.ts", 40, b_frames=3, open_gop=True)
    index = build_index(path)
    index.save(tmp_path / "a.npz")
    loaded = FrameIndex.load(tmp_path / "a.npz")
    assert [p.name for p in tmp_path.iterdir() if p.name.endswith(".part")] == []
    assert (loaded.notes, loaded.time_base, loaded.fingerprint) == (index.notes, index.time_base, index.fingerprint)
    np.testing.assert_array_equal(loaded.video_seconds, index.video_seconds)
    with open_source(path, index=loaded) as source:
        assert [number_of(source.read(i)) for i in (39, 12, 11)] == [39, 12, 11]


def test_a_bad_index_file_gets_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no index"):
        FrameIndex.load(tmp_path / "none.npz")
    (tmp_path / "bad.npz").write_bytes(b"PK\x03\x04 not really")
    with pytest.raises(UserError, match="damaged"):
        FrameIndex.load(tmp_path / "bad.npz")


@pytest.mark.parametrize(("version", "who"), [(frame_index.SCHEMA_VERSION - 1, "older"), (99, "newer")])
def test_an_index_of_another_version_is_not_read(
    version: int, who: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = build_index(write_video(tmp_path / "a.mp4", 3))
    with monkeypatch.context() as patch:
        patch.setattr(frame_index, "SCHEMA_VERSION", version)
        index.save(tmp_path / "a.npz")
    with pytest.raises(UserError, match=f"written by an? {who} version"):
        FrameIndex.load(tmp_path / "a.npz")


def test_an_index_that_cannot_be_written_gets_a_sentence(tmp_path: Path) -> None:
    index = build_index(write_video(tmp_path / "a.mp4", 3))
    with pytest.raises(UserError, match="cannot be written"):
        index.save(tmp_path / "no such folder" / "a.npz")


def test_a_pipe_and_a_device_are_no_study(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.mp4")
    for path, what in ((tmp_path / "pipe.mp4", "a pipe, not a"), (Path("/dev/zero"), "a device, not a")):
        for action in (build_index, open_source, first_picture, fingerprint):
            with pytest.raises(UserError, match=what):
                action(path)


def test_a_pipe_in_a_folder_of_images_is_no_frame(tmp_path: Path) -> None:
    for name in ("a.png", "c.png"):
        cv2.imwrite(str(tmp_path / name), np.full((64, 64, 3), 90, np.uint8))
    os.mkfifo(tmp_path / "b.png")
    (tmp_path / "d.png").symlink_to("/dev/zero")
    index = build_index(tmp_path)
    assert index.files == ("a.png", "c.png")
    assert image_size(tmp_path / "b.png") is None
    assert len(fingerprint(tmp_path)) == 32
