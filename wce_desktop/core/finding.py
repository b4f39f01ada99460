"""A finding, and the boxes drawn around it."""

from __future__ import annotations

from dataclasses import dataclass

from wce_desktop.core.identity import new_id
from wce_desktop.core.span import Span


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding in a study, such as a polyp, a bleeding or an ulcer.

    Args:
        kind: a class of the vocabulary.
        size_mm: largest diameter, greater than 0, or None if unknown.
        morphology: in the terms of the field ("sessile", "pedunculated"), or empty.
        key_frames: frames that show it best, as frame indices.
    """

    finding_id: str
    study_id: str
    kind: str
    span: Span
    size_mm: float | None = None
    morphology: str = ""
    key_frames: tuple[int, ...] = ()
    comment: str = ""
    reader: str = ""

    @classmethod
    def new(
        cls, *, study_id: str, kind: str, span: Span, key_frames: tuple[int, ...] = (), reader: str = ""
    ) -> Finding:
        """A new finding with a new id and no details yet."""
        return cls(new_id("f-"), study_id, kind, span, key_frames=key_frames, reader=reader)

    def __post_init__(self) -> None:
        if not self.kind:
            raise ValueError("a finding needs a kind")
        if self.size_mm is not None and not self.size_mm > 0:
            raise ValueError(f"a finding's size is greater than 0 mm, not {self.size_mm}")


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on one frame, in pixels of the study's own frames; the maxima are excluded."""

    box_id: str
    study_id: str
    frame_index: int
    x_min: float
    y_min: float
    x_max: float
    y_max: float
    name: str
    finding_id: str | None = None
    reader: str = ""

    def __post_init__(self) -> None:
        if self.frame_index < 0:
            raise ValueError(f"a box needs a frame index of 0 or more, not {self.frame_index}")
        if not (0 <= self.x_min < self.x_max and 0 <= self.y_min < self.y_max):
            edges = (self.x_min, self.y_min, self.x_max, self.y_max)
            raise ValueError(f"a box needs 0 <= minimum < maximum on both axes, not {edges}")
