"""`python -m training explain PATH --frame I --model MODEL_DIR --out PNG`: a frame beside what a class was seen in."""

from pathlib import Path
from typing import Any

from pydantic import Field

from training.commands.common import CommandConfig
from training.runs.reporter import Reporter


class ExplainCommand(CommandConfig):
    """Which frame to explain; see `training.inference.explain.explain_frame`."""

    path: Path = Field(description="Video file or folder of images.")
    frame: int = Field(ge=0, description="Number of the frame, counted from 0.")
    model: Path = Field(description="Model folder, or a run folder with a model in it.")
    out: Path = Field(description="Picture to write (PNG).")
    class_name: str = Field("", description="Class to explain; empty: the highest score that is not normal's.")
    index: Path | None = Field(None, description="The study's saved index (.npz); empty: it is made.")


def run_explain(config: ExplainCommand, reporter: Reporter) -> dict[str, Any]:
    """Explain; the result names the picture, the class and all scores."""
    from training.models.folder import ModelFolder
    from training.video import FrameIndex

    model = ModelFolder.open(config.model)
    index = FrameIndex.load(config.index) if config.index else None

    from training.inference.explain import explain_frame
    from training.inference.plan import choose_device

    device, note = choose_device(config.device)
    if note:
        reporter.log(note)
    explained = explain_frame(
        config.path, config.frame, model, config.out, class_name=config.class_name, device=device, index=index
    )
    return {"out": str(config.out), "frame": config.frame, "class": explained.class_name, "scores": explained.scores}
