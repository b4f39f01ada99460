"""What a killed process left half-written is removed: in a library when it is opened, elsewhere by the next export."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.warm_python import warm_python
from tests.wce_desktop.sessions import write_model
from training.files.outputs import written_beside
from wce_desktop.library import Library
from wce_desktop.library.exchange.annotation_export import _new_content
from wce_desktop.library.models import export_model

ROOT = Path(__file__).resolve().parents[3]


@contextmanager
def writing(kind: str, place: Path, model: Path) -> Iterator[None]:
    """A process that has begun to write; it is killed at the end."""
    command = [*warm_python(), "-m", "tests.wce_desktop.library.writing_child", kind, str(place), str(model)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        try:
            assert child.stdout.readline() == "writing\n"
            yield
        finally:
            child.kill()
            child.stdout.read()  # until it is gone


def parts(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*") if ".partial" in path.name]


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model's folder."""
    return write_model(tmp_path / "made", "m1")


@pytest.mark.parametrize(
    ("kind", "place"),
    [
        ("file", "view.json"),
        ("file", "studies/s-1/index.npz"),
        ("file", "runs/r-1/checkpoints/step-000100.safetensors"),
        ("file", "backups/a.sqlite"),
        ("file", "maps/map-1/map.json"),
        ("model", "models"),
    ],
)
def test_the_next_opening_of_the_library_removes_it(folder: Path, model: Path, kind: str, place: str) -> None:
    (folder / place).parent.mkdir(parents=True, exist_ok=True)
    mine = folder / "studies" / "s-1" / "partial-1.txt"
    mine.parent.mkdir(exist_ok=True)
    mine.touch()
    with writing(kind, folder / place, model):
        Library.open(folder, "reader").close()
        (left,) = [name for name in parts(folder) if name != mine.name]
        assert left.startswith("."), "a job that outlives the window goes on"
    assert left in parts(folder)
    Library.open(folder, "reader").close()
    assert parts(folder) == []
    assert mine.is_file()


@pytest.mark.parametrize("kind", ["file", "model out", "export"])
def test_the_next_export_into_a_folder_removes_it(folder: Path, model: Path, tmp_path: Path, kind: str) -> None:
    place = tmp_path / "exports"
    place.mkdir()
    with writing(kind, place / "frames.csv" if kind == "file" else place, model):
        pass
    assert len(parts(place)) == 1
    if kind == "file":
        with written_beside(place / "other.csv", clean=True) as beside:
            beside.touch()
    elif kind == "export":
        with _new_content(place) as content:
            (content / "a.txt").touch()
    else:
        with Library.open(folder, "reader") as library:
            export_model(library.models.register(model), place)
    assert parts(place) == []
    assert len(list(place.iterdir())) == 1


def test_an_unfinished_scoring_stays_as_long_as_its_study_and_its_model_are_there(folder: Path, model: Path) -> None:
    with Library.open(folder, "reader") as library:
        library.models.register(model)
        run = library.runs.add("Pretraining 1", kind="pretrain")
        study = library.studies.add(folder / "a.mp4", frame_count=10)
    made_by = ("embeddings-m1", f"embeddings-{run.run_id}-backbone", f"clips-{run.run_id}-100")
    kept = [folder / "studies" / study.study_id / f"{name}.h5.partial" for name in made_by]
    orphans = [kept[0].with_name("embeddings-m0.h5.partial"), kept[0].with_name("clips-r-0-100.h5.partial")]
    orphans += [folder / "studies" / "s-0" / kept[0].name, kept[0].with_name("embeddings-m1.h5.rescored.partial")]
    for path in (*kept, *orphans):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    with Library.open(folder, "reader") as library:
        assert [path for path in (*kept, *orphans) if path.exists()] == kept
        library.models.delete("m1")
        assert not kept[0].exists()
