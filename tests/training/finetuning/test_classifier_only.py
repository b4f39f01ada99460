"""The classifier alone is trained: from stored embeddings without a video, and from videos where none are stored."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch

import training.video
from tests.training.finetuning.test_run import Listener, config
from tests.training.pretraining.tiny_studies import write_tiny_studies
from training.datasets.labels import read_labels, write_labels
from training.datasets.manifest import load_manifest
from training.datasets.usable_classes import usable_frames
from training.embeddings import EmbeddingFile, partial_path
from training.embeddings.importing import import_table
from training.embeddings.own_table import open_table
from training.embeddings.stored import StoredEmbeddings
from training.errors import UserError
from training.finetuning.classifier_only import keeps_network
from training.finetuning.config import FinetuneConfig
from training.finetuning.evaluation import CLASSIFIER_ONLY, LEARNED_FROM_ALL, REFITTED
from training.finetuning.live_head import PENALTY, fit_head, frames_to_learn
from training.finetuning.negatives import stored_rows
from training.finetuning.start import finetune
from training.inference.score import open_reusable, rescore, score_study
from training.inference.torch_engine import EMBEDDING, embed_unknown
from training.metrics.detector import auc
from training.models.folder import ModelFolder
from training.models.linear_classifier import read_classifier, same_network
from training.models.network import load_network
from training.runs.reporter import Cancelled, SilentReporter

STUDIES = ("P0-study", "P1-study", "P2-study", "P3-study")


class Scored(NamedTuple):
    """Four studies, a model, and the folder with its embeddings of them."""

    studies: Path
    model: ModelFolder
    embeddings: Path


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Scored:
    folder = tmp_path_factory.mktemp("scored")
    studies = write_tiny_studies(folder / "studies", kinds=("normal", "polyp", "blood"))
    made = finetune(config(studies, folder / "run", classes=("polyp",), steps=6), SilentReporter())
    model = ModelFolder.open(Path(made["model"]))
    for name in STUDIES:
        out = folder / "embeddings" / name / "embeddings-old.h5"
        score_study(studies / name.removesuffix("-study"), model, out, precision="float32", device="cpu")
    return Scored(studies, model, folder / "embeddings")


@pytest.fixture
def own(scored: Scored, tmp_path: Path) -> Scored:
    """With a copy of the embeddings that a test may damage."""
    shutil.copytree(scored.embeddings, tmp_path / "embeddings")
    return scored._replace(embeddings=tmp_path / "embeddings")


def update(scored: Scored, out: Path, **fields: Any) -> FinetuneConfig:
    plain = {"init": str(scored.model.path), "preset": "linear", "input_size": None, "steps": None}
    return config(scored.studies, out, **{**plain, "embeddings": scored.embeddings, **fields})


@pytest.fixture
def no_video(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a video was opened")

    monkeypatch.setattr(training.video, "open_source", refuse)


def assert_thresholds_are_its_own(new: ModelFolder, old: ModelFolder) -> None:
    """Of the normal frames that were held out now, for the new model's classes; not those of the model before."""
    pooled = new.card["operating_points"]["sources"][-1]
    assert pooled["normal_frames"] == new.card["data"]["judged_by"]["normal"] > 0
    assert set(pooled["thresholds"]) == {*new.config.classes[1:], "any"}
    before = old.card.get("operating_points", {}).get("sources")
    assert before is None or pooled["thresholds"] != before[-1]["thresholds"]


@pytest.mark.usefixtures("no_video")
def test_no_video_is_opened_where_all_embeddings_are_stored(scored: Scored, tmp_path: Path) -> None:
    listener = Listener()
    result = finetune(update(scored, tmp_path / "run"), listener)
    new = ModelFolder.open(Path(result["model"]))
    assert result["classes"] == ["normal", "polyp", "blood"]
    assert_thresholds_are_its_own(new, scored.model)
    assert "training frames: 72 stored, 0 to compute" in listener.said
    assert same_network(new.card) == {scored.model.sha256}
    assert str(tmp_path) not in json.dumps(new.card), "no path of this machine"
    assert str(scored.embeddings) not in json.dumps(new.card)
    before, after = (load_network(folder).state_dict() for folder in (scored.model, new))
    assert all(torch.equal(before[name], after[name]) for name in before if not name.startswith("classifier."))
    assert result["held_out"]["blood"]["auc"] > 0.9
    told = json.loads((tmp_path / "run" / "comparison.json").read_text())
    assert told["old"]["blood"]["auc"] is None
    assert told["new"] == {name: result["held_out"][name] for name in ("polyp", "blood")}
    assert told["stages"]["sentence"] == f"{CLASSIFIER_ONLY} {REFITTED}"
    assert json.loads((tmp_path / "run" / "split.json").read_text())["held_out"]["counts"]["blood"] > 0
    assert (result["finished"], result["steps_done"], new.card["lineage"]["model_id"]) == (
        True, 0, scored.model.config.model_id)  # fmt: skip


@pytest.mark.usefixtures("no_video")
def test_live_scores_become_a_model_of_the_labels_alone(scored: Scored, tmp_path: Path) -> None:
    labels = tmp_path / "labels.csv"
    write_labels(labels, [row for row in read_labels(scored.studies / "labels.csv") if row.label != "polyp"])
    result = finetune(update(scored, tmp_path / "run", preset="live", labels=labels), SilentReporter())
    new = ModelFolder.open(Path(result["model"]))
    assert new.config.classes == ("normal", "blood"), "the old model's polyp is not labelled"
    assert_thresholds_are_its_own(new, scored.model)
    assert same_network(new.card) == {scored.model.sha256}
    assert result["stages"]["sentence"] == LEARNED_FROM_ALL
    told = json.loads((tmp_path / "run" / "comparison.json").read_text())
    assert told["dropped"] == ["polyp"]
    split = json.loads((tmp_path / "run" / "split.json").read_text())
    assert split["held_out_patients"]

    manifest, rows = load_manifest(scored.studies / "manifest.json"), read_labels(labels)
    counts = {study.study_id: 36 for study in manifest.studies}
    frames = frames_to_learn(usable_frames(manifest, rows, counts, ("normal", "blood"), 1).frames)
    stored = StoredEmbeddings(scored.embeddings, scored.model.config, {scored.model.sha256}, SilentReporter())
    embeddings, _ = stored_rows(frames, stored)
    stored.close()
    expected = fit_head(frames, embeddings, PENALTY)
    found = read_classifier(new)
    np.testing.assert_allclose(found.scores(embeddings), expected.scores(embeddings), atol=1e-5)
    train = np.isin(frames.patients, split["training_patients"])
    evaluated = fit_head(frames.select(train), embeddings[train], PENALTY).scores(embeddings[~train])[:, 1]
    assert told["new"]["blood"]["auc"] == pytest.approx(auc(frames.label[~train] == 1, evaluated))


def test_a_classifier_of_labels_only_needs_a_model(scored: Scored, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="needs a model whose network it keeps"):
        finetune(update(scored, tmp_path / "run", preset="live", init="random"), SilentReporter())
    assert not (tmp_path / "run").exists()
    with pytest.raises(UserError, match="needs a model whose network it keeps"):
        finetune(update(scored, tmp_path / "run", preset="live", trained_layers=2), SilentReporter())


@pytest.mark.usefixtures("no_video")
def test_a_class_without_labels_is_kept_by_stored_embeddings(scored: Scored, tmp_path: Path) -> None:
    labels = tmp_path / "labels.csv"
    write_labels(labels, [row for row in read_labels(scored.studies / "labels.csv") if row.label != "polyp"])
    found = {}
    for name, frames in (("kept", 24), ("lost", 0)):
        asked = update(scored, tmp_path / name, labels=labels, rehearsal_frames=frames)
        result = finetune(asked, SilentReporter())
        found[name] = json.loads((tmp_path / name / "comparison.json").read_text())["unlabelled"]["polyp"]
        card = ModelFolder.open(Path(result["model"])).card
        assert ("24 frames keep" in card["unlabelled_sentence"]) == (name == "kept")
    kept, lost = found["kept"], found["lost"]
    assert kept["old_flagged"] == lost["old_flagged"] > 0
    changes = {name: abs(row["new_flagged"] - row["old_flagged"]) for name, row in found.items()}
    assert changes["kept"] < changes["lost"], found
    assert kept["agreement"] >= 0.98


def test_stored_and_fresh_embeddings_give_the_same_scores(scored: Scored, tmp_path: Path) -> None:
    """Stored embeddings are float16; scores differ by less than 0.005."""
    runs = {"stored": scored.embeddings, "fresh": None}
    models = [
        finetune(update(scored, tmp_path / name, embeddings=folder), SilentReporter())["model"]
        for name, folder in runs.items()
    ]
    with EmbeddingFile.open(scored.embeddings / STUDIES[0] / "embeddings-old.h5") as file:
        points = np.asarray(file.embeddings, np.float32)
    stored, fresh = (read_classifier(ModelFolder.open(Path(model))).scores(points) for model in models)
    assert np.abs(stored - fresh).max() < 0.005
    assert np.abs(stored - read_classifier(scored.model).with_rows(3).scores(points)).max() > 0.1


def test_other_starts_take_the_ordinary_way(scored: Scored, tmp_path: Path) -> None:
    """A new input size makes the network see other frames, so the ordinary way is taken."""
    size = scored.model.config.input_size
    assert keeps_network(update(scored, tmp_path / "a", input_size=size))
    other = update(scored, tmp_path / "b", input_size=2 * size)
    assert not keeps_network(other)
    result = finetune(other, SilentReporter())
    assert result["steps_done"] == 0
    assert result["stages"]["sentence"] == f"{CLASSIFIER_ONLY} {REFITTED}"
    assert same_network(ModelFolder.open(Path(result["model"])).card) == frozenset()
    assert not keeps_network(update(scored, tmp_path / "c", init="random"))


def test_no_torch_is_imported(scored: Scored, tmp_path: Path) -> None:
    code = (
        "import sys, json; from tests import tiny_backbone\n"
        "from training.finetuning.config import finetune_config\n"
        "from training.finetuning.start import finetune\n"
        "from training.runs.reporter import SilentReporter\n"
        "finetune(finetune_config(**json.loads(sys.argv[1])), SilentReporter())\n"
        "print([name for name in ('torch', 'av', 'cv2', 'sklearn') if name in sys.modules])"
    )
    asked = update(scored, tmp_path / "run").model_dump(mode="json", exclude_none=True)
    done = subprocess.run([sys.executable, "-c", code, json.dumps(asked)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_study_without_embeddings_is_read_from_its_video(own: Scored, tmp_path: Path) -> None:
    shutil.rmtree(own.embeddings / STUDIES[0])
    listener = Listener()
    result = finetune(update(own, tmp_path / "run"), listener)
    whole = finetune(update(own, tmp_path / "fresh", embeddings=None), SilentReporter())
    assert "frames: 48 stored, 24 to compute" in listener.said
    assert result["held_out"].keys() == whole["held_out"].keys()
    assert (tmp_path / "run" / "split.json").read_text() == (tmp_path / "fresh" / "split.json").read_text()


def truncate(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def leave_half_written(file: Path) -> None:
    file.rename(partial_path(file))


def of_another_model(file: Path) -> None:
    content = file.read_bytes()
    with EmbeddingFile.open(file) as opened:
        digest = opened.header.model_sha256.encode()
    file.write_bytes(content.replace(digest, digest[::-1]))


@pytest.mark.parametrize("damage", [truncate, leave_half_written, of_another_model])
def test_unusable_embeddings_are_computed_again(own: Scored, tmp_path: Path, damage: Callable[[Path], None]) -> None:
    for name in STUDIES:
        damage(own.embeddings / name / "embeddings-old.h5")
    listener = Listener()
    result = finetune(update(own, tmp_path / "run"), listener)
    fresh = finetune(update(own, tmp_path / "fresh", embeddings=None), SilentReporter())
    assert "training frames: 0 stored" in listener.said
    assert ("Stored embeddings are not used" in listener.said) == (damage is truncate)
    ours, theirs = (read_classifier(ModelFolder.open(Path(one["model"]))) for one in (result, fresh))
    assert np.array_equal(ours.weight, theirs.weight)


def test_embeddings_of_another_video_are_not_used(own: Scored, tmp_path: Path) -> None:
    first, second = (own.embeddings / name / "embeddings-old.h5" for name in STUDIES[:2])
    shutil.copyfile(second, first)
    listener = Listener()
    finetune(update(own, tmp_path / "run"), listener)
    assert "frames: 48 stored, 24 to compute" in listener.said


def test_frames_that_do_not_decode_are_left_out(own: Scored, tmp_path: Path) -> None:
    file = own.embeddings / STUDIES[0] / "embeddings-old.h5"
    with EmbeddingFile.open(file) as opened:
        offset = opened._tables["embeddings"].offset
        width = opened.embeddings.shape[1]
    content = bytearray(file.read_bytes())
    content[offset + 6 * width : offset + 8 * width] = np.full(width, np.nan, "<f2").tobytes()  # frame 3
    file.write_bytes(content)
    listener = Listener()
    finetune(update(own, tmp_path / "run"), listener)
    assert "1 labelled frames of study P0-study cannot be decoded and are left out: 3" in listener.said


def test_the_first_of_two_stages_reads_them_too(
    scored: Scored, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []

    def watched(*arguments: Any) -> Any:
        seen.append(0 if arguments[-1] is None else int(np.isfinite(arguments[-1]).all(axis=1).sum()))
        return embed_unknown(*arguments)

    monkeypatch.setattr("training.finetuning.linear_stage.embed_unknown", watched)
    asked = update(scored, tmp_path / "run", preset="default", linear_start=True, steps=2, refit=False)
    finetune(asked, SilentReporter())
    assert seen == [72]


@pytest.mark.parametrize("used", ["linear", "network"])
def test_a_first_stage_that_wins_keeps_the_network(
    scored: Scored, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, used: str
) -> None:
    monkeypatch.setattr("training.finetuning.run.better_stage", lambda *_: used)
    asked = update(scored, tmp_path / "run", preset="default", linear_start=True, steps=2, evaluations=0)
    new = ModelFolder.open(Path(finetune(asked, SilentReporter())["model"]))
    before, after = (load_network(folder).state_dict() for folder in (scored.model, new))
    is_same = all(torch.equal(before[name], after[name]) for name in before if not name.startswith("classifier."))
    assert is_same == (used == "linear")
    assert same_network(new.card) == ({scored.model.sha256} if is_same else frozenset())


def test_a_damaged_model_is_told(own: Scored, tmp_path: Path) -> None:
    shutil.copytree(own.model.path, tmp_path / "model")
    weights = tmp_path / "model" / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-4] + b"abcd")
    with pytest.raises(UserError, match="wrong hash"):
        finetune(update(own, tmp_path / "run", init=str(tmp_path / "model")), SilentReporter())
    assert not (tmp_path / "run").exists()


class Counter(Listener):
    """Remembers the progress of computing embeddings, and asks for a stop after some of it."""

    def __init__(self, stop_at: int = 1 << 30) -> None:
        super().__init__()
        self.computed: list[tuple[int, int]] = []
        self._stop_at = stop_at

    @property
    def stop_requested(self) -> bool:  # type: ignore[override]
        return bool(self.computed) and self.computed[-1][0] >= self._stop_at

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        if what == EMBEDDING:
            self.computed.append((done, total))


def test_frames_to_compute_are_counted_once_for_all_sides(own: Scored, tmp_path: Path) -> None:
    shutil.rmtree(own.embeddings / STUDIES[0])
    shutil.rmtree(own.embeddings / STUDIES[3])
    listener = Counter()
    result = finetune(update(own, tmp_path / "run"), listener)
    done, totals = zip(*listener.computed, strict=True)
    assert set(totals) == {done[-1]}
    assert (done[0], list(done)) == (0, sorted(done))
    assert done[-1] == sum(
        int(line.split(" to compute")[0].split()[-1]) for line in listener.lines if "compute" in line
    )
    assert set(result["speeds"]) == {"reading_per_second", "forward_per_second", "seconds"}


def test_a_stop_ends_the_computing_and_leaves_no_model(own: Scored, tmp_path: Path) -> None:
    asked = update(own, tmp_path / "run", embeddings=None)
    listener = Counter(stop_at=1)
    with pytest.raises(Cancelled):
        finetune(asked, listener)
    assert 0 < listener.computed[-1][0] < listener.computed[-1][1]
    assert not (tmp_path / "run" / "model").exists()
    assert not list((tmp_path / "run").glob("*.tmp"))
    assert finetune(asked.model_copy(update={"resume": True}), SilentReporter())["finished"]


@pytest.mark.parametrize("preset", ["live", "linear"])
@pytest.mark.usefixtures("no_video")
def test_a_classifier_of_imported_embeddings(scored: Scored, tmp_path: Path, preset: str) -> None:
    """The model has neither network nor classifier; frames without an embedding are left out."""
    old, imported = scored.model, tmp_path / "own-vit"
    for name in STUDIES:
        with EmbeddingFile.open(scored.embeddings / name / "embeddings-old.h5") as file:
            rows = np.arange(len(file)) % 7 != 3
            np.savez(tmp_path / "a.npz", embeddings=file.embeddings[rows], frame_index=file.frame_index[rows])
        index = training.video.build_index(scored.studies / name.removesuffix("-study"))
        out = tmp_path / "embeddings" / name / "embeddings-own-vit.h5"
        import_table(open_table(tmp_path / "a.npz"), index, imported, out, SilentReporter())
    given = update(scored, tmp_path / "run", init=str(imported), preset=preset, embeddings=tmp_path / "embeddings")
    made = finetune(given, SilentReporter())
    model = ModelFolder.open(Path(made["model"]))
    assert made["comparison"] is None
    assert model.config.is_imported
    assert model.has_classifier
    assert model.config.embedding_size == old.config.embedding_size
    assert same_network(model.card) == {ModelFolder.open(imported).sha256}
    reused = open_reusable(out, model, scored.studies / name.removesuffix("-study"))
    with reused:
        rescore(reused, model, tmp_path / "new.h5", SilentReporter())
    with EmbeddingFile.open(tmp_path / "new.h5") as file:
        assert file.scores is not None
        assert np.isnan(file.scores[:, 0]).tolist() == (~rows).tolist()
    with pytest.raises(UserError, match="has no network"):
        load_network(model)
    with pytest.raises(UserError, match="has no network"):
        finetune(update(scored, tmp_path / "full", init=str(imported), preset="quick", steps=1), SilentReporter())


@pytest.mark.usefixtures("no_video")
def test_held_out_studies_without_imported_embeddings_give_a_model_without_figures(
    scored: Scored, tmp_path: Path
) -> None:
    first, *_ = STUDIES
    imported, folder = tmp_path / "own-vit", tmp_path / "embeddings"
    with EmbeddingFile.open(scored.embeddings / first / "embeddings-old.h5") as file:
        np.savez(tmp_path / "a.npz", embeddings=file.embeddings, frame_index=file.frame_index)
    index = training.video.build_index(scored.studies / first.removesuffix("-study"))
    import_table(
        open_table(tmp_path / "a.npz"), index, imported, folder / first / "embeddings-own-vit.h5", SilentReporter()
    )
    made = finetune(
        update(scored, tmp_path / "run", init=str(imported), preset="live", embeddings=folder), SilentReporter()
    )
    assert "calibration" not in ModelFolder.open(Path(made["model"])).card
