"""The form of filters: what is set is told once, and named in a few words."""

from dataclasses import replace

from pytestqt.qtbot import QtBot

from wce_desktop.core.annotation.vocabulary import load_vocabulary
from wce_desktop.features.neighbours.neighbour_query import SearchSettings
from wce_desktop.features.neighbours.neighbour_strip import FilterBox, settings_in_words
from wce_desktop.session.places import resource

VOCABULARY = load_vocabulary(resource("labels", "default.json"))


def test_what_is_set_is_told_and_can_be_shown_without_telling(qtbot: QtBot) -> None:
    box = FilterBox(VOCABULARY)
    qtbot.addWidget(box)
    told: list[SearchSettings] = []
    box.changed.connect(told.append)
    wanted = SearchSettings(12, "cosine", "other patients", True, "blood", 30.0, 5.0)
    box.show_settings(wanted)
    assert not told
    box.change(replace(wanted, count=7))
    assert told == [replace(wanted, count=7)]
    box.scope.setCurrentIndex(0)
    assert told[-1].scope == "all"
    box.reset.click()
    assert told[-1] == SearchSettings()
    assert box.settings == SearchSettings()


def test_filters_are_named_in_words() -> None:
    assert settings_in_words(SearchSettings()) == ""
    said = settings_in_words(SearchSettings(scope="other patients", class_name="blood", min_seconds_to_query=30))
    assert said == "other patients, labelled blood, 30 s away"
