"""The tables of an export: manifest.json, labels.csv, boxes.csv for studies; images.csv, image_boxes.csv for images."""

import csv
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from training.datasets.findings import BoxRow, write_boxes
from training.datasets.labels import LabelRow, write_labels
from training.datasets.manifest import Manifest, StudyEntry, StudySpan, save_manifest
from training.datasets.public.contents import Contents
from training.datasets.public.placing import PlacedImage

TABLES = ("manifest.json", "labels.csv", "boxes.csv", "images.csv", "image_boxes.csv", "splits.csv")
Boxes = Mapping[str, Sequence[tuple[str, float, float, float, float]]]


def write_tables(
    out: Path, placed: list[PlacedImage], boxes: Boxes, inside: Contents, videos: Sequence[StudyEntry] = ()
) -> None:
    """Write them all; the manifest comes last.

    Args:
        out: folder that holds `studies/`.
        placed: images in the order of `place_images`: `frame_index` counts them within their study.
        boxes: path of an image -> boxes in pixels.
        inside: what their labels stand for.
        videos: further studies of the manifest.
    """
    studies = {study_id: list(members) for study_id, members in groupby(placed, key=lambda one: one.study_id)}
    write_labels(out / "labels.csv", (row for name, one in studies.items() for row in _label_rows(name, one, inside)))
    write_boxes(out / "boxes.csv", (row for name, one in studies.items() for row in _box_rows(name, one, boxes)))
    counts = Counter(term for one in placed for term in inside.of(one.image))
    labelled = [one for one in placed if inside.of(one.image)]
    _write(
        out / "images.csv",
        ("filename", "label", "group"),
        ((_path(one), inside.one_of(one.image, counts), one.patient_id) for one in labelled),
    )
    _write(
        out / "image_boxes.csv",
        ("filename", "x_min", "y_min", "x_max", "y_max", "label"),
        ((_path(one), *corners, term) for one in placed for term, *corners in boxes.get(one.image.path, ())),
    )
    _write(
        out / "splits.csv",
        ("filename", "split"),
        ((_path(one), one.image.split) for one in placed if one.image.split),
    )
    entries = tuple(_entry(out, study_id, members) for study_id, members in studies.items())
    save_manifest(out / "manifest.json", Manifest(studies=(*entries, *videos)))


def _entry(out: Path, study_id: str, members: list[PlacedImage]) -> StudyEntry:
    """A study whose patient is unknown is its own patient: its images never stand on both sides of a split."""
    return StudyEntry(
        study_id=study_id,
        patient_id=members[0].patient_id or study_id,
        path=out / "studies" / study_id,
        spans=_spans(members),
    )


def _spans(members: list[PlacedImage]) -> tuple[StudySpan, ...]:
    """Stretches of one region and of successive frames of the recording; none where the set says neither.

    Labelled frames of a set lie minutes apart: spans keep a method that learns from time from taking them for
    neighbours. Regions are written only of recordings, and only where none comes back: a list of images is no passage.
    """
    passed = [region for region, _ in groupby(one.image.region for one in members)]
    is_passage = bool(members[0].image.study) and len(set(passed)) == len(passed)
    spans = []
    for (region, _), stretch in groupby(enumerate(members), key=lambda item: _stretch(item[0], item[1], is_passage)):
        indices = [index for index, _ in stretch]
        spans.append(StudySpan(start=indices[0], stop=indices[-1] + 1, region=region))
    return () if len(spans) == 1 and not spans[0].region else tuple(spans)


def _stretch(index: int, one: PlacedImage, is_passage: bool) -> tuple[str, int]:
    """Equal within a span."""
    number = one.image.frame_number
    return one.image.region if is_passage else "", 0 if number is None else number - index


def _label_rows(study_id: str, members: list[PlacedImage], inside: Contents) -> Iterable[LabelRow]:
    """A row for each stretch of successive frames with one label."""
    open_at: dict[str, int] = {}
    rows = []
    for index, terms in enumerate([*(inside.of(one.image) for one in members), ()]):
        ended = [term for term in open_at if term not in terms]
        rows += [LabelRow(study_id=study_id, start=open_at.pop(term), stop=index, label=term) for term in ended]
        for term in terms:
            open_at.setdefault(term, index)
    return sorted(rows, key=lambda row: (row.start, row.label))


def _box_rows(study_id: str, members: list[PlacedImage], boxes: Boxes) -> Iterable[BoxRow]:
    for index, one in enumerate(members):
        for term, x_min, y_min, x_max, y_max in boxes.get(one.image.path, ()):
            yield BoxRow(
                study_id=study_id,
                frame_index=index,
                x_min=x_min,
                y_min=y_min,
                x_max=x_max,
                y_max=y_max,
                label=term,
            )


def _path(one: PlacedImage) -> str:
    return f"studies/{one.study_id}/{one.filename}"


def _write(path: Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write beside and rename; a table without rows has its first line all the same."""
    beside = path.with_name(path.name + ".new")
    with beside.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(rows)
    beside.replace(path)
