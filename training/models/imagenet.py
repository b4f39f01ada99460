"""ImageNet weights: fetched with consent, checked, converted once to safetensors, never unpickled again."""

import hashlib
import pickle
import urllib.error
import urllib.request
from pathlib import Path

import torch
from torch import Tensor

from training.errors import UserError
from training.files.outputs import written_beside
from training.files.tensors import load_tensors
from training.models.config import BackboneName
from training.models.resnet import trunk_state
from training.runs.reporter import Reporter, SilentReporter

# The first published weights of each: what the papers start from, and better under kNN than the later recipe.
_URLS = {
    "resnet18": "https://download.pytorch.org/models/resnet18-f37072fd.pth",
    "resnet50": "https://download.pytorch.org/models/resnet50-0676ba61.pth",
}
CHUNK_BYTES = 1 << 20


def published_url(backbone: BackboneName) -> str:
    """Where torchvision publishes the file; its name ends in the first eight digits of its SHA-256."""
    return _URLS[backbone]


def imagenet_state(
    backbone: BackboneName,
    cache: Path,
    *,
    file: Path | None = None,
    download_consented: bool = False,
    reporter: Reporter | None = None,
) -> dict[str, Tensor]:
    """The trunk's ImageNet state: from the converted copy in `cache`, else from `file`, else downloaded.

    Args:
        backbone: which trunk.
        cache: folder for the converted copy (`<published name>.safetensors`).
        file: the published .pth file, where the user has it already.
        download_consented: whether the user agreed to fetch it; without it nothing is fetched.
        reporter: receives the download's progress, and may stop it.

    Raises:
        UserError: no weights and no consent, a download that fails, or a file that is not the published one.
        Cancelled: the reporter asked to end; nothing new is kept.
    """
    reporter = reporter or SilentReporter()
    url = published_url(backbone)
    converted = cache / Path(url).with_suffix(".safetensors").name
    if not converted.is_file():
        if file is None:
            file = cache / Path(url).name
            if not file.is_file():
                _download(url, file, download_consented, reporter)
        convert(file, _digits(url), converted)
    return load_tensors(converted)


def convert(file: Path, sha256_start: str, converted: Path) -> None:
    """Check a published pickle, read its tensors (no code runs), and keep the trunk's as safetensors.

    Raises:
        UserError: no such file, a checksum that differs, or content that is not a table of tensors.
    """
    from safetensors.torch import save_file

    if not file.is_file():
        raise UserError(f"There is no file {file}.", "Check the path.")
    with file.open("rb") as opened:
        found = hashlib.file_digest(opened, "sha256").hexdigest()
    if not found.startswith(sha256_start):
        raise UserError(
            f"{file} is not the published file: its SHA-256 starts with {found[:8]}, not {sha256_start}.",
            "Delete it and download it again.",
        )
    try:
        published = torch.load(file, map_location="cpu", weights_only=True)
    except (pickle.UnpicklingError, RuntimeError, EOFError) as error:
        raise UserError(
            f"{file} holds more than tensors, so it is not opened.", "Download the published file."
        ) from error
    converted.parent.mkdir(parents=True, exist_ok=True)
    with written_beside(converted) as beside:
        save_file({name: tensor.contiguous() for name, tensor in trunk_state(published).items()}, beside)


def _digits(url: str) -> str:
    """ "…/resnet18-f37072fd.pth" -> "f37072fd"."""
    return Path(url).stem.rpartition("-")[2]


def _download(url: str, target: Path, consented: bool, reporter: Reporter) -> None:
    name = Path(url).name
    if not consented:
        raise UserError(
            f"The ImageNet weights {name} are not on this computer.",
            f"Agree to the download (--set download=true), or download {url} and give the file's path.",
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
