"""What the annotation files of one import may take in all, however many they are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from training.datasets.annotations.content import AnnotatedImage, AnnotationFile
from training.errors import UserError

MAX_ANNOTATIONS = 1_000_000
"""Images, boxes and labels; they take some 600 MB."""
MAX_IMPORT_BYTES = 4 * 1024**3
"""Of the files; some hold the images themselves."""
_LETTERS = 100
"""Of names: more count as a further annotation."""


class ImportTooLargeError(UserError):
    """The files of an import take too much together; none of them is imported."""


@dataclass(slots=True)
class Budget:
    """Counts what the files read so far take."""

    annotations: int = 0
    interpolated: int = 0
    """Boxes between the key frames of tracks; among the annotations."""
    read_bytes: int = 0

    def take_bytes(self, path: Path) -> None:
        """Count a file before it is read.

        Raises:
            ImportTooLargeError: the files have more than `MAX_IMPORT_BYTES`.
        """
        try:
            self.read_bytes += path.stat().st_size
        except OSError:
            return  # whatever is wrong with it is said when it is read
        if self.read_bytes > MAX_IMPORT_BYTES:
            raise ImportTooLargeError(
                "The annotation files have more than {max_import_bytes:,} bytes together.",
                "Import them in parts.",
                MAX_IMPORT_BYTES,
            )

    def take(self, count: int) -> None:
        """Count annotations.

        Raises:
            ImportTooLargeError: the files hold more than `MAX_ANNOTATIONS`.
        """
        self.annotations += count
        if self.annotations > MAX_ANNOTATIONS:
            raise ImportTooLargeError(
                "The files hold more than {max_annotations:,} images, boxes and labels together.",
                "Import them in parts.",
                MAX_ANNOTATIONS,
            )

    def take_file(self, file: AnnotationFile, counted: int = 0) -> None:
        """Count what was read of a file, but for `counted` annotations of it that were counted before."""
        self.take(sum(map(_size, file.images)) - counted)


def _size(image: AnnotatedImage) -> int:
    names = [image.file_name, image.original_name, *image.labels, *image.absent]
    letters = sum(map(len, names)) + sum(len(box.name) for box in image.boxes)
    return 1 + len(image.boxes) + len(image.labels) + len(image.absent) + letters // _LETTERS
