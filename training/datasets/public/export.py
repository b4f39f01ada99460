"""A public data set in the program's own formats: a folder of images for each recording, and the tables beside.

The tables of an export: for studies manifest.json, labels.csv, findings.csv, boxes.csv; for images the others.
"""

import json
import os
import shutil
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from training.datasets.findings import MAX_SIZE_MM, BoxRow, FindingRow, write_boxes, write_findings
from training.datasets.image_set import SEPARATOR
from training.datasets.labels import LabelRow, label_rows, write_labels
from training.datasets.manifest import Manifest, save_manifest
from training.datasets.public import studies as placing
from training.datasets.public.boxes import Boxes, empty_boxes_note, frame_boxes
from training.datasets.public.check import is_complete, missing_sentence
from training.datasets.public.contents import Contents
from training.datasets.public.layout import DataSet, PublishedBox, PublishedImage, PublishedSet
from training.errors import UserError
from training.files import csv_text, json_text, outputs
from training.files.written import WrittenFiles
from training.runs.reporter import EndsAtOnce, Reporter, reported

TABLES = ("manifest.json", "labels.csv", "findings.csv", "boxes.csv", "images.csv", "image_boxes.csv", "splits.csv")


def write_tables(
    out: Path,
    studies: Sequence[placing.ExportedStudy],
    placed: list[placing.PlacedImage],
    boxes: Boxes,
    inside: Contents,
    found: PublishedSet,
) -> None:
    """Write them all; the manifest comes last.

    Args:
        out: folder that holds `studies/`.
        studies: for manifest.json, labels.csv, findings.csv and boxes.csv.
        placed: every image, for images.csv, image_boxes.csv and splits.csv.
        boxes: in pixels.
        inside: what their labels stand for.
        found: sizes and histology of lesions, where the set says them.
    """
    written = WrittenFiles(out, "data set export")
    with written.writing("labels.csv") as path:
        write_labels(path, (row for study in studies for row in _label_rows(study, inside, boxes)))
    with written.writing("findings.csv") as path:
        write_findings(path, (row for study in studies for row in _finding_rows(study, boxes, found)))
    with written.writing("boxes.csv") as path:
        write_boxes(path, [row for study in studies for row in _box_rows(study, boxes)])
    labelled = [one for one in placed if inside.of(one.image)]
    sources = ("source",) if any(one.image.source for one in labelled) else ()
    _write(
        written,
        "images.csv",
        ("filename", "label", "group", *sources),
        (
            (_path(one), SEPARATOR.join(inside.main_terms(one.image)), one.patient_id, one.image.source)[
                : 3 + len(sources)
            ]
            for one in labelled
        ),
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


def _label_rows(study: placing.ExportedStudy, inside: Contents, boxes: Boxes) -> list[LabelRow]:
    """A row for each stretch of frames with one label, and of one lesion where the set says which.

    A lesion's row ends where the frames are not successive: each row is one visit.
    """
    said = {index: _said(one.image, inside, boxes) for index, one in study.frames.items()}
    return label_rows(study.entry.study_id, said, {span.start for span in study.entry.spans})


def _said(image: PublishedImage, inside: Contents, boxes: Boxes) -> dict[tuple[str, str], None]:
    """(term, lesion or "") of a frame, in order; a term whose lesion is said is not there without it."""
    lesions = {(box.label, box.finding): None for box in boxes.get(image.path, ()) if box.finding}
    named = {term for term, _ in lesions}
    return lesions | {(term, ""): None for term in inside.of(image) if term not in named}


def _finding_rows(study: placing.ExportedStudy, boxes: Boxes, found: PublishedSet) -> Iterable[FindingRow]:
    """The lesions that have a box in the study, as what they are first called there."""
    kinds: dict[str, str] = {}
    for _, box in _boxes_in(study, boxes):
        if box.finding:
            kinds.setdefault(box.finding, box.label)
    for finding, kind in kinds.items():
        size = found.sizes_mm.get(finding, 0.0)
        yield FindingRow(
            finding_id=finding,
            study_id=study.entry.study_id,
            kind=kind,
            size_mm=size if 0 < size <= MAX_SIZE_MM else None,
            histology=found.histology.get(finding, ""),
        )


def _box_rows(study: placing.ExportedStudy, boxes: Boxes) -> Iterable[BoxRow]:
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


def _boxes_in(study: placing.ExportedStudy, boxes: Boxes) -> Iterable[tuple[int, PublishedBox]]:
    """The boxes of a study with their frames, in order of the frames."""
    for index, one in sorted(study.frames.items()):
        for box in boxes.get(one.image.path, ()):
            yield index, box


def _path(one: placing.PlacedImage) -> str:
    return f"studies/{one.study_id}/{one.filename}"


def _write(written: WrittenFiles, name: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table without rows has its first line all the same."""
    with written.writing(name) as beside:
        csv_text.write_csv(beside, columns, rows)


Files = Literal["link", "copy"]
_MARK = "export.json"
_IMAGES = ".wce_desktop-images.txt"
"""Lists the images that an export placed, a path a line."""


@dataclass(frozen=True)
class Export:
    """What is written where.

    `files`: "link" gives each image a second name on the same disk (a hard link; copied where that cannot be), "copy"
    copies all. `is_partial_fine`: export an incomplete download. `with_videos`: the set's videos are
    studies too (see `videos`). `is_resumed`: images that an earlier call left are kept. `overwrite`: tables that
    somebody has edited are replaced, and files that somebody put among the images are removed.
    """

    data_set: DataSet
    folder: Path
    out: Path
    files: Files = "link"
    is_partial_fine: bool = False
    with_videos: bool = False
    is_resumed: bool = False
    overwrite: bool = False


def export(request: Export, found: PublishedSet, inside: Contents, reporter: Reporter) -> dict[str, Any]:
    """Write studies/<id>/, the tables (`TABLES`) and export.json.

    The tables are written last, so that a folder with a manifest is whole; nothing of an earlier
    export stays that this one has not.

    Raises:
        UserError: a label is in no vocabulary, the download is not complete, or the folder holds something else.
    """
    _check(request, found, inside)
    _check_folder(request)
    placed, broken = placing.place_images(request.folder, inside.images, request.data_set.name)
    if broken and not request.is_partial_fine:
        raise UserError(
            f"{len(broken):,} files are incomplete images ({', '.join(broken[:3])}).",
            "Download them again, or leave them out with --set partial=true.",
        )
    _make_folder(request, placed)
    _put_all(request, placed, reporter)
    boxes, empty = frame_boxes(request.folder, placed, inside)
    studies = placing.image_studies(request.out, placed, request.data_set.name, found.images_per_second)
    video_notes: list[str] = []
    if request.with_videos:
        studies, video_notes = placing.video_studies(request.folder, found.videos, studies, reporter)
    write_tables(request.out, studies, placed, boxes, inside, found)
    result = _summary(request, found, inside, placed, broken, sum(map(len, boxes.values())))
    result |= {
        "studies": len(studies),
        "notes": [*result["notes"], *empty_boxes_note(empty), *placing.stills_notes(studies), *video_notes],
    }
    _write_mark(request, result)
    return result


def _check(request: Export, found: PublishedSet, inside: Contents) -> None:
    if inside.unknown:
        label = inside.unknown[0]
        raise UserError(
            f"The label {label} ({inside.counts[label]:,} images) is in no vocabulary"
            + (f", nor are {len(inside.unknown) - 1} others." if len(inside.unknown) > 1 else "."),
            f'Give the term it stands for: --set also=\'{{"{label}": "other"}}\'; `datasets check` lists them all.',
        )
    if not is_complete(request.data_set, found) and not request.is_partial_fine:
        counted = f"{len(found.images):,} of {request.data_set.images:,}" if request.data_set.images else "only some"
        raise UserError(
            f"{request.data_set.title} in {request.folder} is not complete: {counted} images were found. "
            f"{missing_sentence(found)}".rstrip(),
            "Finish the download, or export the images found with --set partial=true.",
        )
    if not inside.images:
        raise UserError(f"{request.folder} has no image to export.", "Run `datasets check` on it.")
    if request.out.resolve().is_relative_to(request.folder.resolve()):
        raise UserError(f"{request.out} lies inside the data set.", "Give a folder outside it.")


def _check_folder(request: Export) -> None:
    """A folder of this data set's earlier export is resumed; anything else that is not empty is left alone."""
    if not request.out.is_dir() or not any(request.out.iterdir()):
        return
    name = None
    with suppress(UserError):
        name = json_text.read_json_object(request.out / _MARK).get("name")
    if name != request.data_set.name:
        raise UserError(
            f"{request.out} is not empty and does not hold an export of {request.data_set.name}.", "Give a new folder."
        )
    WrittenFiles(request.out, "data set export").check((*TABLES, _MARK), overwrite=request.overwrite)
    known = _listed(request.out)
    for path in _files_among_images(request.out):
        if not request.overwrite and path.relative_to(request.out).as_posix() not in known:
            raise outputs.ForeignFileError(path, "image of an export")


def _make_folder(request: Export, placed: list[placing.PlacedImage]) -> None:
    request.out.mkdir(parents=True, exist_ok=True)
    for name in TABLES:
        (request.out / name).unlink(missing_ok=True)
    if not request.is_resumed:
        shutil.rmtree(request.out / "studies", ignore_errors=True)
    listed = {f"studies/{one.study_id}/{one.filename}" for one in placed}
    left = {path.relative_to(request.out).as_posix() for path in _files_among_images(request.out)}
    outputs.write_text(request.out / _IMAGES, "".join(f"{name}\n" for name in sorted(listed | left)))
    _write_mark(request, {"name": request.data_set.name, "complete": False})


def _listed(out: Path) -> set[str]:
    """Images that an earlier export placed; none where it left no list."""
    try:
        return set((out / _IMAGES).read_text(encoding="utf-8").splitlines())
    except (OSError, UnicodeDecodeError):
        return set()


def _files_among_images(out: Path) -> list[Path]:
    return [path for path in sorted((out / "studies").rglob("*")) if not path.is_dir()]


def _put_all(request: Export, placed: list[placing.PlacedImage], reporter: Reporter) -> None:
    """Every image in its place and no other: one too many would shift all frame numbers behind it."""
    wanted = {request.out / "studies" / one.study_id / one.filename: one.image.path for one in placed}
    for path in (request.out / "studies").rglob("*"):
        if path.is_file() and path not in wanted:
            path.unlink()
    what = f"writing {request.out.name}"
    for target, source in reported(list(wanted.items()), EndsAtOnce(reporter), "images", what):
        _put(request.folder / source, target, request.files)
    reporter.progress(len(placed), len(placed), "images", what)


def _put(source: Path, target: Path, files: Files) -> None:
    if target.exists():
        if target.stat().st_size == source.stat().st_size:
            return
        target.unlink()  # what a call that ended left half copied
    target.parent.mkdir(parents=True, exist_ok=True)
    if files == "link":
        with suppress(OSError):  # on another disk, or on one that knows no links, it is copied
            os.link(source, target)
            return
    shutil.copyfile(source, target)


def _summary(
    request: Export,
    found: PublishedSet,
    inside: Contents,
    placed: list[placing.PlacedImage],
    broken: list[str],
    boxes: int,
) -> dict[str, Any]:
    terms = Counter(term for one in placed for term in inside.of(one.image))
    notes = list(found.notes)
    if missing := missing_sentence(found):
        notes.append(missing)
    if broken:
        notes.append(f"{len(broken):,} files are incomplete images and are left out: {', '.join(broken[:8])}.")
    return {
        "name": request.data_set.name,
        "complete": is_complete(request.data_set, found) and not broken,
        "data set": request.data_set.title,
        "from": request.data_set.where,
        "licence": request.data_set.licence,
        "cite": request.data_set.citation,
        "folder": str(request.out),
        "studies": 0,
        "patients known": bool(placed) and all(one.patient_id for one in placed),
        "images": len(placed),
        "boxes": boxes,
        "labels": dict(terms.most_common()),
        "read as": {label: f"{term} ({inside.counts[label]:,})" for label, term in inside.terms.items()},
        "left out": dict(inside.left_out),
        "notes": notes,
    }


def _write_mark(request: Export, document: dict[str, Any]) -> None:
    with WrittenFiles(request.out, "data set export").writing(_MARK) as beside:
        beside.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
