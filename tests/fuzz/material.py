"""Small, valid inputs of every kind, made once by the program's own commands; every case reads a copy of them."""

import csv
import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2

from tests.dicom_files import JPEG_BASELINE, encoded_file, numbered_frames, raw_file, video_file
from tests.fuzz.base_commands import TINY_FINETUNING, TINY_PRETRAINING
from tests.training.datasets.public.trees import kvasir
from tests.videos import numbered_frame, write_video

CONTAINERS = (".mp4", ".avi", ".mkv", ".mov", ".webm", ".mpg", ".ts")
LIBRARY_SETTINGS = {"score_when_opened": False, "keep_model_ready": False, "reader": "a"}
PUBLISHED = "table,row,figure,text,source\nlaiz-table7,TL-BA,AUC,93.1,a paper\n"
Program = Callable[[str, list[str]], None]
"""Runs the program ("training" or "wce-desktop") with arguments; raises where it fails."""


def make_material(folder: Path, program: Program) -> Path:
    """Write everything into a new folder; takes some seconds.

    Args:
        folder: to write into.
        program: how the program is run.
    """
    folder.mkdir(parents=True)
    studies, model = folder / "studies", folder / "model"
    program("training", ["phantom", str(studies), "--studies=3", "--frames=40", *_set(size_px=64, positive_share=0.3)])
    _write_videos(folder / "videos")
    _write_images(folder)
    _run_trainings(folder, program)
    for name in ("P01", "P02"):
        video, out = studies / "videos" / f"{name}.mp4", folder / f"{name}.h5"
        program("training", ["score", str(video), f"--model={model}", f"--out={out}"])
    program("training", ["index", str(studies / "videos" / "P01.mp4"), f"--out={folder / 'index.npz'}"])
    _write_maps(folder, program)
    _write_tables(folder)
    kvasir(folder / "kvasir")
    _write_annotations(folder)
    _write_library(folder, program)
    return folder


def _set(**settings: object) -> list[str]:
    return [f"--set={key}={value}" for key, value in settings.items()]


def _run_trainings(folder: Path, program: Program) -> None:
    """A finished run of each kind, the second with the smallest of checkpoints."""
    data = [f"--studies={folder / 'studies' / 'manifest.json'}", f"--labels={folder / 'studies' / 'labels.csv'}"]
    finetuned, pretrained = folder / "finetuned", folder / "pretrained"
    program("training", ["finetune", *data, f"--out={finetuned}", *_set(**TINY_FINETUNING)])
    shutil.copytree(next(path.parent for path in finetuned.rglob("model.safetensors")), folder / "model")
    program(
        "training",
        ["pretrain", data[0], f"--out={pretrained}", "--preset=smoke", "--init=random", *_set(**TINY_PRETRAINING)],
    )
    for kept in sorted(pretrained.glob("kept/*"))[:-1]:
        kept.unlink()


def _write_videos(folder: Path) -> None:
    folder.mkdir()
    for suffix in CONTAINERS:
        write_video(folder / f"study{suffix}", 20, gop=5)
    write_video(folder / "packed.avi", 20, gop=5, b_frames=2)
    write_video(folder / "mjpeg.avi", 12, codec="mjpeg")
    video_file(folder / "video.dcm", frames=20, pieces=2, gop=5, b_frames=2)
    raw_file(folder / "raw.dcm", numbered_frames(12))
    pictures = [cv2.imencode(".jpg", frame)[1].tobytes() for frame in numbered_frames(12)]
    encoded_file(folder / "jpeg.dcm", pictures, JPEG_BASELINE)


def _write_images(folder: Path) -> None:
    (folder / "images").mkdir()
    rows, boxes = [], []
    for number in range(16):
        name = f"{number:02}.{('png', 'jpg', 'bmp', 'tif')[number % 4]}"
        assert cv2.imwrite(str(folder / "images" / name), numbered_frame(number))
        rows.append((name, ("normal", "polyp")[number % 2], f"g{number // 4}"))
        boxes += [(name, 8, 8, 40, 40)] if number % 2 else []
    _write_csv(folder / "images.csv", ("filename", "label", "group"), rows)
    _write_csv(folder / "image_boxes.csv", ("filename", "x_min", "y_min", "x_max", "y_max"), boxes)


def _write_csv(path: Path, header: tuple[str, ...], rows: Sequence[tuple[object, ...]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])


def _write_maps(folder: Path, program: Program) -> None:
    few_steps = _set(iterations=10, perplexity=5, components=4, threads=1)
    files = [f"--embeddings={folder / name}" for name in ("P01.h5", "P02.h5")]
    program("training", ["project", *files, f"--out={folder / 'map.npz'}", *few_steps])
    program("training", ["project", files[0], f"--out={folder / 'pca.npz'}", "--method=pca"])
    studies = f"--studies={folder / 'studies' / 'manifest.json'}"
    run, out = folder / "pretrained", folder / "evolution.npz"
    program("training", ["evolution", f"--run={run}", studies, f"--out={out}", "--sample=20"])


def _write_tables(folder: Path) -> None:
    entries = [{"study_id": name, "patient_id": name, "path": f"{name}.h5"} for name in ("P01", "P02")]
    (folder / "embeddings.json").write_text(json.dumps({"studies": entries}), encoding="utf-8")
    (folder / "published.csv").write_text(PUBLISHED, encoding="utf-8")
    foreign = folder / "foreign"
    foreign.mkdir()
    for name in ("labels.csv", "manifest.json", "findings.csv", "boxes.csv", "config.json", "report.html", "notes.txt"):
        (foreign / name).write_text(f"somebody's own {name}\n", encoding="utf-8")


def _write_annotations(folder: Path) -> None:
    """Boxes on the same two frames of study P01 in the format of each annotation tool."""
    from training.datasets.annotations.content import AnnotatedBox, AnnotatedImage
    from training.datasets.annotations.cvat_writer import write_cvat_images, write_cvat_video
    from training.datasets.annotations.yolo import write_yolo

    names, side, place = ("polyp", "blood"), 64, folder / "annotations"
    boxes = [AnnotatedBox(name, 2 + at, 3, 20, 30.5) for at, name in enumerate(names)]
    images = [AnnotatedImage(f"P01/frame-{at:06}.png", side, side, "P01", at, boxes=boxes) for at in (3, 4)]
    flat = [AnnotatedImage(f"P01-frame-{at:06}.png", side, side, boxes=boxes) for at in (3, 4)]
    place.mkdir()
    write_cvat_images(place / "cvat-images.xml", "P01", images, names)
    write_cvat_video(place / "cvat-video.xml", "P01", images, names, 40)
    write_yolo(place / "yolo", flat, names)
    corners = [(box.x_min, box.y_min, box.x_max - box.x_min, box.y_max - box.y_min) for box in boxes]
    coco = {
        "images": [{"id": at, "file_name": one.file_name, "width": side, "height": side, "frame_index": at}
                   for at, one in enumerate(images, 3)],
        "categories": [{"id": at, "name": name} for at, name in enumerate(names)],
        "annotations": [{"id": at, "image_id": 3 + at // 2, "category_id": at % 2, "bbox": corners[at % 2]}
                        for at in range(4)],
    }  # fmt: skip
    regions = [
        {"shape_attributes": {"name": "rect", "x": x, "y": y, "width": width, "height": height},
         "region_attributes": {"class": name}}
        for name, (x, y, width, height) in zip(names, corners, strict=True)
    ]  # fmt: skip
    via = {one.file_name: {"filename": one.file_name, "size": 1, "regions": regions, "file_attributes": {}}
           for one in images}  # fmt: skip
    shapes = [
        {"label": box.name, "points": [[box.x_min, box.y_min], [box.x_max, box.y_max]], "shape_type": "rectangle"}
        for box in boxes
    ]
    labelme: dict[str, object] = {
        "version": "5.5.0",
        "flags": {},
        "shapes": shapes,
        "imagePath": "P01/frame-000003.png",
        "imageData": None,
        "imageHeight": side,
        "imageWidth": side,
    }
    for name, document in (("coco", coco), ("via", {"_via_img_metadata": via}), ("labelme", labelme)):
        (place / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")


def _write_library(folder: Path, program: Program) -> None:
    """A library with studies, labels, findings, a model, scores and a backup; opening a study scores nothing."""
    from wce_desktop.library import Library
    from wce_desktop.library.backup import backups

    library_folder = folder / "library"
    program("wce-desktop", ["import", f"--library={library_folder}", "--yes", "--reader=a", str(folder / "studies")])
    (library_folder / "settings.json").write_text(json.dumps(LIBRARY_SETTINGS), encoding="utf-8")
    presets: dict[str, list[object]] = {"pretrain": [], "finetune": []}
    (library_folder / "presets.json").write_text(json.dumps(presets), encoding="utf-8")
    with Library.open(library_folder, "a") as library:
        registered = library.models.register(folder / "model", title="Model")
        for study in library.studies.all():
            source = folder / f"{study.path.stem}.h5"
            if source.is_file():
                target = library_folder / "studies" / study.study_id / f"embeddings-{registered.model_id}.h5"
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)
        backups.backup(library_folder, always=True)
