"""Boxes of other programs on images that are turned for display, and on files of several pictures."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.wce_desktop.library.exchange.annotated import NAMES, boxes_of
from training.errors import UserError
from training.video import NUMBERING, fingerprint
from wce_desktop.core.study import Study
from wce_desktop.library import Library
from wce_desktop.library.exchange import AnnotationChoice, apply_import, plan_import

WIDTH, HEIGHT, FRAMES = 64, 48, 3
"""As stored."""


def add_turned(library: Library, folder: Path, orientation: int, numbering: int) -> Study:
    """A study of JPEG files of an orientation."""
    folder.mkdir()
    exif = Image.Exif()
    exif[274] = orientation
    for number in range(FRAMES):
        picture = Image.fromarray(np.full((HEIGHT, WIDTH, 3), 40 + 20 * number, np.uint8))
        picture.save(folder / f"f{number}.jpg", "JPEG", exif=exif)
    return library.studies.add(
        folder,
        study_id="P1",
        patient_id="P",
        fingerprint=fingerprint(folder),
        frame_count=FRAMES,
        numbering=numbering,
    )


def import_box(library: Library, folder: Path, name: str, width: int, height: int) -> None:
    document = {
        "images": [{"id": 7, "file_name": name, "width": width, "height": height}],
        "categories": [{"id": 0, "name": "polyp"}],
        "annotations": [{"id": 0, "image_id": 7, "category_id": 0, "bbox": [4, 5, 10, 20]}],
    }
    path = folder / "boxes.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    plan = plan_import(library, path, NAMES, choice=AnnotationChoice("P1"))
    apply_import(library, plan)


@pytest.mark.parametrize(("orientation", "numbering"), [(3, NUMBERING), (6, NUMBERING), (6, 1), (6, 2), (1, 1)])
def test_boxes_lie_on_the_picture_as_it_is_shown(
    orientation: int, numbering: int, library: Library, tmp_path: Path
) -> None:
    study = add_turned(library, tmp_path / "images", orientation, numbering)
    is_on_its_side = orientation == 6 and numbering == NUMBERING
    shown = (HEIGHT, WIDTH) if is_on_its_side else (WIDTH, HEIGHT)
    import_box(library, tmp_path, "images/f1.jpg", *shown)
    assert boxes_of(library, study.study_id) == [(1, "polyp", 4, 5, 14, 25)]


@pytest.mark.parametrize("numbering", [1, 2, NUMBERING])
def test_boxes_of_a_picture_turned_otherwise_are_left_out(numbering: int, library: Library, tmp_path: Path) -> None:
    study = add_turned(library, tmp_path / "images", 6, numbering)
    other = (WIDTH, HEIGHT) if numbering == NUMBERING else (HEIGHT, WIDTH)
    with pytest.raises(UserError, match="size"):
        import_box(library, tmp_path, "images/f1.jpg", *other)
    assert boxes_of(library, study.study_id) == []


def test_a_file_of_several_pictures_is_no_frame(library: Library, tmp_path: Path) -> None:
    folder = tmp_path / "images"
    folder.mkdir()
    pages = [Image.fromarray(np.full((HEIGHT, WIDTH, 3), 40 + 20 * page, np.uint8)) for page in range(4)]
    pages[0].save(folder / "f_1.tif", "TIFF", save_all=True, append_images=pages[1:])
    pages[0].save(folder / "f_2.tif", "TIFF")
    library.studies.add(folder, study_id="P1", patient_id="P", fingerprint=fingerprint(folder), frame_count=5)
    with pytest.raises(UserError, match="no image of this name"):
        import_box(library, tmp_path, "images/f_1.tif", WIDTH, HEIGHT)
    import_box(library, tmp_path, "images/f_2.tif", WIDTH, HEIGHT)
    assert boxes_of(library, "P1") == [(4, "polyp", 4, 5, 14, 25)]
