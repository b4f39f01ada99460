"""Bad input gets a sentence, and nothing is lost: each row of the list as a person meets it, in window and shell.

How deep each kind of damage goes is tested where it is handled (`tests/training/video`, `tests/wce_desktop/library`).
"""

import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests import bad_inputs
from tests.videos import number_of, write_video
from tests.wce_desktop.leaks import no_leaks
from tests.wce_desktop.windows import main_window, press, wait
from training.commands.shell import main
from training.video import open_source
from wce_desktop.core.span import Span
from wce_desktop.shell.main_window import MainWindow

__all__ = ["no_leaks"]

Maker = Callable[[Path], Path]

REFUSED: dict[str, tuple[Maker, str]] = {
    "no such file": (bad_inputs.no_file, "gone.mp4"),
    "no such file: a name too long for the system": (bad_inputs.a_name_too_long, "no file"),
    "empty file": (bad_inputs.empty_file, "empty.mp4 is empty"),
    "text renamed to .mp4": (bad_inputs.text_renamed, "notes.mp4 is a text file"),
    "video with no video stream": (bad_inputs.sound_only, "sound.mp4 holds no video stream"),
    "truncated mp4": (bad_inputs.truncated, "cut.mp4 is cut short"),
    "a folder of broken images": (bad_inputs.broken_images, "broken"),
    "a folder without images": (bad_inputs.empty_folder, "nothing"),
}

OPENED: dict[str, tuple[Maker, int | None]] = {
    "truncated mp4, its table of contents in front": (bad_inputs.truncated_late, None),
    "a corrupt stretch in the middle": (bad_inputs.corrupt_stretch, 120),
    "one frame": (bad_inputs.one_frame, 1),
    "odd sizes": (bad_inputs.odd_size, 30),
    "4096 x 4096": (bad_inputs.very_large, 2),
    "grey images": (bad_inputs.grey_images, 5),
    "16-bit images": (bad_inputs.sixteen_bit_images, 5),
    "a folder with mixed sizes": (bad_inputs.mixed_sizes, 4),
    "a folder with a broken image": (bad_inputs.one_broken_image, 5),
    "unicode path": (bad_inputs.unicode_path, 30),
    "very long path": (bad_inputs.very_long_path, 31),
    "a read-only folder": (bad_inputs.read_only_folder, 32),
}
"""With how many frames each opens, or None where that depends on the encoder; no two are the same recording."""


@pytest.fixture(autouse=True)
def _quiet(no_leaks: None, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """No thread stays behind, and no trace of a bug gets into the log."""
    yield
    records = [*caplog.get_records("setup"), *caplog.get_records("call")]
    assert not [record.getMessage() for record in records if record.exc_info or record.levelno >= logging.ERROR]


def label_names(window: MainWindow, study_id: str) -> list[tuple[str, Span]]:
    """What the library has on disk for a study."""
    return [(label.name, label.span) for label in window.session.library.annotations.labels(study_id)]


def is_sentence(text: str) -> bool:
    """One line in words, and no trace."""
    return bool(text) and "\n" not in text and "Traceback" not in text and "Error(" not in text


def open_and_wait(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    """Open a study and wait until its frame is on screen and its check has run."""
    window.features.studies.open_path(path)
    wait(qtbot, lambda: window.session.reading is not None and window.session.reading.study.path == path.resolve())
    wait(qtbot, lambda: window.is_idle)


def test_what_is_no_study_gets_a_sentence_in_the_window(qtbot: QtBot, tmp_path: Path) -> None:
    good = write_video(tmp_path / "good.mp4", 40)
    with main_window(qtbot, tmp_path) as window:
        assert window.session.reading is not None
        known = window.session.reading.study.study_id
        qtbot.keyClick(window, Qt.Key.Key_4)
        before = label_names(window, known)
        assert before == [("blood", Span(0, 1))]
        for at, (make, words) in enumerate(REFUSED.values()):
            (folder := tmp_path / str(at)).mkdir()
            bad = make(folder)
            ids = [study.study_id for study in window.session.library.studies.all()]
            window.guard(window.features.studies.open_path)(bad)
            wait(qtbot, lambda: words in window.banner.text)  # noqa: B023
            assert is_sentence(window.banner.text)
            assert window.is_idle
            assert [study.study_id for study in window.session.library.studies.all()] == ids
            open_and_wait(qtbot, window, good)
            window.features.studies.open_study(window.session.library.studies.get(known))
            wait(qtbot, lambda: window.is_idle)
            assert window.session.reading.study.study_id == known
            assert label_names(window, known) == before
            assert window.session.reading.labels_here()[0].name == "blood"
            window.banner.dismiss()


@pytest.mark.parametrize("row", REFUSED)
def test_what_is_no_study_gets_a_sentence_in_the_shell(
    row: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make, words = REFUSED[row]
    assert main(["index", str(make(tmp_path))]) == 1
    said, hint = capsys.readouterr().err.strip().split("\n")[-2:]  # above them may stand how far it came
    assert words in said or row.startswith("no such file")
    assert is_sentence(said)
    assert is_sentence(hint)


def test_a_model_s_name_too_long_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    video = write_video(tmp_path / "study.mp4", 3)
    assert main(["score", str(video), "--model", "x" * 5000, "--out", str(tmp_path / "a.h5")]) == 1
    said, hint = capsys.readouterr().err.strip().split("\n")[-2:]
    assert is_sentence(said)
    assert is_sentence(hint)


def test_what_is_odd_opens_can_be_labelled_and_is_left_alone(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path, has_study=False) as window:
        for at, (make, frames) in enumerate(OPENED.values()):
            (folder := tmp_path / str(at)).mkdir()
            odd = make(folder)
            beside = sorted(path.name for path in odd.parent.iterdir())
            open_and_wait(qtbot, window, odd)
            reading = window.session.reading
            assert reading is not None
            assert frames in (None, reading.frame_count)
            last = reading.frame_count - 1
            qtbot.keyClick(window, Qt.Key.Key_End)
            wait(qtbot, lambda: reading.place.frame_index == last and window.is_idle)  # noqa: B023
            qtbot.keyClick(window, Qt.Key.Key_1)
            press(window, "toggle_play")
            wait(qtbot, lambda: not window.player.is_playing or reading.place.frame_index < last)  # noqa: B023
            assert label_names(window, reading.study.study_id) == [("polyp", Span(last, last + 1))]
            assert sorted(path.name for path in odd.parent.iterdir()) == beside


@pytest.mark.parametrize("row", OPENED)
def test_what_is_odd_is_told_in_the_shell(row: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["index", str(OPENED[row][0](tmp_path))]) == 0
    said = capsys.readouterr().out
    assert "frames" in said
    if row in ("truncated mp4, its table of contents in front", "a folder with mixed sizes"):
        assert "notes" in said


@pytest.mark.parametrize("row", ["a corrupt stretch in the middle", "a folder with a broken image"])
def test_a_frame_without_a_picture_is_named_kept_and_passed(row: str, qtbot: QtBot, tmp_path: Path) -> None:
    bad = OPENED[row][0](tmp_path)
    with open_source(bad) as source:
        missing = [number for number, picture in source.iterate() if picture is None]
        after = missing[-1] + 1
        assert number_of(source.read(after)) == after
    with main_window(qtbot, tmp_path, has_study=False) as window:
        window.features.studies.open_path(bad)
        wait(qtbot, lambda: "cannot be" in window.banner.text or f"{missing[0] + 1:,}" in window.banner.text)
        reading = window.session.reading
        assert reading is not None
        window.features.reading.go_to_frame(missing[0])
        wait(qtbot, lambda: reading.place.frame_index == missing[0])
        qtbot.keyClick(window, Qt.Key.Key_0)
        assert label_names(window, reading.study.study_id) == [("normal", Span(missing[0], missing[0] + 1))]
        for _ in range(len(missing)):
            press(window, "step_forward")
        wait(qtbot, lambda: reading.place.frame_index == after)


def test_dropping_many_files_of_which_some_are_bad_takes_the_good_ones(qtbot: QtBot, tmp_path: Path) -> None:
    good = [write_video(tmp_path / f"good{count}.mp4", count) for count in (20, 30)]
    bad = [bad_inputs.empty_file(tmp_path), bad_inputs.text_renamed(tmp_path), bad_inputs.sound_only(tmp_path)]
    with main_window(qtbot, tmp_path, has_study=False, has_model=False) as window:
        window.features.studies.drop([good[0], *bad, good[1]])
        wait(qtbot, lambda: len(window.session.library.studies.all()) == 2)
        wait(qtbot, lambda: "holds no video stream" in window.banner.text)
        wait(qtbot, lambda: window.session.reading is not None and window.session.reading.frame_count == 20)
        assert {study.path.name for study in window.session.library.studies.all()} == {"good20.mp4", "good30.mp4"}
