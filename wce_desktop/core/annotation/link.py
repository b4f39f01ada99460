"""Links between two places, of one study or of two, made by a reader."""

from __future__ import annotations

from dataclasses import dataclass

from wce_desktop.core.identity import new_id


@dataclass(frozen=True, slots=True)
class Link:
    """Two places that show the same, or do not, according to a reader.

    Args:
        study_id: the study that the link belongs to and is edited with.
        other_study_id: the study of the other place; may be the same.
        is_same: True where both show the same finding or the same place, False where they show different ones.
        reader: who made the link.
        name, other_name: what is meant at each place, a class of the vocabulary, or "" for the place itself.
    """

    link_id: str
    study_id: str
    frame_index: int
    other_study_id: str
    other_frame_index: int
    is_same: bool
    reader: str = ""
    name: str = ""
    other_name: str = ""

    def __post_init__(self) -> None:
        if self.frame_index < 0 or self.other_frame_index < 0:
            result = f"{self.frame_index} and {self.other_frame_index}"
            raise ValueError(f"a link needs frame indices of 0 or more, not {result}")
        place = self.study_id, self.frame_index, self.name
        if place == (self.other_study_id, self.other_frame_index, self.other_name):
            raise ValueError(f"a link needs two places, not frame {self.frame_index} twice")

    @classmethod
    def new(
        cls,
        *,
        study_id: str,
        frame_index: int,
        other_study_id: str,
        other_frame_index: int,
        is_same: bool,
        reader: str = "",
        name: str = "",
        other_name: str = "",
    ) -> Link:
        """A new link with a new id; of two places in one study the earlier one comes first.

        Raises:
            ValueError: a frame index is less than 0, or the two places are one.
        """
        if study_id == other_study_id and other_frame_index < frame_index:
            frame_index, other_frame_index = other_frame_index, frame_index
            name, other_name = other_name, name
        ends = study_id, frame_index, other_study_id, other_frame_index
        return cls(new_id("k-"), *ends, is_same, reader, name, other_name)
