"""Begins to write a file or folder, says so, and waits to be killed; `test_removed_files` does it.

Run as `python -m tests.wce_desktop.library.writing_child KIND PLACE [MODEL]`.
"""

import shutil
import sys
from pathlib import Path
from typing import Any

from training.files.outputs import written_beside
from wce_desktop.library import Model
from wce_desktop.library.exchange.annotation_export import _new_content
from wce_desktop.library.models import copy_in, export_model


def wait(*_: Any, **__: Any) -> None:
    """Until the end: nobody writes to standard input."""
    print("writing", flush=True)
    sys.stdin.read()


def write_file(place: Path, _: Path) -> None:
    with written_beside(place) as beside:
        beside.write_bytes(b"half")
        wait()


def copy_model(place: Path, model: Path) -> None:
    """Into the library at `place`, as far as the weights."""
    shutil.copystat = wait  # copytree calls it at the end of a folder
    copy_in(model, place)


def copy_model_out(place: Path, model: Path) -> None:
    shutil.copystat = wait
    export_model(Model(model.name, "", (), "", None, None, "", "", model, False), place)


def export(place: Path, _: Path) -> None:
    with _new_content(place) as beside:
        (beside / "a.txt").write_text("half", encoding="utf-8")
        wait()


KINDS = {"file": write_file, "model": copy_model, "model out": copy_model_out, "export": export}

if __name__ == "__main__":
    KINDS[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[-1]))
