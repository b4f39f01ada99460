"""The classes of a library: `vocabulary.json` in its folder, where the reader changed them, else the default ones."""

import json
from dataclasses import replace
from pathlib import Path

from training.errors import UserError, writing
from training.files.outputs import written_beside
from training.texts import Text
from wce_desktop.core.annotation.vocabulary import (
    ClassName,
    Vocabulary,
    load_vocabulary,
    removed_in_use,
    with_new_classes,
)
from wce_desktop.core.clock import counted_text
from wce_desktop.core.language import to_translate
from wce_desktop.library.sharing.conflicts import changing_file
from wce_desktop.session.places import resource
from wce_desktop.session.state import SessionState

FILE_NAME = "vocabulary.json"


def default_vocabulary() -> Vocabulary:
    """The classes that come with the program."""
    return load_vocabulary(resource("labels", "default.json"))


def library_vocabulary(folder: Path) -> Vocabulary:
    """The classes of the library in a folder.

    Raises:
        UserError: the file is there and cannot be used; it is left as it is.
    """
    path = folder / FILE_NAME
    if not path.exists():
        return default_vocabulary()
    try:
        return load_vocabulary(path)
    except (OSError, ValueError) as error:
        raise UserError(
            "The classes of the library cannot be read: {error}.",
            "Put the file right, or move it away to get the default classes: {path}.",
            error,
            path,
        ) from error


def change_vocabulary(
    session: SessionState, classes: tuple[ClassName, ...], seen: tuple[ClassName, ...] | None = None
) -> None:
    """Save these classes with the library, and use them from now on.

    Args:
        seen: the classes before, as the reader saw them; by default those of the session.

    Raises:
        ConflictError: another reader changed the classes since.
        UserError: they contradict each other, one that is used would go, or they cannot be saved. Nothing is
            changed then.
    """
    session.library.check_writable(Text("a change of the classes"))
    try:
        new = Vocabulary(classes)
    except ValueError as error:
        raise UserError("The classes cannot be used: {error}.", "Change them and try again.", error) from error
    gone = removed_in_use(session.vocabulary.names, new.names, session.library.annotations.class_counts())
    if gone:
        raise class_in_use(session.vocabulary, *next(iter(gone.items())))
    path, before = session.library.folder / FILE_NAME, session.vocabulary.classes if seen is None else seen
    with (
        changing_file(
            session.library,
            "vocabulary",
            Text("Change the classes"),
            lambda: library_vocabulary(session.library.folder).classes == before,
            to_translate("Open the classes again, and make your change if it is still needed."),
        ),
        writing(path, hint=Text("Free some disk space.")),
        written_beside(path, sync=True) as beside,
    ):
        beside.write_text(json.dumps(new.to_json(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    _use(session, new)


def reload_vocabulary(session: SessionState) -> None:
    """Use the classes of the library, where another reader changed them."""
    there = library_vocabulary(session.library.folder)
    if there.classes != session.vocabulary.classes:
        _use(session, there)


def _use(session: SessionState, new: Vocabulary) -> None:
    off = session.vocabulary.off
    session.vocabulary.replace(new.classes)
    session.vocabulary_changed.emit()
    if off != new.off:
        session.classes_switched.emit()


def switch_off(session: SessionState, name: str) -> None:
    """Show no flags and no scores of a class from now on; `UserError` as `change_vocabulary`."""
    known = session.vocabulary.classes
    classes = known if name in session.vocabulary else with_new_classes(session.vocabulary, [name])
    change_vocabulary(session, tuple(replace(one, flags="off") if one.name == name else one for one in classes))


def class_in_use(vocabulary: Vocabulary, name: str, count: int) -> UserError:
    """The sentence about a class that cannot go, because so many labels, findings, boxes and links have it."""
    title = vocabulary.of(name).shown_title
    return UserError(
        "“{title}” is in use by {entries} (labels, findings, boxes, links). It was not removed.",
        "Give them another class first, or take only its key away.",
        title,
        counted_text(count, "entry"),
    )
