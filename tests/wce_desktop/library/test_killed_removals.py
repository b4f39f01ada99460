"""A process that is killed while it removes something leaves all of it or, after the next start, nothing."""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.wce_desktop.library.conftest import make_label
from tests.wce_desktop.sessions import write_model
from wce_desktop.core.annotation.change import Add
from wce_desktop.library import Library, removals
from wce_desktop.library.backup import backups

STEPS = {"open", "os.rename", "os.remove", "os.rmdir", "os.unlink", "sqlite3.connect", "shutil.rmtree", "os.truncate"}
SECRET = "Confidential-Name"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no fork there")


def killed_at(step: int, folder: Path, work: Callable[[Library], object]) -> bool:
    """Whether a process died at the n-th moment at which it opens, renames or removes a file once its library is open.

    `faults` lets each step of opening one fail.
    """
    child = os.fork()
    if child == 0:
        try:
            with Library.open(folder, "reader") as library:
                calls = iter(range(1_000_000))

                def watch(event: str, _: object) -> None:
                    if event in STEPS and next(calls) == step:
                        os._exit(9)

                sys.addaudithook(watch)
                work(library)
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == 9


def fill(folder: Path) -> str:
    """A library with a study of which reports, scores, a map, an index and the inputs of a run are there."""
    with Library.open(folder, "reader") as library:
        study_id = library.studies.add(Path("a.mp4"), name=SECRET, frame_count=50, fingerprint="a").study_id
        library.studies.add(Path("b.mp4"), name="other", study_id="s-other", frame_count=50, fingerprint="b")
        library.annotations.edit(study_id, "Label", [Add(make_label(study_id, 0, 5))])
        for each in (study_id, "s-other"):
            library.reports.keep(each, 1, html=b"<p>", pdf=b"%PDF", reader="reader", acknowledged={})
            (library.studies.folder(each) / "embeddings-m1.h5").write_bytes(b"scores")
        run = library.runs.add("Run", run_id="r-1")
        (run.folder / "labels.csv").write_text(f"study_id,start\n{study_id},3\ns-other,4\n")
        (folder / "maps" / "m").mkdir(parents=True)
        (folder / "maps" / "m" / "points.json").write_text(f'{{"study_id": "{study_id}"}}')
        (folder / "indexes" / "m1").mkdir(parents=True)
        (folder / "indexes" / "m1" / "rows").write_bytes(b"index")
    backups.backup(folder, always=True)
    return study_id


@pytest.fixture
def filled(folder: Path) -> tuple[Path, str]:
    """The folder of such a library, and the study's id."""
    return folder, fill(folder)


def named_in(folder: Path, study_id: str) -> list[str]:
    """Files outside of the database and its backups that name a study, or lie in a folder of its name."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("library"))
    return [
        str(path.relative_to(folder))
        for path in files
        if study_id in str(path.relative_to(folder)) or study_id.encode() in path.read_bytes()
    ]


def test_a_study_is_there_or_gone_with_all_its_files_wherever_its_removal_is_killed(
    filled: tuple[Path, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, study_id = filled
    before = len(named_in(source, study_id))
    outcomes = []
    for step in range(1000):
        folder = Path(shutil.copytree(source, tmp_path / "copy"))
        was_killed = killed_at(step, folder, lambda library: library.removals.remove([study_id]))
        (folder / "notes.partial.txt").write_text("the reader's own")
        with Library.open(folder, "reader") as library:
            is_there = study_id in {study.study_id for study in library.studies.all()}
            assert library.loss is None
            assert [one.path.is_file() for one in library.reports.signed("s-other")] == [True]
        assert not list(folder.rglob("*.deleted-*")), step
        if is_there:
            assert (folder / "studies" / study_id / "embeddings-m1.h5").read_bytes() == b"scores"
            assert len(named_in(folder, study_id)) == before, step
        else:
            monkeypatch.setattr(removals, "KEPT_DAYS", -1)
            Library.open(folder, "reader").close()  # its copies in the backups go when their time is over
            monkeypatch.undo()
            assert named_in(folder, study_id) == [], step
            assert (folder / "studies" / "s-other" / "embeddings-m1.h5").exists()
            assert "s-other,4" in (folder / "runs" / "r-1" / "labels.csv").read_text()
        assert (folder / "notes.partial.txt").exists()
        outcomes.append(is_there)
        shutil.rmtree(folder)
        if not was_killed:
            break
    assert outcomes[0]
    assert not outcomes[-1]
    assert len(outcomes) > 20


@pytest.mark.parametrize("kind", ["models", "runs"])
def test_a_model_or_a_run_is_whole_or_gone_wherever_its_deletion_is_killed(
    folder: Path, tmp_path: Path, kind: str
) -> None:
    with Library.open(folder, "reader") as library:
        library.models.register(write_model(tmp_path / "made", "m1"), title="Model")
        (library.runs.add("Run", run_id="r-1").folder / "curve.json").write_text("[]")
    name, file = ("m1", "model.safetensors") if kind == "models" else ("r-1", "curve.json")
    assert (folder / kind / name / file).exists()

    def delete(library: Library) -> None:
        library.models.delete("m1") if kind == "models" else library.runs.delete("r-1")

    outcomes = []
    for step in range(1000):
        copy = Path(shutil.copytree(folder, tmp_path / "copy"))
        was_killed = killed_at(step, copy, delete)
        with Library.open(copy, "reader") as library:
            ids = {model.model_id for model in library.models.all()} | {run.run_id for run in library.runs.all()}
        assert (copy / kind / name / file).exists() == (name in ids), step
        assert not list(copy.rglob("*.deleted-*")), step
        outcomes.append(name in ids)
        shutil.rmtree(copy)
        if not was_killed:
            break
    assert outcomes[0]
    assert not outcomes[-1]


def test_a_folder_that_was_begun_anew_gets_back_what_it_lacks(filled: tuple[Path, str]) -> None:
    folder, study_id = filled
    place = folder / "studies" / study_id
    place.rename(place.with_name(f".{study_id}.deleted-1"))
    place.mkdir()
    (place / "view.json").write_text("{}")
    Library.open(folder, "reader").close()
    assert sorted(path.name for path in place.iterdir()) == ["embeddings-m1.h5", "view.json"]


def test_what_a_removal_of_an_older_version_left_goes_too(filled: tuple[Path, str]) -> None:
    folder, study_id = filled
    kept = {name: shutil.copytree(folder / name, folder.parent / f"old-{name}") for name in ("reports", "maps")}
    with Library.open(folder, "reader") as library:
        library.removals.remove([study_id])
        with library.engine.execution_options(writes=True).begin() as connection:
            connection.exec_driver_sql("DELETE FROM meta WHERE key = 'finished_removals'")
    for name, old in kept.items():
        shutil.copytree(old, folder / name, dirs_exist_ok=True)
    Library.open(folder, "reader").close()
    assert not (folder / "reports" / study_id).exists()
    assert not (folder / "maps" / "m").exists()
    assert (folder / "reports" / "s-other").exists()


def test_names_of_a_damaged_database_take_no_other_folder_along(filled: tuple[Path, str]) -> None:
    folder, _ = filled
    with Library.open(folder, "reader") as library:
        for name in ("", "..", ".", "/", "a/b"):
            with library.engine.execution_options(writes=True).begin() as connection:
                connection.exec_driver_sql(
                    "INSERT INTO removals (when_utc, reader, study_id, patient_id, facts) VALUES ('', '', ?, '', '{}')",
                    (name,),
                )
    Library.open(folder, "reader").close()
    assert (folder / "reports" / "s-other").exists()
    assert (folder / "maps" / "m").exists()
    assert (folder / "studies" / "s-other").exists()


def test_what_a_killed_restore_left_goes_and_nothing_else(folder: Path) -> None:
    left = (
        "library.sqlite.restored", "library.sqlite.restored-wal", "library.sqlite.restored-shm",
        "library.sqlite.restored.partial", "library.sqlite.restored.partial-journal", "library.key.partial",
        "library.plain.partial", "library.sqlite.restored.converting", "backups/library-000009-x.sqlite.partial",
        "backups/library.key.partial", "reports/s/.report-1.pdf.partial",
    )  # fmt: skip
    own = ("my.partial", "notes.restored", ".hidden.txt", "reports/letter.txt", "models/.keep", "a.deleted-3")
    for name in (*left, *own):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(SECRET.encode())
    Library.open(folder, "reader").close()
    assert [name for name in left if (folder / name).exists()] == []
    assert [name for name in own if not (folder / name).exists()] == []
