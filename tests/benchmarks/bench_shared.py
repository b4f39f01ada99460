"""A library of 10,000 studies and 1,000,000 labels in its folder, and the same one on a PostgreSQL server.

    python -m tests.benchmarks.bench_shared [--studies 10000] [--labels 1000000] [--rounds 200]

The library is filled by edits of 100 labels, with their lines of the audit log, then copied to a server on this
computer, which the script starts. A label is what a key does: planned, written with its line of the log and the news
for other windows, and shown; another window listens. Both databases are asked by turns. Aim: p95 of a label at most
30 ms on the server; of the worklist and of a letter of its search 300 ms until it is painted.
"""

import argparse
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from tests.benchmarks.bench_worklist import fill

NAMES = ("polyp", "angiectasia", "ulcer", "blood")
LABELS_OF_EDIT = 100
FRAMES = 50_000
AIMS_MS = {"label": 30.0, "undo": 30.0, "worklist: show": 300.0, "worklist: type a letter": 300.0}
WORDS = "capsule 07"
FSYNC = "-c fsync=on -c shared_buffers=128MB -c max_wal_size=1GB -c wal_level=replica"
"""As PostgreSQL sets them by itself."""


def label_studies(library: Any, studies: int, labels: int) -> None:
    """Give each study its part of the labels."""
    from wce_desktop.core.annotation import Label
    from wce_desktop.core.annotation.change import Add
    from wce_desktop.core.identity import new_id
    from wce_desktop.core.span import Span

    for number in range(studies):
        study_id, count = f"s-{number:016x}", labels // studies
        step = FRAMES // count
        spans = [Span(at * step, at * step + 1 + at % (step - 1)) for at in range(count)]
        adds = [Add(Label(new_id(), study_id, span, NAMES[at % 4], reader="reader")) for at, span in enumerate(spans)]
        for first in range(0, count, LABELS_OF_EDIT):
            library.annotations.edit(study_id, "fill", adds[first : first + LABELS_OF_EDIT])


@contextmanager
def listening(library: Any) -> Iterator[list[Any]]:
    """Another window that hears of each change; what it heard."""
    from wce_desktop.library.sharing.listening import changes
    from wce_desktop.library.storage import server

    heard: list[Any] = []
    ended = threading.Event()

    def check() -> None:
        if ended.is_set():
            raise StopIteration

    def listen() -> None:
        engine = server.connect(address)
        try:
            heard.extend(changes(engine, address, check))
        except (StopIteration, RuntimeError):
            engine.dispose()

    address = server.address_in(library.folder)
    if not address:
        yield heard
        return
    thread = threading.Thread(target=listen)
    thread.start()
    try:
        yield heard
    finally:
        ended.set()
        thread.join()


class Place:
    """One of the two databases, with a window on it."""

    def __init__(self, name: str, session: Any) -> None:
        from tests.wce_desktop.sessions import open_study
        from wce_desktop.shell.main_window import MainWindow

        self.name, self.session = name, session
        self.taken: dict[str, list[float]] = {}
        self.window = MainWindow(session)
        self.window.resize(1280, 800)
        self.window.show()
        study = next(study for study in session.library.studies.all() if study.name == "study")
        open_study(session, study)

    def take(self, name: str, act: Callable[[], object]) -> None:
        """Time one step until the window is painted."""
        from PySide6.QtWidgets import QApplication

        began = perf_counter()
        act()
        QApplication.processEvents()
        self.taken.setdefault(name, []).append((perf_counter() - began) * 1000)

    def label(self, random: np.random.Generator) -> None:
        """Label a frame, or take the label off again; now and then undo."""
        from wce_desktop.core.annotation.labelling import toggle_label
        from wce_desktop.core.span import Span

        reading, edits = self.session.reading, self.session.edits
        start, name = int(random.integers(reading.frame_count - 4)), NAMES[int(random.integers(4))]

        def press() -> None:
            study_id = reading.study.study_id
            edits.apply(
                *toggle_label(reading.entries.labels, Span(start, start + 3), name, study_id=study_id, reader="r")
            )

        self.take("label", press)
        if random.random() < 0.2:
            self.take("undo", edits.undo)

    def read(self) -> None:
        """What a start, an opened study and the lists ask for."""
        library, study_id = self.session.library, "s-0000000000000007"
        self.take("studies listed", library.studies.all)
        self.take("study: labels read", lambda: library.annotations.label_track(study_id))
        self.take("audit log of a study", lambda: library.audit.entries(study_id))
        self.take("classes counted", library.annotations.class_counts)
        self.take("labels counted by study", library.annotations.label_counts_by_study)

    def use_worklist(self) -> None:
        """Show it, and search."""
        worklist = self.window.features.studies.worklist
        self.take("worklist: show", worklist.show_worklist)
        for length in range(1, len(WORDS) + 1):
            self.take("worklist: type a letter", partial(worklist.window.words.setText, WORDS[:length]))
        worklist.window.words.clear()
        worklist.window.close()


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, default=10_000)
    parser.add_argument("--labels", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=200)
    given = parser.parse_args()
    from tests.postgres import is_installed, running
    from wce_desktop.shell.application import make_application

    if not is_installed():
        print("PostgreSQL is not installed: apt-get install postgresql")
        return
    _app = make_application()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        places = _places(folder, stack.enter_context(running(FSYNC)), given.studies, given.labels)
        random = [np.random.default_rng(0) for _ in places]
        with listening(places[1].session.library) as heard:
            for _ in range(given.rounds):
                for place, own in zip(places, random, strict=True):
                    place.label(own)
        print(f"{len(heard)} changes were heard by another window")
        for _ in range(max(1, given.rounds // 20)):
            for place in places:
                place.read()
                place.use_worklist()
        for place in places:
            place.window.close()
            place.session.close_study()
            place.session.library.close()
    print(f"{given.studies:,} studies, {given.labels:,} labels, {given.rounds} rounds by turns")
    print(f"{'ms':26}{'folder p50':>11}{'p95':>8}{'server p50':>12}{'p95':>8}{'aim':>8}")
    for name in places[0].taken:
        figures = [np.percentile(place.taken[name], (50, 95)) for place in places]
        numbers = f"{figures[0][0]:11.1f}{figures[0][1]:8.1f}{figures[1][0]:12.1f}{figures[1][1]:8.1f}"
        print(f"{name:26}{numbers}{AIMS_MS.get(name, float('nan')):8.0f}")


def _places(folder: Path, postgres: Any, studies: int, labels: int) -> list[Place]:
    from tests.wce_desktop.sessions import add_study, make_session
    from wce_desktop.library import Library
    from wce_desktop.library.sharing import copying
    from wce_desktop.session.session import Session

    session = make_session(folder)
    add_study(session, folder)
    fill(session.library, folder, studies)
    began = perf_counter()
    label_studies(session.library, studies, labels)
    print(f"filled in {perf_counter() - began:.0f} s")
    session.library.close()
    began = perf_counter()
    address = postgres.address(postgres.database())
    rows = copying.copy_library(session.library.folder, folder / "shared", address)
    print(f"{rows:,} rows copied and compared in {perf_counter() - began:.0f} s")
    postgres.execute("ANALYZE", database=address.rpartition("/")[2].partition("?")[0])
    places = []
    for name, place in (("folder", session.library.folder), ("server", folder / "shared")):
        opened = Session(Library.open(place, "reader"), session.settings, session.vocabulary)
        places.append(Place(name, opened))
    return places


if __name__ == "__main__":
    main()
