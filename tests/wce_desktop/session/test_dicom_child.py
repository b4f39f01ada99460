"""DICOM files are written in a process of their own; what fails there comes back as a sentence."""

import io
import json
import sys
from pathlib import Path

import numpy as np
import pydicom
import pytest
from pydantic import TypeAdapter

from tests.wce_desktop.library.exchange.clinical.reports import a_finding, a_study, pictures
from training.errors import UserError, reason_of
from training.runs.reporter import Cancelled, SilentReporter
from wce_desktop.library.exchange.clinical.content import ExportedStudy
from wce_desktop.library.exchange.clinical.exporting import write_dicom
from wce_desktop.library.exchange.clinical.structured_report import read_report
from wce_desktop.session import dicom_child
from wce_desktop.session.dicom_child import answer_with_findings, read_in_child, run, write_in_child


def test_the_child_writes_both_files(tmp_path: Path) -> None:
    image, report = tmp_path / "image.dcm", tmp_path / "größe.dcm"
    large = np.repeat(np.repeat(pictures(), 4, axis=1), 4, axis=2)  # more than a pipe holds
    write_in_child(a_study(a_finding()), large, image, report, SilentReporter())
    np.testing.assert_array_equal(pydicom.dcmread(image).pixel_array, large)
    assert pydicom.dcmread(report).PatientID == "p-01"


def test_the_child_reads_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "größe.dcm"
    write_dicom(a_study(a_finding()), pictures(), None, path, SilentReporter())
    assert read_in_child(path, SilentReporter()) == read_report(path)


def test_a_file_that_is_no_report_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "MEIER.dcm"
    path.write_bytes(bytes(128) + b"DICM")
    out = io.StringIO()
    assert answer_with_findings(path, out) == 0
    says = f"print('a library says hello'); print({out.getvalue()!r})"
    monkeypatch.setattr(dicom_child, "_command", lambda: [sys.executable, "-c", says])
    with pytest.raises(UserError, match=r"is not a report that this program wrote"):
        read_in_child(path, SilentReporter())
    monkeypatch.setattr(dicom_child, "_command", lambda: [sys.executable, "-c", "raise SystemExit(3)"])
    with pytest.raises(UserError, match=r"is not a report that can be read"):
        read_in_child(path, SilentReporter())


def given(study: object, report: Path) -> io.BytesIO:
    header = {"study": study, "shape": [0, 4, 4, 3], "image": None, "report": str(report)}
    return io.BytesIO(json.dumps(header).encode() + b"\n")


def test_what_the_child_is_given_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(given({}, tmp_path / "a.dcm")) == 1
    assert run(io.BytesIO(b"no JSON\n")) == 1
    assert (
        run(
            given(
                TypeAdapter(ExportedStudy).dump_python(a_study(a_finding()), mode="json"), tmp_path / "gone" / "a.dcm"
            )
        )
        == 1
    )
    assert "No such file" in capsys.readouterr().err.splitlines()[-1]


def test_a_failure_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = "import sys; sys.stdin.buffer.read(); sys.exit('the disk is full')"
    monkeypatch.setattr(dicom_child, "_command", lambda: [sys.executable, "-c", said])
    with pytest.raises(UserError, match=r"DICOM files of s-01 cannot be written \(the disk is full\)"):
        write_in_child(a_study(a_finding()), pictures(), None, tmp_path / "a.dcm", SilentReporter())


def test_a_child_that_ends_early_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dicom_child, "_command", lambda: [sys.executable, "-c", "raise SystemExit(3)"])
    large = np.zeros((40, 96, 96, 3), np.uint8)
    with pytest.raises(UserError, match="it ended early"):
        write_in_child(a_study(a_finding()), large, None, tmp_path / "a.dcm", SilentReporter())


class Impatient(SilentReporter):
    """Cancels at once."""

    def check(self) -> None:
        raise Cancelled


def test_it_can_be_cancelled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waits = "import sys, threading; sys.stdin.buffer.read(); threading.Event().wait(60)"
    monkeypatch.setattr(dicom_child, "_command", lambda: [sys.executable, "-c", waits])
    with pytest.raises(Cancelled):
        write_in_child(a_study(a_finding()), pictures(), None, tmp_path / "a.dcm", Impatient())


def test_a_raw_error_of_a_library_is_not_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = TypeAdapter(ExportedStudy).dump_python(a_study(a_finding()), mode="json")
    study["study_id"] = {"MEIER": 1}
    assert run(given(study, tmp_path / "a.dcm")) == 1
    said = capsys.readouterr().err
    assert "MEIER" not in said
    assert len(said.split()) == 1


def test_the_reason_of_a_wrapped_error_is_that_of_the_system() -> None:
    wrapped = OSError("With tag (0040,A730) got exception: Traceback (most recent call last) …")
    wrapped.__context__ = OSError(28, "No space left on device")
    assert reason_of(wrapped) == "No space left on device"
    assert reason_of(OSError("of a library")) == "OSError"
    assert reason_of(ValueError("Error while serializing: I/O error: … (os error 28)")) == "No space left on device"
