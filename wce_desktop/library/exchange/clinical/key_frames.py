"""The key frames of findings as one Multi-frame True Color Secondary Capture image (PS3.3, A.8.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wce_desktop.library.exchange.clinical.content import ExportedStudy, Pictures
from wce_desktop.library.exchange.clinical.deidentified import (
    BASIC,
    CLEAN_PIXELS,
    Uids,
    add_method,
    add_patient_and_study,
)

if TYPE_CHECKING:
    from pydicom import Dataset


def key_frames_image(study: ExportedStudy, pictures: Pictures, uids: Uids) -> Dataset:
    """The image; its page numbers are the frame numbers of the study, counted from 1.

    Args:
        pictures: (K, H, W, 3) uint8 RGB, masked outside of the field of view; K is at least 1.
        uids: of this export.

    Raises:
        ValueError: there are no pictures, or not one for each of `study.picture_frames`.
    """
    from pydicom import Dataset
    from pydicom.dataset import FileMetaDataset
    from pydicom.uid import UID, ExplicitVRLittleEndian, MultiFrameTrueColorSecondaryCaptureImageStorage

    if not len(pictures) or len(pictures) != len(study.picture_frames):
        raise ValueError(f"{len(pictures)} pictures of {len(study.picture_frames)} frames")
    made = Dataset()
    add_patient_and_study(made, study, uids)
    add_method(made, study, BASIC, *([CLEAN_PIXELS] if study.is_masked else []))
    made.SOPClassUID, made.SOPInstanceUID = MultiFrameTrueColorSecondaryCaptureImageStorage, UID(uids.pictures)
    made.Modality, made.ConversionType = "ES", "WSD"
    made.SeriesInstanceUID, made.SeriesNumber, made.InstanceNumber = uids.pictures_series, 1, 1
    made.PatientOrientation = ""
    made.ImageType = ["DERIVED", "SECONDARY"]
    made.BurnedInAnnotation = "NO" if study.is_masked else "YES"  # it may be there; the attribute must say something
    if study.is_lossy:
        made.LossyImageCompression = "01"
    _add_frames(made, study, pictures)
    made.file_meta = FileMetaDataset()
    made.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
    made.file_meta.MediaStorageSOPClassUID = made.SOPClassUID
    made.file_meta.MediaStorageSOPInstanceUID = made.SOPInstanceUID
    return made


def _add_frames(made: Dataset, study: ExportedStudy, pictures: Pictures) -> None:
    count, made.Rows, made.Columns, made.SamplesPerPixel = pictures.shape
    made.NumberOfFrames = count
    made.PhotometricInterpretation, made.PlanarConfiguration = "RGB", 0
    made.BitsAllocated, made.BitsStored, made.HighBit, made.PixelRepresentation = 8, 8, 7, 0
    made.FrameIncrementPointer = 0x00182001
    made.PageNumberVector = [frame + 1 for frame in study.picture_frames]
    data = pictures.tobytes()
    made.PixelData = data + b"\0" * (len(data) % 2)
    made["PixelData"].VR = "OB"
