"""The classifier of a model folder: scores, new rows, replaced without touching other weights."""

from pathlib import Path

import numpy as np
import pytest
import torch

from tests import tiny_backbone
from training.errors import UserError
from training.models.config import ModelConfig
from training.models.folder import EVALUATED, ModelFolder
from training.models.linear_classifier import (
    LinearClassifier,
    network_digests,
    read_classifier,
    read_evaluated,
    same_network,
    write_with_classifier,
)
from training.models.network import FrameClassifier, get_classifier, load_evaluated, load_network, save_network

CONFIG = ModelConfig(backbone=tiny_backbone.TINY.name, classes=("normal", "polyp"), input_size=32)


def saved(folder: Path, precision: torch.dtype = torch.float16) -> ModelFolder:
    torch.manual_seed(0)
    return save_network(FrameClassifier(CONFIG), folder, {"note": "old"}, precision=precision)


def test_scores_are_a_softmax_and_missing_frames_stay_missing() -> None:
    classifier = LinearClassifier(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([0.0, 1.0]))
    scores = classifier.scores(np.array([[2.0, 1.0], [np.nan, 0.0], [800.0, 0.0]], np.float16))
    assert scores.dtype == np.float32
    assert scores[0] == pytest.approx([0.5, 0.5])
    assert np.isnan(scores[1]).all()
    assert scores[2] == pytest.approx([1.0, 0.0])


def test_rows_of_new_classes_are_the_mean_of_the_others() -> None:
    grown = LinearClassifier(np.array([[1.0, 3.0], [3.0, 5.0]]), np.array([2.0, 4.0])).with_rows(4)
    assert grown.weight.tolist() == [[1, 3], [3, 5], [2, 4], [2, 4]]
    assert grown.bias.tolist() == [2, 4, 3, 3]


def test_it_is_the_classifier_that_torch_loads(tmp_path: Path) -> None:
    folder = saved(tmp_path / "old")
    network = load_network(folder)
    points = torch.randn(5, CONFIG.embedding_size)
    expected = network.classifier(points).softmax(dim=1).detach().numpy()
    assert np.abs(read_classifier(folder).scores(points.numpy()) - expected).max() < 1e-6


@pytest.mark.parametrize("precision", [torch.float16, torch.float32])
def test_another_classifier_leaves_all_other_weights_as_they_are(tmp_path: Path, precision: torch.dtype) -> None:
    old = saved(tmp_path / "old", precision)
    config = CONFIG.model_copy(update={"model_id": "new", "classes": ("normal", "polyp", "blood")})
    grown = read_classifier(old).with_rows(3)
    new = write_with_classifier(old, tmp_path / "new", config, grown, {"note": "new"})
    before, after = (load_network(folder).state_dict() for folder in (old, new))
    assert all(torch.equal(before[name], after[name]) for name in before if not name.startswith("classifier."))
    assert np.array_equal(read_classifier(new).weight, grown.weight)
    assert new.card["note"] == "new"
    assert same_network(new.card) == {old.sha256}
    again = write_with_classifier(new, tmp_path / "third", config, grown, {})
    assert network_digests(again) == {old.sha256, new.sha256, again.sha256}


def test_a_classifier_that_is_not_finite_is_refused(tmp_path: Path) -> None:
    network = FrameClassifier(CONFIG)
    with torch.no_grad():
        network.classifier.bias[0] = torch.nan
    with pytest.raises(UserError, match="not finite"):
        read_classifier(save_network(network, tmp_path / "bad", {}))


@pytest.mark.parametrize("named", [None, "abc", 3, {"a": 1}, [1, None]])
def test_a_card_without_a_sound_list_names_no_weights(named: object) -> None:
    assert same_network({"same_network": named}) == frozenset()


def with_evaluated(folder: Path) -> ModelFolder:
    """A model whose weights hold another classifier than the one that was evaluated, which is all ones."""
    torch.manual_seed(0)
    network = FrameClassifier(CONFIG)
    ones = LinearClassifier(*(np.ones_like(part) for part in get_classifier(network)))
    return save_network(network, folder, {}, evaluated=ones)


def test_the_evaluated_classifier_is_kept_beside_the_one_that_scores(tmp_path: Path) -> None:
    model = with_evaluated(tmp_path / "model")
    assert (read_evaluated(model).weight == 1).all()
    assert (load_evaluated(model).classifier.bias == 1).all()
    scores = load_network(model)
    assert (read_classifier(model).weight == scores.classifier.weight.detach().numpy()).all()
    assert not (scores.classifier.weight == 1).all()
    trunk = load_evaluated(model).trunk.state_dict()
    assert all(torch.equal(trunk[name], tensor) for name, tensor in scores.trunk.state_dict().items())


def test_without_it_there_is_only_one_classifier(tmp_path: Path) -> None:
    model = saved(tmp_path / "model")
    assert not (model.path / EVALUATED).exists()
    assert (read_evaluated(model).weight == read_classifier(model).weight).all()


def test_an_evaluated_classifier_that_is_missing_changed_or_strange_is_refused(tmp_path: Path) -> None:
    path = with_evaluated(tmp_path / "model").path
    content = (path / EVALUATED).read_bytes()
    (path / EVALUATED).unlink()
    with pytest.raises(UserError, match=f"has no {EVALUATED}"):
        ModelFolder.open(path)
    (path / EVALUATED).write_bytes(content[:-4] + b"\0\0\0\0")
    with pytest.raises(UserError, match="wrong hash"):
        ModelFolder.open(path)
    stranger = saved(tmp_path / "other")
    (stranger.path / EVALUATED).write_bytes(content)
    with pytest.raises(UserError, match=f"does not list {EVALUATED}"):
        ModelFolder.open(stranger.path)


def test_an_evaluated_classifier_of_another_shape_is_refused(tmp_path: Path) -> None:
    wrong = LinearClassifier(np.ones((3, CONFIG.embedding_size)), np.ones(3))
    model = save_network(FrameClassifier(CONFIG), tmp_path / "model", {}, evaluated=wrong)
    with pytest.raises(UserError, match="wrong shape"):
        read_evaluated(model)
