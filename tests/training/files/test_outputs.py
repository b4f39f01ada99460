"""Whether an output may be written: inputs, foreign files, devices and bad names are refused and stay as they are."""

import os
import socket
import stat
import sys
from pathlib import Path

import pytest

from training.errors import UserError
from training.files.outputs import (
    ForeignFileError,
    OutputKind,
    check_output,
    check_output_folder,
    written_beside,
)


def is_ours(path: Path) -> bool:
    return path.read_bytes().startswith(b"ours")


KIND = OutputKind("note", is_ours, {".part": OutputKind("unfinished note", is_ours)})
needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX files")


def foreign(path: Path) -> Path:
    path.write_bytes(b"somebody's")
    return path


def test_a_new_place_is_fine_and_nothing_is_created(tmp_path: Path) -> None:
    out = tmp_path / "new" / "deeper" / "a.note"
    assert check_output(out, KIND) == out
    assert not (tmp_path / "new").exists()


def test_our_own_file_is_replaced_and_a_foreign_one_only_when_asked(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.write_bytes(b"ours, from before")
    check_output(mine, KIND)
    other = foreign(tmp_path / "other")
    with pytest.raises(ForeignFileError, match="not a note written by this program") as refused:
        check_output(other, KIND)
    assert "--overwrite" in refused.value.hint
    check_output(other, KIND, overwrite=True)
    assert other.read_bytes() == b"somebody's"


def test_what_lies_beside_an_unfinished_output_is_checked_too(tmp_path: Path) -> None:
    foreign(tmp_path / "a.part")
    with pytest.raises(ForeignFileError, match="unfinished note"):
        check_output(tmp_path / "a", KIND)
    with pytest.raises(UserError, match="is an input"):
        check_output(tmp_path / "a", KIND, inputs=[tmp_path / "a.part"], overwrite=True)


@pytest.mark.parametrize("how", ["same", "relative", "hard link", "folder link", "case"])
def test_an_input_is_never_written_over(how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = tmp_path / "study.mp4"
    study.write_bytes(b"ours by content, and an input all the same")
    out = study
    if how == "relative":
        monkeypatch.chdir(tmp_path)
        out = Path("x/../study.mp4") if sys.platform == "win32" else Path("./study.mp4")
    elif how == "hard link":
        out = tmp_path / "second.mp4"
        os.link(study, out)
    elif how == "folder link":
        (tmp_path / "link").symlink_to(tmp_path, target_is_directory=True)
        out = tmp_path / "link" / "study.mp4"
    elif how == "case":
        out = tmp_path / "STUDY.MP4"
        if not out.exists():
            out = tmp_path / "x" / ".." / "study.mp4"
    with pytest.raises(UserError, match="is an input of this command") as refused:
        check_output(out, KIND, inputs=[tmp_path / "nothing", study], overwrite=True)
    assert not isinstance(refused.value, ForeignFileError)


def test_a_link_to_an_input_is_refused(tmp_path: Path) -> None:
    study = foreign(tmp_path / "study.mp4")
    (tmp_path / "out").symlink_to(study)
    with pytest.raises(UserError, match="is an input"):
        check_output(tmp_path / "out", KIND, inputs=[study], overwrite=True)


def test_files_in_an_input_folder_are_inputs(tmp_path: Path) -> None:
    frame = foreign(tmp_path / "0001.png")
    with pytest.raises(UserError, match="is an input"):
        check_output(frame, KIND, inputs=[tmp_path], overwrite=True)
    frame.write_bytes(b"ours")  # such as scores that lie beside the images
    check_output(frame, KIND, inputs=[tmp_path])
    check_output(tmp_path / "new", KIND, inputs=[tmp_path])


@needs_posix
@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("folder", "a folder"),
        ("pipe", "a pipe"),
        ("socket", "a socket"),
        ("device", "a device"),
        ("link", "a link"),
        ("dangling link", "a link"),
        ("loop", "a link"),
    ],
)
def test_only_regular_files_are_written_over(kind: str, words: str, overwrite: bool, tmp_path: Path) -> None:
    out = tmp_path / "out"
    if kind == "folder":
        out.mkdir()
    elif kind == "pipe":
        os.mkfifo(out)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(os.path.relpath(out))  # a short name: sockets take 108 bytes
    elif kind == "device":
        out = Path(os.devnull)
    elif kind == "link":
        out.symlink_to(foreign(tmp_path / "other"))
    elif kind == "dangling link":
        out.symlink_to(tmp_path / "nothing")
    else:
        out.symlink_to(out)
    with pytest.raises(UserError, match=words):
        check_output(out, KIND, overwrite=overwrite)
    assert kind != "device" or stat.S_ISCHR(out.stat().st_mode)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "not the name of a file"),
        (".", "not the name of a file"),
        ("..", "not the name of a file"),
        ("/", "not the name of a file"),
        ("a\0b", "null byte"),
        ("x" * 300, "too long"),
        ("é" * 150, "too long"),
        ("x/" * 3000 + "x", "too long"),
        ("a" * 300 + "/b", "too long"),
    ],
)
def test_names_that_name_no_file_are_sentences(
    name: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match=words):
        check_output(Path(name), KIND)


def test_parents_must_be_folders_that_take_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    foreign(tmp_path / "file")
    with pytest.raises(UserError, match="file is a file"):
        check_output(tmp_path / "file" / "deeper" / "out", KIND)
    (tmp_path / "gone").symlink_to(tmp_path / "nothing")
    with pytest.raises(UserError, match="link to a place that does not exist"):
        check_output(tmp_path / "gone" / "out", KIND)
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everywhere
    with pytest.raises(UserError, match="no files can be created"):
        check_output(tmp_path / "out", KIND)


def test_output_folders(tmp_path: Path) -> None:
    check_output_folder(tmp_path / "new" / "run", "run folder")
    check_output_folder(tmp_path, "run folder")
    with pytest.raises(UserError, match=r"cannot be written: .*file is a file"):
        check_output_folder(foreign(tmp_path / "file"), "run folder")
    with pytest.raises(UserError, match="is an input"):
        check_output_folder(tmp_path, "run folder", inputs=[tmp_path / "x" / ".."])
    (tmp_path / "link").symlink_to(tmp_path / "nothing")
    with pytest.raises(UserError, match="link to a place"):
        check_output_folder(tmp_path / "link", "run folder")
    with pytest.raises(UserError, match="null byte"):
        check_output_folder(tmp_path / "a\0b", "run folder")
    with pytest.raises(UserError, match="device"):
        check_output_folder(Path(os.devnull), "run folder")
    with pytest.raises(UserError, match="No run folder is named"):
        check_output_folder(Path(), "run folder")


@pytest.mark.parametrize("sync", [False, True])
def test_writing_beside_replaces_in_one_step_and_leaves_nothing_after_an_error(sync: bool, tmp_path: Path) -> None:
    out = foreign(tmp_path / ("x" * 200))
    with written_beside(out, sync=sync) as beside:
        beside.write_bytes(b"new")
        assert out.read_bytes() == b"somebody's"
    assert out.read_bytes() == b"new"
    with pytest.raises(TypeError), written_beside(out, sync=sync) as beside:
        beside.write_bytes("no bytes")  # type: ignore[arg-type]
    assert out.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [out]


def test_an_error_of_writing_names_the_file_that_was_asked_for(tmp_path: Path) -> None:
    out = tmp_path / "nowhere" / "a"
    with pytest.raises(FileNotFoundError) as failed, written_beside(out) as beside:
        beside.write_bytes(b"x")
    assert failed.value.filename == str(out)
