"""The titles of edits in the chosen language: the library keeps them in English."""

from collections.abc import Iterator

import pytest
from wce_desktop.core.annotation.edit_titles import shown_title

from tests.wce_desktop.core.annotation.test_landmark_plans import mark
from wce_desktop.core.annotation import labelling
from wce_desktop.core.annotation.label import LabelTrack
from wce_desktop.core.annotation.landmark import Region
from wce_desktop.core.annotation.landmark_plans import place_landmark, remove_landmark
from wce_desktop.core.language import use_translations
from wce_desktop.core.span import Span

GERMAN = {
    "Label {count} frame {name}": "{count} Bild als {name} kennzeichnen",
    "Label {count} frames {name}": "{count} Bilder als {name} kennzeichnen",
    "Label {count} frames {name}, no longer normal": "{count} Bilder als {name}, nicht mehr als normal",
    "Remove the {landmark}": "„{landmark}“ entfernen",
    "Set the {landmark} to frame {count}": "„{landmark}“ auf Bild {count} setzen",
    "first duodenal frame": "erstes Duodenalbild",
    "{count} frame": "{count} Bild",
    "{count} frames": "{count} Bilder",
    "Add study {name}": "Studie {name} hinzufügen",
    "Mark {count} frames normal ({kept} keep {names})": "{count} Bilder als normal ({kept} behalten {names})",
    "Blood": "Blut",
    "1,234.5%": "1.234,5 %",
}


@pytest.fixture(autouse=True)
def german() -> Iterator[None]:
    use_translations(GERMAN)
    yield
    use_translations({})


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("Label 1 frame polyp", "1 Bild als Polyp kennzeichnen"),
        ("Label 1,204 frames blood", "1.204 Bilder als Blut kennzeichnen"),
        ("Label 3 frames my class, no longer normal", "3 Bilder als my class, nicht mehr als normal"),
        ("Mark 31,204 frames normal (2 keep blood, my class)", "31.204 Bilder als normal (2 behalten Blut, my class)"),
        ("Add study blood", "Studie blood hinzufügen"),
        ("Remove the first duodenal frame", "„erstes Duodenalbild“ entfernen"),
        ("What an older version did", "What an older version did"),
    ],
)
def test_a_stored_title_is_shown_in_the_chosen_language(title: str, shown: str) -> None:
    assert shown_title(title) == shown


def test_the_title_of_a_plan_is_english_and_can_be_shown_in_german() -> None:
    plan = labelling.add_label(LabelTrack(()), Span(0, 3), "polyp", study_id="s", reader="r")
    assert plan.title == "Label 3 frames polyp"
    assert shown_title(plan.title) == "3 Bilder als Polyp kennzeichnen"
    placed = place_landmark([], "s", Region.SMALL_BOWEL, 50, reader="r").title
    assert shown_title(placed) == "„erstes Duodenalbild“ auf Bild 51 setzen"
    removed = remove_landmark([mark(Region.SMALL_BOWEL, 50)], Region.SMALL_BOWEL).title
    assert shown_title(removed) == "„erstes Duodenalbild“ entfernen"
