"""What a library holds is readable by its owner only."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.warm_python import warm_python
from tests.wce_desktop.library.conftest import make_label
from wce_desktop.core.annotation.change import Add
from wce_desktop.library import Library
from wce_desktop.library.backup import backups
from wce_desktop.library.storage.private import restrict_access_to_library, share_like
from wce_desktop.shell.cli.exchange_cli import main

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps permissions in another way")

ROOT = Path(__file__).resolve().parents[4]
WINDOW = """
import os, subprocess, sys
from pathlib import Path
from wce_desktop import __main__
from wce_desktop.shell import application
from wce_desktop.shell import logging_setup
from wce_desktop.jobs.child_process import ChildProcess
from wce_desktop.jobs.spec import JobSpec

def run(paths, library, *_):
    logging_setup.start_logging(library.parent / "log" / "wce-desktop.log")
    session = application.open_session(library)
    session.settings.set("rate_fps", 9)
    session.library.runs.add("a run", run_id="r1")
    code = "import sys, pathlib; pathlib.Path(sys.argv[1]).write_text('x')"
    subprocess.run([sys.executable, "-c", code, str(library / "runs" / "r1" / "scores.h5")], check=True)
    session.library.close()
    return 0

application.run = run
os.umask(0o022)
sys.exit(__main__.main(["--library", sys.argv[1]]))
"""
"""A window that writes a log, settings, a run, and starts a child that writes a file."""


def readable_by_others(folder: Path) -> list[Path]:
    return [path for path in (folder, *folder.rglob("*")) if path.stat().st_mode & 0o077]


def fill(folder: Path) -> None:
    with Library.open(folder, "reader") as library:
        library.studies.add(Path("a.mp4"), study_id="S1", frame_count=100)
        library.annotations.edit("S1", "one", [Add(make_label("S1", 0, 5))])
        backups.backup(folder, always=True)
        assert readable_by_others(folder) == []  # with the log that SQLite keeps beside an open database


def test_a_new_library_is_private_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        fill(tmp_path / "library")
        backups.restore_backup(tmp_path / "library")
    finally:
        os.umask(before)
    assert readable_by_others(tmp_path / "library") == []


def test_an_older_library_is_tightened_when_it_is_opened(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    fill(folder)
    (folder / "runs" / "r1").mkdir()
    (folder / "studies" / "S1").mkdir()
    for name in ("runs/r1/events.jsonl", "studies/S1/embeddings-m.h5", "settings.json"):
        (folder / name).touch()
    (folder / "runs" / "link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").mkdir(mode=0o755)
    (tmp_path / "elsewhere").chmod(0o755)
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() else 0o644)
    Library.open(folder, "reader").close()
    (folder / "runs" / "link").unlink()
    assert readable_by_others(folder) == []
    assert (tmp_path / "elsewhere").stat().st_mode & 0o777 == 0o755  # not ours: behind a link


def test_a_folder_that_everybody_shares_keeps_its_rights(tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)
    other = tmp_path / "somebody's file"
    other.touch()
    other.chmod(0o644)
    restrict_access_to_library(tmp_path)
    assert tmp_path.stat().st_mode & 0o7777 == 0o1777
    assert other.stat().st_mode & 0o777 == 0o644


def test_a_folder_that_holds_other_things_keeps_its_rights(tmp_path: Path) -> None:
    (tmp_path / "holiday.png").write_bytes(b"")
    tmp_path.chmod(0o755)
    for _ in range(2):  # made, and opened again
        Library.open(tmp_path, "reader").close()
    assert tmp_path.stat().st_mode & 0o777 == 0o755
    assert (tmp_path / "library.sqlite").stat().st_mode & 0o777 == 0o600


def test_what_the_window_and_its_children_write_is_private(tmp_path: Path) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "HOME": str(tmp_path / "home")}
    command = [*warm_python(), "-c", WINDOW, str(tmp_path / "library")]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, timeout=120)
    assert (tmp_path / "library" / "runs" / "r1" / "scores.h5").is_file()
    assert (tmp_path / "library" / "settings.json").is_file()
    assert readable_by_others(tmp_path / "library") == []
    assert readable_by_others(tmp_path / "log") == []


def test_an_export_in_the_shell_keeps_the_users_umask(tmp_path: Path) -> None:
    fill(tmp_path / "library")
    before = os.umask(0o022)
    try:
        assert main(["export", "--library", str(tmp_path / "library"), str(tmp_path / "out")]) == 0
    finally:
        os.umask(before)
    assert (tmp_path / "out" / "labels.csv").stat().st_mode & 0o777 == 0o644
    assert readable_by_others(tmp_path / "library") == []


def test_what_is_copied_into_a_folder_of_several_accounts_is_for_all_of_them(tmp_path: Path) -> None:
    models, copied = tmp_path / "models", tmp_path / "models" / "m1"
    copied.mkdir(parents=True, mode=0o700)
    (copied / "config.json").touch(mode=0o600)
    models.chmod(0o2770)
    share_like(models, copied)
    modes = [path.stat().st_mode & 0o7777 for path in (copied, copied / "config.json")]
    assert modes == [0o2770, 0o660]
