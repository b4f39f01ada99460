"""A public data set in the program's own formats: a folder of images for each recording, and the tables beside."""

import json
import os
import shutil
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from training.datasets.public.boxes import empty_boxes_note, frame_boxes
from training.datasets.public.check import is_complete, missing_sentence
from training.datasets.public.contents import Contents
from training.datasets.public.layout import DataSet, PublishedSet
from training.datasets.public.placing import PlacedImage, place_images
from training.datasets.public.studies import image_studies, stills_notes
from training.datasets.public.tables import TABLES, write_tables
from training.datasets.public.videos import video_studies
from training.errors import UserError
from training.files.json_text import read_json_object
from training.files.outputs import ForeignFileError, written_beside
from training.files.written import WrittenFiles
from training.runs.reporter import Cancelled, Reporter

Files = Literal["link", "copy"]
_BETWEEN_REPORTS = 256
_MARK = "export.json"
_IMAGES = ".wce_desktop-images.txt"
"""Lists the images that an export placed, a path a line."""


@dataclass(frozen=True)
class Export:
    """What is written where.

    `files`: "link" gives each image a second name on the same disk (a hard link; copied where that cannot be), "copy"
    copies all. `is_partial_fine`: go on although the download is not complete. `with_videos`: the set's videos are
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


def export(wish: Export, found: PublishedSet, inside: Contents, reporter: Reporter) -> dict[str, Any]:
    """Write studies/<id>/, manifest.json, labels.csv, boxes.csv, images.csv, image_boxes.csv, splits.csv, export.json.

    The tables are written last, so that a folder with a manifest is whole; nothing of an earlier
    export stays that this one has not.

    Raises:
        UserError: a label is in no vocabulary, the download is not complete, or the folder holds something else.
    """
    _check(wish, found, inside)
    _check_folder(wish)
    placed, broken = place_images(wish.folder, inside.images, wish.data_set.name)
    if broken and not wish.is_partial_fine:
        raise UserError(
            f"{len(broken):,} files are no whole pictures ({', '.join(broken[:3])}).",
            "Download them again, or leave them out with --set partial=true.",
        )
    _make_folder(wish, placed)
    _put_all(wish, placed, reporter)
    boxes, empty = frame_boxes(wish.folder, placed, inside)
    studies = image_studies(wish.out, placed, wish.data_set.name)
    video_notes: list[str] = []
    if wish.with_videos:
        studies, video_notes = video_studies(wish.folder, found.videos, studies, reporter)
    write_tables(wish.out, studies, placed, boxes, inside)
    result = _summary(wish, found, inside, placed, broken, sum(map(len, boxes.values())))
    result |= {
        "studies": len(studies),
        "notes": [*result["notes"], *empty_boxes_note(empty), *stills_notes(studies), *video_notes],
    }
    _write_mark(wish, result)
    return result


def _check(wish: Export, found: PublishedSet, inside: Contents) -> None:
    if inside.unknown:
        label = inside.unknown[0]
        raise UserError(
            f"The label {label} ({inside.counts[label]:,} images) is in no vocabulary"
            + (f", nor are {len(inside.unknown) - 1} others." if len(inside.unknown) > 1 else "."),
            f'Say what it stands for: --set also=\'{{"{label}": "other"}}\'; `datasets check` lists them all.',
        )
    if not is_complete(wish.data_set, found) and not wish.is_partial_fine:
        counted = f"{len(found.images):,} of {wish.data_set.images:,}" if wish.data_set.images else "only some"
        raise UserError(
            f"{wish.data_set.title} in {wish.folder} is not complete: {counted} images are there. "
            f"{missing_sentence(found)}".rstrip(),
            "Finish the download, or take what is there with --set partial=true.",
        )
    if not inside.images:
        raise UserError(f"{wish.folder} has no image to export.", "Run `datasets check` on it.")
    if wish.out.resolve().is_relative_to(wish.folder.resolve()):
        raise UserError(f"{wish.out} lies inside the data set.", "Give a folder outside of it.")


def _check_folder(wish: Export) -> None:
    """A folder of this data set's earlier export is taken up again; anything else that is not empty is left alone."""
    if not wish.out.is_dir() or not any(wish.out.iterdir()):
        return
    if _name_in(wish.out / _MARK) != wish.data_set.name:
        raise UserError(f"{wish.out} is not empty, and holds no export of {wish.data_set.name}.", "Give a new folder.")
    WrittenFiles(wish.out).check((*TABLES, _MARK), "table of an export", overwrite=wish.overwrite)
    known = _listed(wish.out)
    for path in _files_among_images(wish.out):
        if not wish.overwrite and path.relative_to(wish.out).as_posix() not in known:
            raise ForeignFileError(path, "image of an export")


def _make_folder(wish: Export, placed: list[PlacedImage]) -> None:
    wish.out.mkdir(parents=True, exist_ok=True)
    for name in TABLES:
        (wish.out / name).unlink(missing_ok=True)
    if not wish.is_resumed:
        shutil.rmtree(wish.out / "studies", ignore_errors=True)
    listed = {f"studies/{one.study_id}/{one.filename}" for one in placed}
    left = {path.relative_to(wish.out).as_posix() for path in _files_among_images(wish.out)}
    with written_beside(wish.out / _IMAGES) as beside:
        beside.write_text("".join(f"{name}\n" for name in sorted(listed | left)), encoding="utf-8")
    _write_mark(wish, {"name": wish.data_set.name, "complete": False})


def _listed(out: Path) -> set[str]:
    """Images that an earlier export placed; none where it left no list."""
    try:
        return set((out / _IMAGES).read_text(encoding="utf-8").splitlines())
    except (OSError, UnicodeDecodeError):
        return set()


def _files_among_images(out: Path) -> list[Path]:
    return [path for path in sorted((out / "studies").rglob("*")) if not path.is_dir()]


def _name_in(path: Path) -> str:
    try:
        return str(read_json_object(path).get("name", ""))
    except UserError:
        return ""


def _put_all(wish: Export, placed: list[PlacedImage], reporter: Reporter) -> None:
    """Every image in its place and no other: one too many would shift all frame numbers behind it."""
    wanted = {wish.out / "studies" / one.study_id / one.filename: one.image.path for one in placed}
    for path in (wish.out / "studies").rglob("*"):
        if path.is_file() and path not in wanted:
            path.unlink()
    for done, (target, source) in enumerate(wanted.items()):
        if done % _BETWEEN_REPORTS == 0:
            reporter.check()
            reporter.progress(done, len(placed), "images", f"writing {wish.out.name}")
            if reporter.stop_requested:
                raise Cancelled
        _put(wish.folder / source, target, wish.files)
    reporter.progress(len(placed), len(placed), "images", f"writing {wish.out.name}")


def _put(source: Path, target: Path, files: Files) -> None:
    if target.exists():
        if target.stat().st_size == source.stat().st_size:
            return
        target.unlink()  # what a call that ended left half copied
    target.parent.mkdir(parents=True, exist_ok=True)
    if files == "copy" or not _linked(source, target):
        shutil.copyfile(source, target)


def _linked(source: Path, target: Path) -> bool:
    """Whether the image could get a second name: not on another disk, nor on one that knows no links."""
    try:
        os.link(source, target)
    except OSError:
        return False
    return True


def _summary(
    wish: Export, found: PublishedSet, inside: Contents, placed: list[PlacedImage], broken: list[str], boxes: int
) -> dict[str, Any]:
    terms = Counter(term for one in placed for term in inside.of(one.image))
    notes = list(found.notes)
    if missing := missing_sentence(found):
        notes.append(missing)
    if broken:
        notes.append(f"{len(broken):,} files are no whole pictures and are left out: {', '.join(broken[:8])}.")
    return {
        "name": wish.data_set.name,
        "complete": is_complete(wish.data_set, found) and not broken,
        "data set": wish.data_set.title,
        "from": wish.data_set.where,
        "licence": wish.data_set.licence,
        "cite": wish.data_set.citation,
        "folder": str(wish.out),
        "studies": 0,
        "patients known": bool(placed) and all(one.patient_id for one in placed),
        "images": len(placed),
        "boxes": boxes,
        "labels": dict(terms.most_common()),
        "read as": {label: f"{term} ({inside.counts[label]:,})" for label, term in inside.terms.items()},
        "left out": dict(inside.left_out),
        "notes": notes,
    }


def _write_mark(wish: Export, document: dict[str, Any]) -> None:
    with WrittenFiles(wish.out).writing(_MARK) as beside:
        beside.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
