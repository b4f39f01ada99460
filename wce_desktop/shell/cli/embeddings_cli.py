"""`wce-desktop import-embeddings`: what another program computed for studies of a library, in the shell."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from training.commands.common import find_command, make_config
from training.errors import UserError
from training.files.terminal import print_error, print_lines
from training.runs.reporter import Cancelled
from wce_desktop.core.study import Study
from wce_desktop.library import Library
from wce_desktop.session.classes import library_vocabulary
from wce_desktop.session.study_files import StudyFiles
from wce_desktop.session.work import import_settings
from wce_desktop.shell.cli.exchange_cli import class_pairs, opened, shell_reporter
from wce_desktop.shell.cli.shell_library import add_library, need_paths

_ABOUT = (
    "Import embeddings or scores that another program computed, as a model of the library: a file for each study, "
    "called as the study or its video file is. docs/reference/formats.md describes the files."
)


def main(argv: Sequence[str]) -> int:
    """Run `import-embeddings ...`; returns the process's exit code: 0, or 1 after a sentence on stderr."""
    parser = argparse.ArgumentParser(prog="wce-desktop import-embeddings", description=_ABOUT)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help=".npy, .npz, .h5, .parquet or .csv")
    parser.add_argument("--model", required=True, metavar="NAME", help="the model that computed them; may be new")
    parser.add_argument("--study", default="", metavar="ID", help="the study of a file that is called otherwise")
    parser.add_argument(
        "--class",
        action="append",
        default=[],
        dest="class_name",
        metavar="THEIRS=OURS",
        help="what a class of the scores is called here; may be given several times",
    )
    parser.add_argument("--use", action="store_true", help="take the model into use")
    add_library(parser)
    try:
        _import(parser.parse_args(argv[1:]))
    except UserError as error:
        print_error(error)
        return 1
    except Cancelled:
        print("Stopped. Studies that were imported before stay.", file=sys.stderr)
        return 1
    return 0


def _import(given: argparse.Namespace) -> None:
    need_paths(*given.files)
    classes = library_vocabulary(given.library).names
    names = class_pairs(given.class_name, classes)
    if given.study and len(given.files) > 1:
        raise UserError("--study is of one file.", "Import the files one by one, or call them as their studies.")
    with opened(given.library) as library:
        library.check_writable("an import")
        pairs = [(file, _study_of(file, given.study, library.studies.all())) for file in given.files]
        config_class, run, _ = find_command("import-embeddings")
        for file, study in pairs:
            files = StudyFiles(library.studies.folder(study.recording_id), study.fingerprint)
            settings = import_settings(library, files, study, file, given.model, classes)
            with shell_reporter() as reporter:
                result = run(make_config(config_class, {**settings, "names": names}), reporter)
            _bring_in(library, study, given.model, Path(result["out"]), is_used=given.use)
            missing = f", {result['missing']:,} without an embedding" if result["missing"] else ""
            print_lines(f"{file.name}: {study.shown_name}, {result['frames']:,} frames{missing}.")


def _study_of(file: Path, study_id: str, studies: Sequence[Study]) -> Study:
    """The study of this id, or the one that is called as the file is."""
    wanted = study_id or file.stem
    fitting = [study for study in studies if wanted == study.study_id] or [
        study for study in studies if not study_id and wanted in (study.title, study.path.stem)
    ]
    if not studies:
        raise UserError("The library has no studies yet.", "Open the video in the window first, or import its study.")
    if len(fitting) != 1:
        raise UserError(
            f"{'Several studies are' if fitting else 'No study is'} called {wanted}.",
            "Name the study with --study ID: " + ", ".join(study.study_id for study in studies[:20]),
        )
    return fitting[0]


def _bring_in(library: Library, study: Study, model_id: str, path: Path, *, is_used: bool) -> None:
    library.models.register(library.folder / "models" / model_id)
    library.models.note_scoring(study.study_id, model_id, path, is_complete=True)
    if is_used:
        library.models.set_current(model_id)
