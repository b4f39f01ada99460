"""The embedding file: what a model said of every frame of a study. Light: no torch, h5py only when a file is opened."""

from training.embeddings.chunk import EmbeddingChunk, EmbeddingLayout
from training.embeddings.file import EmbeddingFile
from training.embeddings.header import EmbeddingHeader
from training.embeddings.writer import EmbeddingWriter, partial_path

__all__ = [
    "EmbeddingChunk",
    "EmbeddingFile",
    "EmbeddingHeader",
    "EmbeddingLayout",
    "EmbeddingWriter",
    "partial_path",
]
