"""The hospital's logo at the head of a report: read once, made small, and written anew without what else it holds."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QSize, Qt
from PySide6.QtGui import QImageReader

from training.errors import UserError
from training.files.inputs import read_bytes
from wce_desktop.core.language import to_translate, tr
from wce_desktop.features.report.model.cleaning import picture_format

MAX_BYTES = 2 * 1024**2
MAX_SIDE_PX = 6000
"""Of the file; a small file may unpack to gigabytes."""
KEPT_PX = QSize(900, 300)
"""It is scaled down into this: 300 dpi for the size in which it is printed."""


@dataclass(frozen=True, slots=True)
class Logo:
    """A `data:` address, empty for none; and a sentence where the file cannot be used."""

    address: str = ""
    problem: str = ""


def read_logo(setting: str) -> Logo:
    """The logo that the settings name; a report is made without it where it cannot be used."""
    if not setting:
        return Logo()
    path = Path(setting).expanduser()
    try:
        changed = path.stat().st_mtime_ns
    except (OSError, ValueError):
        changed = 0
    return _read(path, changed)


@lru_cache(maxsize=2)
def _read(path: Path, changed: int) -> Logo:  # another time is another picture
    try:
        return Logo(_address(path))
    except UserError as error:
        return Logo(problem=tr("{problem} The report has no logo.", problem=tr(error.message)))


def _address(path: Path) -> str:
    content = read_bytes(path, to_translate("logo"), max_bytes=MAX_BYTES)
    buffer, kind = QBuffer(), picture_format(content)
    buffer.setData(content)
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, kind.lower().encode())  # Qt is not left to guess: SVG would load files
    size = reader.size()
    if not kind or not size.isValid():
        raise UserError("The logo {path} is no PNG or JPEG picture.", "Choose another file.", path)
    if max(size.width(), size.height()) > MAX_SIDE_PX:
        raise UserError(
            "The logo {path} is {width:,} × {height:,} pixels large; {most:,} a side are allowed.",
            "Choose a smaller picture.", path, size.width(), size.height(), MAX_SIDE_PX,
        )  # fmt: skip
    if size.width() > KEPT_PX.width() or size.height() > KEPT_PX.height():
        reader.setScaledSize(size.scaled(KEPT_PX, Qt.AspectRatioMode.KeepAspectRatio))
    image = reader.read()
    if image.isNull():
        raise UserError("The logo {path} cannot be decoded.", "Choose another file.", path)
    written = QBuffer()
    written.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(written, "PNG")  # type: ignore[call-overload]  # its stub knows no buffer
    return f"data:image/png;base64,{base64.b64encode(written.data().data()).decode()}"
