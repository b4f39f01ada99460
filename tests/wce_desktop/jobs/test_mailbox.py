"""Nothing is lost that counts, nothing piles up."""

from training.runs.events import Busy, LogLine, Partial, Progress
from wce_desktop.jobs.mailbox import LOG_LINES, Mail, Mailbox


def test_the_window_is_woken_once_until_it_looks() -> None:
    box = Mailbox()
    assert box.post(LogLine("a"))
    assert not box.post(LogLine("b"))
    assert list(box.take().lines) == ["a", "b"]
    assert box.take() == Mail()
    assert box.post(LogLine("c"))


def test_every_partial_arrives_but_only_the_newest_progress() -> None:
    box = Mailbox()
    for step in range(5):
        box.post(Progress(step, 5, "steps", "finetuning"))
        box.post(Partial("curve", {"step": step}))
        box.post(Busy(step % 2 == 0))
    mail = box.take()
    assert mail.progress == Progress(4, 5, "steps", "finetuning")
    assert [partial.payload["step"] for partial in mail.partials] == [0, 1, 2, 3, 4]
    assert mail.busy == Busy(True)


def test_of_a_chatterer_only_the_last_lines_are_kept() -> None:
    box = Mailbox()
    for number in range(100_000):
        box.post(LogLine(str(number)))
    lines = box.take().lines
    assert len(lines) == LOG_LINES
    assert lines[-1] == "99999"
