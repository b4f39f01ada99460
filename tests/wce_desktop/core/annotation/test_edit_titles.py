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
    "{name} labelled on {count} frame": "{name} auf {count} Bild",
    "{name} labelled on {count} frames": "{name} auf {count} Bildern",
    "{name} removed from {count} frames": "{name} entfernt von {count} Bildern",
    "{landmark} removed": "„{landmark}“ entfernt",
    "{landmark} set to frame {count}": "„{landmark}“ auf Bild {count} gesetzt",
    "first duodenal frame": "erstes Duodenalbild",
    "{count} frame": "{count} Bild",
    "{count} frames": "{count} Bilder",
    "Add study {name}": "Studie {name} hinzufügen",
    "{count} frames marked normal ({kept} keep {names})": "{count} Bilder als normal ({kept} behalten {names})",
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
        (count_text("{name} labelled on {count:,} frame", "{name} labelled on {count:,} frames", 1204, Text("blood")),
         "Blut auf 1.204 Bildern"),
        (count_text("{name} labelled on {count:,} frame", "{name} labelled on {count:,} frames", 1, Text("polyp")),
         "polyp auf 1 Bild"),
        (Text("Add study {name}", "blood"), "Studie blood hinzufügen"),
        (Text("{landmark} removed", Text("first duodenal frame")), "„erstes Duodenalbild“ entfernt"),
        ("blood labelled on 3 frames", "blood labelled on 3 frames"),
    ],
)  # fmt: skip
def test_a_title_is_shown_in_the_chosen_language(title: str, shown: str) -> None:
    """What an older version stored is shown as it is."""
    assert tr(title) == shown


def test_accepting_a_suggestion_is_called_so() -> None:
    event = Event(Span(0, 3), "Label", 0.9, 1)
    plan = labelling.accept_suggestion(LabelTrack(()), event, study_id="s", reader="r", model_id="m")
    assert plan.title == "Label accepted on 3 frames"


def test_the_title_of_a_plan_is_english_and_can_be_shown_in_german() -> None:
    plan = labelling.add_label(LabelTrack(()), Label("l", "s", Span(0, 3), "polyp", reader="r"))
    assert plan.title == "polyp labelled on 3 frames"
    assert tr(plan.title) == "polyp auf 3 Bildern"
    normal = LabelTrack([Label("n", "s", Span(1, 9), "normal")])
    plan = labelling.add_label(normal, Label("l", "s", Span(0, 3), "polyp", reader="r"))
    assert tr(plan.title) == "polyp auf 3 Bildern, normal entfernt von 2 Bildern"
    placed = place_landmark([], "s", Region.SMALL_BOWEL, 50, reader="r").title
    assert tr(placed) == "„erstes Duodenalbild“ auf Bild 51 gesetzt"
    removed = remove_landmark([mark(Region.SMALL_BOWEL, 50)], Region.SMALL_BOWEL).title
    assert tr(removed) == "„erstes Duodenalbild“ entfernt"
