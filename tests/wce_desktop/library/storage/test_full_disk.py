"""An encrypted and a plain library on a full disk: that is what is said, and never that the library is damaged.

The disk is full in a process of its own whose files may not grow beyond a limit of the system; where tests may mount,
also on a small disk in memory.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.wce_desktop.library.conftest import make_label
from training.errors import UserError
from wce_desktop.core.annotation.change import Add
from wce_desktop.library import Library
from wce_desktop.library.backup import backups
from wce_desktop.library.storage import encrypting, key_file, sqlite_file

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked, and files have limits")
PASSPHRASE = "four quiet words"
WAYS = ("plain", "encrypted")


@pytest.fixture(autouse=True)
def _no_keys_left() -> Iterator[None]:
    yield
    lock_all()


@pytest.fixture(params=WAYS)
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A library with labels, a signed report and a backup; locked where it is encrypted."""
    place = tmp_path / "library"
    with Library.open(place, "reader") as library:
        library.studies.add(Path("a.mp4"), study_id="S1", frame_count=100_000)
        label(library, 200)
        sign(library)
        library.back_up()
    if request.param == "encrypted":
        encrypting.encrypt_library(place, PASSPHRASE)
    lock_all()
    return place


def lock_all() -> None:
    for folder in list(key_file._held):
        key_file.lock(folder)


def unlock(folder: Path) -> None:
    if key_file.is_locked(folder):
        key_file.unlock(folder, PASSPHRASE)


def label(library: Library, count: int) -> None:
    start = 10 * len(library.annotations.labels("S1"))
    library.annotations.edit(
        "S1", "Label", [Add(make_label("S1", start + 2 * at, start + 2 * at + 1)) for at in range(count)]
    )


def sign(library: Library) -> None:
    version = library.reports.next_version("S1")
    library.reports.keep("S1", version, html=b"<p>" * 3000, pdf=b"%PDF" * 3000, reader="reader", acknowledged={})


def convert(folder: Path) -> object:
    if key_file.is_protected(folder):
        return encrypting.decrypt_library(folder)
    return encrypting.encrypt_library(folder, PASSPHRASE)


def open_again(folder: Path) -> str:
    """Open it; returns why it cannot be written, or "" where it can."""
    with Library.open(folder, "reader") as library:
        assert len(library.annotations.labels("S1")) >= 200
        return library.read_only


def in_child(work: Callable[[], list[str]]) -> list[str]:
    """Run in a child, and return what it did."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            said = work()
        except BaseException as error:
            said = [f"RAW {type(error).__name__}: {error}"]
        os.write(writing, json.dumps(said).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return list(json.loads(text))


def attempt(work: Callable[[], object]) -> str:
    """The sentence of what failed; "" where nothing did."""
    try:
        return str(work() or "")
    except UserError as error:
        return str(error)
    except Exception as error:
        return f"RAW {type(error).__name__}: {error}"


def limit(size: int) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def is_of_full_disk(sentence: str) -> bool:
    return "is full" in sentence or "No space left" in sentence or "File too large" in sentence


@pytest.mark.parametrize("more", [0, 20_000, 60_000])
def test_every_operation_says_that_the_disk_is_full(folder: Path, more: int) -> None:
    size = (folder / "library.sqlite").stat().st_size

    def work() -> list[str]:
        unlock(folder)
        library = Library.open(folder, "reader")
        label(library, 2)
        limit(min(size, 100_000) + more)
        said = [attempt(lambda: label(library, 400)) for _ in range(3)]
        said += [attempt(library.back_up)]
        library.close()
        return [*said, attempt(lambda: backups.restore_backup(folder)), attempt(lambda: convert(folder))]

    said = in_child(work)
    assert len(said) == 6
    assert all(is_of_full_disk(one) for one in said[2:]), said
    assert not [one for one in said if "RAW" in one or "damaged" in one or "Restore" in one]
    unlock(folder)
    assert open_again(folder) == ""


def test_a_log_that_was_moved_by_half_is_no_damage(folder: Path, tmp_path: Path) -> None:
    """The first pages of the database were written, and there was no room for those at its end."""
    unlock(folder)
    database, log = folder / "library.sqlite", folder / "library.sqlite-wal"
    with Library.open(folder, "reader") as library:
        size = database.stat().st_size
        label(library, 2000)
        shutil.copyfile(log, tmp_path / "log")
    whole = database.read_bytes()
    assert len(whole) > size
    database.write_bytes(whole[:size])
    shutil.copyfile(tmp_path / "log", log)
    lock_all()

    def work() -> list[str]:
        unlock(folder)
        limit(100_000)
        return [attempt(lambda: open_again(folder))]

    (said,) = in_child(work)
    assert said == "" or is_of_full_disk(said)
    assert "damaged" not in said
    assert "Restore" not in said
    unlock(folder)
    with Library.open(folder, "reader") as library:
        assert len(library.annotations.labels("S1")) == 2200
        assert library.read_only == ""
    with sqlite_file.open_file(database) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk in memory of 4 MB, where this may be mounted."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(place)]
    if os.geteuid() != 0 or subprocess.run(command, check=False, capture_output=True).returncode != 0:
        pytest.skip("no disk can be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=False)


def fill(place: Path) -> None:
    (place / "filler").unlink(missing_ok=True)
    free = shutil.disk_usage(place).free
    (place / "filler").write_bytes(b"x" * free)


def test_a_disk_that_is_really_full(folder: Path, small_disk: Path) -> None:
    place = Path(shutil.copytree(folder, small_disk / "library"))
    unlock(place)
    library = Library.open(place, "reader")
    label(library, 2)
    fill(small_disk)
    said = [attempt(lambda: label(library, 2000)), attempt(lambda: sign(library)), attempt(library.back_up)]
    library.close()
    lock_all()
    unlock(place)
    fill(small_disk)
    said += [attempt(lambda: open_again(place)), attempt(lambda: backups.restore_backup(place))]
    said += [attempt(lambda: convert(place))]
    assert all(is_of_full_disk(one) for one in said), said
    (small_disk / "filler").unlink()
    unlock(place)
    assert open_again(place) == ""
