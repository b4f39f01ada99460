"""Which model's embeddings a map is made of: points of two models or two spaces never share a map."""

from collections.abc import Sequence
from dataclasses import dataclass

from training.embeddings.header import EmbeddingHeader
from training.errors import UserError


@dataclass(frozen=True)
class ProjectionModel:
    """Whose numbers were projected."""

    model_id: str
    model_sha256: str
    space: str
    """ "backbone" or "projection"."""
    normalized: bool

    @staticmethod
    def of(header: EmbeddingHeader) -> "ProjectionModel":
        """The identity that an embedding file states."""
        return ProjectionModel(header.model_id, header.model_sha256, header.space, header.normalized)

    def difference(self, other: "ProjectionModel") -> str:
        """The first thing that keeps both out of one map, in words; "" where nothing does."""
        if self.model_sha256 != other.model_sha256:
            if self.model_id == other.model_id:
                return f"two models of the same name {self.model_id} (their weights differ)"
            return f"the models {self.model_id} and {other.model_id}"
        if self.space != other.space:
            return f"the spaces {self.space} and {other.space} of {self.model_id}"
        if self.normalized != other.normalized:
            return f"normalised and plain embeddings of {self.model_id}"
        return ""


def common_model(names: Sequence[str], models: Sequence[ProjectionModel]) -> ProjectionModel:
    """The one model behind all files.

    Args:
        names: of the studies, for the sentence.
        models: one for each name; at least one.

    Raises:
        UserError: two differ; both studies and both models are named.
    """
    for name, model in zip(names[1:], models[1:], strict=True):
        if difference := models[0].difference(model):
            raise UserError(
                f"{names[0]} and {name} cannot be in one map: they were scored with {difference}.",
                "Score the studies with one model, or leave one of them out.",
            )
    return models[0]
