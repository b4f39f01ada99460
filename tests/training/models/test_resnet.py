"""The trunks against torchvision's, weight by weight and value by value."""

import pytest
import torch
import torchvision.models as zoo

from training.models.config import BackboneName
from training.models.imagenet import published_url
from training.models.resnet import LAYERS, build_trunk, trunk_state

BUILDERS = {"resnet18": zoo.resnet18, "resnet50": zoo.resnet50}


@pytest.mark.parametrize("backbone", ["resnet18", "resnet50"])
def test_a_seed_gives_the_weights_that_torchvision_draws(backbone: BackboneName) -> None:
    torch.manual_seed(3)
    theirs = trunk_state(BUILDERS[backbone](weights=None).state_dict())
    torch.manual_seed(3)
    ours = build_trunk(backbone).state_dict()

    assert list(ours) == list(theirs)
    assert all(torch.equal(ours[name], theirs[name]) for name in theirs)


@pytest.mark.parametrize("is_training", [True, False])
@pytest.mark.parametrize("backbone", ["resnet18", "resnet50"])
def test_the_last_feature_map_is_torchvisions(backbone: BackboneName, is_training: bool) -> None:
    published = BUILDERS[backbone](weights=None).train(is_training)
    trunk = build_trunk(backbone).train(is_training)
    trunk.load_state_dict(trunk_state(published.state_dict()))
    images = torch.rand(2, 3, 65, 65, generator=torch.Generator().manual_seed(0))
    expected = images
    for name in LAYERS:
        expected = getattr(published, name)(expected)

    features = trunk(images)

    assert torch.equal(features, expected)
    assert features.shape == (2, 512 if backbone == "resnet18" else 2048, 3, 3)
    assert [name for name, _ in trunk.named_children()] == list(LAYERS)


def test_weights_come_from_where_torchvision_publishes_them() -> None:
    assert published_url("resnet18") == zoo.ResNet18_Weights.IMAGENET1K_V1.url
    assert published_url("resnet50") == zoo.ResNet50_Weights.IMAGENET1K_V1.url
