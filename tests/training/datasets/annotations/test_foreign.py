"""Files of other tools are named by their content, whatever their suffix."""

import json
from pathlib import Path

import pytest

from training.datasets.annotations.reading import foreign_tool, read_annotations
from training.errors import UserError

CONTENTS: list[tuple[str, object]] = [
    ("BORIS", "Observation id\tMedia file\tBehavior\nobs1\tclip.mp4\tpolyp\n"),
    ("BORIS", "Observation id,Observation date,Behavior\n1,2,3\n"),
    ("BORIS", {"observations": {}, "behaviors_conf": {}}),
    ("ELAN", '<?xml version="1.0"?>\n<!-- x -->\n<ANNOTATION_DOCUMENT></ANNOTATION_DOCUMENT>'),
    ("Label Studio", [{"id": 1, "data": {"video": "clip.mp4"}, "annotations": []}]),
    ("Label Studio", [{"id": 1, "video": "clip.mp4", "box": []}]),
    ("COCO results (predictions without images)", [{"image_id": 5, "category_id": 0, "bbox": [1, 2, 3, 4]}]),
    ("Pascal VOC", "<annotation><filename>a.jpg</filename></annotation>"),
    ("DeepLabCut", "scorer,DLC,DLC\nbodyparts,nose,nose\n"),
    ("SLEAP or DeepLabCut (HDF5)", b"\x89HDF\r\n\x1a\n0000"),
    ("SLEAP", {"skeletons": [], "videos": [], "tracks": []}),
    ("Labelbox", '{"data_row": {"id": 1}, "projects": {}}\n{"data_row": {"id": 2}, "projects": {}}\n'),
    ("Supervisely", {"description": "", "tags": [], "size": {"height": 1, "width": 1}, "objects": []}),
    ("VIA 3", {"project": {}, "config": {}, "attribute": {}, "file": {}, "metadata": {}, "view": {}}),
    ("VIA (CSV)", "filename,file_size,region_shape_attributes\na.png,1,2\n"),
    ("Roboflow or TensorFlow (CSV)", "filename,width,height,class,xmin,ymin,xmax,ymax\na.jpg,1,1,p,1,1,2,2\n"),
    ("TensorFlow (TFRecord)", b"\x10\x01\0\0\0\0\0\0crc.\x0aimage/encoded"),
    ("Darwin (V7)", {"version": "2.0", "item": {"name": "a"}, "annotations": []}),
    ("MOTChallenge", "1,1,10,10,30,20,1,-1,-1,-1\n"),
    ("YouTube-VIS", {"videos": [], "annotations": [], "categories": []}),
    ("", {"hello": 1}),
    ("", "study_id,start,stop,label\nA,1,2,polyp\n"),
    ("", b"\xff\xfe\x00"),
    ("", "{"),
]


@pytest.mark.parametrize("suffix", [".json", ".txt", ".xml"])
@pytest.mark.parametrize(("tool", "content"), CONTENTS)
def test_a_tool_is_known_by_what_it_writes(tmp_path: Path, tool: str, content: object, suffix: str) -> None:
    path = tmp_path / f"export{suffix}"
    text = content if isinstance(content, str | bytes) else json.dumps(content)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    assert foreign_tool(path) == tool


def test_what_can_be_read_instead_is_said(tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    path.write_text('[{"image_id": 5, "category_id": 0}]', encoding="utf-8")
    with pytest.raises(UserError, match=r"is a file of COCO results .* It is not read\.") as error:
        read_annotations(path)
    assert error.value.hint == "Read are: COCO, CVAT, YOLO, VIA, LabelMe, Kvasir-Capsule and labels.csv."


def test_a_file_that_is_not_there_has_no_tool(tmp_path: Path) -> None:
    assert foreign_tool(tmp_path / "none") == ""


def test_the_table_of_a_kvasir_folder_may_be_chosen_itself(tmp_path: Path) -> None:
    corners = ";".join(f"{axis}{number}" for number in range(1, 5) for axis in "xy")
    header = f"filename;video_id;frame_number;finding_category;finding_class;{corners}"
    path = tmp_path / "metadata.csv"
    path.write_text(f"{header}\nclip_5.jpg;clip;5;Luminal;Polyp;10;10;40;10;40;30;10;30\n")
    (file,) = read_annotations(path)
    assert file.format == "Kvasir-Capsule"
