"""Labelled images become frames whose groups are patients; bad sets are told in a sentence."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from tests.training.pretraining.tiny_studies import SIDE, picture
from training.datasets.image_set import copies_between_groups, read_image_set
from training.datasets.pretraining_spans import VideoFrameRow, read_video_frames, video_run_manifest
from training.errors import UserError
from training.runs.reporter import SilentReporter


def write_images(folder: Path, rows: list[tuple[str, str, str]]) -> tuple[Path, Path]:
    """Pictures and their CSV, from (filename, label, group)."""
    rng = np.random.default_rng(1)
    images = folder / "images"
    images.mkdir()
    for name, label, _ in rows:
        kind = "blood" if label == "bleeding" else "normal"
        assert cv2.imwrite(str(images / name), cv2.cvtColor(picture(kind, rng), cv2.COLOR_RGB2BGR))
    table = folder / "labels.csv"
    table.write_text("filename,label,group\n" + "".join(f"{','.join(row)}\n" for row in rows), encoding="utf-8")
    return images, table


ROWS = [("a.png", "bleeding", "7"), ("b.png", "clear", "9"), ("c.png", "clear", "7"), ("d.png", "bleeding", "9")]


def test_groups_are_patients_and_normal_is_what_was_named(tmp_path: Path) -> None:
    images = read_image_set(*write_images(tmp_path, ROWS), normal_label="clear")
    frames = images.labelled
    assert frames.classes == ("normal", "bleeding")
    assert frames.patients.tolist() == ["7", "7", "9", "9"]
    assert [images.filenames[k] for k in frames.frame_index] == ["a.png", "c.png", "b.png", "d.png"]
    assert frames.label.tolist() == [1, 0, 0, 1]
    store = images.load(frames, 32, 1 << 30, tmp_path / "spill", SilentReporter())
    assert store.pixels.shape == (4, 32, 32, 3)
    assert store.is_round.shape == (4,)
    red_over_green = store.pixels[..., 0].mean((1, 2)) - store.pixels[..., 1].mean((1, 2))
    assert red_over_green.argmax() in (0, 3)
    spilled = images.load(frames, 32, 1, tmp_path / "spill", SilentReporter())
    assert isinstance(spilled.pixels, np.memmap)
    assert np.array_equal(spilled.pixels, store.pixels)


def test_bad_sets_are_told(tmp_path: Path) -> None:
    folder, table = write_images(tmp_path, ROWS)
    with pytest.raises(UserError, match="no image is labelled normal; there are bleeding, clear"):
        read_image_set(folder, table)
    with pytest.raises(UserError, match="no image is labelled ulcer"):
        read_image_set(folder, table, normal_label="clear", classes=("ulcer",))
    with pytest.raises(UserError, match="There is no folder"):
        read_image_set(tmp_path / "nowhere", table)
    text = table.read_text(encoding="utf-8")
    table.write_text(text + "a.png,clear,7\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"a\.png is labelled as bleeding and as clear"):
        read_image_set(folder, table, normal_label="clear")
    table.write_text(text + "x.png,clear,7\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"x\.png does not exist"):
        read_image_set(folder, table, normal_label="clear")


def test_sources_are_read_and_keep_the_images_of_a_patient_apart(tmp_path: Path) -> None:
    folder, table = write_images(tmp_path, ROWS)
    lines = [f"{name},{label},{group},{'X' if name in 'a.png c.png' else ''}" for name, label, group in ROWS]
    table.write_text("filename,label,group,source\n" + "\n".join(lines) + "\n", encoding="utf-8")
    frames = read_image_set(folder, table, normal_label="clear").labelled
    assert (
        list(zip(frames.patients.tolist(), frames.sources.tolist(), strict=True)) == [("7", "X")] * 2 + [("9", "")] * 2
    )
    table.write_text(table.read_text(encoding="utf-8").replace("d.png,bleeding,9,", "d.png,bleeding,7,Y"), "utf-8")
    frames = read_image_set(folder, table, normal_label="clear").labelled
    assert len({study.study_id for study in frames.studies}) == 3, "a study for each patient and source"
    assert frames.patients[frames.sources == "Y"].tolist() == ["7"]


def test_an_image_with_several_labels_has_a_row_for_each(tmp_path: Path) -> None:
    rows = [*ROWS, ("e.png", "bleeding| ulcer", "7"), ("f.png", "ulcer", "9")]
    folder, table = write_images(tmp_path, rows)
    images = read_image_set(folder, table, normal_label="clear")
    frames = images.labelled
    assert frames.classes == ("normal", "bleeding", "ulcer")
    both = [images.filenames[index] == "e.png" for index in frames.frame_index.tolist()]
    assert frames.label[both].tolist() == [1, 2]
    one_class = read_image_set(folder, table, normal_label="clear", classes=("ulcer",)).labelled
    assert one_class.label.tolist() == [0, 1, 0, 1]
    store = images.load(frames, 32, 1 << 30, tmp_path / "spill", SilentReporter())
    assert np.array_equal(*store.pixels[both])
    table.write_text("filename,label,group\n" + "a.png,clear|bleeding,7\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"a\.png is labelled both clear and bleeding"):
        read_image_set(folder, table, normal_label="clear")
    table.write_text("filename,label,group\n" + "a.png,|,7\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"a\.png has no label"):
        read_image_set(folder, table, normal_label="clear")


def test_without_groups_only_a_random_split_is_possible(tmp_path: Path) -> None:
    folder, table = write_images(tmp_path, ROWS)
    with pytest.raises(UserError, match="names groups, so the images are split by group"):
        read_image_set(folder, table, normal_label="clear", needs_groups=False)
    table.write_text("filename,label\n" + "".join(f"{a},{b}\n" for a, b, _ in ROWS), encoding="utf-8")
    with pytest.raises(UserError, match=r"a\.png has no group.*column group"):
        read_image_set(folder, table, normal_label="clear")
    alone = read_image_set(folder, table, normal_label="clear", needs_groups=False)
    assert len(set(alone.labelled.patients.tolist())) == 4


def test_without_a_normal_class_there_are_kinds(tmp_path: Path) -> None:
    rows = [("a.png", "bleeding", "7"), ("b.png", "ulcer", "9"), ("c.png", "normal", "7"), ("d.png", "bleeding", "9")]
    folder, table = write_images(tmp_path, rows)
    frames = read_image_set(folder, table, normal_label="").labelled
    assert frames.classes == ("bleeding", "ulcer")
    assert frames.label.tolist() == [0, 1, 0]
    assert frames.frame_index.tolist() == [0, 1, 3], "the image labelled normal is left out"
    with pytest.raises(UserError, match="there is only ulcer"):
        read_image_set(folder, table, normal_label="", classes=("ulcer",))


def test_the_hints_name_what_can_be_set(tmp_path: Path) -> None:
    folder, table = write_images(tmp_path, [("a.png", "bleeding", ""), ("b.png", "clear", "")])
    with pytest.raises(UserError) as caught:
        read_image_set(folder, table, normal_label="clear")
    assert "--by COLUMN" in caught.value.hint
    with pytest.raises(UserError) as caught:
        read_image_set(folder, table)
    assert "--set normal_label=clear;" in caught.value.hint


def test_images_without_groups_share_a_field_of_view(tmp_path: Path) -> None:
    folder, table = write_images(tmp_path, [(name, label, "") for name, label, _ in ROWS])
    images = read_image_set(folder, table, normal_label="clear", needs_groups=False)
    dark = np.zeros_like(cv2.imread(str(folder / "b.png")))
    cv2.imwrite(str(folder / "b.png"), dark)
    store = images.load(images.labelled, 32, 1 << 30, tmp_path / "spill", SilentReporter())
    assert len(set(store.is_round.tolist())) == 1, "the dark one does not count as a frame without a rim"
    (folder / "a.png").write_bytes(b"no picture")
    left = images.load(images.labelled, 32, 1 << 30, tmp_path / "spill", SilentReporter())
    assert [images.filenames[k] for k in left.labelled.frame_index] == ["b.png", "c.png", "d.png"]
    for name, *_ in ROWS:
        (folder / name).write_bytes(b"no picture" if name == "a.png" else b"")
    with pytest.raises(UserError, match="None of the 4 images can be read"):
        images.load(images.labelled, 32, 1 << 30, tmp_path / "spill", SilentReporter())


def test_images_that_cannot_be_read_are_left_out_and_a_group_of_them_is_an_error(tmp_path: Path) -> None:
    folder, table = write_images(tmp_path, ROWS)
    images = read_image_set(folder, table, normal_label="clear")
    (folder / "a.png").write_bytes(b"no picture")
    store = images.load(images.labelled, 32, 1 << 30, tmp_path / "spill", SilentReporter())
    assert [images.filenames[k] for k in store.labelled.frame_index] == ["c.png", "b.png", "d.png"]
    (folder / "c.png").write_bytes(b"no picture")
    with pytest.raises(UserError, match="None of the 2 images of group 7"):
        images.load(images.labelled, 32, 1 << 30, tmp_path / "spill", SilentReporter())


def test_identical_images_in_different_groups_are_found(tmp_path: Path) -> None:
    folder, table = write_images(tmp_path, ROWS)
    images = read_image_set(folder, table, normal_label="clear")
    assert copies_between_groups(images) == []
    (folder / "b.png").write_bytes((folder / "a.png").read_bytes())
    assert copies_between_groups(images) == [("a.png", "b.png")]


def test_video_runs_become_spans_of_their_group_and_are_cut_where_the_group_changes(tmp_path: Path) -> None:
    table = tmp_path / "video_frames.csv"
    runs = [("0", "a"), ("0", "a"), ("0", "b"), ("1", "b"), ("1", "b"), ("1", "x"), ("1", "b"), ("2", "a")]
    table.write_text(
        "frame_index,label,run,filename\n"
        + "".join(f"{k},any,{run},{name}{k}.jpg\n" for k, (run, name) in enumerate(runs)),
        encoding="utf-8",
    )
    group_of = {f"{name}{k}.jpg": name for k, (_, name) in enumerate(runs) if name != "x"}
    manifest = video_run_manifest(tmp_path / "video.mp4", read_video_frames(table), group_of)
    spans = {study.patient_id: [(span.start, span.stop) for span in study.spans] for study in manifest.studies}
    assert spans == {"a": [(0, 2), (7, 8)], "b": [(2, 3), (3, 5), (6, 7)]}
    with pytest.raises(UserError, match=r"No frame of video\.mp4"):
        video_run_manifest(tmp_path / "video.mp4", [VideoFrameRow(frame_index=0, run="0", filename="z")], group_of)


def test_the_real_sets_runs_never_mix_groups(shared_data: Path) -> None:
    real = shared_data / "capsule_bleeding"
    images = read_image_set(real / "images", real / "labels.csv", normal_label="non-bleeding")
    assert images.labelled.counts() == {"normal": 786, "bleeding": 786}
    group_of = {
        images.filenames[int(frame)]: str(patient)
        for frame, patient in zip(images.labelled.frame_index, images.labelled.patients, strict=True)
    }
    rows = read_video_frames(real / "video_frames.csv")
    manifest = video_run_manifest(real / "video.mp4", rows, group_of)
    spans = [span for study in manifest.studies for span in study.spans]
    assert len(spans) == 62
    assert sum(span.stop - span.start for span in spans) == len(rows) == 1265
    assert int(np.median([span.stop - span.start for span in spans])) in range(5, SIDE)


def test_images_of_a_group_are_upright_and_share_one_range_of_values(tmp_path: Path) -> None:
    folder = tmp_path / "images"
    folder.mkdir()
    ramp = np.tile(np.arange(128, dtype=np.uint16) * 16, (64, 1))
    for name, values in (("dark.png", ramp), ("bright.png", ramp * 2)):
        assert cv2.imwrite(str(folder / name), values)
    exif = Image.Exif()
    exif[274] = 6
    Image.fromarray((np.rot90(ramp) // 8).astype(np.uint8)).save(folder / "turned.jpg", exif=exif, quality=98)
    table = tmp_path / "labels.csv"
    table.write_text("filename,label,group\ndark.png,a,1\nbright.png,b,1\nturned.jpg,b,1\n", encoding="utf-8")
    images = read_image_set(folder, table, normal_label="")
    rows = np.arange(len(images.labelled))
    size = {row: picture for row, picture, _ in images.prepared(images.labelled, rows, 128)}
    by_name = {images.filenames[int(images.labelled.frame_index[row])]: picture for row, picture in size.items()}
    assert by_name["bright.png"].max() > 240
    assert 110 < by_name["dark.png"].max() < 135
    assert np.abs(by_name["turned.jpg"].astype(int) - by_name["bright.png"]).mean() < 4
