"""A window that stays open for days makes a backup a day."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import main_window, wait
from training.errors import UserError
from wce_desktop.library.backup import backup_file, backups
from wce_desktop.shell.daily_backup import is_due


def test_a_backup_is_due_after_a_day_or_when_the_clock_went_back(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        folder, now = window.session.library.folder, datetime.now(UTC)
        assert is_due(folder, now)  # a new library: opening it made none
        backups.backup(folder, at=now, always=True)
        assert not is_due(folder, now + timedelta(hours=23))
        assert is_due(folder, now + timedelta(hours=25))
        assert is_due(folder, now - timedelta(hours=1))


def test_the_window_makes_it_beside_its_own_work(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        folder = window.session.library.folder
        window.daily_backup.check()
        wait(qtbot, lambda: len(backup_file.list_backups(folder)) == 1)
        window.daily_backup.check()
        window.guard(window.features.reading.label)("polyp")
        assert window.banner.text == "Polyp labelled on 1 frame."
    assert len(backup_file.list_backups(folder)) == 1


def test_a_backup_that_fails_is_said(qtbot: QtBot, tmp_path: Path) -> None:
    def fail() -> None:
        raise UserError("No backup can be made.", "Free some disk space.")

    with main_window(qtbot, tmp_path) as window:
        window.session.library.back_up = fail  # type: ignore[method-assign]
        window.daily_backup.check()
        wait(qtbot, lambda: window.banner.text == "No backup can be made. Free some disk space.")
        assert backup_file.list_backups(window.session.library.folder) == []
