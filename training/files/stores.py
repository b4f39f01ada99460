"""Files on object stores and shares, by address: `s3://bucket/P01.mp4`, `smb://server/share/P01.mp4`.

A file is copied into a folder of this computer before it is read, since a video is read by frame number and an HDF5
file at random. `place_of` gives the place of that copy, an ordinary path; `fetched` copies what is not there yet. What
was read longest ago goes when the copies take more than `WCE_STORE_CACHE_GB` (50). fsspec reads and writes the stores.
"""

import hashlib
import json
import os
import re
import shutil
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Protocol

import platformdirs

from training.errors import UserError, reason_of
from training.files import json_text
from training.files.outputs import write_text, written_beside, written_folder
from training.texts import Text

FOLDER_VARIABLE, LIMIT_VARIABLE = "WCE_STORE_CACHE", "WCE_STORE_CACHE_GB"
DEFAULT_GB = 50
_ADDRESS = re.compile(r"([a-z][a-z0-9+]{1,15})://(.+)", re.DOTALL)
_AS_PATH = re.compile(r"([a-z][a-z0-9+]{1,15}):/+(.+)", re.DOTALL)
_NOTE, _LOCK = "address.json", "in-use"
_LIBRARIES = ("botocore", "aiobotocore", "aiohttp", "smbprotocol", "s3fs")
"""Whose errors are those of a store."""
_CHUNK_BYTES = 8 * 2**20
_CHECK_SECONDS = 60
"""How long a copy counts as that of the store without asking it again."""
_TIMES = {"config_kwargs": {"connect_timeout": 10, "read_timeout": 60, "retries": {"max_attempts": 2}}}
_IN_USE = 8
"""How many copies a process keeps from being removed: those that it asked for last."""

_checked: dict[Path, float] = {}
_held: "OrderedDict[Path, IO[str]]" = OrderedDict()


class Listener(Protocol):
    """What is told how far a copy is, and may end it: a `training.runs.reporter.Reporter`."""

    def check(self) -> None:
        """Raise where the copy should end at once."""

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        """Say how many of the bytes are there."""

    def log(self, line: str) -> None:
        """Say that an older copy is used."""


class _Nobody:
    def check(self) -> None:
        pass

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        pass

    def log(self, line: str) -> None:
        pass


def is_address(text: str) -> bool:
    """Whether a text names a file or folder on a store; a path of this computer, also one on Windows, does not."""
    match = _ADDRESS.fullmatch(text)
    return match is not None and not match[1].startswith("postgres")


def cache_folder() -> Path:
    """Where copies lie on this computer; the variable `WCE_STORE_CACHE` names another folder."""
    given = os.environ.get(FOLDER_VARIABLE)
    return Path(given) if given else platformdirs.user_cache_path("wce-desktop") / "stores"


def place_of(address: str) -> Path:
    """The place on this computer for the copy of a file or folder; it need not be copied yet.

    Raises:
        UserError: the address holds a password or names no file, or the place cannot be written.
    """
    match = _ADDRESS.fullmatch(address.rstrip("/"))
    name = "" if match is None else match[2].rpartition("/")[2]
    if match is None or not name or name in (".", ".."):
        raise UserError("{address} is not the address of a file.", "Write it as s3://bucket/name.", repr(address))
    if "@" in match[2].partition("/")[0] and ":" in match[2].partition("@")[0]:
        raise UserError(
            "The address of a store holds a password.",
            "Leave it out: use the store's own settings, such as ~/.aws/credentials or Kerberos.",
        )
    folder = cache_folder() / hashlib.sha256(address.rstrip("/").encode()).hexdigest()[:24]
    note = folder / _NOTE
    if not note.is_file():
        with _sentences(address):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_text(note, json.dumps({"address": address.rstrip("/")}) + "\n")
    return folder / name


def place_of_path(path: Path) -> Path:
    """The path itself, or the place of what an address names that was taken for a path, such as `s3:/bucket/name`."""
    match = _AS_PATH.fullmatch(path.as_posix())
    if match is None:
        return path
    return place_of(f"{match[1]}://{'/' if match[1] == 'file' else ''}{match[2]}")


def address_of(path: Path) -> str:
    """The address of what lies, or will lie, at a place that `place_of` gave, or below it; else empty."""
    cache = cache_folder()
    if not path.is_absolute() or not path.is_relative_to(cache) or path == cache:
        return ""
    folder, *below = path.relative_to(cache).parts
    note = cache / folder / _NOTE
    if not below or not note.is_file():
        return ""
    return "/".join((str(json_text.read_json_object(note).get("address", "")), *below[1:]))


def fetched(path: Path, reporter: Listener | None = None) -> Path:
    """The path itself; where it is the place of a file or folder on a store, that is copied there first.

    A copy that is still as on the store is used again; also where the store does not give a newer one, which is logged.

    Raises:
        UserError: the store cannot be reached or refuses, has no such file, or the copies are full.
        Cancelled: the reporter asked for it.
    """
    address = address_of(path)
    if not address:
        return path
    folder = cache_folder() / path.relative_to(cache_folder()).parts[0]
    path = folder / path.relative_to(folder).parts[0]
    address = address_of(path)
    _hold(folder)
    if path.exists() and time.monotonic() - _checked.get(path, -_CHECK_SECONDS) < _CHECK_SECONDS:
        return path
    try:
        with _sentences(address):
            _bring(address, path, reporter or _Nobody())
    except UserError as error:
        if not path.exists():
            raise
        log = (reporter or _Nobody()).log
        log(Text("The copy of {address} on this computer is used: {message}", address, error.message))
    _checked[path] = time.monotonic()
    return path


def put(path: Path, address: str) -> None:
    """Copy a finished file or folder onto a store; a reader there sees the old content or the new, never a part.

    Raises:
        UserError: the store cannot be reached or refuses.
    """
    with _sentences(address):
        system, place = _opened(address)
        files = [path] if path.is_file() else [each for each in sorted(path.rglob("*")) if each.is_file()]
        for each in (each for each in files if ".partial" not in each.name):
            target = place if each == path else f"{place}/{each.relative_to(path).as_posix()}"
            system.makedirs(target.rpartition("/")[0], exist_ok=True)
            beside = f"{target}.partial-{os.getpid()}"
            system.put_file(str(each), beside)
            system.mv(beside, target)


def check_output(path: Path, *, overwrite: bool) -> None:
    """Raise `UserError` where the place of an output is that of something on a store, unless it may be replaced."""
    address = address_of(path)
    if not address or overwrite:
        return
    with _sentences(address):
        system, place = _opened(address)
        is_taken = bool(system.exists(place))
    if is_taken:
        raise UserError("{address} already exists.", "Choose another place, or replace it with --overwrite.", address)


def _bring(address: str, path: Path, reporter: Listener) -> None:
    system, place = _opened(address)
    files = _files(system, place)
    state = {name: [facts["size"], str(facts.get("ETag") or facts.get("mtime") or facts.get("LastModified") or "")]
             for name, facts in files.items()}  # fmt: skip
    note = path.parent / _NOTE
    if path.exists() and json_text.read_json_object(note).get("files") == state:
        return
    total = sum(facts["size"] for facts in files.values())
    _make_room(total, path.parent)
    with written_folder(path) if "" not in files else written_beside(path) as beside:
        done = 0
        for name, facts in files.items():
            target = beside / name if name else beside
            target.parent.mkdir(parents=True, exist_ok=True)
            with system.open(facts["name"], "rb", block_size=_CHUNK_BYTES) as source, target.open("wb") as copy:
                while block := source.read(_CHUNK_BYTES):
                    reporter.check()
                    copy.write(block)
                    done += len(block)
                    reporter.progress(done, total, "bytes", Text("copying {name}", path.name))
            if target.stat().st_size != facts["size"]:
                raise OSError(f"{target.stat().st_size:,} of {facts['size']:,} bytes arrived")
    write_text(note, json.dumps({"address": address, "files": state}) + "\n")


def _files(system: Any, place: str) -> dict[str, dict[str, Any]]:
    """The files of a folder by their names below it; a file itself has the name ""."""
    facts = system.info(place)
    if facts["type"] != "directory":
        return {"": facts}
    listing = system.find(place, detail=True)
    root = str(facts["name"]).rstrip("/") + "/"
    return {
        name.removeprefix(root): each
        for name, each in sorted(listing.items())
        if each["type"] == "file" and name.startswith(root) and ".." not in name.split("/") and ".partial" not in name
    }


def _make_room(needed: int, keep: Path) -> None:
    """Remove the copies that were used longest ago until so many bytes fit; raises `UserError` if they do not."""
    limit = int(float(os.environ.get(LIMIT_VARIABLE) or DEFAULT_GB) * 1e9)
    copies = {
        note.parent: sum(each.stat().st_size for each in note.parent.rglob("*") if each.is_file() and each != note)
        for note in cache_folder().glob(f"*/{_NOTE}")
    }
    free = min(limit - sum(copies.values()), shutil.disk_usage(cache_folder()).free - 10**9)
    for folder in sorted(copies, key=_last_used):
        if free >= needed:
            return
        if folder != keep and folder not in _held and _remove(folder):
            free += copies[folder]
    if free < needed:
        raise UserError(
            "There is no room for a copy of {size:,} MB from the store: copies may take {limit:,} MB here.",
            "Free some disk space, or set a larger limit with {variable}.",
            needed // 10**6,
            limit // 10**6,
            LIMIT_VARIABLE,
        )


def _last_used(folder: Path) -> int:
    lock = folder / _LOCK
    return lock.stat().st_mtime_ns if lock.exists() else 0


def _remove(folder: Path) -> bool:
    """Remove a copy that no process uses; its address stays."""
    try:
        with (folder / _LOCK).open("a") as opened:
            if not _lock(opened, alone=True):
                return False
            for each in folder.iterdir():
                if each.name in (_NOTE, _LOCK):
                    continue
                shutil.rmtree(each) if each.is_dir() else each.unlink()
    except OSError:  # Windows: it is open
        return False
    return True


def _hold(folder: Path) -> None:
    """Keep a copy from being removed, by this process and others, while it is among those asked for last."""
    if folder not in _held:
        opened = (folder / _LOCK).open("a")
        _lock(opened, alone=False)
        _held[folder] = opened
    with suppress(OSError):
        os.utime(folder / _LOCK)
    _held.move_to_end(folder)
    while len(_held) > _IN_USE:
        _held.popitem(last=False)[1].close()


def _lock(opened: IO[str], *, alone: bool) -> bool:
    try:
        import fcntl
    except ImportError:  # Windows refuses to remove what is open
        return True
    try:
        fcntl.flock(opened, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _opened(address: str) -> tuple[Any, str]:
    """The file system of a store, and the name of the file in it."""
    try:
        import fsspec
    except ImportError as error:
        raise UserError(
            "Files on a store need fsspec, which is not installed.",
            "Install the extra: pip install 'wce_desktop[store]'.",
        ) from error
    protocol = address.partition("://")[0]
    try:
        system, place = fsspec.core.url_to_fs(address, **(_TIMES if protocol in ("s3", "s3a") else {}))
    except ImportError as error:
        raise UserError(
            "Stores of the kind {protocol} need a package that is not installed ({error}).",
            "Install it beside wce_desktop.",
            protocol,
            error,
        ) from error
    except ValueError as error:
        raise UserError("Stores of the kind {protocol} cannot be read.", "Use s3, smb or file.", protocol) from error
    system.invalidate_cache()
    return system, place


@contextmanager
def _sentences(address: str) -> Iterator[None]:
    """Turn what stores raise into sentences."""
    try:
        yield
    except FileNotFoundError as error:
        raise UserError("There is no file {address}.", "Check the address.", address) from error
    except PermissionError as error:
        raise UserError(
            "The store does not allow reading or writing {address}.", "Check your account on the store.", address
        ) from error
    except (OSError, TimeoutError) as error:
        raise _unreachable(address, error) from error
    except Exception as error:
        if type(error).__module__.partition(".")[0] not in _LIBRARIES:
            raise
        raise _unreachable(address, error) from error


def _unreachable(address: str, error: Exception) -> UserError:
    return UserError(
        "The store of {address} cannot be reached, or what it sent is not whole ({reason}).",
        "Check the network and your account on the store, then try again.",
        address,
        reason_of(error),
    )
