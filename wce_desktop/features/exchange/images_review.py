"""What must be known before a folder of labelled images is imported, in sentences."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from wce_desktop.core import counted, tr, tr_count
from wce_desktop.core.annotation import shown_name
from wce_desktop.core.annotation.label import NORMAL
from wce_desktop.library.exchange import Added, LabelledFolder, Meanings
from wce_desktop.library.exchange.labelled_folder import UNGROUPED_PARTS, left_out_sentences


def summary(folder: LabelledFolder) -> str:
    """How much a folder holds, in two sentences."""
    images = folder.images
    parts = [
        tr(
            "“{folder}” holds {images} in {classes}.",
            folder=folder.folder.name,
            images=counted(len(images), "image"),
            classes=tr_count("{count} class", "{count} classes", len(folder.labels)),
        )
    ]
    if folder.groups:
        parts.append(
            tr_count(
                "They are of {count} group, which is taken for one patient.",
                "They are of {count} groups, each of which is taken for one patient.",
                folder.groups,
            )
        )
    if boxes := sum(len(image.boxes) for image in images):
        parts.append(tr("There are {boxes}.", boxes=counted(boxes, "box")))
    data_set = folder.data_set
    if data_set.citation:
        parts.append(
            tr(
                "From {data_set}, licence: {licence}. Please cite {cite}.",
                data_set=data_set.title,
                licence=data_set.licence,
                cite=data_set.citation,
            )
        )
    return " ".join(parts)


def remarks(folder: LabelledFolder, words: Meanings, own_classes: Collection[str]) -> list[str]:
    """What is left out, and what a model that learns from the images can and cannot be judged by."""
    places = _places(folder, words)
    lines = []
    if own_classes:
        lines.append(
            tr(
                "Not among the classes here: {names}. Each becomes a new class, unless you choose another one.",
                names=", ".join(own_classes),
            )
        )
    if NORMAL not in places:
        lines.append(
            tr("No image is normal. Fine-tuning also needs normal images: choose the label that stands for them.")
        )
    if folder.ungrouped:
        lines.append(
            tr_count(
                "The patient of {count} image is unknown.",
                "The patients of {count} images are unknown. They are divided into studies of successive names, up to "
                "{parts} for each source, and each study counts as a patient. One patient can be in several of them, "
                "so figures may be optimistic.",
                folder.ungrouped,
                parts=UNGROUPED_PARTS,
            )
        )
    lines += _about_groups(places)
    if len(folder.sources) > 1:
        lines += _about_sources(folder, places)
    if several := sum(len(words.of(image)) > 1 for image in folder.images):
        lines.append(
            tr_count(
                "{count} image shows several findings and gets a label for each.",
                "{count} images show several findings and get a label for each.",
                several,
            )
        )
    return lines + left_out_sentences(folder, words)


def added_sentence(added: Added) -> str:
    """What was imported."""
    parts = []
    if added.study_ids:
        studies, contents = counted(len(added.study_ids), "study"), tr(added.contents)
        parts.append(tr("Imported: {studies} with {contents}.", studies=studies, contents=contents))
    if added.there:
        parts.append(
            tr_count(
                "{count} study was in the library already and stays as it is.",
                "{count} studies were in the library already and stay as they are.",
                added.there,
            )
        )
    return " ".join(parts)


Places = dict[str, set[tuple[str, str]]]
"""Class -> where its images are from: source and group."""


def _places(folder: LabelledFolder, words: Meanings) -> Places:
    places: Places = defaultdict(set)
    for study in folder.studies:
        for image in study.images:
            for name in words.of(image):
                places[name].add((study.source, study.group or str(study.part)))
    return places


def _about_groups(places: Places) -> list[str]:
    lonely = [name for name, where in places.items() if len(where) == 1]
    if not lonely:
        return []
    return [tr("Of one group only, so a model cannot be evaluated on other patients: {names}.", names=_listed(lonely))]


def _about_sources(folder: LabelledFolder, places: Places) -> list[str]:
    sources = {name: {source for source, _ in where} for name, where in places.items()}
    lines = []
    if single := [name for name, where in sources.items() if len(where) == 1 and name != NORMAL]:
        lines.append(
            tr("Of one source only, so figures say nothing about other sources: {names}.", names=_listed(single))
        )
    if without := [source for source in folder.sources if source and source not in sources.get(NORMAL, ())]:
        lines.append(
            tr(
                "Without normal images, so findings cannot be compared with normal images of the same source: "
                "{sources}.",
                sources=", ".join(without),
            )
        )
    return lines


def _listed(names: Iterable[str] | Sequence[str]) -> str:
    return ", ".join(map(shown_name, names))
