"""Of each kind the newest request wins, and a request of another kind costs the running one nothing."""

import threading
from pathlib import Path

from training.service.requests import EmbedRequest, ExplainRequest
from training.service.service import Inbox

EXPLAIN = ExplainRequest(model=Path("m"), path=Path("v.mp4"), frame_index=0)
EMBED = EmbedRequest(model=Path("m"), path=Path("v.mp4"))


def test_of_a_kind_only_the_newest_waits() -> None:
    inbox = Inbox()
    for number in (1, 2, 3):
        inbox.put(number, EXPLAIN)
    taken = inbox.take(0)
    assert taken is not None
    assert taken.number == 3
    assert inbox.take(0) is None


def test_a_newer_request_makes_the_running_one_needless() -> None:
    inbox = Inbox()
    inbox.put(1, EXPLAIN)
    running = inbox.take(0)
    assert running is not None
    assert not running.needless.is_set()
    inbox.put(2, EXPLAIN)
    assert running.needless.is_set()
    inbox.end(running)
    newer = inbox.take(0)
    assert newer is not None
    assert not newer.needless.is_set()


def test_another_kind_comes_between_without_costing_the_running_one() -> None:
    inbox = Inbox()
    inbox.put(1, EXPLAIN)
    running = inbox.take(0)
    inbox.put(2, EMBED)
    between = inbox.take_other("explain")
    assert running is not None
    assert between is not None
    assert between.number == 2
    assert not running.needless.is_set()
    assert inbox.take_other("explain") is None


def test_the_next_of_the_same_kind_does_not_come_between() -> None:
    inbox = Inbox()
    inbox.put(1, EXPLAIN)
    inbox.take(0)
    inbox.put(2, EXPLAIN)
    assert inbox.take_other("explain") is None


def test_dropping_one_kind_leaves_the_other() -> None:
    inbox = Inbox()
    inbox.put(1, EXPLAIN)
    inbox.put(2, EMBED)
    inbox.drop("explain")
    left = inbox.take(0)
    assert left is not None
    assert left.number == 2
    inbox.drop()
    assert left.needless.is_set()


def test_what_has_ended_is_not_made_needless_any_more() -> None:
    inbox = Inbox()
    inbox.put(1, EXPLAIN)
    done = inbox.take(0)
    assert done is not None
    inbox.end(done)
    inbox.drop()
    assert not done.needless.is_set()


def test_closing_wakes_who_waits() -> None:
    inbox = Inbox()
    found: list[object] = []
    waiting = threading.Thread(target=lambda: found.append(inbox.take(60)))
    waiting.start()
    inbox.close()
    waiting.join(30)
    assert found == [None]
    inbox.put(1, EXPLAIN)
    assert inbox.take(0) is None
