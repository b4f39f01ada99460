"""Frame-exact reading of video files and folders of images; field of view.

Light: no torch; av and cv2 are imported when they are first needed.
"""

from training.version import FIRST_NUMBERING, NUMBERING
from training.video.field_of_view import FieldOfView, find_field_of_view, paste_map, prepare_frame, study_field_of_view
from training.video.formats import fingerprint, fingerprints_of, has_fingerprint, is_study
from training.video.frame_index import FrameIndex
from training.video.indexing import build_index
from training.video.opening import first_picture, open_source, saved_or_new_index, verify_index
from training.video.source import FrameMissing, FrameSource

__all__ = [
    "FIRST_NUMBERING",
    "NUMBERING",
    "FieldOfView",
    "FrameIndex",
    "FrameMissing",
    "FrameSource",
    "build_index",
    "find_field_of_view",
    "fingerprint",
    "fingerprints_of",
    "first_picture",
    "has_fingerprint",
    "is_study",
    "open_source",
    "paste_map",
    "prepare_frame",
    "saved_or_new_index",
    "study_field_of_view",
    "verify_index",
]
