"""Settings of every command, found from the command's own model, get hostile values: a sentence or a sound config."""

import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from training.commands import COMMANDS
from training.commands.common import find_command, make_config
from training.errors import UserError

NEEDED: dict[str, dict[str, Any]] = {
    "phantom": {"out": "out"},
    "index": {"path": "study.mp4"},
    "score": {"path": "study.mp4", "model": "model", "out": "out.h5"},
    "sweep": {"studies": "studies.json", "out": "sweep"},
    "plan": {"studies": "studies.json", "model": "model"},
    "import-classifier": {"path": "theirs.onnx", "out": "model"},
    "import-embeddings": {"path": "study.mp4", "table": "table.npz", "model": "model", "out": "out.h5"},
    "embed-clips": {"path": "study.mp4", "model": "run", "out": "out.h5"},
    "pretrain": {"studies": "studies.json", "out": "run"},
    "finetune": {"studies": "studies.json", "labels": "labels.csv", "out": "run"},
    "train-reid": {"studies": "studies.json", "embeddings": "scores", "out": "run"},
    "embed-reid": {"path": "study.mp4", "scores": "study.h5", "model": "run", "out": "out.safetensors"},
    "evaluate": {"studies": "studies.json", "labels": "labels.csv", "out": "report"},
    "datasets": {"action": "check", "name": "kid1", "folder": "folder"},
    "reproduce": {"table": "pascual-table1", "phantom": True},
    "benchmark": {"images": "images", "labels": "labels.csv", "out": "report"},
    "clean": {"embeddings": ["one.h5"], "out": "list.csv"},
    "organs": {"manifest": "manifest.json"},
    "compare": {"reports": ["one", "other"], "out": "comparison"},
    "few-labels": {"images": "images", "labels": "labels.csv", "out": "report"},
    "active-learning": {"images": "images", "labels": "labels.csv", "out": "report"},
    "suggest": {"embeddings": ["one.h5"], "out": "next.csv"},
    "serve": {"folder": "answers"},
    "explain": {"path": "study.mp4", "frame": 0, "model": "model", "out": "out.png"},
    "neighbours": {"embeddings": ["one.h5"], "frame": 0},
    "evaluate-neighbours": {"images": "images", "labels": "labels.csv", "model": "model"},
    "project": {"embeddings": ["one.h5"], "out": "map.npz"},
    "evolution": {"run": "run", "out": "out.npz"},
    "evaluate-explanations": {
        "images": "images",
        "labels": "labels.csv",
        "boxes": "boxes.csv",
        "out": "report",
        "model": "model",
    },
}
"""The fewest settings that each command takes; a new command needs a row here."""

NOT_FINITE = ("nan", "NaN", "inf", "-inf", "Infinity", "1e309", "[NaN]", "[Infinity]", "[1e309]", '{"a": NaN}')
TOO_LARGE = ("1e308", "-1e308", "1e18", str(10**18), "9" * 400, "9" * 5000)
TOO_LARGE_LISTS = tuple(f"[{number}]" for number in TOO_LARGE)
TEXTS = (
    *("", " ", "a\0b", "\ud800", "a\nb", "\x1b[31m", "x" * 100_000, "../../x", "null", "true", "-1", "0", "1_0", "1.5"),
    *(
        "[-1]",
        "[0]",
        "[[1]]",
        '["a\\u0000b"]',
        '{"a\\u0000b": 1}',
        '{"a": [1e309]}',
        '["\\ud800"]',
        "[]",
        "{}",
        "[",
        "{",
    ),
    *("[" * 3000, "[" * 100_000, '{"a":' * 3000, "[" * 100 + "]" * 100),
)


def fields() -> Iterator[tuple[str, str]]:
    for command in COMMANDS:
        for field in find_command(command)[0].every_field():
            yield command, field


def given(command: str, field: str, text: str) -> Any:
    """The value that a config has after `--set field=text`; None where it is refused in a short sentence."""
    config_class: Any = find_command(command)[0]
    presets = find_command(command)[2]
    owner = {"method": config_class.owners(field)[0]} if field not in config_class.model_fields else {}
    try:
        config = make_config(
            config_class, {**NEEDED[command], **owner}, assignments=[f"{field}={text}"], presets=presets
        )
    except UserError as error:
        sentence = error.message
    else:
        assert_sound(config)
        return getattr(config, field)
    assert 10 < len(sentence) < 500, sentence[:200]
    assert sentence.isprintable()
    return None


def assert_sound(config: BaseModel) -> None:
    for value in parts(dict(config)):
        if isinstance(value, float):
            assert math.isfinite(value)
        elif isinstance(value, int):
            assert abs(value) < 2**63
        elif isinstance(value, str):
            assert value.isprintable()
            value.encode()
        elif isinstance(value, Path):
            assert b"\0" not in os.fsencode(value)


def parts(value: Any) -> Iterator[Any]:
    yield value
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from parts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from parts(inner)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_takes_its_needed_settings(command: str) -> None:
    config_class, _, presets = find_command(command)

    assert_sound(make_config(config_class, NEEDED[command], presets=presets))


@pytest.mark.parametrize(("command", "field"), list(fields()))
def test_hostile_values_are_refused_in_a_sentence_or_make_a_sound_config_of_bounded_numbers(
    command: str, field: str
) -> None:
    for text in (*NOT_FINITE, *TEXTS):
        given(command, field, text)
    for text in (*TOO_LARGE, *TOO_LARGE_LISTS):
        value = given(command, field, text)
        numbers = [part for part in parts(value) if isinstance(part, int | float)]
        if not isinstance(value, dict):  # further settings, which the config they belong to checks
            assert all(abs(number) <= 2**31 for number in numbers), (text[:20], value)


@pytest.mark.parametrize("name", ["../../x", "/tmp/x", "a/b", "a\\b", ".", "..", ".hidden", "x" * 81, "a b", "é"])
def test_a_model_name_that_is_no_plain_file_name_is_refused(name: str) -> None:
    with pytest.raises(UserError, match="model_name cannot be used"):
        make_config(find_command("finetune")[0], {**NEEDED["finetune"], "model_name": name})


@pytest.mark.parametrize(
    "widths", ["[-1]", "[0]", "[128, -1]", "[1000000000]", "[128,128,128,128,128,128,128,128,128]"]
)
def test_widths_of_a_projection_head_that_cannot_be_are_refused(widths: str) -> None:
    with pytest.raises(UserError, match="projection cannot be used: a projection head has up to 8 layers"):
        make_config(find_command("pretrain")[0], NEEDED["pretrain"], assignments=[f"projection={widths}"])


@pytest.mark.parametrize("method", ["pgcon", "wincon", "pirl"])
def test_a_memory_bank_needs_a_projection_head(method: str) -> None:
    needed = {**NEEDED["pretrain"], "method": method}
    with pytest.raises(UserError, match="needs a projection head"):
        make_config(find_command("pretrain")[0], needed, assignments=["projection=[]"])


def test_settings_of_an_inner_training_are_checked_too() -> None:
    with pytest.raises(UserError, match="settings cannot be used: a number must be finite"):
        make_config(find_command("evaluate")[0], {**NEEDED["evaluate"], "settings": {"margin": math.inf}})


def test_a_tilde_is_the_home_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    index = make_config(find_command("index")[0], {"path": "~/study.mp4", "out": "~"}).model_dump()
    assert (index["path"], index["out"]) == (tmp_path / "study.mp4", tmp_path)
    several = make_config(find_command("neighbours")[0], {"embeddings": ["~/one.h5", "~two.h5"], "frame": 0})
    assert tuple(several.model_dump()["embeddings"]) == (tmp_path / "one.h5", Path("~two.h5"))
