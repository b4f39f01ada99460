"""`wce-desktop import` and `wce-desktop export`: a library's labels from and to files, in the shell."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from training.errors import UserError
from wce_desktop.core.vocabulary import load_vocabulary
from wce_desktop.features.exchange.import_review import importable_names, review_lines, source_notes
from wce_desktop.library import Library
from wce_desktop.library.database import FILE_NAME
from wce_desktop.library.exchange import apply_import, export_library, plan_import
from wce_desktop.library.integrity import holds_data
from wce_desktop.session.places import account_name, default_library, library_folder, resource

_EXPORT = "Write manifest.json, labels.csv, findings.csv, boxes.csv and links.csv. Patients' names are never written."
_IMPORT = "Import such files into the library, one undoable step per study. Shows what would change and asks first."


def main(argv: Sequence[str]) -> int:
    """Run `import ...` or `export ...`; returns the process's exit code: 0, or 1 after a sentence on stderr."""
    arguments = _parser().parse_args(argv)
    try:
        if arguments.command == "export":
            _export(
                arguments.library,
                arguments.folder,
                arguments.study,
                overwrite=arguments.overwrite,
                comments=arguments.comments,
            )
        else:
            _import(arguments.library, arguments.path, arguments.reader, is_agreed=arguments.yes)
    except UserError as error:
        print(error.message, error.hint, sep="\n" if error.hint else "", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="wce-desktop")
    commands = parser.add_subparsers(dest="command", required=True)
    export = commands.add_parser("export", help=_EXPORT, description=_EXPORT)
    export.add_argument("folder", type=Path, metavar="FOLDER", help="where to write; created if missing")
    export.add_argument(
        "--study", action="append", metavar="ID", help="only this study; may be given several times (default: all)"
    )
    export.add_argument(
        "--comments",
        action="store_true",
        help="write the comments of findings, too; they are free text and may name a patient",
    )
    export.add_argument("--overwrite", action="store_true", help="replace files that this program did not write")
    import_ = commands.add_parser("import", help=_IMPORT, description=_IMPORT)
    import_.add_argument("path", type=Path, metavar="PATH", help="a folder with these files, a manifest, a labels file")
    import_.add_argument("--yes", action="store_true", help="import without asking")
    import_.add_argument("--reader", default="", metavar="NAME", help="name of the reader (default: the account name)")
    for command in (export, import_):
        command.add_argument(
            "--library", type=library_folder, default=default_library(), metavar="DIR", help="the library's folder"
        )
    return parser


def _export(folder: Path, out: Path, studies: list[str] | None, *, overwrite: bool, comments: bool) -> None:
    if not (folder / FILE_NAME).is_file() and not holds_data(folder):
        raise UserError(f"There is no library in {folder}.", "Give its folder with --library.")
    with _opened(folder, account_name()) as library:
        print(export_library(library, out, studies, overwrite=overwrite, comments=comments).sentence)
        for study in library.studies():
            if studies is None or study.study_id in studies:
                for problem in library.problems(study.study_id):
                    print(f"Not exported, invalid in the library: {study.study_id}, {problem}.", file=sys.stderr)


def _import(folder: Path, path: Path, reader: str, *, is_agreed: bool) -> None:
    if not reader.isprintable():
        raise UserError("The reader's name contains characters that cannot be stored.", "Use letters only.")
    vocabulary = load_vocabulary(resource("labels", "default.json"))
    with _opened(folder, reader or account_name()) as library:
        library.check_writable("an import")
        if sys.stderr.isatty():  # counting the frames of many studies takes a while
            print(f"Reading {path} ...", file=sys.stderr)
        plan = plan_import(library, path, importable_names(vocabulary))
        print("\n".join(plan.lines))
        if plan.is_empty:
            return
        if lines := [*source_notes(plan), *review_lines(plan, vocabulary)]:
            print("", *lines, sep="\n")
        if not is_agreed and not _agrees():
            print("Nothing was changed. Add --yes to do it.")
            return
        apply_import(library, plan)
        print(f"Done; each study's import can be undone in the window. Library: {library.folder}")


def _opened(folder: Path, reader: str) -> Library:
    """The library; missing data and read-only mode are reported."""
    library = Library.open(folder, reader)
    if library.loss is not None:
        print(f"{library.loss.sentence} See wce-desktop restore --library “{library.folder}”.", file=sys.stderr)
    if library.read_only:
        print(f"Read only: {library.read_only}.", file=sys.stderr)
    return library


def _agrees() -> bool:
    """Ask for confirmation, if there is a terminal."""
    return sys.stdin.isatty() and input("Do it? [y/N] ").strip().lower() in ("y", "yes")
