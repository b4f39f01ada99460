"""Cases of a command: its working call with hostile values for some of its options, typed or sent by the window."""

import json
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from tests.fuzz.base_commands import BASES, BaseCommand
from tests.fuzz.case import Case
from tests.fuzz.options import WINDOW_ONLY, Command, Option, all_commands
from tests.fuzz.values import DEEP_OBJECT, TEXTS, json_values, typed_values

SERVED: tuple[Any, ...] = (
    {
        "number": 1,
        "request": {"kind": "explain", "model": "{inputs}/model", "path": "{inputs}/images", "frame_index": 2},
    },
    {"number": 2, "request": {"kind": "embed", "model": "{inputs}/model", "image": "{inputs}/images/00.png"}},
    {"number": 3, "request": {"kind": "embed", "model": "{inputs}/pretrained", "path": "{inputs}/images"}},
)
EXTRAS = (("--resume",), ("--set", "x=1"), ("--set", "x"), ("--unknown",))


def command_names() -> list[str]:
    """Commands that can be typed, then those of the window's jobs."""
    return [*(name for name in all_commands() if name not in WINDOW_ONLY), *job_names()]


def job_names() -> list[str]:
    """What the window starts as a job, each "job NAME"."""
    return [f"job {name}" for name, command in all_commands().items() if command.program == "training"]


def cases_of(name: str) -> SearchStrategy[Case]:
    """Cases of a command, or of a job."""
    if name.startswith("job "):
        return job_cases(all_commands()[name.removeprefix("job ")])
    return typed_cases(all_commands()[name])


@st.composite
def typed_cases(draw: DrawFn, command: Command) -> Case:
    """A command line with hostile values for one to three options; now and then one that is unknown or missing."""
    given = _base_values(command)
    most = draw(st.sampled_from((1, 1, 1, 2, 3)))
    for option in draw(st.lists(st.sampled_from(command.options), min_size=1, max_size=most, unique=True)):
        given[option] = draw(typed_values(option))
    oddity = draw(st.integers(0, 39))
    extra = EXTRAS[oddity] if oddity < len(EXTRAS) else ()
    if oddity >= 36:
        given.pop(draw(st.sampled_from(list(given))))
    argv = [*command.words, *_typed(command, given), *(extra if command.program == "training" else ())]
    outputs = tuple(value for option, value in given.items() if option.is_output)
    program = "window" if command.name == "wce-desktop" else command.program
    if program == "window" and not any(option.name == "screenshot" for option in given):
        argv.append("--screenshot={out}/window.png")  # without it the window stays open
    return Case(command.name, program, tuple(argv), outputs, may_take_long=True)


def _base_values(command: Command) -> dict[Option, str]:
    """The working call; an option that is there both by name and as a setting is given by name."""
    base = BASES.get(command.name, BaseCommand())
    given: dict[Option, str] = {}
    wanted = {**base.options, **base.settings}
    for option in command.options:
        if option.name in wanted and option.name not in {known.name for known in given}:
            given[option] = wanted[option.name]
    return given


def _typed(command: Command, given: dict[Option, str]) -> list[str]:
    """As it is typed, arguments in their order first."""
    words = [given[option] for option in command.options if not option.flag and option in given]
    for option, value in given.items():
        if option.kind == "flag":
            words += [option.flag]
        elif option.flag == "--set":
            words.append(f"--set={option.name}={value}")
        elif option.flag.startswith("--"):
            words.append(f"{option.flag}={value}")
        elif option.flag:
            words += [option.flag, value]
    return words


@st.composite
def job_cases(draw: DrawFn, command: Command) -> Case:
    """A job's config with JSON values of any kind; of the inference child what it is asked, too."""
    base = BASES.get(command.name, BaseCommand())
    settings = [option for option in command.options if option.flag == "--set"]
    lists = {option.name for option in settings if option.kind == "list"}
    config: dict[str, Any] = {
        name: value.split(",") if name in lists else value for name, value in {**base.options, **base.settings}.items()
    }
    for option in draw(st.lists(st.sampled_from(settings), max_size=3, unique=True)):
        config[option.name] = draw(st.one_of(typed_values(option), json_values()))
    content = json.dumps({"command": command.name, "config": config})
    odd = draw(st.integers(-20, 3))
    if odd >= 0:
        content = (
            DEEP_OBJECT,
            json.dumps(draw(json_values())),
            '{"command": "score"}',
            '{"command": "score", "config": []}',
        )[odd]
    stdin = "\n".join(draw(st.lists(_asked(), max_size=3))) if command.name in WINDOW_ONLY else ""
    outputs = tuple(str(config[option.name]) for option in settings if option.is_output and option.name in config)
    argv, files = ("job", "{damaged}/job.json"), (("job.json", content),)
    return Case(f"job {command.name}", "training", argv, outputs, files=files, stdin=stdin, may_take_long=True)


@st.composite
def _asked(draw: DrawFn) -> str:
    """A line on the inference child's standard input."""
    line: dict[str, Any] = json.loads(json.dumps(draw(st.sampled_from(SERVED))))
    for _ in range(draw(st.integers(0, 2))):
        key = draw(st.sampled_from(("path", "index", "frame_index", "region", "image", "method", "layer", "step", "x")))
        line["request"][key] = draw(st.one_of(json_values(), st.sampled_from(TEXTS)))
    words = draw(st.sampled_from(("ask ", "ask ", "ask ", "ask ", "", "tell ")))
    return words + draw(
        st.sampled_from((json.dumps(line), json.dumps(line), json.dumps(line), "{", DEEP_OBJECT, "null"))
    )
