"""Names of studies, files and folders cannot control the terminal of a command."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.training.files.test_terminal import is_harmless
from tests.warm_python import warm_python
from training.errors import UserError
from wce_desktop.library import Library
from wce_desktop.shell.cli.exchange_cli import main as exchange
from wce_desktop.shell.cli.restore_cli import main as restore

EVIL = "a\x1b[2J\x9b31m\u202egnp\nforged\udc80"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder whose name would clear the screen."""
    if sys.platform == "win32":
        pytest.skip("no such names there")
    made = tmp_path / EVIL
    try:
        made.mkdir()
    except OSError:
        pytest.skip("the file system takes no such names")
    return made


def test_commands_print_names_harmlessly(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = place / "library"
    with Library.open(folder, "reader") as library:
        library.studies.add(folder.parents[1] / "a.mp4", name="study", study_id="P03a", frame_count=10)
        with pytest.raises(UserError, match="cannot be stored"):
            library.studies.add(place / f"{EVIL}.mp4")
    table = place / f"{EVIL}.csv"
    table.write_text("study_id,start,stop,label\nP03a,5,9,polyp\n", encoding="utf-8")
    for arguments in (
        ["export", "--library", str(folder), str(place / "out")],
        ["export", "--library", str(folder), "--study", EVIL, str(place / "out")],
        ["export", "--library", str(place / "none"), str(place / "out")],
        ["import", "--library", str(folder), str(table)],
        ["import", "--library", str(folder), str(place / "none.csv")],
        ["import", "--library", str(folder), "--yes", str(table)],
    ):
        exchange(arguments)
    restore(["restore", "--library", str(folder)])
    restore(["restore", "--library", str(folder), "--backup", EVIL])
    (folder / "library.sqlite").write_bytes(b"\xa5" * 9000)
    exchange(["export", "--library", str(folder), str(place / "out2")])
    said = capsys.readouterr()
    assert "\\x1b[2J" in said.out + said.err
    assert "\\udc80" in said.out + said.err
    assert is_harmless(said.out + said.err)
    assert "\nforged" not in said.out + said.err


@pytest.mark.parametrize("command", [["wce_desktop", "export", "--library"], ["training", "index"]])
def test_a_terminal_without_unicode_is_no_error(place: Path, command: list[str]) -> None:
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    folder = place / "Müller"
    arguments = [*warm_python(), "-m", *command, str(folder), *([str(place / "out")] if "export" in command else [])]
    done = subprocess.run(arguments, env=environment, capture_output=True, check=False)
    said = (done.stdout + done.stderr).decode("ascii")
    assert done.returncode == 1
    assert "Traceback" not in said
    assert "\\x1b[2J" in said
    assert is_harmless(said)
