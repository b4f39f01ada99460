"""Folders that live as long as a process: private, and removed when their process is gone."""

import subprocess
import sys
from pathlib import Path

import pytest

from training.files.scratch import make_scratch_folder, remove_abandoned

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there they are kept for a day")


def test_only_folders_of_ended_processes_are_removed(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        pass
    ours = make_scratch_folder("job", tmp_path)
    left = tmp_path / f"wce-job-{ended.pid}-abc"
    other_kind, other_name = tmp_path / f"wce-answers-{ended.pid}-abc", tmp_path / "wce-job-notes"
    for folder in (left, other_kind, other_name):
        folder.mkdir()
        (folder / "job.json").touch()
    link = tmp_path / f"wce-job-{ended.pid}-link"
    link.symlink_to(other_name)
    assert remove_abandoned("job", tmp_path) == [left]
    assert not left.exists()
    assert all(path.exists() for path in (ours, other_kind, other_name / "job.json", link))


def test_a_scratch_folder_is_private(tmp_path: Path) -> None:
    folder = make_scratch_folder("job", tmp_path)
    assert folder.stat().st_mode & 0o777 == 0o700
