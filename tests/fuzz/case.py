"""One case: what is run on what, as plain values that can be written down and run again."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Case:
    """One run of a command; paths begin with a placeholder for a folder of the sandbox, as in `{inputs}/images`.

    Attributes:
        group: row of the table.
        program: "training", "wce-desktop", "window" (wce-desktop with a screen), or "reader" (`window_files`).
        argv: arguments.
        outputs: those values among the arguments that name a place to write to.
        damage: how an input is damaged before the run ("format", "way", "seed"); empty: not at all.
        files: (name, text) of files that are written into `{damaged}`.
        stdin: what is read from standard input.
        must_be_refused: exit status 0 is a failure.
        may_take_long: the work grows with the options; it is stopped by Ctrl-C.
    """

    group: str
    program: str
    argv: tuple[str, ...]
    outputs: tuple[str, ...] = ()
    damage: tuple[str, str, int] | None = None
    files: tuple[tuple[str, str], ...] = ()
    stdin: str = ""
    must_be_refused: bool = False
    may_take_long: bool = False

    def to_json(self) -> str:
        """One line that `from_json` reads."""
        return json.dumps({key: value for key, value in asdict(self).items() if value})

    @classmethod
    def from_json(cls, text: str) -> "Case":
        """The case of a line."""
        data: dict[str, Any] = json.loads(text)
        for name in ("argv", "outputs", "damage"):
            if data.get(name) is not None:
                data[name] = tuple(data[name])
        data["files"] = tuple((name, content) for name, content in data.get("files", ()))
        return cls(**data)


def fill_in(text: str, places: Mapping[str, str]) -> str:
    """Put folders in the place of placeholders."""
    for name, place in places.items():
        text = text.replace(f"{{{name}}}", place)
    return text
