"""Running the program for the material: a failure there is no finding but an error of the fuzzing itself."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.fuzz.fork_server import Request
from tests.fuzz.server_client import ServerClient


@contextmanager
def program_in(folder: Path) -> Iterator[Callable[[str, list[str]], None]]:
    """A function that runs the program; its home and what it says lie in `folder`."""
    with ServerClient("shell", folder / "fonts") as server:
        yield program_on(server, folder)


def program_on(server: ServerClient, folder: Path) -> Callable[[str, list[str]], None]:
    """The same on a server that is there already."""
    for name in ("work", "home", "tmp"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    environment = {"HOME": str(folder / "home"), "TMPDIR": str(folder / "tmp")}
    output, errors = folder / "output", folder / "errors"

    def run(program: str, argv: list[str]) -> None:
        reply = server.run(Request(program, argv, str(folder / "work"), environment, str(output), str(errors)))
        if reply.status:
            raise RuntimeError(f"{argv} ended with {reply}: {errors.read_text(encoding='utf-8')[-2000:]}")

    return run
