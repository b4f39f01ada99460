"""A library's backups, as the window and the shell list them."""

from dataclasses import dataclass
from pathlib import Path

from wce_desktop.library.backup.backup_file import Backup, Contents, contents_of
from wce_desktop.library.backup.backups import find_backups


@dataclass(frozen=True, slots=True)
class ListedBackup:
    """A backup that can be read, and what it holds; `note` is empty, "newest", "most labels", or both."""

    backup: Backup
    contents: Contents
    note: str

    @property
    def line(self) -> str:
        """One line of the list."""
        note = f"  ({self.note})" if self.note else ""
        return f"{self.backup.path.name}  {self.backup.local_time}  {self.contents.in_words}{note}"


def listed_backups(folder: Path) -> list[ListedBackup]:
    """The backups that can be read, newest first."""
    found = [(one, held) for one in reversed(find_backups(folder)) if (held := contents_of(one.path))]
    if not found:
        return []
    most_complete = max(found, key=lambda pair: pair[1].labels)[0]
    notes: dict[Backup, list[str]] = {one: [] for one, _ in found}
    notes[found[0][0]].append("newest")
    notes[most_complete].append("most labels")
    return [ListedBackup(one, held, ", ".join(notes[one])) for one, held in found]
