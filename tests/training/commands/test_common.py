"""Settings from what was typed: presets, options, `--set`, and the sentence for what does not fit."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel, Field

from tests.training.inference.conftest import model, study
from tests.training.projection.embedded_studies import write_embeddings
from training.commands import COMMANDS
from training.commands.common import CommandConfig, check_outputs, find_command, make_config
from training.commands.shell import main
from training.datasets.manifest import Manifest, StudyEntry, save_manifest
from training.errors import UserError
from training.files.kinds import (
    EMBEDDING_FILE,
    EXPLANATION_PNG,
    FRAME_INDEX,
    MAP_FILE,
    QUERIES_JSON,
    WINDOW_PNG,
)
from training.files.marks import Cache, OutputFile, OutputFolder
from training.files.written import WrittenFiles
from training.models.folder import ModelFolder


class Sample(CommandConfig):
    """Settings of every kind."""

    path: Path
    batch_size: int = Field(8, ge=1)
    rate: float = 0.1
    classes: tuple[str, ...] = ()
    resume: bool = False


PRESETS = {"quick": {"batch_size": 2, "rate": 0.5}}


def made(*assignments: str, preset: str | None = None, **given: Any) -> Sample:
    config = make_config(Sample, {"path": Path("x"), **given}, assignments=assignments, preset=preset, presets=PRESETS)
    assert isinstance(config, Sample)
    return config


def test_options_win_over_the_preset_and_set_over_both() -> None:
    assert made(preset="quick").batch_size == 2
    assert made(preset="quick", batch_size=3).batch_size == 3
    assert made("batch_size=4", preset="quick", batch_size=3).batch_size == 4
    assert made(preset="quick").rate == 0.5


@pytest.mark.parametrize(
    ("assignment", "field", "value"),
    [
        ("batch-size=5", "batch_size", 5),
        ("rate=1e-3", "rate", 1e-3),
        ("resume=true", "resume", True),
        ("classes=polyp, blood", "classes", ("polyp", "blood")),
        ('classes=["polyp, flat", "blood"]', "classes", ("polyp, flat", "blood")),
        ("path=a=b", "path", Path("a=b")),
    ],
)
def test_set_reads_values_of_every_kind(assignment: str, field: str, value: object) -> None:
    assert getattr(made(assignment), field) == value


def test_what_was_not_given_keeps_its_default_and_strange_options_are_left_out() -> None:
    assert made(batch_size=None, something_of_another_command=3).batch_size == 8


@pytest.mark.parametrize(
    ("assignment", "words"),
    [
        ("bach_size=4", "no setting 'bach_size'. Did you mean batch_size?"),
        ("zzz=4", "There are: device, seed, path"),
        ("batch_size", "not of the form key=value"),
        ("batch_size=0", "batch_size cannot be used: input should be greater than or equal to 1 (it is '0')"),
        ("rate=fast", "rate cannot be used"),
        ("classes=[oops", "not JSON"),
        ("device=gpu", "'auto', 'cpu', 'cuda' or 'mps'"),
    ],
)
def test_what_does_not_fit_is_named(assignment: str, words: str) -> None:
    with pytest.raises(UserError) as caught:
        made(assignment)
    assert words in str(caught.value)


def test_presets_that_do_not_exist() -> None:
    with pytest.raises(UserError, match=r"no preset 'slow'\. There are: quick"):
        made(preset="slow")
    with pytest.raises(UserError, match="has no presets"):
        make_config(Sample, {"path": "x"}, preset="slow")


def test_a_config_that_knows_its_presets_keeps_the_name() -> None:
    config_class, _, presets = find_command("finetune")
    given = {"studies": "m.json", "labels": "l.csv", "out": "run"}
    config: Any = make_config(config_class, given, preset="quick", presets=presets)
    assert config.preset == "quick"
    assert config.most_steps == presets["quick"]["most_steps"]


@pytest.mark.parametrize("name", ["phantom", "index", "score", "pretrain", "finetune", "explain"])
def test_every_command_is_found(name: str) -> None:
    config_class, function, _ = find_command(name)
    assert "device" in config_class.model_fields
    assert callable(function)


def test_a_command_that_does_not_exist() -> None:
    with pytest.raises(UserError, match="no command 'train'"):
        find_command("train")


__all__ = ["model", "study"]

FILE_COMMANDS = ("score", "index", "explain", "project")


@pytest.fixture
def place(tmp_path: Path, study: Path, model: ModelFolder, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a study, a model and an embedding file."""
    shutil.copyfile(study, tmp_path / "study.mp4")
    shutil.copytree(model.path, tmp_path / "model")
    write_embeddings(tmp_path / "e.h5", 12)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(command: str, out: str, *more: str) -> int:
    """Run one of `FILE_COMMANDS` on the files of `place`; returns the exit status."""
    arguments = {
        "score": ["study.mp4", "--model", "model", "--set", "batch=16"],
        "index": ["study.mp4"],
        "explain": ["study.mp4", "--frame", "3", "--model", "model", "--class", "blood"],
        "project": ["--embeddings", "e.h5", "--method", "pca"],
    }
    return main([command, *arguments[command], "--out", out, *more])


def read_by(command: str) -> list[str]:
    """Files that the command reads."""
    return ["e.h5"] if command == "project" else ["study.mp4", *(["model/config.json"] if command != "index" else [])]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize("command", FILE_COMMANDS)
def test_no_command_writes_over_what_it_reads(
    command: str, overwrite: bool, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = read_by(command)
    os.link(place / names[0], place / "second-name")
    before = contents(place)
    for out in (*names, "./" + names[0], str(place / "x" / ".." / names[0]), "second-name"):
        assert call(command, out, *(["--overwrite"] if overwrite else [])) == 1
        assert "is an input of this command" in capsys.readouterr().err
    assert contents(place) == before


@pytest.mark.parametrize("command", FILE_COMMANDS)
def test_a_foreign_file_stays_unless_overwriting_was_asked_for(
    command: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "notes").write_text("mine", encoding="utf-8")
    before = contents(place)
    assert call(command, "notes") == 1
    assert "--overwrite" in capsys.readouterr().err
    assert contents(place) == before
    assert call(command, "notes", "--overwrite") == 0
    assert call(command, "notes") == 0  # it is the program's own now
    assert {name: data for name, data in contents(place).items() if name != "notes"} == {
        name: data for name, data in before.items() if name != "notes"
    }


@pytest.mark.parametrize("command", FILE_COMMANDS)
@pytest.mark.parametrize("out", ["", ".", "..", os.devnull, "x" * 300, "study.mp4/a", "missing"])
def test_places_that_hold_no_file_are_sentences(
    command: str, out: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if out == "missing":
        (place / "missing").symlink_to(place / "nothing")
    before, device = contents(place), os.stat(os.devnull).st_mode  # noqa: PTH116
    assert call(command, out) == 1
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert len(said.strip().splitlines()) <= 2
    assert contents(place) == before
    assert os.stat(os.devnull).st_mode == device  # noqa: PTH116


@pytest.mark.parametrize("out", ["", "."])
def test_a_folder_that_is_not_named_is_never_the_current_one(
    out: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "m.json").write_text('{"studies": [{"study_id": "s", "patient_id": "p", "path": "study.mp4"}]}')
    (place / "l.csv").write_text("study_id,start,stop,label\ns,0,2,blood\ns,4,6,normal\n")
    before = contents(place)
    trained = ["--studies", "m.json", "--labels", "l.csv", "--out", out]
    for arguments in (["finetune", *trained], ["evaluate", *trained], ["phantom", out, "--studies", "1"]):
        assert main(arguments) == 1
        assert "is named. Name a folder" in capsys.readouterr().err.replace("\n", " ")
    assert contents(place) == before


def test_synthetic_tables_never_replace_those_of_a_reader(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with WrittenFiles(place, "library export").writing("labels.csv") as beside:
        beside.write_text("study_id,start,stop,label\n", encoding="utf-8")
    before = contents(place)
    assert main(["phantom", str(place), "--studies", "1", "--frames", "10"]) == 1
    assert "labels.csv already exists" in capsys.readouterr().err
    assert contents(place) == before


def test_studies_of_a_manifest_are_inputs(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entry = StudyEntry(study_id="s", patient_id="p", path=place / "e.h5")
    save_manifest(place / "m.json", Manifest(studies=(entry,)))
    before = contents(place)
    assert main(["project", "--manifest", "m.json", "--out", "e.h5", "--overwrite"]) == 1
    assert "is an input" in capsys.readouterr().err
    assert contents(place) == before


@pytest.mark.parametrize(("beside", "command"), [("a.partial", "score"), ("a.parts/mine.txt", "project")])
def test_what_lies_beside_an_output_is_not_removed(
    beside: str, command: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / beside).parent.mkdir(exist_ok=True)
    (place / beside).write_text("mine", encoding="utf-8")
    assert call(command, "a") == 1
    assert "unfinished" in capsys.readouterr().err
    assert (place / beside).read_text(encoding="utf-8") == "mine"


def test_a_refusal_takes_no_torch(place: Path) -> None:
    code = "import sys; from training.commands.shell import main; main(sys.argv[1:]); sys.exit('torch' in sys.modules)"
    arguments = ["score", "study.mp4", "--model", "model", "--out", "study.mp4"]
    child = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)
    assert child.returncode == 0
    assert "is an input" in child.stderr


def test_a_job_of_the_window_is_checked_too(place: Path) -> None:
    _, run, _ = find_command("index")
    config_class: Any = find_command("index")[0]
    config = config_class(path=place / "study.mp4", out=place / "study.mp4")
    before = contents(place)
    with pytest.raises(Exception, match="is an input"):
        run(config, None)  # type: ignore[arg-type]  # it never comes to a report
    assert contents(place) == before


def paths_of(config_class: type[BaseModel]) -> dict[str, tuple[Any, ...]]:
    """Settings that are paths, with their marks."""
    found = {}
    for name, field in config_class.model_fields.items():
        if Path in (field.annotation, *get_args(field.annotation)):
            found[name] = tuple(mark for mark in field.metadata if isinstance(mark, OutputFile | OutputFolder | Cache))
    return found


@pytest.mark.parametrize("command", COMMANDS)
def test_every_output_of_every_command_is_marked(command: str) -> None:
    config_class, _, _ = find_command(command)
    marks = paths_of(config_class)
    assert all(marks[name] for name in ("out", "cache", "weights_cache", "cells") if name in marks)
    if any(isinstance(mark, OutputFile) for found in marks.values() for mark in found):
        assert "overwrite" in config_class.model_fields


def test_a_config_without_outputs_needs_no_check() -> None:
    config_class: Any = find_command("neighbours")[0]
    check_outputs(config_class(embeddings=("a.h5",), frame=0, cache="kept"))


KINDS = (EMBEDDING_FILE, FRAME_INDEX, MAP_FILE, EXPLANATION_PNG, QUERIES_JSON, WINDOW_PNG)


def test_every_kind_knows_its_own_files_and_no_others(place: Path) -> None:
    made = {"score": EMBEDDING_FILE, "index": FRAME_INDEX, "explain": EXPLANATION_PNG, "project": MAP_FILE}
    for command, own in made.items():
        assert call(command, f"{command}.out") == 0
        path = place / f"{command}.out"
        assert [kind.name for kind in KINDS if kind.is_ours(path)] == [own.name]


def _truncated(data: bytes) -> bytes:
    return data[: len(data) // 2]


def _flipped(data: bytes) -> bytes:
    return bytes(byte ^ 0x55 for byte in data)


@pytest.mark.parametrize("damage", [_truncated, _flipped, lambda _: b"", lambda data: data[:8]])
def test_damaged_files_are_nobody_s(damage: Callable[[bytes], bytes], place: Path) -> None:
    assert call("project", "map.npz") == 0
    for name in ("e.h5", "map.npz"):
        (place / "damaged").write_bytes(damage((place / name).read_bytes()))
        assert not any(kind.is_ours(place / "damaged") for kind in KINDS)
    assert not any(kind.is_ours(place) for kind in KINDS)
    assert not any(kind.is_ours(place / "nothing") for kind in KINDS)


def test_the_batch_of_a_pretraining_is_named_by_its_two_settings() -> None:
    config_class, _, _ = find_command("pretrain")
    with pytest.raises(UserError, match="sequences x sequence_length"):
        make_config(config_class, {"studies": "m.json", "out": "run"}, assignments=["batch_size=4"])
