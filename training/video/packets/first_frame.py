"""The first frame of a video that decodes."""

from itertools import chain, islice
from typing import TYPE_CHECKING

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
