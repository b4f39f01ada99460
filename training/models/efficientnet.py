"""The EfficientNet-Lite0 trunk (Tan and Le 2019; Lite: no squeeze-and-excitation, ReLU6, stem and head not scaled).

Written here because timm imports torchvision, which takes longer to start than torch. "Same" padding is TensorFlow's,
where these weights were trained: at stride 2 an even side is padded at its end only.
"""

from collections import OrderedDict
from collections.abc import Mapping
from functools import cache

import torch
from torch import Tensor, nn

from training.models.resnet import initialised

BATCH_NORM = {"eps": 1e-3, "momentum": 0.01}
STEM_CHANNELS, HEAD_CHANNELS = 32, 1280
# expansion, kernel, stride, channels, blocks: Tan and Le 2019, table 1.
STAGES = ((1, 3, 1, 16, 1), (6, 3, 2, 24, 2), (6, 5, 2, 40, 2), (6, 3, 2, 80, 3), (6, 5, 1, 112, 3), (6, 5, 2, 192, 4),
          (6, 3, 1, 320, 1))  # fmt: skip
LAYERS = ((0, 1), (2,), (3, 4), (5, 6, 7))
"""The stages of `layer1` to `layer4`, which end at 1/4 to 1/32 of the side; 7 is the convolution to 1,280 channels."""


class SameConv2d(nn.Conv2d):
    """A convolution with TensorFlow's "same" padding: (B, C, H, W) -> (B, C', ceil(H / stride), ceil(W / stride))."""

    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int = 1, groups: int = 1) -> None:
        super().__init__(inputs, outputs, kernel, stride, groups=groups, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """Pad as the size asks for, then convolve."""
        if x.device.type == "cpu" and torch.is_autocast_enabled("cpu") and (self.groups > 1 or self.in_channels == 3):
            # In bfloat16 the gradients of depthwise convolutions and of the first one take three times as long.
            with torch.autocast("cpu", enabled=False):
                return self.forward(x.float())
        kernel, stride = self.kernel_size[0], self.stride[0]
        if self.groups > 1 and max(x.shape[-2:]) < kernel and torch.is_grad_enabled() and x.device.type == "cpu":
            return _depthwise_of_few_pixels(x, self.weight, stride)
        if stride == 1:
            return nn.functional.conv2d(x, self.weight, self.bias, 1, kernel // 2, 1, self.groups)
        pads = [_padding(side, kernel, stride) for side in (x.shape[-1], x.shape[-2])]
        around = [part for pad in pads for part in (pad // 2, pad - pad // 2)]
        return super().forward(nn.functional.pad(x, around) if any(around) else x)


def _padding(side: int, kernel: int, stride: int) -> int:
    """Pixels of "same" padding along one axis, at both ends together."""
    return max((-(-side // stride) - 1) * stride + kernel - side, 0)


def _depthwise_of_few_pixels(x: Tensor, weight: Tensor, stride: int) -> Tensor:
    """A depthwise convolution with "same" padding as one small matrix of each channel (ours; the result is the same).

    Where a frame is smaller than the kernel, as in the last layers of the tiles of a jigsaw, the gradient of torch's
    convolution takes longer on a CPU than everything else in the layer together.

    Args:
        x: (B, C, H, W).
        weight: (C, 1, K, K).
    """
    height, width = x.shape[-2:]
    taps = _taps(height, width, weight.shape[-1], stride)
    # In the order of its memory: the gradient then has the weight's strides, which several processes compare.
    kernels = weight.permute(0, 2, 3, 1) if weight.stride(1) == 1 else weight
    mix = (kernels.flatten(1) @ taps.to(weight.dtype).flatten(1)).view(-1, *taps.shape[1:])
    out = torch.einsum("bic,coi->boc", x.permute(0, 2, 3, 1).flatten(1, 2), mix)
    return out.reshape(len(x), -(-height // stride), -(-width // stride), -1).permute(0, 3, 1, 2)


@cache
def _taps(height: int, width: int, kernel: int, stride: int) -> Tensor:
    """(K * K, pixels out, pixels in) float32: 1 where the kernel's element joins these two pixels, else 0."""
    rows, columns = (_joined(side, kernel, stride) for side in (height, width))
    return torch.einsum("koi,lpj->klopij", rows, columns).reshape(kernel**2, -1, height * width)


def _joined(side: int, kernel: int, stride: int) -> Tensor:
    """(K, out, in) of one axis: 1 where the kernel's element joins the two positions."""
    taken = (
        torch.arange(-(-side // stride))[:, None] * stride + torch.arange(kernel) - _padding(side, kernel, stride) // 2
    )
    return (taken.T[:, :, None] == torch.arange(side)).float()


class InvertedResidual(nn.Module):
    """Expansion, depthwise convolution and projection, with a shortcut where the shape stays (Sandler et al. 2018)."""

    def __init__(self, inputs: int, outputs: int, expansion: int, kernel: int, stride: int) -> None:
        super().__init__()
        wide = inputs * expansion
        layers: OrderedDict[str, nn.Module] = OrderedDict()
        if expansion > 1:
            layers |= _conv("expand", SameConv2d(inputs, wide, 1))
        layers |= _conv("depthwise", SameConv2d(wide, wide, kernel, stride, groups=wide))
        layers |= _conv("project", SameConv2d(wide, outputs, 1), is_linear=True)
        self.layers = nn.Sequential(layers)
        self.has_shortcut = stride == 1 and inputs == outputs

    def forward(self, x: Tensor) -> Tensor:
        """The layers' output, added to the input where the shape stays."""
        out: Tensor = self.layers(x)
        return out + x if self.has_shortcut else out


def efficientnet_lite0_trunk() -> nn.Sequential:
    """A randomly initialised trunk: (B, 3, S, S) float -> (B, 1280, ceil(S/32), ceil(S/32)).

    Its children are `stem` and `layer1` to `layer4`, the last with the convolution to 1,280 channels at its end.
    """
    stages: list[list[nn.Module]] = []
    inputs = STEM_CHANNELS
    for row in STAGES:
        stages.append(_stage(inputs, *row))
        inputs = row[3]
    layers: OrderedDict[str, nn.Module] = OrderedDict(
        stem=nn.Sequential(_conv("conv", SameConv2d(3, STEM_CHANNELS, 3, 2)))
    )
    stages.append([nn.Sequential(_conv("conv", SameConv2d(inputs, HEAD_CHANNELS, 1)))])
    for number, parts in enumerate(LAYERS, 1):
        layers[f"layer{number}"] = nn.Sequential(*(block for part in parts for block in stages[part]))
    return initialised(nn.Sequential(layers))


def _stage(inputs: int, expansion: int, kernel: int, stride: int, outputs: int, count: int) -> list[nn.Module]:
    first = InvertedResidual(inputs, outputs, expansion, kernel, stride)
    return [first, *(InvertedResidual(outputs, outputs, expansion, kernel, 1) for _ in range(count - 1))]


def lite0_state(published: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The trunk's state out of one with names of EfficientNet-PyTorch ("_blocks.3._bn1") or timm ("blocks.1.2.bn1").

    What has neither name is left out. timm's `tf_efficientnet_lite0` is this network; its `efficientnet_lite0` pads
    otherwise.
    """
    counts = [sum(row[-1] for row in STAGES[parts[0] : parts[-1] + 1]) for parts in LAYERS]
    places = [f"layer{number}.{block}" for number, count in enumerate(counts, 1) for block in range(count)]
    head = f"layer4.{counts[-1]}.conv"
    names = {"_conv_stem": "stem.conv", "_bn0": "stem.conv_norm", "_conv_head": head, "_bn1": f"{head}_norm"}
    names |= {"conv_stem": "stem.conv", "bn1": "stem.conv_norm", "conv_head": head, "bn2": f"{head}_norm"}
    kinds = {"_expand_conv": "expand", "_bn0": "expand_norm", "_depthwise_conv": "depthwise",
             "_bn1": "depthwise_norm", "_project_conv": "project", "_bn2": "project_norm"}  # fmt: skip
    kinds |= {"conv_pw": "expand", "bn1": "expand_norm", "conv_dw": "depthwise", "bn2": "depthwise_norm",
              "conv_pwl": "project", "bn3": "project_norm"}  # fmt: skip
    first_kinds = {"conv_dw": "depthwise", "bn1": "depthwise_norm", "conv_pw": "project", "bn2": "project_norm"}
    before = [sum(row[-1] for row in STAGES[:stage]) for stage in range(len(STAGES))]  # blocks before a stage
    state = {}
    for name, tensor in published.items():
        first, *rest = name.split(".")
        if first == "_blocks" and len(rest) == 3 and rest[1] in kinds:
            state[f"{places[int(rest[0])]}.layers.{kinds[rest[1]]}.{rest[2]}"] = tensor
        elif first == "blocks" and len(rest) == 4 and rest[2] in kinds:
            kind = (kinds if int(rest[0]) else first_kinds)[rest[2]]
            state[f"{places[before[int(rest[0])] + int(rest[1])]}.layers.{kind}.{rest[3]}"] = tensor
        elif first in names and len(rest) == 1:
            state[f"{names[first]}.{rest[0]}"] = tensor
    return state


def _conv(name: str, convolution: nn.Conv2d, *, is_linear: bool = False) -> OrderedDict[str, nn.Module]:
    """The convolution, its batch normalisation and, unless it is linear, ReLU6."""
    layers: OrderedDict[str, nn.Module] = OrderedDict()
    layers[name] = convolution
    layers[f"{name}_norm"] = nn.BatchNorm2d(convolution.out_channels, **BATCH_NORM)  # type: ignore[arg-type]
    if not is_linear:
        layers[f"{name}_relu"] = nn.ReLU6(inplace=True)
    return layers
