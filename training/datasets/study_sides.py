"""How large a study's frames are: what the paper of prior guided contrast gives its sizes for. No torch."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from training.video import FieldOfView


def study_sides(view: "FieldOfView") -> tuple[int, int]:
    """(side of the study's frame, side of the square around its field of view), in px.

    Frames of capsules are square. In a recording that is wider than high the capsule's picture is as high as the
    recording, so that the smaller side counts; but never less than the square, which may reach beyond the frame and is
    all that is read of it (ours).
    """
    square = view.box[2]
    return max(min(view.width_px, view.height_px), square), square
