"""The sizes of the pictures of a video: more than one where recordings of several sizes were joined."""

from contextlib import closing
from itertools import islice
from pathlib import Path

from training.video.frame_decoder import FrameDecoder
from training.video.packets.table import PacketTable

_FRAMES_TRIED = 16


def size_notes(path: Path, table: PacketTable, rows: list[int]) -> tuple[str, ...]:
    """A sentence where pictures at these packets, whose headers differ, are of several sizes; decodes one of each."""
    if len(rows) < 2:
        return ()
    sizes = set()
    with closing(FrameDecoder(path, table)) as decoder:
        for row in rows:
            frames = (frame for _, frame in islice(decoder.frames_from(row), _FRAMES_TRIED))
            sizes |= {(frame.width, frame.height) for frame in islice((f for f in frames if f is not None), 1)}
    return (sizes_note(sizes),) if len(sizes) > 1 else ()


def sizes_note(sizes: set[tuple[int, int]]) -> str:
    """What is said of pictures of these (width, height)."""
    named = ", ".join(f"{width} x {height}" for width, height in sorted(sizes))
    return (
        f"The size of the picture changes within the video ({named}). All frames are scaled to the size that the file "
        "announces, with black borders where the shape differs."
    )


def is_sizes_note(note: str) -> bool:
    """Whether a note is one of `sizes_note`, of whatever sizes."""
    return note.startswith(sizes_note(set()).split("(")[0])
