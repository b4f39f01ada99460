"""Which model's embeddings a map is made of: points of two models or two spaces never share a map."""

from collections.abc import Sequence
from dataclasses import dataclass

from training.embeddings.header import EmbeddingHeader
from training.errors import UserError
from training.texts import Text


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
                return Text("two models of the same name {model_id} (their weights differ)", self.model_id)
            return Text("the models {model_id} and {other_model_id}", self.model_id, other.model_id)
        if self.space != other.space:
            return Text("the spaces {space} and {other_space} of {model_id}", self.space, other.space, self.model_id)
        if self.normalized != other.normalized:
            return Text("normalised and plain embeddings of {model_id}", self.model_id)
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
                "{name} and {name2} cannot be in one map: they were scored with {difference}.",
                "Score the studies with one model, or leave one of them out.",
                names[0],
                name,
                difference,
            )
    return models[0]
