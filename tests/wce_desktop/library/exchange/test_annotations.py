"""Annotation files in a library: the study and frame of each image, our words for classes, counts of the rest."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.wce_desktop.library.exchange.annotated import (
    FRAMES,
    HEIGHT,
    NAMES,
    WIDTH,
    add_study,
    boxes_of,
    labels_of,
    write_study,
)
from training.datasets.annotations.reading import read_annotations
from training.errors import UserError
from training.runs.reporter import Cancelled, SilentReporter
from wce_desktop.core.study import Study
from wce_desktop.library import Library
from wce_desktop.library.exchange import LEFT_OUT, AnnotationChoice, apply_import, plan_import, survey

SIZE = {"width": WIDTH, "height": HEIGHT}


@pytest.fixture
def study(library: Library, tmp_path: Path) -> Study:
    """A folder of images as study P03a."""
    return add_study(library, write_study(tmp_path / "Lovelace, Ada"))


@pytest.fixture
def video(library: Library, tmp_path: Path) -> Study:
    """A video that is away: frames by number only."""
    return library.studies.add(tmp_path / "clip.mp4", study_id="V1", patient_id="V", frame_count=FRAMES)


def coco(folder: Path, images: list[dict[str, Any]], boxes: list[tuple[int, str, list[float]]], **more: Any) -> Path:
    """A COCO file; boxes as (image id, class, bbox)."""
    names = list(dict.fromkeys(name for _, name, _ in boxes))
    document = {
        "images": images,
        "categories": [{"id": at, "name": name} for at, name in enumerate(names)],
        "annotations": [
            {"id": at, "image_id": image, "category_id": names.index(name), "bbox": bbox}
            for at, (image, name, bbox) in enumerate(boxes)
        ],
    }
    path = folder / "boxes.json"
    path.write_text(json.dumps(document | more), encoding="utf-8")
    return path


def cvat_video(folder: Path, *, name: str = "clip.mp4", size: int = FRAMES, width: int = WIDTH, body: str = "") -> Path:
    path = folder / "task.xml"
    box = '<track id="0" label="polyp"><box frame="3" outside="0" xtl="1" ytl="2" xbr="11" ybr="22"/></track>'
    path.write_text(
        f"<annotations><version>1.1</version><meta><task><size>{size}</size><original_size><width>{width}</width>"
        f"<height>{HEIGHT}</height></original_size><source>{name}</source></task></meta>{body or box}</annotations>",
        encoding="utf-8",
    )
    return path


def take(library: Library, path: Path, **choice: Any) -> tuple[str, ...]:
    """Import; returns the lines of the plan."""
    plan = plan_import(library, path, NAMES, choice=AnnotationChoice(**choice))
    apply_import(library, plan)
    return plan.lines


def test_images_are_found_by_their_names_and_boxes_become_labels_too(
    library: Library, study: Study, tmp_path: Path
) -> None:
    images = [{"id": at, "file_name": f"any/{at:03d}.png", **SIZE} for at in range(5)]
    path = coco(
        tmp_path, images, [(1, "polyp", [1, 2, 10, 20]), (2, "Polyp", [3, 4, 5, 6]), (2, "blood", [1, 1, 9, 9])]
    )
    lines = take(library, path, study_id="P03a")  # 000.png could be of any study
    assert lines[0] == "P03a: 2 labels on 3 frames, 3 boxes"
    assert boxes_of(library) == [(1, "polyp", 1, 2, 11, 22), (2, "blood", 1, 1, 10, 10), (2, "polyp", 3, 4, 8, 10)]
    assert labels_of(library) == {(1, "polyp"), (2, "polyp"), (2, "blood")}
    assert library.annotations.undo_title("P03a") == "Import boxes.json: 2 labels on 3 frames, 3 boxes"
    assert plan_import(library, path, NAMES, choice=AnnotationChoice("P03a")).is_empty  # nothing twice
    library.annotations.undo("P03a")
    assert boxes_of(library) == []


def test_names_that_one_study_has_alone_need_no_choice(library: Library, study: Study, tmp_path: Path) -> None:
    other = write_study(tmp_path / "other")
    for number in range(FRAMES):
        (other / f"{number:03d}.png").rename(other / f"scan-b{number:03d}.png")
    add_study(library, other, "P04a")
    path = coco(tmp_path, [{"id": 0, "file_name": "scan-b007.png", **SIZE}], [(0, "polyp", [1, 2, 10, 20])])
    take(library, path)
    assert boxes_of(library, "P04a") == [(7, "polyp", 1, 2, 11, 22)]


@pytest.mark.parametrize("name", ["clip_000004.jpg", "clip-4.png", "V1/frame-000004.png", "x/V1-frame-000004.png"])
def test_frames_of_a_video_are_found_by_its_name_and_their_number(
    library: Library, video: Study, tmp_path: Path, name: str
) -> None:
    lines = take(library, coco(tmp_path, [{"id": 0, "file_name": name}], [(0, "polyp", [1, 2, 10, 20])]))
    assert boxes_of(library, "V1") == [(4, "polyp", 1, 2, 11, 22)]
    how = (
        "by the numbers in their names" if "clip" in name else "by the study and the number of the frame that the file"
    )
    assert any(line.startswith(f"1 image matched with frames {how}") for line in lines)


ZERO = "The numbers count from 0, because there is a number 0: clip_0.png is frame 1 of the window."


@pytest.mark.parametrize(
    ("numbers", "first", "why"),
    [
        ((0, 4), 0, ZERO),
        (
            (4, FRAMES),
            1,
            "The numbers count from 1, because the highest is the study's number of frames: "
            "clip_4.png is frame 4 of the window.",
        ),
        (
            (4, 9),
            0,
            "The names do not show whether they count from 0 or from 1. 0 was taken: "
            "clip_4.png is frame 5 of the window; check its boxes.",
        ),
    ],
)
def test_names_show_whether_they_count_from_0_or_1(
    library: Library, video: Study, tmp_path: Path, numbers: tuple[int, ...], first: int, why: str
) -> None:
    images = [{"id": at, "file_name": f"clip_{number}.png"} for at, number in enumerate(numbers)]
    path = coco(tmp_path, images, [(at, "polyp", [1, 2, 10, 20]) for at in range(len(images))])
    asked = survey(read_annotations(path), library.studies.all(), NAMES, AnnotationChoice())
    assert asked.unclear_numbers == (numbers == (4, 9))
    assert why in take(library, path)
    assert [box[0] for box in boxes_of(library, "V1")] == [n - first for n in numbers]


def test_the_first_frame_may_have_the_number_1(library: Library, video: Study, tmp_path: Path) -> None:
    images = [{"id": 0, "file_name": "frame_0001.png"}, {"id": 1, "file_name": "frame_0000.png"}]
    path = coco(tmp_path, images, [(0, "polyp", [1, 2, 10, 20]), (1, "polyp", [1, 2, 10, 20])])
    lines = take(library, path, study_id="V1", first_frame=1)
    assert boxes_of(library, "V1") == [(0, "polyp", 1, 2, 11, 22)]
    assert (
        "1 image with 1 box left out: the number in the name is lower than that of the first frame (frame_0000.png)."
        in lines
    )
    assert "The numbers count from 1, as was chosen: frame_0001.png is frame 1 of the window." in lines


def test_what_a_person_has_to_say_is_asked(library: Library, video: Study, tmp_path: Path) -> None:
    images = [{"id": at, "file_name": f"frame_{at:06d}.png"} for at in range(3)]
    path = coco(
        tmp_path, images, [(0, "Foam", [1, 2, 3, 4]), (1, "Foam", [1, 2, 3, 4]), (1, "Foreign_Body", [1, 2, 3, 4])]
    )
    files = read_annotations(path)
    asked = survey(files, library.studies.all(), NAMES, AnnotationChoice())
    assert (asked.formats, asked.unplaced, asked.images, asked.unknown) == (("COCO",), 3, 3, {"Foam": 2})
    said = AnnotationChoice("V1", {"Foam": LEFT_OUT})
    assert not survey(files, library.studies.all(), NAMES, said).needs_answers
    with pytest.raises(UserError, match=r"No image of .* the names do not say which study"):
        plan_import(library, path, NAMES)
    lines = take(library, path, study_id="V1", names={"Foam": LEFT_OUT})
    assert boxes_of(library, "V1") == [(1, "foreign body", 1, 2, 4, 6)]
    assert "The class “Foam” is left out: 2 boxes or labels." in lines


def test_unknown_classes_are_counted_or_mapped(library: Library, video: Study, tmp_path: Path) -> None:
    boxes = [(0, name, [1.0, 2, 3, 4]) for name in ("bubbles", "Blood - fresh", "polyp")]
    path = coco(tmp_path, [{"id": 0, "file_name": "clip_3.png"}], boxes)
    lines = take(library, path)
    assert [box[1] for box in boxes_of(library, "V1")] == ["blood", "polyp"]  # as public data sets call it
    assert "The class “bubbles” is left out: 1 box or label." in lines
    take(library, path, names={"bubbles": "foreign body"})
    assert [box[1] for box in boxes_of(library, "V1")] == ["blood", "foreign body", "polyp"]


def test_boxes_outside_frames_past_the_end_and_other_images_are_counted(
    library: Library, study: Study, tmp_path: Path
) -> None:
    images = [
        {"id": 0, "file_name": "P03a/frame-000001.png", **SIZE},
        {"id": 1, "file_name": "P03a/frame-000030.png", **SIZE},
        {"id": 2, "file_name": "999.png", **SIZE},
        {"id": 3, "file_name": "P03a/frame-000002.png", "width": 320, "height": 240},
        {"id": 4, "file_name": "P03a/frame-000003.png", "labels": ["polyp", "nessie"]},
    ]
    inside, cut, beyond = [1.0, 2, 10, 20], [-5.0, 30, 20, 40], [WIDTH + 1.0, 2, 10, 20]
    boxes = [(0, "polyp", inside), (0, "blood", cut), (0, "polyp", beyond), (0, "polyp", [-30.0, 0, 20, 20])]
    path = coco(tmp_path, images, boxes + [(image, "polyp", inside) for image in (1, 2, 3)])
    lines = take(library, path, study_id="P03a")
    assert boxes_of(library) == [(1, "blood", 0, 30, 15, HEIGHT), (1, "polyp", 1, 2, 11, 22)]
    assert labels_of(library) == {(1, "blood"), (1, "polyp"), (3, "polyp")}
    assert lines[1:] == (
        "1 image with 1 box left out: the frame lies past the end of the study (frame-000030.png).",
        "1 image with 1 box left out: the size is not that of the study's frames (frame-000002.png).",
        "1 image with 1 box left out: the study has no image of this name (999.png).",
        "2 boxes left out: it lies outside the frame.",
        "The class “nessie” is left out: 1 box or label.",
        "Frames with a box are labelled with its class, too.",
        "1 box cut at the edge of the frame.",
        "2 images matched with frames by the study and the number of the frame that the file gives them.",
    )


def test_ids_that_repeat_are_said_and_the_rest_is_imported(library: Library, study: Study, tmp_path: Path) -> None:
    images = [{"id": at, "file_name": f"P03a/frame-{number:06d}.png"} for at, number in ((1, 1), (1, 2), (2, 3))]
    boxes = [(1, "polyp", [1.0, 2, 10, 20]), (2, "polyp", [1.0, 2, 10, 20]), (2, "polyp", [1.0, 2, 10, 20])]
    lines = take(library, coco(tmp_path, images, boxes))
    assert boxes_of(library) == [(3, "polyp", 1, 2, 11, 22)]
    assert "2 images left out: several images have the same id." in lines
    assert "1 box left out: several images have the same id." in lines
    assert "1 box left out: the same box is in the file twice." in lines


def test_a_video_task_of_cvat_belongs_to_the_recording_that_it_names(
    library: Library, video: Study, tmp_path: Path
) -> None:
    take(library, cvat_video(tmp_path))
    assert boxes_of(library, "V1") == [(3, "polyp", 1, 2, 11, 22)]


def test_a_video_task_of_another_recording_is_refused(library: Library, study: Study, tmp_path: Path) -> None:
    mapped = AnnotationChoice(recordings={"clip.mp4": "P03a"})
    with pytest.raises(UserError, match=r"made for a recording of 500 frames; study P03a has 30"):
        plan_import(library, cvat_video(tmp_path, size=500), NAMES, choice=mapped)
    with pytest.raises(UserError, match=r"made for frames of 999 x 48 px; those of study P03a have 64 x 48 px"):
        plan_import(library, cvat_video(tmp_path, width=999), NAMES, choice=mapped)
    with pytest.raises(UserError, match=r"No image of .* the names do not say which study"):
        plan_import(library, cvat_video(tmp_path), NAMES)
    with pytest.raises(UserError, match=r"Study P03a was chosen, but the file says: video “clip.mp4”"):
        plan_import(library, cvat_video(tmp_path), NAMES, choice=AnnotationChoice("P03a"))
    assert boxes_of(library) == []


def test_a_study_that_is_not_there_is_a_sentence(library: Library, study: Study, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="The library has no study 'P99'"):
        plan_import(library, cvat_video(tmp_path), NAMES, choice=AnnotationChoice("P99"))


def test_shares_need_a_recording_that_can_be_opened(library: Library, video: Study, tmp_path: Path) -> None:
    (tmp_path / "data.yaml").write_text("names: [polyp]", encoding="utf-8")
    (tmp_path / "V1-frame-000002.txt").write_text("0 0.5 0.5 0.5 0.5\n", encoding="utf-8")
    said = r"Nothing of .* 1 box left out: the recording cannot be opened, and boxes are shares of its frames\."
    with pytest.raises(UserError, match=said):
        plan_import(library, tmp_path, NAMES)


def test_suggestions_that_nobody_accepted_are_no_labels(library: Library, video: Study, tmp_path: Path) -> None:
    path = coco(tmp_path, [{"id": 0, "file_name": "clip_3.png"}], [(0, "polyp", [1, 2, 3, 4])] * 2)
    document = json.loads(path.read_text(encoding="utf-8"))
    for entry, source in zip(document["annotations"], ("suggestion", "accepted"), strict=True):
        entry["source"] = source
    path.write_text(json.dumps(document), encoding="utf-8")
    lines = take(library, path)
    assert [label.source for label in library.annotations.labels("V1")] == ["accepted_suggestion"]
    assert "1 box left out: a model suggested it and nobody accepted it." in lines


def test_planning_can_be_stopped_and_changes_nothing(library: Library, video: Study, tmp_path: Path) -> None:
    class StopsLate(SilentReporter):
        def __init__(self) -> None:
            self.units: list[str] = []

        def progress(self, done: int, total: int, unit: str, what: str) -> None:
            self.units.append(unit)

        def check(self) -> None:
            if "images" in self.units and len(self.units) > 2:
                raise Cancelled

    reporter = StopsLate()
    path = coco(tmp_path, [{"id": 0, "file_name": "clip_3.png"}], [(0, "polyp", [1, 2, 3, 4])])
    with pytest.raises(Cancelled):
        plan_import(library, path, NAMES, reporter)
    assert reporter.units[:2] == ["boxes", "images"]
    assert boxes_of(library, "V1") == []
