"""One request after the other: each ends in its answers or in a sentence, and the next is answered all the same."""

import queue
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.training.service.reporters import NotingReporter
from training.errors import UserError
from training.service.answer_files import Answer, EmbeddingAnswer, read_answer
from training.service.requests import EmbedRequest, ExplainRequest, as_line
from training.service.service import Inbox, Service, listening

EMBED = EmbedRequest(model=Path("m"), path=Path("v.mp4"))
EXPLAIN = ExplainRequest(model=Path("m"), path=Path("v.mp4"), frame_index=0)


class Bench:
    """Does what the test says."""

    def __init__(self, inbox: Inbox) -> None:
        self.inbox = inbox
        self.is_forgotten = False
        self.errors: list[Exception] = []
        self.asked_meanwhile: list[tuple[int, ExplainRequest | EmbedRequest]] = []

    def answers(self, request: ExplainRequest | EmbedRequest, reporter: Any) -> Iterator[Answer]:
        """An error where there is one left; an explanation takes three batches."""
        if self.errors:
            raise self.errors.pop(0)
        for batch in range(3 if request.kind == "explain" else 1):
            for number, other in self.asked_meanwhile:
                self.inbox.put(number, other)
            self.asked_meanwhile = []
            reporter.check()
            reporter.progress(batch, 3, "channels", "Score-CAM")
        yield EmbeddingAnswer(np.ones(2, np.float32), request.kind, "s", "backbone", False)

    def forget(self) -> None:
        """Note it."""
        self.is_forgotten = True


def serve(
    tmp_path: Path,
    *requests: tuple[int, ExplainRequest | EmbedRequest],
    errors: tuple[Exception, ...] = (),
    meanwhile: tuple[tuple[int, ExplainRequest | EmbedRequest], ...] = (),
) -> tuple[Bench, list[tuple[str, Mapping[str, Any]]], list[str]]:
    """Serve until idle; the bench, what was sent (progress apart), and the log."""
    inbox, reporter = Inbox(), NotingReporter()
    bench = Bench(inbox)
    bench.errors, bench.asked_meanwhile = list(errors), list(meanwhile)
    for number, request in requests:
        inbox.put(number, request)
    Service(bench, inbox, tmp_path, reporter).run(idle_seconds=0.01)  # type: ignore[arg-type]
    return bench, [one for one in reporter.partials if one[0] not in ("progress", "begun")], reporter.lines


def test_an_answer_is_a_file_with_the_request_s_number(tmp_path: Path) -> None:
    _, ((name, payload),), _ = serve(tmp_path, (7, EMBED))
    assert (name, payload["number"], payload["is_final"]) == ("answer", 7, True)
    assert isinstance(read_answer(Path(payload["path"])), EmbeddingAnswer)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (UserError("There is no such frame.", "Choose another."), "There is no such frame."),
        (ZeroDivisionError("secret"), "unexpected error (ZeroDivisionError)"),
        (MemoryError(), "ran out of memory"),
    ],
)
def test_what_fails_is_a_sentence_and_the_next_is_answered(tmp_path: Path, error: Exception, words: str) -> None:
    bench, (failed, answered), lines = serve(tmp_path, (1, EXPLAIN), (2, EMBED), errors=(error,))
    assert (failed[0], failed[1]["number"]) == ("failed", 1)
    assert words in failed[1]["message"]
    assert (answered[0], answered[1]["number"]) == ("answer", 2)
    assert bench.is_forgotten == isinstance(error, MemoryError)
    assert bool(lines) == isinstance(error, ZeroDivisionError)  # what nobody expects leaves its trace


def test_an_embedding_comes_between_the_batches_of_an_explanation(tmp_path: Path) -> None:
    _, sent, _ = serve(tmp_path, (1, EXPLAIN), meanwhile=((2, EMBED),))
    assert [(name, payload["number"]) for name, payload in sent] == [("answer", 2), ("answer", 1)]


def test_a_newer_explanation_ends_the_older_one_silently(tmp_path: Path) -> None:
    _, sent, _ = serve(tmp_path, (1, EXPLAIN), meanwhile=((2, EXPLAIN),))
    assert [(name, payload["number"]) for name, payload in sent] == [("answer", 2)]


def test_lines_become_requests_until_the_window_is_gone() -> None:
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    inbox, reporter = Inbox(), NotingReporter()
    bad = as_line(4, EMBED).replace('"embed"', '"no such kind"')
    with listening(lines, inbox, reporter):
        for line in (as_line(1, EXPLAIN), "not a request", bad, "drop explain", as_line(3, EMBED)):
            lines.put(line)
        taken = inbox.take(5)
        while taken is not None and taken.number == 1:  # it may have been taken before it was dropped
            inbox.end(taken)
            taken = inbox.take(5)
        assert taken is not None
        assert taken.number == 3
        lines.put(None)
        assert inbox.take(5) is None
    assert len(reporter.lines) == 1
    assert [(name, payload["number"]) for name, payload in reporter.partials] == [("failed", 4)]
