"""Full disks and folders that cannot be written: a sentence, and nothing half-written."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import event

from tests.wce_desktop.library.conftest import make_label
from training.errors import UserError
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.study import Study
from wce_desktop.library import Library
from wce_desktop.library.storage import database


def test_a_full_disk_is_said_and_nothing_is_half_written(library: Library, study: Study) -> None:
    kept = make_label(study.study_id, 0, 5)
    library.annotations.edit(study.study_id, "kept", [Add(kept)])
    many = [Add(make_label(study.study_id, at, at + 1)) for at in range(10, 900)]
    with library.engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
    library.engine.dispose()
    event.listen(library.engine, "connect", lambda raw, _: raw.execute(f"PRAGMA max_page_count={pages + 2}"))
    with pytest.raises(UserError, match="full: “Label 890 frames polyp” could not be saved") as caught:
        library.annotations.edit(study.study_id, "Label 890 frames polyp", many)
    assert caught.value.hint == "Free some disk space."
    assert library.annotations.labels(study.study_id) == (kept,)
    assert library.annotations.undo_title(study.study_id) == "kept"
    assert len(library.audit.entries(study.study_id)) == 2


@contextmanager
def read_only(place: Path) -> Iterator[None]:
    """As somebody who may not write below `place`: root may write anywhere, so root becomes nobody for a while."""
    is_root = os.geteuid() == 0
    parts = [place, *place.rglob("*")]
    for path in parts:
        path.chmod(0o555 if path.is_dir() else 0o444)
    if is_root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)
        for path in parts:
            path.chmod(0o755)


@pytest.fixture
def open_place() -> Iterator[Path]:
    """A folder that anybody can look into, unlike pytest's own."""
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        yield Path(place)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps permissions in another way")
def test_a_new_library_in_a_read_only_folder(open_place: Path) -> None:
    with read_only(open_place), pytest.raises(UserError, match="cannot be written") as caught:
        Library.open(open_place / "library", "reader")
    assert "--library" in caught.value.hint


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps permissions in another way")
def test_a_library_that_became_read_only(open_place: Path, empty_library: Path) -> None:
    folder = Path(shutil.copytree(empty_library, open_place / "library"))
    with read_only(open_place), Library.open(folder, "reader") as library:
        assert "cannot be written" in library.read_only
    with Library.open(folder, "reader") as library:
        assert library.read_only == ""


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "library").write_text("notes", encoding="utf-8")
    with pytest.raises(UserError, match="cannot be written"):
        Library.open(tmp_path / "library", "reader")


def test_a_database_that_turns_read_only_while_open(library: Library, study: Study) -> None:
    library.engine.dispose()
    event.listen(library.engine, "connect", lambda raw, _: raw.execute("PRAGMA query_only=ON"))
    with pytest.raises(UserError, match="cannot be written"):
        library.annotations.edit(study.study_id, "Label 1 frame polyp", [Add(make_label(study.study_id, 0, 1))])
    assert library.annotations.labels(study.study_id) == ()


def test_a_database_that_breaks_while_open_says_so(library: Library, study: Study) -> None:
    library.engine.dispose()
    (library.folder / database.FILE_NAME).write_bytes(b"\xa5" * 200_000)
    with pytest.raises(UserError, match="damaged"):
        library.annotations.labels(study.study_id)


def test_unicode_and_very_long_folders(tmp_path: Path) -> None:
    odd = "Bibliothèque 図書館 100 % #1" + ("" if sys.platform == "win32" else "?")
    folder = tmp_path / odd / ("x" * 120) / "library"
    with Library.open(folder, "Zoë") as library:
        study_id = library.studies.add(Path("видео 🩺.mp4")).study_id
        library.annotations.edit(study_id, "one", [Add(make_label(study_id, 0, 5))])
    assert (folder / database.FILE_NAME).is_file()
    with Library.open(folder, "Zoë") as library:
        assert library.studies.all()[0].name == "видео 🩺"
        assert len(library.annotations.labels(study_id)) == 1
