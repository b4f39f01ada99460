"""Forward passes by torch: on GPUs, and on CPUs that OpenVINO does not know.

Scores and embeddings of prepared frames that are already in memory.
"""

import copy
import itertools
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from threading import local
from typing import Any, NamedTuple, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import interpolate
from torch.nn.utils.fusion import fuse_conv_bn_eval

from training.compute.out_of_memory import forget_the_rest
from training.compute.overlap import in_lanes
from training.compute.plan import MAX_LANES, ComputePlan, choose_plan, fastest_batch, has_openvino
from training.compute.round_mask import round_mask
from training.errors import UserError
from training.inference.engine import Engine, EngineOutput, FrameLook, ModelOutput, does_not_fit, open_engine
from training.inference.explanation import LAYERS
from training.models.backbones import find_backbone
from training.models.inference_network import Dense, InferenceNetwork
from training.models.network import FrameClassifier, Front, evaluating, inference_network
from training.models.scores import scores_of
from training.runs.reporter import Reporter
from training.texts import Text

T = TypeVar("T")


class TorchEngine(Engine):
    """A network whose batch normalisation is folded into its convolutions.

    Args:
        network: the weights.
        plan: device, precision, batch.
        log: receives what could not be done as planned.

    Raises:
        UserError: the weights do not fit the network.
    """

    def __init__(
        self, network: InferenceNetwork, plan: ComputePlan, log: Callable[[str], None] = lambda _: None
    ) -> None:
        super().__init__(network, plan)
        self.device, self.precision = torch.device(plan.device), getattr(torch, plan.precision)
        trunk = torch_trunk(network)
        if find_backbone(network.backbone).is_own:
            trunk = folded(trunk)
        trunk.requires_grad_(False)
        self.trunk = trunk.to(self.device, self.precision).to(memory_format=torch.channels_last)
        self._mean, self._std = (
            torch.tensor(part, device=self.device).view(1, -1, 1, 1) * 255 for part in (network.mean, network.std)
        )
        self._layer, self._classifier = self._dense(network.embedding_layer), self._dense(network.classifier)
        self._head = [self._dense(layer) for layer in network.head or ()]
        self._cam_weight = torch.from_numpy(network.cam_weight).to(self.device)
        self._log = log
        self._largest = plan.batch
        self._streams = local()

    def run(self, frames: NDArray[np.uint8]) -> EngineOutput:
        """See `Engine`. Where memory runs out the batch is halved, and that is said; scores stay the same."""

        def part(start: int, stop: int) -> tuple[Tensor, ...]:
            features = self._features(self._normalised(frames[start:stop]))
            return *self._output(features), self._cams(features)

        embeddings, logits, cams = self._in_parts(len(frames), part)
        return EngineOutput(embeddings, logits, cams, self.network.scores)

    def look(self, frame: NDArray[np.uint8], layer: str) -> FrameLook:
        """See `Engine`."""
        with torch.inference_mode():
            kept: dict[str, Tensor] = {}
            features = self._features(self._normalised(frame[None]), kept)
            output = ModelOutput(*(_numpy(part) for part in self._output(features)))
            return FrameLook(_numpy(kept[layer][0]), _numpy(self._cams(features)[0]), output)

    def masked(self, frame: NDArray[np.uint8], activations: NDArray[np.float32]) -> ModelOutput:
        """See `Engine`. Where memory runs out fewer masks are taken at a time, and that is said."""
        image, maps = self._normalised(frame[None]), torch.from_numpy(activations).to(self.device)

        def part(start: int, stop: int) -> tuple[Tensor, ...]:
            masks = masks_of(maps[start:stop], image.shape[-1])
            return self._output(self._features(image * masks))

        return ModelOutput(*self._in_parts(len(activations), part))

    def _in_parts(self, count: int, part: Callable[[int, int], tuple[Tensor, ...]]) -> list[NDArray[np.float32]]:
        """The outputs of `count` inputs, as many at a time as the memory holds."""
        while True:
            size = self._largest
            try:
                with torch.inference_mode(), self._stream():
                    parts = [
                        [_numpy(each) for each in part(start, min(start + size, count))]
                        for start in range(0, count, size)
                    ]
                return [np.concatenate(arrays) for arrays in zip(*parts, strict=True)]
            except RuntimeError as error:
                if not isinstance(error, torch.OutOfMemoryError) and "can't allocate memory" not in str(error):
                    raise
                self._halve(size)

    def _halve(self, size: int) -> None:
        if size == 1:
            raise UserError(
                "There is not enough memory on the {type} device for a single frame.",
                "Close other programs that use it, or choose --device cpu.",
                self.device.type,
            )
        # Several threads may fail at the same size; only the first of them halves it.
        if self._largest == size:
            self._largest = size // 2
            self._log(
                Text("Out of memory: continuing with batches of {largest} instead of {size}.", self._largest, size)
            )
        forget_the_rest(self.device)

    def _normalised(self, frames: NDArray[np.uint8]) -> Tensor:
        """(B, S, S, 3) uint8 -> (B, 3, S, S) float32 on the device, mean and std taken out."""
        pixels = torch.from_numpy(np.ascontiguousarray(frames))
        if self.device.type == "cuda":
            pixels = pixels.pin_memory()
        images = pixels.to(self.device, non_blocking=True).permute(0, 3, 1, 2).float()
        if self.network.round_mask:
            images = images * round_mask(images.shape[-1], images.device)
        return (images - self._mean) / self._std

    def _features(self, images: Tensor, kept: dict[str, Tensor] | None = None) -> Tensor:
        """(B, 3, S, S) -> (B, F, h, w) float32; `kept` receives every child's output by name."""
        values = images.to(self.precision).contiguous(memory_format=torch.channels_last)
        for name, child in self.trunk.named_children():
            values = child(values)
            if kept is not None:
                kept[name] = values.clone()  # the next child may write over it
        return values.float()

    def _output(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """(B, F, h, w) -> embedding (B, D) and logits (B, C)."""
        embedding = features.mean(dim=(2, 3))
        if self._layer is not None:
            embedding = self._layer(embedding)
        logits = embedding.new_zeros(len(embedding), 0) if self._classifier is None else self._classifier(embedding)
        for layer in self._head:
            embedding = layer(embedding.relu())
        return embedding, logits

    def _cams(self, features: Tensor) -> Tensor:
        """(B, F, h, w) -> (B, C, h, w): Laiz et al., eq. 7."""
        return torch.einsum("bdhw,cd->bchw", features, self._cam_weight)

    def _dense(self, layer: Dense | None) -> Any:
        if layer is None:
            return None
        weight, bias = (torch.from_numpy(part).to(self.device) for part in layer)
        return lambda values: values @ weight.T + bias

    def _stream(self) -> AbstractContextManager[object]:
        """On CUDA a stream for each thread, so that one copies frames while another computes."""
        if self.device.type != "cuda":
            return nullcontext()
        if not hasattr(self._streams, "own"):
            self._streams.own = torch.cuda.Stream(self.device)  # type: ignore[no-untyped-call]
            self._streams.own.wait_stream(torch.cuda.default_stream(self.device))
        return torch.cuda.stream(self._streams.own)


def torch_trunk(network: InferenceNetwork) -> nn.Sequential:
    """The trunk with its weights, in eval mode; raises `UserError` where they do not fit."""
    trunk = find_backbone(network.backbone).make_trunk()
    state = {name: torch.from_numpy(np.array(array)) for name, array in network.trunk.items()}
    try:
        trunk.load_state_dict(state)
    except RuntimeError as error:
        raise does_not_fit(network) from error
    return trunk.eval()


def folded(trunk: nn.Sequential) -> nn.Sequential:
    """A copy of a trunk (eval mode) without batch normalisation; equal up to rounding."""
    copied = copy.deepcopy(trunk).eval()
    _fold_children(copied)
    return copied


def _fold_children(module: nn.Module) -> None:
    """Every convolution is the child before its batch normalisation."""
    children = list(module.named_children())
    for (name, child), (norm_name, norm) in itertools.pairwise([*children, ("", nn.Identity())]):
        if isinstance(child, nn.Conv2d):
            assert isinstance(norm, nn.BatchNorm2d)
            setattr(module, name, fuse_conv_bn_eval(child, norm))
            setattr(module, norm_name, nn.Identity())
        else:
            _fold_children(child)


def masks_of(activations: Tensor, size: int) -> Tensor:
    """(n, h, w) -> (n, 1, size, size): bilinear, then each in [0, 1] by its own range; all 0 where it has none."""
    large = interpolate(activations[:, None], size=(size, size), mode="bilinear", align_corners=False)
    low, high = large.amin((2, 3), keepdim=True), large.amax((2, 3), keepdim=True)
    # Scaling up leaves rounding errors where a map is the same everywhere.
    has_range = (activations.amax((1, 2)) > activations.amin((1, 2)))[:, None, None, None]
    return torch.where(has_range, (large - low) / (high - low), torch.zeros_like(large))


def _numpy(tensor: Tensor) -> NDArray[np.float32]:
    return np.asarray(tensor.float().cpu().numpy(), np.float32)


EMBEDDING = "computing embeddings"
SCORING = "scoring held-out frames"
"""Names of work in the progress."""


class FrameScores(NamedTuple):
    """What a network says of M frames."""

    scores: NDArray[np.float32]
    """(M, C) in [0, 1]"""
    embeddings: NDArray[np.float32]
    """(M, D)"""


def score_frames(
    network: FrameClassifier,
    pixels: NDArray[np.uint8],
    reporter: Reporter,
    *,
    autocast: torch.dtype | None = None,
    batch_size: int = 64,
    what: str = "",
) -> FrameScores:
    """Forward passes in eval mode over frames (M, S, S, 3) uint8; every layer's mode is left as it was.

    Frames that are kept at a multiple of the input size are averaged down to it. `what` names the work in the progress;
    without it none is reported. On a CPU OpenVINO computes, five to ten times as fast as torch's own passes.
    """
    passes = _compiled(network, autocast) or _eager(network, autocast)
    scores, embeddings = [], []
    with passes as embed:
        for start in range(0, len(pixels), batch_size):
            reporter.check()
            embedding = embed(_scaled_down(pixels[start : start + batch_size], network.config.input_size))
            embeddings.append(embedding.cpu())
            with torch.inference_mode():
                logits = network.classifier(embedding).cpu().numpy()
            scores.append(scores_of(logits, network.config.scores))
            if what:
                reporter.progress(min(start + batch_size, len(pixels)), len(pixels), "frames", what)
    if not scores:
        shapes = (0, len(network.config.classes)), (0, network.config.embedding_size)
        return FrameScores(*(np.zeros(shape, dtype=np.float32) for shape in shapes))
    return FrameScores(np.concatenate(scores), torch.cat(embeddings).numpy())


Embed = Callable[[NDArray[np.uint8]], Tensor]
"""(B, S, S, 3) uint8 -> embeddings (B, D) float32 on the network's device."""


@contextmanager
def _eager(network: FrameClassifier, autocast: torch.dtype | None) -> Iterator[Embed]:
    """Passes by torch, in eval mode."""
    device = next(network.parameters()).device

    def embed(frames: NDArray[np.uint8]) -> Tensor:
        with torch.autocast(device.type, autocast, enabled=autocast is not None):
            return network.embed(torch.from_numpy(frames).to(device)).embedding

    with evaluating(network):
        yield embed


def _compiled(network: FrameClassifier, autocast: torch.dtype | None) -> AbstractContextManager[Embed] | None:
    """Passes by OpenVINO with the weights as they are now; None where it cannot be used."""
    plan = openvino_plan(network, autocast)
    if plan is None:
        return None
    engine = open_engine(inference_network(network), plan)

    def embed(frames: NDArray[np.uint8]) -> Tensor:
        parts = (frames[at : at + plan.batch] for at in range(0, len(frames), plan.batch))
        return torch.from_numpy(np.concatenate([out.embeddings for out in in_lanes(parts, engine.run, plan.lanes)]))

    return nullcontext(embed)


def openvino_plan(network: FrameClassifier, autocast: torch.dtype | None) -> ComputePlan | None:
    """How OpenVINO computes a network that is trained, in the threads that torch may use; None where it cannot."""
    backbone = find_backbone(network.config.backbone)
    if network.mean.device.type != "cpu" or not backbone.is_own or not has_openvino():
        return None
    precision = str(autocast or torch.float32).removeprefix("torch.")
    batch = fastest_batch("cpu", backbone.name, network.config.input_size)
    return choose_plan("cpu", batch=batch, precision=precision, lanes=min(MAX_LANES, torch.get_num_threads()))


@contextmanager
def frozen_front(network: FrameClassifier, trained_layers: int, autocast: torch.dtype | None) -> Iterator[None]:
    """Compute the layers before the last `trained_layers` by OpenVINO inside, where it can be used.

    Their weights and the statistics of their batch normalisation must not change meanwhile.
    """
    plan = openvino_plan(network, autocast)
    if plan is None or not 0 < trained_layers < len(LAYERS):
        yield
        return
    from training.inference.openvino_engine import open_front

    first = LAYERS[-trained_layers]
    count = [name for name, _ in network.trunk.named_children()].index(first)
    front = open_front(inference_network(network), LAYERS[-trained_layers - 1], plan)

    def run(images: Tensor) -> Tensor:
        values = front(np.ascontiguousarray(images.numpy(), np.float32))
        return torch.from_numpy(values).contiguous(memory_format=torch.channels_last)

    network.front = Front(count, run)
    try:
        yield
    finally:
        network.front = None


def _scaled_down(frames: NDArray[np.uint8], size: int) -> NDArray[np.uint8]:
    """(B, S, S, 3) -> (B, size, size, 3): the mean of each square of pixels, where S is a multiple of the size."""
    side = frames.shape[1]
    if side == size:
        return np.ascontiguousarray(frames)
    cells = torch.from_numpy(np.ascontiguousarray(frames)).view(-1, size, side // size, size, side // size, 3)
    return cells.to(torch.float32).mean(dim=(2, 4)).round_().to(torch.uint8).numpy()


def embed_unknown(
    network: FrameClassifier,
    pixels: NDArray[np.uint8],
    reporter: Reporter,
    autocast: torch.dtype | None = None,
    known: NDArray[np.float32] | None = None,
) -> NDArray[np.float32]:
    """Embeddings (M, D) of frames (M, S, S, 3) as in `score_frames`, computed only where `known` (M, D) is NaN."""
    if known is None:
        return score_frames(network, pixels, reporter, autocast=autocast, what=EMBEDDING).embeddings
    rows = np.flatnonzero(np.isnan(known).any(axis=1))
    result = known.copy()
    if len(rows):
        result[rows] = score_frames(network, pixels[rows], reporter, autocast=autocast, what=EMBEDDING).embeddings
    return result
