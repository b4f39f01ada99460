"""Landmarks and transit times in the real window, with mouse and keys."""

from pathlib import Path

import numpy as np
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.landmarks.test_suggesting import write
from tests.wce_desktop.windows import main_window, press, wait
from training.embeddings.chunk import EmbeddingChunk, EmbeddingLayout
from training.embeddings.writer import EmbeddingWriter
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.landmark import Landmark, Region, first_frames
from wce_desktop.features.landmarks.landmarks_panel import LandmarksPanel
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.widgets.timeline.spans_paint import landmark_x

LEFT = Qt.MouseButton.LeftButton


def frames(window: MainWindow) -> dict[Region, int]:
    assert window.session.reading is not None
    return first_frames(window.session.library.annotations.landmarks(window.session.reading.study.study_id))


def go(qtbot: QtBot, window: MainWindow, frame: int) -> None:
    window.workspace.go_to_frame(frame)
    wait(qtbot, lambda: window.session.reading is not None and window.session.reading.place.frame_index == frame)


def shown(window: MainWindow) -> LandmarksPanel:
    press(window, "show_landmarks")
    return window.features.landmarks.panel


def test_keys_and_buttons_set_landmarks_and_undo_takes_them_away(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        panel = shown(window)
        assert panel.isVisible()
        for frame, action in ((2, "landmark_oesophagus"), (5, "landmark_stomach"), (20, "landmark_small_bowel")):
            go(qtbot, window, frame)
            press(window, action)
        go(qtbot, window, 30)
        qtbot.mouseClick(panel.rows[Region.COLON].set_here, LEFT)
        assert frames(window) == {
            Region.OESOPHAGUS: 2,
            Region.STOMACH: 5,
            Region.SMALL_BOWEL: 20,
            Region.COLON: 30,
        }
        assert panel.rows[Region.COLON].place.text() == "0:00:01"
        assert panel.times.text().splitlines()[:2] == ["Gastric: 0 s", "Small bowel: 0 s"]
        assert "Caecum: reached" in panel.times.text()
        assert " min h" not in panel.times.text()
        assert panel.not_reached.isHidden()
        qtbot.mouseClick(panel.rows[Region.STOMACH].place, LEFT)
        wait(qtbot, lambda: window.session.reading is not None and window.session.reading.place.frame_index == 5)
        qtbot.mouseClick(panel.rows[Region.COLON].remove, LEFT)
        assert Region.COLON not in frames(window)
        press(window, "undo")
        assert frames(window)[Region.COLON] == 30


def test_a_landmark_out_of_order_is_a_sentence_and_nothing_is_lost(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        panel = shown(window)
        go(qtbot, window, 20)
        press(window, "landmark_stomach")
        go(qtbot, window, 10)
        qtbot.mouseClick(panel.rows[Region.SMALL_BOWEL].set_here, LEFT)
        assert frames(window) == {Region.STOMACH: 20}
        assert "The first duodenal frame (11) does not lie after the first gastric frame (21)" in window.banner.text


def test_imported_landmarks_out_of_order_are_told_beside_the_times(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        panel, reading = shown(window), window.session.reading
        assert reading is not None
        study_id = reading.study.study_id
        marks = [Landmark("a", study_id, Region.STOMACH, 40), Landmark("b", study_id, Region.COLON, 10)]
        window.session.edits.apply("Import", [Add(mark) for mark in marks])
        assert panel.problem.isVisible()
        assert panel.problem.text() == "The first caecal frame (11) does not lie after the first gastric frame (41)."
        assert "Gastric: not known" in panel.times.text()


def test_a_caecum_that_was_not_reached_has_consequences(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        panel = shown(window)
        assert panel.consequences.isHidden()
        qtbot.mouseClick(panel.not_reached, LEFT)
        assert frames(window) == {Region.END: 59}
        assert "Caecum: not reached" in panel.times.text()
        assert "incomplete" in panel.consequences.text()
        assert "retention" in panel.consequences.text()
        press(window, "undo")
        assert panel.consequences.isHidden()


def test_a_line_is_dragged_on_the_timeline(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        lane = window.workspace.timeline.overview
        for frame, action in ((10, "landmark_stomach"), (30, "landmark_small_bowel")):
            go(qtbot, window, frame)
            press(window, action)
        reading = window.session.reading
        assert reading is not None

        def drag(region: Region, to: int) -> None:
            mark = next(mark for mark in reading.entries.landmarks if mark.region is region)
            y = lane.region_area().center().y()
            start = QPoint(round(landmark_x(lane.axis, mark)), y)
            end = QPoint(round(lane.axis.x(to + 0.5)), y)
            qtbot.mousePress(lane, LEFT, pos=start)
            qtbot.mouseMove(lane, (start + end) / 2)
            qtbot.mouseMove(lane, end)
            qtbot.mouseRelease(lane, LEFT, pos=end)

        drag(Region.SMALL_BOWEL, 40)
        assert frames(window) == {Region.STOMACH: 10, Region.SMALL_BOWEL: 40}
        assert window.session.edits.undo_title == "first duodenal frame moved to frame 41"
        drag(Region.SMALL_BOWEL, 2)  # before the stomach
        assert frames(window) == {Region.STOMACH: 10, Region.SMALL_BOWEL: 40}
        assert first_frames(window.workspace.timeline.content.landmarks)[Region.SMALL_BOWEL] == 40


def test_suggestions_are_listed_gone_through_and_accepted_with_one_key(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        panel, session = shown(window), window.session
        qtbot.mouseClick(panel.rows[Region.SMALL_BOWEL].suggest, LEFT)
        assert "No other study has a first duodenal frame yet" in panel.suggestions_note.text()
        other = session.library.studies.add(tmp_path / "other.mp4", study_id="P07", frame_count=40)
        session.library.annotations.edit("P07", "mark", [Add(Landmark("l", "P07", Region.SMALL_BOWEL, 20))])
        write(session.files(other).scores_path("m1"), np.ones((40, 4), np.float32))
        qtbot.mouseClick(panel.rows[Region.SMALL_BOWEL].suggest, LEFT)
        wait(qtbot, lambda: panel.found is not None)
        assert "the first duodenal frame of 1 other study" in panel.suggestions_note.text()
        assert panel.list.count() >= 2
        assert session.reading is not None
        assert session.reading.place.frame_index == 0, "they arrive while the reader is elsewhere"
        assert panel.highlighted is None
        assert not panel.list.hasFocus()
        assert not panel.accept.isEnabled()
        panel.list.setFocus(Qt.FocusReason.TabFocusReason)
        assert panel.highlighted is None, "the focus alone chooses nothing"
        qtbot.keyClick(panel.list, Qt.Key.Key_Down)
        chosen = panel.highlighted
        assert chosen is not None
        wait(qtbot, lambda: session.reading is not None and session.reading.place.frame_index == chosen)
        wait(qtbot, lambda: not panel.list.item(0).icon().isNull())
        press(window, "accept_landmark")
        assert frames(window) == {Region.SMALL_BOWEL: chosen}
        assert panel.found is None


def test_a_landmark_is_proposed_with_a_range_once_three_studies_have_theirs(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        panel, session = shown(window), window.session
        reading = session.reading
        assert reading is not None
        vectors = np.repeat(np.eye(4, dtype=np.float32)[:3], (10, 30, 20), axis=0)
        for number in range(3):
            study = session.library.studies.add(tmp_path / f"{number}.mp4", study_id=f"P{number}x", frame_count=60)
            marks = ((Region.STOMACH, 0), (Region.SMALL_BOWEL, 10), (Region.COLON, 40))
            edit = [Add(Landmark(f"{number}{region}", study.study_id, region, at)) for region, at in marks]
            session.library.annotations.edit(study.study_id, "mark", edit)
            write(session.files(study).scores_path("m1"), vectors)
        file = reading.flags.embeddings
        assert file is not None
        layout = EmbeddingLayout(60, 4, len(file.header.classes))
        scores = np.full((60, layout.classes), 0.1, np.float32)
        path = session.files(reading.study).scores_path("m1")
        with EmbeddingWriter.create(path, file.header, layout, np.arange(60) / 2) as writer:
            writer.append(EmbeddingChunk(vectors, np.zeros((60, 3), np.uint8), scores))
            writer.finish()
        session.scores.reload()
        go(qtbot, window, 10)
        press(window, "landmark_small_bowel")
        press(window, "suggest_landmark")
        wait(qtbot, lambda: panel.found is not None)
        assert panel.found is not None, panel.suggestions_note.text()
        proposal = panel.found.proposal
        assert proposal is not None
        assert abs(proposal.frame_index - 40) <= 1
        assert proposal.earliest <= 40 <= proposal.latest
        assert "Learned from 3 studies of this library." in panel.suggestions_note.text()
        assert "proposed" in panel.list.item(0).text()
        assert frames(window) == {Region.SMALL_BOWEL: 10}, "a proposal is no landmark"
        panel.list.setFocus(Qt.FocusReason.TabFocusReason)
        qtbot.keyClick(panel.list, Qt.Key.Key_Down)
        press(window, "accept_landmark")
        assert frames(window) == {Region.SMALL_BOWEL: 10, Region.COLON: proposal.frame_index}
