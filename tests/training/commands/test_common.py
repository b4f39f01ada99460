"""Settings from what was typed: presets, options, `--set`, and the sentence for what does not fit."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import Field

from training.commands.common import CommandConfig, find_command, make_config
from training.errors import UserError


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
    assert config.minutes == presets["quick"]["minutes"]


@pytest.mark.parametrize("name", ["phantom", "index", "score", "pretrain", "finetune", "explain"])
def test_every_command_is_found(name: str) -> None:
    config_class, function, _ = find_command(name)
    assert "device" in config_class.model_fields
    assert callable(function)


def test_a_command_that_does_not_exist() -> None:
    with pytest.raises(UserError, match="no command 'train'"):
        find_command("train")
