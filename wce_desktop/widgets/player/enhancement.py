"""Views of a frame that make vessels, blood or edges easier to see; for the screen only, the frame itself stays raw."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from wce_desktop.core.language import to_translate

Pixels = NDArray[np.uint8]
KEPT = 8
MOST_GAIN = 3.0
CLIP_LIMIT, TILES = 2.0, 8
SHARP_SIGMA_PX, SHARP_AMOUNT = 1.6, 1.0
SPECTRAL = ((0.55, 0.45, 0.0), (0.0, 0.95, 0.05), (0.0, 0.8, 0.2))
"""Of the spectral view (ours): new red, green and blue as shares of the recorded red, green and blue."""
STRETCH = 1.25
"""By which the spectral view spreads values around their mean (ours)."""


@dataclass(frozen=True)
class Enhancement:
    """One view.

    Attributes:
        name: in stored settings.
        title: in the menu and on the frame.
        tip: what it is good for.
        apply: (H, W, 3) uint8 BGR to (H, W, 3) BGR or (H, W) grey; None: as recorded.
    """

    name: str
    title: str
    tip: str
    apply: Callable[[Pixels], Pixels] | None = None


def contrast(frame: Pixels) -> Pixels:
    """Contrast-limited adaptive histogram equalisation (Zuiderveld 1994) of the luma; hue stays.

    8 x 8 tiles and a clip limit of 2 (ours).
    """
    import cv2

    split = cv2.cvtColor(frame, cv2.COLOR_BGR2YCrCb)
    equal = cv2.createCLAHE(CLIP_LIMIT, (TILES, TILES)).apply(split[..., 0])
    split[..., 0] = equal
    return np.asarray(cv2.cvtColor(split, cv2.COLOR_YCrCb2BGR), np.uint8)


def blue_channel(frame: Pixels) -> Pixels:
    """The blue channel as grey: haemoglobin absorbs blue light, so blood and vessels are dark."""
    import cv2

    return _as_bright_as(frame, cv2.extractChannel(frame, 0))


def red_channel(frame: Pixels) -> Pixels:
    """The red channel as grey: blood is nearly as light as tissue, so folds and depth show through a film of it."""
    import cv2

    return _as_bright_as(frame, cv2.extractChannel(frame, 2))


def _as_bright_as(frame: Pixels, channel: NDArray[Any]) -> Pixels:
    """A channel (H, W) times the gain, 1 to `MOST_GAIN` (ours), that makes it as bright as the frame's mean.

    Blue is the darkest channel of tissue by far.
    """
    import cv2

    gain = float(np.mean(cv2.mean(frame)[:3])) / max(cv2.mean(channel)[0], 1.0)
    return np.asarray(cv2.convertScaleAbs(channel, alpha=min(max(gain, 1.0), MOST_GAIN)), np.uint8)


def spectral(frame: Pixels) -> Pixels:
    """A recombination of the channels in the manner of FICE, not FICE itself.

    FICE (Fujifilm) estimates the light at three wavelengths from the colours and shows them as red, green and blue; in
    readers of capsule studies setting 1 is reported as 595, 540 and 535 nm (Imagawa et al. 2011, Gastrointest. Endosc.
    73:299). How it estimates them is not published. Ours takes `SPECTRAL`: a red between red and green, and a green and
    a blue that are mostly green, where haemoglobin absorbs; then it spreads values around their mean by `STRETCH`.
    """
    import cv2

    weights = np.array(SPECTRAL, np.float32)[::-1, ::-1]  # of and for blue, green, red
    mean = np.array(cv2.mean(frame)[:3], np.float32) @ weights.T
    spread = np.column_stack([weights * STRETCH, (1 - STRETCH) * mean])
    return np.asarray(cv2.transform(frame, spread), np.uint8)


def sharp(frame: Pixels) -> Pixels:
    """Unsharp masking: what a Gaussian of 1.6 px takes away is added once more (ours)."""
    import cv2

    soft = cv2.GaussianBlur(frame, (0, 0), SHARP_SIGMA_PX)
    return np.asarray(cv2.addWeighted(frame, 1 + SHARP_AMOUNT, soft, -SHARP_AMOUNT, 0), np.uint8)


RAW = "raw"
ENHANCEMENTS: tuple[Enhancement, ...] = (
    Enhancement(RAW, to_translate("As recorded"), to_translate("The frame as it was recorded")),
    Enhancement(
        "contrast", to_translate("More contrast"), to_translate("Dark and bright parts of the frame at once"), contrast
    ),
    Enhancement("blue", to_translate("Blue channel"), to_translate("Blood and vessels are dark"), blue_channel),
    Enhancement("red", to_translate("Red channel"), to_translate("Folds under a film of blood"), red_channel),
    Enhancement(
        "spectral",
        to_translate("Spectral colours"),
        to_translate("Vessels stand out from the mucosa (similar to FICE)"),
        spectral,
    ),
    Enhancement("sharp", to_translate("Sharper"), to_translate("Edges and villi"), sharp),
)
NAMES = tuple(view.name for view in ENHANCEMENTS)


def enhancement(name: str) -> Enhancement:
    """The view of this name; as recorded for an unknown one."""
    return next((view for view in ENHANCEMENTS if view.name == name), ENHANCEMENTS[0])


def enhanced(picture: QImage, chosen: Enhancement) -> QImage:
    """A frame in a view, as a picture of its own; `picture` (RGB32, see `frame_picture`) stays as it is."""
    if chosen.apply is None:
        return picture
    import cv2

    width, height = picture.width(), picture.height()
    rows = np.frombuffer(picture.constBits(), np.uint8).reshape(height, picture.bytesPerLine())
    frame = cv2.cvtColor(rows[:, : 4 * width].reshape(height, width, 4), cv2.COLOR_BGRA2BGR)
    result = np.ascontiguousarray(chosen.apply(np.asarray(frame, np.uint8)))
    is_grey = result.ndim == 2
    kind = QImage.Format.Format_Grayscale8 if is_grey else QImage.Format.Format_BGR888
    borrowed = QImage(result.data, width, height, width * (1 if is_grey else 3), kind)
    return borrowed.convertToFormat(QImage.Format.Format_RGB32)


class Enhancer:
    """The view that was chosen, and the last pictures made in it, so that painting again costs nothing."""

    def __init__(self) -> None:
        self.chosen = ENHANCEMENTS[0]
        self._made: OrderedDict[int, QImage] = OrderedDict()

    def choose(self, name: str) -> None:
        """Show frames in another view."""
        self.chosen = enhancement(name)
        self._made.clear()

    def picture(self, picture: QImage) -> QImage:
        """A frame in the view that was chosen."""
        if self.chosen.apply is None:
            return picture
        key = picture.cacheKey()
        if key not in self._made:
            self._made[key] = enhanced(picture, self.chosen)
            if len(self._made) > KEPT:
                self._made.popitem(last=False)
        return self._made[key]
