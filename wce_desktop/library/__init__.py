"""The local library: labels and findings of studies, saved on disk at once."""

from wce_desktop.library.errors import (
    DamagedLibraryError,
    LibraryInUseError,
    LostDatabaseError,
    NewerLibraryError,
    ReadOnlyLibraryError,
)
from wce_desktop.library.library import Library
from wce_desktop.library.models import Model

__all__ = [
    "DamagedLibraryError",
    "Library",
    "LibraryInUseError",
    "LostDatabaseError",
    "Model",
    "NewerLibraryError",
    "ReadOnlyLibraryError",
]
