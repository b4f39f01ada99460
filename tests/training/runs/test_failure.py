"""Whatever ends a job becomes a sentence."""

import errno
import sys
from types import SimpleNamespace

import pytest

from training.errors import UserError
from training.runs.failure import describe_failure, is_expected, trace_of
from training.runs.reporter import Cancelled


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (UserError("P11.mp4 is empty.", "Copy it again."), "failed", "P11.mp4 is empty. Copy it again."),
        (Cancelled(), "cancelled", "Cancelled."),
        (KeyboardInterrupt(), "cancelled", "Cancelled."),
        (MemoryError(), "failed", "The computer ran out of memory."),
        (RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory"), "failed", "ran out of memory"),
        (OSError(errno.ENOSPC, "No space left on device", "a.h5"), "failed", "The disk is full while writing a.h5."),
        (OSError("Can't write data (no space left on device)"), "failed", "The disk is full."),
        (ZeroDivisionError("x"), "failed", "unexpected error (ZeroDivisionError)"),
    ],
)
def test_an_error_becomes_a_sentence(error: BaseException, kind: str, words: str) -> None:
    outcome = describe_failure(error)
    assert outcome.kind == kind
    assert words in str(outcome)


def test_the_memory_of_the_graphics_card_is_told_from_the_computers(monkeypatch: pytest.MonkeyPatch) -> None:
    class OutOfMemoryError(RuntimeError):
        pass

    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(OutOfMemoryError=OutOfMemoryError))
    assert "graphics card" in describe_failure(OutOfMemoryError("CUDA out of memory")).message
    assert "graphics card" not in describe_failure(RuntimeError("out of memory")).message


def test_only_bugs_leave_a_trace() -> None:
    assert is_expected(UserError("No such file."))
    assert is_expected(Cancelled())
    assert is_expected(MemoryError())
    assert is_expected(OSError(errno.ENOSPC, "No space left on device"))
    assert not is_expected(ZeroDivisionError("x"))
    assert "ZeroDivisionError: x" in trace_of(ZeroDivisionError("x"))
