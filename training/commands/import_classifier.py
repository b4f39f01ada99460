"""The command `import-classifier`: somebody else's classifier as a model folder."""

import re
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from training.commands.common import CommandConfig
from training.errors import UserError
from training.files import marks
from training.models.config import MODEL_ID
from training.models.folder import CONFIG
from training.runs.reporter import Reporter


def _check_folder(folder: Path, _: "ImportClassifierCommand") -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())) and not (folder / CONFIG).is_file():
        raise UserError("{folder} is not empty and no model.", "Give a new folder.", folder)


class ImportClassifierCommand(CommandConfig):
    """What to import; see `training.models.imported.import_classifier`."""

    path: Path = Field(description="Classifier: an ONNX file, or a TorchScript file.")
    classes: Path | None = Field(
        None, description="Its classes, input and outputs (JSON); empty: beside the file, under its name with .json."
    )
    out: Annotated[Path, marks.OutputFolder("model folder", _check_folder)] = Field(
        description="Model folder to write."
    )
    model_id: str = Field("", pattern=f"^({MODEL_ID})?$", description="Name of the model; empty: that of the file.")
    runs_code: bool = Field(
        False, description="Whether a TorchScript file may be loaded: it is a program, and loading it runs it."
    )


def run_import_classifier(config: ImportClassifierCommand, reporter: Reporter) -> dict[str, Any]:
    """Import; the result names folder and classes."""
    from training.models.imported import NO_TRAINING, Description, import_classifier

    described = Description.read(config.classes or config.path.with_suffix(".json"))
    name = config.model_id or re.sub("[^A-Za-z0-9._-]+", "-", config.path.stem).strip("-._")[:80] or "classifier"
    folder = import_classifier(config.path, described, config.out, name, reporter, runs_code=config.runs_code)
    reporter.log(NO_TRAINING)
    return {"out": str(folder.path), "model_id": name, "classes": list(folder.config.classes)}
