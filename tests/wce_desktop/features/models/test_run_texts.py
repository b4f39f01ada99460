"""A card in rows of words."""

import json
from pathlib import Path

import pytest

from training.texts import Text
from wce_desktop.core.language import read_translations, use_translations
from wce_desktop.features.models.run_texts import card_rows, setting_rows
from wce_desktop.library.runs import Run
from wce_desktop.session.places import resource


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


def test_studies_and_patients_have_the_names_of_the_library() -> None:
    card = {"data": {"studies": ["s-1", "s-2"], "training_patients": ["p-1"]}, "classes": ["polyp"]}
    rows = card_rows(card, {"s-1": "Doe · 2026-03-14", "p-1": "Doe"})
    assert [value for _, value in rows if "Doe" in value] == ["Doe · 2026-03-14, s-2", "Doe"]


def test_settings_show_no_folder_of_a_computer(tmp_path: Path) -> None:
    settings = {
        "init": str(tmp_path / "starter"),
        "embeddings": str(tmp_path / "studies"),
        "replaces": "C:\\Users\\reader\\model",
        "preset": "default",
    }
    (tmp_path / "config.json").write_text(json.dumps({"config": settings}), encoding="utf-8")
    run = Run("r-1", "Fine-tuned 1", None, "done", {}, "", tmp_path)
    assert setting_rows(run) == [("Started from", "starter"), ("Preset", "Standard")]


def test_what_earlier_versions_wrote_in_a_card_has_a_title() -> None:
    card = {"untaught_classes": ["polyp"], "lineage": {"taught_patients": ["P1"]}}
    assert card_rows(card) == [
        ("Classes without labels", "polyp"),
        ("Lineage: patients of earlier trainings", "P1"),
    ]


def test_a_german_card_has_no_english_titles_and_sentences() -> None:
    card = {
        "unlabelled_sentence": Text("Classes of the model without labels in this run: {names}.", "ulcer")
        + " "
        + Text("{rehearsed} frames keep what the old model knew of them.", 240),
        "method": {"name": "simclr", "preset": "small"},
        "data": {
            "left_out": Text(
                "Labelled frames left out: {parts}.",
                [Text("{count} {reason}", 309, Text("with several target classes"))],
            ),
            "studies": ["P01", "patients"],
        },
        "split": {"kind": "patients"},
        "figures": {"loss": 0.5},
        "steps_done": 1200,
        "finished": True,
    }
    use_translations(read_translations(resource("translations", "wce_desktop_de.ts")))
    try:
        assert card_rows(card) == [
            ("Kennzahlen: Verlust", "0,5"),
            ("Methode", "Zwei Ansichten (SimCLR)"),
            ("Voreinstellung", "Klein"),
            (
                "Zu Klassen ohne Labels",
                "Klassen des Modells ohne Labels in diesem Lauf: ulcer. "
                "240 Bilder erhalten, was das alte Modell von ihnen wusste.",
            ),
            ("Daten: ausgelassen", "Ausgelassene Bilder mit Label: 309 mit mehreren Zielklassen."),
            ("Daten: Studien", "P01, patients"),
            ("Teilung: Art", "Patienten"),
            ("Ausgeführte Schritte", "1.200"),
            ("Abgeschlossen", "ja"),
        ]
    finally:
        use_translations({})


def test_a_card_begins_with_its_figures_and_ends_with_its_lineage() -> None:
    card = {
        "schema_version": 1,
        "model_id": "m-1",
        "lineage": {"init": "starter"},
        "steps": 3,
        "figures": {"loss": 0.5},
    }
    assert [title for title, _ in card_rows(card)] == ["Figures: loss", "Steps", "Lineage: started from"]
