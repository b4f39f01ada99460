"""Which study and frame images belong to: the clues of a file agree, or the images are left out with a sentence."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.corpus.container_edits import insert_null_chunks
from tests.wce_desktop.library.exchange.annotated import (
    NAMES,
    add_boxes,
    add_labels,
    boxes_of,
    labels_of,
    round_frame,
    write_study,
)
from training.errors import UserError
from training.video import FIRST_NUMBERING, NUMBERING, build_index, fingerprint
from training.video.frame_index import FrameIndex
from wce_desktop.library import Library
from wce_desktop.library.exchange import (
    EXPORT_FORMATS,
    AnnotationChoice,
    apply_import,
    export_annotations,
    export_format,
    export_library,
    plan_import,
)

FRAMES = 48
RATE = 25


@pytest.fixture
def pair(library: Library, tmp_path: Path) -> Library:
    """Two videos that are away, clip and other; when each frame is shown is known."""
    for name in ("clip", "other"):
        library.studies.add(
            tmp_path / f"{name}.mp4", study_id=name, patient_id=name, frame_count=FRAMES, duration_seconds=47 / RATE
        )
        keep_times(library, name)
    return library


def keep_times(library: Library, study_id: str) -> None:
    from fractions import Fraction

    numbers = np.arange(FRAMES)
    folder = library.studies.folder(study_id)
    folder.mkdir(parents=True, exist_ok=True)
    FrameIndex(
        video_seconds=numbers / RATE,
        pts=numbers.astype(np.int64),
        is_key=np.ones(FRAMES, bool),
        time_base=Fraction(1, RATE),
        missing=np.zeros(0, np.int64),
    ).save(folder / "index.npz")


def coco(folder: Path, images: list[str | dict[str, Any]], name: str = "boxes.json", **more: Any) -> Path:
    """A COCO file with a polyp on each image."""
    entries = [each if isinstance(each, dict) else {"file_name": each} for each in images]
    document = {
        "images": [{"id": at} | entry for at, entry in enumerate(entries)],
        "categories": [{"id": 0, "name": "polyp"}],
        "annotations": [
            {"id": at, "image_id": at, "category_id": 0, "bbox": [1, 2, 10, 20]} for at in range(len(images))
        ],
    }
    path = folder / name
    path.write_text(json.dumps(document | more), encoding="utf-8")
    return path


def take(library: Library, path: Path, **choice: Any) -> tuple[str, ...]:
    plan = plan_import(library, path, NAMES, choice=AnnotationChoice(**choice))
    apply_import(library, plan)
    return plan.lines


def frames(library: Library) -> dict[str, list[int]]:
    """The frames with a box, by study."""
    found = {study.study_id: [box[0] for box in boxes_of(library, study.study_id)] for study in library.studies.all()}
    return {study_id: numbers for study_id, numbers in found.items() if numbers}


@pytest.mark.parametrize(
    ("images", "right"),
    [
        (["clip/frame_000005.png", "other/frame_000007.png"], {"clip": [5], "other": [7]}),
        (["train/clip_000005.png", "valid/clip_000007.png", "test/other_000003.png"], {"clip": [5, 7], "other": [3]}),
        (["polyp/clip_000005.png", "blood/clip_000007.png"], {"clip": [5, 7]}),
        (["clip_000030_png.rf.0a1b9.jpg", "clip_000031_jpg.rf.ffb0c12.jpg"], {"clip": [30, 31]}),
        ([{"file_name": "x_png.rf.09.jpg", "extra": {"name": "clip_000030.png"}}], {}),
        (["clip.mp4#t=0.28.jpg", "clip.mp4#t=1.2.jpg", "other.mp4#t=0.27.jpg"], {"clip": [7, 30], "other": [6]}),
        (["clip_0.28s.png", "clip_1.20s.png"], {"clip": [7, 30]}),
        (["000005_clip.png", "000006_clip.png"], {"clip": [5, 6]}),
        (["clip_000005.png", "other_000005.png"], {"clip": [5], "other": [5]}),
        (["2024-01-15_clip_000005.png"], {}),
        (["clip_12_000005.png", "clip_13_000006.png"], {}),
        (["clip_7abc.png", "clip_a7.png"], {}),
        (["clip_000030_a1b2.png", "clip_000031_c7d.png", "clip_000032_9f8e7.png"], {}),
        (["other/clip_000005.png"], {}),
        (["p1/clip_000005.png", "p2/clip_000007.png"], {}),
        (["clip1_000005.png", "clip2_000005.png"], {}),
        (["clip.mp4#t=99.jpg"], {}),
        (["clip.png"], {}),
        (["001/clip_000005.png", "002/clip_000007.png"], {}),
        (["clip_000002.png", f"clip_{FRAMES + 1:06d}.png"], {}),
        (["clip_mp4-5_jpg.rf.0a.jpg", "clip_mp4-6_jpg.rf.0b.jpg"], {}),
        ([{"file_name": "frame_5.png", "path": "/sets/other/frame_5.png"}], {"other": [5]}),
        ([{"file_name": "frame_5.png", "coco_url": "http://there/clip/frame_5.png"}], {"clip": [5]}),
        ([{"file_name": "clip_5.png", "path": "/sets/other/clip_5.png"}], {}),
    ],
)
def test_clues_agree_or_images_are_left_out(
    pair: Library, tmp_path: Path, images: list[str | dict[str, Any]], right: dict[str, list[int]]
) -> None:
    path = coco(tmp_path, images)
    if right:
        take(pair, path)
    else:
        with pytest.raises(UserError, match="No image of"):
            take(pair, path)
    assert frames(pair) == right


def test_names_and_their_frames_are_shown_before_anything_is_written(pair: Library, tmp_path: Path) -> None:
    plan = plan_import(pair, coco(tmp_path, [f"clip_{number:04}.jpg" for number in range(0, 48, 5)]), NAMES)
    assert plan.examples == (
        "clip is read as clip: clip_0000.jpg is frame 1, 0.00 s; clip_0025.jpg is frame 26, 1.00 s; "
        "clip_0045.jpg is frame 46, 1.80 s.",
    )
    assert plan.examples[0] in plan.lines


def test_one_study_is_never_taken_for_several_recordings(pair: Library, tmp_path: Path) -> None:
    for images in (
        ["clip/frame_000005.png", "other/frame_000007.png"],
        ["a/frame_000005.png", "b/frame_000007.png"],
        ["img_000005.png", "frame_000007.png"],
        ["scan_000005.png", "clip_000007.png"],
    ):
        with pytest.raises(UserError, match="The files hold several recordings"):
            take(pair, coco(tmp_path, list(images)), study_id="clip")
    assert frames(pair) == {}


@pytest.mark.parametrize(
    ("image", "name"),
    [
        ("other/frame_000005.png", "boxes.json"),
        ("other.mp4#t=0.28.jpg", "boxes.json"),
        ("elsewhere.mp4#t=0.28.jpg", "boxes.json"),
        ("frame_000005.png", "other.json"),
        ("other/clip_000005.png", "boxes.json"),
        ("P99/frame-000005.png", "boxes.json"),
    ],
)
def test_a_chosen_study_never_overrides_what_the_file_says(
    pair: Library, tmp_path: Path, image: str, name: str
) -> None:
    with pytest.raises(UserError, match="Study clip was chosen, but the file says: "):
        take(pair, coco(tmp_path, [image], name), study_id="clip")
    assert frames(pair) == {}


def test_each_recording_can_be_given_its_study(pair: Library, tmp_path: Path) -> None:
    path = coco(tmp_path, ["a/frame_000005.png", "b/frame_000007.png", "other/frame_000009.png"])
    take(pair, path, recordings={"a": "clip", "b": ""})
    assert frames(pair) == {"clip": [5], "other": [9]}
    with pytest.raises(UserError, match="The files have no recording 'c'") as error:
        take(pair, path, recordings={"c": "clip"})
    assert error.value.hint == "They have: “a”, “b”, “other”."


def test_videos_of_a_coco_file_keep_their_images_apart(pair: Library, tmp_path: Path) -> None:
    images: list[str | dict[str, Any]] = [
        {"file_name": "000005.jpg", "video_id": 1},
        {"file_name": "000005.jpg", "video_id": "2"},
    ]
    videos = [{"id": 1, "name": "clip"}, {"id": 2, "file_name": "videos/other.mp4"}]
    take(pair, coco(tmp_path, images, videos=videos))
    assert frames(pair) == {"clip": [5], "other": [5]}


def test_two_names_of_an_image_have_to_agree(pair: Library, tmp_path: Path) -> None:
    image = {"file_name": "clip_000030_png.rf.0a1.jpg", "extra": {"name": "other_000031.png"}}
    with pytest.raises(UserError, match="the clues to their recording disagree"):
        take(pair, coco(tmp_path, [image]))


def labelme(folder: Path, name: str, image: str) -> None:
    shape = {"label": "polyp", "points": [[1, 2], [11, 22]], "shape_type": "rectangle"}
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"imagePath": image, "shapes": [shape]}), encoding="utf-8")


def test_folders_of_labelme_files_name_the_recordings(pair: Library, tmp_path: Path) -> None:
    place = tmp_path / "set"
    labelme(place, "clip/frame_5.json", "frame_5.png")
    labelme(place, "other/frame_5.json", "frame_5.png")
    labelme(place, "a.json", "..\\other\\frame_6.png")
    (place / "notes.json").write_text("{", encoding="utf-8")
    lines = take(pair, place)
    assert frames(pair) == {"clip": [5], "other": [5, 6]}
    assert any(line.startswith("A file is left out: ") and "notes.json" in line for line in lines)


def test_folders_in_names_of_via_name_the_recordings(pair: Library, tmp_path: Path) -> None:
    region = {
        "shape_attributes": {"name": "rect", "x": 1, "y": 2, "width": 10, "height": 20},
        "region_attributes": {"label": "polyp"},
    }
    document = {name: {"filename": f"{name}/frame_5.png", "regions": [region]} for name in ("clip", "other")}
    path = tmp_path / "via.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    take(pair, path)
    assert frames(pair) == {"clip": [5], "other": [5]}


def test_nothing_that_can_be_used_is_an_error_with_all_reasons(pair: Library, tmp_path: Path) -> None:
    path = coco(tmp_path, ["clip_000000.png"])
    text = path.read_text(encoding="utf-8").replace('"image_id": 0', '"image_id": "x"')
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=r"Nothing of .* 1 box left out: its image is not in the file"):
        take(pair, path)


@pytest.mark.parametrize("name", [each.name for each in EXPORT_FORMATS if each.name != "csv"])
def test_three_studies_come_back_as_they_were(tmp_path: Path, name: str) -> None:
    """Equal frame numbers; one name is the beginning of another, ends with digits, has spaces and other letters."""
    studies = {"P1": "Müller 1", "P1-2": "Müller", "P1_000003": "P1", "frame-000002": "clip frame 12"}
    with Library.open(tmp_path / "one", "reader") as one, Library.open(tmp_path / "two", "reader") as two:
        for at, (study_id, title) in enumerate(studies.items()):
            path = write_study(tmp_path / title)
            cv2.imwrite(str(path / "000.png"), round_frame(100 + at))  # else all would be one recording
            for library in (one, two):
                library.studies.add(
                    path, study_id=study_id, patient_id=study_id, fingerprint=fingerprint(path), frame_count=30
                )
            add_boxes(one, [(3, "polyp", 10.0 + at, 8, 30, 40), (2, "blood", 4, 4, 20.0 + at, 20)], study_id)
            add_labels(one, [(3, 4, "polyp"), (2, 3, "blood")], study_id)
        export_annotations(one, tmp_path / "out", export_format(name), NAMES)
        lines = take(two, tmp_path / "out")
        for study_id in studies:
            assert boxes_of(two, study_id) == boxes_of(one, study_id), lines
            assert labels_of(two, study_id) == labels_of(one, study_id)


def test_frames_that_an_earlier_version_counted_differently_are_refused(tmp_path: Path) -> None:
    odd, plain = (write_numbered_video(tmp_path / name, first=at) for at, name in enumerate(("odd.avi", "plain.avi")))
    insert_null_chunks(odd, (5, 9))
    with Library.open(tmp_path / "old", "reader") as old, Library.open(tmp_path / "new", "reader") as new:
        for path in (odd, plain):
            for library, numbering in ((old, FIRST_NUMBERING), (new, NUMBERING)):
                count = len(build_index(path, numbering=numbering))
                library.studies.add(
                    path,
                    study_id=path.stem,
                    patient_id=path.stem,
                    fingerprint=fingerprint(path),
                    frame_count=count,
                    numbering=numbering,
                )
            add_labels(old, [(12, 14, "polyp")], path.stem)
        take(new, write_export(old, tmp_path / "out plain", "csv", ["plain"]))
        assert labels_of(new, "plain") == labels_of(old, "plain")
        with pytest.raises(UserError, match="numbered differently"):
            take(new, write_export(old, tmp_path / "out odd", "csv", ["odd"]))
        assert labels_of(new, "odd") == set()


STUDIES = ("P1", "P2", "P3")


@pytest.fixture(scope="module")
def three_videos(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Recordings of the same size, rate and length, with different pictures."""
    folder = tmp_path_factory.mktemp("recordings")
    return [write_numbered_video(folder / f"rec{at}.mp4", first=100 * at) for at in range(3)]


def write_numbered_video(path: Path, first: int) -> Path:
    import av
    from av.video.stream import VideoStream

    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=25)
        assert isinstance(stream, VideoStream)
        stream.height, stream.width, stream.pix_fmt = 48, 64, "yuv420p"
        for number in range(30):
            picture = np.ascontiguousarray(round_frame(first // 4 + number)[..., ::-1])
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode(None))
    return path


def add_videos(library: Library, ids: tuple[str, ...], videos: list[Path]) -> None:
    for study_id, path in zip(ids, videos, strict=True):
        library.studies.add(path, study_id=study_id, patient_id=study_id, fingerprint=fingerprint(path), frame_count=30)


def annotate(library: Library) -> None:
    """Boxes and labels on the same frames of each study, which differ a little."""
    for at, study_id in enumerate(STUDIES):
        add_boxes(library, [(3, "polyp", 10.0 + at, 8, 30, 40), (7, "blood", 4, 4, 20.0 + at, 20)], study_id)
        add_labels(library, [(3, 4, "polyp"), (7, 8, "blood")], study_id)


FORMATS = [each.name for each in EXPORT_FORMATS]


def write_export(library: Library, folder: Path, name: str, study_ids: list[str] | None = None) -> Path:
    if name == "csv":
        export_library(library, folder, study_ids)
    else:
        export_annotations(library, folder, export_format(name), NAMES, study_ids)
    return folder


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("other_ids", [STUDIES, ("P2", "P3", "P1"), ("A", "B", "C")])
def test_an_export_finds_its_recordings_whatever_they_are_called_there(
    tmp_path: Path, three_videos: list[Path], name: str, other_ids: tuple[str, ...]
) -> None:
    with Library.open(tmp_path / "one", "reader") as one, Library.open(tmp_path / "two", "reader") as two:
        add_videos(one, STUDIES, three_videos)
        add_videos(two, other_ids, three_videos)
        annotate(one)
        lines = take(two, write_export(one, tmp_path / "out", name))
        for study_id, own in zip(STUDIES, other_ids, strict=True):
            assert boxes_of(two, own) == boxes_of(one, study_id), lines
            assert labels_of(two, own) == labels_of(one, study_id)


@pytest.mark.parametrize("name", FORMATS)
def test_a_study_of_the_same_id_that_is_another_recording_gets_nothing(
    tmp_path: Path, three_videos: list[Path], name: str
) -> None:
    with Library.open(tmp_path / "one", "reader") as one, Library.open(tmp_path / "two", "reader") as two:
        add_videos(one, STUDIES, three_videos)
        annotate(one)
        stranger = write_numbered_video(tmp_path / "stranger.mp4", first=700)
        add_videos(two, ("P1",), [stranger])
        with pytest.raises(UserError, match="another recording"):
            take(two, write_export(one, tmp_path / "out", name, ["P1"]))
        assert boxes_of(two, "P1") == []


@pytest.mark.parametrize("name", ["Größe", "Gro\u0308ße"])
@pytest.mark.parametrize("theirs", ["größe_000005.png", "gro\u0308ße_000005.png"])
def test_an_umlaut_is_the_same_as_one_letter_and_as_two(
    library: Library, tmp_path: Path, name: str, theirs: str
) -> None:
    library.studies.add(tmp_path / f"{name}.mp4", study_id="s", frame_count=FRAMES)
    take(library, coco(tmp_path, [theirs]))
    assert frames(library) == {"s": [5]}


def test_a_name_as_it_is_written_goes_before_one_in_other_letters(library: Library, tmp_path: Path) -> None:
    for name in ("P1", "p1"):
        library.studies.add(tmp_path / f"{name}.mp4", study_id=name, frame_count=FRAMES)
    take(library, coco(tmp_path, ["P1/frame_000005.png", "p1/frame_000006.png"]))
    assert frames(library) == {"P1": [5], "p1": [6]}


def test_numbered_folders_and_sampled_pictures_are_not_put_onto_the_chosen_study(pair: Library, tmp_path: Path) -> None:
    for number, names in enumerate((["001/frame_5.png", "002/frame_7.png"], ["clip_mp4-5_jpg.rf.0a.jpg"])):
        with pytest.raises(UserError):
            take(pair, coco(tmp_path, [*names], f"{number}.json"), study_id="clip")
    assert frames(pair) == {}


def test_the_folder_of_a_file_is_a_clue(pair: Library, tmp_path: Path) -> None:
    for name in ("clip", "other"):
        (tmp_path / "set" / name).mkdir(parents=True)
    coco(tmp_path / "set" / "clip", ["frame_000005.png"])
    path = coco(tmp_path / "set" / "other", ["frame_000007.png"])
    with pytest.raises(UserError, match="Study clip was chosen, but the file says: folder “other”"):
        take(pair, path, study_id="clip")
    take(pair, tmp_path / "set")
    assert frames(pair) == {"clip": [5], "other": [7]}


def test_tracks_of_several_tasks_that_name_none_are_left_out(pair: Library, tmp_path: Path) -> None:
    tasks = "".join(f"<task><id>{name}</id><source>{name}.mp4</source></task>" for name in ("clip", "other"))
    box = '<box frame="3" outside="0" xtl="1" ytl="2" xbr="11" ybr="22"/>'
    tracks = f'<track label="polyp">{box}</track><track label="polyp" task_id="other">{box}</track>'
    path = tmp_path / "a.xml"
    path.write_text(f"<annotations><meta><project><tasks>{tasks}</tasks></project></meta>{tracks}</annotations>")
    assert any("does not say to which it belongs" in line for line in take(pair, path))
    assert frames(pair) == {"other": [3]}
