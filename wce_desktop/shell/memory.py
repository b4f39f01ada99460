"""Keeps the memory of the window's process small."""

import ctypes
import sys

TRIMMED_AFTER_MILLISECONDS = 3000
"""After a study was opened: its first events are grouped by then."""


def leave_sources_unread() -> None:
    """Keep PySide from reading the source of each module that is imported, to see whether it uses PySide.

    Call it before further imports: the sources would stay in memory, 30 MB of them, and take a tenth of the start.
    PySide asks for the sake of its `__feature__` switches, which nothing here uses; in a frozen build it finds none.
    """
    import PySide6.QtCore  # noqa: F401 - it brings the module below

    feature = sys.modules.get("shibokensupport.feature")
    if hasattr(feature, "_mod_uses_pyside"):
        feature._mod_uses_pyside = lambda _: False  # type: ignore[union-attr]


def give_memory_back() -> None:
    """Give the system what reading a long study took and freed; glibc keeps it. Takes some 10 ms; elsewhere nothing."""
    if sys.platform.startswith("linux") and hasattr(library := ctypes.CDLL(None), "malloc_trim"):
        library.malloc_trim(0)
