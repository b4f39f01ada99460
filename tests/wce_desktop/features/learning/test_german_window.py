"""The Train window in German: titles, tooltips and sentences of every method and setting, which `training` words."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import window_on
from wce_desktop.core.language import read_translations, use_translations
from wce_desktop.features.learning.view.parameter_form import ParameterForm
from wce_desktop.session.places import resource
from wce_desktop.session.presets import TASKS, Task, methods, task_parameters
from wce_desktop.session.session import Session

GERMAN = read_translations(resource("translations", "wce_desktop_de.ts"))


@pytest.fixture(autouse=True)
def german() -> Iterator[None]:
    use_translations(GERMAN)
    yield
    use_translations({})


@pytest.mark.parametrize("task", TASKS)
def test_every_setting_has_a_german_tooltip(qtbot: QtBot, task: Task) -> None:
    for method in methods(task):
        form = ParameterForm()
        qtbot.addWidget(form)
        parameters = task_parameters(task, method)
        form.set_parameters(parameters)
        for parameter in parameters:
            said = GERMAN[parameter.help]
            assert said != parameter.help
            assert said.removesuffix(".") in form.editors[parameter.name].toolTip()


def test_methods_and_presets_are_german(qtbot: QtBot, session: Session) -> None:
    with window_on(qtbot, session, None) as window:
        window.features.learning.training.train()
        how = window.features.learning.training.dialog.setup.how
        assert how.method.findText("Zwei Ansichten (SimCLR)") >= 0
        how.method.setCurrentIndex(how.method.findText("Maskierte Clips (VideoMAE)"))
        how._method_chosen()
        assert how._words.text().startswith("Clips werden aus einem Zehntel ihrer Teile rekonstruiert")
        how.preset.setCurrentIndex(how.preset.findData("small"))
        how.save_preset("Meine")
        assert how._words.text().endswith("Selbst gespeichert; beruht auf: Klein.")
        assert how.chosen_preset.description == "Saved by you; based on Small.", "what the library keeps is English"
