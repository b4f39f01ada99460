"""The newest picture of masked and reconstructed clips, beside the curves of their training."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QVBoxLayout, QWidget

from wce_desktop.core.language import tr
from wce_desktop.library.run_files import newest_reconstruction
from wce_desktop.widgets.basic import make_text
from wce_desktop.widgets.plain_text import PlainLabel
from wce_desktop.widgets.theme import COLORS

WIDTH_PX, HEIGHT_PX = 300, 440
WORDS = (
    "For each clip: frames, what the network sees, its reconstruction. Brightness and contrast of the masked parts are "
    "those of the frames. Step {step}."
)


class ReconstructionBox(QWidget):
    """Hidden until there is a picture."""

    def __init__(self, folder: Path, parent: QWidget | None = None) -> None:
        """`folder`: of the run."""
        super().__init__(parent)
        self._folder = folder
        self.picture = PlainLabel()
        self.picture.setAccessibleName(tr("Reconstructed clips"))
        self.words = make_text(COLORS.muted)
        self.setFixedWidth(WIDTH_PX)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.picture)
        column.addWidget(self.words)
        column.addStretch(1)
        self.hide()

    def show_newest(self) -> None:
        """Show the last picture of the run folder; one that cannot be read is left out."""
        path = newest_reconstruction(self._folder)
        image = QImage(str(path)) if path is not None else QImage()
        if path is None or image.isNull():
            return
        keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        self.picture.setPixmap(QPixmap.fromImage(image).scaled(WIDTH_PX, HEIGHT_PX, keep, smooth))
        step = int(path.stem.removeprefix("step-"))
        self.words.setText(tr(WORDS, step=step))
        self.show()
