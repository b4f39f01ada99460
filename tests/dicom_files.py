"""DICOM files made by pydicom, with frames that carry their own numbers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydicom import Dataset
from pydicom.dataset import FileMetaDataset
from pydicom.encaps import encapsulate, encapsulate_extended
from pydicom.uid import UID, ExplicitVRBigEndian, ExplicitVRLittleEndian, ImplicitVRLittleEndian, generate_uid

from tests.videos import numbered_frame, write_video
from training.video.multiframe_pictures import encoded_size

MPEG2, H264, HEVC = (UID(f"1.2.840.10008.1.2.4.{number}") for number in (100, 102, 107))
JPEG_BASELINE, JPEG_LOSSLESS, JPEG_LS, JPEG_2000 = (UID(f"1.2.840.10008.1.2.4.{number}") for number in (50, 70, 80, 90))
MULTIFRAME_SC = UID("1.2.840.10008.5.1.4.1.1.7.4")
VIDEO_ENDOSCOPIC = UID("1.2.840.10008.5.1.4.1.1.77.1.1.1")


def dataset(frames: int, height: int = 64, width: int = 64, **values: Any) -> Dataset:
    """The header of frames in RGB, of a patient; `values` replace or add, None takes out."""
    facts: dict[str, Any] = {
        "SOPClassUID": VIDEO_ENDOSCOPIC,
        "SOPInstanceUID": generate_uid(),
        "PatientName": "MEIER^Anna",
        "PatientID": "H-4711",
        "PatientBirthDate": "19500301",
        "PatientSex": "F",
        "StudyDate": "20260504",
        "Manufacturer": "Capsules Ltd",
        "ManufacturerModelName": "Capsule 3",
        "NumberOfFrames": frames,
        "FrameTime": "500",
        "Rows": height,
        "Columns": width,
        "SamplesPerPixel": 3,
        "PhotometricInterpretation": "RGB",
        "PlanarConfiguration": 0,
        "BitsAllocated": 8,
        "BitsStored": 8,
        "HighBit": 7,
        "PixelRepresentation": 0,
    }
    made = Dataset()
    for name, value in (facts | values).items():
        if value is not None:
            setattr(made, name, value)
    return made


def save(path: Path, made: Dataset, syntax: UID = ExplicitVRLittleEndian) -> Path:
    """Write the file with its meta information."""
    made.file_meta = FileMetaDataset()
    made.file_meta.TransferSyntaxUID = syntax
    made.file_meta.MediaStorageSOPClassUID = made.get("SOPClassUID", MULTIFRAME_SC)
    made.file_meta.MediaStorageSOPInstanceUID = made.get("SOPInstanceUID", generate_uid())
    is_little = syntax != ExplicitVRBigEndian
    made.save_as(path, implicit_vr=syntax == ImplicitVRLittleEndian, little_endian=is_little, enforce_file_format=True)
    return path


def raw_file(path: Path, frames: NDArray[Any], syntax: UID = ExplicitVRLittleEndian, **values: Any) -> Path:
    """An uncompressed file of `frames` (N, H, W, 3) or (N, H, W), whose bytes are written as they are."""
    height, width = frames.shape[1:3]
    made = dataset(len(frames), height, width, **values)
    data = frames.tobytes()
    made.PixelData = data + b"\0" * (len(data) % 2)
    made["PixelData"].VR = "OW" if made.BitsAllocated == 16 else "OB"
    return save(path, made, syntax)


def numbered_frames(count: int, height: int = 64, width: int = 64) -> NDArray[np.uint8]:
    """(count, height, width, 3) uint8 RGB."""
    return np.stack([numbered_frame(number, height, width) for number in range(count)])


def encoded_file(
    path: Path, pictures: Sequence[bytes], syntax: UID, *, table: str = "basic", pieces: int = 1, **values: Any
) -> Path:
    """A file of encoded pictures, each in `pieces` fragments; `table` is basic, extended or none."""
    height, width = encoded_size(pictures[0]) or (64, 64)
    made = dataset(len(pictures), height, width, **({"PhotometricInterpretation": "YBR_FULL_422"} | values))
    if table == "extended":
        made.PixelData, made.ExtendedOffsetTable, made.ExtendedOffsetTableLengths = encapsulate_extended(list(pictures))
    else:
        made.PixelData = encapsulate(list(pictures), fragments_per_frame=pieces, has_bot=table == "basic")
    made["PixelData"].VR = "OB"
    made["PixelData"].is_undefined_length = True
    return save(path, made, syntax)


def video_file(
    path: Path, syntax: UID = H264, *, inner: str = ".mp4", frames: int = 60, pieces: int = 1, **making: Any
) -> Path:
    """A file that holds a video; `inner` is the suffix of its container, `making` goes to `write_video`.

    What `dataset` takes is given as `header`.
    """
    header = making.pop("header", {})
    codec = {MPEG2: "mpeg2video", HEVC: "libx265"}.get(syntax, "libx264")
    video = write_video(path.with_name(f"{path.stem}-inner{inner}"), frames, codec=codec, **making)
    made = dataset(frames, **({"PhotometricInterpretation": "YBR_PARTIAL_420", "FrameTime": "40"} | header))
    made.PixelData = encapsulate([video.read_bytes()], fragments_per_frame=pieces, has_bot=False)
    made["PixelData"].VR = "OB"
    made["PixelData"].is_undefined_length = True
    video.unlink()
    return save(path, made, syntax)
