"""A card in rows of words."""

from collections.abc import Iterator

import pytest

from wce_desktop.core.language import read_translations, use_translations
from wce_desktop.features.models.model.run_texts import card_rows
from wce_desktop.session.places import resource


@pytest.fixture
def german() -> Iterator[None]:
    use_translations(read_translations(resource("translations", "wce_desktop_de.ts")))
    yield
    use_translations({})


@pytest.mark.parametrize(
    ("method", "words"),
    [
        ({"name": "wincon"}, "Figures: Share confused with a negative"),
        ({"name": "time-triplet"}, "Figures: Violating share"),
        (None, "Figures: Violating share"),
    ],
)
def test_a_contrasts_card_names_no_triplets(method: dict[str, str] | None, words: str) -> None:
    rows = card_rows({"method": method, "figures": {"loss": 0.5, "violating_share": 0.25}, "notice": "no"})
    assert (words, "0.25") in rows
    assert ("Figures: Loss", "0.5") in rows
    assert len(rows) == 2 + bool(method)
    assert card_rows({"method": method, "figures": None, "steps": 3})[-1] == ("Steps", "3")


@pytest.mark.usefixtures("german")
def test_a_card_names_its_entries_in_the_language() -> None:
    card = {"classes": ["polyp"], "method": {"preset": "default"}, "versions": {"torch": "2"}, "learning_rate": 0.1}
    assert [title for title, _ in card_rows(card)] == [
        "Klassen",
        "Methode: Voreinstellung",
        "Versionen: Torch",
        "Lernrate",
    ]
