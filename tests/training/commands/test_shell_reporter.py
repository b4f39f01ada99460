"""The shell's reporter: what a bar shows, and what Ctrl-C means."""

import io
import signal
from pathlib import Path

import pytest
from rich.console import Console

from training.commands.shell_reporter import ShellReporter, format_seconds, show_result
from training.files import stores
from training.runs.reporter import Cancelled


@pytest.fixture
def console() -> Console:
    """A terminal of 120 columns that keeps what was written."""
    return Console(file=io.StringIO(), width=120, force_terminal=True, color_system=None)


def written(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_the_bar_shows_how_far_and_a_line_stands_above_it(console: Console) -> None:
    with ShellReporter(console) as reporter:
        reporter.progress(1024, 3000, "frames", "scoring P11")
        reporter.log("Scoring on cpu.")
        reporter.partial("held_out", {"step": 100, "auc": {"polyp": 0.91234}})
        reporter.partial("curve", {"step": 100, "loss": 0.5})
        reporter.progress(3000, 3000, "frames", "scoring P11")
        reporter.progress(0, 0, "frames", "fitting a classifier")
    said = written(console)
    assert "scoring P11" in said
    assert "3,000 / 3,000 frames" in said
    assert "fitting a classifier" in said
    assert "0 / 0" not in said
    assert "Scoring on cpu." in said
    assert "held_out: step 100, auc polyp 0.912" in said
    assert "loss" not in said


def test_the_first_ctrl_c_asks_and_the_second_ends(console: Console, capfd: pytest.CaptureFixture[str]) -> None:
    before = signal.getsignal(signal.SIGINT)
    with ShellReporter(console) as reporter:
        assert not reporter.stop_requested
        signal.raise_signal(signal.SIGINT)
        assert reporter.stop_requested
        reporter.check()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        with pytest.raises(Cancelled):
            reporter.check()
    assert signal.getsignal(signal.SIGINT) is before
    assert "Ctrl-C again ends at once" in capfd.readouterr().err


@pytest.mark.parametrize(("seconds", "shown"), [(0.4, "0:00:00"), (75, "0:01:15"), (6241, "1:44:01")])
def test_times_are_shown_as_hours_minutes_seconds(seconds: float, shown: str) -> None:
    assert format_seconds(seconds) == shown


def test_a_result_is_a_table_for_a_person(console: Console) -> None:
    result = {
        "frames": 31204,
        "complete": True,
        "duration_seconds": 6241.0,
        "missing": list(range(20)),
        "notes": [],
        "new": {"polyp": {"auc": 0.91234}},
    }
    show_result("score", result, console)
    said = written(console)
    for words in ("31,204", "yes", "1:44:01", "0, 1, 2, 3, 4, 5, 6, 7, and 12 more", "none", "0.9123"):
        assert words in said


def test_an_output_on_a_store_is_shown_by_its_address(
    console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WCE_STORE_CACHE", str(tmp_path / "copies"))
    address = f"file://{tmp_path.as_posix()}/P01.h5"
    show_result("score", {"out": stores.place_of(address)}, console)
    assert address in "".join(written(console).split())
