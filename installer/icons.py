"""The icon in every size, drawn from the one SVG: `python -m installer.icons FOLDER`, where PySide6 and Pillow are."""

import sys
from pathlib import Path

from installer.version import ROOT

SVG = ROOT / "resources" / "icons" / "wce-desktop.svg"
SIZES_PX = (16, 22, 24, 32, 48, 64, 128, 256, 512)
LARGEST_ICO_PX = 256


def draw(svg: Path, side_px: int, target: Path) -> None:
    """Draw an SVG as a square PNG with a transparent background."""
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    image = QImage(side_px, side_px, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(str(svg)).render(painter)
    painter.end()
    if not image.save(str(target)):
        raise OSError(f"{target} cannot be written")


def write_icons(folder: Path) -> None:
    """Write `NxN.png` in every size, `wce-desktop.ico` for Windows and `wce-desktop.icns` for macOS."""
    from PIL import Image

    folder.mkdir(parents=True, exist_ok=True)
    for side_px in SIZES_PX:
        draw(SVG, side_px, folder / f"{side_px}x{side_px}.png")
    with Image.open(folder / f"{SIZES_PX[-1]}x{SIZES_PX[-1]}.png") as largest:
        sizes = [(side, side) for side in SIZES_PX if side <= LARGEST_ICO_PX]
        largest.save(folder / "wce-desktop.ico", sizes=sizes)
        largest.save(folder / "wce-desktop.icns")


if __name__ == "__main__":
    write_icons(Path(sys.argv[1]))
