"""The local library: what was said about the studies, on disk the moment it was said."""

from wce_desktop.library.errors import (
    DamagedLibraryError,
    LibraryInUseError,
    LostDatabaseError,
    NewerLibraryError,
    ReadOnlyLibraryError,
)
from wce_desktop.library.library import Library
from wce_desktop.library.registry import Model

__all__ = [
    "DamagedLibraryError",
    "Library",
    "LibraryInUseError",
    "LostDatabaseError",
    "Model",
    "NewerLibraryError",
    "ReadOnlyLibraryError",
]
