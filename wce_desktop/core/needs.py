"""What a job takes, in words: duration, memory and room on the disk."""

import math
import shutil
from pathlib import Path

from training.planning.speed_book import MEASURED
from wce_desktop.core.language import number_text, tr

MEBIBYTE = 2**20


def free_bytes(place: Path) -> int:
    """Free bytes on the disk of `place`, which need not exist."""
    there = next(folder for folder in (place, *place.parents) if folder.exists())
    return shutil.disk_usage(there).free


def size_text(count: float) -> str:
    if count >= 2**30:
        return f"{number_text(count / 2**30, ',.1f')} GiB"
    return f"{number_text(max(count / MEBIBYTE, 1), ',.0f')} MiB"


def duration_text(seconds: float) -> str:
    """A readable duration: "40 seconds", "1.5 minutes", "12 minutes", "3.5 hours", "2 days"."""
    if seconds < 55:
        return tr("{number} seconds", number=max(5, round(seconds / 5) * 5))
    if seconds < 285:
        halves = round(seconds / 30)
        return tr("1 minute") if halves == 2 else tr("{number} minutes", number=number_text(halves / 2, "g"))
    if seconds < 5400:
        return tr("{number} minutes", number=round(seconds / 60))
    if seconds < 172_800:
        return tr("{number} hours", number=number_text(seconds / 3600, ".1f"))
    return tr("{number} days", number=number_text(seconds / 86_400, ".1f"))


def time_sentence(seconds: float, doubt: float) -> str:
    """ "About 2 minutes, as measured on this computer."; a wide range before anything was measured."""
    if doubt <= MEASURED:
        duration = duration_text(seconds)
        return tr("About {duration}, by the speed of earlier runs on this computer.", duration=duration)
    low, high = duration_text(seconds / math.sqrt(doubt)), duration_text(seconds * doubt)
    if low.split()[1:] == high.split()[1:]:
        low = low.split()[0]
    return tr("{low} to {high}; more exact after the first such run on this computer.", low=low, high=high)


def room_sentence(disk_bytes: int, free: int, memory_bytes: int = 0) -> str:
    """What a job writes and what is free; its memory, where that is known (not 0)."""
    room = {"size": size_text(disk_bytes), "free": size_text(free)}
    disk = tr("Up to {size} on disk; {free} are free.", **room)
    if disk_bytes > free:
        disk = tr("Not enough disk space: {size} on disk; {free} are free.", **room)
    if not memory_bytes:
        return disk
    return f"{disk} {tr('Memory: {size}, as in the last such run.', size=size_text(memory_bytes))}"
