"""Labels of the demo study in the windows for fine-tuning."""

import shutil
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from tests.wce_desktop.phantom_sessions import phantom_session
from tests.wce_desktop.windows import wait, window_on
from training.datasets.manifest import load_manifest, save_manifest
from training.errors import UserError
from wce_desktop.core.annotation.change import Add, Remove
from wce_desktop.session.demo import is_demo
from wce_desktop.session.session import Session


@pytest.fixture
def session(tmp_path: Path, phantom: Path) -> Iterator[Session]:
    """Two labelled studies, of which the second one is the demo study."""
    folder = tmp_path / "studies"
    shutil.copytree(phantom, folder)
    manifest = load_manifest(folder / "manifest.json")
    first, second, *others = manifest.studies
    demo = second.path.with_name("demo-study.mp4")
    second.path.rename(demo)
    studies = (first, second.model_copy(update={"path": demo}), *others)
    save_manifest(folder / "manifest.json", manifest.model_copy(update={"studies": studies}))
    made = phantom_session(tmp_path, folder)
    yield made
    made.library.close()


def test_they_take_part_only_when_asked_for(qtbot: QtBot, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    asked_for: list[Collection[str] | None] = []

    def stop(*arguments: Any) -> None:
        asked_for.append(arguments[4])
        raise UserError("Stopped by the test.")

    monkeypatch.setattr("wce_desktop.features.learning.finetuning.finetune_job", stop)
    demo = next(study.study_id for study in session.library.studies.all() if is_demo(study))
    with window_on(qtbot, session, None) as window:
        finetuning, panel = window.features.learning.finetuning, window.features.learning.panel
        finetuning.finetune()
        box = finetuning.dialog.panel.demo
        assert (box.isVisible(), box.isEnabled(), box.isChecked()) == (True, True, False)
        assert "in 1 study" in finetuning.dialog.panel._what.text()
        assert "in 1 study" in panel._uses.text()
        finetuning.start_finetuning("default")
        wait(qtbot, lambda: not finetuning.is_finetuning)
        box.click()
        assert "in 2 studies" in finetuning.dialog.panel._what.text()
        assert "in 2 studies" in panel._uses.text()
        finetuning.start_finetuning("default")
        wait(qtbot, lambda: not finetuning.is_finetuning)
    assert asked_for[0] is not None
    assert demo not in asked_for[0]
    assert len(asked_for[0]) == 3
    assert asked_for[1] is None


def test_the_train_window_offers_them_for_fine_tuning_only(qtbot: QtBot, session: Session) -> None:
    demo = next(study.study_id for study in session.library.studies.all() if is_demo(study))
    with window_on(qtbot, session, None) as window:
        setup = window.features.learning.training.dialog.setup
        window.features.learning.training.show_task("finetune")
        studies = setup.studies
        assert (studies.demo.isVisible(), studies.demo.isChecked()) == (True, False)
        assert demo not in studies.table.chosen
        assert len(studies.table.chosen) == 1
        studies.demo.click()
        assert demo in studies.table.chosen
        studies.table.choose(studies.table.chosen - {demo})
        assert not studies.demo.isChecked()
        setup.show_task("pretrain")
        assert not studies.demo.isVisible()


def test_who_has_labelled_the_demo_study_only_can_fine_tune(qtbot: QtBot, session: Session) -> None:
    own = next(study for study in session.library.studies.all() if not is_demo(study))
    labels = session.library.annotations.labels(own.study_id)
    for label in labels:
        session.library.annotations.edit(own.study_id, "unlabel", [Remove(label)])
    with window_on(qtbot, session, None) as window:
        finetuning = window.features.learning.finetuning
        finetuning.finetune()
        box = finetuning.dialog.panel.demo
        assert (box.isVisible(), box.isEnabled(), box.isChecked()) == (True, False, True)
        assert box.text() == "Use labels of the demo study (there are no others yet)"
        assert "in 1 study" in finetuning.dialog.panel._what.text()
        window.features.learning.training.show_task("finetune")
        studies = window.features.learning.training.dialog.setup.studies
        assert studies.demo.isChecked()
        session.library.annotations.edit(own.study_id, "label", [Add(label) for label in labels])
        window.features.learning.training.show_task("finetune")
        assert not studies.demo.isChecked()
        assert studies.table.chosen == {own.study_id}
