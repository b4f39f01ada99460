"""A form shows what the choices in it use."""

import pytest
from pytestqt.qtbot import QtBot

from wce_desktop.features.learning.view.parameter_form import ParameterForm
from wce_desktop.session.parameters import NEEDS
from wce_desktop.session.presets import Task, methods, task_parameters

TASKS: tuple[Task, ...] = ("pretrain", "finetune")


def hidden(form: ParameterForm) -> set[str]:
    return {name for name, editor in form.editors.items() if editor.isHidden()}


@pytest.mark.parametrize("task", TASKS)
def test_what_the_method_or_another_choice_does_not_use_is_hidden(qtbot: QtBot, task: Task) -> None:
    for method in methods(task):
        form = ParameterForm()
        qtbot.addWidget(form)
        form.set_parameters(task_parameters(task, method))
        form.set_values({"optimizer": "adamw", "schedule": "constant", "sampling": "balanced"})
        assert not set(methods(task)[method].unused) & set(form.editors)
        depend = {name for name, (other, _) in NEEDS.items() if name in form.editors and other in form.editors}
        shown = {"warmup_steps", "positive_share"} & depend
        assert hidden(form) == depend - shown
        form.set_value("optimizer", "sgd")
        assert "momentum" not in hidden(form)
        form.set_value("schedule", "step")
        assert {"step_every", "step_factor"} & hidden(form) == set()
        assert not form.editors["step_every"].isHidden()
        form.set_value("momentum", 0.5)
        form.set_value("optimizer", "adamw")
        assert form.changes().get("momentum") == 0.5, "what was typed comes back with the choice"


def test_a_network_that_is_not_listed_can_be_typed(qtbot: QtBot) -> None:
    form = ParameterForm()
    qtbot.addWidget(form)
    form.set_parameters(task_parameters("finetune", "tl-ba"))
    form.set_values({"backbone": "resnet18"})
    assert form.changes().get("backbone") is None
    form.set_value("backbone", "resnet50")
    assert form.changes()["backbone"] == "resnet50"
    form.set_value("backbone", "timm:vit_tiny_patch16_224")
    assert form.changes()["backbone"] == "timm:vit_tiny_patch16_224"
    form.set_values({"backbone": "timm:vit_tiny_patch16_224"})
    assert form.changes().get("backbone") is None


def test_every_rule_names_parameters() -> None:
    known = {one.name: one for task in TASKS for method in methods(task) for one in task_parameters(task, method)}
    for name, (other, values) in NEEDS.items():
        assert name in known
        possible = {
            choice
            for task in TASKS
            for method in methods(task)
            for one in task_parameters(task, method)
            if one.name == other
            for choice in one.choices
        }
        assert set(values) <= possible, name
