"""What pretrainings of a benchmark learn from besides its training part: other studies and folders of images."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from training.datasets import image_set
from training.datasets.manifest import Manifest, StudyEntry, StudySpan, load_manifest, save_manifest
from training.datasets.pretraining_spans import pretraining_spans
from training.datasets.sampler import evenly
from training.errors import UserError
from training.experiments.engine import counted, files_digest
from training.video.formats import IMAGE_SUFFIXES, fingerprint


@dataclass(frozen=True)
class OtherData:
    """Studies and images of which nothing is evaluated: patients and images of the test part are left out."""

    studies: Path | None
    folders: tuple[Path, ...]
    """Of images, subfolders included."""
    kept_out: tuple[str, ...]
    """Patients of the test part."""
    apart: tuple[Path, ...]
    """Images of the test part; one with the same bytes is the same image, whatever its name."""

    @cached_property
    def images(self) -> dict[Path, list[Path]]:
        """Folder -> its images that are not in the test part, sorted.

        Raises:
            UserError: there is none.
        """
        sizes = {path.stat().st_size for path in self.apart}
        contents = {fingerprint(path) for path in self.apart} if self.folders else set()
        result = {}
        for folder in self.folders:
            found = sorted(path for path in folder.rglob("*") if path.suffix.lower() in IMAGE_SUFFIXES)
            result[folder] = [
                path for path in found if path.stat().st_size not in sizes or fingerprint(path) not in contents
            ]
            if not result[folder]:
                raise UserError(
                    f"There are no images to pretrain on in {folder}.",
                    "Name a folder of images that are not those of the test part.",
                )
        return result

    @cached_property
    def _contents(self) -> str:
        return " ".join(sorted(fingerprint(path) for paths in self.images.values() for path in paths))

    @property
    def digest(self) -> str:
        """Of the frames that are learned from."""
        every = load_manifest(self.studies).studies if self.studies else ()
        shared = sorted({study.patient_id for study in every} & set(self.kept_out))
        return files_digest(*filter(None, [self.studies]), said=repr(shared) + self._contents)

    @property
    def sentence(self) -> str:
        """What they are, for the report."""
        parts = [f"studies of {self.studies.name}"] if self.studies else []
        return " and ".join(
            [*parts, *(f"{counted(len(paths), 'image')} of {folder.name}" for folder, paths in self.images.items())]
        )

    def manifest(self, folder: Path, per_study: int | None) -> Path:
        """The manifest to pretrain on, written once; images of one size are a study, to share a field of view.

        Args:
            folder: where it is written.
            per_study: frames of each of the studies, evenly spaced; None: all.
        """

        def studies() -> Manifest:
            every = load_manifest(self.studies).studies if self.studies else ()
            kept = tuple(study for study in every if study.patient_id not in self.kept_out)
            if every and not kept:
                raise UserError(
                    "All studies to pretrain on are of patients of the test part.", "Give studies of other patients."
                )
            kept = kept if per_study is None else tuple(_thinned(study, per_study) for study in kept)
            groups = {
                f"{source.name}, {size}": files
                for source, paths in self.images.items()
                for size, files in images_by_size(paths).items()
            }
            return Manifest(studies=(*kept, *image_set.write_image_folders(groups, folder / f"other-{self.digest}")))

        return written_once(folder / f"pretraining-{self.digest}-{per_study or 'all'}.json", studies)


def images_by_size(paths: Iterable[Path]) -> dict[str, list[Path]]:
    """ "360 x 360 px" -> images of that size; what is no whole picture has no size, and is left out."""
    from training.video.image_header import image_size

    result: dict[str, list[Path]] = {}
    for path in paths:
        if size := image_size(path):
            result.setdefault(f"{size[1]} x {size[0]} px", []).append(path)
    return result


def written_once(path: Path, make: Callable[[], Manifest]) -> Path:
    """The manifest at the path, made where there is none."""
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        save_manifest(path, make())
    return path


def _thinned(study: StudyEntry, count: int) -> StudyEntry:
    """The study with spans of single frames: `count` of those that a pretraining uses, evenly spaced."""
    spans, _ = pretraining_spans(Manifest(studies=(study,)), {study.study_id: study.frame_count()})
    frames = np.concatenate([np.arange(span.start, span.stop) for span in spans] or [np.zeros(0, np.int64)])
    chosen = evenly(frames.astype(np.int64), count).tolist()
    return study.model_copy(update={"spans": tuple(StudySpan(start=frame, stop=frame + 1) for frame in chosen)})
