"""The trunks against torchvision's, weight by weight and value by value."""

import pytest
import torch
import torchvision.models as zoo

from training.models.backbones import find_backbone

LAYERS = ("conv1", "bn1", "relu", "maxpool", "layer1", "layer2", "layer3", "layer4")
BUILDERS = {"resnet18": zoo.resnet18, "resnet50": zoo.resnet50}


@pytest.mark.parametrize("backbone", ["resnet18", "resnet50"])
def test_a_seed_gives_the_weights_that_torchvision_draws(backbone: str) -> None:
    torch.manual_seed(3)
    theirs = find_backbone(backbone).trunk_state(BUILDERS[backbone](weights=None).state_dict())
    torch.manual_seed(3)
    ours = find_backbone(backbone).make_trunk().state_dict()

    assert list(ours) == list(theirs)
    assert all(torch.equal(ours[name], theirs[name]) for name in theirs)


@pytest.mark.parametrize("is_training", [True, False])
@pytest.mark.parametrize("backbone", ["resnet18", "resnet50"])
def test_the_last_feature_map_is_torchvisions(backbone: str, is_training: bool) -> None:
    published = BUILDERS[backbone](weights=None).train(is_training)
    trunk = find_backbone(backbone).make_trunk().train(is_training)
    trunk.load_state_dict(find_backbone(backbone).trunk_state(published.state_dict()))
    images = torch.rand(2, 3, 65, 65, generator=torch.Generator().manual_seed(0))
    expected = images
    for name in LAYERS:
        expected = getattr(published, name)(expected)

    features = trunk(images)

    assert torch.equal(features, expected)
    assert features.shape == (2, 512 if backbone == "resnet18" else 2048, 3, 3)
    assert [name for name, _ in trunk.named_children()] == list(LAYERS)


def test_weights_come_from_where_torchvision_publishes_them() -> None:
    for name, weights in (("resnet18", zoo.ResNet18_Weights), ("resnet50", zoo.ResNet50_Weights)):
        published = find_backbone(name).published
        assert published is not None
        assert published.url == weights.IMAGENET1K_V1.url
