"""Opening studies: what asks disks and shares, which may answer late; all of it is called in other threads.

Tests: `tests/wce_desktop/shell/test_slow_share.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from training.runs.reporter import Reporter
from training.video import FrameIndex, build_index, first_picture, is_study, open_source, verify_index
from training.video.dicom.header import BURNED_IN_NOTE
from training.video.folders import LeftOut, StudiesBelow, studies_below
from wce_desktop.core.study import Study
from wce_desktop.session.session import Session, Stored


def try_opening(path: Path, index: FrameIndex | None, numbering: int, reporter: Reporter) -> FrameIndex:
    """Check that a study can be opened; returns its index, which is made by this numbering where there is none.

    Raises:
        UserError: it cannot be opened.
    """
    if index is None:
        first_picture(path)
        index = build_index(path, reporter, numbering=numbering)
    with open_source(path, index=index):
        return index


def studies_in(paths: Sequence[Path], reporter: Reporter) -> StudiesBelow:
    """The studies that files and folders are, or hold."""
    studies: list[Path] = []
    left_out = LeftOut()
    for path in paths:
        if is_study(path):
            studies.append(path)
        elif path.is_dir():
            below = studies_below(path, reporter)
            studies += below.paths
            left_out.add(below.left_out)
        else:
            left_out.add_file(path)
    return StudiesBelow(tuple(dict.fromkeys(studies)), left_out)


@dataclass(frozen=True)
class Loaded:
    """A study that is about to be shown, and what files and library hold of it."""

    study: Study
    index: FrameIndex
    stored: Stored
    new_notes: list[str]
    is_checked: bool  # whether seeks were tried on the index

    def close(self) -> None:
        """Nobody shows it."""
        self.stored.close()


def load(session: Session, path: Path, index: FrameIndex, second: Study | None, reporter: Reporter) -> Loaded:
    """Put a study into the library, where it is new, and read what is shown of it.

    Args:
        second: the second reading that is to be opened; None: the first one.
    """
    study = session.take_in(path, index)
    if second is not None and second.second_of == study.study_id:
        study = session.library.studies.get(second.study_id)
    new_notes, is_checked = _take_new_notes(session, study, index), session.files(study).is_index_checked
    loaded = Loaded(study, index, session.stored(study, len(index)), new_notes, is_checked)
    if reporter.stop_requested:
        loaded.close()
    reporter.check()
    return loaded


def _take_new_notes(session: Session, study: Study, index: FrameIndex) -> list[str]:
    """What is odd about the file, each sentence once; that a name may be on the frames, every time."""
    files = session.files(study)
    new = files.new_notes(index.notes)
    if BURNED_IN_NOTE in index.notes and BURNED_IN_NOTE not in new:
        new.append(BURNED_IN_NOTE)
    if not session.library.read_only:
        files.keep_shown_notes(index.notes)
    return new


def check_index(
    session: Session, study: Study, index: FrameIndex, reporter: Reporter
) -> tuple[Study, FrameIndex, list[str]]:
    """Try seeks on the index of a study, and keep it."""
    index = verify_index(study.path, index, reporter=reporter)
    session.files(study).save_index(index, is_checked=True)
    return study, index, _take_new_notes(session, study, index)
