"""Readers of foreign files keep to their limits of memory and time."""

import csv
import io
import re
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from training.datasets.annotations import content, yolo
from training.datasets.annotations.reading import foreign_tool, read_annotations
from training.datasets.findings import read_boxes, read_findings, read_links
from training.datasets.labels import COLUMNS, read_answers
from training.datasets.manifest import MAX_STUDIES, load_manifest
from training.errors import UserError
from training.files import csv_text, delimited, json_text, markup_text
from training.files.csv_text import read_dicts, read_lists
from training.files.json_text import parse_json
from training.files.markup_text import read_xml

MEBIBYTE = 1024**2


@contextmanager
def peak_below(mebibytes: float) -> Iterator[None]:
    """Fail where more memory than this is taken at once."""
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1] / MEBIBYTE
    finally:
        tracemalloc.stop()
    assert peak < mebibytes, f"{peak:.0f} MiB"


def write_tracks(folder: Path, files: int, frames: int) -> Path:
    """Small files of CVAT, each with a track that stands for many boxes."""
    folder.mkdir()
    for number in range(files):
        (folder / f"{number}.xml").write_text(
            f"<annotations><version>1.1</version><meta><task><size>{frames}</size><name>n{number}</name></task></meta>"
            '<track label="polyp"><box frame="0" xtl="1" ytl="1" xbr="5" ybr="6"/>'
            f'<box frame="{frames - 1}" xtl="2" ytl="2" xbr="8" ybr="9"/></track></annotations>'
        )
    return folder


def test_small_files_that_stand_for_many_boxes_share_one_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content, "MAX_ANNOTATIONS", 20_000)
    folder = write_tracks(tmp_path / "cvat", 30, 5_000)  # 300,000 images and boxes
    with peak_below(20), pytest.raises(UserError, match="more than 20,000 images, boxes and labels together"):
        read_annotations(folder)
    assert len(read_annotations(folder / "3.xml")) == 1


def test_boxes_between_key_frames_are_limited_for_all_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.datasets.annotations.cvat_reader.MAX_INTERPOLATED", 10_000)
    folder = write_tracks(tmp_path / "cvat", 3, 4_000)
    with pytest.raises(UserError, match="more than 10,000 boxes between the key frames"):
        read_annotations(folder)


def labelme(folder: Path, number: int) -> None:
    shape = '{"label": "polyp", "points": [[1, 1], [5, 5]], "shape_type": "rectangle"}'
    shapes = ", ".join([shape.replace("[1, 1]", f"[1, {place}]") for place in range(9)])
    (folder / f"{number}.json").write_text(f'{{"shapes": [{shapes}], "imagePath": "{number}.png", "flags": {{}}}}')


def coco(folder: Path, number: int) -> None:
    boxes = ", ".join(f'{{"image_id": 1, "category_id": 1, "bbox": [{place}, 1, 5, 5]}}' for place in range(9))
    image = '{"id": 1, "file_name": "a.png"}'
    (folder / f"{number}.json").write_text(
        f'{{"images": [{image}], "annotations": [{boxes}], "categories": [{{"id": 1, "name": "polyp"}}]}}'
    )


def via(folder: Path, number: int) -> None:
    region = '{"shape_attributes": {"name": "rect", "x": 1, "y": 1, "width": 5, "height": 5}, "region_attributes": {}}'
    (folder / f"{number}.json").write_text(f'{{"a": {{"filename": "a.png", "regions": [{", ".join([region] * 9)}]}}}}')


def yolo_text(folder: Path, number: int) -> None:
    (folder / "classes.txt").write_text("polyp\n")
    (folder / f"{number}.txt").write_text("".join(f"0 0.5 0.5 0.{place + 1} 0.1\n" for place in range(9)))


@pytest.mark.parametrize("write", [labelme, coco, via, yolo_text])
def test_each_format_counts(
    write: Callable[[Path, int], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        write(tmp_path, number)
    assert read_annotations(tmp_path)
    monkeypatch.setattr(content, "MAX_ANNOTATIONS", 25)
    if write is via:  # nothing in it has a class, so only images count
        monkeypatch.setattr(content, "MAX_ANNOTATIONS", 3)
    with pytest.raises(UserError, match="together"):
        read_annotations(tmp_path)


def test_names_count_by_their_length(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content, "MAX_ANNOTATIONS", 25)
    labelme(tmp_path, 0)
    assert read_annotations(tmp_path)
    (tmp_path / "0.json").write_text((tmp_path / "0.json").read_text().replace("0.png", "x" * 4000))
    with pytest.raises(UserError, match="together"):
        read_annotations(tmp_path)


@pytest.mark.parametrize("write", [labelme, yolo_text])
def test_the_bytes_of_all_files_are_limited(
    write: Callable[[Path, int], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(9):
        write(tmp_path, number)
    one = (tmp_path / ("8.json" if write is labelme else "8.txt")).stat().st_size
    monkeypatch.setattr(content, "MAX_IMPORT_BYTES", 5 * one)
    with pytest.raises(UserError, match="bytes together"):
        read_annotations(tmp_path)


def test_outlines_of_yolo_take_little_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "classes.txt").write_text("polyp\n")
    points = " ".join(f"0.{place:05}" for place in range(20_000))
    for number in range(20):
        (tmp_path / f"{number}.txt").write_text(f"0 {points}\n")
    with peak_below(12):
        assert len(read_annotations(tmp_path)[0].images) == 20
    monkeypatch.setattr(content, "MAX_ANNOTATIONS", 20 * 20_000 // yolo._CELLS)
    with pytest.raises(UserError, match="together"):
        read_annotations(tmp_path)


WIDE = ",".join(["study_id", "label", *(f"column{number}" for number in range(50_000))])


@pytest.mark.parametrize("read", [read_answers, read_findings, read_boxes, read_links, read_annotations])
@pytest.mark.parametrize("place", ["header", "row"])
def test_a_table_of_many_columns_is_refused_at_once(read: Callable[[Path], object], place: str, tmp_path: Path) -> None:
    path = tmp_path / "metadata.csv"
    first = (
        "filename,video_id,frame_number,study_id,label,start,stop,finding_id,kind,frame_index,x_min,y_min,x_max,y_max"
    )
    first += ",other_study_id,other_frame_index"
    if read is read_annotations:
        first += ",finding_category,finding_class,x1,y1,x2,y2,x3,y3,x4,y4"
    path.write_text(f"{first},{WIDE}\n1,2\n" if place == "header" else f"{first}\n{WIDE}\n{WIDE}\n")
    started = time.process_time()
    with pytest.raises(UserError, match="columns"):
        read(path)
    assert time.process_time() - started < 2


def test_tables_of_runs_have_the_same_limit() -> None:
    for read in (read_lists, read_dicts):
        with pytest.raises(csv.Error, match="50,002 columns"):
            list(read(io.StringIO(f"{WIDE}\n")))


def test_cells_of_a_table_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("study_id,frame_index,label\n" + "s,1,polyp\n" * 100)
    assert len(read_answers(path)) == 100
    monkeypatch.setattr(delimited, "MAX_CELLS", 300)
    with pytest.raises(UserError, match="more than 300 cells"):
        read_answers(path)
    monkeypatch.setattr(delimited, "MAX_TABLE_BYTES", 300)
    with pytest.raises(UserError, match="too large"):
        read_answers(path)


def test_rows_of_a_table_count_as_cells_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("study_id,frame_index,label\n" + "s,1,polyp\n" * 100)
    monkeypatch.setattr(delimited, "MAX_CELLS", 500)
    with pytest.raises(UserError, match="more than 500 cells"):
        read_answers(path)
    monkeypatch.setattr(delimited, "MAX_CELLS", 505)
    assert len(read_answers(path)) == 100


def test_a_million_labels_are_within_the_limits() -> None:
    assert 1_000_000 * (len(COLUMNS) + delimited._CELLS_OF_ROW) < delimited.MAX_CELLS


LOAD = """
import resource, sys
from pathlib import Path
from training.datasets.manifest import load_manifest
from training.datasets.manifest import MAX_STUDIES, load_manifest
from training.errors import UserError
start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    load_manifest(Path(sys.argv[1]))
except UserError as error:
    print(error)
    print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - start) // 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the memory of a process is counted in other units")
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"studies": [' + '{"a": []},' * 300_000 + "{}]}", r"studies\.0\.study_id"),
        ('{"studies": [' + "0," * 300_000 + "0]}", r"studies\.0"),
        (
            '{"studies": [{"study_id": "a", "patient_id": "p", "path": "a", "spans": [' + "0," * 300_000 + "0]}]}",
            "spans.0",
        ),
        ('{"studies": [], ' + ",".join(f'"a{n}": 0' for n in range(300_000)) + "}", "more than 1,000 values"),
    ],
)
def test_a_manifest_is_read_up_to_its_first_bad_study(text: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    path.write_text(text)
    done = subprocess.run([sys.executable, "-c", LOAD, path], capture_output=True, text=True, check=True)
    sentence, mebibytes = done.stdout.strip().rsplit("\n", 1)
    assert re.search(reason, sentence)
    assert int(mebibytes) < 200


def test_studies_of_a_manifest_are_limited(tmp_path: Path) -> None:
    study = '{"study_id": "%d", "patient_id": "p", "path": "a"}'
    path = tmp_path / "manifest.json"
    path.write_text('{"studies": [' + ",".join(study % number for number in range(MAX_STUDIES + 1)) + "]}")
    with pytest.raises(UserError, match="at most 100000 items"):
        load_manifest(path)


def test_lists_of_json_are_counted_before_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "[" + "[]," * 200_000 + "[]]"
    assert len(parse_json(text)) == 200_001
    monkeypatch.setattr(json_text, "MAX_CONTAINERS", 100_000)
    for given in (text, text.encode()):
        with peak_below(1), pytest.raises(ValueError, match="more than 100,000 lists and objects"):
            parse_json(given)


def test_parts_of_xml_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.xml"
    monkeypatch.setattr(markup_text, "MAX_PARTS", 1000)
    path.write_text("<a>" + "<b/>" * 998 + "</a>")
    assert len(read_xml(path)) == 998
    for text in ("<a>" + "<b/>" * 1000 + "</a>", "<a " + " ".join(f'b{n}=""' for n in range(1000)) + "/>"):
        path.write_text(text)
        with pytest.raises(UserError, match="more than 1,000 elements and attributes"):
            read_xml(path)


@pytest.mark.parametrize(
    "text",
    [
        "<!---->" * 500 + "<x>",
        "<?xml ?>" * 500 + "<x>",
        "<!DOCTYPE a>" * 300 + "<x>",
        "<!-- <?xml ?> -->" * 300 + "<x>",
        "\t" * 60_000 + "x",
        ",\t" * 30_000,
        '"' * 60_000,
        "1," * 30_000,
    ],
)
def test_no_text_makes_recognising_a_file_slow(text: str, tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text(text)
    started = time.process_time()
    assert foreign_tool(path) == ""
    assert time.process_time() - started < 2


def test_a_document_behind_comments_is_recognised(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text("<?xml version='1.0'?>\n<!-- a -->\n<!DOCTYPE b>\n<!-- c --><annotation><folder/></annotation>")
    assert foreign_tool(path) == "Pascal VOC"
    assert csv_text.MAX_COLUMNS == 1000
