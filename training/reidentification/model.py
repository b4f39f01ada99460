"""A trained re-identification model on disk: the multi-view encoder, how crops are cut, and the limit of merging.

The multi-view encoder's part behind the frames without torch, so that the window gives events their vectors itself.

The same as `encoder.MultiViewEncoder.of_embeddings` in evaluation mode: a million parameters, some 10 ms for a hundred
tracklets. The frames' embeddings come from a job (`study_vectors`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, ValidationError

from training.errors import UserError
from training.files import json_text, safetensors
from training.models.folder import CARD, CONFIG, COPY_AGAIN, REIDENTIFICATION, WEIGHTS, checked_folder, write_folder
from training.reidentification.config import EncoderConfig
from training.reidentification.views import spread_views
from training.settings import Checked, first_wrong
from training.texts import Text

Array = NDArray[np.float32]
AT_ONCE = 64
"""Tracklets that are computed together: short steps, between which other threads of Python can run."""
_NORM_EPSILON = 1e-5
"""Of torch's layer normalisation."""
_PARTS = ("cls", "blocks.", "projection.")


class JointEmbedding:
    """CLS token, transformer blocks and MLP head of a multi-view encoder."""

    def __init__(self, config: EncoderConfig, state: Mapping[str, NDArray[Any]]) -> None:
        """`state`: the tensors of a `MultiViewEncoder` by name; those of its single-frame encoder are not needed."""
        self._config = config
        self._state = {name: np.asarray(array, np.float32) for name, array in state.items() if name.startswith(_PARTS)}

    @classmethod
    def open(cls, weights: Path, config: EncoderConfig) -> "JointEmbedding":
        """Read what is needed of a weights file; raises `UserError` where it is damaged or of another encoder."""
        from safetensors import SafetensorError, safe_open

        names = [name for name in safetensors.read_header(weights).shapes if name.startswith(_PARTS)]
        try:
            with safe_open(weights, "np") as file:
                result = cls(config, {name: file.get_tensor(name) for name in names})
            result(np.zeros((1, 1, config.embedding), np.float32), np.ones((1, 1), np.bool_))
        except (SafetensorError, OSError, KeyError, ValueError) as error:
            raise UserError(
                Text("{weights} does not hold the encoder that its config describes.", weights), COPY_AGAIN
            ) from error
        return result

    def of_tracklets(self, embeddings: Sequence[Array], views: int, check: Callable[[], None] = lambda: None) -> Array:
        """(T, D) the vectors of tracklets, from at most `views` frames spread over their length; zero where one has no
        frame.

        `check` is called often; it may raise to give up.
        """
        result = np.zeros((len(embeddings), self._config.embedding), np.float32)
        there = [at for at, each in enumerate(embeddings) if len(each)]
        for start in range(0, len(there), AT_ONCE):
            check()
            chosen = there[start : start + AT_ONCE]
            tokens = np.zeros((len(chosen), views, self._config.embedding), np.float32)
            mask = np.zeros((len(chosen), views), np.bool_)
            for row, at in enumerate(chosen):
                spread = embeddings[at][spread_views(len(embeddings[at]), views)]
                tokens[row, : len(spread)], mask[row, : len(spread)] = spread, True
            result[chosen] = self(tokens, mask)
        return result

    def __call__(self, embeddings: Array, mask: NDArray[np.bool_]) -> Array:
        """(B, D) from the views' embeddings (B, V, D) and which (B, V) of them there are."""
        count = len(embeddings)
        cls = np.broadcast_to(self._state["cls"], (count, 1, self._config.embedding))
        tokens = np.concatenate([cls, embeddings], 1).astype(np.float32)
        is_there = np.concatenate([np.ones((count, 1), np.bool_), mask], 1)
        for number in range(self._config.blocks):
            wanted = 1 if number == self._config.blocks - 1 else tokens.shape[1]  # of the last block the CLS alone
            tokens = self._block(tokens, is_there, wanted, f"blocks.layers.{number}.")
        hidden = np.maximum(self._linear(tokens[:, 0], "projection.0."), 0)
        return self._linear(hidden, "projection.2.")

    def _block(self, tokens: Array, is_there: NDArray[np.bool_], wanted: int, name: str) -> Array:
        """The first `wanted` tokens after a block."""
        attended = self._attention(tokens, is_there, wanted, f"{name}self_attn.")
        tokens = self._norm(tokens[:, :wanted] + attended, f"{name}norm1.")
        hidden = np.maximum(self._linear(tokens, f"{name}linear1."), 0)
        return self._norm(tokens + self._linear(hidden, f"{name}linear2."), f"{name}norm2.")

    def _attention(self, tokens: Array, is_there: NDArray[np.bool_], wanted: int, name: str) -> Array:
        count, length, width = tokens.shape
        inside = tokens @ self._state[f"{name}in_proj_weight"].T + self._state[f"{name}in_proj_bias"]
        heads = inside.reshape(count, length, 3, self._config.heads, width // self._config.heads)
        query, key, value = heads.transpose(2, 0, 3, 1, 4)
        scores = query[:, :, :wanted] @ key.swapaxes(-1, -2) / np.sqrt(np.float32(query.shape[-1]))
        scores = np.where(is_there[:, None, None, :], scores, np.float32(-np.inf))
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        joined = (weights @ value).swapaxes(1, 2).reshape(count, wanted, width)
        return self._linear(joined, f"{name}out_proj.")

    def _linear(self, values: Array, name: str) -> Array:
        return np.asarray(values @ self._state[f"{name}weight"].T + self._state[f"{name}bias"], np.float32)

    def _norm(self, values: Array, name: str) -> Array:
        middle = values.mean(axis=-1, keepdims=True)
        spread = np.sqrt(values.var(axis=-1, keepdims=True) + _NORM_EPSILON)
        return np.asarray((values - middle) / spread * self._state[f"{name}weight"] + self._state[f"{name}bias"])


if TYPE_CHECKING:
    from training.reidentification.encoder import MultiViewEncoder


class ReidModelConfig(Checked):
    """What is needed to use the weights."""

    schema_version: Literal[1] = 1
    kind: Literal["re-identification"] = "re-identification"
    encoder: EncoderConfig
    crop_px: int = Field(ge=16, le=1024)
    context: float = Field(ge=1, le=10)
    """Side of a crop, as a multiple of its box's longer side."""
    views: int = Field(ge=1)
    """Frames of a tracklet that its vector is computed from, at most."""
    limit: float = Field(ge=-1e-6, le=2)
    """Tracklets up to this distance are merged."""
    limit_source: str
    """What the limit was fixed on, in words."""


@dataclass(frozen=True)
class ReidModel:
    """A folder of a re-identification model whose files are all there, unchanged, and agree with each other."""

    path: Path
    config: ReidModelConfig
    card: Mapping[str, Any] = field(repr=False)
    sha256: str
    """Of the weights file, hexadecimal."""

    @classmethod
    def open(cls, path: Path) -> "ReidModel":
        """Check a model folder, or a run folder that holds one; loads no weights.

        Raises:
            UserError: there is none, a file is missing or was changed, or it is a model of another kind.
        """
        path, sums = checked_folder(path)
        content = json_text.read_json_object(path / CONFIG, "model config")
        if content.get("kind") != REIDENTIFICATION:
            raise UserError(
                "{path} is not a re-identification model.", "Choose a folder that train-reid has written.", path
            )
        try:
            config = ReidModelConfig.model_validate(content)
        except ValidationError as error:
            where, said = first_wrong(error, "config")
            raise UserError("{path}: {where}: {msg}.", COPY_AGAIN, path / CONFIG, where, said) from error
        return cls(path, config, json_text.read_json_object(path / CARD, "model card"), sums[WEIGHTS])

    def joint(self) -> JointEmbedding:
        """What turns the embeddings of frames into the vector of a tracklet, without torch."""
        return JointEmbedding.open(self.path / WEIGHTS, self.config.encoder)

    def encoder(self) -> "MultiViewEncoder":
        """The whole encoder in evaluation mode, on the CPU; imports torch."""
        from training.files.tensors import load_tensors
        from training.reidentification.encoder import MultiViewEncoder, SingleFrameEncoder

        result = MultiViewEncoder(SingleFrameEncoder(self.config.encoder))
        try:
            result.load_state_dict(load_tensors(self.path / WEIGHTS))
        except RuntimeError as error:
            raise UserError(
                Text("{path} does not hold the encoder that its config describes.", self.path / WEIGHTS), COPY_AGAIN
            ) from error
        return result.eval()


def write_reid_model(
    path: Path, config: ReidModelConfig, encoder: "MultiViewEncoder", card: Mapping[str, Any]
) -> ReidModel:
    """Write the folder of a model; what stood there is replaced as a whole."""
    state = {name: tensor.detach().cpu().contiguous().numpy() for name, tensor in encoder.state_dict().items()}
    write_folder(path, config, state, card)
    return ReidModel.open(path)
