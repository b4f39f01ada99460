"""DICOM files as studies: videos inside of them, and multi-frame images.

Light: no torch and no pydicom, whose tables take a second to import.
"""
