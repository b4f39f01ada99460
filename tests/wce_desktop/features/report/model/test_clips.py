"""Clips and stills: the right frames, masked, in a codec that is not under the GPL, without metadata."""

from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from tests.videos import number_of, write_video
from training.errors import UserError
from training.runs.reporter import Cancelled
from training.video import FieldOfView, build_index
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.finding import Box, Finding
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.features.report.model.clips import CLIP_FPS, clip_span, export_findings
from wce_desktop.features.report.model.marks import BoxMark, Marks, marks_in_words, marks_of
from wce_desktop.features.report.model.pictures import MaskedFrames, PictureStore, decode_jpeg
from wce_desktop.session.frame_facts import FramePlace
from wce_desktop.session.session import Session


class Quiet:
    """A reporter that nobody listens to."""

    stop_requested = False

    def __init__(self, checks: int = 10**6) -> None:
        self._left = checks

    def check(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise Cancelled

    def progress(self, done: int, total: int, unit: str, what: str) -> None: ...
    def partial(self, name: str, payload: object) -> None: ...
    def log(self, line: str) -> None: ...


def place(folder: Path, view: FieldOfView | None = None, frames: int = 60) -> FramePlace:
    video = write_video(folder / "MEIER.mp4", frames)
    study = Study("s", "p", "MEIER", video, frame_count=frames)
    return FramePlace(study, build_index(video), view or FieldOfView.full(64, 64))


def finding(start: int, stop: int, *key_frames: int) -> Finding:
    return Finding.new(study_id="s", kind="foreign body", span=Span(start, stop), key_frames=key_frames)


def test_a_clip_holds_the_frames_of_the_finding_and_some_around_it(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    made = export_findings(out, place(tmp_path), [(3, finding(20, 24, 21, 23), (21, 23))], Quiet())
    assert (made.clips, made.stills, made.missing) == (1, 2, 0)
    names = sorted(path.name for path in out.iterdir())
    assert names == [
        "finding-03-foreign-body-frame-22.png",
        "finding-03-foreign-body-frame-24.png",
        "finding-03-foreign-body.mp4",
    ]
    with av.open(str(out / names[2])) as clip:
        stream = clip.streams.video[0]
        assert stream.codec_context.name == "mpeg4"
        assert stream.average_rate == CLIP_FPS
        shown = [number_of(np.asarray(frame.to_ndarray(format="rgb24"), np.uint8)) for frame in clip.decode(stream)]
        assert shown == list(range(4, 40))
        texts = {**clip.metadata, **stream.metadata}
    assert not any("meier" in value.lower() or "lav" in value.lower() for value in texts.values()), texts
    assert b"MEIER" not in (out / names[2]).read_bytes()
    still = cv2.imread(str(out / names[0]))
    assert still is not None
    assert number_of(np.ascontiguousarray(still[:, :, ::-1], dtype=np.uint8)) == 21


def test_what_lies_outside_the_field_of_view_is_black_and_cut_away(tmp_path: Path) -> None:
    view = FieldOfView("circle", 64, 64, centre=(31.5, 31.5), radius=20.0)
    with MaskedFrames(place(tmp_path, view)) as source:
        frame = source.read(7)
    assert frame.shape == (41, 41, 3)
    assert not frame[0, 0].any()
    assert not frame[-1, -1].any()
    assert frame[20, 20].any()


def test_a_field_of_view_as_large_as_the_frame_is_said(tmp_path: Path) -> None:
    made = export_findings(tmp_path, place(tmp_path), [(1, finding(5, 6), (5,))], Quiet())
    assert not made.is_masked
    assert made.sentence.endswith("nothing was masked: look for names in the pictures.")


def test_a_clip_ends_with_the_study() -> None:
    assert clip_span(finding(0, 2), 60) == Span(0, 18)
    assert clip_span(finding(58, 60), 60) == Span(42, 60)


def test_a_folder_that_cannot_be_written_is_said_and_nothing_is_left(tmp_path: Path) -> None:
    there = tmp_path / "file"
    there.write_text("no folder")
    with pytest.raises(UserError, match="cannot be written"):
        export_findings(there, place(tmp_path), [(1, finding(5, 6), (5,))], Quiet())


def test_stopping_leaves_no_half_file(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    with pytest.raises(Cancelled):
        export_findings(out, place(tmp_path), [(1, finding(5, 6), (5,))], Quiet(checks=4))
    assert list(out.iterdir()) == []


def test_a_key_frame_that_does_not_decode_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from training.video import FrameMissing

    read = MaskedFrames.read

    def damaged(self: MaskedFrames, frame_index: int) -> object:
        if frame_index == 9:
            raise FrameMissing("v", 9)
        return read(self, frame_index)

    monkeypatch.setattr(MaskedFrames, "read", damaged)
    store = PictureStore(place(tmp_path))
    found = store.load([5, 9], Quiet())
    assert found.jpeg[9] == b""
    assert found.jpeg[5]
    assert found.problem == "Frame 10 cannot be decoded; its picture is left out."
    made = export_findings(tmp_path, place(tmp_path), [(1, finding(9, 10, 9), (9,))], Quiet())
    assert (made.clips, made.stills, made.missing) == (1, 0, 2)


def test_a_video_that_is_gone_is_said(tmp_path: Path) -> None:
    where = place(tmp_path)
    where.path.unlink()
    found = PictureStore(where).load([1], Quiet())
    assert found.jpeg == {}
    assert found.problem.startswith("The pictures are missing: ")


def test_boxes_and_the_overlay_are_drawn_where_they_lie(tmp_path: Path) -> None:
    view = FieldOfView("circle", 64, 64, centre=(31.5, 31.5), radius=20.0)
    store = PictureStore(place(tmp_path, view))
    store.load([7, 8], Quiet())
    assert not store.are_similar(7, 8)
    assert store.are_similar(7, 7)
    assert not store.are_similar(7, 50), "one that was not read"
    plain = decode_jpeg(store.known([7]).jpeg[7]).astype(int)
    box = BoxMark(20, 24, 40, 36, (255, 0, 0))
    boxed = decode_jpeg(store.known([7], {7: Marks((box,))}).jpeg[7]).astype(int)
    changed = np.abs(boxed - plain).max(axis=2) > 60
    rows, columns = np.nonzero(changed)
    corner_x, corner_y = 11, 11  # of what is cut out
    assert abs(columns.min() - (20 - corner_x)) <= 3
    assert abs(columns.max() - (39 - corner_x)) <= 3
    assert abs(rows.min() - (24 - corner_y)) <= 3
    assert abs(rows.max() - (35 - corner_y)) <= 3
    assert not changed[30 - corner_y, 30 - corner_x], "it is an outline"
    cam = ((0.0, 0.0), (0.0, 1.0))  # evidence at the lower right
    covered = decode_jpeg(store.known([7], {7: Marks(cam=cam)}).jpeg[7]).astype(int)
    away = np.abs(covered - plain).max(axis=2)
    assert away[20:34, 20:34].max() > 60, "its contour"
    assert away[6:16, 6:16].mean() < 2
    assert away[30:34, 30:34].mean() < 6, "tissue within keeps its colours"
    assert away[39, 39] < 20, "nothing outside the field of view"
    assert decode_jpeg(store.known([7]).jpeg[7]).astype(int).tolist() == plain.tolist()


def test_marks_of_findings_are_said_in_words(opened: Session) -> None:
    reading = opened.reading
    assert reading is not None
    study_id = reading.study.study_id
    made = Finding.new(study_id=study_id, kind="polyp", span=Span(10, 14), key_frames=(12,))
    box = Box("b", study_id, 12, 5, 5, 20, 20, "polyp")
    elsewhere = Box("c", study_id, 30, 5, 5, 20, 20, "polyp")
    opened.edits.apply("x", [Add(made), Add(box), Add(elsewhere)])
    both = marks_of(opened, reading, with_boxes=True, with_overlay=True)
    assert list(both) == [12]
    assert len(both[12].boxes) == 1
    assert np.shape(both[12].cam) == (2, 2)
    assert marks_in_words(both).startswith("Boxes were drawn by the reader. A contour shows where")
    assert marks_of(opened, reading, with_boxes=False, with_overlay=False) == {}
    assert marks_in_words({}) == ""
