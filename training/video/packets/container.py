"""Opening a video file, and saying in a sentence why it cannot be opened.

The first frame of a video that decodes.
"""

import stat
from collections import Counter
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from training.errors import UserError
from training.files.inputs import regular_file, unreadable
from training.video.dicom import elements, fragments
from training.video.packets.scan import packets_of

if TYPE_CHECKING:
    from av.container import InputContainer
    from av.video.frame import VideoFrame
    from av.video.stream import VideoStream


def first_frame(
    container: "InputContainer", stream: "VideoStream", most_packets: int | None = None
) -> "VideoFrame | None":
    """Decode from where the file stands; None where nothing decodes, or nothing of the first `most_packets`."""
    import av

    packets = (packet for packet, _ in packets_of(container, stream))
    for packet in chain(islice(packets, most_packets), [None]):
        try:
            frames = stream.codec_context.decode(packet)
        except av.error.FFmpegError:
            continue
        for frame in frames:
            if not frame.is_corrupt:
                return frame
    return None


_HEAD_BYTES = 4096
_MP4_BOXES = (b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip", b"pnot")
_ZEROS_KEPT_BYTES = 4 << 20
"""After the last byte that is not zero: more than one frame of a recording takes."""
_PACKETS_TO_SECOND_PICTURE = 2000
_IN_DICOM = "mov,mp4,m4a,3gp,3g2,mj2,mpegts,mpeg,mpegvideo,h264,hevc"
"""ffmpeg's names of what DICOM allows for a video (PS3.5, 8.2): a container, or the bare stream."""
_ZEROS = bytes(1 << 20)


def open_container(
    path: Path, stream: int | None = None, *, takes_first: bool = False
) -> "tuple[InputContainer, VideoStream]":
    """Open the file and choose its recording: the default video stream, of several the one with the largest pictures.

    The caller closes the container.

    Args:
        stream: the number of the stream that was chosen before.
        takes_first: choose the first stream instead that is not a cover picture.

    Raises:
        UserError: no such file, empty, not a video, cut short, no video stream, unknown codec.
    """
    check_readable(path)
    container = _opened(path)
    try:
        return container, _video_stream(path, container, stream, takes_first=takes_first)
    except BaseException:
        container.close()
        raise


def _opened(path: Path) -> "InputContainer":
    import av

    try:
        inner = fragments.video_stream(path) if elements.is_dicom(path) else None
        # "file:" keeps names with colons from being taken for protocols; a playlist must not reach out to the network.
        options = {"protocol_whitelist": "file,subfile"} if inner is None else {"format_whitelist": _IN_DICOM}
        return av.open(_url(path) if inner is None else inner, "r", options=options)
    except (av.error.FFmpegError, OSError, ValueError) as error:
        raise _why_not(path, error) from error


def _url(path: Path) -> str:
    """What ffmpeg shall open: the file, without the zeros at its end.

    A recorder that reserves room in advance and loses its power leaves a file that ends in gigabytes of them. ffmpeg
    searches them for packets, for minutes, each time. The frames of mp4 and mov have no headers of their own and may
    be zeros; there nothing is searched either.
    """
    facts = path.stat()
    end = min(facts.st_size, _last_content_of(path, facts.st_size, facts.st_mtime_ns) + _ZEROS_KEPT_BYTES)
    return f"file:{path}" if end == facts.st_size else f"subfile,,start,0,end,{end},,:file:{path}"


@lru_cache(maxsize=64)
def _last_content_of(path: Path, size: int, _changed_ns: int) -> int:
    """The place after the last byte that is not zero; 0 where all are."""
    with path.open("rb") as file:
        if file.read(8)[4:] in _MP4_BOXES:
            return size
        stop = size
        while stop:
            start = max(0, stop - (len(_ZEROS) if stop < size else _HEAD_BYTES))
            file.seek(start)
            content = file.read(stop - start)
            if not _ZEROS.startswith(content):
                return start + len(content.rstrip(b"\0"))
            stop = start
    return 0


def check_readable(path: Path) -> None:
    """Raise a `UserError` unless `path` is a file with content that may be read."""
    try:
        if not stat.S_ISDIR(path.stat().st_mode):
            regular_file(path, "video")
        with path.open("rb") as file:
            head = file.read(1)
    except IsADirectoryError:
        raise UserError(
            "{name} is a folder, not a video.", "Choose a video file or a folder of images.", path.name
        ) from None
    except OSError as error:
        raise unreadable(path, error) from error
    if not head:
        raise UserError("{name} is empty (0 bytes).", "Copy or export it again.", path.name)


def recordings(container: "InputContainer") -> "list[VideoStream]":
    """The video streams that are no cover pictures."""
    import av

    dispositions = av.stream.Disposition
    still = dispositions.attached_pic | dispositions.timed_thumbnails | dispositions.still_image
    return [stream for stream in container.streams.video if not stream.disposition & still]


def _preference(stream: "VideoStream", moving: set[int]) -> tuple[bool, bool, bool, int, int]:
    import av

    context = getattr(stream, "codec_context", None)
    pixels = 0 if context is None else context.width * context.height
    is_default = bool(stream.disposition & av.stream.Disposition.default)
    return context is not None, stream.index in moving, is_default, pixels, stream.frames


def _moving(path: Path) -> set[int]:
    """The streams of which more than one picture comes soon: Matroska may hold a cover as a video of one."""
    import av

    packets: Counter[int] = Counter()
    with _opened(path) as container:
        try:
            for packet in islice(container.demux(), _PACKETS_TO_SECOND_PICTURE):
                packets[packet.stream_index] += packet.size > 0
        except (av.error.FFmpegError, IndexError):  # damage, or a stream that begins later
            pass
    return {index for index, count in packets.items() if count > 1}


def _video_stream(path: Path, container: "InputContainer", number: int | None, *, takes_first: bool) -> "VideoStream":
    streams = recordings(container)
    if number is not None:
        streams = [stream for stream in container.streams.video if stream.index == number]
    if not streams:
        raise UserError(
            "{name} holds no video stream.", "It may be a sound file; choose the video of the study.", path.name
        )
    if takes_first or len(streams) == 1:
        stream = min(streams, key=lambda stream: stream.index)
    else:
        moving = _moving(path)
        stream = max(streams, key=lambda stream: _preference(stream, moving))
    if getattr(stream, "codec_context", None) is None:
        raise UserError("{name} uses an unsupported video codec.", "Convert it to H.264 in an mp4 file.", path.name)
    return stream


def _why_not(path: Path, error: Exception) -> UserError:
    with fragments.video_stream(path) if elements.is_dicom(path) else path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
    if not any((byte < 32 and byte not in b"\t\n\r\f") or byte == 127 for byte in head):
        return UserError(
            "{name} is a text file, not a video.", "Its name ends like that of a video. Choose another file.", path.name
        )
    if head[4:8] in _MP4_BOXES:
        return UserError(
            "{name} is cut short: the table of its frames (moov) is missing.",
            "The recording or copy is incomplete. Copy or export it again.",
            path.name,
        )
    return UserError("{name} is not a video that can be read.", "ffmpeg reports: {error}.", path.name, error)
