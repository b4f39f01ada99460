"""An export that was killed does not block the next one into its folder, and nothing of others is deleted."""

import os
import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from tests.wce_desktop.library.exchange.annotated import NAMES, add_boxes, add_labels, add_study, write_study
from training.errors import UserError
from wce_desktop.core.study import Study
from wce_desktop.library import Library
from wce_desktop.library.exchange import EXPORT_FORMATS, export_annotations, export_format
from wce_desktop.library.exchange.moving import LIST

STEPS = {"os.rename", "os.rmdir"}
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no fork there")


@pytest.fixture
def study(library: Library, tmp_path: Path) -> Study:
    """A study with boxes and labels."""
    made = add_study(library, write_study(tmp_path / "recording"))
    add_boxes(library, [(2, "polyp", 10.5, 8.0, 30.25, 40.0), (9, "blood", 20.0, 20.0, 22.0, 24.0)])
    add_labels(library, [(20, 22, "normal"), (25, 26, "blood")])
    return made


def killed_at(step: int, work: Callable[[], object]) -> bool:
    child = os.fork()
    if child == 0:
        calls = iter(range(1_000_000))

        def watch(event: str, _: object) -> None:
            if event in STEPS and next(calls) == step:
                os._exit(9)

        sys.addaudithook(watch)
        try:
            work()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


def files_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize(
    ("name", "is_new"), [*((each.name, True) for each in EXPORT_FORMATS if each.name != "csv"), ("coco", False)]
)
def test_the_next_export_replaces_what_a_killed_one_left(
    library: Library, study: Study, tmp_path: Path, name: str, is_new: bool
) -> None:
    def export(folder: Path) -> None:
        export_annotations(library, folder, export_format(name), NAMES)

    export(tmp_path / "whole")
    whole = files_in(tmp_path / "whole")
    for step in range(200):
        folder = tmp_path / "out"
        if not is_new:
            folder.mkdir()
        was_killed = killed_at(step, partial(export, folder))
        if folder.exists() and files_in(folder) == whole:  # it was killed after all was done, or not at all
            shutil.rmtree(folder)
            if was_killed:
                continue
            break
        assert was_killed
        export(folder)
        assert files_in(folder) == whole, step
        shutil.rmtree(folder)
    assert step > 2


def test_files_that_were_put_there_since_stay_and_block(library: Library, study: Study, tmp_path: Path) -> None:
    def export() -> None:
        export_annotations(library, tmp_path / "out", export_format("yolo"), NAMES)

    folder = tmp_path / "out"
    step = next(step for step in range(200) if killed_at(step, export) and (folder / "images").exists())
    assert (folder / LIST).exists(), step
    own = [folder / "images" / "mine.jpg", folder / "letter.txt"]
    replaced = next(path for path in (folder / "images").iterdir())
    replaced.unlink()
    for path in (*own, replaced):
        path.write_bytes(b"mine")
    with pytest.raises(UserError, match="not empty"):
        export()
    assert [path.read_bytes() for path in (*own, replaced)] == [b"mine"] * 3
    for path in (*own, replaced):
        path.unlink()
    (folder / "images").rmdir()
    export()
    assert (folder / "data.yaml").exists()


@pytest.mark.parametrize("content", ["[]", "{", '{"../victim.txt": [1, 2, 3]}', '{"a": "b"}', '{"\\u0000": [1]}'])
def test_a_crafted_list_deletes_nothing(library: Library, study: Study, tmp_path: Path, content: str) -> None:
    (tmp_path / "victim.txt").write_text("mine")
    found = os.lstat(tmp_path / "victim.txt")
    folder = tmp_path / "out"
    folder.mkdir()
    numbers = f"[{found.st_dev}, {found.st_ino}, {found.st_size}]"
    (folder / LIST).write_text(content.replace("[1, 2, 3]", numbers))
    with suppress(UserError):
        export_annotations(library, folder, export_format("coco"), NAMES)
    assert (tmp_path / "victim.txt").read_text() == "mine"
