"""ResNet trunks (He et al. 2016), with torchvision's names, order of random draws and stride on the 3 x 3 convolution.

Written here because importing torchvision takes longer than importing torch: its operators import torch's compiler.
"""

from collections import OrderedDict

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
    trunk = nn.Sequential(layers)
    for module in trunk.modules():
        if isinstance(module, nn.Conv2d):
            nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")
    return trunk


def _stage(block: Block, inputs: int, channels: int, count: int, stride: int) -> nn.Sequential:
    outputs = channels * block.expansion
    downsample = None
    if stride != 1 or inputs != outputs:
        downsample = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride=stride, bias=False), nn.BatchNorm2d(outputs))
    first = block(inputs, channels, stride, downsample)
    return nn.Sequential(first, *(block(outputs, channels, 1, None) for _ in range(count - 1)))


def _conv3x3(inputs: int, outputs: int, stride: int = 1) -> nn.Conv2d:
    return nn.Conv2d(inputs, outputs, 3, stride=stride, padding=1, bias=False)
