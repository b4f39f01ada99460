"""A run in its folder: started, resumed as it was, and taken away where it was refused.

Its settings are in config.json; those of a resumed run must be the same.
"""

import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from training.errors import UserError, writing
from training.files.json_text import read_json_object
from training.runs.folder import write_json
from training.runs.reporter import Cancelled
from training.texts import Text

CONFIG = "config.json"
C = TypeVar("C", bound=BaseModel)


class StartedFolder(ABC, Generic[C]):
    """Paths and small files of a run that can be resumed; `C` is the class of its settings."""

    command: str
    what: str
    """A run of that command, in words."""
    named_starts: tuple[str, ...] = ("random", "imagenet")
    """Values of `init` that are no paths."""
    free_to_change: frozenset[str]
    """Settings that may change when a run is resumed."""
    taken_over: tuple[str, ...]
    """Those of them that then take the place of the stored ones."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.config = path / CONFIG
        self.split = path / "split.json"
        self.metrics = path / "metrics.csv"
        self.card = path / "card.json"
        self.checkpoints = path / "checkpoints"
        self.manifest = path / "inputs" / "manifest.json"
        self.labels = path / "inputs" / "labels.csv"

    @property
    def is_started(self) -> bool:
        """True once the folder has a run's settings."""
        return self.config.is_file()

    @property
    def has_results(self) -> bool:
        """True once there is something to resume."""
        return any(self.checkpoints.glob("step-*.safetensors"))

    @abstractmethod
    def copy_inputs(self, config: C) -> Mapping[str, Path | None]:
        """Copy what the run reads into the folder; returns where it is now, by setting."""

    @abstractmethod
    def config_of(self, fields: Mapping[str, Any]) -> C:
        """The settings in a config.json."""

    def derived(self, asked: C) -> set[str]:
        """Settings that the run itself chose, and that are not compared."""
        return set()

    def create(self, config: C) -> C:
        """Create the folder with copies of the inputs; the returned config refers to the copies.

        A resumed run without results starts again in its folder.

        Raises:
            UserError: the folder holds another run or other files, or cannot be written.
        """
        given: Any = config
        if not is_empty(self.path) and not (given.resume and self.is_started and not self.has_results):
            raise UserError("The run folder {path} is not empty.", "Choose another one, or use --resume.", self.path)
        with writing(self.path):
            self.manifest.parent.mkdir(parents=True, exist_ok=True)
            self.rewrite(config)  # first, so that a run killed while copying can be resumed
            copies = self.copy_inputs(config)
        start = resolved_start(given.init, self.named_starts)
        return self.rewrite(
            config.model_copy(update={**copies, "out": self.path.resolve(), "init": start, "resume": False})
        )

    def rewrite(self, config: C) -> C:
        """Write config.json, which `python -m training job` can run."""
        write_json(self.config, {"command": self.command, "config": config.model_dump(mode="json")})
        return config

    def resume(self, asked: C) -> C:
        """The settings of the run to resume; without results yet, explicit settings override the stored ones.

        Raises:
            UserError: there is none, its config is damaged, or an explicit setting differs.
        """
        stored, new = self.read_config(), asked.model_fields_set
        if not self.has_results:
            return self.config_of({**stored.model_dump(), **asked.model_dump(include=new)})
        given: Any = asked
        same = asked.model_copy(update={"init": resolved_start(given.init, self.named_starts)})
        check_same(self.path, stored, same, new & {"method"})  # first: other methods have other settings
        check_same(self.path, stored, same, new - self.free_to_change - self.derived(asked))
        over = {name: getattr(asked, name) for name in self.taken_over if name in new}
        over = {name: value.resolve() if isinstance(value, Path) else value for name, value in over.items()}
        return stored.model_copy(update={"device": given.device, "out": self.path.resolve(), **over})

    def read_config(self) -> C:
        """The settings of the run; raises `UserError` if they are missing, damaged or of another command."""
        return self.config_of(stored_settings(self.config, self.command, self.what))


def copied(file: Path, place: Path) -> Path:
    """Copy an input, unless it is the run's own copy; returns where it is."""
    if not (place.exists() and place.samefile(file)):
        shutil.copyfile(file, place)
    return place.resolve()


def stored_settings(config: Path, command: str, what: str) -> dict[str, Any]:
    """The settings in a run folder's config.json.

    Raises:
        UserError: the folder is half-written, or belongs to another command.
    """
    try:
        content = read_json_object(config)
        result, fields = content["command"], dict(content["config"])
    except (UserError, ValueError, KeyError, TypeError) as error:
        raise UserError(
            "The run folder {parent} is incomplete: its config.json is missing or damaged.",
            "Start a new run in another folder.",
            config.parent,
        ) from error
    if result != command:
        raise UserError(
            "The run in {parent} is not a {what} but a {found}.",
            "Choose another folder.",
            config.parent,
            Text(what),
            result,
        )
    return fields


def check_same(folder: Path, stored: BaseModel, asked: BaseModel, names: Iterable[str]) -> None:
    """Raise `UserError` for the first of these settings that differs from the stored one."""
    for name in sorted(names):
        wanted, was = getattr(asked, name), getattr(stored, name)
        if wanted != was and wanted is not None:
            raise UserError(
                "The run in {folder} was started with {name} = {was}, not {wanted}.",
                "Resume it without that setting, or start a new run.",
                folder,
                name,
                was,
                wanted,
            )


def resolved_start(init: str, names: Iterable[str]) -> str:
    """A start that is a path, as an absolute path; one of the names as it is."""
    return init if init in names else str(Path(init).resolve())


def is_empty(folder: Path) -> bool:
    """Whether there is no such folder, or nothing in it."""
    return not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))


def stored_command(folder: Path) -> str:
    """The command whose run or report a folder holds; empty where its config.json does not say so."""
    try:
        content = read_json_object(folder / CONFIG)
    except UserError:
        return ""
    return str(content.get("command", "")) if isinstance(content.get("config"), dict) else ""


def run_folder_check(
    command: str, what: str, name: str = "run folder", *, parts: Collection[str] = (), needs_resume: bool = True
) -> Callable[[Path, Any], None]:
    """What `OutputFolder` asks of a folder that takes one run: it is empty, or holds this run and it is resumed.

    Args:
        what: the run in words ("finetuning").
        name: of the folder, in words.
        parts: names that may be in the folder before the run starts.
        needs_resume: whether a run that is there continues only with `resume`.
    """

    def check(folder: Path, config: Any) -> None:
        if is_empty(folder):
            return
        is_mine = folder.is_dir() and (stored_command(folder) == command or _names(folder) <= set(parts))
        if is_mine and (config.resume or not needs_resume):
            return
        if config.resume and needs_resume and folder.is_dir():
            stored_settings(folder / CONFIG, command, what)  # says what is there instead
        hint = "Choose another one, or continue with --resume." if needs_resume else "Choose another one."
        raise UserError(Text("The {name} {folder} is not empty.", name, folder), hint)

    return check


@contextmanager
def removed_if_refused(folder: Path, has_results: Callable[[], bool]) -> Iterator[None]:
    """Take away what a start wrote into its folder when it fails before it made anything worth keeping.

    Otherwise the folder would not be empty for the corrected command. What was there before stays, and a cancelled
    start stays too: the same command continues it.
    """
    before = _names(folder) if folder.is_dir() else set()
    new_folders = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        yield
    except Cancelled:
        raise
    except Exception:
        if not has_results():
            _remove(folder, before, new_folders)
        raise


def _names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def _remove(folder: Path, before: set[str], new_folders: Iterable[Path]) -> None:
    with suppress(OSError):  # the reason of the refusal is what the person must read
        for path in [*folder.iterdir()] if folder.is_dir() else []:
            if path.name in before:
                continue
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
        for each in new_folders:
            each.rmdir()  # only an empty one goes
