"""No name of a patient gets into the log."""

import logging
import sys
from pathlib import Path

import pytest

from wce_desktop.core.study import Study
from wce_desktop.shell.logging_setup import PrivateFormatter

NAME = "MEIER_Anna_1950-03-01"
STUDY = Study("s-1", "p-1", NAME, Path(f"/ward 3/{NAME}.mp4"), pseudonym="Meier, Anna")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"scoring {NAME}", "scoring s-1"),
        (f"scoring {NAME.lower()}: stopped", "scoring s-1: stopped"),
        (f"/ward 3/{NAME}.mp4 cannot be read", "s-1 cannot be read"),
        ("the patient Meier, Anna was joined", "the patient s-1 was joined"),
        ("“/new/HUBER Karl.mp4” was not found", "“(file)” was not found"),
        ("/new/HUBER_Karl.MKV: no frames", "(file): no frames"),
        ("C:\\new\\HUBER.dcm is damaged", "(file) is damaged"),
        ("step 12 of 300, 8.5 images/s", "step 12 of 300, 8.5 images/s"),
    ],
)
def test_names_of_studies_and_of_files_are_hidden(text: str, expected: str) -> None:
    formatter = PrivateFormatter("%(message)s")
    formatter.know([STUDY])
    assert formatter.hidden(text) == expected


def test_traces_hold_no_names_either() -> None:
    formatter = PrivateFormatter("%(message)s")
    formatter.know([STUDY])
    try:
        raise OSError(f"/ward 3/{NAME}.mp4")
    except OSError:
        record = logging.LogRecord("x", logging.ERROR, __file__, 1, "failed", (), sys.exc_info())
    assert "MEIER" not in formatter.format(record)
    assert "Traceback" in formatter.format(record)
