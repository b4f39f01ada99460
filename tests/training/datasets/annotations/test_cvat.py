"""CVAT's XML for images and for video: shapes, tracks, and what is written read again."""

from pathlib import Path
from typing import Any

import pytest

from training.datasets.annotations import cvat_reader
from training.datasets.annotations.content import AnnotatedBox, AnnotatedImage, AnnotationFile, Video
from training.datasets.annotations.cvat_writer import write_cvat_images, write_cvat_video
from training.datasets.annotations.reading import read_annotations
from training.errors import UserError

META = """<meta><task><name>t</name><size>{size}</size><mode>interpolation</mode><start_frame>{start}</start_frame>
<stop_frame>{stop}</stop_frame><frame_filter>{filter}</frame_filter><original_size><width>320</width>
<height>240</height></original_size><source>clip.mp4</source></task></meta>"""


def read(folder: Path, body: str, *, size: int = 50, start: int = 0, stop: int | None = None, step: str = "") -> (
    AnnotationFile
):  # fmt: skip
    path = folder / "annotations.xml"
    meta = META.format(size=size, start=start, stop=size - 1 if stop is None else stop, filter=step)
    path.write_text(f"<annotations><version>1.1</version>{meta}{body}</annotations>", encoding="utf-8")
    (file,) = read_annotations(path)
    return file


def shown(file: AnnotationFile) -> dict[int | str, list[tuple[str, float, float, float, float]]]:
    return {
        image.file_name or image.frame_index or 0: [
            (box.name, round(box.x_min, 3), round(box.y_min, 3), round(box.x_max, 3), round(box.y_max, 3))
            for box in image.boxes
        ]
        for image in file.images
    }


def keyed(frame: int, x: float, *, outside: int = 0) -> str:
    return f'<box frame="{frame}" keyframe="1" outside="{outside}" xtl="{x}" ytl="1" xbr="{x + 10}" ybr="21"/>'


def test_shapes_of_images_become_upright_boxes(tmp_path: Path) -> None:
    file = read(
        tmp_path,
        """<image id="0" name="p/frame_000003.png" width="320" height="240"><tag label="polyp"/><tag/>
        <box label="polyp" xtl="1.5" ytl="2" xbr="10" ybr="20"/>
        <box label="turned" xtl="0" ytl="10" xbr="40" ybr="20" rotation="90"/>
        <polygon label="polygon" points="5,6;50,7;20,60"/><polyline label="line" points="1,2;3,4"/>
        <ellipse label="ellipse" cx="50" cy="60" rx="10" ry="5"/>
        <mask label="mask" left="3" top="4" width="10" height="20" rle="1"/>
        <points label="points" points="1,2"/><box xtl="1" ytl="2" xbr="3" ybr="4"/>
        <box label="text" xtl="x" ytl="2" xbr="3" ybr="4"/><unknown/></image><image id="1" name="q.png"/>""",
    )
    assert file.format == "CVAT for images"
    assert shown(file) == {
        "p/frame_000003.png": [
            ("polyp", 1.5, 2, 10, 20),
            ("turned", 15, -5, 25, 35),
            ("polygon", 5, 6, 50, 60),
            ("line", 1, 2, 3, 4),
            ("ellipse", 40, 55, 60, 65),
            ("mask", 3, 4, 13, 24),
        ],
        "q.png": [],
    }
    assert file.images[0].labels == ["polyp"]
    assert dict(+file.left_out) == {
        ("label", "no class is given"): 1,
        ("box", "points and lines have no area"): 1,
        ("box", "no class is given"): 1,
        ("box", "the corners are not numbers"): 1,
    }


def test_tracks_are_seen_until_they_are_outside_and_interpolated_between_key_frames(tmp_path: Path) -> None:
    track = keyed(2, 0) + keyed(4, 20) + keyed(7, 20, outside=1) + keyed(9, 5)
    file = read(
        tmp_path, f'<track id="0" label="polyp">{track}</track><track id="1" label="blood">{keyed(4, 1)}</track>'
    )
    assert file.format == "CVAT for video"
    assert file.images[0].video == Video("clip.mp4", "t", 50, (240, 320), 49)
    assert {frame: [(box[0], box[1]) for box in boxes] for frame, boxes in shown(file).items()} == {
        2: [("polyp", 0)],
        3: [("polyp", 10)],
        4: [("polyp", 20), ("blood", 1)],
        5: [("polyp", 20)],
        6: [("polyp", 20)],
        9: [("polyp", 5)],
    }
    assert file.notes == ["3 boxes between key frames of tracks: interpolated, as CVAT does."]


def test_a_part_of_a_recording_says_nothing_of_its_length(tmp_path: Path) -> None:
    track = f'<track id="0" label="polyp">{keyed(2, 0)}</track>'

    def length(**task: Any) -> int | None:
        return read(tmp_path, track, **task).images[0].video.frame_count

    assert length(size=13, start=2, stop=14) is None
    assert length(size=50, stop=99, step="step=2") is None
    assert length(size=10) == 10


def test_only_frames_of_the_task_have_boxes(tmp_path: Path) -> None:
    track = f'<track id="0" label="polyp">{keyed(3, 0)}{keyed(13, 10)}{keyed(14, 0)}{keyed(18, 0, outside=1)}</track>'
    file = read(tmp_path, track, size=4, start=3, stop=18, step="step=5")
    assert {frame: boxes[0][1] for frame, boxes in shown(file).items()} == {3: 0, 8: 5, 13: 10}
    assert file.left_out["box", cvat_reader.NOT_IN_TASK] == 1  # frame 14


def test_each_track_and_image_of_a_project_has_the_video_of_its_task(tmp_path: Path) -> None:
    tasks = "".join(
        f"<task><id>{number}</id><name>{name}</name><size>9</size><source>{name}.mp4</source></task>"
        for number, name in ((4, "left"), (7, "right"))
    )
    body = (
        f'<track task_id="4" label="polyp">{keyed(3, 0)}</track><track task_id="7" label="blood">{keyed(3, 1)}</track>'
    )
    path = tmp_path / "project.xml"
    path.write_text(
        f"<annotations><meta><project><tasks>{tasks}</tasks></project></meta>{body}</annotations>", encoding="utf-8"
    )
    (file,) = read_annotations(path)
    assert [(image.video.name, image.frame_index, image.boxes[0].name) for image in file.images] == [
        ("left.mp4", 3, "polyp"),
        ("right.mp4", 3, "blood"),
    ]


def test_frames_that_are_none_and_boxes_on_one_frame_are_counted(tmp_path: Path) -> None:
    shapes = keyed(2, 0) + keyed(2, 9) + '<box frame="x" xtl="1" ytl="1" xbr="2" ybr="2"/><points frame="4"/>'
    file = read(tmp_path, f'<track id="0" label="polyp">{shapes}</track>')
    assert shown(file) == {2: [("polyp", 0, 1, 10, 21)]}
    assert dict(+file.left_out) == {
        ("box", "its track has another box on the same frame"): 1,
        ("box", "its frame is not a number"): 1,
        ("box", "points and lines have no area"): 1,
    }


def test_a_track_that_would_fill_the_memory_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    track = f'<track id="0" label="polyp">{keyed(0, 0)}{keyed(2_000_000_000, 0)}</track>'
    with pytest.raises(UserError, match="more than 1,000,000 boxes between the key frames"):
        read(tmp_path, track, size=2_000_000_001)
    monkeypatch.setattr(cvat_reader, "MAX_INTERPOLATED", 5)
    assert len(read(tmp_path, f'<track label="polyp">{keyed(0, 0)}{keyed(6, 0)}</track>').images) == 7


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<html/>", "is not an annotation file of CVAT"),
        ("<annotations><image></annotations>", "is not a usable XML file"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><annotations><meta/></annotations>', "document type or entities"),
    ],
)
def test_other_xml_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "a.xml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=said):
        read_annotations(path)


def test_what_is_written_for_images_is_read_again(tmp_path: Path) -> None:
    boxes = [AnnotatedBox("polyp", 1.25, 2, 30, 40), AnnotatedBox('a<b & "c"\x00', 0, 0, 5, 5)]
    images = [AnnotatedImage("P/frame-000001.png", 64, 48, boxes=boxes, labels=["normal", "blood"])]
    write_cvat_images(tmp_path / "a.xml", "P", images, ["polyp", "normal", "blood"])
    (file,) = read_annotations(tmp_path / "a.xml")
    (image,) = file.images
    assert (image.file_name, image.width, image.height, image.labels) == (
        "P/frame-000001.png",
        64,
        48,
        images[0].labels,
    )
    assert image.boxes == [boxes[0], AnnotatedBox('a<b & "c"', 0, 0, 5, 5)]  # XML has no null character


def test_tracks_follow_a_box_and_end_where_it_does(tmp_path: Path) -> None:
    def at(frame: int, *lefts: float) -> AnnotatedImage:
        boxes = [AnnotatedBox("polyp", left, 0, left + 10, 10) for left in lefts]
        return AnnotatedImage(frame_index=frame, width=64, height=48, boxes=boxes)

    images = [at(3, 0, 40), at(4, 42, 1), at(5, 2), at(9, 2)]
    write_cvat_video(tmp_path / "P.xml", "P", images, ["polyp"], 10)
    text = (tmp_path / "P.xml").read_text(encoding="utf-8")
    assert text.count("<track ") == 3  # two that lie apart, and one after a gap
    assert text.count('outside="1"') == 2  # the last one ends with the recording
    (file,) = read_annotations(tmp_path / "P.xml")
    assert file.images[0].video == Video("P", "P", 10, (48, 64), 9)
    assert (file.images[0].study_id, file.notes) == ("P", [])
    found = {image.frame_index: {box.x_min for box in image.boxes} for image in file.images}
    assert found == {3: {0, 40}, 4: {1, 42}, 5: {2}, 9: {2}}


def test_an_image_of_a_video_that_its_task_does_not_have_is_left_out(tmp_path: Path) -> None:
    task = "<task><source>clip.mp4</source><mode>annotation</mode><frame_filter>step=5</frame_filter></task>"
    box = '<box label="polyp" xtl="1" ytl="1" xbr="30" ybr="30"/><tag label="blood"/>'
    images = "".join(f'<image name="frame_{number:06d}">{box}</image>' for number in (1, 5))
    path = tmp_path / "a.xml"
    path.write_text(f"<annotations><meta>{task}</meta>{images}</annotations>")
    (file,) = read_annotations(path)
    assert [(image.frame_index, len(image.boxes), image.labels) for image in file.images] == [
        (1, 0, []),
        (5, 1, ["blood"]),
    ]
    assert file.left_out.total() == 2
