"""The form's table is the config's: types, ranges, words."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.errors import UserError
from wce_desktop.core.language import tr
from wce_desktop.session.parameters import CHOSEN_ELSEWHERE, Parameter
from wce_desktop.session.presets import TASKS, Task, built_in, config_class, full_config, methods, task_parameters


@pytest.fixture
def table() -> dict[str, Parameter]:
    """The parameters of a pretraining by name."""
    return {parameter.name: parameter for parameter in task_parameters("pretrain", "time-triplet")}


@pytest.mark.parametrize("task", TASKS)
def test_every_field_can_be_edited_or_is_chosen_elsewhere(task: Task) -> None:
    for method in methods(task):
        shown = {parameter.name for parameter in task_parameters(task, method)}
        unused = set(methods(task)[method].unused)
        assert shown | CHOSEN_ELSEWHERE | unused >= set(config_class(task, method).model_fields)
        assert shown.isdisjoint(CHOSEN_ELSEWHERE | unused)


def test_a_methods_own_parameters_come_first_and_other_methods_have_none_of_them() -> None:
    first = task_parameters("pretrain", "time-triplet")[:3]
    assert [(parameter.name, parameter.group) for parameter in first] == [
        ("window", "Method"), ("margin", "Method"), ("reduction", "Method")
    ]  # fmt: skip
    assert "window" not in {parameter.name for parameter in task_parameters("pretrain", "simclr")}


def test_what_the_issue_asks_to_be_editable_is(table: dict[str, Parameter]) -> None:
    asked = {"sequence_length", "window", "margin", "projection", "learning_rate", "steps", "backbone", "input_size"}
    assert asked <= set(table)
    assert table["sequence_length"].title.endswith("(N)")
    assert "batch_size" in {parameter.name for parameter in task_parameters("finetune", "tl-ba")}


@pytest.mark.parametrize(
    ("name", "kind", "allowed"),
    [
        ("window", "whole", "1 to 100,000"),
        ("margin", "number", "0 or more"),
        ("flips", "switch", ""),
        ("backbone", "choice", "EfficientNet-Lite0, ResNet-18, ResNet-50, Tiny (tests)"),
        ("learning_rate", "number", "more than 0"),
        ("projection", "list", ""),
        ("workers", "whole", "0 to 64"),
    ],
)
def test_kind_and_range_come_from_the_field(table: dict[str, Parameter], name: str, kind: str, allowed: str) -> None:
    assert (table[name].kind, table[name].allowed) == (kind, allowed)


@pytest.mark.parametrize(
    ("name", "typed", "value"),
    [
        ("steps", "21,000", 21000), ("margin", " 0.3 ", 0.3), ("workers", "", None), ("projection", "64, 32", (64, 32)),
        ("regions", "colon", ("colon",)), ("learning_rate", "1e-3", 0.001),
    ],
)  # fmt: skip
def test_what_is_typed_is_read(table: dict[str, Parameter], name: str, typed: str, value: object) -> None:
    assert table[name].parse(typed) == value


@pytest.mark.parametrize(("name", "typed"), [("steps", "many"), ("margin", ""), ("projection", "64, wide")])
def test_what_is_no_number_is_named(table: dict[str, Parameter], name: str, typed: str) -> None:
    with pytest.raises(UserError, match=table[name].title.split(" (", maxsplit=1)[0]):
        table[name].parse(typed)


@pytest.mark.usefixtures("in_german")
def test_numbers_are_typed_and_shown_as_in_german(table: dict[str, Parameter]) -> None:
    assert table["steps"].parse("21.000") == 21_000
    assert table["margin"].parse("0,3") == 0.3
    assert (table["margin"].text_of(0.3), table["window"].allowed) == ("0,3", "1 bis 100.000")
    assert table["regions"].text_of(("small bowel", "colon")) == "Dünndarm, Kolon"
    assert table["regions"].parse("Dünndarm, Kolon") == ("small bowel", "colon")
    for name, typed, example in (("steps", "21,000", "21.000"), ("margin", "0.3", "0,5"), ("margin", "1.204", "0,5")):
        with pytest.raises(UserError) as error:
            table[name].parse(typed)
        assert "keine" in tr(error.value.message)
        assert tr(error.value.hint) == f"Wie {example} schreiben."


def test_a_comma_is_no_decimal_mark_in_english(table: dict[str, Parameter]) -> None:
    with pytest.raises(UserError, match="is not a number"):
        table["margin"].parse("0,3")


@given(st.data())
def test_a_value_survives_being_shown(data: st.DataObject) -> None:
    table = {parameter.name: parameter for parameter in task_parameters("pretrain", "time-triplet")}
    values: dict[str, Any] = {
        "steps": data.draw(st.integers(1, 10**9)),
        "projection": tuple(data.draw(st.lists(st.integers(1, 4096), max_size=4))),
        "momentum": round(data.draw(st.floats(0, 0.99)), 4),
    }
    for name, value in values.items():
        assert table[name].parse(table[name].text_of(value)) == value


@pytest.mark.parametrize("task", TASKS)
def test_every_preset_of_every_method_is_sound(task: Task) -> None:
    for method in methods(task):
        for preset in built_in(task):
            assert full_config(task, method, preset).model_dump()["method"] == method


def test_the_papers_preset_has_the_papers_values() -> None:
    paper = next(preset for preset in built_in("pretrain") if preset.name == "paper")
    config = full_config("pretrain", "time-triplet", paper).model_dump()
    wanted = {"sequence_length": 72, "sequences": 1, "window": 9, "margin": 0.2, "learning_rate": 0.1, "steps": 21_000}
    assert {name: config[name] for name in wanted} == wanted
