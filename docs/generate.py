"""Fills the generated parts of the documentation while mkdocs builds it: commands, settings, keys.

A page has a line such as `<!-- generated: training -->`. Its place is taken by what the program itself says, so it is
never out of date. Imports no torch and no Qt.
"""

import contextlib
import io
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

WIDTH = "100"
"""Characters of a line of a help text."""
PLACE = re.compile(r"^<!-- generated: ([a-z-]+) -->$", re.MULTILINE)
HIDDEN = {"serve"}
"""Commands that only the window starts."""


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Called by mkdocs for every page."""
    return PLACE.sub(lambda found: GENERATORS[found[1]](), markdown)


@contextlib.contextmanager
def _fixed_width() -> Iterator[None]:
    """Help texts must not depend on the terminal."""
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = WIDTH
    try:
        yield
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before


def training_commands() -> str:
    """A section for each command of `python -m training`: its help, and the settings that `--set` takes."""
    from typer.testing import CliRunner

    from training.commands import COMMANDS
    from training.commands.common import find_command
    from training.commands.shell import make_app

    parts: list[str] = []
    for name in COMMANDS:
        if name in HIDDEN:
            continue
        with _fixed_width():
            shown = CliRunner().invoke(make_app([name]), [name, "--help"], prog_name="python -m training")
        if shown.exit_code:
            raise RuntimeError(f"{name} --help: {shown.output}")
        config, _, _ = find_command(name)
        options, _, _ = shown.output.partition("\nSettings of --set")  # they follow as tables
        parts += [f"### {name}\n", _block(options), *_settings_tables(name, config)]
    return "\n".join(parts)


def _settings_tables(name: str, config: Any) -> list[str]:
    """The settings of a command, folded away; where it runs one of several methods, then those of each."""
    methods: dict[str, Any] = getattr(config, "methods", {})
    parts = _settings_table(f"{'Common' if methods else 'All'} settings of `{name}`", config.model_fields)
    for method in methods:
        fields = config.of(method).model_fields
        own = {key: fields[key] for key in config.own_fields(method)}
        parts += _settings_table(f"Further settings of `{name} --method {method}`", own)
    return parts


def _settings_table(title: str, fields: dict[str, Any]) -> list[str]:
    """A table of settings, folded away; empty where none is described."""
    from training.commands.shell import default_text

    rows = []
    for key, field in fields.items():
        if not field.description:
            continue
        default = f"`{text}`" if (text := default_text(field)) else ""
        rows.append(f"    | `{key}` | {default} | {_cell(field.description)} |")
    if not rows:
        return []
    return [
        f'??? note "{title} (`--set key=value`)"\n',
        "    | setting | default | meaning |\n    |---|---|---|",
        *rows,
        "",
    ]


def _default(value: object) -> str:
    """A default as it would be typed."""
    if value is None or value in ("", ()):
        return ""
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    text = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return f"`{text}`"


def _cell(text: str) -> str:
    """Text for a cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")


def window_commands() -> str:
    """The help of `wce-desktop` and of its commands without a window."""
    from wce_desktop.__main__ import main

    parts = []
    plain = ([name] for name in ("import", "import-embeddings", "export", "restore", "check", "check-report"))
    for arguments in ([], *plain, *(["library", name] for name in ("create", "copy", "allow", "upgrade"))):
        said = io.StringIO()
        with _fixed_width(), contextlib.redirect_stdout(said), contextlib.suppress(SystemExit):
            main([*arguments, "--help"])
        parts += [f"### {' '.join(['wce-desktop', *arguments])}\n", _block(said.getvalue())]
    return "\n".join(parts)


def keys() -> str:
    """A table of keys for each menu, and one of the keys of single places."""
    from wce_desktop.session.actions import ACTIONS, MENUS
    from wce_desktop.session.local_keys import LOCAL_KEYS

    parts = []
    for menu in MENUS:
        chosen = [row for row in ACTIONS if row.menu == menu]
        rows = [f"| {_keys_of(row.shortcut)} | {_cell(row.title)} | {_cell(row.tip)} |" for row in chosen]
        parts += [f"### {menu}\n", "| key | action | |\n|---|---|---|", *rows, ""]
    parts += ["### In one place\n", "| place | key | |\n|---|---|---|"]
    parts += [
        f"| {place} | {_keys_of(keys)} | {_cell(words)} |"
        for place, rows in LOCAL_KEYS.items()
        for keys, words in rows.items()
    ]
    return "\n".join(parts)


def _keys_of(shortcut: str) -> str:
    """Key sequences, each as code."""
    return " or ".join(f"`{keys}`" for keys in shortcut.split("; ") if keys)


def window_settings() -> str:
    """The settings of the window."""
    from wce_desktop.session.settings import SETTINGS

    rows = [f"| {one.title} | {_default(one.default)} | {_cell(one.help)} |" for one in SETTINGS]
    return "\n".join(["| setting | default | meaning |", "|---|---|---|", *rows])


def data_sets() -> str:
    """The names of the public data sets that `datasets` reads."""
    from training.datasets.public.catalogue import DATA_SETS

    return ", ".join(f"`{name}`" for name in DATA_SETS)


def _block(text: str) -> str:
    """Text as it stands in a terminal."""
    lines = "\n".join(line.rstrip() for line in text.strip("\n").splitlines())
    return f"```text\n{lines}\n```\n"


GENERATORS: dict[str, Callable[[], str]] = {
    "training": training_commands,
    "window": window_commands,
    "keys": keys,
    "settings": window_settings,
    "data-sets": data_sets,
}
