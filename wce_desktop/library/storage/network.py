"""Whether a folder lies on a network share, where SQLite's log with shared memory (WAL) must not be used."""

from __future__ import annotations

import sys
from pathlib import Path

KINDS = (
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "smb2", "afpfs", "webdav", "davfs", "fuse.sshfs", "fuse.davfs2",
    "fuse.rclone", "9p", "afs", "ceph", "fuse.glusterfs", "lustre", "ncpfs", "coda", "gfs2", "ocfs2", "fuse.gvfsd-fuse",
)  # fmt: skip
"""File systems that other computers may write at the same time."""
_REMOTE = 4  # DRIVE_REMOTE of Windows


def network_kind(folder: Path) -> str:
    """The kind of the share on which a folder lies, such as "nfs4"; empty for a disk of this computer, or unknown."""
    try:
        return _on_windows(folder) if sys.platform == "win32" else _by_mounts(folder, _mounts())
    except (OSError, ValueError):
        return ""


def _mounts() -> str:
    """What is mounted where; macOS has no such file, and its shares are not recognised."""
    return Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace")


def _by_mounts(folder: Path, mounts: str) -> str:
    best, kind = -1, ""
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        place = Path(before.split()[4].replace("\\040", " "))
        if len(place.parts) >= best and (folder == place or place in folder.parents):
            best, kind = len(place.parts), after.split()[0]
    return kind if kind in KINDS else ""


def _on_windows(folder: Path) -> str:
    """Not run on Windows yet."""
    import ctypes

    drive = folder.absolute().drive
    if drive.startswith("\\\\"):
        return "smb"
    kind = ctypes.windll.kernel32.GetDriveTypeW(f"{drive}\\")  # type: ignore[attr-defined,unused-ignore]
    return "smb" if kind == _REMOTE else ""
