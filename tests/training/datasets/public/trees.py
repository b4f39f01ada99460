"""Small data sets in the layouts in which the real ones are published."""

from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

HEADER = "filename;video_id;frame_number;finding_category;finding_class;x1;y1;x2;y2;x3;y3;x4;y4"
STUDY_A, STUDY_B = "0123456789abcdef", "fedcba9876543210"


def picture(path: Path, shade: int = 90, size: tuple[int, int] = (48, 48)) -> Path:
    """Write a picture of one colour, (height, width), and its folders."""
    return _write(path, np.full((*size, 3), shade, np.uint8))


def mask(path: Path, boxes: Iterable[tuple[int, int, int, int]], size: tuple[int, int] = (48, 48)) -> Path:
    """Write a mask that is white in boxes (x_min, y_min, x_max, y_max)."""
    drawn = np.zeros(size, np.uint8)
    for x_min, y_min, x_max, y_max in boxes:
        drawn[y_min:y_max, x_min:x_max] = 255
    return _write(path, drawn)


def text(path: Path, content: str) -> Path:
    """Write a text file and its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
    return path


def kvasir(folder: Path) -> Path:
    """Two recordings: five frames of the first (one with two labels, one with a box), two of the second."""
    rows = [
        f"{STUDY_A}_7.jpg;{STUDY_A};7;Luminal;Normal clean mucosa;;;;;;;;",
        f"{STUDY_A}_8.jpg;{STUDY_A};8;Luminal;Normal clean mucosa;;;;;;;;",
        f"{STUDY_A}_30.jpg;{STUDY_A};30;Anatomy;Pylorus;;;;;;;",
        f"{STUDY_A}_31.jpg;{STUDY_A};31;Anatomy;Pylorus;;;;;;;",
        f"{STUDY_A}_31.jpg;{STUDY_A};31;Luminal;Erosion;10;5;40;5;40;25;10;25",
        f"{STUDY_A}_9.jpg;{STUDY_A};9;Luminal;Blood - fresh;;;;;;;",
        f"{STUDY_B}_100.jpg;{STUDY_B};100;Luminal;Polyp;0;0;20;0;20;20;0;20",
        f"{STUDY_B}_101.jpg;{STUDY_B};101;Luminal;Reduced Mucosal View;;;;;;;",
    ]
    text(folder / "metadata.csv", "\n".join([HEADER, *rows]) + "\n")
    for number, row in enumerate(dict.fromkeys(row.split(";")[0] for row in rows)):
        kind = next(one.split(";")[4] for one in rows if one.startswith(row))
        picture(folder / "labelled_images" / kind / row, 60 + 10 * number)
    text(
        folder / "official_splits" / "split_0.csv",
        f"filename,label\n{STUDY_A}_7.jpg,Normal\n{STUDY_B}_101.jpg,Reduced Mucosal View\n",
    )
    text(
        folder / "official_splits" / "split_1.csv",
        f"filename,label\n{STUDY_A}_31.jpg,Pylorus\n{STUDY_A}_9.jpg,Blood\n",
    )
    return folder


def _write(path: Path, pixels: NDArray[np.uint8]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    done, encoded = cv2.imencode(path.suffix, pixels)
    assert done
    path.write_bytes(encoded.tobytes())
    return path
