"""A trained re-identification model on disk: the multi-view encoder, how crops are cut, and the limit of merging."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, ValidationError

from training.errors import UserError
from training.files.json_text import read_json_object
from training.models.folder import CARD, CONFIG, COPY_AGAIN, REIDENTIFICATION, WEIGHTS, checked_folder, write_folder
from training.reidentification.config import EncoderConfig
from training.reidentification.joint import JointEmbedding
from training.settings import Checked, what_is_wrong
from training.texts import Text

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
        content = read_json_object(path / CONFIG, "model config")
        if content.get("kind") != REIDENTIFICATION:
            raise UserError(
                "{path} is not a re-identification model.", "Choose a folder that train-reid has written.", path
            )
        try:
            config = ReidModelConfig.model_validate(content)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"]) or "config"
            raise UserError(
                Text("{path}: {where}: {msg}.", path / CONFIG, where, what_is_wrong(first)), COPY_AGAIN
            ) from error
        return cls(path, config, read_json_object(path / CARD, "model card"), sums[WEIGHTS])

    def joint(self) -> JointEmbedding:
        """What turns the embeddings of frames into the vector of a tracklet, without torch."""
        return JointEmbedding.open(self.path / WEIGHTS, self.config.encoder)

    def encoder(self) -> "MultiViewEncoder":
        """The whole encoder in evaluation mode, on the CPU; imports torch.

        Raises:
            UserError: the weights are damaged, or of another encoder.
        """
        from training.files.tensors import load_tensors
        from training.reidentification.encoder import MultiViewEncoder, SingleFrameEncoder

        made = MultiViewEncoder(SingleFrameEncoder(self.config.encoder))
        try:
            made.load_state_dict(load_tensors(self.path / WEIGHTS))
        except RuntimeError as error:
            raise UserError(
                Text("{path} does not hold the encoder that its config describes.", self.path / WEIGHTS), COPY_AGAIN
            ) from error
        return made.eval()


def write_reid_model(
    path: Path, config: ReidModelConfig, encoder: "MultiViewEncoder", card: Mapping[str, Any]
) -> ReidModel:
    """Write the folder of a model; what stood there is replaced as a whole."""
    state = {name: tensor.detach().cpu().contiguous().numpy() for name, tensor in encoder.state_dict().items()}
    write_folder(path, config, state, card)
    return ReidModel.open(path)
