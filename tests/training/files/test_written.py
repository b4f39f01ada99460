"""Tables carry no mark, so a list beside them says which this program wrote, and whether somebody edited one."""

import json
import os
from pathlib import Path

import pytest

from training.errors import UserError
from training.files.outputs import ForeignFileError
from training.files.written import RECORD, Purpose, WrittenFiles


def write(folder: Path, name: str, text: str, purpose: Purpose = "library export") -> None:
    with WrittenFiles(folder, purpose).writing(name) as beside:
        beside.write_text(text, encoding="utf-8")


def test_what_was_written_here_may_be_replaced_and_what_was_edited_not(tmp_path: Path) -> None:
    write(tmp_path, "labels.csv", "a")
    WrittenFiles(tmp_path, "library export").check(["labels.csv", "missing.csv"])
    write(tmp_path, "labels.csv", "b")
    WrittenFiles(tmp_path, "library export").check(["labels.csv"])
    (tmp_path / "labels.csv").write_text("b, and my own rows", encoding="utf-8")
    with pytest.raises(ForeignFileError, match="not a table of a library's export written by this program"):
        WrittenFiles(tmp_path, "library export").check(["labels.csv"])
    WrittenFiles(tmp_path, "library export").check(["labels.csv"], overwrite=True)


def test_a_process_that_dies_between_record_and_file_leaves_the_old_file_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "labels.csv", "old")
    replace = Path.replace

    def die(self: Path, target: Path) -> Path:
        if target.name == "labels.csv":
            raise KeyboardInterrupt
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", die)
    with pytest.raises(KeyboardInterrupt):
        write(tmp_path, "labels.csv", "new")
    monkeypatch.undo()
    assert (tmp_path / "labels.csv").read_text(encoding="utf-8") == "old"
    WrittenFiles(tmp_path, "library export").check(["labels.csv"])
    assert sorted(path.name for path in tmp_path.iterdir()) == [RECORD, "labels.csv"]


@pytest.mark.parametrize(
    "content", [b"", b"[]", b'{"files": 3}', b'{"files": {"a": 3}}', b"\xff", b'{"files": {"a": [']
)
def test_a_damaged_record_lists_nothing(content: bytes, tmp_path: Path) -> None:
    write(tmp_path, "a", "text")
    (tmp_path / RECORD).write_bytes(content)
    with pytest.raises(ForeignFileError):
        WrittenFiles(tmp_path, "library export").check(["a"])


@pytest.mark.parametrize("kind", ["folder", "pipe", "link"])
def test_only_regular_files_are_replaced(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(tmp_path / "nothing")
    with pytest.raises(UserError, match=f"a {kind}"):
        WrittenFiles(tmp_path, "library export").check(["labels.csv"], overwrite=True)


def test_a_table_of_another_purpose_is_foreign(tmp_path: Path) -> None:
    write(tmp_path, "labels.csv", "the reader's labels")
    for purpose in ("phantom", "data set export", "reproduction"):
        with pytest.raises(ForeignFileError):
            WrittenFiles(tmp_path, purpose).check(["labels.csv"])
    WrittenFiles(tmp_path, "phantom").check(["labels.csv"], overwrite=True)
    write(tmp_path, "labels.csv", "synthetic labels", "phantom")
    WrittenFiles(tmp_path, "phantom").check(["labels.csv"])
    with pytest.raises(ForeignFileError):
        WrittenFiles(tmp_path, "library export").check(["labels.csv"])


def test_a_record_of_an_older_version_names_no_purpose(tmp_path: Path) -> None:
    write(tmp_path, "labels.csv", "a")
    record = json.loads((tmp_path / RECORD).read_text(encoding="utf-8"))
    del record["purposes"]
    (tmp_path / RECORD).write_text(json.dumps(record), encoding="utf-8")
    WrittenFiles(tmp_path, "phantom").check(["labels.csv"])
    assert WrittenFiles(tmp_path, "phantom").is_ours("labels.csv")
