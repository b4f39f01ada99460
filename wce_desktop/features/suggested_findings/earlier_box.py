"""A finding of an earlier study that looks like a suggested finding."""

from collections.abc import Callable

from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QWidget

from wce_desktop.core import capital, suggested, tr
from wce_desktop.widgets import plain_text
from wce_desktop.widgets.basic import in_column, in_row, make_button, make_heading, make_text
from wce_desktop.widgets.player.pictures import fitted
from wce_desktop.widgets.theme import COLORS

SIDE_PX = 96


class EarlierBox(QWidget):
    """Picture, study, time and similarity, and two buttons; hidden where there is no such finding."""

    def __init__(self, picture: Callable[[str, int], QImage | None], parent: QWidget | None = None) -> None:
        """`picture`: study and frame -> the picture, or None until it has arrived."""
        super().__init__(parent)
        self._get_picture = picture
        self._shown: suggested.EarlierFinding | None = None
        self._picture = plain_text.PlainLabel()
        self._picture.setFixedSize(SIDE_PX, SIDE_PX)
        self._picture.setAccessibleName(tr("Finding of an earlier study"))
        self.words = make_text()
        self.same = make_button(tr("Same finding"), tr("Link the two ({link_earlier})"))
        tip = tr("Do not offer it for this finding again ({reject_earlier})")
        self.other = make_button(tr("Another finding"), tip)
        right = in_column((self.words, 1), in_row(self.same, self.other, 1))
        heading = make_heading(tr("SEEN IN AN EARLIER STUDY?"))
        in_column(heading, in_row(self._picture, (right, 1)), of=self, margins=0)
        self.hide()

    def show_finding(self, earlier: suggested.EarlierFinding | None, title: str) -> None:
        """Show a finding, or nothing; `title` is that of its class."""
        self._shown = earlier
        self.setVisible(earlier is not None)
        if earlier is None:
            return
        self.words.setText(f"{capital(suggested.earlier_words(earlier, title))}.")
        self.same.setEnabled(not earlier.is_linked)
        self.show_picture(earlier.study_id, earlier.frame_index)

    def show_picture(self, study_id: str, frame_index: int) -> None:
        """Show the picture that has arrived, if it is the one on screen."""
        shown = self._shown
        if shown is None or (study_id, frame_index) != (shown.study_id, shown.frame_index):
            return
        image = fitted(self._get_picture(study_id, frame_index), SIDE_PX, COLORS.panel)
        self._picture.setPixmap(QPixmap.fromImage(image))
