"""PySide6 6.12.0 loses a reference to True at each signal on Python 3.11 and aborts after some 570: ours must not."""

import pytest
from PySide6.QtCore import QObject, QThread, Signal, Slot
from pytestqt.qtbot import QtBot

from tests.wce_desktop.leaks import no_leaks

__all__ = ["no_leaks"]
pytestmark = pytest.mark.usefixtures("no_leaks")
EMITS = 3000


class Storm(QThread):
    """Emits from its own thread as fast as it can."""

    told = Signal(object)
    flagged = Signal(bool)

    def run(self) -> None:
        """Emit."""
        for number in range(EMITS):
            self.told.emit((number, True))
            self.flagged.emit(True)


class Counter(QObject):
    """Counts what arrives in the window's thread."""

    def __init__(self) -> None:
        """Nothing has arrived."""
        super().__init__()
        self.numbers: list[int] = []
        self.flags = 0

    @Slot(object)
    def hear(self, value: tuple[int, bool]) -> None:
        """Note a number."""
        self.numbers.append(value[0])

    @Slot(bool)
    def count(self, is_flagged: bool) -> None:
        """Count a flag."""
        self.flags += is_flagged


def test_thousands_of_signals_between_threads_arrive_in_order(qtbot: QtBot) -> None:
    storm, counter = Storm(), Counter()
    storm.told.connect(counter.hear)
    storm.flagged.connect(counter.count)
    with qtbot.waitSignal(storm.finished, timeout=20_000):
        storm.start()
    qtbot.waitUntil(lambda: counter.flags == EMITS, timeout=20_000)
    storm.wait()
    assert counter.numbers == list(range(EMITS))
