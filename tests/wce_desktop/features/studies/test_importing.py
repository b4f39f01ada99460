"""Embeddings and scores of other programs in the window, and at a shell (`embeddings_cli.py`)."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from tests.wce_desktop.sessions import FRAMES, add_study, known_scores, make_session
from tests.wce_desktop.windows import press, wait, window_on
from training.errors import UserError
from wce_desktop.features.studies.importing import OwnEmbeddingsDialog
from wce_desktop.library import Library
from wce_desktop.library.run_files import is_imported
from wce_desktop.session.work import can_score, studies_to_score
from wce_desktop.shell.cli.embeddings_cli import main
from wce_desktop.shell.main_window import MainWindow

EMBEDDINGS = np.random.default_rng(0).normal(size=(FRAMES, 8)).astype(np.float32)
EMBEDDINGS[20:40, :3] += 3
JOB_MILLISECONDS = 60_000
"""A process starts, and reads the file."""


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    """On the little study, scored by a model with a network; files to import lie beside it."""
    session = make_session(tmp_path)
    study = add_study(session, tmp_path)
    np.savez(tmp_path / "study.npz", embeddings=EMBEDDINGS[5:], frame_index=np.arange(5, FRAMES))
    scores = known_scores()
    lines = [f"{frame},{scores[frame, 1]:.3f},{scores[frame, 2]:.3f}" for frame in range(0, FRAMES, 2) if frame != 50]
    (tmp_path / "cnn.csv").write_text("\n".join(["frame,Polyp,blood", *lines]), encoding="utf-8")
    with window_on(qtbot, session, study) as made:
        yield made


def begin(window: MainWindow, file: Path, monkeypatch: pytest.MonkeyPatch) -> OwnEmbeddingsDialog:
    monkeypatch.setattr(window.workspace.files, "ask_file", lambda *_: file)
    press(window, "import_embeddings")
    return window.findChildren(OwnEmbeddingsDialog)[-1]


def bring_in(window: MainWindow, qtbot: QtBot, file: Path, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    dialog = begin(window, file, monkeypatch)
    dialog.model.setEditText(model)
    dialog.go_on.click()
    qtbot.waitUntil(lambda: window.session.model_id == model and window.is_idle, timeout=JOB_MILLISECONDS)


def test_the_dialog_knows_the_study_by_the_files_name_and_wants_a_name(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = begin(window, tmp_path / "study.npz", monkeypatch)
    assert dialog.study.currentData() == window.session.open_id
    assert not dialog.go_on.isEnabled()
    assert dialog.focusWidget() in {dialog.model, dialog.model.lineEdit()}
    for name, is_right in (("dinov2-vits14", True), ("über", False), ("", False)):
        dialog.model.setEditText(name)
        assert dialog.go_on.isEnabled() is is_right
    dialog.reject()


def test_embeddings_serve_neighbours_live_scores_and_a_model_kept_of_them(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = window.session
    bring_in(window, qtbot, tmp_path / "study.npz", "vit", monkeypatch)
    model, reading = session.current_model, session.reading
    assert model is not None
    assert reading is not None
    assert is_imported(model)
    assert model.classes == ()
    assert reading.flags.scores is None
    assert reading.flags.mean_color is not None, "the colours are those that the other model has"
    assert window.workspace.timeline.content.no_scores.startswith("no scores: press K")
    press(window, "find_like_frame")
    wait(qtbot, lambda: window.is_idle)

    press(window, "live_scores")
    for frame, key in ((6, "0"), (10, "0"), (25, "4"), (30, "4")):
        window.features.reading.go_to_frame(frame)
        wait(qtbot, lambda frame=frame: reading.place.frame_index == frame and window.is_idle)  # type: ignore[misc]
        press(window, f"label_{key}")
        wait(qtbot, lambda: not window.features.live_scores.is_busy)
    live = reading.flags.live_track("blood")
    assert np.isnan(live[:5]).all()
    assert np.median(live[20:40]) > live[42:].mean()

    finetuning = window.features.learning.finetuning
    press(window, "finetune")
    panel = finetuning.dialog.panel
    for preset, can_start in (("small", False), ("linear", True)):
        panel._preset.setCurrentIndex(panel._preset.findData(preset))
        assert panel.can_start is can_start
    finetuning.dialog.close()
    press(window, "cross_validate")
    assert "it has no network" in window.banner.error

    press(window, "keep_live_model")
    qtbot.waitUntil(lambda: len(session.library.models.all()) == 3, timeout=JOB_MILLISECONDS)
    kept = session.library.models.all()[-1]
    assert is_imported(kept)
    assert kept.classes == ("normal", "blood")
    qtbot.waitUntil(lambda: session.files(reading.study).has_scores(kept.model_id), timeout=JOB_MILLISECONDS)


def test_scores_flag_frames_and_are_not_computed_for_other_studies(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = window.session
    bring_in(window, qtbot, tmp_path / "cnn.csv", "my-cnn", monkeypatch)
    reading, model = session.reading, session.current_model
    assert reading is not None
    assert model is not None
    assert model.classes == ("normal", "polyp", "blood")
    assert {event.name for event in reading.flags.events} == {"polyp", "blood"}
    assert not can_score(session, reading.study, model)
    with pytest.raises(UserError, match="no network that could score this study"):
        window.features.studies.scoring.score(reading.study)
    with pytest.raises(UserError, match="no network that could explain a frame"):
        window.features.explain.explaining.explain_frame()
    assert studies_to_score(session) == []


def test_what_does_not_fit_is_shown_and_leaves_no_model(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    np.save(tmp_path / "short.npy", EMBEDDINGS[:9])
    dialog = begin(window, tmp_path / "short.npy", monkeypatch)
    dialog.model.setEditText("vit")
    dialog.go_on.click()
    sentence = "has 9 rows, but the study has 60 frames"
    qtbot.waitUntil(lambda: sentence in window.workspace.messages.text, timeout=JOB_MILLISECONDS)
    assert [model.model_id for model in window.session.library.models.all()] == ["m1"]
    assert [path.name for path in (window.session.library.folder / "models").iterdir()] == ["m1"]
    bring_in(window, qtbot, tmp_path / "study.npz", "vit", monkeypatch)  # the next one is not in its way


def test_the_shell_imports_files_called_as_their_studies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = make_session(tmp_path)
    study = add_study(session, tmp_path)
    session.library.close()
    np.save(tmp_path / "study.npy", EMBEDDINGS)
    (tmp_path / "cnn.csv").write_text("frame,bleeding\n1,0.5\n", encoding="utf-8")
    library = ["--library", str(tmp_path / "library")]
    assert main(["import-embeddings", str(tmp_path / "study.npy"), "--model", "vit", "--use", *library]) == 0
    assert capsys.readouterr().out == "study.npy: study, 60 frames.\n"
    csv = ["import-embeddings", str(tmp_path / "cnn.csv"), *library]
    for given, sentence in (
        (["--model", "cnn"], "No study is called cnn."),
        (["--model", "m1", "--study", study.study_id], "The model Model 1 computes its scores"),
        (["--model", "vit", "--study", study.study_id, "--class", "bleeding=blood"], "has the classes"),
        (["--model", "a b", "--study", study.study_id], "cannot be called “a b”"),
        (["--model", "cnn", "--study", study.study_id], "scores of 'bleeding', which is no class here"),
        (["--model", "cnn", "--study", study.study_id, "--class", "bleeding=nessie"], "our classes are"),
        ([str(tmp_path / "study.npy"), "--model", "cnn", "--study", study.study_id], "--study is of one file"),
    ):
        assert main([*csv[:2], *given, *csv[2:]]) == 1
        assert sentence in capsys.readouterr().err
    assert main([*csv, "--model", "cnn", "--study", study.study_id, "--class", "bleeding=blood"]) == 0
    assert capsys.readouterr().out == "cnn.csv: study, 60 frames, 59 without an embedding.\n"
    with Library.open(tmp_path / "library", "reader") as opened:
        assert [(model.model_id, model.classes, model.is_current) for model in opened.models.all()] == [
            ("m1", ("normal", "polyp", "blood"), False),
            ("vit", (), True),
            ("cnn", ("normal", "blood"), False),
        ]
        assert len(opened.models.scorings(study.study_id)) == 3
        opened.models.set_current("m1")
        opened.models.delete("vit")
        assert not list((tmp_path / "library").glob("studies/*/embeddings-vit.h5"))
