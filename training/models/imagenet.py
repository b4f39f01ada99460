"""ImageNet weights: from a package or downloaded with consent; checked, then converted once to safetensors."""

import hashlib
import importlib.util
import pickle
import urllib.error
import urllib.request
from pathlib import Path

import torch
from torch import Tensor

from training.errors import UserError
from training.files.outputs import written_beside
from training.files.tensors import load_tensors
from training.models.backbones import DEFAULT_BACKBONE, Published, find_backbone
from training.runs.reporter import Reporter, SilentReporter

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
    published = _published(backbone)
    converted = cache / Path(published.file).with_suffix(".safetensors").name
    if not converted.is_file():
        given = file or _published_file(published, cache, download_consented, reporter or SilentReporter())
        convert(given, backbone, converted)
    return load_tensors(converted)


def _published(backbone: str) -> Published:
    published = find_backbone(backbone).published
    if published is None:
        raise UserError(f"There are no ImageNet weights of {backbone}.", "Start from random weights (init random).")
    return published


def _published_file(published: Published, cache: Path, consented: bool, reporter: Reporter) -> Path:
    """The file of the package, or the downloaded one."""
    if published.package:
        return packaged_file(published)
    file = cache / published.file
    if not file.is_file():
        _download(published.url, file, consented, reporter)
    return file


def packaged_file(published: Published) -> Path:
    """The weights file that a Python package brings; raises `UserError` if the package is missing or lacks it."""
    package, _, folder = published.package.partition("/")
    found = importlib.util.find_spec(package)
    places = list(found.submodule_search_locations or ()) if found else []
    file = Path(*places[:1], folder, published.file)
    if not places or not file.is_file():
        name = package.replace("_", "-")
        raise UserError(
            f"The ImageNet weights {published.file} are missing: the package {name} is not installed or is incomplete.",
            f"Install {name} again, or start from another model or from random weights.",
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
        raise UserError(f"There is no file {file}.", "Check the path.")
    with file.open("rb") as opened:
        found = hashlib.file_digest(opened, "sha256").hexdigest()
    if not found.startswith(sha256_start):
        raise UserError(
            f"{file} is not the published file: its SHA-256 starts with {found[:8]}, not {sha256_start}.",
            "Delete it and download or install it again.",
        )
    try:
        published = torch.load(file, map_location="cpu", weights_only=True)
    except (pickle.UnpicklingError, RuntimeError, EOFError) as error:
        raise UserError(
            f"{file} holds more than tensors, so it is not opened.", "Download the published file."
        ) from error
    converted.parent.mkdir(parents=True, exist_ok=True)
    with written_beside(converted) as beside:
        save_file({name: tensor.contiguous() for name, tensor in entry.trunk_state(published).items()}, beside)


def _download(url: str, target: Path, consented: bool, reporter: Reporter) -> None:
    name = Path(url).name
    if not consented:
        raise UserError(
            f"The ImageNet weights {name} are not on this computer.",
            f"Agree to the download (--set download=true), download {url} and give the file's path, or choose "
            f"--set backbone={DEFAULT_BACKBONE}, whose weights come with the program.",
        )
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        with written_beside(target) as beside:
            _fetch(url, beside, reporter)
    except (urllib.error.URLError, OSError) as error:
        reason = getattr(error, "reason", None) or error
        raise UserError(
            f"{name} could not be downloaded ({reason}).", "Check the connection, or give the path of the file."
        ) from error


def _fetch(url: str, target: Path, reporter: Reporter) -> None:
    with urllib.request.urlopen(url, timeout=30) as answer, target.open("wb") as out:
        total = int(answer.headers.get("Content-Length") or 0)
        done = 0
        while chunk := answer.read(CHUNK_BYTES):
            reporter.check()
            done += out.write(chunk)
            reporter.progress(done, max(total, done), "bytes", f"downloading {target.name.split('.partial')[0][1:]}")
