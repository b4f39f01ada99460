"""A small set of labelled images with boxes: red squares on tissue-like noise, green ones where they are asked for."""

import csv
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

SIDE, SQUARE = 48, 16
RED, GREEN = (220, 20, 20), (60, 200, 60)
GROUPS = ("g0", "g1", "g2", "g3")


def write_boxed_images(folder: Path, polyps: tuple[str, ...] = ()) -> Path:
    """images/, labels.csv and boxes.csv: of each group two frames with blood (or a green polyp) and two without."""
    (folder / "images").mkdir(parents=True)
    rng = np.random.default_rng(0)
    labels: list[tuple[str, str, str]] = []
    boxes: list[tuple[str, int, int, int, int]] = []
    for group in GROUPS:
        for number in range(4):
            name, is_boxed = f"{group}_{number}.png", number % 2 == 0
            x, y = (int(place) for place in rng.integers(0, SIDE - SQUARE, 2))
            colour = None if not is_boxed else GREEN if name in polyps else RED
            cv2.imwrite(str(folder / "images" / name), picture(rng, x, y, colour)[..., ::-1])
            kind = "polyp" if name in polyps else "blood"
            labels.append((name, kind if is_boxed else "clear", group))
            boxes += [(name, x, y, x + SQUARE, y + SQUARE)] if is_boxed else []
    write_table(folder / "labels.csv", ("filename", "label", "group"), labels)
    write_table(folder / "boxes.csv", ("filename", "x_min", "y_min", "x_max", "y_max"), boxes)
    return folder


def picture(rng: np.random.Generator, x: int, y: int, colour: tuple[int, int, int] | None) -> NDArray[np.uint8]:
    """(SIDE, SIDE, 3) RGB."""
    pixels = rng.integers(120, 170, (SIDE, SIDE, 3)).astype(np.uint8)
    if colour is not None:
        pixels[y : y + SQUARE, x : x + SQUARE] = colour
    return pixels


def write_table(
    path: Path, header: tuple[str, ...], rows: list[tuple[str, str, str]] | list[tuple[str, int, int, int, int]]
) -> None:
    """A CSV file."""
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
