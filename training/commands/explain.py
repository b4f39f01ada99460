"""`python -m training explain PATH --frame I --model DIR --out PNG`: a frame beside what a class was seen in."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from training.commands.common import CommandConfig
from training.files.kinds import EXPLANATION_PNG
from training.files.marks import OutputFile, OverwriteField
from training.runs.reporter import Reporter


class ExplainCommand(CommandConfig):
    """Which frame to explain; see `training.inference.explain_frame`."""

    path: Path = Field(description="Video file or folder of images.")
    frame: int = Field(ge=0, description="Number of the frame, counted from 0.")
    model: Path = Field(description="Model folder, a run folder with a model in it, or a pretraining's run folder.")
    out: Annotated[Path, OutputFile(EXPLANATION_PNG)] = Field(description="Picture to write (PNG).")
    overwrite: OverwriteField = False
    class_name: str = Field("", description="Class to explain; empty: the highest score that is not normal's.")
    method: Literal["cam", "score-cam", "quick"] = Field("cam", description="CAM, exact Score-CAM, or its quick form.")
    layer: str = Field("layer4", description="Layer whose feature map a Score-CAM shows: layer1 to layer4.")
    index: Path | None = Field(None, description="The study's saved index (.npz); empty: it is made.")


def run_explain(config: ExplainCommand, reporter: Reporter) -> dict[str, Any]:
    """Explain; the result names the picture, the method, the class and all scores."""
    from training.video import FrameIndex

    index = FrameIndex.load(config.index) if config.index else None

    from training.compute.plan import choose_device
    from training.inference.explain_frame import explain_frame
    from training.inference.explained_model import ExplainedModel

    note = choose_device(config.device)[1]
    if note:
        reporter.log(note)
    model = ExplainedModel.open(config.model, device=config.device)
    explained = explain_frame(
        config.path,
        config.frame,
        model,
        config.out,
        config.method,
        class_name=config.class_name,
        layer=config.layer,
        index=index,
        reporter=reporter,
    )
    told = {"out": str(config.out), "frame": config.frame, "method": config.method, "layer": config.layer}
    return told | {
        "class": explained.class_name,
        "scores": dict(explained.scores),
        "agreement": explained.agreement,
        "model": explained.model_id,
    }
