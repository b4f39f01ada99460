"""The command `wce-desktop` from outside: help, wrong usage, a system without what Qt needs, and the picture."""

import argparse
import builtins
import ctypes
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import pytest

from tests.videos import write_video
from tests.warm_python import warm_python
from training.errors import UserError
from training.files.kinds import WINDOW_PNG
from training.runs.events import Outcome, decode
from wce_desktop.__main__ import build_parser, is_job, main, parse_size
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.library import Library
from wce_desktop.shell import screen

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 150


@pytest.fixture
def start(tmp_path: Path) -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """Run `wce-desktop ARGUMENTS` as a process of its own, away from the person's own folders."""

    def run(*arguments: object, **variables: str) -> "subprocess.CompletedProcess[str]":
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
        for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "LOCALAPPDATA", "HOME"):
            environment[name] = str(tmp_path / "home")
        command = [*warm_python(), "-W", "error", "-m", "wce_desktop", *map(str, arguments)]
        return subprocess.run(
            command, cwd=ROOT, env={**environment, **variables}, capture_output=True, text=True,
            check=False, timeout=PATIENCE_SECONDS,
        )  # fmt: skip

    return run


def test_help_names_every_option_and_what_it_is_not_for(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    for words in ("--library", "--demo", "--screenshot", "--size", "not for diagnosis", "import", "export"):
        assert words in said


def test_several_paths_and_the_options_are_understood() -> None:
    options = build_parser().parse_args(["a.mp4", "b", "--library", "l", "--size", "1280x800", "--screenshot", "a.png"])
    assert options.paths == [Path("a.mp4"), Path("b")]
    assert (options.library, options.size, options.screenshot) == (Path("l"), (1280, 800), Path("a.png"))
    assert not options.demo


@pytest.mark.parametrize(
    "text",
    [
        "1280",
        "x",
        "1280x",
        "1280x100",
        "-1x800",
        "axb",
        "1280x800x3",
        "99999999999x800",
        "800x99999999999",
        "10001x800",
        "9" * 5000 + "x800",
    ],
)
def test_a_bad_size_is_said_and_ends_with_2(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="1280x800"):
        parse_size(text)
    with pytest.raises(SystemExit) as ended:
        main([f"--size={text}"])
    assert ended.value.code == 2
    assert "not a window size" in capsys.readouterr().err


def test_export_and_import_need_no_window(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Library.open(tmp_path / "library", "reader").close()
    assert main(["export", "--library", str(tmp_path / "library"), str(tmp_path / "out")]) == 0
    assert (tmp_path / "out" / "manifest.json").is_file()
    assert main(["import", "--library", str(tmp_path / "library"), str(tmp_path / "nothing")]) == 1
    assert "nothing" in capsys.readouterr().err


def test_exporting_imports_no_qt(tmp_path: Path) -> None:
    code = "import sys; from wce_desktop.__main__ import main; main(sys.argv[1:]); sys.exit('PySide6' in sys.modules)"
    Library.open(tmp_path / "library", "reader").close()
    arguments = ["export", "--library", str(tmp_path / "library"), str(tmp_path / "out")]
    child = subprocess.run([sys.executable, "-c", code, *arguments], cwd=ROOT, check=False, timeout=60)
    assert child.returncode == 0


# A system without what Qt needs


def missing(monkeypatch: pytest.MonkeyPatch, message: str) -> None:
    """Let importing the window fail as it does where a library is missing."""
    real = builtins.__import__

    def importing(name: str, *arguments: Any) -> Any:
        if name == "wce_desktop.shell.application":
            raise ImportError(message)
        return real(name, *arguments)

    monkeypatch.setattr(builtins, "__import__", importing)


@pytest.mark.parametrize(
    "message",
    ["libEGL.so.1: cannot open shared object file: No such file or directory", "No module named 'PySide6'"],
)
def test_without_qt_s_libraries_one_sentence_says_which_packages(
    message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    missing(monkeypatch, message)
    assert main([]) == 1
    said = capsys.readouterr().err
    assert message in said
    assert "sudo apt-get install" in said
    assert "libegl1" in said
    assert said.count("\n") == 1


def test_an_import_error_of_our_own_is_a_bug_and_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    missing(monkeypatch, "cannot import name 'x' from 'wce_desktop.core'")
    with pytest.raises(ImportError, match=r"wce_desktop\.core"):
        main([])


class Linux:
    """A Linux desktop as `check_screen` sees it: which libraries load, and whether the screen answers."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, plugin: Path) -> None:
        self.lacks = ""
        self.has_error = False
        plugin.mkdir()
        (plugin / "libqxcb.so").touch()
        monkeypatch.setattr(sys, "platform", "linux")
        monkeypatch.setattr(screen, "plugins_folder", lambda: plugin)
        monkeypatch.setattr(ctypes, "CDLL", self._load)

    def _load(self, name: str) -> Any:
        if self.lacks and name.endswith("libqxcb.so"):
            raise OSError(f"{self.lacks}: cannot open shared object file: No such file or directory")
        functions: Mapping[str, Any] = {
            "xcb_connect": lambda *_: 1,
            "xcb_connection_has_error": lambda _: self.has_error,
            "xcb_disconnect": lambda _: None,
        }
        return SimpleNamespace(**functions)


@pytest.fixture
def linux(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Linux:
    return Linux(monkeypatch, tmp_path / "platforms")


@pytest.mark.parametrize(
    "variables",
    [{"DISPLAY": ":0"}, {"WAYLAND_DISPLAY": "wayland-0"}, {"QT_QPA_PLATFORM": "offscreen"}, {"QT_QPA_PLATFORM": "vnc"}],
)
def test_a_screen_that_is_there_is_taken(linux: Linux, variables: dict[str, str]) -> None:
    screen.check_screen(variables)


def test_no_screen_and_one_that_does_not_answer_are_sentences(linux: Linux) -> None:
    with pytest.raises(UserError, match="there is no screen") as caught:
        screen.check_screen({})
    assert "QT_QPA_PLATFORM=offscreen" in caught.value.hint
    linux.has_error = True
    with pytest.raises(UserError, match="the screen “:7” does not answer"):
        screen.check_screen({"DISPLAY": ":7"})


def test_a_library_that_the_plugin_for_x11_needs_is_named_with_its_packages(
    linux: Linux, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    linux.lacks = "libxcb-cursor.so.0"
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert main([]) == 1
    said = capsys.readouterr().err
    assert "libxcb-cursor.so.0" in said
    assert "libxcb-cursor0" in said
    assert said.count("\n") == 1


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there always is a screen")
def test_without_a_screen_the_real_program_ends_with_1_and_a_sentence(
    start: Callable[..., "subprocess.CompletedProcess[str]"], tmp_path: Path
) -> None:
    none = {"QT_QPA_PLATFORM": "", "DISPLAY": "", "WAYLAND_DISPLAY": ""}
    done = start("--library", tmp_path / "library", **none)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "there is no screen" in done.stderr


# The picture


def quiet_library(folder: Path) -> Path:
    """A library whose settings do not start a scoring."""
    folder.mkdir()
    settings = {"score_when_opened": False, "keep_model_ready": False}
    (folder / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    return folder


def test_a_picture_of_a_study_is_written_and_ends_with_0(
    start: Callable[..., "subprocess.CompletedProcess[str]"], tmp_path: Path
) -> None:
    library, picture = quiet_library(tmp_path / "library"), tmp_path / "new" / "window.png"
    video = write_video(tmp_path / "study.mp4", 40)
    done = start(video, "--library", library, "--screenshot", picture, "--size", "1100x720")
    assert (done.returncode, done.stderr) == (0, "")
    written = cv2.imread(str(picture))
    assert written is not None
    assert written.shape[:2] == (720, 1100)
    assert written.std() > 10
    assert not [log for log in (tmp_path / "home").rglob("*.log") if "Traceback" in log.read_text(encoding="utf-8")]
    with Library.open(library, "reader") as opened:
        assert [(study.name, study.frame_count) for study in opened.studies.all()] == [("study", 40)]


@pytest.mark.skipif(sys.platform == "win32", reason="there they are kept for a day")
def test_what_a_killed_window_left_is_removed(
    start: Callable[..., "subprocess.CompletedProcess[str]"], tmp_path: Path
) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as killed:
        pass
    left = [tmp_path / "temporary" / f"wce-{kind}-{killed.pid}-abc" for kind in ("job", "answers", "library")]
    for folder in left:
        folder.mkdir(parents=True)
        (folder / "job.json").write_text("{}")
    library = quiet_library(tmp_path / "library")
    done = start("--library", library, "--screenshot", tmp_path / "a.png", TMPDIR=str(tmp_path / "temporary"))
    assert done.returncode == 0
    assert not [folder for folder in left if folder.exists()]


def test_a_picture_of_what_cannot_be_opened_ends_with_1_and_the_sentence(
    start: Callable[..., "subprocess.CompletedProcess[str]"], tmp_path: Path
) -> None:
    library, picture = quiet_library(tmp_path / "library"), tmp_path / "window.png"
    done = start(tmp_path / "gone.mp4", "--library", library, "--screenshot", picture)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "gone.mp4" in done.stderr
    assert cv2.imread(str(picture)) is not None  # it shows the sentence
    assert WINDOW_PNG.is_ours(picture)


@pytest.mark.parametrize("name", ["study.mp4", "library/library.sqlite", "./study.mp4", "second.mp4"])
def test_a_picture_never_replaces_a_study_or_the_library(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    video = write_video(tmp_path / "study.mp4", 3)
    os.link(video, tmp_path / "second.mp4")
    Library.open(tmp_path / "library", "reader").close()
    before = (tmp_path / name).read_bytes()
    for more in ([], ["--overwrite"]):
        assert main([str(video), "--library", "library", "--screenshot", name, *more]) == 1
        assert "is an input of this command" in capsys.readouterr().err
    assert (tmp_path / name).read_bytes() == before


@pytest.mark.parametrize("name", ["notes.txt", os.devnull, "", "folder"])
def test_a_picture_replaces_only_pictures_of_the_window(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    assert main(["--library", "library", "--screenshot", name]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "Traceback" not in said
    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "mine"
    assert not (tmp_path / "library").exists()


def test_a_picture_that_cannot_be_written_ends_with_1(
    start: Callable[..., "subprocess.CompletedProcess[str]"], tmp_path: Path
) -> None:
    (tmp_path / "notes").write_text("a file", encoding="utf-8")
    done = start("--library", quiet_library(tmp_path / "library"), "--screenshot", tmp_path / "notes" / "a.png")
    assert done.returncode == 1
    assert "a.png cannot be written" in done.stderr


def test_a_second_program_on_the_same_library_ends_with_1(
    start: Callable[..., "subprocess.CompletedProcess[str]"], tmp_path: Path
) -> None:
    with Library.open(tmp_path / "library", "reader"):
        done = start("--library", tmp_path / "library", "--screenshot", tmp_path / "a.png")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "already open in another window" in done.stderr
    assert not (tmp_path / "a.png").exists()


def test_a_frozen_build_runs_its_jobs_without_qt(tmp_path: Path) -> None:
    """The command line of `jobs.spec` in a frozen build, given to the program's own entry: a job, never a window."""
    config, wanted = tmp_path / "job.json", tmp_path / "phantom"
    JobSpec("phantom", "phantom", {"out": str(wanted), "studies": 1, "frames": 8, "seed": 0}).write_config(config)
    code = f"""if True:
        import sys
        sys.frozen = True
        from pathlib import Path
        from wce_desktop.__main__ import main
        from wce_desktop.jobs.spec import child_command
        status = main(child_command(Path({str(config)!r}))[1:])
        loaded = {{"PySide6", "shiboken6"}} & set(sys.modules)
        sys.exit(repr(loaded) if loaded else status)"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, stdin=subprocess.PIPE, capture_output=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    last = decode(done.stdout.decode().splitlines()[-1])
    assert isinstance(last, Outcome)
    assert last.kind == "done"
    assert (wanted / "manifest.json").is_file()


@pytest.mark.parametrize("arguments", [["job"], ["job", "a.mp4"], ["job", "a.json", "b.mp4"], ["a.json"]])
def test_a_study_may_be_called_job(arguments: list[str]) -> None:
    assert not is_job(arguments)


def test_sources_of_imported_modules_are_not_kept() -> None:
    code = (
        "import linecache, sys; from wce_desktop.__main__ import leave_sources_unread; leave_sources_unread()\n"
        "import wce_desktop.core.span; sys.exit(any(name.endswith('span.py') for name in linecache.cache))"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=60, check=False).returncode == 0
