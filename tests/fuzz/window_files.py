"""What the window reads from disk when something is clicked on, called without the window: WHAT PATH."""

import sys
from collections.abc import Callable
from pathlib import Path

from training.errors import UserError


def read_presets(path: Path) -> None:
    """The presets that a person saved."""
    from wce_desktop.session.presets import TASKS, PresetStore, full_config

    store = PresetStore(path)
    print(store.problem)
    for task in TASKS:
        for preset in store.of(task):
            full_config(task, preset.method, preset)


def read_settings(path: Path) -> None:
    """The settings of a library."""
    from wce_desktop.session.settings import SETTINGS, Settings

    settings = Settings(path)
    print(settings.problem, [settings[setting.key] for setting in SETTINGS])


def read_run(path: Path) -> None:
    """A run folder, as the list of runs shows it."""
    from wce_desktop.library import run_files
    from wce_desktop.library.runs import Run

    run = Run("r", "Run", None, "done", {}, "2026-01-01T00:00:00+00:00", path)
    print(run_files.read_card(run), run_files.read_settings(run), run_files.method_of(run), run_files.read_report(run))
    print(sorted(run_files.read_curves(path)))


def read_map(path: Path) -> None:
    """A map and what its basis says."""
    from training.projection.map_file import ProjectionFile
    from wce_desktop.features.embedding_map.maps import points_of

    file = ProjectionFile.open(path, with_basis=True)
    print(len(file), points_of(file))


def read_evolution(path: Path) -> None:
    """An evolution with the points of each of its steps."""
    from training.projection.evolution import EvolutionFile
    from wce_desktop.features.embedding_map.evolution import points_at, whole_extent

    file = EvolutionFile.open(path)
    print(len(file), [points_at(file, step) for step in range(len(file.steps))], whole_extent(file))


def read_scores(path: Path) -> None:
    """An embedding file: everything that the timeline and the overlay show."""
    from training.embeddings.file import EmbeddingFile, field_of_view_of
    from wce_desktop.core.event import Scores

    with EmbeddingFile.open(path) as file:
        print(file.header, field_of_view_of(file), file.embeddings[:].sum())
        if file.scores is not None:
            print(Scores(file.header.classes, file.scores[:], file.frame_index[:]))
        if file.cams is not None:
            print(file.cams[:].shape)


def read_index(path: Path) -> None:
    """A study's kept index."""
    from training.video import FrameIndex

    print(FrameIndex.is_readable(path))
    print(len(FrameIndex.load(path)))


def take_back(path: Path) -> None:
    """Read everything of a library, take the last edit of each study back and do it again."""
    from wce_desktop.library import Library

    with Library.open(path, "a") as library:
        for study in library.studies.all():
            print(library.annotations.labels(study.study_id), library.annotations.findings(study.study_id))
            print(library.annotations.undo(study.study_id), library.annotations.redo(study.study_id))


def place_annotations(path: Path) -> None:
    """Files of annotation tools: read, and placed in a study whose recording is away."""
    from training.datasets.annotations.reading import read_annotations
    from wce_desktop.core.annotation.vocabulary import load_vocabulary
    from wce_desktop.core.study import Study
    from wce_desktop.features.exchange.import_review import importable_names
    from wce_desktop.library.exchange import AnnotationChoice, survey
    from wce_desktop.library.exchange.annotations import annotation_source
    from wce_desktop.session.places import resource

    studies = (Study("P01", "P01", "P01", Path("away.mp4"), frame_count=40),)
    names = importable_names(load_vocabulary(resource("labels", "default.json")))
    files = read_annotations(path)
    if not files:
        raise UserError(f"{path} has no annotations.", "")
    print(survey(files, studies, names, AnnotationChoice()).unplaced)
    source, examples = annotation_source(path, files, studies, names, AnnotationChoice("P01"))
    print(len(source.labels), len(source.boxes), *source.notes, *examples, sep="\n")


READERS: dict[str, Callable[[Path], None]] = {
    "presets": read_presets,
    "settings": read_settings,
    "run": read_run,
    "map": read_map,
    "evolution": read_evolution,
    "scores": read_scores,
    "index": read_index,
    "take-back": take_back,
    "annotations": place_annotations,
}


def main(argv: list[str]) -> int:
    """Read; 1 after a sentence where that was refused, as the window's banner shows it."""
    try:
        READERS[argv[0]](Path(argv[1]))
    except UserError as error:
        print(error, file=sys.stderr)
        return 1
    return 0
