"""Exports boxes and labels for annotation tools and detectors, with the frames that they are on."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from training.datasets.annotations import coco, kvasir, yolo
from training.datasets.annotations.content import AnnotatedBox, AnnotatedImage
from training.datasets.annotations.cvat_writer import write_cvat_images, write_cvat_video
from training.errors import UserError, writing
from training.files.outputs import check_output_folder
from training.files.scratch import remove_left_parts
from training.runs.reporter import Reporter, SilentReporter
from training.texts import Text, join_texts
from wce_desktop.core import Span, SpanSet, counted, to_translate, tr
from wce_desktop.core.annotation.label import NORMAL
from wce_desktop.core.boxes import suggested_by
from wce_desktop.core.study import Study
from wce_desktop.library.exchange import export_formats, exporting, moving, study_pictures
from wce_desktop.library.library import Library


def export_annotations(
    library: Library,
    folder: Path,
    format_: export_formats.ExportFormat,
    names: Sequence[str],
    study_ids: Collection[str] | None = None,
    *,
    with_normal: bool = True,
    reporter: Reporter | None = None,
) -> export_formats.ExportSummary:
    """Write the studies named, or all; the folder gets its content at the end, all of it or nothing.

    File names are made of study ids and frame numbers. Pictures are black outside the field of view.

    Args:
        library: whose boxes and labels.
        folder: a new or empty one.
        format_: any but "csv", which `export_library` writes.
        names: the classes in the order in which the format lists them; others follow.
        study_ids: of the studies; None: all.
        with_normal: whether frames that are labelled normal are written too: as negatives, or under that class.
        reporter: receives progress in frames, and can cancel.

    Raises:
        UserError: the folder is not empty or cannot be written, a study is unknown, or there is nothing to write.
        Cancelled: the reporter asked to end; nothing is left in the folder.
    """
    reporter = reporter or SilentReporter()
    studies = exporting.chosen_studies(library, study_ids)
    for taken in (library.folder, *(study.path for study in library.studies.all())):
        if folder.absolute().resolve().is_relative_to(taken.resolve()):
            raise UserError("{folder} lies inside the library or a study.", "Choose a folder elsewhere.", folder)
    with _new_content(folder) as place:
        result = _Export(library, format_, with_normal, place)
        for study in studies:
            result.add(study, reporter)
        if not result.images:
            raise UserError(
                join_texts(" ", [Text("There is nothing to export as {format}.", Text(format_.title)), *result.notes]),
                "Draw boxes, or choose a format that holds labels of frames, such as CVAT for images.",
            )
        result.write(names)
    images, pictures = result.images, result.pictures
    counts = {
        "boxes": sum(len(image.boxes) for image in images),
        "frames": len(images),
        "studies": len({image.study_id for image in images}),
        "pictures": pictures,
    }
    units = {"boxes": "box", "frames": "frame", "studies": "study", "pictures": "picture"}
    words = {name: counted(counts[name], unit) for name, unit in units.items()}
    sentence = to_translate("{boxes}, {frames} of {studies} written to {folder}.")
    if pictures:
        sentence = to_translate("{boxes}, {frames} of {studies}, {pictures} written to {folder}.")
    return export_formats.ExportSummary(folder, tr(sentence, folder=folder, **words), counts, tuple(result.notes))


class _Export:
    """Collects the frames of studies and writes their pictures, then the annotations."""

    def __init__(self, library: Library, format_: export_formats.ExportFormat, with_normal: bool, place: Path) -> None:
        self.images: list[AnnotatedImage] = []
        self.negatives: list[AnnotatedImage] = []
        self.pictures = 0
        self.notes: list[str] = []
        self._library, self._format, self._with_normal, self._place = library, format_, with_normal, place
        self._frame_counts: dict[str, int] = {}
        self._fingerprints: dict[str, str] = {}

    def add(self, study: Study, reporter: Reporter) -> None:
        """Write the pictures of a study; one whose recording cannot be read is left out with a sentence."""
        reporter.check()
        self._add_negatives(study)
        images = self._frames(study)
        if study.fingerprint and (images or any(image.study_id == study.study_id for image in self.negatives)):
            self._fingerprints[study.study_id] = study.fingerprint
        if not images:
            return
        try:
            opened = study_pictures.StudyPictures(study, self._library.studies.folder(study.study_id))
        except UserError:
            if self._format.suffix:
                self.notes.append(tr("{study} is left out: its recording cannot be read.", study=study.study_id))
            else:  # boxes alone need no recording
                self._frame_counts[study.study_id] = study.frame_count
                self.images += images.values()
            return
        with opened:
            self._frame_counts[study.study_id] = len(opened)
            if self._format.suffix and opened.is_whole:
                self.notes.append(tr(study_pictures.WRITTEN_WHOLE, study=study.study_id))
            self._write_frames(study, opened, images, reporter)

    def _add_negatives(self, study: Study) -> None:
        """The frames on which a class is not there, or a sentence where the format has no room for them."""
        result: dict[int, AnnotatedImage] = {}
        for label in self._library.annotations.answers(study.study_id):
            for frame in range(label.span.start, label.span.stop) if label.answer == "no" else ():
                image = result.setdefault(frame, AnnotatedImage(study_id=study.study_id, frame_index=frame))
                image.absent.append(label.name)
        if result and not self._format.holds_negatives:
            frames = counted(len(result), "frame")
            self.notes.append(
                tr(
                    "{study}: that a class is not there is not written for {frames}: the format has no room for it.",
                    study=study.study_id,
                    frames=frames,
                )
            )
            return
        for _, image in sorted(result.items()):
            image.file_name = self._file_name(image)
            self.negatives.append(image)

    def _frames(self, study: Study) -> dict[int, AnnotatedImage]:
        """The frames to export with their boxes and labels, by number."""
        study_id = study.study_id
        boxed: dict[int, AnnotatedImage] = {}
        for box in self._library.annotations.boxes(study_id):
            image = boxed.setdefault(box.frame_index, AnnotatedImage(study_id=study_id, frame_index=box.frame_index))
            method = suggested_by(box)
            corners = box.x_min, box.y_min, box.x_max, box.y_max
            image.boxes.append(
                AnnotatedBox(box.name, *corners, source="accepted" if method else "drawn", method=method)
            )
        if self._format.name == "cvat-video":
            return dict(sorted(boxed.items()))
        missed: list[Span] = []
        for label in self._library.annotations.labels(study_id):
            is_taken = self._format.holds_labels or label.name == NORMAL
            if label.name == NORMAL and not self._with_normal:
                continue
            for frame in range(label.span.start, label.span.stop):
                if is_taken:
                    boxed.setdefault(frame, AnnotatedImage(study_id=study_id, frame_index=frame))
                if frame in boxed:
                    boxed[frame].labels.append(label.name)
            if not is_taken:
                missed.append(label.span)
        without = sum(frame not in boxed for span in SpanSet(missed) for frame in range(span.start, span.stop))
        if without:
            self.notes.append(
                tr(
                    "{study}: {frames} without a box not written: a detector would take them for frames on which "
                    "nothing is.",
                    study=study_id,
                    frames=counted(without, "labelled frame"),
                )
            )
        return dict(sorted(boxed.items()))

    def _write_frames(
        self, study: Study, opened: study_pictures.StudyPictures, images: dict[int, AnnotatedImage], reporter: Reporter
    ) -> None:
        left_out = Counter[str]()
        wanted = [frame for frame in images if frame < len(opened)]
        shown = opened.pictures(wanted) if self._format.suffix else ((frame, None) for frame in wanted)
        for done, (frame, picture) in enumerate(shown):
            reporter.check()
            reporter.progress(done, len(wanted), "frames", f"writing {study.study_id}")
            if self._format.suffix and picture is None:
                left_out["frame"] += 1
                continue
            image = images[frame]
            image.width, image.height = opened.width, opened.height
            image.video_seconds = round(float(opened.seconds[frame]), 3)
            size = float(opened.width), float(opened.height)
            cut = [replace(box, x_max=min(box.x_max, size[0]), y_max=min(box.y_max, size[1])) for box in image.boxes]
            image.boxes = [box for box in cut if box.x_min < box.x_max and box.y_min < box.y_max]
            left_out["box"] += len(cut) - len(image.boxes)
            if not image.boxes and not image.labels:
                continue
            image.file_name = self._file_name(image)
            if picture is not None:
                self._put(image, study_pictures.encoded(picture, self._format.suffix))
            self.images.append(image)
        if left_out["frame"]:
            frames = counted(left_out["frame"], "frame")
            self.notes.append(
                tr("{study}: {frames} that cannot be read left out.", study=study.study_id, frames=frames)
            )
        if left_out["box"]:
            boxes = counted(left_out["box"], "box")
            self.notes.append(tr("{study}: {boxes} outside the frame left out.", study=study.study_id, boxes=boxes))

    def _file_name(self, image: AnnotatedImage) -> str:
        """As the format's file names the picture."""
        name = coco.frame_name(image.study_id, image.frame_index or 0)
        if self._format.name == "yolo":
            return name.replace("/", "-")
        return f"{image.study_id}_{image.frame_index}.jpg" if self._format.name == "kvasir" else name

    def _put(self, image: AnnotatedImage, content: bytes) -> None:
        """Write the picture wherever the format wants it."""
        folders = {"coco": ["images/default"], "kvasir": []}.get(self._format.name, ["images"])
        if self._format.name == "kvasir":
            classes = dict.fromkeys([*image.labels, *(box.name for box in image.boxes)])
            folders = [f"{kvasir.IMAGES}/{kvasir.class_folder(name)}" for name in classes]
        for folder in folders:
            path = self._place / folder / image.file_name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        self.pictures += 1

    def write(self, names: Sequence[str]) -> None:
        """Write the annotations themselves."""
        used = {name for image in self.images for name in (*image.labels, *(box.name for box in image.boxes))}
        boxed = {box.name for image in self.images for box in image.boxes}
        classes = [*(name for name in names if name in used), *sorted(used - set(names))]
        if self._format.name == "coco":
            (self._place / "annotations").mkdir()
            path = self._place / "annotations" / "instances_default.json"
            named = [name for name in classes if name in boxed]
            document = coco.coco_document(
                self.images, categories=named, negatives=self.negatives, fingerprints=self._fingerprints
            )
            coco.write_coco(path, document)
        elif self._format.name == "cvat-images":
            write_cvat_images(self._place / "annotations.xml", "wce-desktop", self.images, classes, self._fingerprints)
        elif self._format.name == "cvat-video":
            for study_id, count in self._frame_counts.items():
                own = [image for image in self.images if image.study_id == study_id]
                path = self._place / f"{study_id}.xml"
                write_cvat_video(path, study_id, own, classes, count, self._fingerprints.get(study_id, ""))
        elif self._format.name == "yolo":
            yolo.write_yolo(self._place, self.images, [name for name in classes if name in boxed], self._fingerprints)
        else:
            kvasir.write_kvasir(self._place, self.images, self.negatives, self._fingerprints)


@contextmanager
def _new_content(folder: Path) -> Iterator[Path]:
    """A place to write to, whose content moves into the folder when the block ends, and goes when it raises.

    Raises:
        UserError: the folder is not empty, or cannot be written.
    """
    check_output_folder(folder, "folder to export into")
    moving.remove_moved(folder)
    remove_left_parts(folder)
    is_new = not folder.exists()
    place = folder / f".partial-{os.getpid()}"
    shutil.rmtree(place, ignore_errors=True)  # by a process that had this id before
    try:
        with writing(folder):
            if not is_new and any(folder.iterdir()):
                raise UserError(
                    "The folder {folder} is not empty.", "Choose a new folder: nothing in it is replaced.", folder
                )
            place.mkdir(parents=True)
            yield place
            moving.move_content(place, folder)
    finally:
        shutil.rmtree(place, ignore_errors=True)
        if is_new:
            with suppress(OSError):  # what was written stays
                folder.rmdir()
