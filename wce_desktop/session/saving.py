"""Where a file dialog may save: the dialog asked before replacing a file, but it knows no studies and no library."""

from pathlib import Path

from training.files.outputs import OutputKind, check_output
from wce_desktop.session.session import Session

_ANYTHING = OutputKind("file", lambda _: False)


def place_to_save(session: Session, path: Path) -> Path:
    """Return the path if a file may be written there.

    Raises:
        UserError: it is a study of the library, a file of the library itself, not a regular file, or cannot be created.
    """
    studies = [study.path for study in session.library.studies.all()]
    check_output(path, _ANYTHING, inputs=[session.library.folder, *studies], overwrite=True)
    return path
