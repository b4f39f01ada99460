"""Making a map: from embedding files to a picture that moves, stops, goes on, and comes out the same."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.training.projection.embedded_studies import CLOUDS, write_embeddings, write_rows
from tests.warm_python import warm_python
from training.datasets.labels import LabelRow, write_labels
from training.datasets.manifest import Manifest, StudyEntry, StudySpan, save_manifest
from training.errors import UserError
from training.projection import map_making as run
from training.projection.config import ProjectConfig
from training.projection.map_file import ProjectionFile
from training.projection.map_making import project
from training.runs.reporter import Cancelled, SilentReporter


class Watcher(SilentReporter):
    """Keeps what it is told; asks to stop or to cancel once a picture of step `until` has come."""

    def __init__(self, until: int = 10**9, *, cancel: bool = False) -> None:
        self.until, self.cancel = until, cancel
        self.pictures: list[tuple[int, str, np.ndarray[Any, Any]]] = []
        self.lines: list[str] = []
        self.stop_requested = False

    def check(self) -> None:
        if self.cancel and self.pictures and self.pictures[-1][0] >= self.until:
            raise Cancelled

    def partial(self, name: str, payload: Mapping[str, Any]) -> None:
        assert name == "map"
        self.pictures.append((payload["iteration"], payload["what"], np.load(payload["path"])))
        assert len(ProjectionFile.open(Path(payload["file"]))) == len(self.pictures[-1][2])
        self.stop_requested = not self.cancel and payload["iteration"] >= self.until

    def log(self, line: str) -> None:
        self.lines.append(line)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("embeddings")
    return write_embeddings(folder / "A.h5", 80, 1, missing=(5, 6)), write_embeddings(folder / "B.h5", 60, 2)


def config(files: tuple[Path, ...], out: Path, **fields: Any) -> ProjectConfig:
    plain: dict[str, Any] = {"embeddings": files, "out": out, "threads": 1, "iterations": 60, "step": 10}
    return ProjectConfig.model_validate({**plain, "perplexity": 10, "exaggeration_iterations": 20, **fields})


def test_principal_components_come_first_then_the_picture_moves(files: tuple[Path, Path], tmp_path: Path) -> None:
    watcher = Watcher()
    told = project(config(files, tmp_path / "map.npz"), watcher)
    assert [picture[0] for picture in watcher.pictures] == [0, 10, 20, 30, 40, 50, 60]
    assert [picture[1] for picture in watcher.pictures][::3] == ["PCA", "t-SNE", "t-SNE"]
    assert told["points"] == 138
    assert told["notes"] == ["2 frames have no embedding and are left out."]
    made = ProjectionFile.open(tmp_path / "map.npz")
    assert (made.study_ids, made.method, made.iteration, made.is_complete) == (("A", "B"), "tsne", 60, True)
    assert np.array_equal(made.coordinates, watcher.pictures[-1][2])
    assert np.array_equal(made.frame_index, [*(k for k in range(80) if k not in (5, 6)), *range(60)])
    assert np.array_equal(made.video_seconds, made.frame_index / 3)
    assert made.parameters["seed"] == 0
    assert made.model.model_id == "m1"
    # frames of a cloud lie beside frames of the same cloud, of either study
    cloud = made.frame_index * CLOUDS // np.where(made.study == 0, 80, 60)
    distances = ((made.coordinates[:, None] - made.coordinates) ** 2).sum(axis=2)
    np.fill_diagonal(distances, np.inf)
    assert (cloud[distances.argmin(axis=1)] == cloud).mean() > 0.98
    assert [path.name for path in tmp_path.iterdir()] == ["map.npz"]


def test_the_same_seed_gives_the_same_map_also_when_it_was_stopped(files: tuple[Path, Path], tmp_path: Path) -> None:
    project(config(files, tmp_path / "whole.npz", sample=90), SilentReporter())
    whole = ProjectionFile.open(tmp_path / "whole.npz")
    assert 88 <= len(whole) <= 90  # two frames of the file do not decode
    out = tmp_path / "map.npz"
    told = project(config(files, out, sample=90), Watcher(until=10))
    assert (told["complete"], told["iteration"]) == (False, 10)
    assert not ProjectionFile.open(out).is_complete
    with pytest.raises(Cancelled):
        project(config(files, out, sample=90, resume=True), Watcher(until=30, cancel=True))
    watcher = Watcher()
    told = project(config(files, out, sample=90, resume=True), watcher)
    assert told["complete"]
    assert watcher.pictures[0][0] == 40  # what the cancelled call had kept counts
    again = ProjectionFile.open(out)
    for name in ("study", "frame_index", "coordinates"):
        assert np.array_equal(getattr(again, name), getattr(whole, name))
    project(config(files, out, sample=90, resume=True), watcher)
    assert watcher.lines[-1] == "map.npz is already finished."
    project(config(files, tmp_path / "other.npz", sample=90, seed=1), SilentReporter())
    other = ProjectionFile.open(tmp_path / "other.npz")
    assert not np.array_equal(other.frame_index, whole.frame_index)


def test_it_goes_on_after_being_killed(files: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "map.npz"
    script = (
        "import os, signal, sys; from pathlib import Path\n"
        "from tests.training.projection.test_run import Watcher, config, project\n"
        "class Killer(Watcher):\n"
        "    def partial(self, name, payload):\n"
        "        payload['iteration'] == 30 and os.kill(os.getpid(), signal.SIGKILL)\n"
        "project(config((Path(sys.argv[1]), Path(sys.argv[2])), Path(sys.argv[3])), Killer())\n"
    )
    killed = subprocess.run([*warm_python(), "-c", script, *map(str, files), str(out)], check=False)
    assert killed.returncode != 0
    assert ProjectionFile.open(out).iteration == 0
    watcher = Watcher()
    assert project(config(files, out, resume=True), watcher)["complete"]
    assert watcher.pictures[0][0] == 40
    project(config(files, tmp_path / "whole.npz"), SilentReporter())
    whole = ProjectionFile.open(tmp_path / "whole.npz")
    assert np.array_equal(ProjectionFile.open(out).coordinates, whole.coordinates)


def test_stopped_at_once_it_is_its_principal_components_and_can_go_on(files: tuple[Path, Path], tmp_path: Path) -> None:
    watcher = Watcher(until=0)
    told = project(config(files, tmp_path / "map.npz"), watcher)
    assert (told["iteration"], told["complete"], told["kl_divergence"]) == (0, False, None)
    assert np.array_equal(ProjectionFile.open(tmp_path / "map.npz").coordinates, watcher.pictures[0][2])
    assert project(config(files, tmp_path / "map.npz", resume=True), SilentReporter())["complete"]


def test_of_a_large_matrix_something_is_seen_before_all_of_it_was_read(
    files: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "QUICK_NUMBERS", 100)
    monkeypatch.setattr(run, "QUICK_ROWS", 40)
    watcher, out = Watcher(), tmp_path / "map.npz"
    project(config(files, out, method="pca"), watcher)
    first, last = (picture[2].astype(np.float64) for picture in watcher.pictures)
    assert [picture[:2] for picture in watcher.pictures] == [(0, "PCA")] * 2
    alike = np.abs(np.corrcoef(first.T, last.T)[:2, 2:])
    assert alike.max(axis=1).min() > 0.95

    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:  # ended between the first picture and the components
        patch.setattr(run, "_why_pca", killed)
        with pytest.raises(KeyboardInterrupt):
            project(config(files, out), SilentReporter())
    assert not ProjectionFile.open(out).is_complete
    assert project(config(files, out, resume=True), SilentReporter())["complete"]


def test_without_opentsne_it_says_what_is_missing(
    files: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(UserError, match="needs the package openTSNE"):
        project(config(files, tmp_path / "map.npz"), SilentReporter())
    assert project(config(files, tmp_path / "map.npz", method="pca"), SilentReporter())["complete"]


def test_without_umap_learn_it_says_what_is_missing(
    files: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(UserError, match="needs the package umap-learn"):
        project(config(files, tmp_path / "map.npz", method="umap"), SilentReporter())
    assert not (tmp_path / "map.npz").exists()


@pytest.mark.filterwarnings("default")
def test_umap_groups_the_clouds_and_new_frames_lie_among_them(files: tuple[Path, Path], tmp_path: Path) -> None:
    pytest.importorskip("umap")
    out = tmp_path / "map.npz"
    assert project(config(files[:1], out, method="umap"), SilentReporter())["complete"]
    file = ProjectionFile.open(out)
    assert (file.method, len(file)) == ("umap", 78)
    cloud = file.frame_index * CLOUDS // 80
    apart = ((file.coordinates[:, None] - file.coordinates) ** 2).sum(axis=2)
    np.fill_diagonal(apart, np.inf)
    assert (cloud[apart.argmin(axis=1)] == cloud).mean() > 0.95
    project(config(files[:1], tmp_path / "again.npz", method="umap"), SilentReporter())
    assert np.array_equal(ProjectionFile.open(tmp_path / "again.npz").coordinates, file.coordinates)
    placed = tmp_path / "placed.npz"
    project(config(files[1:], placed, onto=out), SilentReporter())
    both = ProjectionFile.open(placed)
    assert np.array_equal(both.coordinates[:78], file.coordinates)
    nearest = ((both.coordinates[78:, None] - file.coordinates) ** 2).sum(axis=2).argmin(axis=1)
    assert (cloud[nearest] == both.frame_index[78:] * CLOUDS // 60).mean() > 0.95


def test_steps_of_tsne_are_reported_one_by_one(files: tuple[Path, Path], tmp_path: Path) -> None:
    reporter = Watcher()
    steps: list[tuple[int, int]] = []
    reporter.progress = lambda done, total, unit, what: steps.append((done, total))  # type: ignore[method-assign]
    project(config(files, tmp_path / "map.npz", iterations=100, exaggeration_iterations=50, step=25), reporter)
    of_tsne = [done for done, total in steps if total == 100]
    assert of_tsne[0] == 0
    assert of_tsne[-1] == 100
    assert of_tsne == sorted(of_tsne)
    assert 13 in of_tsne


def test_a_resumed_map_must_have_been_begun_alike(files: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "map.npz"
    project(config(files, out), Watcher(until=10))
    with pytest.raises(UserError, match=r"started with perplexity = 10.0, not 5.0"):
        project(config(files, out, perplexity=5, resume=True), SilentReporter())
    with pytest.raises(UserError, match="started with other studies"):
        project(config(files[:1], out, resume=True), SilentReporter())


def test_principal_components_alone_show_every_frame_at_once(files: tuple[Path, Path], tmp_path: Path) -> None:
    watcher = Watcher()
    told = project(config(files, tmp_path / "map.npz", method="pca"), watcher)
    assert [picture[:2] for picture in watcher.pictures] == [(0, "PCA")]
    assert (told["points"], told["complete"], told["kl_divergence"]) == (138, True, None)
    made = ProjectionFile.open(tmp_path / "map.npz")
    assert made.method == "pca"
    assert 0.5 < sum(made.explained) <= 1


def test_spans_of_a_manifest_and_rare_labels_say_which_frames(files: tuple[Path, Path], tmp_path: Path) -> None:
    studies = (
        StudyEntry(study_id="first", patient_id="P1", path=files[0], spans=(StudySpan(start=10, stop=70),)),
        StudyEntry(study_id="second", patient_id="P2", path=files[1]),
    )
    save_manifest(tmp_path / "m.json", Manifest(studies=studies))
    rows = [LabelRow(study_id="first", start=33, stop=34, label="blood")]
    write_labels(tmp_path / "labels.csv", rows)
    asked: dict[str, Any] = {"embeddings": (), "manifest": tmp_path / "m.json", "sample": 12, "seed": 4}
    project(config((), tmp_path / "map.npz", method="pca", labels=tmp_path / "labels.csv", **asked), SilentReporter())
    made = ProjectionFile.open(tmp_path / "map.npz")
    assert (made.study_ids, made.patient_ids, len(made)) == (("first", "second"), ("P1", "P2"), 12)
    first = made.frame_index[made.study == 0]
    assert 33 in first
    assert 10 <= first.min() <= first.max() < 70


@pytest.mark.parametrize("frames", [1, 2, 3])
def test_one_to_three_frames_make_a_map_of_principal_components(frames: int, tmp_path: Path) -> None:
    file = write_embeddings(tmp_path / "few.h5", frames)
    told = project(config((file,), tmp_path / "map.npz"), SilentReporter())
    assert (told["points"], told["method"], told["complete"]) == (frames, "pca", True)
    assert told["notes"] == [f"{frames} frame{'s' * (frames > 1)}: too few for t-SNE, so this is their PCA."]
    assert np.isfinite(ProjectionFile.open(tmp_path / "map.npz").coordinates).all()


def test_duplicates_are_no_trouble(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    rows = np.repeat(rng.normal(size=(5, 8)), 8, axis=0).astype(np.float32)
    project(config((write_rows(tmp_path / "twice.h5", rows),), tmp_path / "map.npz"), SilentReporter())
    assert np.isfinite(ProjectionFile.open(tmp_path / "map.npz").coordinates).all()
    same = write_rows(tmp_path / "same.h5", np.ones((20, 8), np.float32))
    told = project(config((same,), tmp_path / "same.npz"), SilentReporter())
    assert "All frames have the same embedding" in told["notes"][0]


def test_studies_that_cannot_share_a_map_are_named(files: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "map.npz"
    cases: dict[str, dict[str, Any]] = {
        "models m1 and m2": {"model_id": "m2", "model_sha256": "1" * 64},
        r"two models of the same name m1": {"model_sha256": "1" * 64},
        "spaces backbone and projection of m1": {"space": "projection"},
        "normalised and plain embeddings": {"normalized": True},
    }
    for sentence, header in cases.items():
        odd = write_embeddings(tmp_path / "odd.h5", 20, **header)
        with pytest.raises(UserError, match=f"A and odd cannot be in one map.*{sentence}"):
            project(config((*files, odd), out), SilentReporter())
        odd.unlink()
    assert not out.exists()


def test_bad_inputs_are_sentences(files: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "map.npz"
    with pytest.raises(UserError, match="two files belong to a study named A"):
        project(config((files[0], files[0]), out), SilentReporter())
    nothing = write_rows(tmp_path / "nan.h5", np.full((4, 24), np.nan, np.float32))
    with pytest.raises(UserError, match="no frames to show"):
        project(config((nothing,), out), SilentReporter())
    with pytest.raises(UserError, match="There is no file"):
        project(config((tmp_path / "none.h5",), out), SilentReporter())
    with pytest.raises(ValueError, match="either embedding files or a manifest"):
        config((), out)
    save_manifest(tmp_path / "m.json", Manifest(studies=()))
    with pytest.raises(UserError, match="names no studies"):
        project(config((), out, manifest=tmp_path / "m.json"), SilentReporter())


def test_making_a_map_imports_no_torch(files: tuple[Path, Path], tmp_path: Path) -> None:
    script = (
        "import sys; from training.__main__ import main\n"
        f"code = main(['project', '--embeddings', {str(files[0])!r}, '--out', {str(tmp_path / 'm.npz')!r},"
        " '--method', 'pca'])\n"
        "sys.exit(code or 'torch' in sys.modules or 'openTSNE' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(ProjectionFile.open(tmp_path / "m.npz")) == 78


@pytest.mark.parametrize(
    ("count", "fields", "steps"),
    [
        (3_999, {}, (250, 750)),
        (4_000, {}, (125, 300)),
        (4_000, {"exaggeration_iterations": 20}, (20, 300)),
        (4_000, {"exaggeration_iterations": 500}, (500, 675)),
        (4_000, {"iterations": 60}, (125, 60)),
    ],
)
def test_the_steps_of_a_map_follow_from_its_size(count: int, fields: dict[str, int], steps: tuple[int, int]) -> None:
    asked = ProjectConfig.model_validate({"embeddings": ["A.h5"], "out": "map.npz", **fields})
    assert run._steps(asked, count) == steps
