"""The real window on the little study, with somebody who answers instead of the inference child."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.explain.answers import FakeAsker
from tests.wce_desktop.windows import main_window, wait
from wce_desktop import workspace
from wce_desktop.features.explain import explaining
from wce_desktop.shell.main_window import MainWindow


@contextmanager
def explaining_window(
    qtbot: QtBot, folder: Path, monkeypatch: pytest.MonkeyPatch, *, is_scored: bool = True, has_study: bool = True
) -> Iterator[tuple[MainWindow, FakeAsker]]:
    """The window with the study open at frame 12 of the polyp."""
    client = FakeAsker()
    monkeypatch.setattr(workspace, "InferenceClient", lambda *_, **__: client)
    monkeypatch.setattr(explaining, "REST_MILLISECONDS", 0)
    with main_window(qtbot, folder, has_study=has_study and is_scored) as window:
        if has_study and not is_scored:
            open_unscored(qtbot, window, folder)
        if has_study:
            window.features.reading.go_to_frame(12)
            wait(qtbot, lambda: window.player.frame_index == 12)
        yield window, client


def open_unscored(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    """Open the study without scores."""
    from tests.wce_desktop.sessions import add_study

    study = add_study(window.session, folder, is_scored=False)
    window.features.studies.open_study(study)
    wait(qtbot, lambda: window.session.reading is not None and window.is_idle)
