"""The window in which the classes are changed; nothing is stored until Save."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from PySide6 import QtWidgets
from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPixmap

from training.errors import UserError
from training.texts import Text
from wce_desktop.core.annotation.label import NORMAL
from wce_desktop.core.annotation.vocabulary import SHAPES, STANDARDS, ClassName, Vocabulary
from wce_desktop.core.language import names_to_translate, to_translate, tr, tr_count
from wce_desktop.session.classes import change_vocabulary, class_in_use, default_vocabulary
from wce_desktop.widgets import glyphs, plain_text, window_size
from wce_desktop.widgets.basic import Form, in_column, in_row, make_button, make_note, make_text, show_text
from wce_desktop.widgets.dialogs import LeavesReturn, accept_buttons
from wce_desktop.widgets.inputs import Choice, ChoiceBox, class_choices
from wce_desktop.widgets.theme import COLORS
from wce_desktop.workspace import Feature, Workspace

NAME_ROLE = Qt.ItemDataRole.UserRole
ICON_PX = 14
PALETTE = {
    "#e69f00": to_translate("Orange"),
    "#56b4e9": to_translate("Sky blue"),
    "#009e73": to_translate("Green"),
    "#f0e442": to_translate("Yellow"),
    "#0072b2": to_translate("Blue"),
    "#d55e00": to_translate("Vermilion"),
    "#cc79a7": to_translate("Purple"),
    "#9aa0a6": to_translate("Grey"),
}
"""Okabe and Ito's colours, which colour-blind eyes can tell apart."""
_SHAPES = names_to_translate("circle, square, triangle, diamond, cross, star, plus, pentagon, hexagon, bar")
UNKNOWN = to_translate("not known")


class ClassesDialog(window_size.DialogBase):
    """Shows a copy of the classes; `save` gets them and raises `UserError` where they cannot be used."""

    saved = Signal()

    def __init__(
        self,
        vocabulary: Vocabulary,
        used: Mapping[str, int],
        save: Callable[[tuple[ClassName, ...]], None],
        parent: QtWidgets.QWidget | None = None,
    ) -> None:
        """`used`: how many labels, findings, boxes and links have each class."""
        super().__init__(tr("Classes"), 980, 600, parent)
        self._used, self._save = used, save
        self._classes = list(vocabulary.classes)
        self.tree = QtWidgets.QTreeWidget()
        self.tree.setAccessibleName(tr("Classes"))
        self.tree.setHeaderLabels([tr("Class"), tr("Key"), tr("Term")])
        self.tree.header().setSectionResizeMode(0, QtWidgets.QHeaderView.ResizeMode.ResizeToContents)
        self.tree.header().setSectionResizeMode(1, QtWidgets.QHeaderView.ResizeMode.ResizeToContents)
        self.tree.currentItemChanged.connect(lambda *_: self._show_class())
        self.title, self.name, self.term, self.code = (QtWidgets.QLineEdit() for _ in range(4))
        no_codes = tr("No published codes are known for the terms of MST and CEST. Enter one that your hospital uses.")
        self.code.setToolTip(plain_text.plain(no_codes))
        self.key = ChoiceBox(tr("Key"), [Choice("", tr("none")), *(Choice(digit, digit) for digit in "0123456789")])
        self.color = ChoiceBox(
            tr("Colour"), [Choice(color, tr(title), 0, _swatch(color)) for color, title in PALETTE.items()]
        )
        self.shape = ChoiceBox(tr("Shape"), [Choice(shape, tr(shape)) for shape in SHAPES])
        self.parent_name = ChoiceBox(tr("Stands below"))
        self.flags = ChoiceBox(tr("Flags"), [Choice("", tr("shown")), Choice("off", tr("switched off"))])
        self.flags.setToolTip(plain_text.plain(tr("Off: no flags, no scores and no counts of this class anywhere")))
        self.standard = ChoiceBox(tr("Standard"), [Choice(name, name or tr(UNKNOWN)) for name in STANDARDS])
        self.use = make_note()
        self.problem = make_text(COLORS.warning)
        self.add = make_button(tr("Add a class"), tr("Add a class below the chosen one"), self._add)
        self.remove = make_button(tr("Remove"), tr("Remove the chosen class; one that is in use stays"), self._remove)
        tip = tr("Show the classes that come with the program, and those in use")
        self.reset = make_button(tr("Use default classes"), tip, self._reset)
        self.ok = make_button(tr("Save"), tr("Use these classes in this library from now on"))
        self._fields: dict[str, tuple[str, QtWidgets.QLineEdit | ChoiceBox]] = {
            "title": (tr("Title"), self.title),
            "name": (tr("Name"), self.name),
            "key": (tr("Key"), self.key),
            "color": (tr("Colour"), self.color),
            "shape": (tr("Shape"), self.shape),
            "flags": (tr("Flags"), self.flags),
            "parent": (tr("Stands below"), self.parent_name),
            "standard": (tr("Standard"), self.standard),
            "term": (tr("Term"), self.term),
            "code": (tr("Code"), self.code),
        }
        """Field of a class -> its title and box."""
        self._arrange()
        LeavesReturn(self)
        self._fill(self._classes[0].name)

    def _arrange(self) -> None:
        form = Form()
        hints = {"title": tr("shown on the screen"), "name": tr("stored and exported")}
        for name, (title, box) in self._fields.items():
            form.addRow(title, box)
            if isinstance(box, QtWidgets.QLineEdit):
                box.setAccessibleName(title)
                box.setPlaceholderText(hints.get(name, tr(UNKNOWN)))
                box.setMaxLength(100)
                box.editingFinished.connect(lambda box=box, name=name: self._change(name, box.text().strip()))
            else:
                box.chosen.connect(lambda value, name=name: self._change(name, value))
        columns = in_row((self.tree, 2), (in_column(form, self.use, 1), 1))
        buttons = in_row(self.add, self.remove, self.reset, 1, accept_buttons(self, self.ok))
        in_column((columns, 1), self.problem, buttons, of=self)
        self.problem.hide()

    # The classes

    @property
    def classes(self) -> tuple[ClassName, ...]:
        """The classes as they are shown."""
        return tuple(self._classes)

    @property
    def chosen(self) -> ClassName:
        """The chosen class."""
        item = self.tree.currentItem()
        name = item.data(0, NAME_ROLE) if item is not None else NORMAL
        return next(entry for entry in self._classes if entry.name == name)

    def choose(self, name: str) -> None:
        """Choose a class by its name."""
        for item in self.tree.findItems("*", Qt.MatchFlag.MatchWildcard | Qt.MatchFlag.MatchRecursive):
            if item.data(0, NAME_ROLE) == name:
                self.tree.setCurrentItem(item)

    def _fill(self, chosen: str) -> None:
        """Show all classes again, with this one chosen."""
        with QSignalBlocker(self.tree):
            self.tree.clear()
            items: dict[str, QtWidgets.QTreeWidgetItem] = {}
            for _, entry in Vocabulary(self.classes).tree():
                row = [entry.shown_title, entry.key, entry.term or tr(UNKNOWN)]
                item = QtWidgets.QTreeWidgetItem(items.get(entry.parent, self.tree), row)
                item.setToolTip(2, plain_text.plain(entry.term_words))
                item.setIcon(0, glyphs.class_icon(entry, ICON_PX))
                item.setData(0, NAME_ROLE, entry.name)
                items[entry.name] = item
            self.tree.expandAll()
            self.choose(chosen if chosen in items else NORMAL)
        self._show_class()

    def _show_class(self) -> None:
        entry = self.chosen
        below = [Choice("", tr("nothing")), *class_choices(Vocabulary(self.classes), without=(NORMAL, entry.name))]
        self.parent_name.set_choices(below)
        for name, (_, box) in self._fields.items():
            value = entry.shown_title if name == "title" else getattr(entry, name)
            if isinstance(box, QtWidgets.QLineEdit):
                box.setText(value)
                box.setCursorPosition(0)
            else:
                box.show_value(value)
        count = self._used.get(entry.name, 0)
        is_normal = entry.name == NORMAL
        self.name.setEnabled(not count and not is_normal)
        self.parent_name.setEnabled(not is_normal)
        self.flags.setEnabled(not is_normal)
        self.remove.setEnabled(not is_normal)
        words = tr_count(
            "In use by {count} entry (labels, findings, boxes, links): its name stays as it is.",
            "In use by {count} entries (labels, findings, boxes, links): its name stays as it is.",
            count,
        )
        self.use.setText(words if count else tr("Not in use."))

    def _change(self, name: str, value: str) -> None:
        """Change the chosen class where that is possible; else say why not, and show what was there."""
        old = self.chosen
        if value == (old.shown_title if name == "title" else getattr(old, name)):
            return
        try:
            new = replace(old, **{name: value})
            rest = [new if entry is old else entry for entry in self._classes]
            if name == "name":
                rest = [replace(entry, parent=value) if entry.parent == old.name else entry for entry in rest]
            Vocabulary(tuple(rest))
        except ValueError as error:
            self._say(tr("This is not possible: {error}.", error=error))
            self._show_class()
            return
        self._say("")
        self._classes = rest
        self._fill(new.name)

    def _add(self) -> None:
        names, number = {entry.name for entry in self._classes}, 1
        while (name := f"new class {number}") in names:
            number += 1
        parent = "" if self.chosen.name == NORMAL else self.chosen.name
        self._classes.append(ClassName(name, f"New class {number}", "", self.chosen.color, "bar", parent))
        self._say("")
        self._fill(name)
        self.title.setFocus()
        self.title.selectAll()

    def _remove(self) -> None:
        """Remove the chosen class; what stands below it moves up. One that is in use stays."""
        gone = self.chosen
        if count := self._used.get(gone.name, 0):
            error = class_in_use(Vocabulary(self.classes), gone.name, count)
            self._say(tr(error))
            return
        self._classes = [
            replace(entry, parent=gone.parent) if entry.parent == gone.name else entry
            for entry in self._classes
            if entry is not gone
        ]
        self._say("")
        self._fill(gone.parent or NORMAL)

    def _reset(self) -> None:
        """Show the default classes; what is in use and not among them stays, without key and parent."""
        default = default_vocabulary()
        kept = [entry for entry in self._classes if self._used.get(entry.name) and entry.name not in default]
        self._classes = [*default.classes, *(replace(entry, key="", parent="") for entry in kept)]
        self._say("")
        self._fill(NORMAL)

    def accept(self) -> None:
        """Use the classes; what is wrong with them is said, and the dialog stays."""
        try:
            self._save(self.classes)
        except UserError as error:
            self._say(tr(error))
            return
        self.saved.emit()
        super().accept()

    def _say(self, text: str) -> None:
        show_text(self.problem, text)


def _swatch(color: str) -> QIcon:
    pixmap = QPixmap(ICON_PX, ICON_PX)
    pixmap.fill(QColor(color))
    return QIcon(pixmap)


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
        save = partial(change_vocabulary, session, seen=session.vocabulary.classes)
        dialog = ClassesDialog(session.vocabulary, used, save, self._workspace.window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.saved.connect(lambda: self._workspace.show_message(tr("The classes were saved with this library.")))
        dialog.finished.connect(lambda _: setattr(self, "dialog", None))
        self.dialog = dialog
        dialog.open()
