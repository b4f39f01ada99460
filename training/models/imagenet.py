"""ImageNet weights: from a package or downloaded with consent; checked, then converted once to safetensors.

Weights for a trunk alone: read from a file, and put into a trunk that they fit.
"""

import hashlib
import importlib.util
import pickle
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor, nn

from training.errors import UserError
from training.files import outputs, tensors
from training.models.backbones import DEFAULT_BACKBONE, Backbone, Published, find_backbone, kept_weights
from training.models.weights_file import trunk_weights
from training.runs.reporter import Reporter, SilentReporter
from training.texts import Text

CHUNK_BYTES = 1 << 20


def imagenet_state(
    backbone: str,
    cache: Path,
    *,
    file: Path | None = None,
    download_consented: bool = False,
    reporter: Reporter | None = None,
) -> dict[str, Tensor]:
    """The trunk's ImageNet state: from the converted copy in `cache`, else from `file`, a package, or a download.

    Args:
        backbone: which trunk.
        cache: folder for the converted copy (`<published name>.safetensors`).
        file: the published .pth file, where the user has it already.
        download_consented: whether the user agreed to a download; without it nothing is fetched.
        reporter: receives the download's progress, and may stop it.

    Raises:
        UserError: no weights and no consent, a download that fails, a package that is missing, or a file that is not
            the published one.
        Cancelled: the reporter asked to end; nothing new is kept.
    """
    entry = find_backbone(backbone)
    if entry.load_published is not None:
        return _of_library(entry, cache, download_consented)
    published = _published(backbone)
    converted = cache / Path(published.file).with_suffix(".safetensors").name
    if not converted.is_file():
        given = file or (packaged_file(published) if published.package else cache / published.file)
        if file is None and not published.package and not given.is_file():
            _download(published.url, given, download_consented, reporter or SilentReporter())
        convert(given, backbone, converted)
    return tensors.load_tensors(converted)


def _of_library(entry: Backbone, cache: Path, consented: bool) -> dict[str, Tensor]:
    """The weights that a library downloads, kept as safetensors."""
    from safetensors.torch import save_file

    kept = kept_weights(entry.name, cache)
    if not kept.is_file():
        if not consented:
            raise UserError(
                "The published weights of {name} are not on this computer.",
                "Agree to the download (--set download=true), give a weights file (--init FILE), or start from "
                "--init random.",
                entry.name,
            )
        assert entry.load_published is not None
        try:
            state = entry.load_published()
        except Exception as error:  # whatever the library and its hub raise
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise UserError(
                "{name} could not be downloaded ({reason}).",
                "Check the connection, or give the path of the file.",
                entry.name,
                reason.rstrip("."),
            ) from error
        kept.parent.mkdir(parents=True, exist_ok=True)
        with outputs.written_beside(kept) as beside:
            save_file({name: tensor.contiguous() for name, tensor in state.items()}, beside)
    return tensors.load_tensors(kept)


def _published(backbone: str) -> Published:
    published = find_backbone(backbone).published
    if published is None:
        raise UserError(f"There are no ImageNet weights of {backbone}.", "Start from random weights (init random).")
    return published


def packaged_file(published: Published) -> Path:
    """The weights file that a Python package brings; raises `UserError` if the package is missing or lacks it."""
    package, _, folder = published.package.partition("/")
    result = importlib.util.find_spec(package)
    places = list(result.submodule_search_locations or ()) if result else []
    file = Path(*places[:1], folder, published.file)
    if not places or not file.is_file():
        name = package.replace("_", "-")
        raise UserError(
            "The ImageNet weights {file} are missing: the package {name} is not installed or is incomplete.",
            "Install {name} again, or start from another model or from random weights.",
            published.file,
            name,
        )
    return file


def convert(file: Path, backbone: str, converted: Path) -> None:
    """Check a published pickle, read its tensors (no code runs), and keep the trunk's as safetensors.

    Raises:
        UserError: no such file, a checksum that differs, or content that is not a table of tensors.
    """
    from safetensors.torch import save_file

    entry = find_backbone(backbone)
    sha256_start = _published(backbone).sha256
    if not file.is_file():
        raise UserError("There is no file {file}.", "Check the path.", file)
    with file.open("rb") as opened:
        result = hashlib.file_digest(opened, "sha256").hexdigest()
    if not result.startswith(sha256_start):
        raise UserError(
            "{file} is not the published file: its SHA-256 starts with {found}, not {sha256_start}.",
            "Delete it and download or install it again.",
            file,
            result[:8],
            sha256_start,
        )
    try:
        published = torch.load(file, map_location="cpu", weights_only=True)
    except (pickle.UnpicklingError, RuntimeError, EOFError) as error:
        raise UserError(
            "{file} holds more than tensors, so it is not opened.", "Download the published file.", file
        ) from error
    converted.parent.mkdir(parents=True, exist_ok=True)
    with outputs.written_beside(converted) as beside:
        save_file({name: tensor.contiguous() for name, tensor in entry.trunk_state(published).items()}, beside)


def _download(url: str, target: Path, consented: bool, reporter: Reporter) -> None:
    name = Path(url).name
    if not consented:
        raise UserError(
            "The ImageNet weights {name} are not on this computer.",
            "Agree to the download (--set download=true), download {url} and give the file's path, or choose "
            "--set backbone={default_backbone}, whose weights come with the program.",
            name,
            url,
            DEFAULT_BACKBONE,
        )
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        with (
            outputs.written_beside(target) as beside,
            urllib.request.urlopen(url, timeout=30) as answer,
            beside.open("wb") as out,
        ):
            total, done = int(answer.headers.get("Content-Length") or 0), 0
            while chunk := answer.read(CHUNK_BYTES):
                reporter.check()
                done += out.write(chunk)
                reporter.progress(done, max(total, done), "bytes", Text("downloading {split}", name))
    except (urllib.error.URLError, OSError) as error:
        reason = getattr(error, "reason", None) or error
        raise UserError(
            "{name} could not be downloaded ({reason}).",
            "Check the connection, or give the path of the file.",
            name,
            reason,
        ) from error


def trunk_of_file(path: Path, backbone: str, reporter: Reporter) -> dict[str, Tensor]:
    """The backbone's weights in a file of this or another program; logs what of the file is used.

    Raises:
        UserError: see `trunk_weights`.
    """
    match = trunk_weights(path, backbone)
    reporter.log(match.sentence(path))
    return match.state


def trunk_part(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """A network's state under the names that its trunk has when it stands alone; floats as float32."""
    return {
        name.removeprefix("trunk."): tensor.float() if tensor.is_floating_point() else tensor
        for name, tensor in state.items()
    }


def fill_trunk(trunk: nn.Module, state: Mapping[str, Tensor], backbone: str, source: str) -> None:
    """Put weights into a trunk; what else the state holds is left out.

    Raises:
        UserError: a weight of the trunk is missing in `source` or has another shape.
    """
    wanted = trunk.state_dict()
    for name in wanted:
        if name not in state or state[name].shape != wanted[name].shape:
            raise UserError(
                "{source} does not fit a {backbone}: the weights {name} are missing or of another shape.",
                "Choose the backbone that the weights belong to.",
                source,
                backbone,
                name,
            )
    trunk.load_state_dict({name: state[name] for name in wanted})
