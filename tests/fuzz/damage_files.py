"""Ways to damage any file: what stands in its place, and what happens to its bytes."""

import os
import random
import shutil
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

Way = Callable[[Path, random.Random], None]
"""Changes the file (a copy) in place."""


def truncate(path: Path, rng: random.Random) -> None:
    """Keep the first part."""
    size = path.stat().st_size
    os.truncate(path, rng.choice((1, size - 1, size // 2, rng.randrange(size + 1), min(size, rng.randrange(1, 100)))))


def flip_bits(path: Path, rng: random.Random) -> None:
    """Flip some bits anywhere, or in the first two kilobytes, where headers are."""
    content = bytearray(path.read_bytes())
    reach = rng.choice((len(content), min(len(content), 2048), min(len(content), 128)))
    for _ in range(rng.choice((1, 3, 30))):
        content[rng.randrange(reach)] ^= 1 << rng.randrange(8)
    path.write_bytes(content)


def overwrite(path: Path, rng: random.Random) -> None:
    """Put zeros, ones or noise over a stretch."""
    content = bytearray(path.read_bytes())
    start = rng.randrange(len(content))
    stop = min(len(content), start + rng.choice((4, 16, 512, 20_000)))
    fill = rng.choice((b"\0" * (stop - start), b"\xff" * (stop - start), rng.randbytes(stop - start)))
    content[start:stop] = fill
    path.write_bytes(content)


def drop_stretch(path: Path, rng: random.Random) -> None:
    """Leave out a stretch in the middle."""
    content = path.read_bytes()
    start = rng.randrange(len(content))
    path.write_bytes(content[:start] + content[start + rng.choice((1, 7, 512, 4096)) :])


def repeat_stretch(path: Path, rng: random.Random) -> None:
    """Bring a stretch twice."""
    content = path.read_bytes()
    start = rng.randrange(len(content))
    stop = start + rng.choice((1, 16, 4096))
    path.write_bytes(content[:stop] + content[start:])


def append(path: Path, rng: random.Random) -> None:
    """Add zeros, noise, or the file itself once more."""
    content = path.read_bytes()
    with path.open("ab") as file:
        file.write(rng.choice((b"\0" * 5000, rng.randbytes(5000), content, b"\n\n", b"PK\x03\x04")))


def noise(path: Path, rng: random.Random) -> None:
    """Nothing but noise, or noise after the first bytes."""
    head = path.read_bytes()[: rng.choice((0, 4, 8, 64))]
    path.write_bytes(head + rng.randbytes(4000))


def grow(path: Path, rng: random.Random) -> None:
    """A file that claims to be large: holes of zeros after its content."""
    os.truncate(path, path.stat().st_size + rng.choice((70 << 20, 1100 << 20)))


def empty(path: Path, rng: random.Random) -> None:
    """No bytes."""
    path.write_bytes(b"")


def missing(path: Path, rng: random.Random) -> None:
    """No file."""
    path.unlink()


def folder(path: Path, rng: random.Random) -> None:
    """A folder in its place."""
    path.unlink()
    path.mkdir()


def pipe(path: Path, rng: random.Random) -> None:
    """A pipe in its place, into which nobody writes."""
    path.unlink()
    os.mkfifo(path)


def device(path: Path, rng: random.Random) -> None:
    """A device in its place that has no end; a link to one where nodes cannot be made."""
    path.unlink()
    try:
        os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, 5))
    except OSError:
        path.symlink_to("/dev/zero")


def loop(path: Path, rng: random.Random) -> None:
    """A link to itself."""
    path.unlink()
    path.symlink_to(path.name)


def link(path: Path, rng: random.Random) -> None:
    """A link to the file, which is as it was: that may be opened."""
    beside = path.with_name(f"real-{path.name}")
    path.rename(beside)
    path.symlink_to(beside.name)


def closed(path: Path, rng: random.Random) -> None:
    """A file that may not be read (by anybody but root)."""
    path.chmod(0)


def other_file(path: Path, rng: random.Random) -> None:
    """A sound file of another kind, from beside it or from the material."""
    inputs = next(parent for parent in path.parents if parent.name == "case").with_name("inputs")
    others = [one for one in sorted(inputs.rglob("*")) if one.is_file() and one.suffix != path.suffix]
    shutil.copyfile(rng.choice([one for one in others if one.stat().st_size < 2**20]), path)


CONTENT_WAYS: tuple[Way, ...] = (
    truncate,
    flip_bits,
    overwrite,
    drop_stretch,
    repeat_stretch,
    append,
    noise,
    empty,
    other_file,
)
PLACE_WAYS: tuple[Way, ...] = (missing, folder, pipe, device, loop, link, closed, grow)
NO_FILE = frozenset({"missing", "folder", "pipe", "device", "loop"})
"""Ways after which there is no file that could be read."""


def make_readable(path: Path) -> None:
    """Undo `closed`, so that the harness can read what the program could not."""
    with suppress(OSError):
        path.chmod(0o600)
