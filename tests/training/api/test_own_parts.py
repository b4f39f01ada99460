"""Losses, methods and backbones of one's own."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

import training
from training.methods import FinetuneMethod, Losses, Settings, register_method
from training.methods.registry import FINETUNING
from training.models import register_backbone
from training.models.backbones import BACKBONES

SMALL: dict[str, Any] = {"init": "random", "steps": 2, "batch_size": 16, "input_size": 64, "least_frames": 1}
SMALL |= {"device": "cpu", "threads": 1, "backbone": "own", "evaluations": 1}


class Block(nn.Module):
    """The norm comes before the convolution, which is defined first."""

    def __init__(self, channels: int, width: int, stride: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(channels, width, 3, stride, 1)
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.conv(self.norm(values)).relu()
        return result


def make_trunk() -> nn.Sequential:
    trunk = nn.Sequential()
    trunk.add_module("stem", nn.Conv2d(3, 8, 3, 2, 1))
    for number, (channels, width) in enumerate([(8, 8), (8, 12), (12, 16), (16, 20)], 1):
        trunk.add_module(f"layer{number}", Block(channels, width, 2))
    return trunk


class OwnSettings(Settings):
    gamma: float = 2.0


class Own(FinetuneMethod):
    name = "own"
    settings: OwnSettings
    settings_class = OwnSettings

    def prepare(self) -> None:
        pass

    def losses_of(self, embedding: torch.Tensor, labels: torch.Tensor) -> Losses:
        logits = self.network.classifier(embedding).log_softmax(1)
        return Losses(-self.settings.gamma * logits.gather(1, labels[:, None]).mean(), {})


@pytest.fixture(autouse=True)
def _registered(_registries: None) -> None:
    register_backbone("own", make_trunk, embedding_size=20)
    register_method(Own)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("phantom")
    manifest = training.make_phantom(folder, studies=3, frames=40, size_px=96, positive_share=0.2)
    return {"studies": str(manifest), "labels": str(folder / "labels.csv"), **SMALL}


def test_a_method_and_a_backbone_train_and_score(data: dict[str, Any], tmp_path: Path) -> None:
    result = training.finetune(**data, method="own", gamma=1.0, out=str(tmp_path / "run"))
    assert result.model.card["method"]["settings"]["gamma"] == 1.0
    assert result.figures["any"]["auc"] is not None
    with training.open_study(Path(data["studies"]).parent / "videos" / "P01.mp4") as study:
        with result.model.embed(study) as table:
            embeddings = table.to_numpy()
        trunk = make_trunk().eval()
        state = {
            name.removeprefix("trunk."): torch.from_numpy(tensor)
            for name, tensor in _weights(result.model.path).items()
            if name.startswith("trunk.")
        }
        trunk.load_state_dict(state)
        picture = torch.from_numpy(study.prepared(7, 64)).permute(2, 0, 1)[None] / 255
        mean, std = (torch.tensor(BACKBONES["own"].__dict__[part]).view(1, 3, 1, 1) for part in ("mean", "std"))
        expected = trunk((picture - mean) / std).mean((2, 3))[0].detach().numpy()
        assert np.abs(embeddings[7] - expected).max() < 0.02 * np.abs(expected).max() + 1e-3
        for method in ("cam", "score-cam", "quick"):
            assert result.model.explain(study, 7, method=method).map.shape[0] >= 2


def _weights(run: Path) -> Any:
    from safetensors.numpy import load_file

    return load_file(run / "model" / "model.safetensors")


@pytest.mark.parametrize("method", ["tl-ba", "tl-bh"])
def test_a_loss_of_ones_own_trains_the_embedding(data: dict[str, Any], tmp_path: Path, method: str) -> None:
    seen: list[tuple[int, ...]] = []

    def spread(embeddings: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        assert labels.dtype == torch.int64
        seen.append(tuple(embeddings.shape))
        return -embeddings.var(0).mean()

    events: list[object] = []
    methods = [*FINETUNING]
    result = training.finetune(**data, method=method, loss=spread, out=tmp_path / "run", on_event=events.append)
    assert (16, 20) in seen
    assert result.model.card["method"]["name"] == f"{method}-own-loss"
    assert {type(event) for event in events} >= {training.Progress, training.LogLine}
    assert [*FINETUNING] == methods
    assert training.load_model(tmp_path / "run").classes == result.model.classes


class Spread(nn.Module):
    def forward(self, embeddings: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return -embeddings.var(0).mean()


@pytest.mark.parametrize(
    ("loss", "error", "sentence"),
    [
        (lambda embeddings, _: embeddings.detach().mean(), ValueError, "loss has no gradient"),
        (lambda embeddings, _: embeddings.mean(1), TypeError, r"a scalar tensor, not a tensor \(16,\)"),
        (lambda embeddings, _: 1.0, TypeError, "a scalar tensor, not float"),
        (Spread, TypeError, r"the class Spread: make one, Spread\(\)"),
    ],
)
def test_a_loss_that_cannot_train_is_a_sentence(
    data: dict[str, Any], tmp_path: Path, loss: Any, error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        training.finetune(**data, loss=loss, out=tmp_path / "run")


@pytest.mark.parametrize(
    "losses", [torch.zeros(()), Losses(torch.zeros(())), Losses(torch.zeros(3, requires_grad=True))]
)
def test_what_a_method_gives_instead_of_losses_is_a_sentence(
    data: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, losses: Any
) -> None:
    monkeypatch.setattr(Own, "losses_of", lambda *_: losses)
    with pytest.raises(TypeError, match=r"Own\.losses_of must give Losses\(total, terms\)"):
        training.finetune(**data, method="own", out=tmp_path / "run")


def test_a_model_whose_backbone_is_not_registered_says_so(data: dict[str, Any], tmp_path: Path) -> None:
    training.finetune(**data, method="own", out=tmp_path / "run")
    del BACKBONES["own"]
    with pytest.raises(training.UserError, match="there is no backbone 'own'") as raised:
        training.load_model(tmp_path / "run")
    assert "Install the package that adds the backbone" in raised.value.hint


def test_on_event_may_cancel(data: dict[str, Any], tmp_path: Path) -> None:
    def cancel(event: object) -> None:
        raise training.Cancelled

    with pytest.raises(training.Cancelled):
        training.finetune(**data, method="own", out=tmp_path / "run", on_event=cancel)


def test_a_name_is_given_once() -> None:
    class Other(Own):
        pass

    with pytest.raises(ValueError, match="already a method 'own'"):
        register_method(Other)


def test_without_imagenet_weights_a_sentence(data: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(training.UserError, match="no ImageNet weights of own"):
        training.finetune(**{**data, "init": "imagenet"}, out=tmp_path / "run")


def test_a_loss_of_another_library_trains_and_is_in_the_card(data: dict[str, Any], tmp_path: Path) -> None:
    from pytorch_metric_learning.losses import ContrastiveLoss

    result = training.finetune(**data, loss=ContrastiveLoss(neg_margin=0.5), out=tmp_path / "run")
    assert result.model.card["method"]["title"] == "ContrastiveLoss"


def test_a_package_adds_a_loss_that_other_processes_know(tmp_path: Path) -> None:
    """A package of one metadata file; the window's list of methods does not import it."""
    metadata = tmp_path / "packages" / "theirs-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n", encoding="utf-8")
    points = "[wce_desktop.losses]\ncontrastive = pytorch_metric_learning.losses:ContrastiveLoss\ntl-ba = a:b\n"
    (metadata / "entry_points.txt").write_text(points, encoding="utf-8")
    manifest = training.make_phantom(tmp_path, studies=3, frames=40, size_px=96, positive_share=0.2)
    listed = "import sys, training.methods.registry as r; print(*r.FINETUNING); sys.exit('torch' in sys.modules)"
    command = ["-m", "training", "finetune", "--studies", str(manifest), "--labels", str(tmp_path / "labels.csv")]
    command += ["--out", str(tmp_path / "run"), "--method", "contrastive", "--init", "random", "--device", "cpu"]
    for given in ("steps=2", "batch_size=8", "input_size=64", "least_frames=1", "threads=1", "backbone=resnet18"):
        command += ["--set", given]
    places = os.pathsep.join([str(tmp_path / "packages"), os.environ.get("PYTHONPATH", "")])
    for arguments in (["-c", listed], command):
        done = subprocess.run(
            [sys.executable, *arguments],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": places},
            cwd=Path(training.__file__).parents[1],
        )
        assert done.returncode == 0, done.stderr
        assert "tl-ba of an installed package cannot be used" in done.stderr
    card = training.load_model(tmp_path / "run").card
    assert card["method"]["name"] == "contrastive"
