"""The outputs of a command, checked against its inputs before anything is imported that takes time.

A config marks its outputs (`training.files.marks`); every other path in it is an input.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from training.errors import UserError
from training.files.marks import Cache, OutputFile, OutputFolder
from training.files.outputs import check_output, check_output_folder

START_FIELDS = ("init",)
"""Texts that may be paths."""
MANIFEST_FIELDS = ("studies", "manifest", "label_studies", "pretrain_studies")
"""Lists of studies, whose files are inputs too."""


def check_outputs(config: BaseModel) -> None:
    """Check every output of a command; creates nothing.

    Raises:
        UserError: an output may not be written, see `training.files.outputs`.
    """
    inputs = [*_inputs(config)]
    for name, mark in _marks(config):
        value = getattr(config, name)
        if value is None:
            continue
        if isinstance(mark, OutputFile):
            check_output(value, mark.kind, inputs=inputs, overwrite=getattr(config, "overwrite", False))
        elif isinstance(mark, OutputFolder):
            check_output_folder(value, mark.name, inputs=inputs)
            if mark.check is not None:
                mark.check(value, config)


def _marks(config: BaseModel) -> Iterator[tuple[str, Any]]:
    """Names and marks of the settings that carry one."""
    for name, field in type(config).model_fields.items():
        for mark in field.metadata:
            if isinstance(mark, OutputFile | OutputFolder | Cache):
                yield name, mark


def _inputs(config: BaseModel) -> Iterator[Path]:
    """Every path that a command reads."""
    marked = {name for name, _ in _marks(config)}
    for name in type(config).model_fields:
        value = getattr(config, name)
        if name in marked:
            continue
        if name in START_FIELDS and isinstance(value, str):
            value = Path(value)
        for path in value if isinstance(value, tuple) else (value,):
            if isinstance(path, Path):
                yield path
                if name in MANIFEST_FIELDS:
                    yield from _studies(path)


def _studies(manifest: Path) -> list[Path]:
    """Files of the studies; of a manifest that cannot be read none, for the command says what is wrong with it."""
    from training.datasets.manifest import load_manifest

    if not manifest.is_file():
        return []
    try:
        return [study.path for study in load_manifest(manifest).studies]
    except UserError:
        return []
