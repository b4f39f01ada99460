"""The computer burned: from a folder of copies, and nothing else, a library comes back on an empty computer."""

import contextlib
import shutil
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest

from tests.wce_desktop.sessions import write_model
from training.errors import UserError
from wce_desktop.__main__ import main
from wce_desktop.library import Library, removals
from wce_desktop.library.backup import backup_file, backups, copies
from wce_desktop.library.backup.backup_file import contents_of
from wce_desktop.library.backup.recovery import Recovery, find_copies
from wce_desktop.library.moving import move_library
from wce_desktop.library.storage import encrypting, key_file
from wce_desktop.library.storage.key_file import WrongPassphraseError
from wce_desktop.library.storage.sqlite_file import open_file

FIRST, SECOND, THIRD = "the first words", "the second words", "the third words"
PDF, HTML = b"%PDF signed", b"<p>signed</p>"


@pytest.fixture(autouse=True)
def _no_keys_left() -> Iterator[None]:
    yield
    forget_all()


def forget_all() -> None:
    for folder in list(key_file._held):
        key_file.lock(folder)


class Computer:
    """A library that is used, and the disk to which its copies go."""

    def __init__(self, place: Path) -> None:
        self.folder, self.disk = place / "library", place / "disk"
        self.disk.mkdir(parents=True)
        with Library.open(self.folder, "reader") as library:
            library.models.register(write_model(place / "source", "m1"), title="Model 1")
        (self.folder / "settings.json").write_text('{"reader": "Dr. Example"}')
        (self.folder / "vocabulary.json").write_text("{}")

    def read(self, study_id: str, *, is_signed: bool = True) -> None:
        """Read a study, sign its report, and copy a backup."""
        with Library.open(self.folder, "reader") as library:
            library.studies.add(self.folder / f"{study_id}.mp4", study_id=study_id, frame_count=10)
            if is_signed:
                sign(library, study_id)
            library.back_up()
        self.copy()

    def copy(self) -> Path:
        return copies.copy_newest(self.folder, self.disk)

    def burn(self) -> None:
        shutil.rmtree(self.folder)
        forget_all()


@pytest.fixture
def computer(tmp_path: Path) -> Computer:
    return Computer(tmp_path / "old")


@pytest.fixture
def few_kept(monkeypatch: pytest.MonkeyPatch) -> int:
    """Copies of three backups are kept of a library, not of ten; returns how many backups are more than that."""
    monkeypatch.setattr(copies, "KEPT", 3)
    return copies.KEPT + 2


def sign(library: Library, study_id: str) -> None:
    version = library.reports.next_version(study_id)
    library.reports.keep(study_id, version, html=HTML, pdf=PDF, reader="reader", acknowledged={})


def restore(disk: Path, target: Path, passphrase: str = "", number: int = 0) -> None:
    recovery = Recovery(find_copies(disk)[number].path)
    if passphrase:
        recovery.unlock(passphrase)
    recovery.restore(target)
    recovery.close()


def assert_whole(folder: Path, *study_ids: str) -> None:
    with Library.open(folder, "reader") as library:
        assert {study.study_id for study in library.studies.all()} == set(study_ids)
        for study_id in study_ids:
            (report,) = library.reports.signed(study_id)
            report.check()
        (model,) = library.models.all()
        assert (model.folder / "config.json").is_file()
        assert library.loss is None
    assert "Dr. Example" in (folder / "settings.json").read_text()
    assert (folder / "vocabulary.json").is_file()


def test_a_plain_library_comes_back(computer: Computer, tmp_path: Path) -> None:
    computer.read("S1")
    computer.read("S2")
    computer.burn()
    restore(computer.disk, tmp_path / "new")
    assert_whole(tmp_path / "new", "S1", "S2")


def test_an_encrypted_library_comes_back_with_its_passphrase(computer: Computer, tmp_path: Path) -> None:
    computer.read("S1")
    encrypting.encrypt_library(computer.folder, FIRST)
    computer.read("S2")
    computer.burn()
    assert [copy.contents for copy in find_copies(computer.disk)] == [None, None]
    recovery = Recovery(find_copies(computer.disk)[0].path)
    with pytest.raises(WrongPassphraseError, match="This is not the passphrase of the copy"):
        recovery.unlock("no such words")
    restore(computer.disk, tmp_path / "new", FIRST)
    assert_whole(tmp_path / "new", "S1", "S2")
    forget_all()
    key_file.unlock(tmp_path / "new", FIRST)
    assert_whole(tmp_path / "new", "S1", "S2")


@pytest.mark.parametrize("is_copied_between", [False, True])
def test_three_passphrases_over_time(computer: Computer, tmp_path: Path, is_copied_between: bool) -> None:
    """Each copy opens with the passphrase of then; a changed passphrase also opens earlier copies of the same key."""
    encrypting.encrypt_library(computer.folder, FIRST)
    computer.read("S1")
    key_file.change(computer.folder, FIRST, SECOND)
    computer.read("S2")
    encrypting.decrypt_library(computer.folder)
    if is_copied_between:
        forget_all()
        computer.copy()
    encrypting.encrypt_library(computer.folder, THIRD)
    computer.read("S3")
    computer.burn()
    for number, passphrase, ids in ((0, THIRD, "123"), (1, SECOND, "12"), (2, FIRST, "1"), (2, SECOND, "1")):
        target = tmp_path / f"new-{number}-{passphrase}"
        recovery = Recovery(find_copies(computer.disk)[number + (number > 0 and is_copied_between)].path)
        recovery.unlock(passphrase)
        assert recovery.locked_reports() == 0
        recovery.restore(target)
        recovery.close()
        assert_whole(target, *(f"S{one}" for one in ids))
        forget_all()
    wrong = Recovery(find_copies(computer.disk)[0].path)
    with pytest.raises(WrongPassphraseError, match="opens another copy in this folder"):
        wrong.unlock(FIRST)
    wrong.close()


def test_a_library_that_was_moved_keeps_its_copies(computer: Computer, tmp_path: Path) -> None:
    computer.read("S1")
    place = copies.place_of_copies(computer.folder, computer.disk)
    move_library(computer.folder, tmp_path / "moved")
    computer.folder = tmp_path / "moved"
    computer.read("S2")
    assert copies.place_of_copies(computer.folder, computer.disk) == place
    assert len(find_copies(computer.disk)) == 2
    encrypting.encrypt_library(computer.folder, FIRST)
    computer.copy()
    assert {copy.contents for copy in find_copies(computer.disk)} != {None}  # its key is held
    computer.burn()
    assert {copy.contents for copy in find_copies(computer.disk)} == {None}
    restore(computer.disk, tmp_path / "new", FIRST)
    assert_whole(tmp_path / "new", "S1", "S2")


def test_two_libraries_share_a_folder(computer: Computer, tmp_path: Path) -> None:
    other = Computer(tmp_path / "other")
    other.disk = computer.disk
    computer.read("S1")
    encrypting.encrypt_library(other.folder, SECOND)
    other.read("T1")
    computer.read("S2")
    computer.burn()
    other.burn()
    for lost, passphrase, ids in ((computer, "", ("S1", "S2")), (other, SECOND, ("T1",))):
        copy = next(copy for copy in find_copies(computer.disk) if copy.library == str(lost.folder))
        recovery = Recovery(copy.path)
        if passphrase:
            recovery.unlock(passphrase)
        recovery.restore(tmp_path / f"new-{ids[0]}")
        recovery.close()
        assert_whole(tmp_path / f"new-{ids[0]}", *ids)


@pytest.mark.parametrize("is_encrypted", [False, True])
def test_a_new_library_in_the_same_place_touches_no_copy_of_the_lost_one(
    computer: Computer, tmp_path: Path, few_kept: int, is_encrypted: bool
) -> None:
    if is_encrypted:
        encrypting.encrypt_library(computer.folder, FIRST)
    numbers = range(1, few_kept + 1)
    for number in numbers:
        computer.read(f"S{number}")
    before = {path: path.read_bytes() for path in computer.disk.rglob("*") if path.is_file()}
    computer.burn()
    shutil.rmtree(computer.folder.parent / "source")
    second = Computer.__new__(Computer)
    second.folder, second.disk = computer.folder, computer.disk
    with Library.open(second.folder, "reader"):
        pass
    if is_encrypted:
        encrypting.encrypt_library(second.folder, SECOND)
    for number in numbers:
        second.read(f"T{number}")
    assert {path: path.read_bytes() for path in before} == before
    assert len(copies.copies(second.folder, second.disk)) == copies.KEPT
    forget_all()
    lost = next(iter(path for path in before if path.suffix == ".sqlite")).parent
    restore(lost, tmp_path / "new", FIRST if is_encrypted else "")
    assert_whole(tmp_path / "new", *(f"S{number}" for number in numbers))


def test_copying_goes_on_after_an_older_copy_was_restored(computer: Computer, tmp_path: Path, few_kept: int) -> None:
    for number in range(1, 4):
        computer.read(f"S{number}")
    later = find_copies(computer.disk)[0].path
    computer.burn()
    restore(computer.disk, tmp_path / "new", number=1)
    computer.folder = tmp_path / "new"
    assert_whole(computer.folder, "S1", "S2")
    for number in range(few_kept):
        computer.read(f"U{number}")
    present = copies.copies(computer.folder, computer.disk)
    assert contents_of(present[-1].path) == contents_of(backup_file.list_backups(computer.folder)[-1])
    assert len(present) == copies.KEPT
    assert later.is_file(), "the library from which it was copied may be in use"
    assert not copies.is_copy_due(computer.folder, computer.disk, 1, datetime.now(UTC) + timedelta(hours=1))


def test_what_is_there_is_kept(computer: Computer, tmp_path: Path) -> None:
    computer.read("S1")
    other = Computer(tmp_path / "present")
    other.read("T1")
    restore(computer.disk, other.folder)
    assert_whole(other.folder, "S1")
    (aside,) = other.folder.glob("library.replaced-*.sqlite")
    held = contents_of(aside)
    assert held is not None
    assert held.studies == 1


def test_an_encrypted_copy_takes_the_form_of_the_library_in_whose_place_it_comes(
    computer: Computer, tmp_path: Path
) -> None:
    encrypting.encrypt_library(computer.folder, FIRST)
    computer.read("S1")
    computer.burn()
    other = Computer(tmp_path / "present")
    encrypting.encrypt_library(other.folder, SECOND)
    other.read("T1")
    restore(computer.disk, other.folder, FIRST)
    forget_all()
    key_file.unlock(other.folder, SECOND)
    assert_whole(other.folder, "S1")


def test_an_encrypted_copy_in_the_place_of_a_plain_library_is_plain(computer: Computer, tmp_path: Path) -> None:
    encrypting.encrypt_library(computer.folder, FIRST)
    computer.read("S1")
    computer.burn()
    other = Computer(tmp_path / "present")
    restore(computer.disk, other.folder, FIRST)
    forget_all()
    assert not key_file.is_protected(other.folder)
    assert_whole(other.folder, "S1")


def test_the_command_needs_the_folder_and_the_passphrase_only(
    computer: Computer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    encrypting.encrypt_library(computer.folder, FIRST)
    computer.read("S1")
    computer.burn()
    source, target = ["restore", "--from", str(computer.disk)], ["--library", str(tmp_path / "new")]
    assert main([*source, *target]) == 0
    line, *_ = capsys.readouterr().out.splitlines()
    assert line.endswith(f"encrypted  ({computer.folder})")
    monkeypatch.setattr("sys.stdin", StringIO("no such words\n"))
    assert main([*source, *target, "--backup", line.split()[0]]) == 1
    assert "not the passphrase of the copy" in capsys.readouterr().err
    monkeypatch.setattr("sys.stdin", StringIO(f"{FIRST}\n"))
    assert main([*source, *target, "--backup", line.split()[0]]) == 0
    assert "was restored" in capsys.readouterr().out
    forget_all()
    key_file.unlock(tmp_path / "new", FIRST)
    assert_whole(tmp_path / "new", "S1")


def test_a_folder_without_copies_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["restore", "--from", str(tmp_path), "--library", str(tmp_path / "new")]) == 1
    assert "no copies of a library" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_copies_of_an_earlier_version_are_taken_over(computer: Computer, tmp_path: Path) -> None:
    """They lay in a folder named after the library's path; those of other libraries stay there."""
    computer.read("S1")
    other = Computer(tmp_path / "other")
    other.read("T1")
    former = computer.disk / "wce-desktop-backups-0123abcd"
    place = copies.place_of_copies(computer.folder, computer.disk)
    place.rename(former)
    strange = former / "library-000099-20200101-000000-000000.sqlite"
    shutil.copy(backup_file.list_backups(other.folder)[-1], strange)
    (own,) = (path for path in former.glob("library-*.sqlite") if path != strange)
    computer.read("S2")
    assert (place / own.name).is_file()
    assert not own.exists()
    assert strange.is_file()
    encrypting.encrypt_library(computer.folder, FIRST)
    computer.copy()
    computer.burn()
    assert contents_of(place / own.name) is None, "it was encrypted with the others"
    assert contents_of(strange) is not None


def test_a_folder_that_was_chosen_before_is_encrypted_too(computer: Computer, tmp_path: Path) -> None:
    computer.read("S1")
    before = computer.disk
    computer.disk = tmp_path / "second disk"
    computer.disk.mkdir()
    encrypting.encrypt_library(computer.folder, FIRST)
    computer.copy()
    places = [before, tmp_path / "unplugged"]
    assert copies.tend_earlier_copies(computer.folder, places) == [tmp_path / "unplugged"]
    computer.burn()
    assert [copy.contents for copy in find_copies(before)] == [None]
    assert not [path for path in before.rglob("report-*") if path.suffix != ".sealed"]
    restore(before, tmp_path / "new", FIRST)
    assert_whole(tmp_path / "new", "S1")


class TestWhatCopyingNeverDoes:
    """Faults that were seen once."""

    def test_a_copy_of_an_earlier_encryption_stays_beside_that_of_the_same_backup(
        self, computer: Computer, tmp_path: Path
    ) -> None:
        encrypting.encrypt_library(computer.folder, FIRST)
        computer.read("S1")
        encrypting.decrypt_library(computer.folder)
        encrypting.encrypt_library(computer.folder, SECOND)
        computer.copy()
        computer.burn()
        for number, passphrase in ((0, SECOND), (1, FIRST)):
            restore(computer.disk, tmp_path / f"new-{number}", passphrase, number)
            assert_whole(tmp_path / f"new-{number}", "S1")
            forget_all()

    def test_reports_are_sealed_anew_although_an_earlier_key_is_held(self, computer: Computer, tmp_path: Path) -> None:
        encrypting.encrypt_library(computer.folder, FIRST)
        computer.read("S1")
        earlier = key_file.held(computer.folder)
        encrypting.decrypt_library(computer.folder)
        encrypting.encrypt_library(computer.folder, SECOND)
        key_file.hold_earlier(computer.folder, [earlier])
        computer.read("S2")
        computer.burn()
        restore(computer.disk, tmp_path / "new", SECOND)
        assert_whole(tmp_path / "new", "S1", "S2")

    def test_a_library_that_was_restored_elsewhere_leaves_the_copies_of_the_first_one_alone(
        self, computer: Computer, tmp_path: Path, few_kept: int
    ) -> None:
        """Somebody tries on another computer whether the copies can be restored; its settings name their folder."""
        computer.read("S1")
        computer.read("S2")
        before = {path: path.read_bytes() for path in computer.disk.rglob("*") if path.is_file()}
        restore(computer.disk, tmp_path / "trial")
        trial = Computer.__new__(Computer)
        trial.folder, trial.disk = tmp_path / "trial", computer.disk
        encrypting.encrypt_library(trial.folder, FIRST)
        for number in range(few_kept):
            trial.read(f"T{number}")
        assert {path: path.read_bytes() for path in before} == before
        assert len(copies.copies(computer.folder, computer.disk)) == 2
        assert len(copies.copies(trial.folder, computer.disk)) == copies.KEPT

    def test_a_copy_from_after_the_restored_backup_is_no_earlier_state(self, computer: Computer) -> None:
        """What was seen in between stands in no line of the log."""
        computer.read("S1")
        first = backup_file.list_backups(computer.folder)[-1]
        with Library.open(computer.folder, "reader") as library:
            library.back_up()
        later = computer.copy()
        backups.restore_backup(computer.folder, first)
        computer.read("S2")
        with closing(open_file(computer.folder / "library.sqlite")) as connection:
            assert not copies.is_earlier_state(later, connection)

    def test_a_damaged_backup_replaces_no_sound_copy(self, computer: Computer) -> None:
        computer.read("S1")
        (copy,) = copies.copies(computer.folder, computer.disk)
        sound = copy.path.read_bytes()
        newest = backup_file.list_backups(computer.folder)[-1]
        newest.write_bytes(newest.read_bytes()[:5000] + b"\xa5" * 4096)
        with pytest.raises(UserError, match="the newest backup is damaged"):
            computer.copy()
        assert copy.path.read_bytes() == sound

    def test_what_differs_in_a_folder_of_an_earlier_version_stays_there(self, computer: Computer) -> None:
        computer.read("S1")
        place = copies.place_of_copies(computer.folder, computer.disk)
        former = computer.disk / "wce-desktop-backups-0123abcd"
        place.rename(former)
        computer.read("S2")
        second = computer.disk / "wce-desktop-backups-4567abcd"
        second.mkdir()
        with Library.open(computer.folder, "reader") as library:
            shutil.copy(library.back_up() or "", second)
        (second / "notes.txt").write_text("mine")
        (place / "notes.txt").write_text("another")
        shutil.copy(place / "library.json", second / "mycopy.sqlite")
        computer.read("S3")
        assert not former.exists()
        assert (second / "notes.txt").read_text() == "mine"
        assert (place / "mycopy.sqlite").is_file()

    def test_a_damaged_report_is_mended_also_where_only_a_backup_knows_it(self, computer: Computer) -> None:
        computer.read("S1")
        first = backup_file.list_backups(computer.folder)[0]
        with Library.open(computer.folder, "reader") as library:
            sign(library, "S1")
        backups.restore_backup(computer.folder, first)
        computer.copy()
        for path in copies.place_of_copies(computer.folder, computer.disk).rglob("report-*.pdf"):
            path.write_bytes(b"junk")
        computer.copy()
        place = copies.place_of_copies(computer.folder, computer.disk)
        assert {path.read_bytes() for path in place.rglob("report-*.pdf")} == {PDF}

    @pytest.mark.parametrize("kind", ["empty", "folder", "link"])
    def test_odd_entries_stop_nothing(self, computer: Computer, tmp_path: Path, kind: str) -> None:
        encrypting.encrypt_library(computer.folder, FIRST)
        computer.read("S1")
        place = copies.place_of_copies(computer.folder, computer.disk)
        for name in ("library-9.sqlite", "odd.key", "odd.sqlite"):
            odd = place / name
            if kind == "link":
                odd.symlink_to(tmp_path / "nowhere")
            elif kind == "folder":
                odd.mkdir()
            else:
                odd.touch()
        assert not copies.is_copy_due(computer.folder, computer.disk, 1, datetime.now(UTC) + timedelta(hours=1))
        computer.read("S2")
        computer.burn()
        restore(computer.disk, tmp_path / "new", FIRST)
        assert_whole(tmp_path / "new", "S1", "S2")

    def test_what_is_no_passphrase_is_a_wrong_one(self, computer: Computer) -> None:
        encrypting.encrypt_library(computer.folder, FIRST)
        computer.read("S1")
        computer.burn()
        recovery = Recovery(find_copies(computer.disk)[0].path)
        for passphrase in ("", "\udcff\udcfe", "\0"):
            with pytest.raises(WrongPassphraseError):
                recovery.unlock(passphrase)

    def test_a_damaged_copy_leaves_the_new_folder_empty(self, computer: Computer, tmp_path: Path) -> None:
        encrypting.encrypt_library(computer.folder, FIRST)
        computer.read("S1")
        computer.burn()
        copy = find_copies(computer.disk)[0].path
        copy.write_bytes(copy.read_bytes()[:20_000] + b"\xa5" * 20_000)
        recovery = Recovery(copy)
        with contextlib.suppress(UserError):
            recovery.unlock(FIRST)
        with pytest.raises(UserError):
            recovery.restore(tmp_path / "new")
        recovery.close()
        assert not list((tmp_path / "new").glob("*.key"))

    def test_missing_reports_are_counted(
        self, computer: Computer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        computer.read("S1")
        computer.burn()
        for path in computer.disk.rglob("report-*.pdf"):
            path.unlink()
        name = find_copies(computer.disk)[0].path.name
        target = str(tmp_path / "new")
        assert main(["restore", "--from", str(computer.disk), "--library", target, "--backup", name]) == 0
        assert "1 files of signed reports are missing" in capsys.readouterr().out

    def test_what_cannot_be_encrypted_is_named_and_what_a_person_named_is_encrypted(self, computer: Computer) -> None:
        computer.read("S1")
        place = copies.place_of_copies(computer.folder, computer.disk)
        (copy,) = copies.copies(computer.folder, computer.disk)
        own = Path(shutil.copy(copy.path, place / "before the update.sqlite"))
        damaged = place / "library-000000-20200101-000000-000000.sqlite"
        damaged.write_bytes(copy.path.read_bytes()[:6000])
        encrypting.encrypt_library(computer.folder, FIRST)
        assert copies.tend_earlier_copies(computer.folder, [computer.disk]) == [computer.disk]
        assert copies.readable_copies(place) == [damaged]
        damaged.unlink()
        assert copies.tend_earlier_copies(computer.folder, [computer.disk]) == []
        assert own.is_file()

    def test_a_removed_study_leaves_earlier_folders_too(
        self, computer: Computer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        computer.read("S1")
        computer.read("S2")
        with Library.open(computer.folder, "reader") as library:
            library.removals.remove(["S1"])
        monkeypatch.setattr(removals, "KEPT_DAYS", 0)
        copies.tend_earlier_copies(computer.folder, [computer.disk])
        held = [copy.contents.studies for copy in find_copies(computer.disk) if copy.contents]
        assert held == [1, 0]
        assert not list(computer.disk.rglob("reports/S1"))

    def test_an_encrypted_copy_that_becomes_plain_is_said(
        self, computer: Computer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        encrypting.encrypt_library(computer.folder, FIRST)
        computer.read("S1")
        computer.burn()
        Library.open(tmp_path / "new", "reader").close()
        monkeypatch.setattr("sys.stdin", StringIO(f"{FIRST}\n"))
        options = ["--from", str(computer.disk), "--backup", find_copies(computer.disk)[0].path.name]
        assert main(["restore", "--library", str(tmp_path / "new"), *options]) == 0
        assert "was restored is not either" in capsys.readouterr().out

    def test_files_beside_a_copy_that_lies_among_other_things_are_not_brought(
        self, computer: Computer, tmp_path: Path
    ) -> None:
        computer.read("S1")
        (downloads := tmp_path / "downloads").mkdir()
        shutil.copy(backup_file.list_backups(computer.folder)[-1], downloads / "backup.sqlite")
        (downloads / "settings.json").write_text('{"reader": "somebody"}')
        (downloads / "models" / "big").mkdir(parents=True)
        (downloads / "models" / "big" / "file").touch()
        restore(downloads, tmp_path / "new")
        assert not (tmp_path / "new" / "settings.json").exists()
        assert not (tmp_path / "new" / "models" / "big").exists()
