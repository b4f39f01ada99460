"""Tells a key that is held down from one that is tapped."""

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent

HOLD_MILLISECONDS = 250
_PRESSES = (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride)


class HeldKey(QObject):
    """Follows the shortcut of an action: a tap triggers the action on release, a longer press emits `held` instead.

    The key counts as released, too, when the window loses the keyboard. Repetitions of a held key are ignored. A menu
    triggers the action as usual.
    """

    held = Signal(bool)
    """True once the key is held, False on its release."""

    def __init__(self, action: QAction, parent: QObject) -> None:
        super().__init__(parent)
        self._action = action
        self._later_keys: set[int] = set()
        self._is_down = self._is_held = False
        self._timer = QTimer(self, singleShot=True, interval=HOLD_MILLISECONDS)
        self._timer.timeout.connect(self._hold)
        action.setAutoRepeat(False)
        action.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the shortcut of the action; while its key is down, follow all keys."""
        kind = event.type()
        if watched is self._action:
            if kind != QEvent.Type.Shortcut:
                return False
            if not self._is_down:
                self._press()
            return True
        if kind == QEvent.Type.WindowDeactivate:
            self._release(is_tap=False)
        elif isinstance(event, QKeyEvent) and not event.isAutoRepeat():
            if kind in _PRESSES:
                self._later_keys.add(event.key())
            elif kind == QEvent.Type.KeyRelease and event.key() not in self._later_keys:
                self._release(is_tap=not self._is_held)
        return False

    def _press(self) -> None:
        self._is_down = True
        self._later_keys.clear()
        self._timer.start()
        application = QCoreApplication.instance()
        assert application is not None
        application.installEventFilter(self)

    def _hold(self) -> None:
        self._is_held = True
        self.held.emit(True)

    def _release(self, *, is_tap: bool) -> None:
        application = QCoreApplication.instance()
        assert application is not None
        application.removeEventFilter(self)
        self._timer.stop()
        was_held, self._is_down, self._is_held = self._is_held, False, False
        if was_held:
            self.held.emit(False)
        elif is_tap:
            self._action.trigger()
