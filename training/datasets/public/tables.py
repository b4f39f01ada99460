"""The tables of an export: for studies manifest.json, labels.csv, findings.csv, boxes.csv; for images the others."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from training.datasets.findings import MAX_SIZE_MM, BoxRow, FindingRow, write_boxes, write_findings
from training.datasets.labels import LabelRow, write_labels
from training.datasets.manifest import Manifest, save_manifest
from training.datasets.public.boxes import Boxes
from training.datasets.public.contents import Contents
from training.datasets.public.layout import PublishedBox
from training.datasets.public.studies import ExportedStudy, PlacedImage
from training.files.csv_text import CsvWriter
from training.files.written import WrittenFiles

TABLES = ("manifest.json", "labels.csv", "findings.csv", "boxes.csv", "images.csv", "image_boxes.csv", "splits.csv")


def write_tables(
    out: Path,
    studies: Sequence[ExportedStudy],
    placed: list[PlacedImage],
    boxes: Boxes,
    inside: Contents,
    sizes_mm: Mapping[str, float],
) -> None:
    """Write them all; the manifest comes last.

    Args:
        out: folder that holds `studies/`.
        studies: for manifest.json, labels.csv, findings.csv and boxes.csv.
        placed: every image, for images.csv, image_boxes.csv and splits.csv.
        boxes: in pixels.
        inside: what their labels stand for.
        sizes_mm: of lesions, where the set says it.
    """
    written = WrittenFiles(out, "data set export")
    with written.writing("labels.csv") as path:
        write_labels(path, (row for study in studies for row in _label_rows(study, inside, boxes)))
    with written.writing("findings.csv") as path:
        write_findings(path, (row for study in studies for row in _finding_rows(study, boxes, sizes_mm)))
    with written.writing("boxes.csv") as path:
        write_boxes(path, [row for study in studies for row in _box_rows(study, boxes)])
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
        (
            (_path(one), box.x_min, box.y_min, box.x_max, box.y_max, box.label)
            for one in placed
            for box in boxes.get(one.image.path, ())
        ),
    )
    _write(
        written,
        "splits.csv",
        ("filename", "split"),
        ((_path(one), one.image.split) for one in placed if one.image.split),
    )
    with written.writing("manifest.json") as path:
        save_manifest(path, Manifest(studies=tuple(study.entry for study in studies)), keeps_paths=True)


def _label_rows(study: ExportedStudy, inside: Contents, boxes: Boxes) -> list[LabelRow]:
    """A row for each stretch of frames with one label, and of one lesion where the set says which.

    A lesion's row ends where the frames are not successive: each row is one visit.
    """
    open_at: dict[tuple[str, str], int] = {}
    rows = []
    study_id = study.entry.study_id
    cuts = {span.start for span in study.entry.spans}
    for index in sorted({*study.frames, *(index + 1 for index in study.frames)}):
        said = _said(study, index, inside, boxes)
        ended = [key for key in open_at if key not in said or (key[1] and index in cuts)]
        rows += [
            LabelRow(study_id=study_id, start=open_at.pop(key), stop=index, label=key[0], finding_id=key[1])
            for key in ended
        ]
        for key in said:
            open_at.setdefault(key, index)
    return sorted(rows, key=lambda row: (row.start, row.label, row.finding_id))


def _said(study: ExportedStudy, index: int, inside: Contents, boxes: Boxes) -> dict[tuple[str, str], None]:
    """(term, lesion or "") of a frame, in order; a term whose lesion is said is not there without it."""
    if index not in study.frames:
        return {}
    image = study.frames[index].image
    lesions = {(box.label, box.finding): None for box in boxes.get(image.path, ()) if box.finding}
    named = {term for term, _ in lesions}
    return lesions | {(term, ""): None for term in inside.of(image) if term not in named}


def _finding_rows(study: ExportedStudy, boxes: Boxes, sizes_mm: Mapping[str, float]) -> Iterable[FindingRow]:
    """The lesions that have a box in the study, as what they are first called there."""
    kinds: dict[str, str] = {}
    for _, box in _boxes_in(study, boxes):
        if box.finding:
            kinds.setdefault(box.finding, box.label)
    for finding, kind in kinds.items():
        size = sizes_mm.get(finding, 0.0)
        yield FindingRow(
            finding_id=finding,
            study_id=study.entry.study_id,
            kind=kind,
            size_mm=size if 0 < size <= MAX_SIZE_MM else None,
        )


def _box_rows(study: ExportedStudy, boxes: Boxes) -> Iterable[BoxRow]:
    for index, box in _boxes_in(study, boxes):
        yield BoxRow(
            study_id=study.entry.study_id,
            frame_index=index,
            x_min=box.x_min,
            y_min=box.y_min,
            x_max=box.x_max,
            y_max=box.y_max,
            label=box.label,
            finding_id=box.finding,
        )


def _boxes_in(study: ExportedStudy, boxes: Boxes) -> Iterable[tuple[int, PublishedBox]]:
    """The boxes of a study with their frames, in order of the frames."""
    for index, one in sorted(study.frames.items()):
        for box in boxes.get(one.image.path, ()):
            yield index, box


def _path(one: PlacedImage) -> str:
    return f"studies/{one.study_id}/{one.filename}"


def _write(written: WrittenFiles, name: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table without rows has its first line all the same."""
    with written.writing(name) as beside, beside.open("w", newline="", encoding="utf-8") as file:
        writer = CsvWriter(file)
        writer.writerow(columns)
        writer.writerows(rows)
