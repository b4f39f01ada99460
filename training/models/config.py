"""What a model is, apart from its weights: the content of a model folder's `config.json`."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator, model_validator

from training.models import IMAGENET_MEAN, IMAGENET_STD, backbones
from training.models.scores import ScoreKind
from training.settings import Items
from training.texts import Text

NORMAL = "normal"
MAX_CLASSES = 1000
IMPORTED = "imported"
"""`backbone` of a model whose embeddings were computed elsewhere: it has no network, and it may have no classes."""
OWN_STRIDE = 32
"""Pixels of input for one position of the last feature map, in the program's own backbones."""

MODEL_ID = "[A-Za-z0-9][A-Za-z0-9._-]{0,79}"
"""What a model may be called: its name is part of file names."""


def plain_name(name: str) -> str:
    """The name of a class without what differs between data sets: capitals, hyphens, underscores and spaces."""
    return " ".join(name.casefold().replace("_", " ").replace("-", " ").split())


def _known(backbone: str) -> str:
    return backbone if backbone == IMPORTED else backbones.known(backbone)


class ModelConfig(BaseModel):
    """Backbone, classes and preprocessing of one model; checked when made, then frozen."""

    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=(), allow_inf_nan=False)

    schema_version: Literal[1] = 1
    model_id: str = Field(default="model", pattern=f"^{MODEL_ID}$")
    """Names the model in file names, the library and the audit log."""
    backbone: Annotated[str, AfterValidator(_known)] = "resnet18"
    classes: Items[str]
    """Names in the order of the scores' columns; the first one is "normal". Imported embeddings may have none."""
    embedding_layer: int | None = Field(default=None, ge=128, le=1024)
    """Width of a linear layer between pooling and classifier (Laiz et al. 2020, Table 7); None: there is none.

    The paper calls it a dense layer and names no activation: ours has none, so class activation maps stay exact."""
    input_size: int = Field(default=224, ge=32, le=2048)
    """Side of the square input in px."""
    mean: tuple[float, float, float] = IMAGENET_MEAN
    """Subtracted from RGB in [0, 1]."""
    std: tuple[float, float, float] = IMAGENET_STD
    """What the difference is divided by; positive."""

    features: int | None = Field(default=None, ge=1)
    """Channels of the last feature map, where the backbone is none of the program's own; None: the backbone says it."""
    stride: int | None = Field(default=None, ge=1)
    """Pixels of input for one position of that map, likewise; None: 32."""
    round_mask: bool = False
    """Whether frames are black outside their largest circle (Pascual et al. 2022, section 4.2)."""
    scores: ScoreKind = "softmax"
    """How its scores follow from its logits."""

    @model_validator(mode="before")
    @classmethod
    def _fill_in_statistics(cls, given: Any) -> Any:
        """Mean and std, where they are not given, are those that the backbone expects.

        Of a backbone from elsewhere features and stride are kept, too, so that a config is read without its library.
        """
        name = str(given.get("backbone")) if isinstance(given, Mapping) else ""
        if name in backbones.BACKBONES and backbones.BACKBONES[name].is_own:
            backbone = backbones.BACKBONES[name]
            return {"mean": backbone.mean, "std": backbone.std, **given}
        if not (given.get("features") and given.get("mean")) and backbones.is_known(name):
            backbone = backbones.find_backbone(name)
            if backbone.only_px not in (None, given.get("input_size", 224)):
                raise ValueError(Text("{name} needs an input size of {size} px", name, backbone.only_px))
            facts = {"features": backbone.embedding_size, "stride": backbone.stride}
            return {"mean": backbone.mean, "std": backbone.std, **given, **facts}
        return given

    @field_validator("std")
    @classmethod
    def _check_std(cls, std: tuple[float, float, float]) -> tuple[float, float, float]:
        if min(std) <= 0:
            raise ValueError(Text("std must be positive, not {std}", std))
        return std

    @model_validator(mode="after")
    def _check_classes(self) -> Self:
        if self.is_imported and not self.classes:
            return self
        if len(self.classes) < 2:
            raise ValueError(Text("there must be at least 2 classes"))
        if len(self.classes) > MAX_CLASSES or any(len(name) > 200 or not name.isprintable() for name in self.classes):
            raise ValueError(
                Text("there may be {max_classes} classes of at most 200 printable characters", MAX_CLASSES)
            )
        if self.classes[0] != NORMAL:
            raise ValueError(Text('the first class must be "{normal}", not "{classe}"', Text(NORMAL), self.classes[0]))
        if len(set(self.classes)) != len(self.classes) or not all(self.classes):
            raise ValueError(Text("class names must be unique: {classes}", ", ".join(self.classes)))
        return self

    @property
    def is_imported(self) -> bool:
        """Whether there is no network, see `IMPORTED`."""
        return self.backbone == IMPORTED

    @property
    def embedding_size(self) -> int:
        """D: numbers in one embedding."""
        return self.embedding_layer or self.feature_size

    @property
    def feature_size(self) -> int:
        """F: channels of the last feature map."""
        return self.features or backbones.find_backbone(self.backbone).embedding_size

    @property
    def cam_size(self) -> int:
        """h = w: side of the last feature map, and so of a CAM."""
        return -(-self.input_size // (self.stride or OWN_STRIDE))
