"""ImageNet files: consent, checksum, conversion; with small fakes in place of the published files."""

import hashlib
import pathlib
from pathlib import Path

import pytest
import torch
import torchvision.models as zoo

from training.errors import UserError
from training.models import imagenet
from training.models.resnet import build_trunk
from training.runs.reporter import Cancelled, SilentReporter


class Listener(SilentReporter):
    """Keeps what it is told, and cancels when asked to."""

    def __init__(self, *, cancel: bool = False) -> None:
        self.told: list[tuple[int, int, str]] = []
        self.cancel = cancel

    def check(self) -> None:
        if self.cancel:
            raise Cancelled

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        self.told.append((done, total, what))


@pytest.fixture
def published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file like torchvision's, named after its own hash, that takes the published one's place."""
    plain = tmp_path / "plain.pth"
    torch.manual_seed(0)
    torch.save(zoo.resnet18(weights=None).state_dict(), plain)
    digits = hashlib.sha256(plain.read_bytes()).hexdigest()[:8]
    file = plain.rename(tmp_path / f"resnet18-{digits}.pth")
    monkeypatch.setattr(imagenet, "published_url", lambda _: file.as_uri())
    return file


def test_nothing_is_fetched_without_consent(published: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="not on this computer"):
        imagenet.imagenet_state("resnet18", tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


def test_with_consent_it_is_fetched_converted_and_fits_the_trunk(published: Path, tmp_path: Path) -> None:
    listener = Listener()
    state = imagenet.imagenet_state("resnet18", tmp_path / "cache", download_consented=True, reporter=listener)
    build_trunk("resnet18").load_state_dict(state)
    size = published.stat().st_size
    assert listener.told[-1] == (size, size, f"downloading {published.name}")
    assert len(listener.told) > 10


def test_the_pickle_is_read_only_once(published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = imagenet.imagenet_state("resnet18", tmp_path / "cache", file=published)
    monkeypatch.setattr(torch, "load", lambda *_, **__: pytest.fail("unpickled a second time"))
    second = imagenet.imagenet_state("resnet18", tmp_path / "cache")
    assert first.keys() == second.keys()
    assert all(torch.equal(first[name], second[name]) for name in first)


def test_another_file_is_refused_before_it_is_read(
    published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other.pth"
    other.write_bytes(published.read_bytes() + b"x")
    monkeypatch.setattr(torch, "load", lambda *_, **__: pytest.fail("read before it was checked"))
    with pytest.raises(UserError, match="is not the published file"):
        imagenet.imagenet_state("resnet18", tmp_path / "cache", file=other)


def test_a_pickle_with_code_in_it_does_not_run(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return pathlib.Path, ("trap",)

    file = tmp_path / "trap.pth"
    torch.save({"x": Trap()}, file)
    digits = hashlib.sha256(file.read_bytes()).hexdigest()[:8]
    with pytest.raises(UserError, match="holds more than tensors"):
        imagenet.convert(file, digits, tmp_path / "out.safetensors")


def test_a_cancelled_or_failed_download_leaves_nothing(
    published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    with pytest.raises(Cancelled):
        imagenet.imagenet_state("resnet18", cache, download_consented=True, reporter=Listener(cancel=True))
    monkeypatch.setattr(imagenet, "published_url", lambda _: (tmp_path / "gone-0.pth").as_uri())
    with pytest.raises(UserError, match="could not be downloaded"):
        imagenet.imagenet_state("resnet18", cache, download_consented=True)
    assert list(cache.iterdir()) == []
