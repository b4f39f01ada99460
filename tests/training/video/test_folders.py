"""Which files of a folder are frames, in which order, and what is said of the others."""

import os
import shutil
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.dicom_files import numbered_frames, raw_file
from tests.videos import number_of, numbered_frame, write_video
from training.commands.shell import main
from training.errors import UserError
from training.video import FIRST_NUMBERING, NUMBERING, build_index, first_picture, is_study, open_source
from training.video.folders import studies_below
from training.video.formats import (
    VIDEO_SUFFIXES,
    fingerprint,
    fingerprints_of,
    has_fingerprint,
    have_decimals,
    in_order,
)
from training.video.indexing import OLD_NUMBERING_NOTE


def write(path: Path, picture: NDArray[np.uint8]) -> Path:
    """Write an image, (H, W, 3) RGB or (H, W)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    quality = [cv2.IMWRITE_WEBP_QUALITY, 101] if path.suffix == ".webp" else []
    good, data = cv2.imencode(path.suffix, picture if picture.ndim == 2 else picture[..., ::-1], quality)
    assert good
    path.write_bytes(data.tobytes())
    return path


def photo(number: int) -> NDArray[np.uint8]:
    """A frame with its number, in colour, with noise."""
    noise = np.random.default_rng(number).integers(0, 40, (64, 64, 3), dtype=np.uint8)
    picture = numbered_frame(number, 64, 64) // 2 + noise
    picture[..., 0] += 60
    return np.asarray(picture, np.uint8)


def mask(number: int) -> NDArray[np.uint8]:
    """(64, 64) a round lesion, white on black; every third is empty."""
    picture = np.zeros((64, 64), np.uint8)
    if number % 3:
        cv2.circle(picture, (32, 32), 8 + number, 255, -1)
    return picture


def read_numbers(folder: Path) -> list[int]:
    with open_source(folder) as source:
        return [number_of(source.read(frame)) for frame in range(len(source))]


MASK_NAMES = [
    "{}_mask.png", "{}-mask.png", "{}mask.png", "{}_Mask.jpg", "mask_{}.png", "{}_gt.png", "{}_seg.png", "{} label.png",
    "{}_segmentation.png", "{}_ground_truth.png", "{}m.png", "{}_b.png", "x{}.png", "{}_annotation.bmp", "{}.png",
]  # fmt: skip


@pytest.mark.parametrize("pattern", MASK_NAMES)
def test_masks_are_left_out_with_a_note(pattern: str, tmp_path: Path) -> None:
    for number in range(7):
        write(tmp_path / f"{number:04}.jpg", photo(number))
        write(tmp_path / pattern.format(f"{number:04}"), mask(number))
    index = build_index(tmp_path)
    assert index.files == tuple(f"{number:04}.jpg" for number in range(7))
    names = [pattern.format(f"{number:04}") for number in range(3)]
    assert f"Masks of other images, left out (7): {', '.join(names)}, …." in index.notes


def test_masks_named_beside_images_of_other_names(tmp_path: Path) -> None:
    for number in range(4):
        write(tmp_path / f"img_{number}.png", photo(number))
        write(tmp_path / f"msk_{number}.png", mask(number))
        write(tmp_path / f"cju{number}qk7wl_rgb.jpg", photo(number))
        write(tmp_path / f"cju{number}qk7wl_mask.jpg", mask(number))
    names = build_index(tmp_path).files
    assert len(names) == 8
    assert not any("mask" in name or "msk" in name for name in names)


@pytest.mark.parametrize(
    "names",
    [
        [f"frame_{number}_mask.png" for number in range(4)],  # nothing but masks was chosen
        [f"segment{number}.jpg" for number in range(4)],
        ["a.jpg", "ab.jpg", "abc.jpg", "b.jpg"],
        ["1.jpg", "1.png", "2.jpg", "2.png"],
        ["frame1.jpg", "frame1b.jpg", "frame2.jpg", "frame2b.jpg"],
    ],
)
def test_images_that_are_no_masks_stay(names: list[str], tmp_path: Path) -> None:
    for number, name in enumerate(names):
        write(tmp_path / name, photo(number))
    index = build_index(tmp_path)
    assert sorted(index.files) == sorted(names)
    assert not any("Masks" in note for note in index.notes)


def test_a_black_frame_is_no_mask(tmp_path: Path) -> None:
    for number in range(6):
        write(tmp_path / f"{number}.png", photo(number))
        write(tmp_path / f"{number}b.png", np.zeros((64, 64, 3), np.uint8) if number == 2 else photo(number))
    assert len(build_index(tmp_path).files) == 12


@pytest.mark.parametrize(
    ("names", "decimal"),
    [
        (["clip#t=0.jpg", "clip#t=0.25.jpg", "clip#t=0.5.jpg", "clip#t=1.jpg", "clip#t=10.jpg"], True),
        (["0.0.png", "0.04.png", "0.1.png", "0.12.png", "1.0.png", "2.png"], True),
        (["f 9.75s.jpg", "f 10.25s.jpg", "f 10.5s.jpg"], True),
        (["t=0,25.jpg", "t=0,5.jpg", "t=1.jpg"], True),
        (["time_1.10.jpg", "time_1.9.jpg"], True),
        (["a_t=1.10.jpg", "a_t=1.9.jpg"], True),
        (["v1.2.9.png", "v1.2.10.png"], False),
        (["frame_1.9.png", "frame_1.10.png", "frame_1.11.png", "frame_2.1.png"], False),
        (["2024.01.05.png", "2024.01.10.png", "2024.2.1.png"], False),
        (["frame2.png", "frame10.png", "frame_1.5.png"], False),
        (["a1.png", "a2.png", "a10.png"], False),
    ],
)
def test_times_in_names_are_read_as_numbers_and_versions_are_not(names: list[str], decimal: bool) -> None:
    assert have_decimals(names) is decimal
    assert in_order(names[::-1], NUMBERING) == names


def test_jpeg_and_webp_in_turn(tmp_path: Path) -> None:
    for number in range(6):
        write(tmp_path / f"f{number}{('.jpg', '.webp')[number % 2]}", photo(number))
    assert read_numbers(tmp_path) == [0, 1, 2, 3, 4, 5]
    data = (tmp_path / "f3.webp").read_bytes()
    (tmp_path / "f3.webp").write_bytes(data[: len(data) // 2])
    assert build_index(tmp_path).missing.tolist() == [3]


def test_a_study_of_an_earlier_version_keeps_its_frames_and_fingerprint(tmp_path: Path) -> None:
    for number in range(4):
        write(tmp_path / f"f{number}{('.jpg', '.webp')[number % 2]}", photo(number))
        write(tmp_path / f"f{number}_mask.png", mask(number))
    first = fingerprint(tmp_path, FIRST_NUMBERING)
    assert fingerprints_of(tmp_path) == (fingerprint(tmp_path), first)
    for numbering in range(FIRST_NUMBERING, 3):
        old = build_index(tmp_path, numbering=numbering)
        assert old.files == ("f0.jpg", "f0_mask.png", "f1_mask.png", "f2.jpg", "f2_mask.png", "f3_mask.png")
        assert (old.numbering, old.fingerprint, old.notes[0]) == (numbering, first, OLD_NUMBERING_NOTE)
        with open_source(tmp_path, index=old) as source:
            assert number_of(source.read(3)) == 2
    assert build_index(tmp_path).files == ("f0.jpg", "f1.webp", "f2.jpg", "f3.webp")


def test_a_folder_that_reads_as_before_takes_the_newest_numbering(tmp_path: Path) -> None:
    for number in range(3):
        write(tmp_path / f"{number}.jpg", photo(number))
    assert len(fingerprints_of(tmp_path)) == 1
    index = build_index(tmp_path, numbering=FIRST_NUMBERING)
    assert (index.numbering, OLD_NUMBERING_NOTE in index.notes) == (NUMBERING, False)


def test_a_left_out_webp_mask_changes_no_fingerprint_of_an_earlier_study(tmp_path: Path) -> None:
    for number in range(3):
        write(tmp_path / f"{number}.jpg", photo(number))
        write(tmp_path / f"{number}_mask.webp", np.repeat(mask(number)[..., None], 3, 2))
    index = build_index(tmp_path, numbering=FIRST_NUMBERING)
    assert index.fingerprint == fingerprint(tmp_path, FIRST_NUMBERING) != fingerprint(tmp_path)
    assert has_fingerprint(tmp_path, index.fingerprint)
    assert OLD_NUMBERING_NOTE not in index.notes


def test_folders_that_share_a_picture_are_told_apart(tmp_path: Path) -> None:
    for name, first in (("a", 0), ("b", 3)):
        write(tmp_path / name / "logo.jpg", photo(9))
        for number in range(3):
            write(tmp_path / name / f"{number}.webp", photo(first + number))
    assert fingerprint(tmp_path / "a") != fingerprint(tmp_path / "b")


def series(folder: Path, numbers: list[int], **values: object) -> None:
    """Single pictures, whose names say nothing, numbered from the last to the first."""
    for place, number in enumerate(numbers):
        frames = numbered_frames(number + 1)[number:]
        own: dict[str, Any] = {
            name: value[place] if isinstance(value, list) else value for name, value in values.items()
        }
        raw_file(folder / f"IM{place}.dcm", frames, **({"NumberOfFrames": None, "FrameTime": None} | own))


def test_a_dicom_series_is_read_in_the_order_of_its_numbers(tmp_path: Path) -> None:
    series(tmp_path, [3, 1, 0, 2], InstanceNumber=["13", "9", "2", "10"])
    (tmp_path / "report.txt").write_text("no picture")
    assert is_study(tmp_path)
    assert read_numbers(tmp_path) == [0, 1, 2, 3]
    assert number_of(first_picture(tmp_path)) == 0
    notes = build_index(tmp_path).notes
    assert "Files of other kinds, left out (1): report.txt." in notes
    assert not any("order" in note for note in notes)


def test_a_dicom_series_without_numbers_is_in_the_order_of_its_times_or_names(tmp_path: Path) -> None:
    (tmp_path / "times").mkdir()
    series(tmp_path / "times", [2, 0, 1], ContentDate="20260504", ContentTime=["120002", "115959.5", "120001"])
    assert read_numbers(tmp_path / "times") == [0, 1, 2]
    assert any("in the order of their times" in note for note in build_index(tmp_path / "times").notes)
    (tmp_path / "names").mkdir()
    series(tmp_path / "names", [2, 0, 1], InstanceNumber="1")
    assert read_numbers(tmp_path / "names") == [2, 0, 1]
    assert any("that of their names" in note for note in build_index(tmp_path / "names").notes)


def test_pictures_of_several_patients_are_no_series(tmp_path: Path) -> None:
    series(tmp_path, [0, 1], InstanceNumber=["1", "2"], PatientID=["A", "B"])
    with pytest.raises(UserError, match="of 2 patients"):
        build_index(tmp_path)


def test_a_damaged_picture_of_a_series_keeps_its_number(tmp_path: Path) -> None:
    series(tmp_path, [0, 1, 2], InstanceNumber=["1", "2", "3"])
    data = (tmp_path / "IM1.dcm").read_bytes()
    (tmp_path / "IM1.dcm").write_bytes(data[:-200])
    index = build_index(tmp_path)
    assert (len(index), index.missing.tolist()) == (3, [1])
    with open_source(tmp_path, index=index) as source:
        assert number_of(source.read(2)) == 2


def everything(folder: Path) -> None:
    """A folder with something of every kind that is no frame."""
    for number in range(2):
        write(folder / f"{number}.jpg", photo(number))
    for name in (".DS_Store", "._0.jpg", "Thumbs.db"):
        (folder / name).write_bytes(b"of the system")
    for name in ("notes.txt", "report.pdf", "0.json", "table.csv"):
        (folder / name).write_bytes(b"something")
    (folder / "nothing").touch()
    (folder / "more").mkdir()
    write_video(folder / "clip.mp4", 5)
    raw_file(folder / "loop.dcm", numbered_frames(3))
    (folder / "circle.jpg").symlink_to(folder / "circle.jpg")
    (folder / "gone.jpg").symlink_to(folder / "nowhere.jpg")
    (folder / "up").symlink_to(folder.parent)


def test_what_is_passed_over_is_named_with_the_reason(tmp_path: Path) -> None:
    everything(tmp_path / "a")
    assert build_index(tmp_path / "a").notes[1:] == (
        "Videos, to be opened by themselves (1): clip.mp4.",
        "DICOM files, to be opened by themselves (1): loop.dcm.",
        "Folders, to be opened by themselves (1): more.",
        "Empty files, left out (1): nothing.",
        "Files of other kinds, left out (4): 0.json, notes.txt, report.pdf, ….",
        "Hidden files and files of the system, left out (3): ._0.jpg, .DS_Store, Thumbs.db.",
        "Links to other folders or to nothing, left out (3): circle.jpg, gone.jpg, up.",
    )


def test_studies_below_a_folder(tmp_path: Path) -> None:
    everything(tmp_path / "with_videos")
    for place in ("P2/frames", "P10/frames", "P2/masks"):
        for number in range(3):
            picture = mask(number) if "masks" in place else photo(number)
            write(tmp_path / place / f"{number}.png", picture)
    (tmp_path / "dicom").mkdir()
    series(tmp_path / "dicom", [0, 1], InstanceNumber=["1", "2"])
    (tmp_path / "circle").symlink_to(tmp_path)
    found = studies_below(tmp_path)
    named = [path.relative_to(tmp_path).as_posix() for path in found.paths]
    of_everything = ["with_videos", "with_videos/clip.mp4", "with_videos/loop.dcm"]
    assert named == ["dicom", "P2/frames", "P10/frames", *of_everything]
    sentences = found.left_out.sentences()
    assert "Masks of other images, left out (1): P2/masks/." in sentences
    assert any(sentence.startswith("Links") and "(4): circle, " in sentence for sentence in sentences)


@pytest.mark.parametrize(
    "suffix", ["wmv", "vob", "mts", "m2ts", "mpg", "3gp", "flv", "ogv", "asf", "mxf", "dv", "MJPEG"]
)
def test_videos_of_every_common_suffix_are_studies(suffix: str, tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.mp4", 5).rename(tmp_path / f"a.{suffix}")
    assert is_study(path)
    assert studies_below(tmp_path).paths == (path,)
    assert path.suffix.lower() in VIDEO_SUFFIXES


def test_pictures_of_videos_are_no_study(tmp_path: Path) -> None:
    videos = [write_video(tmp_path / name, 5) for name in ("a.mp4", "b.mp4")]
    write(tmp_path / "a.jpg", photo(0))
    write(tmp_path / "b\n.jpg", photo(1))
    assert not is_study(tmp_path)
    found = studies_below(tmp_path)
    assert found.paths == tuple(videos)
    assert found.left_out.sentences() == ("Images beside videos, left out (2): a.jpg, b?.jpg.",)
    write(tmp_path / "c.jpg", photo(1))
    assert is_study(tmp_path)


def test_a_folder_that_cannot_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_video(tmp_path / "a.mp4", 5)
    (tmp_path / "closed").mkdir()
    scandir = os.scandir

    def denied(folder: Path) -> object:
        if Path(folder).name == "closed":
            raise PermissionError(13, "Permission denied")
        return scandir(folder)

    monkeypatch.setattr(os, "scandir", denied)
    found = studies_below(tmp_path)
    assert found.paths == (path,)
    assert found.left_out.sentences() == ("Not readable, left out (1): closed/.",)


def test_the_shell_names_what_it_passes_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    everything(tmp_path / "a")
    assert main(["index", str(tmp_path / "a"), "--set", "check=0"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "Videos, to be opened by themselves (1): clip.mp4." in said
    assert "._0.jpg, .DS_Store, Thumbs.db" in said
    for name in ("0.jpg", "1.jpg"):
        (tmp_path / "a" / name).unlink()
    shutil.rmtree(tmp_path / "a" / "more")
    assert main(["index", str(tmp_path / "a"), "--set", "check=0"]) != 0
    said = " ".join(capsys.readouterr().err.split())
    assert "holds no images. Videos, to be opened by themselves (1): clip.mp4." in said
    assert "loop.dcm" in said


@pytest.mark.parametrize(
    "names",
    [
        ["frame_0s.png", "frame_0.5s.png", "frame_1s.png", "frame_1.5s.png", "frame_10s.png"],
        ["frame_0.png", "frame_0.5.png", "frame_1.png", "frame_1.5.png"],
        ["img.png", "img (1).png", "img (2).jpg", "img (10).png"],
    ],
)
def test_a_name_comes_before_those_that_go_on(names: list[str]) -> None:
    assert in_order(sorted(names), NUMBERING) == names


@pytest.mark.parametrize("suffix", [".heic", ".HEIF", ".jxl"])
def test_images_of_unread_kinds_are_frames_that_are_missing(tmp_path: Path, suffix: str) -> None:
    start = b"\xff\x0a" if suffix == ".jxl" else b"\0\0\0\x18ftypheic\0\0\0\0mif1heic"
    (tmp_path / f"1{suffix}").write_bytes(start + bytes(100))
    kind = "JPEG XL" if suffix == ".jxl" else "HEIC"
    with pytest.raises(UserError, match=f"of a kind that cannot be read: {kind}"):
        build_index(tmp_path)
    for number in (0, 2):
        write(tmp_path / f"{number}.png", numbered_frame(number, 64, 64))
    index = build_index(tmp_path)
    assert (len(index), index.missing.tolist()) == (3, [1])
    assert any(f"cannot be read ({kind}; 1)" in note for note in index.notes)


def test_a_picture_that_announces_too_many_pixels_gives_no_size(tmp_path: Path) -> None:
    path = write(tmp_path / "0.png", numbered_frame(0, 64, 64))
    data = bytearray(path.read_bytes())
    data[16:24] = (100_000).to_bytes(4, "big") * 2
    path.write_bytes(data)
    write(tmp_path / "1.png", numbered_frame(1, 64, 64))
    index = build_index(tmp_path)
    assert index.missing.tolist() == [0]
    assert not any("sizes" in note for note in index.notes)
