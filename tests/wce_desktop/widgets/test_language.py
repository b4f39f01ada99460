"""Texts that can be translated are: whole sentences in the .ts file with a translation, shown by `tr`."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.wce_desktop.translatable import translatable_texts
from wce_desktop.core.clock import counted
from wce_desktop.core.language import in_english, read_translations, tr, tr_count
from wce_desktop.session.actions import ACTIONS
from wce_desktop.session.keys import parts, reasons
from wce_desktop.session.places import resource
from wce_desktop.session.settings import Settings
from wce_desktop.shell.appearance import use_language
from wce_desktop.shell.settings_dialog import SettingsDialog

GERMAN = read_translations(resource("translations", "wce_desktop_de.ts"))


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    use_language("de")
    yield
    use_language("en")


def test_nearly_every_translatable_text_is_translated() -> None:
    """A few new ones may wait for a translator: `python docs/translate.py` says how many do."""
    found = translatable_texts()
    assert sum(bool(GERMAN.get(text)) for text in found) >= 0.9 * len(found)


def test_translations_keep_values_and_ellipses() -> None:
    for text, translated in GERMAN.items():
        if translated:
            assert set(re.findall(r"\{[^{}]+\}", text)) == set(re.findall(r"\{[^{}]+\}", translated)), text
            assert text.endswith("…") == translated.endswith("…"), text


def test_texts_name_no_key_that_the_reader_can_change() -> None:
    """`key_of`, or an action in braces, names the one in use. Ctrl+Return in the patient records is fixed."""
    keys = {key for row in ACTIONS for key in parts(row.shortcut)} - {"Ctrl+Return"}
    letters = "".join(key for key in keys if len(key) == 1 and key.isalpha())
    told = re.compile(rf"(?:[Pp]ress|[a-z]:) [{letters}]\b")
    pressed_together = re.compile(r"\b(?:(?:Ctrl|Alt|Shift)\+)+[\w.,]+")
    for text in set(translatable_texts()) - set(reasons()):
        assert not told.search(text), text
        assert not keys & set(pressed_together.findall(text)), text


@pytest.mark.usefixtures("german")
def test_texts_with_values_are_translated_as_a_whole() -> None:
    assert tr("Step {step} of {count}", step=1, count=3) == "Schritt 1 von 3"


@pytest.mark.usefixtures("german")
def test_what_is_stored_stays_english() -> None:
    with in_english():
        assert counted(2, "study") == "2 studies"
    assert counted(2, "study") == "2 Studien"


def test_counts_have_a_text_for_one_and_one_for_many() -> None:
    assert counted(1, "study") == "1 study"
    assert [counted(count, noun) for count, noun in ((0, "study"), (1204, "box"), (2, "frame"), (2, "day"))] == [
        "0 studies",
        "1,204 boxes",
        "2 frames",
        "2 days",
    ]
    assert tr_count("{count} frame of {name}", "{count} frames of {name}", 2, name="P01") == "2 frames of P01"


@pytest.mark.usefixtures("german")
def test_a_german_dialog_has_no_english_label(qtbot: QtBot, tmp_path: Path) -> None:
    dialog = SettingsDialog(Settings(tmp_path / "settings.json"), ACTIONS, {})
    qtbot.addWidget(dialog)
    assert dialog.windowTitle() == "Einstellungen"
    assert dialog.keys.items["undo"].text(0) == "Rückgängig"
    assert dialog.keys.items["undo"].text(1) == "Strg+Z"
    shown = {item.text(0) for item in dialog.keys.items.values()}
    assert not shown & {row.title for row in ACTIONS if GERMAN.get(row.title, row.title) != row.title}


def test_an_unknown_language_shows_english() -> None:
    use_language("xx")
    assert tr("Undo") == "Undo"
