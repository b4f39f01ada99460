"""A method that is made here: from the Train window's list to a finished run, without a change to the program."""

import json
import sys

import pytest
from pytestqt.qtbot import QtBot

from tests.warm_python import WarmJobs
from tests.warm_server import REGISTERS
from tests.wce_desktop.features.learning import toy_method
from tests.wce_desktop.features.learning.toy_method import ToyMethod
from tests.wce_desktop.features.learning.trainer import TINY_PRETRAINING, Trainer, steps_of
from tests.wce_desktop.windows import window_on
from training.errors import UserError
from training.methods.registry import PRETRAINING
from training.pretraining.config import pretrain_config
from training.pretraining.pretrained import Pretrained
from wce_desktop.session.session import Session


def test_a_method_is_chosen_in_the_window_and_trained(
    qtbot: QtBot, session: Session, monkeypatch: pytest.MonkeyPatch, warm_jobs: WarmJobs
) -> None:
    monkeypatch.setitem(PRETRAINING, ToyMethod.name, ToyMethod)
    had_torch = "torch" in sys.modules  # other tests of the same process may have imported it
    with window_on(qtbot, session, None) as window:
        if warm_jobs.is_used:
            monkeypatch.setenv(REGISTERS, toy_method.__name__)
        else:
            monkeypatch.setattr(window.jobs, "_command", toy_method.toy_command)
        trainer = Trainer(qtbot, window)
        window.features.learning.training.train()
        how = trainer.dialog.setup.how
        assert "dimmed_to" not in how.form.editors
        how.method.setCurrentIndex(how.method.findText("Darker copies (toy)"))
        how._method_chosen()
        assert ToyMethod.sentence in how._words.text()
        assert "margin" not in how.form.editors
        trainer.sets({**TINY_PRETRAINING, "dimmed_to": 0.4, "steps": 3, "evaluations": 0})
        page = trainer.starts()
        trainer.sees(lambda: page.job is not None and page.job.has_ended)
        assert page.job is not None
        assert page.job.state == "done", page.job.outcome
        run = session.library.runs.all()[0]
        assert steps_of(run.folder) == [1, 2, 3]
    assert ("torch" in sys.modules) == had_torch
    settings = json.loads((run.folder / "config.json").read_text())["config"]
    assert (settings["method"], settings["dimmed_to"]) == ("toy", 0.4)
    assert "margin" not in settings
    card = json.loads((run.folder / "card.json").read_text())
    assert card["method"]["name"] == "toy"
    assert {"agreement", "spread"} <= card["figures"].keys()
    assert Pretrained.open(run.folder).step == 3


def test_it_takes_its_own_settings_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PRETRAINING, ToyMethod.name, ToyMethod)
    assert pretrain_config(studies="s", out="o", method="toy", dimmed_to=0.3).model_dump()["dimmed_to"] == 0.3
    with pytest.raises(UserError, match="the setting dimmed_to belongs to toy, not to simclr"):
        pretrain_config(studies="s", out="o", method="simclr", dimmed_to=0.3)
    with pytest.raises(UserError, match="the setting margin belongs to time-triplet, not to toy"):
        pretrain_config(studies="s", out="o", method="toy", margin=0.3)
