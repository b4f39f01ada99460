"""The error for a frame that has a number but no picture."""

from training.errors import UserError
from training.texts import Text


class FrameMissing(UserError):  # noqa: N818 - a state of the study, shown as such
    """The file announces this frame, yet it does not decode; its number stays taken.

    Attributes:
        frame_index: which frame, 0-based.
    """

    def __init__(self, name: str, frame_index: int) -> None:
        super().__init__(
            Text("Frame {frame:,} of {name} cannot be decoded.", frame_index + 1, name),
            "The file is damaged there; the other frames keep their numbers.",
        )
        self.name = name
        self.frame_index = frame_index

    def __reduce__(self) -> tuple[type["FrameMissing"], tuple[str, int]]:
        return type(self), (self.name, self.frame_index)
