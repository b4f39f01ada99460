"""Reading and writing DICOM reports in a process of its own: importing the libraries would stop the window."""

import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import numpy as np
from pydantic import TypeAdapter

from training.errors import UserError, reason_of
from training.runs.reporter import Reporter
from training.texts import Text, as_json, text_from_json
from wce_desktop.jobs.spec import child_environment
from wce_desktop.library.exchange.clinical.content import ExportedFinding, ExportedStudy, Pictures
from wce_desktop.library.exchange.clinical.exporting import write_dicom

COMMAND = "dicom-report"
"""How the window starts the program again, as `wce_desktop.__main__` knows it: alone to write, with a path to read."""
_CHECKED_EVERY_SECONDS = 0.2
_Findings = tuple[ExportedFinding, ...]


def write_in_child(
    study: ExportedStudy, pictures: Pictures, image_path: Path | None, report_path: Path, reporter: Reporter
) -> None:
    """As `write_dicom`, in a child process, which gets everything through its standard input.

    Raises:
        UserError: the files could not be written.
        Cancelled: the reporter asked to end.
    """
    header = {
        "study": TypeAdapter(ExportedStudy).dump_python(study, mode="json"),
        "shape": pictures.shape,
        "image": None if image_path is None else str(image_path),
        "report": str(report_path),
    }
    with subprocess.Popen(
        _command(), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=child_environment()
    ) as child:
        try:
            assert child.stdin is not None
            with suppress(BrokenPipeError):  # it may have ended
                child.stdin.write(json.dumps(header).encode() + b"\n")
                child.stdin.write(pictures.tobytes())
            with suppress(BrokenPipeError):
                child.stdin.close()
            _wait(child, reporter)
        finally:
            child.kill()
        said = child.stderr.read() if child.stderr else b""
    if child.returncode:
        reason = said.decode("utf-8", "replace").strip().splitlines()
        raise UserError(
            "The DICOM files of {study_id} cannot be written ({why}).",
            "Choose another folder, or free some disk space.",
            study.study_id,
            reason[-1] if reason else Text("it ended early"),
        )


def read_in_child(path: Path, reporter: Reporter) -> tuple[str, tuple[ExportedFinding, ...]]:
    """As `read_report`, in a child process.

    Raises:
        UserError: the file is not a report of this program, or is damaged.
        Cancelled: the reporter asked to end.
    """
    with TemporaryFile() as answer:
        with subprocess.Popen(
            [*_command(), str(path)],
            stdin=subprocess.DEVNULL,
            stdout=answer,
            stderr=subprocess.DEVNULL,
            env=child_environment(),
        ) as child:
            try:
                _wait(child, reporter)
            finally:
                child.kill()
        answer.seek(0)
        lines = answer.read().split(b"\n")
    try:
        said = json.loads([line for line in lines if line.strip()][-1])  # libraries may say something before
        if "message" in said:
            raise UserError(text_from_json(said["message"]), text_from_json(said["hint"]))
        return str(said["study_id"]), TypeAdapter(_Findings).validate_python(said["findings"])
    except (IndexError, KeyError, TypeError, ValueError) as error:
        raise UserError("{name} is not a report that can be read.", "It may be damaged.", path.name) from error


def _wait(child: "subprocess.Popen[bytes]", reporter: Reporter) -> None:
    while child.poll() is None:
        reporter.check()
        with suppress(subprocess.TimeoutExpired):
            child.wait(_CHECKED_EVERY_SECONDS)


def _command() -> list[str]:
    return [sys.executable, *([] if getattr(sys, "frozen", False) else ["-P", "-m", "wce_desktop"]), COMMAND]


def run(given: IO[bytes]) -> int:
    """The child: write what `given` describes; 1 after a sentence on stderr where that fails."""
    from training.runs.reporter import SilentReporter

    try:
        header = json.loads(given.readline())
        shape = tuple(header["shape"])
        pictures = np.frombuffer(given.read(), np.uint8).reshape(shape)
        image = None if header["image"] is None else Path(header["image"])
        study = TypeAdapter(ExportedStudy).validate_python(header["study"])
        write_dicom(study, pictures, image, Path(header["report"]), SilentReporter())
    except OSError as error:
        print(reason_of(error), file=sys.stderr)
        return 1
    except UserError as error:
        print(error.message, file=sys.stderr)
        return 1
    except Exception as error:  # whatever two libraries make of a value; its text may quote it
        print(type(error).__name__, file=sys.stderr)
        return 1
    return 0


def answer_with_findings(path: Path, out: IO[str]) -> int:
    """The child that reads: writes the findings of a report, or what is wrong with it, as one line of JSON."""
    from wce_desktop.library.exchange.clinical.structured_report import read_report

    try:
        study_id, findings = read_report(path)
        written = TypeAdapter(_Findings).dump_python(findings, mode="json")
        said: dict[str, object] = {"study_id": study_id, "findings": written}
    except UserError as error:
        said = {"message": as_json(error.message), "hint": as_json(error.hint)}
    print(json.dumps(said), file=out, flush=True)
    return 0
