"""Exports a model of the library as a folder."""

import os
import shutil
from pathlib import Path

from training.errors import UserError
from training.files.scratch import remove_left_parts
from training.models.folder import ModelFolder
from wce_desktop.library import Model


def export_model(model: Model, into: Path) -> Path:
    """Copy a model's folder into another one, checked on both sides; returns the copy.

    Raises:
        UserError: something of that name is there, the model is damaged, or the copy cannot be written.
    """
    ModelFolder.open(model.folder)
    remove_left_parts(into)
    target = into / model.model_id
    if target.exists():
        raise UserError(
            "{folder} already contains something named {name}.", "Choose another folder.", into, target.name
        )
    partial = into / f".{model.model_id}.partial-{os.getpid()}"
    try:
        shutil.rmtree(partial, ignore_errors=True)
        shutil.copytree(model.folder, partial)
        ModelFolder.open(partial)  # what was read back is what counts
        partial.rename(target)
    except OSError as error:
        raise UserError(
            "The model {model} cannot be copied to {folder} ({reason}).",
            "Free some disk space, or choose another folder.",
            model.title,
            into,
            error.strerror or error,
        ) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return target
