"""Every command refuses what it does not know, what has no effect beside the other settings, and what is not there."""

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_origin

import pytest
from pydantic import BaseModel

from tests.training.commands.test_hostile_settings import NEEDED
from training.commands import COMMANDS
from training.commands.common import NAMED_STARTS, START_FIELDS, find_command, make_config, plain_type
from training.errors import UserError
from training.files.marks import Cache, OutputFile, OutputFolder
from training.methods.method_config import MethodConfig
from training.runs.reporter import SilentReporter
from training.settings import Only, Settings
from wce_desktop import __main__ as window


def classes_of(command: str) -> Iterator[type[Settings]]:
    """The class of a command's settings, and one for each of its methods."""
    config: Any = find_command(command)[0]
    yield config
    if issubclass(config, MethodConfig):
        yield from map(config.of, config.methods)


def declared() -> list[tuple[str, type[Settings], Only]]:
    found = [(name, each, only) for name in COMMANDS for each in classes_of(name) for only in each.every_only()]
    return list({(name, only.names, only.beside): (name, each, only) for name, each, only in found}.values())


def without_checks(config_class: type[Settings], **values: Any) -> Settings:
    defaults = {name: info.get_default(call_default_factory=True) for name, info in config_class.model_fields.items()}
    made: Settings = config_class.model_construct(**{**defaults, **values})
    return made


def values_beside(config_class: type[Settings], only: Only) -> tuple[list[Any], list[Any]]:
    """Values of the other setting with which these have an effect, and without."""
    annotation = config_class.model_fields[only.beside].annotation
    if get_origin(annotation) is tuple:
        return [(value,) for value in only.values or ("a",)], [("none of them",) if only.values else ()]
    if not only.values:
        return [Path("a")], [False if annotation is bool else None]
    choices = (*get_args(annotation), "none of them", None, 0, 1)
    return list(only.values), [each for each in choices if not isinstance(each, type) and each not in only.values]


@pytest.mark.parametrize(("command", "config_class", "only"), declared(), ids=lambda each: getattr(each, "names", None))
def test_every_declaration_names_settings_and_is_kept(command: str, config_class: type[Settings], only: Only) -> None:
    right, wrong = values_beside(config_class, only)
    for name in only.names.split(","):
        assert name in config_class.model_fields, f"{command} has no setting {name}"
        for value in right:
            only.check(name, without_checks(config_class, **{only.beside: value}))
        for value in wrong:
            with pytest.raises(ValueError, match=f"the setting {name} .*{only.beside}") as refused:
                only.check(name, without_checks(config_class, **{only.beside: value}))
            assert len(str(refused.value)) < 300


@pytest.mark.parametrize("command", COMMANDS)
def test_a_setting_that_the_command_does_not_know_is_refused(command: str, tmp_path: Path) -> None:
    config_class, run, presets = find_command(command)
    needed = {**NEEDED[command], "out": tmp_path / "out"} if "out" in NEEDED[command] else NEEDED[command]
    if command == "sweep":  # its settings are those of the training, which it checks before the first one
        config = make_config(config_class, needed, assignments=["no_such_setting=1"])
        with pytest.raises(UserError, match="no setting 'no_such_setting'"):
            run(config.model_copy(update={"studies": None, "labels": None}), SilentReporter())
        return
    with pytest.raises(UserError, match="no setting 'no_such_setting'"):
        make_config(config_class, needed, assignments=["no_such_setting=1"], presets=presets)


UNUSED: dict[str, list[tuple[dict[str, Any], str, str]]] = {
    "reproduce": [
        ({"table": "vats-table2", "images": "i", "labels": "l"}, "boxes=b.csv", "the intrator tables"),
        ({"table": "pascual-table1", "phantom": True}, "gallery=all", "the xiang tables"),
        ({"table": "pascual-table1", "phantom": True}, "parts=60:40", "the vats tables"),
        ({"table": "pascual-table1", "phantom": True}, "pretrain_studies=m.json", "has no effect with phantom"),
        ({"table": "pascual-table1", "studies": "m", "labels": "l"}, "cache=folder", "phantom, which is not given"),
        ({"table": "xiang-table2", "phantom": True}, "hours=1", "the tables of labelled frames"),
    ],
    "pretrain": [
        ({}, "step_every=5 --schedule", "schedule=step"),
        ({"method": "videomae"}, "projection=8", "has no effect with videomae"),
        ({"method": "videomae"}, "temperature=0.1", "belongs to simclr"),
        ({}, "knn_neighbours=3", "belongs to labels, which is not given"),
    ],
    "finetune": [({"preset": "linear"}, "learning_rate=0.1", "belongs to trained_layers>0")],
    "evaluate": [({}, "pretrain_settings={}", "belongs to pretrain, which is not given")],
    "benchmark": [({"methods": ["random"]}, "pretrain_settings={}", "belongs to pretraining methods")],
    "datasets": [({}, "files=copy", "belongs to action=export, not to action=check")],
    "plan": [({}, "settings={}", "belongs to do=finetune or pretrain, not to do=score")],
    "project": [({"method": "pca"}, "perplexity=20", "belongs to method=tsne, not to method=pca")],
    "score": [({"path": None, "studies": "m.json"}, "reuse=old.h5", "belongs to path, which is not given")],
}


@pytest.mark.parametrize(
    ("command", "given", "assignment", "words"),
    [(command, *case) for command, cases in UNUSED.items() for case in cases],
)
def test_a_setting_without_effect_is_refused_with_what_it_belongs_to(
    command: str, given: dict[str, Any], assignment: str, words: str
) -> None:
    config_class, _, presets = find_command(command)
    assignment, _, schedule = assignment.partition(" --schedule")
    needed = {} if command == "reproduce" else NEEDED[command]
    more = ["schedule=cosine"] if schedule or "step_every" in assignment else []
    with pytest.raises(UserError, match=words) as refused:
        make_config(config_class, {**needed, **given}, assignments=[assignment, *more], presets=presets)
    assert assignment.partition("=")[0] in refused.value.message


def input_fields(command: str) -> Iterator[str]:
    for config_class in classes_of(command):
        for name, info in config_class.model_fields.items():
            marked = any(isinstance(mark, OutputFile | OutputFolder | Cache) for mark in info.metadata)
            if not marked and ("Path" in str(info.annotation) or name in START_FIELDS):
                yield name


@pytest.mark.parametrize(
    ("command", "field"), [(command, name) for command in COMMANDS for name in dict.fromkeys(input_fields(command))]
)
def test_a_path_at_which_there_is_nothing_is_refused_before_any_work(
    command: str, field: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    config_class, run, presets = find_command(command)
    config = make_config(config_class, NEEDED[command], presets=presets)
    kind = type(config)
    if field not in kind.model_fields:
        pytest.skip("of another method")
    for name in (name for name in input_fields(command) if name in kind.model_fields and name not in START_FIELDS):
        value = getattr(config, name)
        for path in value if isinstance(value, tuple) else filter(None, (value,)):
            (tmp_path / path).touch()
    before = set(tmp_path.iterdir())
    missing: Any = Path("nowhere") / "missing.json"
    kind_of_field = plain_type(kind.model_fields[field].annotation)
    value = str(missing) if kind_of_field is str else missing if kind_of_field is Path else (missing,)
    monkeypatch.setattr(importlib, "import_module", refuse_to_work)
    with pytest.raises(UserError, match=f"missing.json', which {field} names") as refused:
        run(config.model_copy(update={field: value}), SilentReporter())
    assert "nothing" in refused.value.message or "There is no" in refused.value.message
    assert set(tmp_path.iterdir()) == before


def refuse_to_work(name: str) -> None:
    raise AssertionError(f"{name} was imported")


def test_starts_of_inner_trainings_are_looked_for_too(tmp_path: Path) -> None:
    config_class, run, _ = find_command("benchmark")
    (tmp_path / "images").mkdir()
    (tmp_path / "labels.csv").touch()
    inner = {"simclr": {"init": "nowhere.safetensors"}}
    needed = {"images": tmp_path / "images", "labels": tmp_path / "labels.csv", "out": tmp_path / "report"}
    config: BaseModel = config_class.checked(methods=("simclr",), **needed, pretrain_settings=inner)
    with pytest.raises(UserError, match=r"nowhere\.safetensors', which init names"):
        run(config, SilentReporter())
    assert "nowhere.safetensors" not in NAMED_STARTS


WINDOW_COMMANDS = {
    "import": ["import", "nowhere", "--library", "lib"],
    "import-embeddings": ["import-embeddings", "nowhere.npy", "--model", "m", "--library", "lib"],
    "restore": ["restore", "--from", "nowhere", "--library", "lib"],
    "check-report": ["check-report", "nowhere.pdf"],
    "export": ["export", "out", "--library", "nowhere"],
    "check": ["check", "--library", "nowhere"],
    "library": ["library", "copy", "nowhere", "target"],
}
"""A call of each command of `wce-desktop` with a path at which there is nothing."""


@pytest.mark.parametrize("command", window.COMMANDS)
def test_commands_of_the_window_refuse_paths_at_which_there_is_nothing(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert window.main(WINDOW_COMMANDS[command]) == 1
    said = capsys.readouterr()
    assert "nowhere" in said.err
    assert "Traceback" not in said.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["export", "out", "--format", "coco", "--paths"], "--paths belongs to --format csv"),
        (["export", "out", "--without-normal"], "--without-normal belongs to formats of boxes"),
        (["export", "out", "--format", "coco", "--comments"], "--comments belongs to --format csv"),
        (["import", "labels.csv", "--group-by", "x"], "--group-by belongs to a folder of labelled images"),
        (["restore", "--keep", "--from", "."], "--from belongs to a restore without --keep"),
        (["library", "copy", "lib", "target", "--files", "x"], "--files belongs to a copy on a server"),
        (["--overwrite"], "--overwrite belongs to --screenshot"),
    ],
)
def test_commands_of_the_window_refuse_options_without_effect(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "labels.csv").touch()
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "library.sqlite").touch()
    library = [] if arguments[0] in ("library", "--overwrite") else ["--library", "lib"]
    assert window.main([*arguments, *library]) == 1
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("command", window.COMMANDS)
def test_commands_of_the_window_refuse_unknown_options(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        window.main([*WINDOW_COMMANDS[command], "--no-such-option"])
    assert "no-such-option" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "given", "assignment", "words"),
    [
        ("evaluate", {}, 'settings={"step_every": 5}', "step_every belongs to schedule=step, not to schedule=cosine"),
        ("evaluate", {}, 'settings={"marginn": 5}', "marginn"),
        ("evaluate", {"method": "cross-entropy"}, 'settings={"margin": 0.2}', "margin belongs to tl-ba"),
        ("evaluate", {"pretrain": "simclr"}, 'pretrain_settings={"window": 3}', "window belongs to time-triplet"),
        ("few-labels", {}, 'settings={"imagenet": {"momentum": 0.5}}', "momentum belongs to optimizer=sgd"),
        ("benchmark", {"methods": ["simclr"]}, 'pretrain_settings={"simclr": {"step_every": 5}}', None),
        ("benchmark", {"methods": ["simclr"]}, 'pretrain_settings={"simclr": {"momentum": 0.5}}', None),
        (
            "plan",
            {"do": ["pretrain:simclr"], "model": None},
            'settings={"window": 3}',
            "window belongs to time-triplet",
        ),
        ("evaluate-explanations", {"model": None, "folds": 2}, 'settings={"fewest_steps": 9}', "belongs to minutes"),
    ],
)
def test_settings_of_inner_trainings_are_refused_alike(
    command: str, given: dict[str, Any], assignment: str, words: str | None
) -> None:
    config_class, _, _ = find_command(command)
    if words is None:  # simclr takes the course of the preset: SGD whose rate falls in steps
        make_config(config_class, {**NEEDED[command], **given}, assignments=[assignment])
        return
    with pytest.raises(UserError, match=words):
        make_config(config_class, {**NEEDED[command], **given}, assignments=[assignment])
