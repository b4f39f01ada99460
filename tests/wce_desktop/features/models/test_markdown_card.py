"""The card of a model as Markdown."""

from wce_desktop.features.models.markdown_card import markdown_card
from wce_desktop.library.run_files import read_json
from wce_desktop.session.places import resources_folder


def test_the_starter_model_says_what_it_finds_and_how_sure_its_scores_are() -> None:
    text = markdown_card("Starter model", read_json(resources_folder() / "models" / "starter" / "card.json"))
    assert text.startswith("# Starter model\n\nResearch use only, not for diagnosis.\n")
    assert "| Blood | all sources | 0.64 | 0.15 | 0.07 | 0.02 | 91 % (87 to 95) |" in text
    assert "| Blood | SEE-AI, real frames |" in text
    assert "Calibrated scores were measured on 8 held-out patients; expected calibration error: blood 0.002" in text
    assert "| Reliability | Calibrated score | Share of the frames with the class | Frames |" in text
    curve = [line.split(" | ") for line in text.splitlines() if line.startswith("| ulcer | 0.")]
    assert [float(line[1]) for line in curve] == sorted(float(line[1]) for line in curve)


def test_a_card_without_calibration_says_so() -> None:
    assert "Not calibrated: nothing says" in markdown_card("M", {})
