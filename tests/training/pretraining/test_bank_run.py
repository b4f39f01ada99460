"""Pretrainings that remember every frame, as a whole: from studies and from images, resumed, and refused."""

import csv
import json
import math
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.training.finetuning.test_run import Listener
from tests.training.pretraining.test_run import curve, kept
from tests.training.pretraining.tiny_studies import write_tiny_studies
from training.datasets.sequences import SequenceSpan, pseudo_labels
from training.errors import UserError
from training.losses.memory_bank import MemoryBank
from training.methods.bank_method import BankMethod, BankSettings, with_negatives
from training.methods.pgcon_heads import PriorPretrainer
from training.optimisation.gradients import RunningStatistics
from training.optimisation.schedule import rate_factor
from training.pretraining.batches import FrameRows
from training.pretraining.config import PretrainConfig, pretrain_config
from training.pretraining.folder import PretrainFolder
from training.pretraining.pretrained import Pretrained
from training.pretraining.recorder import CollapseWatch, PretrainRecorder
from training.pretraining.run import pretrain
from training.pretraining.start import load_pretrainer
from training.pretraining.view_probe import KeptViews, ViewProbe
from training.projection.config import EvolutionConfig
from training.projection.evolution import EvolutionFile, make_evolution
from training.runs.checkpoint import list_checkpoints
from training.runs.folder import Point
from training.runs.reporter import SilentReporter

METHODS = ("pgcon", "wincon", "pirl")
SMALL: dict[str, Any] = {
    "init": "random", "backbone": "tiny", "input_size": 32, "frame_size": 48, "prior_size": 32, "tile_size": 32,
    "win_size": 32, "sequences": 6, "steps": 4, "negatives": 10, "workers": 0, "device": "cpu",
    "precision": "float32", "checkpoint_seconds": 1e9, "checkpoints_kept": 2, "threads": 1, "learning_rate": 0.01,
}  # fmt: skip


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_studies(tmp_path_factory.mktemp("tiny"), patients=3, frames=12)


@pytest.fixture(scope="module")
def images(studies: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same pictures in one folder for each patient, and labels.csv with their groups."""
    folder = tmp_path_factory.mktemp("images")
    rows = []
    for patient in ("P0", "P1", "P2"):
        shutil.copytree(studies / patient, folder / patient)
        for number, path in enumerate(sorted((folder / patient).iterdir())):
            rows.append((f"{patient}/{path.name}", "normal" if number < 6 else "polyp", patient))
    with (folder / "labels.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("filename", "label", "group"), *rows])
    return folder


def small(method: str) -> dict[str, Any]:
    """Those of the smallest settings that the method has."""
    known = PretrainConfig.of(method).model_fields
    return {"method": method, **{name: value for name, value in SMALL.items() if name in known}}


def config(studies: Path, out: Path, **fields: Any) -> PretrainConfig:
    where = {} if fields.get("images", Path()) != Path() else {"studies": studies / "manifest.json"}
    method = fields.pop("method", "pgcon")
    return pretrain_config(**{**small(method), **where, "out": out, **fields})


def test_twenty_steps_of_each_method_write_a_run(studies: Path, tmp_path: Path) -> None:
    steps = {"pgcon": 20, "wincon": 2, "pirl": 2}
    for method in METHODS:
        run = tmp_path / method
        asked = config(
            studies,
            run,
            method=method,
            steps=steps[method],
            sequences=4,
            checkpoints_kept=10 if method == "pgcon" else 2,
        )
        result = pretrain(asked, SilentReporter())
        assert (result["finished"], result["frames"], result["patients"]) == (True, 36, 3)
        for row in curve(run):
            assert float(row["loss"]) == pytest.approx((float(row["memory_term"]) + float(row["view_term"])) / 2)
            assert 0.0 <= float(row["negatives_ahead"]) <= 1.0
        names = set(kept(run)[f"step-{steps[method]:06d}.safetensors"])
        assert not any(name.startswith("bank.") for name in names)  # as large as the data
        assert {"head.1.weight", "jigsaw.tile.weight", "jigsaw.puzzle.weight"} <= names
        assert list_checkpoints(run / "checkpoints")[0].state()["bank.vectors"].shape == (36, 128)
        assert load_pretrainer(Pretrained.open(run))(torch.zeros(2, 3, 32, 32)).projection.shape == (2, 128)
        assert not list(run.glob("*.tmp"))
    assert len(kept(tmp_path / "pgcon")) == 11
    assert len(list((tmp_path / "pgcon" / "views").iterdir())) == 11


def test_to_keep_views_changes_nothing_of_what_is_learned(studies: Path, tmp_path: Path) -> None:
    for often in (1, 4):
        pretrain(config(studies, tmp_path / f"run{often}", checkpoints_kept=often), SilentReporter())
    seldom, often_kept = (kept(tmp_path / f"run{often}")["step-000004.safetensors"] for often in (1, 4))
    assert seldom.keys() == often_kept.keys()
    for name, tensor in seldom.items():
        assert torch.equal(tensor, often_kept[name]), name


def test_kept_views_are_normalised_by_their_own_batch(
    studies: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the running statistics hold, a mixture of prior views and tiles, must not be seen in them."""
    real = ViewProbe.__call__

    def after_strange_batches(self: ViewProbe, step: int) -> None:
        statistics = RunningStatistics(self._method.network)
        before = statistics.read()
        statistics.write(before + 3.0)
        real(self, step)
        assert torch.equal(statistics.read(), before + 3.0)
        statistics.write(before)

    asked = {"steps": 1, "checkpoints_kept": 1}
    pretrain(config(studies, tmp_path / "usual", **asked), SilentReporter())
    monkeypatch.setattr(ViewProbe, "__call__", after_strange_batches)
    pretrain(config(studies, tmp_path / "strange", **asked), SilentReporter())
    usual, strange = (KeptViews.open(tmp_path / run / "views" / "step-000000.npz") for run in ("usual", "strange"))
    assert np.array_equal(usual.vectors, strange.vectors)
    assert len(usual.vectors) > 36


def test_the_views_of_the_same_frames_are_kept_at_each_kept_step(studies: Path, tmp_path: Path) -> None:
    pretrain(config(studies, tmp_path / "run", method="wincon"), SilentReporter())
    found = [KeptViews.open(path) for path in sorted((tmp_path / "run" / "views").iterdir())]
    assert [each.step for each in found] == [0, 2, 4]
    first, last = found[0], found[-1]
    assert first.kinds == ("prior", "distorted", "win", "negative")
    counts = np.bincount(first.kind)
    assert len(set(counts.tolist())) == 1
    assert counts[0] >= 36
    for name in ("kind", "study", "frame_index"):
        assert np.array_equal(getattr(first, name), getattr(last, name))
    assert not np.allclose(first.vectors, last.vectors)
    lengths = np.linalg.norm(last.vectors[last.kind < 3], axis=1)
    assert np.allclose(lengths, 1.0, atol=1e-2)
    assert first.frame_index.max() < 12
    asked = {"run": tmp_path / "run", "space": "views", "out": tmp_path / "evolution.npz"}
    told = make_evolution(EvolutionConfig.model_validate(asked), SilentReporter())
    evolution = EvolutionFile.open(tmp_path / "evolution.npz")
    assert told["steps"] == evolution.steps.tolist() == [0, 2, 4]
    assert evolution.labels == ("prior view", "distorted view", "without the prior view", "negatives (memory)")
    assert evolution.study_ids == ("P0-study", "P1-study", "P2-study")
    assert np.array_equal(evolution.label, last.kind)
    with pytest.raises(UserError, match="has no stored views"):
        make_evolution(EvolutionConfig.model_validate({**asked, "run": tmp_path}), SilentReporter())
    (tmp_path / "views.npz").write_bytes(b"no views")
    with pytest.raises(UserError, match="are damaged"):
        KeptViews.open(tmp_path / "views.npz")


def test_images_in_groups_are_pretrained_on_and_groups_held_out(studies: Path, images: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    listener = Listener()
    result = pretrain(
        config(
            studies, run, images=images, labels=images / "labels.csv", held_out_patients=("P1",), evaluations=1, steps=2
        ),
        listener,
    )
    assert (result["frames"], result["patients"]) == (24, 2)
    assert 0.0 <= result["knn"] <= 1.0
    assert "12 images of 1 held-out groups are left out." in listener.said
    assert Pretrained.open(run).patients == {"P0", "P2"}
    assert Pretrained.open(run).config.images == images
    again = pretrain(config(studies, run, images=images, steps=2, resume=True), SilentReporter())
    assert again["steps_done"] == 2


def test_images_without_a_table_are_grouped_by_folder_and_simclr_takes_them_too(images: Path, tmp_path: Path) -> None:
    broken = tmp_path / "images"
    shutil.copytree(images, broken)
    (broken / "P0" / "frame0003.png").write_bytes(b"not a picture")
    listener = Listener()
    asked = pretrain_config(**{**small("simclr"), "sequences": 36, "images": broken, "out": tmp_path / "run"})
    result = pretrain(asked.model_copy(update={"steps": 2}), listener)
    assert (result["frames"], result["patients"]) == (36, 3)
    assert listener.said.count("Some images of group P0 cannot be read") == 1


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"sequences": 1}, "at least two frames in a batch"),
        ({"sequences": 37}, "batch of 37 different frames cannot be drawn from 36"),
        ({"frame_size": None, "input_size": 32, "prior_share": 2.0}, "setting prior_share cannot be used"),
        ({"zoom": 0.1}, "the setting zoom belongs to time-triplet, simclr, not to pgcon"),
        ({"images": Path()}, "give either studies or images"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(fields: dict[str, Any], said: str, studies: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=said):
        pretrain(config(studies, tmp_path / "run", **fields), SilentReporter())
    assert not (tmp_path / "run").exists()


def test_time_needs_video(images: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="time-triplet needs video"):
        pretrain_config(method="time-triplet", images=images, out=tmp_path)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("filename,label\na.png,\n", "does not exist"),
        ("filename,group\nP0/frame0000.png,x\nP0/frame0000.png,y\n", "is listed twice"),
        ("name\nP0/frame0000.png\n", "has no column filename"),
    ],
)
def test_a_table_that_does_not_fit_the_folder_is_told(table: str, said: str, images: Path, tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text(table)
    with pytest.raises(UserError, match=said):
        pretrain(config(images, tmp_path / "run", images=images, labels=tmp_path / "labels.csv"), SilentReporter())
    with pytest.raises(UserError, match="There is no folder"):
        pretrain(config(images, tmp_path / "run", images=tmp_path / "nowhere"), SilentReporter())


def test_all_black_frames_are_told_and_trained_on_without_a_number_that_is_none(tmp_path: Path) -> None:
    import cv2

    for number in range(8):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.zeros((64, 64, 3), np.uint8))
    listener, run = Listener(), tmp_path / "run"
    result = pretrain(config(tmp_path, run, images=tmp_path, steps=2), listener)
    assert result["steps_done"] == 2
    assert all(math.isfinite(float(row["loss"])) for row in curve(run))
    told = (
        "12 of 12 frames have no red region (black, without red, or without a field of view): "
        "their prior view is the middle of the frame."
    )
    assert listener.said.count(told) == 1
    card = json.loads((run / "card.json").read_text())
    assert told in card["warning"]
    assert card["warning"] == result["warning"]
    assert card["data"]["prior_views"] == {"frames": 12, "in_the_middle": 12, "since_step": 0}


def test_the_defaults_are_the_papers() -> None:
    for method in METHODS:
        asked = pretrain_config(studies="m.json", out="run", method=method)
        assert (asked.backbone, asked.optimizer, asked.batch_frames, asked.epochs) == ("resnet50", "sgd", 64, 600)
        assert isinstance(asked, BankSettings)
        assert (asked.temperature, asked.negatives, asked.memory_weight, asked.view_weight) == (0.07, 200, 0.5, 0.5)
        assert (asked.projection, asked.prior_size) == ((128,), 120)
        steps = asked.steps_for(6400)
        assert steps == 60_000
        ends = [asked.learning_rate * rate_factor(asked, at, steps, asked.final_rate_share) for at in (0, steps - 1)]
        assert ends == pytest.approx([0.012, 1.2e-5], rel=1e-3)
    assert pretrain_config(studies="m.json", out="run", method="pgcon", steps=7).steps_for(6400) == 7
    assert pretrain_config(studies="m.json", out="run", method="pgcon", preset="smoke").steps_for(6400) == 20
    assert pretrain_config(studies="m.json", out="run", method="pgcon", epochs=2, steps=7).steps_for(64) == 2
    assert pretrain_config(studies="m.json", out="run").steps_for(6400) == 21_000


def test_every_frame_has_a_row_of_its_own() -> None:
    spans = (SequenceSpan(2, 7, 30, 40), SequenceSpan(0, 1, 50, 55), SequenceSpan(0, 1, 5, 9))
    rows = FrameRows(spans)
    found = [
        rows(torch.from_numpy(pseudo_labels(span.gamma, np.arange(span.start, span.stop), 2))).tolist()
        for span in spans
    ]
    assert found == [list(range(9, 19)), list(range(4, 9)), list(range(4))]
    assert rows.count == 19
    study, frame = rows.frames(np.arange(19))
    assert study.tolist() == [0] * 9 + [2] * 10
    assert frame.tolist() == [*range(5, 9), *range(50, 55), *range(30, 40)]


def chance_terms(asked: PretrainConfig, frames: int) -> dict[str, float]:
    """Of a method with so many frames in its bank."""
    network = PriorPretrainer("tiny", (8,))
    network.bank = MemoryBank(frames, 8)
    return asked.method_class(network, asked).chance_terms()


def at_chance(watch: CollapseWatch, memory: float, view: float) -> list[str]:
    """What is said along a curve whose terms stand there."""
    terms = {"memory_term": memory, "view_term": view}
    return [
        watch.look(Point(step, (memory + view) / 2, terms, {"negatives_ahead": 1.0}, 0.01, 5.0, 1.0))
        for step in range(1, 140)
    ]


def test_a_contrast_at_chance_is_told_after_a_while() -> None:
    asked = pretrain_config(studies="m.json", out="run", method="wincon")
    terms = chance_terms(asked, 1000)
    chance = math.log(1 + 200 + 64)
    assert terms == pytest.approx({"memory_term": chance, "view_term": chance})
    said = at_chance(CollapseWatch(0.0, terms), chance, chance)
    assert not any(said[:99])
    assert sum(map(bool, said)) == 1
    assert "no better than chance" in next(filter(None, said))
    assert not any(at_chance(CollapseWatch(0.0, terms), 4.0, 4.0))
    assert not any(at_chance(CollapseWatch(0.0, terms), chance + 2.0, chance - 2.0))
    memory_alone = chance_terms(asked.model_copy(update={"view_weight": 0.0}), 1000)
    assert any(at_chance(CollapseWatch(0.0, memory_alone), chance, chance + 2.0))


@pytest.mark.parametrize("method", METHODS)
def test_chance_counts_the_negatives_that_there_are(method: str) -> None:
    """All vectors alike, as the method itself sees them: of 64 frames none has 200 others."""
    asked = pretrain_config(studies="m.json", out="run", method=method, sequences=4, backbone="tiny")
    network = PriorPretrainer("tiny", (8,))
    for frames in (64, 201, 202):
        network.bank = MemoryBank(frames, 8)
        network.bank.vectors[:] = torch.ones(8)
        made = asked.method_class(network, asked)
        assert isinstance(made, BankMethod)
        labels = with_negatives(torch.arange(4), frames, made.settings.negatives, torch.Generator(), shared=False)
        losses = made.losses_of(torch.ones(4, len(made.view_names), 8), labels)
        terms = {name: float(term) for name, term in losses.terms.items()}
        assert terms == pytest.approx(made.chance_terms(), rel=1e-3)
        assert any(at_chance(CollapseWatch(0.0, made.chance_terms()), *terms.values()))


def test_the_watch_of_a_run_knows_how_many_frames_it_remembers(
    studies: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("training.pretraining.recorder.PATIENCE", 2)
    monkeypatch.setattr("training.pretraining.recorder.RECENT", 2)
    asked = config(studies, tmp_path / "run", steps=2, negatives=200, checkpoints_kept=1)
    network = PriorPretrainer("tiny", (8,))
    network.bank = MemoryBank(36, 8)
    folder = PretrainFolder(asked.out)
    folder.create(asked)
    with PretrainRecorder(
        asked,
        folder,
        asked.method_class(network, asked),
        None,
        None,
        0,
        SilentReporter(),
    ) as course:
        for step in (1, 2):
            terms = dict.fromkeys(("memory_term", "view_term"), math.log(36))
            course.add(Point(step, math.log(36), terms, {"negatives_ahead": 1.0}, 0.01, 5.0, 1.0))
    assert "no better than chance" in course.warning
