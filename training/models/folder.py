"""The model folder on disk: weights, config, card and their checksums; opened only when all of it fits together."""

import hashlib
import json
import os
import shutil
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ValidationError

from training.errors import UserError, not_written
from training.files import inputs, json_text, safetensors
from training.models.config import ModelConfig, plain_name
from training.settings import first_wrong
from training.texts import Text, with_texts

WEIGHTS, CONFIG, CARD, SUMS = "model.safetensors", "config.json", "card.json", "SHA256SUMS"
EVALUATED = "evaluated.safetensors"
FAMILIAR = "familiar.safetensors"
"""See `training.embeddings.familiar`; only a file that the sums list counts."""
"""The classifier of the card's figures, if the one in the weights learned from the held-out patients as well."""
REIDENTIFICATION = "re-identification"
"""`kind` in the config of a re-identification model; a classifier's config has none."""
CLASSIFIER = "classifier.weight"
RENAMED = "renamed_classes"
"""In a card: the classes that were called otherwise, old names and new ones."""
MAX_SUMS_BYTES = 1 << 20
REGISTER = "Install the package that adds the backbone, or choose another model. A script registers its own before."
COPY_AGAIN = "Copy the model folder again from its source, or choose another model."


@dataclass(frozen=True)
class ModelFolder:
    """A model folder whose files are all there, unchanged, and agree with each other."""

    path: Path
    config: ModelConfig
    card: Mapping[str, Any] = field(repr=False)
    """Data, method, figures, lineage, versions, seed: whatever the run that made it wrote down."""
    sha256: str
    """Of `model.safetensors`, hexadecimal."""

    @property
    def weights_path(self) -> Path:
        """Where the weights lie."""
        return self.path / WEIGHTS

    def need_network(self) -> None:
        """Raise `UserError` where the embeddings were imported: there is no network to compute others with."""
        if self.config.is_imported:
            raise UserError(
                "The embeddings of {model} were imported: it has no network that could score or explain frames.",
                "Import the embeddings of this study, too, or use another model.",
                self.config.model_id,
            )

    @property
    def has_classifier(self) -> bool:
        """Whether the weights have a classifier; only imported ones may have none."""
        return not self.config.is_imported or CLASSIFIER in safetensors.read_header(self.weights_path).shapes

    @classmethod
    def open(cls, path: Path) -> Self:
        """Check and read a model folder, or a run folder that holds one in `model/`; loads no weights.

        Raises:
            UserError: no such folder, a pickle instead of a folder, a missing or changed file, a config that does
                not validate, or weights whose shapes the config does not ask for.
        """
        path, sums = checked_folder(path)
        config = read_config(path / CONFIG)
        _check_shapes(path / WEIGHTS, config)
        return cls(path, config, json_text.read_json_object(path / CARD, "model card"), sums[WEIGHTS])


def checked_folder(path: Path) -> tuple[Path, dict[str, str]]:
    """The folder of a model of any kind, or of a run that holds one, and the SHA-256 of its files, which are checked.

    Raises:
        UserError: no such folder, a pickle instead of a folder, or a missing or changed file.
    """
    path = _find_folder(path)
    sums = _read_sums(path)
    optional = [EVALUATED] if EVALUATED in sums or (path / EVALUATED).exists() else []
    optional += [name for name in sums if name == FAMILIAR]
    for name in (WEIGHTS, CONFIG, CARD, *optional):
        if name not in sums:
            raise UserError(Text("{path} does not list {name}.", path / SUMS, name), COPY_AGAIN)
        if not (path / name).is_file():
            raise UserError(Text("The model folder {path} has no {name}.", path, name), COPY_AGAIN)
        if file_sha256(path / name) != sums[name]:
            raise UserError(
                Text("{path} is not the file that {sums} describes (wrong hash).", path / name, SUMS), COPY_AGAIN
            )
    return path, sums


def write_model_folder(
    path: Path,
    config: ModelConfig,
    tensors: Mapping[str, NDArray[Any]],
    card: Mapping[str, Any],
    evaluated: Mapping[str, NDArray[Any]] | None = None,
) -> ModelFolder:
    """Write the folder of a classifier; see `write_folder`."""
    write_folder(path, config, tensors, card, evaluated)
    return ModelFolder.open(path)


def write_folder(
    path: Path,
    config: BaseModel,
    tensors: Mapping[str, NDArray[Any]],
    card: Mapping[str, Any],
    evaluated: Mapping[str, NDArray[Any]] | None = None,
) -> None:
    """Write a model folder beside `path` and rename it into place; what stood there is replaced as a whole.

    Args:
        path: the folder to make.
        config: what the weights belong to.
        tensors: the network's state by name; float16 and float32 both do.
        card: JSON values that say where the model comes from.
        evaluated: content of `EVALUATED`; None: no such file.

    Raises:
        UserError: the folder cannot be written.
    """
    from safetensors.numpy import save_file

    partial = path.with_name(f".{path.name}.partial-{os.getpid()}")
    shutil.rmtree(partial, ignore_errors=True)
    try:
        partial.mkdir(parents=True)
        # safetensors writes the bytes behind a view as they lie, whatever its strides say.
        for name, content in ((WEIGHTS, tensors), (EVALUATED, evaluated)):
            if content is not None:
                save_file({key: np.asarray(tensor, order="C") for key, tensor in content.items()}, partial / name)
        (partial / CONFIG).write_text(config.model_dump_json(indent=2, exclude_none=True) + "\n", encoding="utf-8")
        (partial / CARD).write_text(json.dumps(with_texts(card), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        names = [name for name in (WEIGHTS, CONFIG, CARD, EVALUATED) if (partial / name).exists()]
        lines = [f"{file_sha256(partial / name)}  {name}\n" for name in names]
        (partial / SUMS).write_text("".join(lines), encoding="utf-8")
        old = path.with_name(f".{path.name}.old-{os.getpid()}")
        if path.exists():
            path.replace(old)
        partial.replace(path)
        if old.exists():
            shutil.rmtree(old)
    except OSError as error:
        shutil.rmtree(partial, ignore_errors=True)
        raise not_written(path, error) from error


def rename_classes(path: Path, names: Collection[str]) -> dict[str, str]:
    """Call the classes of a model folder as these names that differ only in capitals, hyphens and underscores.

    Config and calibration are rewritten, and the card keeps what was renamed under `RENAMED`. A class whose new name
    the model has already stays as it is.

    Returns:
        The old names and the new ones.
    """
    config = read_config(path / CONFIG)
    plain = {plain_name(name): name for name in reversed(tuple(names))}
    renamed: dict[str, str] = {}
    for name in config.classes:
        new = plain.get(plain_name(name), name)
        if name not in names and new not in {*config.classes, *renamed.values()}:
            renamed[name] = new
    if renamed:
        card, sums = json_text.read_json_object(path / CARD, "model card"), _read_sums(path)
        measured = card.get("calibration")
        if isinstance(measured, dict) and isinstance(measured.get("classes"), dict):
            measured["classes"] = {renamed.get(name, name): row for name, row in measured["classes"].items()}
        classes = [renamed.get(name, name) for name in config.classes]
        contents = {
            CONFIG: json_text.read_json_object(path / CONFIG) | {"classes": classes},
            CARD: {**card, RENAMED: renamed},
        }
        for file, content in contents.items():
            (path / file).write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
            sums[file] = file_sha256(path / file)
        (path / SUMS).write_text("".join(f"{value}  {name}\n" for name, value in sums.items()), encoding="utf-8")
    return renamed


def file_sha256(path: Path) -> str:
    """The file's SHA-256, hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _find_folder(path: Path) -> Path:
    if path.is_file():
        safetensors.refuse_pickle(path)
        raise UserError(
            "{path} is a file, but a model is a folder.", "Give the folder that holds {weights}.", path, WEIGHTS
        )
    if not path.is_dir():
        raise UserError("There is no model folder {path}.", "Check the path.", path)
    inside_run = path / "model"
    return inside_run if not (path / WEIGHTS).exists() and (inside_run / WEIGHTS).is_file() else path


def _read_sums(path: Path) -> dict[str, str]:
    """`sha256sum`'s format: the hash, two characters, the name."""
    if not (path / SUMS).is_file():
        missing = next((name for name in (WEIGHTS, CONFIG, CARD) if not (path / name).is_file()), SUMS)
        raise UserError(Text("The model folder {path} has no {missing}.", path, missing), COPY_AGAIN)
    lines = inputs.read_text(path / SUMS, "list of checksums", max_bytes=MAX_SUMS_BYTES).splitlines()
    return {line[66:].strip(): line[:64].lower() for line in lines if len(line) > 66}


def read_config(path: Path) -> ModelConfig:
    content = json_text.read_json_object(path, "model config")
    if content.get("kind") == REIDENTIFICATION:
        raise UserError(
            "{parent} is a re-identification model: it groups findings and has no classes to score.",
            "Choose a classifier.",
            path.parent,
        )
    try:
        return ModelConfig.model_validate(content)
    except ValidationError as error:
        where, said = first_wrong(error, "config")
        hint = REGISTER if where == "backbone" else COPY_AGAIN
        raise UserError("{path}: {where}: {msg}.", hint, path, where, said) from error


def _check_shapes(weights: Path, config: ModelConfig) -> None:
    shapes = safetensors.read_header(weights).shapes
    if config.is_imported and CLASSIFIER not in shapes:
        return
    wanted = {CLASSIFIER: (len(config.classes), config.embedding_size)}
    if config.embedding_layer:
        wanted["embedding_layer.weight"] = (config.embedding_layer, config.feature_size)
    layer = Text(", embedding layer of {size}", config.embedding_layer) if config.embedding_layer else ""
    for name, shape in wanted.items():
        if shapes.get(name) != shape:
            raise UserError(
                Text(
                    "{weights}: {name} is {shapes}, but {config} ({backbone}, {count} classes{layer}) asks for "
                    "{shape}.",
                    weights,
                    name,
                    shapes.get(name) or Text("missing"),
                    CONFIG,
                    config.backbone,
                    len(config.classes),
                    layer,
                    shape,
                ),
                COPY_AGAIN,
            )
