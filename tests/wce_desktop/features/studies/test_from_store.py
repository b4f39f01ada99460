"""A study on a store is copied, opened, and known again under its address; it comes back when its copy went."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.videos import write_video
from tests.wce_desktop.windows import main_window, press, wait
from training.files import stores
from wce_desktop.widgets import dialogs

pytest.importorskip("fsspec", reason="the extra store is not installed")


@pytest.fixture(autouse=True)
def share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv(stores.FOLDER_VARIABLE, str(tmp_path / "cache"))
    folder = tmp_path / "share"
    folder.mkdir()
    yield folder
    while stores._held:
        stores._held.popitem()[1].close()


def test_a_study_is_opened_from_a_store(
    qtbot: QtBot, tmp_path: Path, share: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    video = write_video(share / "P01.mp4", 20)
    address = f"file://{video}"
    monkeypatch.setattr(dialogs, "ask_text", lambda *_: address)
    with main_window(qtbot, tmp_path, has_study=False, has_model=False) as window:
        press(window, "open_from_store")
        wait(qtbot, lambda: window.session.reading is not None and window.is_idle)
        (study,) = window.session.library.studies.all()
        assert stores.address_of(study.path) == address
        assert study.frame_count == 20
        with window.session.library.engine.connect() as connection:
            assert connection.exec_driver_sql("SELECT path FROM studies").scalar() == address
        window.features.studies.leave()
        shutil.rmtree(study.path.parent)
        (study,) = window.session.library.studies.all()
        window.features.studies.open_study(study)
        wait(qtbot, lambda: window.session.reading is not None and window.is_idle)
        assert study.path.is_file(), "it was copied again"
        assert len(window.session.library.studies.all()) == 1


def test_a_store_without_the_file_is_said(
    qtbot: QtBot, tmp_path: Path, share: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialogs, "ask_text", lambda *_: f"file://{share}/missing.mp4")
    with main_window(qtbot, tmp_path, has_study=False, has_model=False) as window:
        press(window, "open_from_store")
        wait(qtbot, lambda: "There is no file" in window.banner.error)
        assert window.session.reading is None
        assert not window.features.studies.is_opening
