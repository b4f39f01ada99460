"""What SQLite is told, and several threads at once."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.wce_desktop.library.conftest import make_label
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.study import Study
from wce_desktop.library import Library
from wce_desktop.library.storage import database


@pytest.mark.usefixtures("durable")
@pytest.mark.parametrize(("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)])
def test_what_was_confirmed_survives_a_power_cut(library: Library, pragma: str, value: object) -> None:
    """A test cannot cut the power; SQLite promises it for these settings (2 is FULL)."""
    for _ in range(2):  # also for a connection made later
        with library.engine.connect() as connection:
            assert connection.exec_driver_sql(f"PRAGMA {pragma}").scalar_one() == value
        library.engine.dispose()


def test_threads_edit_and_read_at_once(library: Library, study: Study) -> None:
    together = threading.Barrier(4)

    def press(thread: int) -> int:
        together.wait(timeout=30)
        for at in range(10):
            label = make_label(study.study_id, at * 10, at * 10 + 5, f"class {thread}")
            library.annotations.edit(study.study_id, f"{thread}", [Add(label)])
            library.annotations.labels(study.study_id)
        return thread

    with ThreadPoolExecutor(4) as threads:
        assert sorted(threads.map(press, range(4))) == [0, 1, 2, 3]
    assert len(library.annotations.labels(study.study_id)) == 40
    for _ in range(40):
        assert library.annotations.undo(study.study_id) is not None
    assert library.annotations.labels(study.study_id) == ()


def test_times_sort_as_text() -> None:
    assert database.now_utc() <= database.now_utc()
    assert len(database.now_utc()) == len("2026-11-21T07:20:04.836085+00:00")
