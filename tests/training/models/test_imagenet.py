"""ImageNet files: consent, checksum, conversion; with small fakes in place of the published files."""

import hashlib
import pathlib
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch
import torchvision.models as zoo

from training.errors import UserError
from training.models import imagenet
from training.models.backbones import BACKBONES, Published, find_backbone
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


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A file like torchvision's, and the first digits of its hash."""
    plain = tmp_path_factory.mktemp("published") / "plain.pth"
    torch.manual_seed(0)
    torch.save(zoo.resnet18(weights=None).state_dict(), plain)
    return plain, hashlib.sha256(plain.read_bytes()).hexdigest()[:8]


@pytest.fixture
def published(plain: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file, named after its own hash, takes the published one's place."""
    content, digits = plain
    file = Path(shutil.copy(content, tmp_path / f"resnet18-{digits}.pth"))
    publish(monkeypatch, file.name, digits, file.as_uri())
    return file


def publish(monkeypatch: pytest.MonkeyPatch, name: str, digits: str, url: str = "", package: str = "") -> None:
    """Let another file take the place of ResNet-18's published one."""
    other = replace(BACKBONES["resnet18"], published=Published(name, digits, url, package))
    monkeypatch.setitem(BACKBONES, "resnet18", other)


def test_nothing_is_fetched_without_consent(published: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="not on this computer"):
        imagenet.imagenet_state("resnet18", tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


def test_with_consent_it_is_fetched_converted_and_fits_the_trunk(published: Path, tmp_path: Path) -> None:
    listener = Listener()
    state = imagenet.imagenet_state("resnet18", tmp_path / "cache", download_consented=True, reporter=listener)
    find_backbone("resnet18").make_trunk().load_state_dict(state)
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


def test_a_pickle_with_code_in_it_does_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Trap:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return pathlib.Path, ("trap",)

    file = tmp_path / "trap.pth"
    torch.save({"x": Trap()}, file)
    digits = hashlib.sha256(file.read_bytes()).hexdigest()[:8]
    publish(monkeypatch, file.name, digits)
    with pytest.raises(UserError, match="holds more than tensors"):
        imagenet.convert(file, "resnet18", tmp_path / "out.safetensors")


def test_a_cancelled_or_failed_download_leaves_nothing(
    published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    with pytest.raises(Cancelled):
        imagenet.imagenet_state("resnet18", cache, download_consented=True, reporter=Listener(cancel=True))
    publish(monkeypatch, "gone-0.pth", "0", (tmp_path / "gone-0.pth").as_uri())
    with pytest.raises(UserError, match="could not be downloaded"):
        imagenet.imagenet_state("resnet18", cache, download_consented=True)
    assert list(cache.iterdir()) == []


def test_weights_of_a_package_need_no_consent(tmp_path: Path) -> None:
    state = imagenet.imagenet_state("efficientnet_lite0", tmp_path / "cache")
    find_backbone("efficientnet_lite0").make_trunk().load_state_dict(state)
    assert [file.name for file in (tmp_path / "cache").iterdir()] == ["efficientnet-lite0-57934424.safetensors"]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an installed package that should bring the weights "a.pth"."""
    folder = tmp_path / "site" / "weights_of_a_test"
    folder.mkdir(parents=True)
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(folder.parent))
    publish(monkeypatch, "a.pth", "57934424", package="weights_of_a_test/models")
    return folder


def test_a_package_that_lacks_its_weights_is_a_sentence(package: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="the package weights-of-a-test is not installed or is incomplete"):
        imagenet.imagenet_state("resnet18", tmp_path / "cache")


def test_a_package_that_is_not_installed_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(monkeypatch, "a.pth", "57934424", package="no_such_package/models")
    with pytest.raises(UserError, match="the package no-such-package is not installed"):
        imagenet.imagenet_state("resnet18", tmp_path / "cache")


def test_altered_weights_of_a_package_are_refused(package: Path, tmp_path: Path) -> None:
    (package / "models").mkdir()
    (package / "models" / "a.pth").write_bytes(b"altered")
    with pytest.raises(UserError, match="is not the published file"):
        imagenet.imagenet_state("resnet18", tmp_path / "cache")
    assert not (tmp_path / "cache").exists()
