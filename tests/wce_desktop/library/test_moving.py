"""A library is moved whole, also what lies behind links, and what a killed move leaves is no library."""

import shutil
from pathlib import Path

import pytest

from tests.wce_desktop.sessions import write_model
from training.errors import UserError
from wce_desktop.library import Library, LostDatabaseError
from wce_desktop.library.moving import MOVED, move_library


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Library.open(tmp_path / "library", "reader") as library:
        library.models.register(write_model(tmp_path / "source", "m1"), title="Model 1")
        library.studies.add(tmp_path / "a.mp4", study_id="S1", frame_count=10)
        library.reports.keep("S1", 1, html=b"html", pdf=b"%PDF", reader="reader", acknowledged={})
    return tmp_path / "library"


def behind_link(path: Path, disk: Path) -> None:
    """Move a folder or file to another disk, and leave a link to it."""
    disk.mkdir(exist_ok=True)
    path.rename(disk / path.name)
    path.symlink_to(disk / path.name)


@pytest.mark.parametrize(
    "part", ["reports", "models", "backups", "studies", "reports/S1", "models/m1", "library.sqlite"]
)
def test_what_lies_behind_a_link_is_moved_too(folder: Path, tmp_path: Path, part: str) -> None:
    behind_link(folder / part, tmp_path / "disk")
    assert move_library(folder, tmp_path / "new") == []
    with Library.open(tmp_path / "new", "reader") as library:
        (report,) = library.reports.signed("S1")
        report.check()
        assert (library.models.all()[0].folder / "config.json").is_file()
    assert not (tmp_path / "new" / part).is_symlink()
    assert (tmp_path / "disk" / Path(part).name).exists(), "nothing outside the library is deleted"


@pytest.mark.parametrize("target", ["unplugged", "library"])
def test_a_link_that_leads_nowhere_or_in_a_circle_moves_nothing(folder: Path, tmp_path: Path, target: str) -> None:
    (folder / "maps").mkdir(exist_ok=True)
    (folder / "maps" / "more").symlink_to(tmp_path / target)
    with pytest.raises(UserError, match="is a link to something"):
        move_library(folder, tmp_path / "new")
    assert (folder / "reports" / "S1").is_dir()
    assert not (tmp_path / "new").exists()


def test_what_is_left_of_a_moved_library_says_where_it_is(folder: Path, tmp_path: Path) -> None:
    """The process was killed while the old files were removed: the backups there must not be taken for the library."""
    shutil.copytree(folder / "models", tmp_path / "left")
    move_library(folder, tmp_path / "new")
    shutil.copytree(tmp_path / "left", folder / "models")
    (folder / MOVED).write_text(str(tmp_path / "new"))
    with pytest.raises(LostDatabaseError, match=f"moved to {tmp_path / 'new'}"):
        Library.open(folder, "reader")


def test_the_bytes_that_are_copied_are_told_after_each_file(folder: Path, tmp_path: Path) -> None:
    sizes = [path.stat().st_size for path in folder.rglob("*") if path.is_file() and path.name != "lock"]
    steps: list[tuple[int, int]] = []
    move_library(folder, tmp_path / "new", step=lambda done, total: steps.append((done, total)))
    (total,) = {total for _, total in steps}
    copied = [done for done, _ in steps]
    assert copied == sorted(copied)
    assert (copied[0], copied[-1]) == (0, total)
    assert len(set(copied)) > len(sizes) // 2, "after each file that is not empty"
