"""The list of all sources of the corpus: codecs x containers x GOP x B-frames x rates x damage."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tests.corpus.codecs import CODECS

FRAMES = 48
GOPS = (1, 12, 250)
RATES = ("2", "5", "29.97", "variable", "late start", "edit list")
DAMAGES = ("noise", "bits", "cut", "zeros", "lost", "noise at two places")

OF_CODEC: dict[str, tuple[str, ...]] = {
    "h264": ("mp4", "mov", "mkv", "avi", "ts", "m2ts"),
    "h264 open GOP": ("mp4", "mkv", "avi", "ts"),
    "hevc": ("mp4", "mov", "mkv", "ts"),
    "mpeg4": ("avi", "mp4", "mkv", "ts"),
    "mpeg4 packed": ("avi", "mkv"),
    "mpeg1video": ("mpg", "vob", "ts", "mkv", "avi"),
    "mpeg2video": ("mpg", "vob", "ts", "m2ts", "mkv", "avi"),
    "vp8": ("webm", "mkv"),
    "vp9": ("webm", "mkv", "mp4"),
    "av1": ("webm", "mp4"),
    "wmv2": ("avi", "wmv"),
    "msmpeg4": ("avi", "wmv"),
    "wmv1": ("avi",),
    "flv1": ("avi",),
    "h263": ("avi", "mov"),
    "h263+": ("avi",),
    "h261": ("avi",),
    "mjpeg": ("avi", "mov", "mkv", "mp4"),
    "ffv1": ("mkv", "avi"),
    "prores": ("mov", "mkv"),
    "dnxhd": ("mov",),
    "rawvideo": ("avi", "mkv"),
    "huffyuv": ("avi",),
    "utvideo": ("avi",),
    "qtrle": ("mov",),
    "png": ("mov", "avi"),
    "jpg": ("folder",),
    "bmp": ("folder",),
    "tif": ("folder",),
}
"""The containers of each codec; images of a folder take the place of both."""

_AT_OTHER_RATES = (
    ("h264", ("mp4", "mov", "mkv", "avi", "ts")),
    ("hevc", ("mp4", "mkv")),
    ("mpeg4", ("avi", "mkv")),
    ("mpeg2video", ("mpg", "ts")),
    ("vp9", ("webm",)),
    ("mjpeg", ("avi", "mov")),
)

_DAMAGED_TWICE = ("h264", "mpeg4", "mpeg4 packed", "mpeg2video", "mjpeg")


@dataclass(frozen=True)
class Source:
    """What one source of the corpus is made of."""

    codec: str
    container: str
    gop: int = 12
    b_frames: int = 0
    rate: str = "25"
    damage: str = "none"
    seed: int = 0
    kind: str = "plain"
    """One of `tests.corpus.kinds.KINDS` or `tests.corpus.dicom_kinds.DICOM_KINDS`."""

    @property
    def name(self) -> str:
        """A name that no other source has, and that a file may carry."""
        parts = [self.codec, f"gop {self.gop}", f"b {self.b_frames}", self.rate, self.damage, str(self.seed)]
        parts += [] if self.kind == "plain" else [self.kind]
        return f"{', '.join(parts)}.{SUFFIX.get(self.container, self.container)}"

    @property
    def group(self) -> str:
        """The line of the table that it is counted in."""
        return f"{self.codec} {self.container}"


SUFFIX = {"vob": "mpg", "folder": "images"}


def all_sources() -> list[Source]:
    """Every source, whole ones first; always the same ones in the same order."""
    return [*whole_sources(), *_other_rates(), *_damaged()]


def some_sources(count: int, seed: int) -> list[Source]:
    """A seeded sample, without the encoders that take long to start."""
    quick = [source for source in all_sources() if source.codec not in ("hevc", "av1", "prores", "dnxhd")]
    return random.Random(seed).sample(quick, count)


def whole_sources() -> Iterator[Source]:
    """Undamaged sources at 25 frames per second."""
    for codec, containers in OF_CODEC.items():
        kind = CODECS[codec]
        for container in containers:
            for gop in _groups_of(codec):
                for b_frames in kind.b_frames if gop > 1 else (0,):
                    yield Source(codec, container, gop, b_frames)


def _groups_of(codec: str) -> tuple[int, ...]:
    if not CODECS[codec].groups:
        return (1,)
    return GOPS if codec in ("h264", "mpeg4", "mpeg2video") else GOPS[1:]


def _other_rates() -> Iterator[Source]:
    for codec, containers in _AT_OTHER_RATES:
        for container in containers:
            for rate in RATES:
                for b_frames in CODECS[codec].b_frames[:2]:
                    source = Source(codec, container, 12 if CODECS[codec].groups else 1, b_frames, rate)
                    if _is_possible(source):
                        yield source


def _is_possible(source: Source) -> bool:
    if source.rate == "edit list":
        return source.container in ("mp4", "mov")
    if source.rate in ("2", "5", "variable"):
        return not (source.container == "avi" and source.rate == "variable") and not source.codec.startswith(
            ("mpeg1", "mpeg2")
        )  # their headers know no such rates
    if source.rate == "late start":
        return source.container != "avi"  # it has no time stamps
    return True


def _damaged() -> Iterator[Source]:
    for whole in whole_sources():
        kind = CODECS[whole.codec]
        if whole.gop != (12 if kind.groups else 1) or whole.b_frames not in (*kind.b_frames[:1], *kind.b_frames[-1:]):
            continue
        for damage in _damages_of(whole.container):
            if damage == DAMAGES[-1] and whole.codec not in _DAMAGED_TWICE:
                continue
            yield replace(whole, damage=damage, seed=len(damage))
    for container in ("mkv", "ts", "mp4"):
        for damage in _damages_of(container):
            yield Source("h264", container, 12, 2, "variable", damage)


def _damages_of(container: str) -> tuple[str, ...]:
    if container == "folder":
        return "noise", "cut", "lost"
    if container in ("mp4", "mov", "avi", "wmv"):  # bytes do not drop out of them: they are no streams
        return tuple(damage for damage in DAMAGES if damage != "lost")
    return DAMAGES
