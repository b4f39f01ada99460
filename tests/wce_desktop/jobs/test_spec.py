"""What a job is asked to do, as the child reads it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from wce_desktop.jobs.spec import JobSpec, child_command, child_environment


def test_the_config_file_holds_command_and_settings(tmp_path: Path) -> None:
    JobSpec("scoring P11", "score", {"path": "a b.mp4", "seed": 3}).write_config(tmp_path / "job.json")
    read = json.loads((tmp_path / "job.json").read_text(encoding="utf-8"))
    assert read == {"command": "score", "config": {"path": "a b.mp4", "seed": 3}}


def test_two_jobs_are_told_apart() -> None:
    assert JobSpec("a", "score", {}).job_id != JobSpec("a", "score", {}).job_id


def test_the_child_finds_training_from_any_folder_and_nothing_else_there(tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit('the wrong json')")
    command = child_command(tmp_path / "missing.json")
    done = subprocess.run(command, cwd=tmp_path, env=child_environment(), capture_output=True, timeout=60, check=False)
    assert b'"outcome"' in done.stdout


def test_a_frozen_application_starts_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert child_command(Path("job.json")) == [sys.executable, "job", "job.json"]


def test_a_python_path_that_was_set_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    assert child_environment()["PYTHONPATH"].endswith(f"{os.pathsep}elsewhere")
