"""Commands that behave well or badly, for children of tests: `python children.py CONFIG.json` speaks the protocol."""

import os
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

ROOT = str(Path(__file__).resolve().parents[3])


def children_command(config_path: Path) -> Sequence[str]:
    """The command line that runs one of the commands below instead of one of training's."""
    return [sys.executable, "-P", __file__, str(config_path)]


class Settings(BaseModel):
    """Settings that take anything."""

    model_config = ConfigDict(extra="allow")

    @classmethod
    def stored(cls, **fields: Any) -> "Settings":
        """As the settings of every command."""
        return cls(**fields)

    @property
    def values(self) -> dict[str, Any]:
        """What was given."""
        return self.model_extra or {}


def finish(settings: Settings, reporter: Any) -> dict[str, Any]:
    """Report a little and finish."""
    for done in range(1, 4):
        reporter.progress(done, 3, "steps", "finishing")
        reporter.partial("curve", {"step": done, "loss": float("nan") if done == 3 else 1.0 / done})
    reporter.log("first line\nsecond line")
    return {"sum": 6, **settings.values}


def fail(settings: Settings, reporter: Any) -> dict[str, Any]:
    """A user's error."""
    from training.errors import UserError

    raise UserError("P11.mp4 holds no video.", "Choose another file.")


def raise_bug(settings: Settings, reporter: Any) -> dict[str, Any]:
    """A bug."""
    raise ZeroDivisionError("secret detail")


def return_odd(settings: Settings, reporter: Any) -> dict[str, Any]:
    """A result that JSON cannot say."""
    return {"odd": object()}


def abort(settings: Settings, reporter: Any) -> dict[str, Any]:
    """Die as native code does."""
    print("about to abort", file=sys.stderr)
    os.abort()


def be_killed(settings: Settings, reporter: Any) -> dict[str, Any]:
    """Die as by the out-of-memory killer."""
    print("last words", file=sys.stderr)
    os.kill(os.getpid(), signal.SIGKILL)
    return {}


def leave(settings: Settings, reporter: Any) -> dict[str, Any]:
    """Leave through the back door."""
    os._exit(3)


def hang(settings: Settings, reporter: Any) -> dict[str, Any]:
    """Ignore stop and cancel, with a child of its own that ignores them too and holds the pipes open."""
    import subprocess

    grandchild = subprocess.Popen([sys.executable, "-c", "import threading; threading.Event().wait()"])
    reporter.partial("hanging", {"pid": grandchild.pid})
    threading.Event().wait()
    return {}


def orphan(settings: Settings, reporter: Any) -> dict[str, Any]:
    """End well, but leave a process behind that holds the pipes open."""
    import subprocess

    grandchild = subprocess.Popen([sys.executable, "-c", "import threading; threading.Event().wait()"])
    return {"pid": grandchild.pid}


def linger(settings: Settings, reporter: Any) -> dict[str, Any]:
    """End well, but with a thread that keeps the process from ending."""
    threading.Thread(target=threading.Event().wait, daemon=False).start()
    return {"lingers": True}


def chatter(settings: Settings, reporter: Any) -> dict[str, Any]:
    """A hundred thousand lines on standard output and on standard error, at the same time."""
    other = threading.Thread(target=lambda: [print("err", i, file=sys.stderr) for i in range(100_000)])
    other.start()
    for i in range(100_000):
        print("out", i)
    other.join()
    return {"lines": 200_000}


def print_garbage(settings: Settings, reporter: Any) -> dict[str, Any]:
    """Print what looks like an event, and bytes that are no text, from Python and past it."""
    print('{"event":"outcome","kind":"failed","message":"forged"}')
    os.write(1, b"\xff\xfe\x00 not text\n")
    os.system("echo from a shell")  # a child that inherits the descriptor
    return {"garbage": True}


def work(settings: Settings, reporter: Any) -> dict[str, Any]:
    """Work until asked to stop or cancel; leaves a file that says which, so that it can be seen without a pipe."""
    reporter.partial("working", {"pid": os.getpid()})
    steps = 0
    while not reporter.stop_requested:
        steps += 1
        reporter.progress(steps, 1_000_000, "steps", "working")
        threading.Event().wait(0.005)
    reporter.check()
    if "save" in settings.values:
        path = Path(settings.values["save"])
        path.with_suffix(".part").write_text(f"saved after {steps} steps")
        path.with_suffix(".part").replace(path)
        print("saved", flush=True)  # into a pipe that may be gone
    return {"steps": steps}


def write_checkpoint(settings: Settings, reporter: Any) -> dict[str, Any]:
    """Write a checkpoint for longer than the grace, deaf to everything."""
    from training.runs.events import uninterrupted

    with uninterrupted(reporter):
        reporter.partial("writing", {})
        threading.Event().wait(settings.values["seconds"])
        Path(settings.values["save"]).write_text("whole")
    reporter.check()
    threading.Event().wait()
    return {}


def flap(settings: Settings, reporter: Any) -> dict[str, Any]:
    """Say "busy" and "no longer busy" for ever, deaf to everything."""
    while True:
        reporter.busy(True, "flapping")
        reporter.busy(False, "flapping")
        threading.Event().wait(0.02)


def stay_busy(settings: Settings, reporter: Any) -> dict[str, Any]:
    """Say "busy" once, and never end."""
    reporter.busy(True, "staying")
    threading.Event().wait()
    return {}


COMMANDS = (
    finish, fail, raise_bug, return_odd, abort, be_killed, leave, hang, orphan, linger, chatter, print_garbage, work,
    write_checkpoint, flap, stay_busy,
)  # fmt: skip


def main() -> int:
    """Run one of them through the real entry of a job's process."""
    sys.path.insert(0, ROOT)
    import training.commands
    from training.commands.child import run_job

    table = {
        command.__name__: training.commands.Command("__main__:Settings", f"__main__:{command.__name__}")
        for command in COMMANDS
    }
    training.commands.COMMANDS = table  # type: ignore[attr-defined, unused-ignore]
    return run_job(Path(sys.argv[1]))


if __name__ == "__main__":
    sys.exit(main())
