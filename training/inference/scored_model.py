"""What scores a study: a model, or a kept step of a pretraining, as the embedding file needs to know it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from training.errors import UserError
from training.models.backbones import find_backbone
from training.models.folder import ModelFolder, file_sha256
from training.models.inference_network import InferenceNetwork, Space, network_of_model
from training.pretraining.pretrained import Pretrained, is_pretraining


@dataclass(frozen=True)
class ScoredModel:
    """Identity and shapes; `load` reads the weights."""

    model_id: str
    sha256: str
    classes: tuple[str, ...]
    """Empty for a pretraining: no scores, no CAMs."""
    embedding_size: int
    cam_size: int
    """0 for a pretraining."""
    input_size: int
    mean: tuple[float, float, float]
    std: tuple[float, float, float]
    space: Space
    load: Callable[[], InferenceNetwork]


def open_scored_model(path: Path, space: Space = "backbone", step: int | None = None) -> ScoredModel:
    """A model folder, or a pretraining's run folder: its newest weights or those kept at `step`.

    Raises:
        UserError: neither, damaged, or a space or step that there is none of.
    """
    if is_pretraining(path):
        return of_pretraining(Pretrained.open(path, step), space)
    return of_model(ModelFolder.open(path), space, step)


def of_model(folder: ModelFolder, space: Space = "backbone", step: int | None = None) -> ScoredModel:
    """A classifier; its embeddings are those before it.

    Raises:
        UserError: the space after a projection head, or a step, was asked for.
    """
    config = folder.config
    if space == "projection":
        raise UserError(
            "The model {model_id} has no projection head: fine-tuning removes it.",
            "Use --space backbone, or the run folder of a pretraining.",
            config.model_id,
        )
    if step is not None:
        raise UserError("The model {model_id} has only one set of weights.", "Leave out step.", config.model_id)
    return ScoredModel(
        model_id=config.model_id,
        sha256=folder.sha256,
        classes=config.classes,
        embedding_size=config.embedding_size,
        cam_size=config.cam_size,
        input_size=config.input_size,
        mean=config.mean,
        std=config.std,
        space=space,
        load=lambda: network_of_model(folder),
    )


def of_pretraining(pretrained: Pretrained, space: Space = "backbone") -> ScoredModel:
    """A kept step of a pretraining, before or after its projection head (Pascual et al., Fig. 4: after)."""
    config = pretrained.config
    backbone = find_backbone(config.backbone)
    size = config.projection[-1] if space == "projection" and config.projection else backbone.embedding_size
    return ScoredModel(
        model_id=pretrained.model_id,
        sha256=file_sha256(pretrained.weights),
        classes=(),
        embedding_size=size,
        cam_size=0,
        input_size=config.input_size,
        mean=backbone.mean,
        std=backbone.std,
        space=space,
        load=lambda: pretrained.network(with_head=space == "projection"),
    )
