import os
from pathlib import Path

import pytest

from training.errors import UserError
from training.files.inputs import read_text, regular_file


def test_a_regular_file_is_returned_also_through_a_link(tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    file.write_text("a")
    (tmp_path / "link").symlink_to(file)

    assert regular_file(file) == file
    assert regular_file(tmp_path / "link") == tmp_path / "link"


def test_a_pipe_is_refused_and_not_opened(tmp_path: Path) -> None:
    pipe = tmp_path / "labels.csv"
    os.mkfifo(pipe)

    with pytest.raises(UserError, match=r"is a pipe, not a table"):
        read_text(pipe, "table")


@pytest.mark.parametrize(("path", "said"), [("/dev/null", "a device"), (".", "a folder"), ("missing", "There is no")])
def test_other_things_than_files_are_refused(path: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        regular_file(Path(path))


def test_a_name_that_no_system_takes_is_refused() -> None:
    with pytest.raises(UserError, match="cannot be opened"):
        regular_file(Path("a\0b"))
    with pytest.raises(UserError, match="cannot be opened"):
        regular_file(Path("a" * 5000))


def test_text_is_read_without_its_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "t").write_bytes(b"\xef\xbb\xbfa,b\n")

    assert read_text(tmp_path / "t") == "a,b\n"


def test_large_and_binary_files_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "t").write_bytes(b"\xff\xfe\x00")

    with pytest.raises(UserError, match="not UTF-8"):
        read_text(tmp_path / "t")
    with pytest.raises(UserError, match="too large"):
        read_text(tmp_path / "t", max_bytes=2)
