"""The tables of an export: manifest.json, labels.csv, boxes.csv for studies; images.csv, image_boxes.csv for images."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from training.datasets.findings import BoxRow, write_boxes
from training.datasets.labels import LabelRow, write_labels
from training.datasets.manifest import Manifest, save_manifest
from training.datasets.public.contents import Contents
from training.datasets.public.placing import PlacedImage
from training.datasets.public.studies import ExportedStudy
from training.files.csv_text import CsvWriter
from training.files.written import WrittenFiles

TABLES = ("manifest.json", "labels.csv", "boxes.csv", "images.csv", "image_boxes.csv", "splits.csv")
Boxes = Mapping[str, Sequence[tuple[str, float, float, float, float]]]


def write_tables(
    out: Path, studies: Sequence[ExportedStudy], placed: list[PlacedImage], boxes: Boxes, inside: Contents
) -> None:
    """Write them all; the manifest comes last.

    Args:
        out: folder that holds `studies/`.
        studies: for manifest.json, labels.csv and boxes.csv.
        placed: every image, for images.csv, image_boxes.csv and splits.csv.
        boxes: path of an image -> boxes in pixels.
        inside: what their labels stand for.
    """
    written = WrittenFiles(out, "data set export")
    with written.writing("labels.csv") as path:
        write_labels(path, (row for study in studies for row in _label_rows(study, inside)))
    with written.writing("boxes.csv") as path:
        write_boxes(path, (row for study in studies for row in _box_rows(study, boxes)))
    counts = Counter(term for one in placed for term in inside.of(one.image))
    labelled = [one for one in placed if inside.of(one.image)]
    _write(
        written,
        "images.csv",
        ("filename", "label", "group"),
        ((_path(one), inside.one_of(one.image, counts), one.patient_id) for one in labelled),
    )
    _write(
        written,
        "image_boxes.csv",
        ("filename", "x_min", "y_min", "x_max", "y_max", "label"),
        ((_path(one), *corners, term) for one in placed for term, *corners in boxes.get(one.image.path, ())),
    )
    _write(
        written,
        "splits.csv",
        ("filename", "split"),
        ((_path(one), one.image.split) for one in placed if one.image.split),
    )
    with written.writing("manifest.json") as path:
        save_manifest(path, Manifest(studies=tuple(study.entry for study in studies)))


def _label_rows(study: ExportedStudy, inside: Contents) -> list[LabelRow]:
    """A row for each stretch of successive frames with one label."""
    open_at: dict[str, int] = {}
    rows = []
    study_id = study.entry.study_id
    for index in sorted({*study.frames, *(index + 1 for index in study.frames)}):
        terms = inside.of(study.frames[index].image) if index in study.frames else ()
        ended = [term for term in open_at if term not in terms]
        rows += [LabelRow(study_id=study_id, start=open_at.pop(term), stop=index, label=term) for term in ended]
        for term in terms:
            open_at.setdefault(term, index)
    return sorted(rows, key=lambda row: (row.start, row.label))


def _box_rows(study: ExportedStudy, boxes: Boxes) -> Iterable[BoxRow]:
    for index, one in sorted(study.frames.items()):
        for term, x_min, y_min, x_max, y_max in boxes.get(one.image.path, ()):
            yield BoxRow(
                study_id=study.entry.study_id,
                frame_index=index,
                x_min=x_min,
                y_min=y_min,
                x_max=x_max,
                y_max=y_max,
                label=term,
            )


def _path(one: PlacedImage) -> str:
    return f"studies/{one.study_id}/{one.filename}"


def _write(written: WrittenFiles, name: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table without rows has its first line all the same."""
    with written.writing(name) as beside, beside.open("w", newline="", encoding="utf-8") as file:
        writer = CsvWriter(file)
        writer.writerow(columns)
        writer.writerows(rows)
