"""Names cannot control a terminal, and none ends a command."""

import io
import sys
import unicodedata

import pytest

from training.commands.shell import print_message
from training.commands.shell_reporter import ShellReporter, show_result
from training.errors import UserError
from training.files.terminal import print_error, print_lines, printable, printable_lines

EVIL = "a\x1b]0;owned\x07\x1b[2J\x9b31m\u202egnp.exe\u2066\n\rforged line\udc80\ud800\x00\x7f\u2028"
HARMLESS = "Ada Müller 患者 🙂 a\tb €"


def is_harmless(text: str) -> bool:
    """Whether a text holds nothing but letters, signs, tabs and the ends of lines."""
    return all(
        char in "\t\n\u200c\u200d" or unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp") for char in text
    )


def test_every_control_character_is_shown_as_an_escape() -> None:
    shown = printable(EVIL)
    assert is_harmless(shown)
    assert "\n" not in shown
    assert shown.startswith(r"a\x1b]0;owned\x07\x1b[2J\x9b31m\u202egnp.exe\u2066\n\rforged line\udc80\ud800\x00\x7f")
    assert printable(HARMLESS) == HARMLESS
    controls = ("Cc", "Cf", "Cs", "Zl", "Zp")
    every = (chr(code) for code in range(0x110000))
    every_control = "".join(char for char in every if unicodedata.category(char) in controls or ord(char) % 37 == 0)
    shown = printable(every_control)
    assert is_harmless(shown)
    shown.encode()
    assert printable_lines(f"{HARMLESS}\n{EVIL}").count("\n") == 2


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8", "cp1252"])
def test_no_encoding_ends_a_command(encoding: str) -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding=encoding)
    print_lines(f"{HARMLESS} {EVIL}", "second", file=out)
    out.flush()
    shown = raw.getvalue().decode(encoding)
    assert shown.count("\n") == 2
    assert is_harmless(shown)


def test_errors_are_printed_with_their_hint(capsys: pytest.CaptureFixture[str]) -> None:
    print_error(UserError(f"No file {EVIL}.", "Choose another one."))
    print_lines(OSError(f"[Errno 2] {EVIL}"), file=sys.stderr)
    print_message(f"No file {EVIL}.", "Choose another one.")
    said = capsys.readouterr().err
    assert is_harmless(said)
    assert said.count("\n") == 5


def test_progress_logs_and_results_show_names_harmlessly(capfd: pytest.CaptureFixture[str]) -> None:
    marked = f"[red]{EVIL}[/]"
    with ShellReporter() as reporter:
        reporter.log(marked)
        reporter.progress(1, 2, "frames", marked)
        reporter.progress(2, 2, "frames", marked)
    show_result("command", {"text": f"line\n{marked}", "out": marked, "studies": [marked, "b c"], marked: 3})
    sys.stdout.flush()
    for said in capfd.readouterr():
        assert "owned\x07" not in said
        assert "\x9b" not in said
        assert "\u202e" not in said
        assert "[red]" in said
