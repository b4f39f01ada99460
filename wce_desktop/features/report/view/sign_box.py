"""The box at the foot of the report's texts: what must be acknowledged, the reader, and the signature."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from wce_desktop.core.language import to_translate, tr
from wce_desktop.session.still_open import Open
from wce_desktop.widgets.basic import make_button, make_heading, make_note, make_text
from wce_desktop.widgets.plain_text import PlainLabel, plain

TIP = to_translate("Keep this report in the library as a signed version")


class Acknowledgement(QWidget):
    """A check box with a sentence that wraps."""

    toggled = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.box = QCheckBox()
        self.box.setAccessibleName(name)
        self._words = make_text()
        self._words.setBuddy(self.box)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.box)
        row.addWidget(self._words, 1)
        self.box.toggled.connect(self.toggled)

    @property
    def is_answered(self) -> bool:
        """Whether there is nothing to acknowledge, or it was."""
        return not self._words.text() or self.box.isChecked()

    def ask(self, words: str) -> None:
        """Ask for this; another count takes the tick away."""
        if words != self._words.text():
            self.box.setChecked(False)
        self._words.setText(words)
        self.box.setAccessibleDescription(words)
        self.setVisible(bool(words))


class SignBox(QWidget):
    """Check boxes with the counts, the reader's name, and the button."""

    sign_requested = Signal()
    amend_requested = Signal()
    drop_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.flags, self.frames = Acknowledgement(tr("Flags not seen")), Acknowledgement(tr("Frames not seen"))
        self.reader = QLineEdit()
        self.reader.setAccessibleName(tr("Reader who signs"))
        self.reader.setPlaceholderText(tr("Name of the reader"))
        self.reader.setMaxLength(200)
        self.button = make_button(tr("Sign"), tr(TIP))
        self.button.setProperty("primary", True)
        self.amend = make_button(tr("Amend…"), "")
        self.key = make_button(tr("Key…"), tr("Show what protects your signature key, and give it a passphrase"))
        self.drop = make_button(tr("Discard amendment"), tr("Take the reason back; what was changed stays as it is"))
        self.note = make_note()
        self._known: Open | None = None
        row = QHBoxLayout()
        row.addWidget(PlainLabel(tr("Reader")))
        row.addWidget(self.reader, 1)
        row.addWidget(self.key)
        row.addWidget(self.button)
        amending = QHBoxLayout()
        amending.addStretch(1)
        amending.addWidget(self.drop)
        amending.addWidget(self.amend)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(make_heading(tr("SIGNATURE")))
        layout.addWidget(self.flags)
        layout.addWidget(self.frames)
        layout.addLayout(row)
        layout.addWidget(self.note)
        layout.addLayout(amending)
        for one in (self.flags, self.frames):
            one.toggled.connect(self.refresh)
        self.button.clicked.connect(self.sign_requested)
        self.amend.clicked.connect(self.amend_requested)
        self.drop.clicked.connect(self.drop_requested)
        self._is_ready = True
        self.set_unsigned()

    @property
    def known(self) -> Open | None:
        """What was acknowledged, as it is shown."""
        return self._known

    def ask(self, known: Open) -> None:
        """Show what must be acknowledged."""
        self._known = known
        self.flags.ask(known.flag_words)
        self.frames.ask(known.frame_words)
        self.refresh()

    def set_unsigned(self) -> None:
        """Nothing was signed yet: offer to sign."""
        self._offer(tr("Sign"), "", is_ready=True)
        self.amend.hide()
        self.drop.hide()

    def set_signed(self, note: str) -> None:
        """A version was signed: offer to amend it; `note` says whether anything has changed since."""
        self._offer(tr("Sign"), note, is_ready=False)
        self.amend.setText(tr("Amend…"))
        self.amend.setToolTip(plain(tr("Say why, then sign a version that replaces this one; this one stays readable")))
        self.amend.show()
        self.drop.hide()

    def set_amending(self, note: str) -> None:
        """An amendment was begun: offer to sign it, to change its reason and to discard it."""
        self._offer(tr("Sign amendment"), note, is_ready=True)
        self.amend.setText(tr("Change reason…"))
        self.amend.setToolTip(plain(tr("Change why the report is amended")))
        self.amend.show()
        self.drop.show()

    def _offer(self, words: str, note: str, *, is_ready: bool) -> None:
        self._is_ready = is_ready
        self.button.setText(words)
        self.button.setVisible(is_ready)
        self.note.setText(note)
        self.note.setVisible(bool(note))
        self.refresh()

    def refresh(self) -> None:
        """Enable the button once everything is acknowledged."""
        are_answered = self.flags.is_answered and self.frames.is_answered
        self.button.setEnabled(are_answered and self._is_ready)
        missing = tr("Tick what was not seen, or look at it, before you sign.")
        self.button.setToolTip(plain(tr(TIP) if are_answered else missing))
