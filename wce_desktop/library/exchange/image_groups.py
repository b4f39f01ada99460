"""Which study the images of annotation files belong to, by all that the files say of their recordings."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from training.datasets.annotations.content import AnnotatedImage, AnnotationFile, Video
from training.errors import UserError
from training.settings import shortened
from training.video.formats import VIDEO_SUFFIXES
from wce_desktop.core.language import to_translate, tr
from wce_desktop.library.exchange.study_frames import FrameName, Studies, frame_names, is_generic, plain_name

NO_STUDY = to_translate("the names do not say which study they belong to, and no study was chosen")
NOT_WANTED = to_translate("their recording was left out")
UNSURE = "?"
"""Stands for the recording of images whose names have no number that is surely that of a frame."""
_MAPPING = to_translate(
    "Say the study of each recording (in the shell: --recording NAME=STUDY; nothing after the = leaves it out)."
)

_OURS = re.compile(r"(?:(.+)-)?frame-(\d{1,9})")
"""The end of what `frame_name` of `training.datasets.annotations.coco` makes, as one file name or below a folder."""
_PARTS_OF_SETS = re.compile(
    r"(obj_)?(train|training|val|valid|validation|test|default|all)(_data)?|(labelled_)?(images?|imgs?|pictures?|frames?)"
    r"|labels?|annotations?|data|jpegimages",
    re.IGNORECASE,
)
"""Folders of data sets, which say nothing of a recording."""
SHOWN_GROUPS = 8
LEFT_OUT = ""
"""As the class of the vocabulary: boxes and labels of this class of the file are left out."""


@dataclass(frozen=True, slots=True)
class Clue:
    """Something that a file says of a recording.

    Attributes:
        kind: in words, such as "folder"; translated.
        text: as the file has it.
        is_certain: whether it is the name of a recording, and not one that may mean something else.
    """

    kind: str
    text: str
    is_certain: bool = False


@dataclass
class ImageGroup:
    """Images that belong to one recording, as far as the files say.

    Attributes:
        name: of the recording, unique; what a person is asked about.
        images: each with its name, cut at the number of its frame.
        clues: what the files say of the recording.
        study_id: the study; empty: not known.
        problem: why no study is known, or why it cannot be this one; a translated sentence without a full stop.
    """

    name: str
    clues: tuple[Clue, ...]
    video: Video
    images: list[tuple[AnnotatedImage, FrameName]] = field(default_factory=list)
    study_id: str = ""
    problem: str = ""
    fingerprint: str = ""
    """Of the recording, where this program wrote the file."""
    is_disputed: bool = False
    """Whether the clues disagree."""

    @property
    def contradicts(self) -> bool:
        """Whether the files say that it is another recording than one that is not `study_id`."""
        return bool(self.study_id) or self.is_disputed or any(clue.is_certain for clue in self.clues)

    @property
    def clues_in_words(self) -> str:
        """ "folder “clip”, video “clip.mp4”"; empty where the files say nothing."""
        return ", ".join(f"{tr(clue.kind)} {_quoted(clue.text)}" for clue in self.clues)


@dataclass(frozen=True)
class AnnotationChoice:
    """What a person says about annotation files.

    Attributes:
        study_id: the study of all files, where these do not name another one.
        names: class in the files -> class of the vocabulary, or `LEFT_OUT`.
        first_frame: number that the names of images give the first frame; None: as the names show, else 0.
        recordings: recording of the files, as `ImageGroup` names it -> study, whatever the files say; empty: left out.
    """

    study_id: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    first_frame: int | None = None
    recordings: Mapping[str, str] = field(default_factory=dict)


def image_groups(
    files: Sequence[AnnotationFile], studies: Studies, chosen: AnnotationChoice, is_class: Callable[[str], bool]
) -> list[ImageGroup]:
    """The images of files by recording, each with its study where the clues agree on one.

    Args:
        files: as read.
        studies: of the library.
        chosen: what a person says.
        is_class: whether a text is a class: images of any recording may lie in a folder of this name.

    Raises:
        UserError: what a person says contradicts the files, or names an unknown recording or study.
    """
    images = [image for file in files for image in file.images]
    classes = {name.lower() for image in images for name in (*image.labels, *image.absent)}
    classes |= {box.name.lower() for image in images for box in image.boxes}
    groups: dict[tuple[object, ...], ImageGroup] = {}
    for file in files:
        _collect(file, studies, lambda name: name.lower() in classes or is_class(name), groups)
    by_recording = list(groups.values())
    taken: set[str] = set()
    for group in by_recording:
        names = (group.name, *(f"{group.name} ({number})" for number in range(2, len(taken) + 2)))
        group.name = next(name for name in names if name not in taken)
        taken.add(group.name)
        _resolve(group, studies)
    _keep_apart(by_recording, studies)
    _apply(by_recording, studies, chosen)
    for group in by_recording:
        if group.study_id:
            group.problem = recording_differs(group, studies)
            group.study_id = "" if group.problem else group.study_id
    return by_recording


def _collect(
    file: AnnotationFile,
    studies: Studies,
    is_class: Callable[[str], bool],
    groups: dict[tuple[object, ...], ImageGroup],
) -> None:
    """Sort the images of a file into groups: those about which it says the same."""
    alike: dict[tuple[Video, str, tuple[str, ...]], list[tuple[AnnotatedImage, str]]] = {}
    for image in file.images:
        name = plain_name(image.original_name or image.file_name)
        alike.setdefault((image.video, image.study_id, _folders(image)), []).append((image, name))
    for (video, study_id, folders), images in alike.items():
        cut = frame_names([name for _, name in images], lambda name: bool(studies.named(name)))
        of_classes = [Clue(_FOLDER, part) for part in folders if is_class(part) and not studies.named(part)]
        of_all = [clue for part in folders if (clue := Clue(_FOLDER, part)) not in of_classes]
        if video.name:
            of_all.append(Clue(_VIDEO, video.name, Path(video.name).suffix.lower() in VIDEO_SUFFIXES))
        of_all += [Clue(_TASK, video.title)] if video.title else []
        of_all += [Clue(_STUDY, study_id, True)] if study_id else []
        for image, name in images:
            key, of_name = _clues(image, name, cut[name], studies)
            ours = our_name(image)
            exported_id = study_id or (ours[0] if ours is not None else "")
            fingerprint = file.fingerprints.get(exported_id, "")
            if own := studies.of_content(fingerprint, exported_id):  # the content says more than any name
                key, said = own, [Clue(_STUDY, own, True)]
            else:
                said = [*of_all, *of_name] or of_classes
            clues = tuple(dict.fromkeys(said)) or _of_file(file, studies)
            is_named = any(clue.kind != _FILE for clue in clues)
            place = (video, study_id, clues, key, fingerprint, None if is_named else file.path)
            group = groups.get(place)
            if group is None:
                title = _title(clues) if is_named else file.path.name
                group = groups[place] = ImageGroup(title, clues, video, fingerprint=fingerprint)
            group.images.append((image, cut[name]))


def _folders(image: AnnotatedImage) -> tuple[str, ...]:
    """The folders of an image that may say something of its recording; a number may be that of a recording."""
    parts = image.file_name.split("/")[:-1]
    of_sets = (part for part in parts if part and not _PARTS_OF_SETS.fullmatch(part))
    return tuple(part for part in of_sets if not is_generic(part) or any(map(str.isdigit, part)))


_FOLDER, _VIDEO, _TASK = to_translate("folder"), to_translate("video"), to_translate("task")
_STUDY, _NAME, _FILE = to_translate("study"), to_translate("name"), to_translate("file")
_IMAGE = to_translate("image of the study")


def _clues(image: AnnotatedImage, name: str, cut: FrameName, studies: Studies) -> tuple[str, tuple[Clue, ...]]:
    """What keeps an image apart from others in its folder, and the clues in its name."""
    if (ours := our_name(image)) is not None:
        return ours[0], (Clue(_STUDY, ours[0], True),) if ours[0] else ()
    last = image.file_name.rsplit("/", 1)[-1]
    if not is_generic(name) and (study_id := studies.of_image(last)):
        return f"/{study_id}", (Clue(_IMAGE, study_id, True),)
    if not cut.is_sure or not cut.number:
        return ("", (Clue(_NAME, name),)) if studies.named(name) else (UNSURE, ())
    named = next((each for each in cut.recordings if studies.named(each)), "")
    recording = named or next(iter(cut.recordings[-1:]), "")
    is_video = cut.is_time and Path(recording).suffix.lower() in VIDEO_SUFFIXES
    clues = [Clue(_NAME, recording, is_video)] if recording else []
    if image.original_name and not plain_name(image.file_name).startswith(cut.before):
        clues.append(Clue(_NAME, plain_name(image.file_name), True))
    return cut.before.rstrip("-_. "), tuple(clues)


def our_name(image: AnnotatedImage) -> tuple[str, int] | None:
    """Study and frame in a name that this program gave; None for other names."""
    matched = _OURS.fullmatch(plain_name(image.file_name))
    if matched is None:
        return None
    folders = image.file_name.split("/")[:-1]
    folder = folders[-1] if folders and not _PARTS_OF_SETS.fullmatch(folders[-1]) else ""
    return matched[1] or folder, int(matched[2])


def _of_file(file: AnnotationFile, studies: Studies) -> tuple[Clue, ...]:
    """What the name of a file says, and its folder if it is called as a study."""
    folder = file.path.parent.name
    return (*([Clue(_FOLDER, folder)] if studies.named(folder) else []), Clue(_FILE, file.path.stem))


def _title(clues: Sequence[Clue]) -> str:
    """A name for a recording: the most certain clue, and what else the file says."""
    ordered = sorted(clues, key=lambda clue: not clue.is_certain)
    texts = list(dict.fromkeys(clue.text for clue in ordered if clue.kind != _TASK or len(clues) == 1))
    stems = [text for at, text in enumerate(texts) if not any(Path(other).stem == text for other in texts[:at])]
    return "/".join(stems)


def _resolve(group: ImageGroup, studies: Studies) -> None:
    """The study on which all clues of a group agree that name one."""
    named = {clue: _named(clue, studies) for clue in group.clues}
    naming = [clue for clue in group.clues if named[clue]]
    strangers = [clue for clue in group.clues if clue.is_certain and not named[clue]]
    if not naming:
        group.problem = tr(NO_STUDY)
        return
    agreed = frozenset.intersection(*(named[clue] for clue in naming))
    contents = [studies.by_id[study_id].study.fingerprint for study_id in agreed]
    if agreed and all(group.fingerprint and own not in ("", group.fingerprint) for own in contents):
        name = studies.by_id[min(agreed)].study.name
        group.problem = tr("study {study} here is another recording than theirs", study=name)
    elif not agreed or strangers:
        group.problem = tr("the clues to their recording disagree: {clues}", clues=group.clues_in_words)
    if group.problem:
        group.is_disputed = True
        return
    fitting = [study_id for study_id in agreed if not recording_differs(group, studies, study_id)]
    fitting = fitting if len(agreed) > 1 else list(agreed)
    if len(fitting) == 1:
        group.study_id = fitting[0]
    else:
        group.problem = tr("several studies are called “{name}”", name=shortened(naming[0].text))


def _named(clue: Clue, studies: Studies) -> frozenset[str]:
    """The studies that a clue may mean; where this program wrote the file, the id alone counts if it is one."""
    if clue.kind in (_STUDY, _IMAGE) and clue.text in studies.by_id:
        return frozenset((clue.text,))
    stem = Path(clue.text).stem if Path(clue.text).suffix.lower() in VIDEO_SUFFIXES else ""
    return studies.named(clue.text) or studies.named(stem)


def _keep_apart(groups: Sequence[ImageGroup], studies: Studies) -> None:
    """Leave groups open that lead to one study, but about which a file says different things."""
    rests: dict[str, set[frozenset[str]]] = {}
    for group in groups:
        rests.setdefault(group.study_id, set()).add(_rest(group, studies))
    for group in groups:
        if group.study_id and len(rests[group.study_id]) > 1:
            name = studies.by_id[group.study_id].study.name
            group.is_disputed = True
            group.problem = tr("images of several recordings are called as if they were of {study}", study=name)
    for group in groups:
        group.study_id = "" if group.problem else group.study_id


def _rest(group: ImageGroup, studies: Studies) -> frozenset[str]:
    """What is said of a group beside the name of its study."""
    return frozenset(clue.text for clue in group.clues if clue.kind not in (_TASK, _FILE) and not _named(clue, studies))


def _apply(groups: Sequence[ImageGroup], studies: Studies, chosen: AnnotationChoice) -> None:
    """Take over what a person said."""
    for study_id in {chosen.study_id, *chosen.recordings.values()} - {""}:
        if study_id not in studies.by_id:
            raise UserError("The library has no study {study}.", "Choose one of its studies.", repr(study_id))
    by_name = {group.name: group for group in groups}
    for name, study_id in chosen.recordings.items():
        if name not in by_name:
            raise UserError("The files have no recording {name}.", "They have: {names}.", repr(name), names_of(groups))
        group = by_name[name]
        group.study_id, group.problem = study_id, "" if study_id else tr(NOT_WANTED)
    if not chosen.study_id:
        return
    # The study chosen for all files, unless these say something else.
    rest = [group for group in groups if group.name not in chosen.recordings]
    others = [group for group in rest if group.study_id != chosen.study_id]
    open_ = [group for group in others if any(name.is_sure for _, name in group.images)]
    stating = [group for group in rest if any(clue.kind != _FILE for clue in group.clues)]
    against = [group for group in others if group.contradicts]
    if (against and len(rest) > 1) or len(open_) > 1 or (len(stating) > 1 and any(each in stating for each in open_)):
        raise UserError("The files hold several recordings: {names}.", _MAPPING, names_of(rest))
    if against:
        raise UserError(
            "Study {study} was chosen, but the file says: {clues}.",
            _MAPPING,
            chosen.study_id,
            against[0].clues_in_words,
        )
    for group in others:
        group.study_id, group.problem = chosen.study_id, ""


def _quoted(text: str) -> str:
    return tr("“{value}”", value=shortened(text))


def names_of(groups: Sequence[ImageGroup]) -> str:
    names = ", ".join(_quoted(group.name) for group in groups[:SHOWN_GROUPS])
    return f"{names} …" if len(groups) > SHOWN_GROUPS else names


def recording_differs(group: ImageGroup, studies: Studies, study_id: str = "") -> str:
    """Why a group cannot be of its study, or of the one given: length or size differ; empty: it can."""
    frames, video = studies.by_id[study_id or group.study_id], group.video
    study, count = frames.study, frames.study.frame_count
    if video.frame_count is not None and 0 < count != video.frame_count:
        return tr(
            "the file was made for a recording of {theirs} frames; study {study} has {ours}",
            theirs=video.frame_count, study=study.study_id, ours=count,
        )  # fmt: skip
    if video.last_frame is not None and 0 < count <= video.last_frame:
        return tr(
            "the file was made for a recording of more than {theirs} frames; study {study} has {ours}",
            theirs=video.last_frame, study=study.study_id, ours=count,
        )  # fmt: skip
    size = frames.frame_size if video.size is not None else None
    if size is not None and video.size is not None and size != video.size:
        return tr(
            "the file was made for frames of {theirs} px; those of study {study} have {ours} px",
            theirs=f"{video.size[1]} x {video.size[0]}", study=study.study_id, ours=f"{size[1]} x {size[0]}",
        )  # fmt: skip
    return ""
