"""The About box: version, intended use, and the licences of what is installed."""

import re
from importlib.metadata import requires
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from training.errors import UserError
from training.version import DISTRIBUTION, version
from wce_desktop.shell import application
from wce_desktop.shell import help as help_module
from wce_desktop.shell.help import AboutDialog, licences
from wce_desktop.widgets.plain_text import PlainLabel


def test_it_shows_version_use_and_licences(qtbot: QtBot) -> None:
    dialog = AboutDialog()
    qtbot.addWidget(dialog)
    text = dialog.tabs.widget(0)
    assert isinstance(text, PlainLabel)
    assert f"wce_desktop {version()}" in text.text()
    assert "not for diagnosis" in text.text()
    assert dialog.licences.toPlainText() == ""
    dialog.tabs.setCurrentWidget(dialog.licences)
    assert "\npsygnal " in dialog.licences.toPlainText()


def test_every_package_that_is_needed_has_a_licence() -> None:
    text = licences().lower().replace("_", "-")
    needed = [
        re.split(r"[^\w.-]", line, maxsplit=1)[0] for line in requires(DISTRIBUTION) or () if "extra ==" not in line
    ]
    assert len(needed) > 20
    assert [name for name in needed if not re.search(rf"^{name.lower()} \S+: \w+", text, flags=re.MULTILINE)] == []


def test_an_installed_package_shows_its_own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "LICENCES.txt").write_text("x264 (in av): GPL")
    monkeypatch.setattr(help_module, "LICENCES", tmp_path / "LICENCES.txt")
    assert licences() == "x264 (in av): GPL"


def test_without_fonts_a_sentence_says_so(monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> None:
    class NoFont:
        def __init__(self, _: object) -> None: ...

        def inFont(self, _: str) -> bool:
            return False

    application.check_fonts()
    monkeypatch.setattr(application, "QFontMetrics", NoFont)
    with pytest.raises(UserError, match="no fonts are installed"):
        application.check_fonts()
