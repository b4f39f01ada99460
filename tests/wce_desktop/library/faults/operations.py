"""The libraries that the faults meet, and what is done with them: one row for each operation."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.crash.stores import write_first_version
from tests.wce_desktop.library.conftest import make_label
from tests.wce_desktop.library.test_models import model_folder
from wce_desktop.core.annotation.change import Add
from wce_desktop.library import Library
from wce_desktop.library.backup import backup_file, backups, copies
from wce_desktop.library.backup.recovery import Recovery, find_copies
from wce_desktop.library.exchange import apply_import, export_library, plan_import
from wce_desktop.library.exchange.reading_file import export_reading, import_reading, plan_reading
from wce_desktop.library.moving import move_library
from wce_desktop.library.storage import encrypting, key_file
from wce_desktop.library.storage.opening import start_empty

PASSPHRASE, EARLIER, NEW = "the present words", "the earlier words", "the newest words"
PASSPHRASES = (PASSPHRASE, NEW, EARLIER)


@dataclass(frozen=True)
class World:
    """The folders of one case.

    Attributes:
        library: the library's folder.
        place: an empty folder for copies, exports and the moved library.
        inputs: files to import; nothing is written there.
    """

    library: Path
    place: Path
    inputs: Path


@dataclass(frozen=True)
class Operation:
    """One thing that is done with a library.

    Attributes:
        start: what the library is like before; see `STARTS`.
        act: is watched. Where `is_open` the library is open already, and is its second argument.
        may_remove: whether signed reports and studies are removed by it.
        may_repeat: whether a fault may leave a library that needs the same operation once more.
    """

    name: str
    start: str
    act: Callable[[World, Library], object]
    is_open: bool = False
    may_remove: bool = False
    may_repeat: bool = False


def label(library: Library, start: int) -> None:
    """One more label in the study S1."""
    library.annotations.edit("S1", "Label", [Add(make_label("S1", start, start + 1))])


def sign(library: Library) -> object:
    """One more signed version of the report of S1."""
    version = library.reports.next_version("S1")
    html, pdf = f"<p>{version}".encode(), f"%PDF {version}".encode()
    return library.reports.keep("S1", version, html=html, pdf=pdf, reader="reader", acknowledged={})


def make_starts(folder: Path) -> dict[str, Path]:
    """Make the libraries, each in a folder of its own, and the files to import."""
    plain, inputs = folder / "plain", folder / "inputs"
    inputs.mkdir(parents=True)
    with Library.open(plain, "reader") as library:
        for name in ("S1", "S2"):
            library.studies.add(inputs / f"{name}.mp4", study_id=name, fingerprint=f"of {name}", frame_count=1000)
        label(library, 1)
        library.models.register(model_folder(inputs, "first"), title="Demo")
        library.models.register(model_folder(inputs, "second", 1.0), title="Demo")
        library.models.set_current("first")
        sign(library)
        library.back_up()
        label(library, 3)
        export_reading(library, "S1", inputs / "reading.json")
        export_library(library, inputs / "exported")
    with Library.open(inputs / "other", "other") as other:
        import_reading(other, plan_reading(other, inputs / "reading.json"))
        (study,) = other.studies.all()
        other.annotations.edit(study.study_id, "Label", [Add(make_label(study.study_id, 50, 60, "ulcer"))])
        export_reading(other, study.study_id, inputs / "other.json")
    shutil.rmtree(inputs / "other")
    backups.restore_backup(plain)
    with Library.open(plain, "reader") as library:
        label(library, 5)
    shutil.copytree(plain, folder / "encrypted")
    _encrypt(folder / "encrypted")
    shutil.copytree(plain, folder / "damaged")
    (folder / "damaged" / "library.sqlite").write_bytes(b"garbage " * 2000)
    write_first_version(folder / "older", labels=40)
    shutil.copytree(plain, folder / "with older backup")
    shutil.copy(folder / "older" / "library.sqlite", folder / "with older backup" / "backups" / "library-0.sqlite")
    (folder / "none").mkdir()
    _copy_to(folder / "plain", inputs / "copies")
    key_file.unlock(folder / "encrypted", PASSPHRASE)
    _copy_to(folder / "encrypted", inputs / "encrypted copies")
    key_file.lock(folder / "encrypted")
    return {path.name: path for path in folder.iterdir()}


def _copy_to(folder: Path, disk: Path) -> None:
    """Copies of a library; it gets its identity when it is opened."""
    Library.open(folder, "reader").close()
    disk.mkdir()
    copies.copy_newest(folder, disk)


def _encrypt(folder: Path) -> None:
    """Encrypt a library; its oldest backup is encrypted with an earlier key."""
    encrypting.encrypt_library(folder, EARLIER)
    oldest, key = backup_file.list_backups(folder)[0], (folder / key_file.NAME).read_bytes()
    content = oldest.read_bytes()
    encrypting.decrypt_library(folder)
    encrypting.encrypt_library(folder, PASSPHRASE)
    oldest.write_bytes(content)
    for place in (folder, folder / "backups"):
        (place / "library.20260101-000000-000000.key").write_bytes(key)
    key_file.lock(folder)


def _open(world: World, _: Library) -> None:
    Library.open(world.library, "reader").close()


def _unlock(world: World, _: Library) -> None:
    key_file.lock(world.library)
    key_file.unlock(world.library, PASSPHRASE)
    Library.open(world.library, "reader").close()


def _restore(at: int) -> Callable[[World, Library], object]:
    return lambda world, _: backups.restore_backup(world.library, backup_file.list_backups(world.library)[at])


def _restore_earlier(world: World, _: Library) -> None:
    chosen = backup_file.list_backups(world.library)[0]
    key_file.unlock_backup(world.library, chosen, EARLIER)
    backups.restore_backup(world.library, chosen)


def _restore_replaced(world: World, _: Library) -> None:
    backups.restore_backup(world.library, backup_file.databases_aside(world.library)[0])


def _import(world: World, library: Library) -> object:
    return apply_import(library, plan_import(library, world.inputs / "exported", ("polyp",)))


def _copy(world: World, library: Library) -> None:
    copies.copy_newest(world.library, world.place)


def _restore_copy(place: str) -> Callable[[World, Library], object]:
    def act(world: World, _: Library) -> object:
        recovery = Recovery(find_copies(world.inputs / place)[0].path)
        if recovery.is_locked:
            recovery.unlock(PASSPHRASE)
        return recovery.restore(world.library)

    return act


def _move(world: World, _: Library) -> object:
    return move_library(world.library, world.place / "moved")


def _start_empty(world: World, _: Library) -> None:
    start_empty(world.library)


def _import_reading(world: World, library: Library) -> object:
    return import_reading(library, plan_reading(library, world.inputs / "other.json"))


OPERATIONS = (
    Operation("open a new library", "none", _open),
    Operation("open", "plain", _open),
    Operation("open an encrypted one", "encrypted", _open),
    Operation("unlock and open", "encrypted", _unlock),
    Operation("open with migration", "older", _open),
    Operation("encrypt", "plain", lambda world, _: encrypting.encrypt_library(world.library, PASSPHRASE)),
    Operation("remove the encryption", "encrypted", lambda world, _: encrypting.decrypt_library(world.library)),
    Operation("change the passphrase", "encrypted", lambda world, _: key_file.change(world.library, PASSPHRASE, NEW)),
    Operation("back up", "plain", lambda _, library: library.back_up(), is_open=True),
    Operation("back up an encrypted one", "encrypted", lambda _, library: library.back_up(), is_open=True),
    Operation("restore", "plain", _restore(0)),
    Operation("restore an encrypted one", "encrypted", _restore(1)),
    Operation("restore with an earlier key", "encrypted", _restore_earlier),
    Operation("restore an older version", "with older backup", _restore(0)),
    Operation("restore a replaced database", "plain", _restore_replaced),
    Operation("restore over a damaged one", "damaged", _restore(-1)),
    Operation("start empty", "plain", _start_empty),
    Operation("start empty, encrypted", "encrypted", _start_empty),
    Operation("start empty over a damaged one", "damaged", _start_empty),
    Operation("label", "plain", lambda _, library: label(library, 7), is_open=True),
    Operation("label, encrypted", "encrypted", lambda _, library: label(library, 7), is_open=True),
    Operation("sign", "plain", lambda _, library: sign(library), is_open=True),
    Operation("sign, encrypted", "encrypted", lambda _, library: sign(library), is_open=True),
    Operation(
        "remove a study", "plain", lambda _, library: library.removals.remove(["S1"]), is_open=True, may_remove=True
    ),
    Operation(
        "remove a study, encrypted", "encrypted", lambda _, library: library.removals.remove(["S1"]), is_open=True,
        may_remove=True,
    ),
    Operation(
        "register a model", "plain", lambda world, library: library.models.register(model_folder(world.place, "third")),
        is_open=True,
    ),
    Operation("delete a model", "plain", lambda _, library: library.models.delete("second"), is_open=True),
    Operation("begin a run", "plain", lambda _, library: library.runs.add("a run", run_id="R1"), is_open=True),
    Operation(
        "export a reading", "plain", lambda world, library: export_reading(library, "S1", world.place / "reading.json"),
        is_open=True,
    ),
    Operation("import a reading", "plain", _import_reading, is_open=True),
    Operation("export", "plain", lambda world, library: export_library(library, world.place / "out"), is_open=True),
    Operation("import", "plain", _import, is_open=True),
    Operation("copy to another folder", "plain", _copy, is_open=True),
    Operation("copy to another folder, encrypted", "encrypted", _copy, is_open=True),
    Operation("restore a copy on an empty computer", "none", _restore_copy("copies"), may_repeat=True),
    Operation("restore an encrypted copy", "none", _restore_copy("encrypted copies"), may_repeat=True),
    Operation("restore a copy over a damaged library", "damaged", _restore_copy("copies"), may_repeat=True),
    Operation("move to another folder", "plain", _move),
    Operation("move to another folder, encrypted", "encrypted", _move),
)  # fmt: skip
