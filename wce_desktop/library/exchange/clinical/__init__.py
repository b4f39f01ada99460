"""What is exported for hospital systems: key frames and a structured report as DICOM, a report as FHIR; de-identified.

pydicom and highdicom take seconds to import, so they are imported when something is written, and for the window in a
child process (`child`).
"""
