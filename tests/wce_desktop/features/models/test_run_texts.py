"""A card in rows of words."""

import pytest

from wce_desktop.features.models.model.run_texts import card_rows


@pytest.mark.parametrize(
    ("method", "words"),
    [
        ({"name": "wincon"}, "Figures: share confused with a negative"),
        ({"name": "time-triplet"}, "Figures: violating share"),
        (None, "Figures: violating share"),
    ],
)
def test_a_contrasts_card_names_no_triplets(method: dict[str, str] | None, words: str) -> None:
    rows = card_rows({"method": method, "figures": {"loss": 0.5, "violating_share": 0.25}, "notice": "no"})
    assert (words, "0.25") in rows
    assert ("Figures: loss", "0.5") in rows
    assert len(rows) == 2 + bool(method)
    assert card_rows({"method": method, "figures": None, "steps": 3})[-1] == ("Steps", "3")
