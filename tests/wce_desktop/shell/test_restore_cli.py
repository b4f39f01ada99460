"""`wce-desktop restore` as somebody at a shell meets it."""

from pathlib import Path

import pytest

from wce_desktop.__main__ import main
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.identity import new_id
from wce_desktop.core.span import Span
from wce_desktop.library import Library
from wce_desktop.library.backup import backup_file, backups


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A library that lost its database, with an empty and a full backup."""
    folder = tmp_path / "library"
    with Library.open(folder, "reader") as library:
        backups.backup(folder, always=True)
        library.studies.add(tmp_path / "video.mp4", study_id="P03a", frame_count=100)
        library.annotations.edit("P03a", "a", [Add(Label(new_id(), "P03a", Span(3, 6), "polyp", reader="reader"))])
        backups.backup(folder, always=True)
    (folder / "library.sqlite").unlink()
    return folder


def test_the_backups_are_listed_with_what_they_hold(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["restore", "--library", str(folder)]) == 0
    newest, oldest, *_ = capsys.readouterr().out.splitlines()
    assert newest.startswith("library-000002-")
    assert newest.endswith("1 study, 1 label, 0 findings  (newest, most labels)")
    assert oldest.endswith("0 studies, 0 labels, 0 findings")
    assert not (folder / "library.sqlite").exists()


def test_a_backup_of_the_list_is_restored(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = backup_file.list_backups(folder)[1].name
    assert main(["restore", "--library", str(folder), "--backup", name]) == 0
    assert f"{name} was restored" in capsys.readouterr().out
    with Library.open(folder, "reader") as library:
        assert len(library.annotations.labels("P03a")) == 1


@pytest.mark.parametrize("command", ["import", "export"])
def test_other_commands_say_what_to_do(folder: Path, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    place = folder.parent / "files"
    place.mkdir()
    assert main([command, "--library", str(folder), str(place)]) == 1
    said = capsys.readouterr().err
    assert "has no database" in said
    assert "wce-desktop restore --library" in said
    assert not (folder / "library.sqlite").exists()


def test_no_backups_and_no_such_backup_are_sentences(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["restore", "--library", str(folder / "none")]) == 1
    assert main(["restore", "--library", str(folder), "--backup", "none.sqlite"]) == 1
    said = capsys.readouterr().err
    assert "There are no backups" in said
    assert "There is no backup none.sqlite" in said
    assert not (folder / "none").exists()
