"""How much of a study looks unlike the training is said before its flags, and in the report."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.reading.test_flags_note import flags
from tests.wce_desktop.sessions import known_scores, write_scores
from tests.wce_desktop.windows import main_window, wait
from training.embeddings.familiar import Familiar
from wce_desktop.session.model_notes import unfamiliar_words
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.widgets.timeline.overview import UNLIKE_PX


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    with main_window(qtbot, tmp_path) as made:
        yield made


@pytest.mark.parametrize(("axis", "words"), [(0, "100 %"), (None, "")])
def test_the_share_stands_above_the_flags_where_it_is_large(
    qtbot: QtBot, window: MainWindow, axis: int | None, words: str
) -> None:
    session, reading = window.session, window.session.reading
    assert reading is not None
    model = session.current_model
    assert model is not None
    write_scores(session.files(reading.study).scores_path(model.model_id), model.model_id, known_scores())
    centroid = (np.full((1, 4), 0.5) if axis is None else np.eye(4)[:1]).astype(np.float32)
    Familiar(centroid, 0.1).write(model.folder)  # of each frame the embedding is (1, 1, 1, 1)
    session.scores.reload()
    wait(qtbot, lambda: reading.flags.unfamiliar is not None)
    label = flags(window)._model_notes
    assert label.isHidden() == (not words)
    sentence = f"{words or '0 %'} of the frames of this study are unlike the training of the model."
    assert label.text() == (sentence if words else "")
    assert unfamiliar_words(reading) == sentence
    timeline = window.workspace.timeline
    assert timeline.overview.unlike_area().height() == UNLIKE_PX
    is_unlike = "unlike the training" in timeline.content.words
    assert is_unlike == bool(words)
    area = timeline.overview.unlike_area()
    violet = timeline.overview.grab().toImage().pixelColor(area.left() + 200, area.top() + 1)
    assert (violet.red() > 140) == is_unlike
    session.close_study()
    assert label.isHidden()
