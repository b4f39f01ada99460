"""`python -m training explain PATH --frame I --model DIR --out PNG`: a frame beside what a class was seen in."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from training.commands.common import CommandConfig, NumberingField
from training.files.kinds import EXPLANATION_PNG
from training.files.marks import OutputFile, OverwriteField
from training.runs.reporter import Reporter
from training.video import NUMBERING


class ExplainCommand(CommandConfig):
    """Which frame to explain; see `training.inference.explain_picture`."""

    path: Path = Field(description="Video file or folder of images.")
    frame: int = Field(ge=0, description="Frame number, counted from 0.")
    model: Path = Field(description="Model folder, or run folder of a fine-tuning or a pretraining.")
    out: Annotated[Path, OutputFile(EXPLANATION_PNG)] = Field(description="Picture to write (PNG).")
    overwrite: OverwriteField = False
    class_name: str = Field("", description="Class to explain; empty: the one with the highest score, normal excluded.")
    method: Literal["cam", "score-cam", "quick", "prior-grid"] = Field(
        "cam", description="CAM, exact Score-CAM, quick Score-CAM, or likeness to the prior view (pgcon, wincon)."
    )
    layer: str = Field("layer4", description="Layer that Score-CAM explains: layer1 to layer4.")
    index: Path | None = Field(None, description="Saved index of the study (.npz); empty: the study is indexed.")
    numbering: NumberingField = NUMBERING


def run_explain(config: ExplainCommand, reporter: Reporter) -> dict[str, Any]:
    """Explain; the result names the picture, the method, the class and all scores."""
    from training.video import saved_or_new_index

    index = saved_or_new_index(config.path, config.index, config.numbering, reporter)

    from training.compute.plan import inference_device
    from training.inference.explain_picture import explain_frame
    from training.inference.explained_model import ExplainedModel

    note = inference_device(config.device)[1]
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
    result = {"out": str(config.out), "frame": config.frame, "method": config.method, "layer": config.layer}
    return result | {
        "class": explained.class_name,
        "scores": dict(explained.scores),
        "agreement": explained.agreement,
        "model": explained.model_id,
    }
