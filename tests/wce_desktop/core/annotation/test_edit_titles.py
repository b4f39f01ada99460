"""The titles of edits in the chosen language: the library keeps them in English."""

from collections.abc import Iterator

import pytest

from tests.wce_desktop.core.annotation.test_landmark_plans import mark
from training.texts import Text, count_text
from wce_desktop.core.annotation import labelling
from wce_desktop.core.annotation.label import Label, LabelTrack
from wce_desktop.core.annotation.landmark import Region
from wce_desktop.core.annotation.landmark_plans import place_landmark, remove_landmark
from wce_desktop.core.event import Event
from wce_desktop.core.language import tr, use_translations
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
        (count_text("Label {count:,} frame {name}", "Label {count:,} frames {name}", 1204, Text("blood")),
         "1.204 Bilder als Blut kennzeichnen"),
        (count_text("Label {count:,} frame {name}", "Label {count:,} frames {name}", 1, Text("polyp")),
         "1 Bild als polyp kennzeichnen"),
        (Text("Add study {name}", "blood"), "Studie blood hinzufügen"),
        (Text("Remove the {landmark}", Text("first duodenal frame")), "„erstes Duodenalbild“ entfernen"),
        ("Label 3 frames blood", "Label 3 frames blood"),
    ],
)  # fmt: skip
def test_a_title_is_shown_in_the_chosen_language(title: str, shown: str) -> None:
    """What an older version stored is shown as it is."""
    assert tr(title) == shown


def test_accepting_a_suggestion_is_called_so() -> None:
    event = Event(Span(0, 3), "Label", 0.9, 1)
    plan = labelling.accept_suggestion(LabelTrack(()), event, study_id="s", reader="r", model_id="m")
    assert plan.title == "Accept 3 frames Label"


def test_the_title_of_a_plan_is_english_and_can_be_shown_in_german() -> None:
    plan = labelling.add_label(LabelTrack(()), Label("l", "s", Span(0, 3), "polyp", reader="r"))
    assert plan.title == "Label 3 frames polyp"
    assert tr(plan.title) == "3 Bilder als polyp kennzeichnen"
    placed = place_landmark([], "s", Region.SMALL_BOWEL, 50, reader="r").title
    assert tr(placed) == "„erstes Duodenalbild“ auf Bild 51 setzen"
    removed = remove_landmark([mark(Region.SMALL_BOWEL, 50)], Region.SMALL_BOWEL).title
    assert tr(removed) == "„erstes Duodenalbild“ entfernen"
