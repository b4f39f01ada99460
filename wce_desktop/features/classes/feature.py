"""Opens the window of the classes."""

from functools import partial

from PySide6.QtCore import Qt

from training.texts import Text
from wce_desktop.core.language import tr
from wce_desktop.features.classes.classes_dialog import ClassesDialog
from wce_desktop.session.classes import change_vocabulary
from wce_desktop.workspace import Feature, Workspace


class ClassesFeature(Feature):
    """Lets the reader change the vocabulary of the library."""

    own_actions = ("edit_classes",)

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.dialog: ClassesDialog | None = None

    def edit_classes(self) -> None:
        """Show the classes, to be changed."""
        session = self._session
        session.library.check_writable(Text("a change of the classes"))
        used = session.library.annotations.class_counts()
        dialog = ClassesDialog(session.vocabulary, used, partial(change_vocabulary, session), self._workspace.window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.saved.connect(lambda: self._workspace.show_message(tr("The classes were saved with this library.")))
        dialog.finished.connect(lambda _: setattr(self, "dialog", None))
        self.dialog = dialog
        dialog.open()
