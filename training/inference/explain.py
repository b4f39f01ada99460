"""One frame explained: the picture, the evidence for a class drawn over it, and the scores in words."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from training.errors import UserError
from training.inference.cam import class_activation_maps, normalise_cam
from training.inference.explain_picture import draw_explanation, write_png
from training.models.folder import ModelFolder
from training.models.network import load_network
from training.video import FrameIndex, open_source, paste_map, prepare_frame, study_field_of_view


@dataclass(frozen=True)
class Explanation:
    """What the model says of one frame."""

    class_name: str
    """The class that is explained."""
    scores: dict[str, float]
    """Every class's score in [0, 1]."""
    overlay: NDArray[np.float32]
    """(H, W) in [0, 1]: the class's CAM over the study's frame; 0 outside the field of view."""


def explain_frame(
    path: Path,
    frame_index: int,
    model: ModelFolder,
    out: Path,
    *,
    class_name: str = "",
    device: torch.device | str = "cpu",
    index: FrameIndex | None = None,
) -> Explanation:
    """Write a PNG of the frame beside its CAM; everything outside the field of view (names, clock) is black.

    Args:
        path: the study.
        frame_index: counted from 0.
        model: whose linear classifier is explained, in float32.
        out: the picture.
        class_name: the class; "" for the highest score that is not normal's.
        device: where the forward pass runs.
        index: the study's, where it was saved.

    Raises:
        UserError: no such study, frame or class, a frame that does not decode, or a picture that cannot be written.
    """
    classes = model.config.classes
    if class_name and class_name not in classes:
        raise UserError(f"The model has no class {class_name!r}.", f"It has: {', '.join(classes)}.")
    with open_source(path, index=index) as source:
        if not 0 <= frame_index < len(source):
            raise UserError(f"{path.name} has no frame {frame_index:,}.", f"It has 0 to {len(source) - 1:,}.")
        frame = source.read(frame_index)
        seconds = float(source.index.video_seconds[frame_index])
        view = study_field_of_view(source)
    network = load_network(model, device)
    prepared = torch.from_numpy(prepare_frame(frame, view, model.config.input_size)[None])
    with torch.inference_mode():
        output = network(prepared.to(device))
        cams = class_activation_maps(output.features, network.cam_weight)[0].cpu().numpy()
    values = output.scores[0].tolist()
    chosen = classes.index(class_name) if class_name else 1 + int(np.argmax(values[1:]))
    height, width = frame.shape[:2]
    overlay = paste_map(normalise_cam(cams[chosen]), view, height, width)
    explanation = Explanation(classes[chosen], dict(zip(classes, values, strict=True)), overlay)
    masked = frame * view.mask(height, width)[..., None]
    title = f"Frame {frame_index:,}  at {int(seconds) // 3600}:{int(seconds) // 60 % 60:02d}:{int(seconds) % 60:02d}"
    picture = draw_explanation(
        masked.astype(np.uint8), overlay, title, explanation.class_name, explanation.scores, model.config.model_id
    )
    write_png(out, picture)
    return explanation
