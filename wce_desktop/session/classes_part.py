"""Changes of the classes that readers choose from."""

from training.errors import UserError
from wce_desktop.core.clock import counted
from wce_desktop.core.vocabulary import ClassName, Vocabulary, removed_in_use
from wce_desktop.session.base import SessionBase
from wce_desktop.session.class_file import save_vocabulary


class ClassesPart(SessionBase):
    """The vocabulary of the library."""

    def change_vocabulary(self, classes: tuple[ClassName, ...]) -> None:
        """Save these classes with the library, and use them from now on.

        Raises:
            UserError: they contradict each other, one that is used would go, or they cannot be saved. Nothing is
                changed then.
        """
        self.library.check_writable("a change of the classes")
        try:
            new = Vocabulary(classes)
        except ValueError as error:
            raise UserError(f"The classes cannot be used: {error}.", "Change them and try again.") from error
        gone = removed_in_use(self.vocabulary.names, new.names, self.library.class_counts())
        if gone:
            raise class_in_use(self.vocabulary, *next(iter(gone.items())))
        save_vocabulary(self.library.folder, new)
        self.vocabulary.replace(new.classes)
        self.vocabulary_changed.emit()


def class_in_use(vocabulary: Vocabulary, name: str, count: int) -> UserError:
    """The sentence about a class that cannot go, because so many labels, findings, boxes and links have it."""
    title = vocabulary.of(name).title
    return UserError(
        f"“{title}” is in use by {counted(count, 'entry')} (labels, findings, boxes, links). It was not removed.",
        "Give them another class first, or take only its key away.",
    )
