"""Networks stay loaded while there is room for them."""

from pathlib import Path

from tests.training.service.reporters import NotingReporter
from training.models.folder import ModelFolder
from training.service.studies import Networks


def loads(reporter: NotingReporter) -> int:
    """How often something was loaded."""
    return sum(what == "loading the model" for _, _, what in reporter.told)


def test_the_two_used_last_stay(model: ModelFolder, run: Path) -> None:
    networks, reporter = Networks("cpu", 2), NotingReporter()
    first = networks.get(model.path, None, "float32", reporter)
    networks.get(run, 0, "float32", reporter)
    assert networks.get(model.path, None, "float32", reporter) is first
    assert loads(reporter) == 2
    networks.get(run, 20, "float32", reporter)  # the step 0 goes: it was used longest ago
    assert networks.get(model.path, None, "float32", reporter) is first
    networks.get(run, 0, "float32", reporter)
    assert loads(reporter) == 4


def test_precisions_are_apart_and_a_copy_is_the_same_network(model: ModelFolder, tmp_path: Path) -> None:
    import shutil

    networks, reporter = Networks("cpu", 2), NotingReporter()
    first = networks.get(model.path, None, "float32", reporter)
    assert networks.get(model.path, None, "bfloat16", reporter) is not first
    assert networks.get(Path(shutil.copytree(model.path, tmp_path / "copy")), None, "float32", reporter) is first


def test_after_forgetting_it_is_loaded_again(model: ModelFolder) -> None:
    networks, reporter = Networks("cpu", 2), NotingReporter()
    first = networks.get(model.path, None, "float32", reporter)
    networks.forget()
    assert networks.get(model.path, None, "float32", reporter) is not first


def test_a_pretraining_that_goes_on_gives_its_newest_weights(run: Path) -> None:
    networks = Networks("cpu", 2)
    old, new = networks.origin(run, 0), networks.origin(run, None)
    assert networks.sha256(old) != networks.sha256(new)
    assert networks.sha256(new) == networks.sha256(networks.origin(run, 20))
