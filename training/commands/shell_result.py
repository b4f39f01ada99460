"""What a command found, as a table for a person."""

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from training.commands.shell_reporter import format_seconds

SHOWN_ITEMS = 8


def show_result(title: str, result: Mapping[str, Any], console: Console | None = None) -> None:
    """Print names and values; nested results follow indented, long lists are cut and counted.

    A result's own `text` is printed first, as it stands.
    """
    console = console or Console()
    if isinstance(result.get("text"), str):
        console.print(Text(result["text"]), soft_wrap=True)
        result = {name: value for name, value in result.items() if name != "text"}
    table = Table(title=title, title_justify="left", show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in _rows(result):
        table.add_row(name, value)
    console.print(table)


def _rows(result: Mapping[str, Any], indent: str = "") -> list[tuple[str, str]]:
    rows = []
    for name, value in result.items():
        label = indent + name.removesuffix("_seconds").replace("_", " ")
        if isinstance(value, Mapping) and value:
            rows += [(label, ""), *_rows(value, indent + "  ")]
        elif name.endswith("seconds") and isinstance(value, float) and value >= 60:
            rows.append((label, format_seconds(value)))
        elif name.endswith("seconds") and isinstance(value, float):
            rows.append((label, f"{value:.1f} s"))
        else:
            rows.append((label, _words(value)))
    return rows


def _words(value: Any) -> str:
    if value is None or value in ("", [], {}):
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.4g}"
    if isinstance(value, list):
        shown = [_words(item) for item in value[:SHOWN_ITEMS]]
        more = [f"and {len(value) - SHOWN_ITEMS:,} more"] if len(value) > SHOWN_ITEMS else []
        return ("\n" if any(" " in item for item in shown) else ", ").join(shown + more)
    return str(value)
