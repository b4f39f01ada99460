"""Runs cases in a worker's sandbox and says what is wrong with how they ended."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.fuzz.case import Case, fill_in
from tests.fuzz.fork_server import Reply, Request
from tests.fuzz.sandbox import HOME_PLACES, Entry, Sandbox, changes
from tests.fuzz.server_client import ServerClient

BUG_WORDS = re.compile(
    r"Traceback \(most recent call last\)|Fatal Python error|terminate called|Exception ignored in|Segmentation fault"
)
PROGRAMS = {
    "training": ("shell", "training"),
    "wce-desktop": ("shell", "wce-desktop"),
    "reader": ("shell", "reader"),
    "planted": ("shell", "planted"),
    "window": ("window", "wce-desktop"),
}
"""Program of a case -> kind of fork server, and program that this server knows."""
FAILURES = ("traceback", "signal", "hang", "changed", "stray", "silent", "accepted")
TOLD_CHARACTERS = 1500
WINDOW_SECONDS = 90.0
"""The window may start a job that scores, which loads torch."""
TORCH_FOLDER = "case/tmp/torchinductor_"
"""torch's own cache, which it keeps for the next time."""


@dataclass(frozen=True)
class Verdict:
    """How a case ended.

    Attributes:
        case: what was run.
        reply: how the process ended.
        failures: kind (of `FAILURES`) and what was found; empty where everything is as it should be.
        output: the end of both standard streams.
        left: whether a refused start has left something in the place for results.
    """

    case: Case
    reply: Reply
    failures: tuple[tuple[str, str], ...]
    output: str
    left: bool


class Worker:
    """One sandbox with the servers that run its cases; use it as a context."""

    def __init__(
        self,
        sandbox: Sandbox,
        damage: Callable[[Case, Sandbox], None] | None = None,
        shell: ServerClient | None = None,
    ) -> None:
        """`damage` writes what `case.damage` asks for into the sandbox; `shell` is a server that is there already."""
        self.sandbox = sandbox
        self._damage = damage
        self._servers = {kind: ServerClient(kind, sandbox.folder / "fonts") for kind, _ in PROGRAMS.values()}
        if shell is not None:
            self._servers["shell"] = shell

    def run(self, case: Case, *, asleep_seconds: float = 20.0) -> Verdict:
        """Run a case and look at everything that it must not do."""
        sandbox = self.sandbox
        sandbox.clear(needs_library=_uses_library(case))
        for name, content in case.files:
            text = fill_in(content, sandbox.places)
            (sandbox.damaged / name).write_text(text, encoding="utf-8", errors="surrogateescape")
        if case.damage is not None and self._damage is not None:
            self._damage(case, sandbox)
        before = sandbox.snapshot()
        reply = self._run(case, asleep_seconds)
        after = sandbox.snapshot()
        output, errors = (_tail(sandbox.log / name) for name in ("output", "errors"))
        failures = tuple(self._failures(case, reply, before, after, output, errors))
        if any(kind in ("changed", "stray") for kind, _ in failures):
            sandbox.restore()
        new = [path for path in changes(before, after)[1] if (sandbox.folder / path).is_relative_to(sandbox.out)]
        is_refused = reply.status != 0 and not reply.was_stopped
        left = is_refused and any(not path.startswith("case/a/b/out/library") for path in new)
        return Verdict(case, reply, failures, output[-TOLD_CHARACTERS:] + errors[-TOLD_CHARACTERS:], left)

    def _run(self, case: Case, asleep_seconds: float) -> Reply:
        sandbox = self.sandbox
        kind, program = PROGRAMS[case.program]
        is_job = case.argv[:1] == ("job",)
        request = Request(
            program,
            [fill_in(word, sandbox.places) for word in case.argv],
            str(sandbox.work),
            sandbox.environment,
            str(sandbox.log / "output"),
            str(sandbox.log / "errors"),
            fill_in(case.stdin, sandbox.places) if is_job else None,
            may_take_long=case.may_take_long and kind != "window",
            most_seconds=WINDOW_SECONDS if kind == "window" else 20.0,
            asleep_seconds=asleep_seconds,
        )
        return self._servers[kind].run(request)

    def _failures(
        self,
        case: Case,
        reply: Reply,
        before: Mapping[str, Entry],
        after: Mapping[str, Entry],
        output: str,
        errors: str,
    ) -> Iterator[tuple[str, str]]:
        if BUG_WORDS.search(output) or BUG_WORDS.search(errors):
            yield "traceback", _last_line(errors if BUG_WORDS.search(errors) else output)
        if reply.hang:
            yield "hang", reply.hang
        elif reply.status < 0:
            yield "signal", str(-reply.status)
        if reply.status > 0 and not errors.strip() and not output.strip():
            yield "silent", f"status {reply.status} without a word"
        if case.must_be_refused and reply.status == 0:
            yield "accepted", "exit status 0"
        changed, new = changes(before, after)
        if found := [path for path in changed if not self._may_change(path, case)]:
            yield "changed", ", ".join(found[:3])
        if found := [path for path in new if not self._may_be_new(path, case, reply)]:
            yield "stray", ", ".join(found[:3])

    def _may_change(self, path: str, case: Case) -> bool:
        """Whether what was there before may change: a library or run of the case's own, and what is to be replaced."""
        place = self.sandbox.folder / path
        is_replacing = "overwrite" in " ".join((*case.argv, *(content for _, content in case.files)))
        is_output = any(_belongs_to(place, out) for out in self._outputs(case))
        if is_replacing and is_output and not self._is_input(place, case):
            return True
        if place.is_relative_to(self.sandbox.damaged):
            return any(place.is_relative_to(out) for out in self._outputs(case))
        return place.is_relative_to(self.sandbox.out)

    def _may_be_new(self, path: str, case: Case, reply: Reply) -> bool:
        """In the place for results, in a place that was named for them, or where the program keeps its own things."""
        sandbox, place = self.sandbox, self.sandbox.folder / path
        home = sandbox.case / "home"
        if place.is_relative_to(sandbox.out) or path.startswith(TORCH_FOLDER):
            return True
        if any(place.is_relative_to(home / own) or (home / own).is_relative_to(place) for own in HOME_PLACES):
            return True
        if place.is_relative_to(sandbox.case / "tmp") and (reply.hang or reply.was_stopped):
            return True
        return any(_belongs_to(place, out) for out in self._outputs(case))

    def _is_input(self, place: Path, case: Case) -> bool:
        """Whether the place, what it lies in, or what lies in it was named as something to read."""
        values = [word.partition("=")[2].rpartition("=")[2] or word for word in case.argv]
        for value in (*values, *(part for _, text in case.files for part in text.split('"'))):
            if value.startswith("{") and value not in case.outputs:
                named = Path(fill_in(value, self.sandbox.places))
                if place.is_relative_to(named) or named.is_relative_to(place):
                    return True
        return False

    def _outputs(self, case: Case) -> Iterator[Path]:
        for value in case.outputs:
            if isinstance(value, str) and value and "\x00" not in value:
                name = fill_in(value, self.sandbox.places)
                home = str(self.sandbox.case / "home")
                yield Path(self.sandbox.work, home + name[1:] if name.split("/")[0] == "~" else name)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for server in self._servers.values():
            server.__exit__(kind, error, trace)


def _belongs_to(place: Path, out: Path) -> bool:
    """The output itself, what lies in it, the folders on the way to it, and files beside it that carry its name."""
    out = Path(*out.parts[:1], *_without_dots(out.parts[1:]))
    beside = place.parent == out.parent and out.name in place.name
    return place.is_relative_to(out) or out.is_relative_to(place) or beside


def _without_dots(parts: tuple[str, ...]) -> list[str]:
    kept: list[str] = []
    for part in parts:
        if part == "..":
            kept = kept[:-1]
        elif part != ".":
            kept.append(part)
    return kept


def _uses_library(case: Case) -> bool:
    words = [*case.argv, *case.outputs, *(content for _, content in case.files)]
    return any("{out}/library" in word for word in words if isinstance(word, str))


def _tail(path: Path) -> str:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 200_000))
        return file.read().decode("utf-8", errors="replace")


def _last_line(text: str) -> str:
    """The last line that begins like an exception's."""
    lines = [line.strip() for line in text.replace("\\n", "\n").splitlines() if line.strip()]
    named = [line for line in lines if re.match(r"[\w.]+(Error|Exception|Warning|Interrupt|Exit)\b", line)]
    return (named or lines or [""])[-1][:200]


def count(verdicts: list[Verdict]) -> "dict[str, Counter[str]]":
    """Row of the table -> how many cases ended how."""
    rows: dict[str, Counter[str]] = {}
    for verdict in verdicts:
        row = rows.setdefault(verdict.case.group, Counter())
        row["cases"] += 1
        row["stopped" if verdict.reply.was_stopped else "valid" if verdict.reply.status == 0 else "refused"] += 1
        row["left"] += verdict.left
        row.update({kind for kind, _ in verdict.failures})
    return rows
