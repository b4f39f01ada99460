"""The classifier learns from the held-out patients after its evaluation; figures and later starts are without it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.training.finetuning.test_run import Listener, config
from tests.training.pretraining.tiny_studies import write_tiny_studies
from training.finetuning.evaluation import REFITTED
from training.finetuning.start import finetune
from training.finetuning.starting_point import starting_point
from training.models.folder import EVALUATED, ModelFolder
from training.models.linear_classifier import read_classifier, read_evaluated
from training.models.network import get_classifier
from training.runs.provenance import patients_of_card, patients_seen
from training.runs.reporter import SilentReporter


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_studies(tmp_path_factory.mktemp("tiny"))


def trained(studies: Path, out: Path, **fields: Any) -> tuple[dict[str, Any], ModelFolder]:
    result = finetune(config(studies, out, **{"steps": 8, **fields}), SilentReporter())
    return result, ModelFolder.open(Path(result["model"]))


@pytest.fixture(scope="module")
def both(studies: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[bool, tuple[dict[str, Any], ModelFolder]]:
    """The same run with and without."""
    folder = tmp_path_factory.mktemp("both")
    return {
        wanted: trained(studies, folder / str(wanted), linear_start=True, learn_from_held_out=wanted)
        for wanted in (True, False)
    }


def test_figures_are_those_of_the_classifier_that_never_saw_the_held_out_patients(
    both: dict[bool, tuple[dict[str, Any], ModelFolder]],
) -> None:
    (result, model), (plain, other) = both[True], both[False]
    assert result["held_out"] == plain["held_out"]
    np.testing.assert_array_equal(read_evaluated(model).weight, read_classifier(other).weight)
    assert np.abs(read_classifier(model).weight - read_evaluated(model).weight).max() > 1e-4
    assert not (other.path / EVALUATED).exists()
    assert result["stages"]["sentence"].endswith(REFITTED)
    assert REFITTED not in plain["stages"]["sentence"]


def test_the_card_names_the_patients_that_the_classifier_learned_from(
    both: dict[bool, tuple[dict[str, Any], ModelFolder]],
) -> None:
    card, plain = both[True][1].card, both[False][1].card
    held_out = set(card["split"]["held_out_patients"])
    assert held_out
    assert set(card["split"]["classifier_patients"]) == held_out
    assert patients_seen(card) == patients_of_card(card) | held_out
    assert not patients_of_card(card) & held_out
    assert patients_seen(plain) == patients_of_card(plain)


def test_a_later_run_starts_from_the_evaluated_classifier_and_holds_the_same_patients_out(
    both: dict[bool, tuple[dict[str, Any], ModelFolder]], studies: Path, tmp_path: Path
) -> None:
    model = both[True][1]
    later = config(studies, tmp_path / "later", init=str(model.path), input_size=None, backbone="tiny", steps=2)
    start = starting_point(later, model.config.classes, "later", SilentReporter())
    np.testing.assert_array_equal(get_classifier(start.network).weight, read_evaluated(model).weight)
    result = finetune(later, SilentReporter())
    assert result["split"] == "patients"
    new = ModelFolder.open(Path(result["model"]))
    assert set(new.card["split"]["held_out_patients"]) == set(model.card["split"]["held_out_patients"])


def test_a_stopped_run_does_not_go_on_learning(studies: Path, tmp_path: Path) -> None:
    result = finetune(config(studies, tmp_path / "run", steps=8), Listener(stop_after=3))
    assert not result["finished"]
    assert not (tmp_path / "run" / "model" / EVALUATED).exists()


@pytest.mark.parametrize("fields", [{"refit": False}, {"preset": "laiz", "epochs": 1.0}])
def test_without_the_refit_and_in_the_presets_of_the_papers_nothing_is_learned_from_them(
    studies: Path, tmp_path: Path, fields: dict[str, Any]
) -> None:
    assert not (trained(studies, tmp_path / "run", **fields)[1].path / EVALUATED).exists()
