"""A command whose output nobody reads any more ends quietly, as in `... | head -1`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from training.files.pipes import EXIT_PIPE
from wce_desktop.library import Library


def ended_by_pipe(*command: str) -> tuple[int, str]:
    """Exit code and error output of a command whose standard output is a pipe without a reader."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        ended = subprocess.run(
            [sys.executable, "-m", *command],
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=100,
        )
    finally:
        os.close(writing)
    return ended.returncode, ended.stderr


@pytest.mark.skipif(os.name == "nt", reason="pipes of Windows fail otherwise")
def test_the_engine_ends_quietly() -> None:
    status, errors = ended_by_pipe("training", "--help")
    assert (status in (1, EXIT_PIPE), errors) == (True, "")


@pytest.mark.skipif(os.name == "nt", reason="pipes of Windows fail otherwise")
def test_an_export_ends_quietly(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library", "reader") as library:
        library.add_study(tmp_path / "video.mp4", study_id="P03a", patient_id="P03", frame_count=100)
    command = ("wce_desktop", "export", "--library", str(tmp_path / "library"), str(tmp_path / "out"))
    assert ended_by_pipe(*command) == (EXIT_PIPE, "")
