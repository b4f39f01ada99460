"""What cannot be printed or written is a sentence and an exit code, for every command."""

import argparse
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer.main

from tests.videos import write_video
from tests.warm_python import warm_python
from tests.wce_desktop.sessions import add_study, make_session
from training.commands.shell import make_app
from training.files.terminal import EXIT_PIPE
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.finding import Box, Finding
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.identity import new_id
from wce_desktop.core.span import Span
from wce_desktop.library import Library
from wce_desktop.shell.cli import exchange_cli


def ended_by_pipe(*command: str) -> tuple[int, str]:
    """Exit code and error output of a command whose standard output is a pipe without a reader."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        ended = subprocess.run(
            [*warm_python(), "-m", *command],
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
        library.studies.add(tmp_path / "video.mp4", study_id="P03a", patient_id="P03", frame_count=100)
    command = ("wce_desktop", "export", "--library", str(tmp_path / "library"), str(tmp_path / "out"))
    assert ended_by_pipe(*command) == (EXIT_PIPE, "")


STREAMS = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
NOT_PRINTED = "The output cannot be printed ({}). The command was carried out.\n"


def commands() -> list[tuple[str, ...]]:
    """Every command of both programs, as their parsers know them, with an option that prints."""
    engine = typer.main.get_command(make_app())
    parser = exchange_cli._parser()
    choices = next(each.choices for each in parser._actions if isinstance(each, argparse._SubParsersAction))
    window = [("--help",), ("--version",), ("restore", "--help"), *((name, "--help") for name in choices)]
    names = [(), *((name,) for name in getattr(engine, "commands", {}))]
    return [*(("wce_desktop", *each) for each in window), *(("training", *each, "--help") for each in names)]


def run_with(command: tuple[str, ...], streams: str, **more: Any) -> tuple[int, str]:
    """Exit code and all that can be read of a command, with redirections as a shell writes them."""
    line = ["sh", "-c", f'"$@" {streams}', "sh", *warm_python(), "-m", *command]
    ended = subprocess.run(line, capture_output=True, text=True, check=False, timeout=100, **more)
    return ended.returncode, ended.stdout + ended.stderr


def test_the_list_of_commands_is_whole() -> None:
    found = commands()
    assert ("training", "pretrain", "--help") in found
    assert ("wce_desktop", "export", "--help") in found
    assert len(found) > 25


@STREAMS
@pytest.mark.parametrize("command", commands(), ids=" ".join)
def test_a_full_output_is_a_sentence(command: tuple[str, ...]) -> None:
    assert run_with(command, "> /dev/full") == (1, NOT_PRINTED.format("No space left on device"))


@STREAMS
@pytest.mark.parametrize("command", [("wce_desktop", "export", "--help"), ("training", "score", "--help")])
def test_a_closed_output_is_a_sentence(command: tuple[str, ...]) -> None:
    assert run_with(command, ">&-") == (1, NOT_PRINTED.format("Bad file descriptor"))
    assert run_with(command, "> /dev/full 2> /dev/full") == (1, "")
    assert run_with(command, ">&- 2>&- <&-") == (1, "")


@STREAMS
@pytest.mark.parametrize("streams", ["2> /dev/full", "2>&-", "<&- 2>&-"])
def test_without_an_error_output_the_exit_code_stays(streams: str, tmp_path: Path) -> None:
    nowhere = ("--library", str(tmp_path / "none"), str(tmp_path / "out"))
    assert run_with(("wce_desktop", "export", *nowhere), streams) == (1, "")
    assert run_with(("wce_desktop", "export", "--unknown"), streams) == (2, "")
    assert run_with(("training", "index", str(tmp_path / "none.mp4")), streams) == (1, "")
    status, printed = run_with(("wce_desktop", "--version"), streams)
    assert (status, printed[:11]) == (0, "wce_desktop")


@STREAMS
def test_work_is_done_although_its_result_cannot_be_printed(tmp_path: Path) -> None:
    phantom = ("training", "phantom", "--studies", "1", "--frames", "5", "--seed", "0")
    status, printed = run_with((*phantom, str(tmp_path / "a")), "> /dev/full")
    assert status == 1
    assert printed.endswith(NOT_PRINTED.format("No space left on device"))
    assert run_with((*phantom, str(tmp_path / "b")), "<&- >&- 2>&-") == (1, "")
    for name in ("a", "b"):
        assert (tmp_path / name / "manifest.json").is_file()


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory, qapp: object) -> Path:
    """A library with a finding, labels and a box."""
    session = make_session(tmp_path_factory.mktemp("session"))
    try:
        study = add_study(session, tmp_path_factory.mktemp("study")).study_id
        finding = Finding.new(study_id=study, kind="polyp", span=Span(10, 14), key_frames=(11,), reader="reader")
        label = Label(new_id(), study, Span(10, 14), "polyp", "reader", finding.finding_id, "reader")
        boxes = [
            Box(new_id(), study, frame, 5, 5, 20, 20, "polyp", finding.finding_id, "reader") for frame in range(10, 14)
        ]
        session.library.annotations.edit(study, "Label", [Add(finding), Add(label), *map(Add, boxes)])
    finally:
        session.library.close()
    return session.library.folder


def limited(kibibytes: int) -> Callable[[], None]:
    """For a child: every file ends after so many KiB, as on a disk that is full."""
    import resource

    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (kibibytes * 1024, kibibytes * 1024))


FORMATS = ("csv", "coco", "cvat-images", "cvat-video", "yolo", "kvasir", "dicom", "fhir")


def is_told(printed: str) -> bool:
    """Whether all lines are sentences; nothing of Python's own."""
    return bool(printed.strip()) and not any(
        word in printed for word in ("Traceback", "Error:", "Errno", "Exception", 'File "', "raise ")
    )


@STREAMS
@pytest.mark.parametrize("format_name", FORMATS)
def test_an_export_that_cannot_be_written_is_a_sentence(format_name: str, library: Path, tmp_path: Path) -> None:
    export = ("wce_desktop", "export", "--library", str(library), "--format", format_name)
    number = FORMATS.index(format_name)
    target, kibibytes = (("/proc/none/out", 0), (str(library / "library.sqlite"), 3))[number % 2]
    status, printed = run_with((*export, target), "")
    assert (status, is_told(printed)) == (1, True), printed
    status, printed = run_with((*export, str(tmp_path / "full")), "", preexec_fn=limited(kibibytes))
    assert is_told(printed), printed
    assert status == (0 if "written to" in printed else 1), printed
    if number > 0:  # what is printed does not depend on the format
        return
    status, printed = run_with((*export, str(tmp_path / "fits")), "> /dev/full")
    assert (status, printed) == (1, NOT_PRINTED.format("No space left on device"))
    assert any((tmp_path / "fits").iterdir())


@STREAMS
@pytest.mark.parametrize("kibibytes", [0, 2])
def test_studies_and_indexes_on_a_full_disk_are_a_sentence(kibibytes: int, tmp_path: Path) -> None:
    """PyAV's errors cannot be given another name, and end in the middle of a file."""
    phantom = ("training", "phantom", "--studies", "1", "--frames", "20", "--seed", "0", str(tmp_path / "out"))
    status, printed = run_with(phantom, "", preexec_fn=limited(kibibytes))
    assert (status, is_told(printed)) == (1, True), printed
    assert "File too large" in printed
    video = write_video(tmp_path / "study.mp4", 30)
    index = ("training", "index", str(video), "--out", str(tmp_path / "index.npz"))
    status, printed = run_with(index, "", preexec_fn=limited(kibibytes))
    assert (status, is_told(printed)) == (1, True), printed


HDF5_ON_A_FULL_DISK = """
import resource, sys
import h5py
import numpy as np
from training.files.terminal import run_into_pipe
from training.files.terminal import end_process

def write() -> int:
    resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))
    file = h5py.File(sys.argv[1], "w")
    try:
        file.create_dataset("a", data=np.arange(9000))
        file.close()
    except (OSError, RuntimeError):
        pass
    del file
    print("The disk is full.", file=sys.stderr)
    return 1

end_process(run_into_pipe(write))
"""


@STREAMS
def test_a_file_of_scores_that_cannot_be_closed_ends_with_the_sentence_only(tmp_path: Path) -> None:
    line = [*warm_python(), "-c", HDF5_ON_A_FULL_DISK, str(tmp_path / "a.h5")]
    ended = subprocess.run(line, capture_output=True, text=True, check=False, timeout=100)
    assert (ended.returncode, ended.stderr) == (1, "The disk is full.\n")
