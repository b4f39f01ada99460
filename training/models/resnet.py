"""ResNet trunks (He et al. 2016), with torchvision's names, order of random draws and stride on the 3 x 3 convolution.

Written here because importing torchvision takes longer than importing torch: its operators import torch's compiler.

The ResNet-50 V2 trunk: normalisation and ReLU before each convolution (He et al. 2016, "Identity mappings").

The layout is that of Keras' ResNet50V2 (keras_applications, `resnet_v2`), so that its ImageNet weights would fit: the
stride is in the last block of a stage, the first convolution, the projections of the shortcuts and the last
convolution of each block have biases, and the border of the first pooling is zero. The original and timm's resnetv2_50
have the stride in the first block and no biases. Biases add nothing that can be learned here, since a batch
normalisation follows on every way.

Numbers, as Keras counts them: 23,519,360 weights (19,008 of them biases) and 45,440 statistics of the batch
normalisation (running mean and variance, which PyTorch holds as buffers), together 23,564,800. timm's trunk has
23,500,352 weights, those without biases.
"""

from collections import OrderedDict
from itertools import pairwise

from torch import Tensor, nn

STAGE_CHANNELS = (64, 128, 256, 512)


class BasicBlock(nn.Module):
    """Two 3 x 3 convolutions beside a shortcut: (B, C, H, W) -> (B, channels, H / stride, W / stride)."""

    expansion = 1

    def __init__(self, inputs: int, channels: int, stride: int, downsample: nn.Module | None) -> None:
        super().__init__()
        self.conv1 = _conv3x3(inputs, channels, stride)
        self.bn1 = nn.BatchNorm2d(channels)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = _conv3x3(channels, channels)
        self.bn2 = nn.BatchNorm2d(channels)
        self.downsample = downsample

    def forward(self, x: Tensor) -> Tensor:
        """The sum of both ways, rectified."""
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        out += x if self.downsample is None else self.downsample(x)
        rectified: Tensor = self.relu(out)
        return rectified


class Bottleneck(nn.Module):
    """1 x 1, 3 x 3, 1 x 1 convolutions beside a shortcut: (B, C, H, W) -> (B, 4 channels, H / stride, W / stride)."""

    expansion = 4

    def __init__(self, inputs: int, channels: int, stride: int, downsample: nn.Module | None) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, channels, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(channels)
        self.conv2 = _conv3x3(channels, channels, stride)
        self.bn2 = nn.BatchNorm2d(channels)
        self.conv3 = nn.Conv2d(channels, channels * self.expansion, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(channels * self.expansion)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = downsample

    def forward(self, x: Tensor) -> Tensor:
        """The sum of both ways, rectified."""
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        out += x if self.downsample is None else self.downsample(x)
        rectified: Tensor = self.relu(out)
        return rectified


Block = type[BasicBlock] | type[Bottleneck]


def resnet_trunk(
    block: Block, blocks: tuple[int, int, int, int], stages: tuple[int, int, int, int] = STAGE_CHANNELS
) -> nn.Sequential:
    """A randomly initialised trunk without pooling and classifier: (B, 3, S, S) -> (B, D, ceil(S/32), ceil(S/32)).

    Args:
        block: `BasicBlock` (D = 512) or `Bottleneck` (D = 2048).
        blocks: how many in each of the four stages.
        stages: channels of the four stages, before the block's expansion.
    """
    layers: OrderedDict[str, nn.Module] = OrderedDict(
        conv1=nn.Conv2d(3, stages[0], 7, stride=2, padding=3, bias=False),
        bn1=nn.BatchNorm2d(stages[0]),
        relu=nn.ReLU(inplace=True),
        maxpool=nn.MaxPool2d(3, stride=2, padding=1),
    )
    inputs = stages[0]
    for number, (channels, count) in enumerate(zip(stages, blocks, strict=True), 1):
        layers[f"layer{number}"] = _stage(block, inputs, channels, count, stride=1 if number == 1 else 2)
        inputs = channels * block.expansion
    # torchvision draws a classifier before it initialises the convolutions: the same seed gives the same weights.
    nn.Linear(inputs, 1000)
    return initialised(nn.Sequential(layers))


def initialised(trunk: nn.Sequential) -> nn.Sequential:
    """The trunk with convolutions drawn as He et al. 2015 do, and biases of zero."""
    for module in trunk.modules():
        if isinstance(module, nn.Conv2d):
            nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")
            if module.bias is not None:
                nn.init.zeros_(module.bias)
    return trunk


def resnet18_trunk() -> nn.Sequential:
    """See `resnet_trunk`."""
    return resnet_trunk(BasicBlock, (2, 2, 2, 2))


def resnet50_trunk() -> nn.Sequential:
    """See `resnet_trunk`."""
    return resnet_trunk(Bottleneck, (3, 4, 6, 3))


def _stage(block: Block, inputs: int, channels: int, count: int, stride: int) -> nn.Sequential:
    outputs = channels * block.expansion
    downsample = None
    if stride != 1 or inputs != outputs:
        downsample = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride=stride, bias=False), nn.BatchNorm2d(outputs))
    first = block(inputs, channels, stride, downsample)
    return nn.Sequential(first, *(block(outputs, channels, 1, None) for _ in range(count - 1)))


def _conv3x3(inputs: int, outputs: int, stride: int = 1) -> nn.Conv2d:
    return nn.Conv2d(inputs, outputs, 3, stride=stride, padding=1, bias=False)


FEATURES = 2048
"""D: channels of the last feature map."""
MEAN = STD = (0.5, 0.5, 0.5)
"""Keras scales RGB to [-1, 1] for these weights."""
STEM_CHANNELS, EXPANSION = 64, 4
# channels before the expansion, blocks, stride of the last block: Keras' stacks conv2 to conv5.
STAGES = ((64, 3, 2), (128, 4, 2), (256, 6, 2), (512, 3, 1))
LAYERS = (0, 2, 6, 12, 18)
"""Where `layer1` to `layer4` begin and end among the 16 blocks, the last normalisation and its ReLU: a block with a
stride begins the next layer."""


class PreActivationBottleneck(nn.Module):
    """1 x 1, 3 x 3, 1 x 1 convolutions beside a shortcut: (B, C, H, W) -> (B, 4 channels, H / stride, W / stride).

    Where the number of channels changes the shortcut is a convolution of the rectified input, else the input itself.
    """

    def __init__(self, inputs: int, channels: int, stride: int) -> None:
        super().__init__()
        outputs = channels * EXPANSION
        self.bn1 = _norm(inputs)
        self.conv1 = nn.Conv2d(inputs, channels, 1, bias=False)
        self.bn2 = _norm(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, stride=stride, padding=1, bias=False)
        self.bn3 = _norm(channels)
        self.conv3 = nn.Conv2d(channels, outputs, 1)
        self.relu = nn.ReLU(inplace=True)
        self.projection = nn.Conv2d(inputs, outputs, 1, stride=stride) if inputs != outputs else None
        self.subsample = nn.MaxPool2d(1, stride=stride) if stride > 1 else nn.Identity()

    def forward(self, x: Tensor) -> Tensor:
        """The sum of both ways, not rectified."""
        active = self.relu(self.bn1(x))
        shortcut = self.subsample(x) if self.projection is None else self.projection(active)
        out = self.relu(self.bn2(self.conv1(active)))
        out = self.relu(self.bn3(self.conv2(out)))
        total: Tensor = self.conv3(out) + shortcut
        return total


def resnet50_v2_trunk() -> nn.Sequential:
    """A randomly initialised trunk without pooling and classifier: (B, 3, S, S) -> (B, 2048, ceil(S/32), ceil(S/32)).

    Its children `layer1` to `layer4` end at 1/4 to 1/32 of the side, as those of the other trunks; the last one ends
    with batch normalisation and ReLU. The random start is that of the other trunks, not Keras'.
    """
    parts = [*_blocks(), _norm(FEATURES), nn.ReLU(inplace=True)]
    layers: OrderedDict[str, nn.Module] = OrderedDict(
        conv1=nn.Conv2d(3, STEM_CHANNELS, 7, stride=2, padding=3),
        pad=nn.ZeroPad2d(1),
        maxpool=nn.MaxPool2d(3, stride=2),
    )
    for number, (first, stop) in enumerate(pairwise(LAYERS), 1):
        layers[f"layer{number}"] = nn.Sequential(*parts[first:stop])
    return initialised(nn.Sequential(layers))


def _blocks() -> list[nn.Module]:
    blocks: list[nn.Module] = []
    inputs = STEM_CHANNELS
    for channels, count, stride in STAGES:
        for number in range(count):
            blocks.append(PreActivationBottleneck(inputs, channels, stride if number == count - 1 else 1))
            inputs = channels * EXPANSION
    return blocks


def _norm(channels: int) -> nn.BatchNorm2d:
    """Keras' epsilon, and its momentum of 0.99 as PyTorch counts it."""
    return nn.BatchNorm2d(channels, eps=1.001e-5, momentum=0.01)
