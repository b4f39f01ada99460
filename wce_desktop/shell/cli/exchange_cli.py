"""`wce-desktop import` and `wce-desktop export`: a library's labels from and to files, in the shell."""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from training.commands.shell_reporter import ShellReporter
from training.datasets import local_paths
from training.datasets.public.layout import DataSet
from training.errors import UserError
from training.files.terminal import print_error, print_lines
from training.runs.reporter import Cancelled, EndsAtOnce, Reporter, SilentReporter
from training.settings import shortened
from wce_desktop.features.exchange import images_review
from wce_desktop.features.exchange.import_review import importable_names, review_lines, source_notes
from wce_desktop.library import Library, exchange
from wce_desktop.library.exchange.clinical.exporting import REPORT_FORMATS, export_reports
from wce_desktop.library.storage.integrity import holds_data, is_library
from wce_desktop.session.classes import library_vocabulary
from wce_desktop.session.places import account_name
from wce_desktop.shell.cli.shell_library import add_library, need_paths, refuse_unused, unlock_in_shell

_EXPORT = (
    "Write manifest.json, labels.csv, findings.csv, boxes.csv and links.csv, or boxes and frames in the format of an "
    "annotation tool, or reports for hospital systems (DICOM, FHIR). Patients' names are never written."
)
_IMPORT = (
    "Import such files, or those of COCO, CVAT, YOLO, VIA or LabelMe, into the library, one undoable step a study; or "
    "a folder of labelled images (with labels.csv, or a folder for each class), one study per group. Shows what would "
    "change and asks first."
)


def main(argv: Sequence[str]) -> int:
    """Run `import ...` or `export ...`; returns the process's exit code: 0, or 1 after a sentence on stderr."""
    arguments = _parser().parse_args(argv)
    try:
        if arguments.command == "export":
            _export(arguments)
        else:
            _import(arguments)
    except UserError as error:
        print_error(error)
        return 1
    except Cancelled:
        print("Stopped. Nothing was written.", file=sys.stderr)
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
        help="write comments and other words of the reader, too; they are free text and may name a patient",
    )
    export.add_argument(
        "--paths",
        action="store_true",
        help=f"for training on this computer: write {local_paths.FILE_NAME}, too, which says where the videos are "
        "(csv only); do not share this file: names of files may name patients",
    )
    export.add_argument(
        "--format",
        choices=[*(each.name for each in exchange.EXPORT_FORMATS), *REPORT_FORMATS],
        default="csv",
        help="csv (default), or boxes with frames masked outside the field of view, into a new folder; or, for "
        "hospital systems, " + " or ".join(f"{name}: {about}" for name, about in REPORT_FORMATS.items()),
    )
    export.add_argument("--without-normal", action="store_true", help="leave frames labelled normal out (not for csv)")
    export.add_argument("--overwrite", action="store_true", help="replace files that this program did not write")
    import_ = commands.add_parser("import", help=_IMPORT, description=_IMPORT)
    import_.add_argument(
        "path",
        type=Path,
        metavar="PATH",
        help="a folder with these files or with labelled images, a manifest, a labels file, a DICOM report",
    )
    import_.add_argument("--yes", action="store_true", help="import without asking")
    import_.add_argument("--reader", default="", metavar="NAME", help="name of the reader (default: the account name)")
    import_.add_argument(
        "--study", default="", metavar="ID", help="the study of annotation files of one recording that do not say it"
    )
    import_.add_argument(
        "--recording",
        action="append",
        default=[],
        metavar="NAME=ID",
        help="the study of a recording of annotation files, whatever these say; empty after =: left out; may be given "
        "several times",
    )
    import_.add_argument(
        "--class",
        action="append",
        default=[],
        dest="class_name",
        metavar="THEIRS=OURS",
        help="what a class of the files is called here; empty after =: left out; may be given several times",
    )
    import_.add_argument(
        "--group-by",
        default="",
        metavar="REGEX",
        help="of labelled images: finds the patient in the path of an image, by its first group; for P07_0012.jpg of "
        "patient P07 ([^/]+)_",
    )
    import_.add_argument(
        "--first-frame",
        type=int,
        choices=(0, 1),
        help="number of the first frame in the names of images of other programs (default: as the names show, else 0)",
    )
    for command in (export, import_):
        add_library(command)
    return parser


def _export(given: argparse.Namespace) -> None:
    folder, studies = given.library, given.study
    if not (is_library(folder) or holds_data(folder)):
        raise UserError(f"There is no library in {folder}.", "Give its folder with --library.")
    if given.format != "csv":
        refuse_unused(given, "paths", "--format csv")
    if given.format == "csv" or given.format in REPORT_FORMATS:
        refuse_unused(given, "without_normal", "formats of boxes")
    else:
        refuse_unused(given, "comments overwrite", "--format csv and to reports")
    with opened(folder) as library:
        if given.format == "csv":
            written = exchange.export_library(
                library,
                given.folder,
                studies,
                overwrite=given.overwrite,
                has_free_text=given.comments,
                has_paths=given.paths,
            )
            print_lines(written.sentence)
        elif given.format in REPORT_FORMATS:
            with shell_reporter() as reporter:
                reports = export_reports(
                    library,
                    given.folder,
                    (given.format,),
                    library_vocabulary(folder),
                    studies,
                    has_free_text=given.comments,
                    overwrite=given.overwrite,
                    reporter=reporter,
                )
            print_lines(reports.sentence, *reports.notes)
        else:
            names = importable_names(library_vocabulary(folder))
            with shell_reporter() as reporter:
                boxes = exchange.export_annotations(
                    library,
                    given.folder,
                    exchange.export_format(given.format),
                    names,
                    studies,
                    with_normal=not given.without_normal,
                    reporter=reporter,
                )
            print_lines(boxes.sentence, *boxes.notes)
        for study in library.studies.all():
            if studies is None or study.study_id in studies:
                for problem in library.problems(study.study_id):
                    text = f"Not exported, invalid in the library: {study.study_id}, {problem}."
                    print_lines(text, file=sys.stderr)


@contextmanager
def shell_reporter() -> Iterator[Reporter]:
    """Shows progress where somebody looks at it; the first Ctrl-C ends the work: half an export is none."""
    if sys.stderr.isatty():
        with ShellReporter() as shell:
            yield EndsAtOnce(shell)
    else:
        yield SilentReporter()


def _pairs(given: Sequence[str], is_right: Callable[[str, str], bool], problem: str, hint: str) -> dict[str, str]:
    """ "bubbles=other" as what the files say, and what it is here."""
    pairs = {}
    for pair in given:
        theirs, sign, ours = pair.rpartition("=")
        if not sign or not is_right(theirs, ours):
            raise UserError(f"{shortened(pair)!r} {problem}", hint)
        pairs[theirs] = ours
    return pairs


def class_pairs(given: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    """What classes are called here, of options THEIRS=OURS.

    Raises:
        UserError: one is of another form, or names none of these classes.
    """
    return _pairs(
        given,
        lambda _, ours: not ours or ours in names,
        "does not say what a class is called here.",
        f"Write THEIRS=OURS; our classes are {', '.join(names)}.",
    )


def _import(given: argparse.Namespace) -> None:
    need_paths(given.path)
    vocabulary = library_vocabulary(given.library)
    names = importable_names(vocabulary)
    classes = class_pairs(given.class_name, names)
    recordings = _pairs(
        given.recording, lambda name, _: bool(name), "does not say the study of a recording.", "Write NAME=ID."
    )
    if not given.reader.isprintable():
        raise UserError("The reader's name contains characters that cannot be stored.", "Use letters only.")
    if (data_set := exchange.reader_for(given.path, names)) is not None:
        refuse_unused(given, "study recording first_frame", "files of annotations")
        _import_images(given, data_set, names, classes)
        return
    refuse_unused(given, "group_by", "a folder of labelled images")
    choice = exchange.AnnotationChoice(given.study, classes, given.first_frame, recordings)
    with opened(given.library, given.reader) as library:
        library.check_writable("an import")
        with shell_reporter() as reporter:  # counting the frames of many studies takes a while
            plan = exchange.plan_import(library, given.path, names, reporter, choice=choice)
        print_lines(*plan.lines)
        if plan.is_empty:
            return
        if lines := [*source_notes(plan), *review_lines(plan, vocabulary)]:
            print_lines("", *lines)
        if not _is_agreed(given):
            return
        exchange.apply_import(library, plan)
        print_lines(f"Done; each study's import can be undone in the window. Library: {library.folder}")


def _is_agreed(given: argparse.Namespace) -> bool:
    if given.yes or (sys.stdin.isatty() and input("Do it? [y/N] ").strip().lower() in ("y", "yes")):
        return True
    print("Nothing was changed. Add --yes to do it.")
    return False


def _import_images(
    given: argparse.Namespace, data_set: DataSet, names: Sequence[str], classes: Mapping[str, str]
) -> None:
    """Import a folder of labelled images; labels that are not known and not named are left out."""
    with shell_reporter() as reporter:
        folder = exchange.read_labelled_folder(given.path, data_set, reporter, given.group_by)
    words = exchange.meanings(folder.labels, names, classes)
    unknown = [label for label, name in words.classes.items() if not name and label not in classes]
    print_lines(images_review.summary(folder))
    print_lines(*(f"{label}: {count}, {words.classes[label] or 'left out'}" for label, count in folder.labels.items()))
    print_lines(*images_review.remarks(folder, words, ()))
    if unknown:
        print_lines(f"Not a class here, left out: {', '.join(unknown)}. Name their class: --class THEIRS=OURS.")
    if not _is_agreed(given):
        return
    with opened(given.library, given.reader) as library, shell_reporter() as reporter:
        added = exchange.add_labelled_images(library, folder, words, reporter)
        print_lines(images_review.added_sentence(added), f"Library: {library.folder}")


def opened(folder: Path, reader: str = "") -> Library:
    """The library; missing data and read-only mode are reported."""
    unlock_in_shell(folder)
    library = Library.open(folder, reader or account_name())
    if library.loss is not None:
        text = f"{library.loss.sentence} See wce-desktop restore --library “{library.folder}”."
        print_lines(text, file=sys.stderr)
    if library.read_only:
        print_lines(f"Read only: {library.read_only}.", file=sys.stderr)
    return library
