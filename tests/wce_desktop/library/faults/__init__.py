"""Faults of the disk at every step of every operation on a library: `python -m tests.wce_desktop.library.faults`."""
