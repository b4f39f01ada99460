"""A file dialog may replace any file but a study and what belongs to the library."""

from pathlib import Path

import pytest

from training.errors import UserError
from wce_desktop.session.session import Session


def test_other_files_are_replaced_as_the_dialog_asked(opened: Session, tmp_path: Path) -> None:
    notes = tmp_path / "notes.csv"
    notes.write_text("mine", encoding="utf-8")
    assert opened.place_to_save(notes) == notes
    assert opened.place_to_save(tmp_path / "new.csv") == tmp_path / "new.csv"


def test_studies_and_the_library_are_never_written_over(opened: Session) -> None:
    assert opened.reading is not None
    for path in (opened.reading.study.path, opened.library.folder / "library.sqlite"):
        before = path.read_bytes()
        with pytest.raises(UserError, match="is an input"):
            opened.place_to_save(path)
        assert path.read_bytes() == before
