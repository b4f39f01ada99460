"""A killed and resumed file is the uninterrupted one; trouble with the disk gets a sentence and loses nothing."""

import errno
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.training.embeddings.samples import HEADER, LAYOUT, SECONDS, begin, go_on, rows
from tests.warm_python import warm_python
from training.embeddings import writer as writer_module
from training.embeddings.file import EmbeddingFile
from training.embeddings.writer import EmbeddingWriter, partial_path
from training.errors import UserError

posix = pytest.mark.skipif(sys.platform == "win32", reason="no such signals or limits on Windows")


@settings(max_examples=25, deadline=None)
@given(cuts=st.lists(st.integers(1, 49), unique=True).map(sorted), stops=st.sets(st.integers(1, 49)))
def test_however_it_is_cut_and_reopened_the_bytes_are_the_same(cuts: list[int], stops: set[int]) -> None:
    with tempfile.TemporaryDirectory() as name:
        whole, path = go_on(begin(Path(name) / "whole.h5")), Path(name) / "cut.h5"
        writer = begin(path)
        for start, stop in zip([0, *cuts], [*cuts, 50], strict=True):
            writer.append(rows(start, stop))
            if stop in stops:
                writer.close()
                writer = EmbeddingWriter.resume(path, HEADER)
                assert writer.frames_done == stop
        assert writer.finish().read_bytes() == whole.read_bytes()


@posix
@pytest.mark.parametrize("syncs", [1, 2, 3, 8, 14, 15])
def test_killed_at_any_point_and_resumed_it_is_the_same_file(tmp_path: Path, syncs: int) -> None:
    path = tmp_path / "killed.h5"
    child = subprocess.run(
        [*warm_python(), "-m", "tests.training.embeddings.samples", str(path), str(syncs)], check=False, timeout=60
    )
    assert child.returncode == -signal.SIGKILL
    writer = EmbeddingWriter.resume(path, HEADER)
    # Two syncs a chunk of 8: the numbers, then that they count. Killed at a sync, its write may or may not count.
    assert writer.frames_done in {min(50, 8 * (syncs // 2)), min(50, 8 * ((syncs - 1) // 2))}
    assert go_on(writer).read_bytes() == go_on(begin(tmp_path / "whole.h5")).read_bytes()


def test_an_earlier_file_stays_until_the_new_one_is_finished(tmp_path: Path) -> None:
    path = go_on(begin(tmp_path / "a.h5"))
    writer = begin(path)
    writer.append(rows(0, 8))
    with EmbeddingFile.open(path) as earlier:
        assert len(earlier) == 50
    writer.close()
    assert partial_path(path).exists()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"video_fingerprint": "f2"}, "another video"),
        ({"model_sha256": "1" * 64}, "another model"),
        ({"classes": ("normal", "polyp", "ulcer")}, "other classes"),
        ({"precision": "bfloat16"}, "another precision"),
    ],
)
def test_it_does_not_go_on_with_something_else(tmp_path: Path, change: dict[str, object], words: str) -> None:
    begin(tmp_path / "a.h5").close()
    with pytest.raises(UserError, match=words):
        EmbeddingWriter.resume(tmp_path / "a.h5", HEADER.model_copy(update=change))


def test_a_moved_video_and_a_later_day_are_no_difference(tmp_path: Path) -> None:
    begin(tmp_path / "a.h5").close()
    later = HEADER.model_copy(update={"video_path": "elsewhere.mp4", "created_utc": "2027-01-01T00:00:00+00:00"})
    with EmbeddingWriter.resume(tmp_path / "a.h5", later) as writer:
        assert writer.frames_done == 0


def test_nothing_to_resume_and_a_broken_partial(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no unfinished"):
        EmbeddingWriter.resume(tmp_path / "a.h5")
    partial_path(tmp_path / "a.h5").write_bytes(b"nothing of the kind")
    with pytest.raises(UserError, match="cannot be read"):
        EmbeddingWriter.resume(tmp_path / "a.h5")


def test_a_file_that_lost_a_table_is_not_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "a.h5"
    begin(path).close()
    content = partial_path(path).read_bytes()
    partial_path(path).write_bytes(content.replace(b"cams", b"cbms"))
    writer = EmbeddingWriter.resume(path, HEADER)
    with pytest.raises(UserError, match="no table cams"):
        writer.append(rows(0, 8))
    writer.close()


@pytest.mark.parametrize("step", ["EmbeddingWriter.resume", "begin"])
def test_two_writers_of_one_file(step: str, tmp_path: Path) -> None:
    with begin(tmp_path / "a.h5") as writer:
        child = f"from tests.training.embeddings.samples import *; {step}(Path(sys.argv[1]))"
        done = subprocess.run(
            [*warm_python(), "-c", child, str(tmp_path / "a.h5")],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert "is being written by another program" in done.stderr
        writer.append(rows(0, 8))


def test_a_file_that_another_program_began_at_the_same_moment_is_left_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.h5"
    first = begin(path)
    monkeypatch.setattr(writer_module, "_check_free", lambda _: None)  # it was free a moment ago
    second = begin(path)
    with first, pytest.raises(UserError, match="another program"):
        first.append(rows(0, 8))
    with second:
        second.append(rows(0, 8))


def test_a_full_disk_keeps_what_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.h5"
    writer = begin(path)
    writer.append(rows(0, 8))

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(UserError, match=r"disk is full: .*a\.h5 \(8 of 50 frames\).*--resume: 8 are kept"):
            writer.append(rows(8, 16))
    writer.close()
    writer = EmbeddingWriter.resume(path, HEADER)
    assert writer.frames_done == 8
    assert go_on(writer).read_bytes() == go_on(begin(tmp_path / "whole.h5")).read_bytes()


@posix
def test_a_disk_too_small_is_found_before_the_work(tmp_path: Path) -> None:
    code = (
        "import resource, sys; from pathlib import Path; from tests.training.embeddings import samples;"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)); samples.begin(Path(sys.argv[1]))"
    )
    command = [*warm_python(), "-c", code, str(tmp_path / "a.h5")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert "The disk is full" in done.stderr
    assert "Free some disk space and start again" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be written"):
        begin(tmp_path / "file" / "a.h5")
    locked = tmp_path / "locked"
    locked.mkdir()
    locked.chmod(0o500)
    if os.access(locked, os.W_OK):  # root may write everywhere
        import h5py

        def refuse(*_: object, **__: object) -> None:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

        monkeypatch.setattr(h5py, "File", refuse)
    with pytest.raises(UserError, match=r"locked.*cannot be written \(Permission denied\)"):
        begin(locked / "a.h5")


def test_rows_of_another_shape_or_too_many_are_bugs(tmp_path: Path) -> None:
    with begin(tmp_path / "a.h5") as writer:
        chunk = rows(0, 8)
        with pytest.raises(ValueError, match=r"embeddings must be \(K, 16\), not \(8, 8\)"):
            writer.append(type(chunk)(chunk.embeddings[:, :8], chunk.mean_color))
        writer.append(rows(0, 50))
        with pytest.raises(ValueError, match="do not fit"):
            writer.append(rows(0, 1))
    with pytest.raises(ValueError, match="video_seconds"):
        EmbeddingWriter.create(tmp_path / "b.h5", HEADER, LAYOUT, np.zeros(49))


def test_a_file_that_is_not_full_is_not_finished(tmp_path: Path) -> None:
    with begin(tmp_path / "a.h5") as writer, pytest.raises(ValueError, match="only 0 of 50"):
        writer.finish()
    assert SECONDS.shape == (50,)


def test_a_drive_without_locks_is_named_with_a_way_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("Unable to synchronously open file (unable to lock file, errno = 38, 'Function not implemented')")

    begin(tmp_path / "begun.h5").close()
    monkeypatch.setattr("h5py.File", refuse)
    with pytest.raises(UserError, match="does not let programs lock files") as caught:
        begin(tmp_path / "e.h5")
    assert "disk of this computer" in caught.value.hint
    with pytest.raises(UserError, match="does not let programs lock files"):
        EmbeddingWriter.resume(tmp_path / "begun.h5")
