"""Maps of embeddings: two coordinates for a frame, by PCA and t-SNE. Light: no torch; openTSNE only while at work."""

from training.projection.evolution_file import EvolutionFile
from training.projection.file import ProjectionFile
from training.projection.identity import ProjectionModel

__all__ = ["EvolutionFile", "ProjectionFile", "ProjectionModel"]
