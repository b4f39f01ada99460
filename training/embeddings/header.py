"""What an embedding file says of itself: whose frames, which model, which calculation."""

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict

SCHEMA_VERSION = 1
"""Of the file's layout; a reader refuses a newer one."""
CALCULATION_VERSION = 1
"""Of how the numbers come about; grows when the same model would give other numbers."""


class EmbeddingHeader(BaseModel):
    """The attributes of an embedding file, apart from `frames_done` and `complete`; frozen."""

    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=())

    schema_version: int = SCHEMA_VERSION
    calculation_version: int = CALCULATION_VERSION
    model_id: str
    model_sha256: str
    """Of the model's weights file."""
    classes: tuple[str, ...]
    """Names of the scores' columns; empty where the model has no classifier."""
    space: Literal["backbone", "projection"] = "backbone"
    normalized: bool = False
    """Whether every embedding has length 1."""
    precision: str = "float32"
    """What the forward passes were computed in: float32, bfloat16 or float16."""
    preprocessing: str
    """JSON: how a frame became an input (size, mean, std, field of view)."""
    video_fingerprint: str
    video_path: str
    """Where the video lay when it was scored; the fingerprint decides, not the path."""
    created_utc: str
    """ISO 8601."""

    def difference(self, other: Self) -> str:
        """The first thing in which two files' numbers would differ, in words; "" where none would."""
        for name, words in _IDENTITY.items():
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine != theirs:
                return f"{words} ({theirs} then, {mine} now)" if len(f"{mine}{theirs}") < 80 else words
        return ""


_IDENTITY = {
    "video_fingerprint": "another video",
    "model_sha256": "another model",
    "model_id": "a model of another name",
    "classes": "other classes",
    "space": "another space",
    "normalized": "another normalisation",
    "precision": "another precision",
    "preprocessing": "another preprocessing",
    "calculation_version": "another version of the calculation",
    "schema_version": "another version of the file format",
}
