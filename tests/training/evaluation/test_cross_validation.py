"""A whole cross-validation: the report folder, what it says, a stop, a resume, and what it refuses."""

import csv
import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.training.pretraining.tiny_studies import write_tiny_studies
from training.commands.shell import main
from training.datasets.findings import FindingRow, write_findings
from training.datasets.folds import Fold, make_folds
from training.datasets.frame_store import FrameStore
from training.datasets.labels import LabelRow, read_labels, write_labels
from training.datasets.manifest import load_manifest
from training.errors import UserError
from training.evaluation import fold_run
from training.evaluation.cross_validation import cross_validate
from training.evaluation.evaluate_config import EvaluateConfig, evaluate_config
from training.evaluation.evaluation_set import evaluation_set
from training.evaluation.fold_run import FoldScores, fold_pretraining, pretraining_manifest, run_fold
from training.evaluation.report_folder import ReportFolder
from training.finetuning.config import FinetuneConfig
from training.finetuning.fitting import Fitted, fit
from training.models.config import ModelConfig
from training.models.network import FrameClassifier, save_network
from training.runs.reporter import SilentReporter

pytestmark = pytest.mark.usefixtures("unrendered_plots")

QUICK: dict[str, Any] = {
    "init": "random",
    "backbone": "tiny",
    "steps": 2,
    "input_size": 32,
    "batch_size": 8,
    "folds": 2,
    "bootstraps": 50,
    "shown": 4,
}
PRETRAINING: dict[str, Any] = {
    "init": "random",
    "backbone": "tiny",
    "steps": 1,
    "input_size": 32,
    "sequence_length": 8,
    "workers": 0,
    "checkpoints_kept": 1,
}


def with_findings(folder: Path) -> Path:
    """Tiny studies whose polyps are findings."""
    write_tiny_studies(folder)
    rows = read_labels(folder / "labels.csv")
    named = [row if row.is_normal else row.model_copy(update={"finding_id": f"f-{row.study_id}"}) for row in rows]
    write_labels(folder / "labels.csv", named)
    sizes = {"P0-study": 4.0, "P1-study": 8.0, "P2-study": 12.0, "P3-study": None}
    write_findings(
        folder / "findings.csv",
        [
            FindingRow(finding_id=f"f-{s}", study_id=s, kind="polyp", size_mm=mm, morphology="sessile" if mm else "")
            for s, mm in sizes.items()
        ],
    )
    return folder


def config_of(folder: Path, out: Path, **changes: Any) -> EvaluateConfig:
    """A quick cross-validation of the studies in `folder`."""
    given = {"studies": folder / "manifest.json", "labels": folder / "labels.csv", "out": out, **QUICK, **changes}
    return evaluate_config(**given)


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four patients with a finding each."""
    return with_findings(tmp_path_factory.mktemp("studies"))


@pytest.fixture(scope="module")
def out(studies: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report made from the shell, with a pretraining in each fold."""
    folder = tmp_path_factory.mktemp("evaluation") / "report"
    arguments = ["evaluate", "--studies", str(studies / "manifest.json"), "--labels", str(studies / "labels.csv")]
    arguments += ["--out", str(folder), "--folds", "2", "--method", "cross-entropy", "--pretrain", "time-triplet"]
    arguments += [
        "--set",
        f"pretrain_settings={json.dumps(PRETRAINING)}",
        "--set",
        "pretrain_preset=smoke",
        "--set",
        "backbone=tiny",
    ]
    for name in ("steps", "input_size", "batch_size", "bootstraps", "shown"):
        arguments += ["--set", f"{name}={QUICK[name]}"]
    assert main([*arguments, "--device", "cpu"]) == 0
    return folder


@pytest.fixture(scope="module")
def report(out: Path) -> dict[str, Any]:
    """What the report says."""
    content: dict[str, Any] = json.loads((out / "report.json").read_text(encoding="utf-8"))
    return content


def test_the_report_says_what_others_read(report: dict[str, Any]) -> None:
    asked = ("method", "init", "preset", "split", "folds", "seeds", "classes", "steps", "label_share")
    assert [report[name] for name in asked] == [
        "cross-entropy", "time-triplet", "default", "patients", 2, [0], ["normal", "polyp"], [2], 1.0,
    ]  # fmt: skip
    assert [row["fold"] for row in report["folds_detail"]] == [0, 1]
    assert sorted(p for row in report["folds_detail"] for p in row["patients"]) == ["P0", "P1", "P2", "P3"]
    values = [row["figures"]["auc"] for row in report["folds_detail"]]
    assert report["mean"]["auc"]["mean"] == pytest.approx(np.mean(values))
    assert 0 <= report["pooled"]["low"] <= report["pooled"]["auc"] <= report["pooled"]["high"] <= 1
    assert set(report["per_class"]) == {"polyp", "normal"}
    assert report["findings"]["findings"] == 4
    assert report["dataset"]["described_findings"] == 3
    assert report["review_budget"]["patients"] == 4
    assert {"share", "frame_sensitivity", "finding_sensitivity"} == set(report["review_budget"]["rows"][0])
    assert len(report["guidelines"]) == 7
    assert any("Only 4 patients" in warning for warning in report["warnings"])
    assert "/" not in report["init"]


def test_each_fold_pretrained_without_those_whom_it_holds_out(out: Path, report: dict[str, Any]) -> None:
    for row in report["folds_detail"]:
        run = out / "pretrained" / f"fold-{row['fold']:02}-seed-0"
        split = json.loads((run / "split.json").read_text(encoding="utf-8"))
        assert split["training_patients"]
        assert not set(split["training_patients"]) & set(row["patients"])
        assert row["start"].startswith("pretrained")


def test_tables_hold_every_held_out_frame_once(out: Path, report: dict[str, Any]) -> None:
    with (out / "scores.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len({(row["study_id"], row["frame_index"]) for row in rows}) == len(rows) == 96
    for row in report["folds_detail"]:
        mine = {cells["patient_id"] for cells in rows if cells["fold"] == str(row["fold"] + 1)}
        assert mine == set(row["patients"])
    for name in ("folds.csv", "classes.csv", "findings.csv", "review_budget.csv", "imbalance.csv"):
        with (out / name).open(encoding="utf-8") as file:
            assert len({len(cells) for cells in csv.reader(file)}) == 1, name


def test_the_page_stands_on_its_own_and_its_links_lead_somewhere(out: Path) -> None:
    page = (out / "report.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 7, "the reliability curve is one of them"
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert "158 polyps" in page
    assert not re.search(r'(src|href)="https?://', page.replace("http://www.w3.org", ""))
    links = [link for link in re.findall(r'href="([^"#]+)"', page) if not link.startswith("http")]
    links.remove("tripod.html")
    sections = re.findall(r'href="report.html#([^"]+)"', (out / "tripod.html").read_text(encoding="utf-8"))
    assert set(sections) <= set(ids)
    assert all((out / picture).is_file() for picture in re.findall(r'<img src="([^"]+)"', page))
    assert links
    for link in links:
        other = (out / link).read_text(encoding="utf-8")
        pictures = re.findall(r'src="([^"]+)"', other)
        assert pictures
        assert all((out / "pages" / picture).stat().st_size > 1000 for picture in pictures)


class Stopping(SilentReporter):
    """Asks to stop once something is on disk."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def stop_requested(self) -> bool:  # type: ignore[override]
        """True as soon as one training is kept."""
        return any(self._folder.glob("trainings/*.npz"))


@pytest.fixture
def trained(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Trainings that take no time; (seed, fold) of each."""
    calls: list[tuple[int, int]] = []

    def run(_: EvaluateConfig, fold: Fold, store: FrameStore, __: Any, *, seed: int, **___: Any) -> FoldScores:
        calls.append((seed, fold.number))
        rng = np.random.default_rng([seed, fold.number])
        positive = np.clip(store.labelled.label[fold.held_out] * 0.3 + rng.random(len(fold.held_out)) * 0.7, 0, 1)
        scores = np.stack([1 - positive, positive], axis=1).astype(np.float32)
        return FoldScores(fold.number, seed, fold.held_out, scores, len(fold.training), 7, "random")

    monkeypatch.setattr(fold_run, "run_fold", run)
    return calls


def test_a_stop_keeps_finished_trainings_and_resume_gives_the_same_report(
    studies: Path, tmp_path: Path, trained: list[tuple[int, int]]
) -> None:
    whole = cross_validate(config_of(studies, tmp_path / "whole", seeds=2), SilentReporter())
    assert trained == [(0, 0), (0, 1), (1, 0), (1, 1)]
    trained.clear()
    stopped = tmp_path / "stopped"
    said = cross_validate(config_of(studies, stopped, seeds=2), Stopping(stopped))
    assert said == {"finished": False, "trainings_done": 1, "trainings": 4}
    assert not (stopped / "report.json").exists()
    trained.clear()
    resumed = cross_validate(config_of(studies, stopped, seeds=2, resume=True), SilentReporter())
    assert trained == [(0, 1), (1, 0), (1, 1)]
    for name in ("mean", "pooled", "findings", "review_budget", "imbalance", "curves", "folds_detail"):
        assert resumed[name] == whole[name], name
    trained.clear()
    cross_validate(config_of(studies, stopped, seeds=2, resume=True), SilentReporter())
    assert trained == []


def test_a_damaged_training_is_trained_again(studies: Path, tmp_path: Path, trained: list[tuple[int, int]]) -> None:
    first = cross_validate(config_of(studies, tmp_path / "r"), SilentReporter())
    (tmp_path / "r" / "trainings" / "fold-01-seed-0.npz").write_bytes(b"half")
    trained.clear()
    again = cross_validate(config_of(studies, tmp_path / "r", resume=True), SilentReporter())
    assert trained == [(0, 1)]
    assert again["pooled"] == first["pooled"]


def test_a_folder_that_holds_something_else_is_refused(
    studies: Path, tmp_path: Path, trained: list[tuple[int, int]]
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "note.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(UserError, match="is not empty"):
        cross_validate(config_of(studies, tmp_path / "full"), SilentReporter())
    cross_validate(config_of(studies, tmp_path / "r"), SilentReporter())
    with pytest.raises(UserError, match="started with steps = 2, not 3"):
        cross_validate(config_of(studies, tmp_path / "r", steps=3, resume=True), SilentReporter())
    older = json.loads((tmp_path / "r" / "config.json").read_text(encoding="utf-8"))
    del older["config"]["imbalance"]
    (tmp_path / "r" / "config.json").write_text(json.dumps(older), encoding="utf-8")
    with pytest.raises(UserError, match="started by an older version"):
        cross_validate(config_of(studies, tmp_path / "r", resume=True), SilentReporter())
    (tmp_path / "r" / "config.json").write_text("{", encoding="utf-8")
    with pytest.raises(UserError, match=r"its config\.json is missing or damaged"):
        cross_validate(config_of(studies, tmp_path / "r", resume=True), SilentReporter())


def test_labels_that_changed_since_are_told(tmp_path: Path, trained: list[tuple[int, int]]) -> None:
    folder = with_findings(tmp_path / "studies")
    cross_validate(config_of(folder, tmp_path / "r"), SilentReporter())
    write_labels(folder / "labels.csv", read_labels(folder / "labels.csv")[:-1])
    with pytest.raises(UserError, match="The labels have changed"):
        cross_validate(config_of(folder, tmp_path / "r", resume=True), SilentReporter())


def test_a_start_that_learned_from_a_held_out_patient_is_an_error_that_names_it(studies: Path, tmp_path: Path) -> None:
    network = FrameClassifier(ModelConfig(backbone="tiny", classes=("normal", "polyp"), input_size=32))
    save_network(network, tmp_path / "model", {"split": {"training_patients": ["P2", "X"]}})
    with pytest.raises(UserError, match="The patient P2 is held out in fold"):
        cross_validate(config_of(studies, tmp_path / "r", init=str(tmp_path / "model")), SilentReporter())


def test_nobody_held_out_stands_in_a_folds_manifest(studies: Path, tmp_path: Path) -> None:
    config = config_of(studies, tmp_path / "r", pretrain="time-triplet", pretrain_settings=PRETRAINING)
    frames = evaluation_set(config, SilentReporter()).labelled
    for fold in make_folds(frames, 2, 0, "patients"):
        asked = fold_pretraining(config, fold, pretraining_manifest(config), tmp_path / f"p{fold.number}", 3)
        assert asked.studies is not None
        patients = {study.patient_id for study in load_manifest(asked.studies).studies}
        assert patients == set(fold.training_patients)
        assert asked.held_out_patients == fold.held_out_patients
        assert (asked.init, asked.seed, asked.input_size) == ("random", 3, 32)  # as the settings of the pretraining say
    everyone = Fold(0, np.arange(1), np.arange(1), (), ("P0", "P1", "P2", "P3"))
    with pytest.raises(UserError, match="leaves no study to pretrain on"):
        fold_pretraining(config, everyone, pretraining_manifest(config), tmp_path / "p", 0)


def test_a_random_split_is_for_images_without_groups_and_told_in_the_report(
    studies: Path, tmp_path: Path, trained: list[tuple[int, int]]
) -> None:
    rows = [(f"frame{k:04}.png", "normal" if k < 12 else "polyp") for k in range(24)]
    labels = tmp_path / "images.csv"
    labels.write_text("filename,label\n" + "".join(f"{a},{b}\n" for a, b in rows), encoding="utf-8")
    given = {"studies": None, "images": studies / "P0", "labels": labels, "split": "random"}
    report = cross_validate(config_of(studies, tmp_path / "r", **given), SilentReporter())
    assert report["split"] == "random"
    assert any("split at random" in warning for warning in report["warnings"])
    assert "AT RANDOM" in (tmp_path / "r" / "report.html").read_text(encoding="utf-8")
    pretraining = {"pretrain": "simclr", "pretrain_studies": studies / "manifest.json"}
    with pytest.raises(UserError, match="needs patients"):
        cross_validate(config_of(studies, tmp_path / "s", **given, **pretraining), SilentReporter())


def test_many_frames_of_many_classes_are_seen_as_large_as_in_finetuning(
    studies: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"MANY_CLASSES": 2, "MANY_FRAMES": 4, "LARGE_INPUT": 48}.items():
        monkeypatch.setattr(f"training.finetuning.config.{name}", value)
    sizes = []

    def draw(pages: object, fold: object, network: FrameClassifier, *_: object) -> None:
        sizes.append(network.config.input_size)

    monkeypatch.setattr("training.evaluation.cross_validation.draw_fold", draw)
    given = {"init": "imagenet", "backbone": "efficientnet_lite0", "input_size": None}
    cross_validate(config_of(studies, tmp_path / "r", **given), SilentReporter())
    cross_validate(config_of(studies, tmp_path / "s", **given | {"input_size": 32}), SilentReporter())
    assert sizes == [48, 48, 32, 32]


def test_normal_frames_are_thinned_evenly_and_counted_with_what_they_stand_for(studies: Path, tmp_path: Path) -> None:
    data = evaluation_set(config_of(studies, tmp_path / "r", normal_per_study=4), SilentReporter())
    assert data.labelled.counts() == {"normal": 16, "polyp": 48}
    assert data.everything.counts() == {"normal": 48, "polyp": 48}
    assert data.labelled.frame_index[:4].tolist() == [0, 3, 6, 9]
    assert data.weight[:5].tolist() == [3, 3, 3, 3, 1]
    assert [len(finding.rows) for finding in data.findings] == [12] * 4
    assert [finding.size_mm for finding in data.findings] == [4.0, 8.0, 12.0, None]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"images": "x"}, "Give either studies"),
        ({"settings": {"steps": 3}}, "steps is a setting of evaluate"),
        ({"pretrain": "simclr", "init": "model"}, "init or pretrain, not both"),
        ({"split": "random"}, "Studies have patients"),
        ({"folds": 1}, "folds"),
        ({"label_share": 0.0}, "label_share"),
    ],
)
def test_settings_that_cannot_be_are_told(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(UserError, match=words):
        evaluate_config(**{"studies": "m.json", "labels": "l.csv", "out": "o", **changes})


class StoppingAtOnce(SilentReporter):
    """Asks to stop from the start."""

    stop_requested = True


def test_a_training_that_a_stop_cut_short_is_not_judged(studies: Path, tmp_path: Path) -> None:
    config = config_of(studies, tmp_path / "r")
    data = evaluation_set(config, SilentReporter())
    store = data.load(data.labelled, 32, tmp_path / "spill", SilentReporter())
    fold = make_folds(data.labelled, 2, 0, "patients")[0]
    assert run_fold(config, fold, store, StoppingAtOnce(), seed=0, init="random") is None


def test_without_matplotlib_the_figures_are_there_and_resume_writes_the_page(
    studies: Path, tmp_path: Path, trained: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []

    class Listening(SilentReporter):
        def log(self, line: str) -> None:
            said.append(line)

    with monkeypatch.context() as without:
        without.setitem(sys.modules, "matplotlib", None)
        without.setitem(sys.modules, "matplotlib.figure", None)
        cross_validate(config_of(studies, tmp_path / "r"), Listening())
    assert any("matplotlib" in line and "page is not written" in line for line in said)
    assert (tmp_path / "r" / "report.json").is_file()
    assert not (tmp_path / "r" / "report.html").exists()
    trained.clear()
    cross_validate(config_of(studies, tmp_path / "r", resume=True), SilentReporter())
    assert trained == []
    assert (tmp_path / "r" / "report.html").is_file()


def test_each_fold_is_trained_for_the_epochs_of_its_own_labels(tmp_path: Path) -> None:
    """Laiz et al. 2020, section 4.2: an epoch is over once all positive images of the training were seen."""
    folder = write_tiny_studies(tmp_path / "studies")
    rows = [row for row in read_labels(folder / "labels.csv") if row.study_id != "P0-study" or row.is_normal]
    write_labels(folder / "labels.csv", [*rows, LabelRow(study_id="P0-study", start=12, stop=16, label="polyp")])
    given = {"steps": None, "method": "cross-entropy", "settings": {"epochs": 3, "most_steps": 0}}
    report = cross_validate(config_of(folder, tmp_path / "r", **given), SilentReporter())
    learned = [40 - row["frames"]["polyp"] for row in report["folds_detail"]]
    assert sorted(learned) == [16, 24]
    assert [row["steps"] for row in report["folds_detail"]] == [3 * count // 4 for count in learned]


def test_an_imbalance_is_that_of_training_and_evaluation(
    studies: Path, tmp_path: Path, trained: list[tuple[int, int]]
) -> None:
    report = cross_validate(config_of(studies, tmp_path / "r", imbalance=2, merged_class="lesion"), SilentReporter())
    assert report["data"]["imbalance"] == 2
    for row in report["folds_detail"]:
        assert row["frames"] == {"normal": 24, "polyp": 12}
        assert row["learned_from"] == 36


def with_rejections(studies: Path, path: Path) -> None:
    """Labels of the tiny studies, with two frames of each on which polyp was rejected."""
    rejected = [
        LabelRow(study_id=f"P{at}-study", start=start, stop=start + 2, label="polyp", answer="no")
        for at, start in ((0, 2), (1, 4), (2, 6), (3, 8))
    ]
    rows = [row for row in read_labels(studies / "labels.csv") if not row.is_normal]
    normal = [LabelRow(study_id=f"P{at}-study", start=0, stop=2, label="normal") for at in range(4)]
    write_labels(path, [*rows, *normal, *rejected])


def test_a_fold_learns_from_rejections_of_other_patients_only(
    studies: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_rejections(studies, tmp_path / "labels.csv")
    learned: list[set[str]] = []

    def listening(config: FinetuneConfig, network: Any, training: FrameStore, *rest: Any, **more: Any) -> Fitted:
        (negatives,) = more["negatives"]
        learned.append(set(negatives.negatives.patients.tolist()))
        assert not learned[-1] - set(training.labelled.patients.tolist()), "a held-out patient"
        return fit(config, network, training, *rest, **more)

    monkeypatch.setattr(fold_run, "fit", listening)
    cross_validate(config_of(studies, tmp_path / "out", labels=tmp_path / "labels.csv"), SilentReporter())
    assert [len(patients) for patients in learned] == [2, 2]


def test_the_report_counts_rejections_and_says_what_they_mean(studies: Path, tmp_path: Path) -> None:
    with_rejections(studies, tmp_path / "labels.csv")
    config = config_of(studies, tmp_path / "out", labels=tmp_path / "labels.csv")
    report = cross_validate(config, SilentReporter())
    assert report["data"]["not_there"] == {"polyp": 8}
    assert report["data"]["not_there_sentence"].startswith("Frames on which a reader rejected a class: 8 polyp. ")
    assert [row["not_there"] for row in report["folds_detail"]] == [{"polyp": 4}, {"polyp": 4}]
    page = (tmp_path / "out" / "report.html").read_text()
    assert report["data"]["not_there_sentence"] in page
    assert "frames evaluated on which polyp was rejected" in page
    folder = ReportFolder(tmp_path / "out")
    for row in report["folds_detail"]:
        kept = folder.finished(row["fold"], row["seed"])
        assert kept is not None
        assert kept.absent_scores.shape == (4, 2)
        (tmp_path / "out" / "report.json").unlink(missing_ok=True)
    resumed = cross_validate(config_of(studies, tmp_path / "out", labels=config.labels, resume=True), SilentReporter())
    assert resumed["per_class"] == report["per_class"]


def test_a_report_without_rejections_says_nothing_of_them(
    studies: Path, tmp_path: Path, trained: list[tuple[int, int]]
) -> None:
    report = cross_validate(config_of(studies, tmp_path / "out"), SilentReporter())
    assert report["data"]["not_there"] == {}
    assert "was rejected" not in (tmp_path / "out" / "report.html").read_text()
